"""The repositories are read before digests are made: for a while, since what hangs must not hold up what is due."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from bot.errors import RepositoryUnavailable
from bot.index.git import CancelToken
from bot.index.places import tables_by_name
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

READ_SECONDS = 120.0  # of a tick; a fetch itself may take an hour (bot/index/mirrors.py), and goes on
LOOK_SECONDS = 0.2  # until it is looked whether the bot is to end

Read = Callable[[], list[RepositoryUnavailable]]


class IndexRefresh:
    """Reads before digests are made. `read` returns what could not be read; it never runs twice at the same time."""

    def __init__(
        self, settings: Settings, store: Store, read: Read, cancel: CancelToken, seconds: float = READ_SECONDS
    ) -> None:
        self._settings = settings
        self._store = store
        self._read = read
        self._cancel = cancel
        self._seconds = seconds
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._running: Future[list[RepositoryUnavailable]] | None = None
        self._began = settings.now()

    def unread(self) -> list[RepositoryUnavailable]:
        """What could not be read, or not in time, each by its name. What takes longer goes on meanwhile."""
        if self._running is None or self._running.done():
            self._began = self._settings.now()
            self._running = self._reader.submit(self._read)
        end = time.monotonic() + self._seconds
        while not self._cancel.is_stopped() and time.monotonic() < end:
            try:
                return self._running.result(LOOK_SECONDS)
            except TimeoutError:
                if self._running.done():
                    raise
        return self._late()

    def _late(self) -> list[RepositoryUnavailable]:
        stored = {one.name: one.indexed_at for one in self._store.commits.repositories() if not one.failure}
        names = sorted(tables_by_name(self._settings))
        late = [name for name in names if (read_at := stored.get(name)) is None or read_at < self._began]
        for name in late:
            log.warning("%s is not read within %.0f s: digests tell what is known of it", name, self._seconds)
        return [RepositoryUnavailable(name, "it did not answer in time") for name in late]
