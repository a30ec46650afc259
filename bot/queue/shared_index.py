"""How `almanac serve` has the repositories read where the database is PostgreSQL: workers do, it only asks."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import datetime, timedelta

from bot.database import PostgresAddress
from bot.errors import RepositoryUnavailable
from bot.index.git import CancelToken, Stopped
from bot.index.listed import tables_by_name
from bot.queue.job_queue import JobQueue
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

READ_SECONDS = 120.0  # of a tick, that digests which are due wait for workers; what takes longer goes on
LOOK_SECONDS = 0.3
FRESH = timedelta(minutes=5)  # what was read since then is not read again before a digest


class SharedIndex:
    """Of any number of processes that serve: what one has asked for the others do not ask for again."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        address: PostgresAddress,
        cancel: CancelToken,
        seconds: float = READ_SECONDS,
    ) -> None:
        self._settings = settings
        self._store = store
        self._cancel = cancel
        self._seconds = seconds
        self._names = sorted(tables_by_name(settings))
        self._asked_at: dict[str, datetime] = {}
        self.requests = JobQueue(address, store)

    def request_due(self) -> None:
        """Ask for what was not read, or asked for here, within `refresh_minutes`."""
        now, interval = self._settings.now(), timedelta(minutes=self._settings.refresh_minutes)
        read_at = {one.name: one.indexed_at for one in self._store.commits.repositories()}
        due = [
            name
            for name in self._names
            if all(at is None or abs(now - at) >= interval for at in (read_at.get(name), self._asked_at.get(name)))
        ]
        if due:
            self.requests.request(due, urgent=False)
            self._asked_at |= dict.fromkeys(due, now)

    def unread(self) -> list[RepositoryUnavailable]:
        """Have all repositories read before digests are made. Returns what could not be, or not in time, each by its
        name. Does not wait where no worker runs."""
        now = self._settings.now()
        read_at = {one.name: one.indexed_at for one in self._store.commits.repositories()}
        stale = [name for name in self._names if (at := read_at.get(name)) is None or abs(now - at) > FRESH]
        pending = self._waited_for(stale) if stale else {}
        known = {one.name: one for one in self._store.commits.repositories()}
        unread = []
        for name in self._names:
            failure = known[name].failure if name in known else "no worker could read it, and why is in their logs"
            if name in pending:
                failure = pending[name]
                log.warning("%s is not read: %s; digests tell what is known of it", name, failure)
            if failure:
                unread.append(RepositoryUnavailable(name, failure))
        return unread

    def _waited_for(self, names: list[str]) -> dict[str, str]:
        """Ask for repositories, wait, and say which are not read then, and why."""
        asked = self.requests.jobs("index", names, urgent=True)
        self.requests.defer(asked)
        jobs = {job.queueing_lock: job.repository for job in asked}
        end = time.monotonic() + self._seconds
        with suppress(Stopped):
            while left := self._store.index_queue.unfinished(list(jobs)):
                if all(left.values()) or time.monotonic() > end or not self._store.index_queue.state().workers:
                    break  # the rest is put off, since their servers cannot be reached
                self._cancel.wait(LOOK_SECONDS)
        is_alone = bool(left) and not self._store.index_queue.state().workers
        late = "no worker runs: start `almanac worker`" if is_alone else "it was not read in time"
        return {jobs[lock]: late for lock, is_put_off in left.items() if not is_put_off or is_alone}
