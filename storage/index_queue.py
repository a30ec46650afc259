"""What the tables of the job queue say, beyond what procrastinate itself tells: what waits, where, and for how long.

PostgreSQL only. Whoever defers, takes and ends jobs is procrastinate (bot/queue).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storage.sql import Tables

# Since when a job may be taken, on the clock of the server.
_DUE_SINCE = (
    "greatest(scheduled_at, (SELECT max(at) FROM procrastinate_events WHERE job_id = procrastinate_jobs.id "
    "AND type IN ('deferred', 'deferred_for_retry')))"
)
_IS_DUE = "status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())"


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

    def state(self, stalled_seconds: float) -> QueueState:
        """A worker that has not been heard of for `stalled_seconds` does not run any more."""
        with self._transaction() as connection:
            waiting, put_off, running, failed, oldest = connection.tuples(
                f"""SELECT count(*) FILTER (WHERE {_IS_DUE}),
                           count(*) FILTER (WHERE status = 'todo' AND scheduled_at > now()),
                           count(*) FILTER (WHERE status = 'doing'), count(*) FILTER (WHERE status = 'failed'),
                           coalesce(extract(epoch FROM now() - min({_DUE_SINCE}) FILTER (WHERE {_IS_DUE})), 0)::float8
                    FROM procrastinate_jobs"""
            )[0]
            workers = connection.tuples(
                "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => ?)",
                (float(stalled_seconds),),
            )[0][0]
        return QueueState(waiting, running, put_off, failed, oldest, workers)

    def waiting(self, queueing_locks: Sequence[str]) -> set[str]:
        """Those of the queueing locks under which a job waits."""
        with self._transaction() as connection:
            rows = connection.tuples(
                "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = ANY(?)",
                (list(queueing_locks),),
            )
        return {row[0] for row in rows}
