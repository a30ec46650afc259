"""The tables of procrastinate, the queue of index jobs: made and brought up to date with ours, and what they say beyond
what procrastinate itself tells: what waits, where, and for how long.

PostgreSQL only. Whoever defers, takes and ends jobs is procrastinate (bot/queue).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import psycopg

from bot.database import PostgresAddress
from storage.engine import Connection
from storage.migrations import applied, record
from storage.postgres import PostgresConnection
from storage.sql import Tables

Kind = Literal["worker", "stalled jobs"]

# Of two numbers, so that they are not mistaken for the one that writers hold (storage/postgres_server.py).
KINDS: dict[Kind, int] = {"worker": 0x416C6D77, "stalled jobs": 0x416C6D73}
# Since when a job may be taken, on the clock of the server.
_DUE_SINCE = (
    "greatest(scheduled_at, (SELECT max(at) FROM procrastinate_events WHERE job_id = procrastinate_jobs.id "
    "AND type IN ('deferred', 'deferred_for_retry')))"
)
_IS_DUE = "status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())"


def sql_folder() -> Path:
    """Where procrastinate has its tables and their migrations, each a file with SQL
    (https://procrastinate.readthedocs.io/en/stable/howto/production/migrations.html). It is not loaded for that, which
    takes a third of a second. Raises ImportError where it is not installed."""
    found = find_spec("procrastinate")
    if found is None or found.origin is None:
        raise ImportError("No module named 'procrastinate'")
    return Path(found.origin).parent / "sql"


def missing_steps(connection: Connection) -> tuple[str, ...]:
    """The migrations of the installed procrastinate that a database has not been through, in order."""
    done = applied(connection, "procrastinate")
    names = sorted(path.stem for path in (sql_folder() / "migrations").glob("*.sql"))
    return tuple(name for name in names if name not in done)


def migrate_queue(connection: PostgresConnection) -> None:
    """Make the tables, or take the migrations that are missing, inside the caller's transaction."""
    missing = missing_steps(connection)
    files = [sql_folder() / "migrations" / f"{name}.sql" for name in missing]
    if not applied(connection, "procrastinate"):
        files = [sql_folder() / "schema.sql"]
    for file in files:
        connection.script(file.read_bytes())
    for name in missing:
        record(connection, name, "procrastinate")


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
            return QueueState(waiting, running, put_off, failed, oldest, len(running_workers(connection)))

    def workers_of(self, names: Sequence[str]) -> dict[str, str]:
        """The worker that has the mirror of each repository, by the repository's name; only workers that run."""
        with self._transaction() as connection:
            running = running_workers(connection)
            rows = connection.tuples("SELECT name, worker FROM repositories WHERE name = ANY(?)", (list(names),))
        return {name: worker for name, worker in rows if key(worker) in running}

    def waiting(self, queueing_locks: Sequence[str]) -> set[str]:
        """Those of the queueing locks under which a job waits."""
        query = "SELECT queueing_lock FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = ANY(?)"
        return {row[0] for row in self._rows(query, (list(queueing_locks),))}

    def unfinished(self, queueing_locks: Sequence[str]) -> dict[str, bool]:
        """Those of the queueing locks whose job waits or runs, and whether it is put off until later."""
        rows = self._rows(
            """SELECT queueing_lock, coalesce(bool_and(status = 'todo' AND scheduled_at > now()), false)
               FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND queueing_lock = ANY(?)
               GROUP BY queueing_lock""",
            (list(queueing_locks),),
        )
        return dict(rows)

    def is_waited_for(self, queues: Sequence[str], priority: int) -> bool:
        """Whether a job of this priority or a higher one could be taken from these queues now."""
        row = self._row(
            f"""SELECT 1 FROM procrastinate_jobs WHERE {_IS_DUE} AND queue_name = ANY(?) AND priority >= ?
                AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS other
                                WHERE other.lock = procrastinate_jobs.lock AND other.status = 'doing') LIMIT 1""",
            (list(queues), priority),
        )
        return row is not None

    def release(self, common: str, seconds: float) -> int:
        """Hand what has been waiting in a worker's own queue for so long to all workers. Returns how many jobs."""
        waits = f"""status = 'todo' AND queue_name <> ? AND {_DUE_SINCE} < now() - make_interval(secs => ?)"""
        values = (common, float(seconds))
        if self._row(f"SELECT 1 FROM procrastinate_jobs WHERE {waits} LIMIT 1", values) is None:
            return 0  # most often, and writers need not wait for that
        with self._transaction(bulk=True) as connection:
            statement = f"UPDATE procrastinate_jobs SET queue_name = ? WHERE {waits}"
            return connection.execute(statement, (common, *values)).rowcount


def running_workers(connection: Connection) -> set[int]:
    """The keys of the names of workers that run: each holds a lock on its name."""
    rows = connection.tuples(
        """SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
           AND classid = ? AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""",
        (KINDS["worker"],),
    )
    return {row[0] - (1 << 32) if row[0] >= 1 << 31 else row[0] for row in rows}


CONNECT_SECONDS = 3


def connection_options(name: str = "almanac", *, durable: bool = True) -> dict[str, Any]:
    """What psycopg is given for a connection that is held. That the other side is gone is noticed within half a
    minute, here and there. Who does not ask for what is `durable` does not wait for the server's disk."""
    patience = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    patience += "" if durable else " -c synchronous_commit=off"
    return {
        "connect_timeout": CONNECT_SECONDS, "application_name": name, "options": patience,
        "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 25_000,
    }  # fmt: skip


class SessionLocks:
    """A connection, and the locks that it holds. Any thread may use it. Raises psycopg.Error where it is lost."""

    def __init__(self, address: PostgresAddress, name: str = "almanac") -> None:
        """`name` is what the server shows of the connection."""
        self._connection = psycopg.connect(address.url, autocommit=True, **connection_options(name))

    def close(self) -> None:
        """Lets go of all. The server would do so too, but some time after the connection ended."""
        with suppress(psycopg.Error):
            self._asked("SELECT pg_advisory_unlock_all()")
        self._connection.close()

    def try_lock(self, kind: Kind, name: str = "") -> bool:
        """Take a lock, unless another session holds it. One that this session holds must not be taken again."""
        return bool(self._asked("SELECT pg_try_advisory_lock(%s, %s)", KINDS[kind], key(name)))

    def release(self, kind: Kind, name: str = "") -> None:
        self._asked("SELECT pg_advisory_unlock(%s, %s)", KINDS[kind], key(name))

    @contextmanager
    def tried(self, kind: Kind, name: str = "") -> Iterator[bool]:
        """Whether the lock is held inside."""
        is_held = self.try_lock(kind, name)
        try:
            yield is_held
        finally:
            if is_held:
                with suppress(psycopg.Error):  # a lost connection has let go of it
                    self.release(kind, name)

    def now(self) -> datetime:
        """The server's time, which is that of all hosts. Raises psycopg.Error where the connection is lost."""
        found: datetime = self._asked("SELECT clock_timestamp()")
        return found

    def _asked(self, query: str, *values: object) -> Any:
        row = self._connection.execute(query.encode(), values).fetchone()
        return row and row[0]
