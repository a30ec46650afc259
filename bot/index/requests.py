"""Who wants repositories to be read soon says so here, and does not wait for it.

With SQLite this process reads them itself, in a thread; with PostgreSQL a worker does (`almanac worker`).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from bot.database import PostgresAddress
from storage import Store

log = logging.getLogger(__name__)


class IndexRequests(Protocol):
    """Any thread may ask, also for the same repository again: it is read once more after the last request."""

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        """Have the repositories of almanac.toml with these names read soon; what is urgent is read before the rest.
        Returns at once. Raises StoreUnavailable where the request cannot be kept."""


class OwnIndexing:
    """Of SQLite, whose file only this machine has: `read` brings repositories up to date, in a thread of this object's
    own, one call at a time. What is asked for meanwhile is read by the next call."""

    def __init__(self, read: Callable[[Sequence[str]], object]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._wanted: dict[str, None] = {}  # in the order of asking
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="requested")

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        with self._lock:
            self._wanted |= dict.fromkeys(names)
        self._reader.submit(self._read_wanted)

    def _read_wanted(self) -> None:
        with self._lock:
            names, self._wanted = list(self._wanted), {}
        if not names:
            return
        try:
            self._read(names)
        except Exception:  # the next request must be answered all the same
            log.exception("%s could not be read; that is tried again at the next refresh", ", ".join(names))


def index_requests(store: Store, read: Callable[[Sequence[str]], object]) -> IndexRequests:
    """What fits the database; `read` is what reads repositories where this process is to do that itself."""
    if isinstance(store.database, PostgresAddress):
        from bot.queue.job_queue import JobQueue  # takes a third of a second, and is no part of every installation

        return JobQueue(store.database, store)
    return OwnIndexing(read)
