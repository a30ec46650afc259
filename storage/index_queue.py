"""What the tables of the job queue say, beyond what procrastinate itself tells: what waits, where, and for how long.

PostgreSQL only. Whoever defers, takes and ends jobs is procrastinate (bot/queue).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from storage.engine import Connection
from storage.sql import Tables

Kind = Literal["worker", "repository", "stalled jobs"]

# Of two numbers, so that they are not mistaken for the one that writers hold (storage/postgres_server.py).
KINDS: dict[Kind, int] = {"worker": 0x416C6D77, "repository": 0x416C6D72, "stalled jobs": 0x416C6D73}
# Since when a job may be taken, on the clock of the server.
_DUE_SINCE = (
    "greatest(scheduled_at, (SELECT max(at) FROM procrastinate_events WHERE job_id = procrastinate_jobs.id "
    "AND type IN ('deferred', 'deferred_for_retry')))"
)
_IS_DUE = "status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())"


def key(name: str) -> int:
    """The number of a name, as PostgreSQL takes it. That two names share one is rare, and costs only time."""
    number = zlib.crc32(name.encode())
    return number - (1 << 32) if number >= 1 << 31 else number


@dataclass(frozen=True, slots=True)
class QueueState:
    """How many jobs wait, run and failed, for how many seconds the oldest has been waiting, and how many workers run.
    Jobs that are put off until later, since a server asked for patience, are not waiting."""

    waiting: int
    running: int
    put_off: int
    failed: int
    oldest_seconds: float
    workers: int


class IndexQueue(Tables):
    """The queue of index jobs in PostgreSQL."""

    def state(self) -> QueueState:
        with self._transaction() as connection:
            waiting, put_off, running, failed, oldest = connection.tuples(
                f"""SELECT count(*) FILTER (WHERE {_IS_DUE}),
                           count(*) FILTER (WHERE status = 'todo' AND scheduled_at > now()),
                           count(*) FILTER (WHERE status = 'doing'), count(*) FILTER (WHERE status = 'failed'),
                           coalesce(extract(epoch FROM now() - min({_DUE_SINCE}) FILTER (WHERE {_IS_DUE})), 0)::float8
                    FROM procrastinate_jobs"""
            )[0]
            return QueueState(waiting, running, put_off, failed, oldest, len(_running_workers(connection)))

    def running_workers(self) -> set[int]:
        """The keys of the names of workers that run: each holds a lock on its name."""
        with self._transaction() as connection:
            return _running_workers(connection)

    def workers_of(self, names: Sequence[str]) -> dict[str, str]:
        """The worker that has the mirror of each repository, by the repository's name; only workers that run."""
        with self._transaction() as connection:
            running = _running_workers(connection)
            rows = connection.tuples("SELECT name, worker FROM repositories WHERE name = ANY(?)", (list(names),))
        return {name: worker for name, worker in rows if key(worker) in running}

    def waiting(self, queueing_locks: Sequence[str]) -> set[str]:
        """Those of the queueing locks under which a job waits."""
        with self._transaction() as connection:
            rows = connection.tuples(
                "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = ANY(?)",
                (list(queueing_locks),),
            )
        return {row[0] for row in rows}

    def unfinished(self, queueing_locks: Sequence[str]) -> dict[str, bool]:
        """Those of the queueing locks whose job waits or runs, and whether it is put off until later."""
        with self._transaction() as connection:
            rows = connection.tuples(
                """SELECT queueing_lock, coalesce(bool_and(status = 'todo' AND scheduled_at > now()), false)
                   FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND queueing_lock = ANY(?)
                   GROUP BY queueing_lock""",
                (list(queueing_locks),),
            )
        return dict(rows)

    def is_waited_for(self, queues: Sequence[str], priority: int) -> bool:
        """Whether a job of this priority or a higher one could be taken from these queues now."""
        with self._transaction() as connection:
            return bool(
                connection.tuples(
                    f"""SELECT EXISTS (
                          SELECT 1 FROM procrastinate_jobs WHERE {_IS_DUE} AND queue_name = ANY(?) AND priority >= ?
                          AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS other
                                          WHERE other.lock = procrastinate_jobs.lock AND other.status = 'doing'))""",
                    (list(queues), priority),
                )[0][0]
            )

    def release(self, common: str, seconds: float) -> int:
        """Hand what has been waiting in a worker's own queue for so long to all workers. Returns how many jobs."""
        waits = f"""status = 'todo' AND queue_name <> ? AND {_DUE_SINCE} < now() - make_interval(secs => ?)"""
        values = (common, float(seconds))
        with self._transaction() as connection:  # most often there is none, and writers need not wait for that
            if not connection.tuples(f"SELECT 1 FROM procrastinate_jobs WHERE {waits} LIMIT 1", values):
                return 0
        with self._transaction(bulk=True) as connection:
            statement = f"UPDATE procrastinate_jobs SET queue_name = ? WHERE {waits}"
            return connection.execute(statement, (common, *values)).rowcount


def _running_workers(connection: Connection) -> set[int]:
    """The keys of the names of workers that run: each holds a lock on its name."""
    rows = connection.tuples(
        """SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
           AND classid = ? AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""",
        (KINDS["worker"],),
    )
    return {row[0] - (1 << 32) if row[0] >= 1 << 31 else row[0] for row in rows}
