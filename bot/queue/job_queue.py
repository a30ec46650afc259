"""The queue of index jobs: procrastinate's, in the PostgreSQL database that also holds the index.

A job carries the name of a repository and nothing else: where that is, and how it may be read, every worker knows from
its own almanac.toml. A repository is read by one worker at a time (procrastinate's `lock`), and waits at most once, or
twice where the second is urgent (its `queueing_lock`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

import psycopg
from procrastinate import SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

from bot.database import PostgresAddress
from storage import Store
from storage.index_queue import connection_options

Task = Literal["index", "count"]

_URGENT = "urgent "
COMMON = "index"  # the queue that every worker takes jobs from
# Names before lines, and what somebody waits for before all else.
PRIORITIES: dict[tuple[Task, bool], int] = {
    ("index", True): 20, ("count", True): 10, ("index", False): 0, ("count", False): -10,
}  # fmt: skip
_LONGEST = 40  # bytes of a queue's name: PostgreSQL's channels have 63, of which procrastinate takes 23


@dataclass(frozen=True, slots=True)
class IndexJob:
    """What is to be done with a repository, whether somebody waits for it, and whether it is put off until later."""

    task: Task
    repository: str
    urgent: bool = False
    queue: str = COMMON
    after: datetime | None = None

    @property
    def lock(self) -> str:
        """Lines may be counted while names are read."""
        return f"{self.task} {self.repository}"

    @property
    def queueing_lock(self) -> str:
        return f"{_URGENT}{self.lock}" if self.urgent else self.lock

    @classmethod
    def of(cls, job: Job) -> IndexJob:
        """What procrastinate hands out."""
        is_urgent = job.queueing_lock is not None and job.queueing_lock.startswith(_URGENT)
        return cls(cast(Task, job.task_name), str(job.task_kwargs["repository"]), is_urgent, job.queue)

    def as_job(self) -> Job:
        """As procrastinate takes it."""
        return Job(
            task_name=self.task, queue=self.queue, lock=self.lock, queueing_lock=self.queueing_lock,
            priority=PRIORITIES[self.task, self.urgent], task_kwargs={"repository": self.repository},
            scheduled_at=self.after,
        )  # fmt: skip


def queue_of(worker: str) -> str:
    """The queue of what a worker should rather do than others, since it has the mirror."""
    name = f"{COMMON} {worker}"
    if len(name.encode()) <= _LONGEST:
        return name
    cut = name.encode()[: _LONGEST - 9].decode(errors="ignore")
    return f"{cut} {hashlib.sha256(worker.encode()).hexdigest()[:8]}"


class JobQueue:
    """Puts jobs into the queue; any thread may. Raises StoreUnavailable where the database cannot be reached.

    It is the `bot.index.requests.IndexRequests` of PostgreSQL.
    """

    def __init__(self, address: PostgresAddress, store: Store) -> None:
        self._address = address
        self._store = store
        self._manager = JobManager(SyncPsycopgConnector())

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        self.defer(self.jobs("index", names, urgent))

    def jobs(self, task: Task, names: Sequence[str], urgent: bool = False) -> list[IndexJob]:
        """A job for each repository: for the worker that has its mirror, if that one runs, else for any."""
        workers = self._store.index_queue.workers_of(names)
        return [IndexJob(task, name, urgent, queue_of(workers[name]) if name in workers else COMMON) for name in names]

    def defer(self, jobs: Sequence[IndexJob]) -> None:
        """Add those jobs that do not wait already."""
        waiting = self._store.index_queue.waiting([job.queueing_lock for job in jobs])
        new = {job.queueing_lock: job.as_job() for job in jobs if job.queueing_lock not in waiting}
        if not new:
            return
        with self._connected() as connection:
            try:
                self._manager.batch_defer_jobs(list(new.values()), connection)
            except AlreadyEnqueued:  # by another process, since it was looked
                for job in new.values():
                    with suppress(AlreadyEnqueued):
                        self._manager.defer_job(job, connection)

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            with psycopg.connect(self._address.url, autocommit=True, **connection_options()) as connection:
                yield connection
        except psycopg.Error as error:
            raise self._store.explained(error) from error
        except ConnectorException as error:
            raise self._store.explained(error.__cause__ or error) from error
