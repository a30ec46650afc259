"""What a worker does with a repository: it reads the names of what is new, or counts lines."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.errors import RepositoryUnavailable, ServerUnavailable, StoreBusy
from bot.index.address import RepositoryLocation, place
from bot.index.disk import remove_unused
from bot.index.git import CancelToken, Concurrency, Stopped
from bot.index.indexing import LoggedProgress, index_repository, log_result
from bot.index.lines import Lines
from bot.index.listed import keep_audiences, tables_by_name
from bot.index.mirror import host_of, is_address, stored_at
from bot.queue.back_off import BackOff
from bot.queue.job_queue import COMMON, PRIORITIES, IndexJob, queue_of
from bot.queue.timing import Timing
from bot.settings import Settings
from bot.settings_tables import RepositorySettings
from storage import Store
from storage.index_queue import SessionLocks

log = logging.getLogger(__name__)

_ASK_EVERY = 1.0  # seconds between two questions whether others wait
_LONGEST_START = 4  # slices; what a job took until its first commits it may go on for, but not longer than these


class GiveWay(Exception):
    """Others have been waiting long enough. What was done is kept."""


class JobReader:
    """Does the jobs of one worker, one at a time."""

    def __init__(self, settings: Settings, store: Store, worker: str, timing: Timing) -> None:
        self._settings = settings
        self._store = store
        self._worker = worker
        self._own = queue_of(worker)
        self._timing = timing
        self._back_off = BackOff(time.monotonic, timing.first_back_off, timing.longest_back_off)
        self._tables = tables_by_name(settings)
        keep_audiences(settings, store)

    def done(self, job: IndexJob, locks: SessionLocks, cancel: CancelToken) -> Sequence[IndexJob]:
        """Do a job, and return those that it leads to: itself once more, where it is not done yet. Raises
        RepositoryUnavailable for a repository that this worker does not know, psycopg.Error and StoreUnavailable where
        the database is lost."""
        table = self._tables.get(job.repository)
        if table is None:
            raise RepositoryUnavailable(
                job.repository, f"is not in the almanac.toml of the worker {self._worker}, so its job is given up"
            )
        try:
            if job.task == "count":
                return self._count(job, cancel)
            where = replace(place(table.address, table.name), audience=table.lets_in)
            return self._index(job, where, table, locks, cancel)
        except (Stopped, GiveWay) as end:
            if isinstance(end, GiveWay):
                log.info("%s: gives way to others that wait, and goes on later", job.repository)
            return [replace(job, queue=self._own, after=None)]
        except StoreBusy as error:
            log.info("%s: looking again later (%s)", job.repository, error)
            return [self._later(job, locks, self._timing.retry)]
        except RepositoryUnavailable as error:
            log_result(error)
            return []

    def _index(
        self,
        job: IndexJob,
        where: RepositoryLocation,
        table: RepositorySettings,
        locks: SessionLocks,
        cancel: CancelToken,
    ) -> list[IndexJob]:
        host = host_of(where.address) if where.address else ""
        if seconds := self._back_off.wait(host):
            return [self._later(job, locks, seconds)]
        commits, settings = self._store.commits, self._settings
        try:
            done = index_repository(
                where, table.branch, commits, settings.mirrors, settings.now(), self._slice(job),
                concurrency=Concurrency(cancel), contents=settings.mirror_contents,
            )  # fmt: skip
        except ServerUnavailable as error:
            seconds = self._back_off.failed(host)
            log.warning("%s; %s is left alone for %.0f s", error, host, seconds)
            return [self._later(job, locks, seconds)]
        finally:
            known = commits.repository(where.name)
            if known and known.worker != self._worker:
                commits.set_worker(where.name, self._worker)
        self._back_off.answered(host)
        log_result(done)
        is_to_count = self._lines(cancel).lacking(where.name) > 0
        return [IndexJob("count", where.name, job.urgent, self._own)] if is_to_count else []

    def _count(self, job: IndexJob, cancel: CancelToken) -> list[IndexJob]:
        known = self._store.commits.repository(job.repository)
        if known is None:
            return []
        if is_address(known.location) and not stored_at(known.location, self._settings.mirrors).exists():
            return [IndexJob("index", job.repository, job.urgent, self._own)]  # which fetches it, and counts then
        lines, turn = self._lines(cancel), self._slice(job)
        counted = lines.count_all(job.repository, is_over=turn.is_over)
        if counted:
            log.info("%s: lines of %d commits counted", job.repository, counted)
        if turn.is_over() and lines.lacking(job.repository):
            raise GiveWay
        return []

    def remove_unused_mirrors(self) -> None:
        """Those of repositories that others read by now, or nobody does."""
        stored = self._store.commits.repositories()
        remove_unused(
            self._settings.mirrors, [one.location for one in stored if one.worker == self._worker], time.time()
        )

    def _lines(self, cancel: CancelToken) -> Lines:
        return Lines(self._store.commits, self._settings.mirrors, concurrency=Concurrency(cancel), calm=True)

    def _slice(self, job: IndexJob) -> _Slice:
        return _Slice(self._store, job, [self._own, COMMON], self._timing)

    @staticmethod
    def _later(job: IndexJob, locks: SessionLocks, seconds: float) -> IndexJob:
        """The same job after a while, by the server's clock: that of this host may be another."""
        return replace(job, after=locks.now() + timedelta(seconds=seconds))


class _Slice(LoggedProgress):
    """Progress of a job that gives way once others have waited for long enough, but never before it stored anything."""

    def __init__(self, store: Store, job: IndexJob, queues: Sequence[str], timing: Timing) -> None:
        self._store = store
        self._queues = queues
        self._timing = timing
        self._priority = PRIORITIES[job.task, job.urgent]
        self._began = time.monotonic()
        self._first: float | None = None
        self._asked = 0.0
        self._is_over = False

    def advance(self, repository: str, commits: int) -> None:
        if self.is_over():
            raise GiveWay

    def is_over(self) -> bool:
        now = time.monotonic()
        if self._first is None:
            self._first = now
        worked = now - self._first
        if not self._is_over and worked >= self._timing.urgent_slice and now - self._asked >= _ASK_EVERY:
            self._asked = now
            # To find where to go on takes long in a long history: what that took is worked for at least.
            start = min(self._first - self._began, _LONGEST_START * self._timing.slice)
            above = 0 if worked >= max(self._timing.slice, start) else 1
            self._is_over = self._store.index_queue.is_waited_for(self._queues, self._priority + above)
        return self._is_over
