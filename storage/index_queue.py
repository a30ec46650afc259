"""The tables of procrastinate, the queue of index jobs: made and brought up to date with ours. And which workers run.

PostgreSQL only. Whoever defers, lists, takes and ends jobs is procrastinate (bot/index/jobs.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from bot.database import PostgresAddress
from storage.engine import Connection
from storage.migrations import applied, record

# Of two numbers, so that it is not mistaken for the one that writers hold (storage/postgres.py).
WORKERS = 0x416C6D77


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


def migrate_queue(connection: Connection) -> None:
    """Make the tables, or take the migrations that are missing, inside the caller's transaction."""
    missing = missing_steps(connection)
    files = [sql_folder() / "migrations" / f"{name}.sql" for name in missing]
    if not applied(connection, "procrastinate"):
        files = [sql_folder() / "schema.sql"]
    for file in files:
        connection.script(file.read_text(encoding="utf-8"))
    for name in missing:
        record(connection, name, "procrastinate")


def server_time(connection: psycopg.Connection[Any]) -> datetime:
    """The server's time, which is that of all hosts."""
    found: datetime = _asked(connection, "SELECT clock_timestamp()")
    return found


def workers(connection: psycopg.Connection[Any]) -> int:
    """How many workers run: each holds a lock as long as it does."""
    query = """SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = %s
               AND objid = 0 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
    return int(_asked(connection, query, WORKERS))


def _asked(connection: psycopg.Connection[Any], query: str, *values: object) -> Any:
    row = connection.execute(query.encode(), values).fetchone()
    return row and row[0]


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


class WorkerSession:
    """A connection that says that a worker runs, as long as it lasts. Any thread may use it. Raises psycopg.Error where
    it is lost."""

    def __init__(self, address: PostgresAddress) -> None:
        self._connection = psycopg.connect(address.url, autocommit=True, **connection_options("almanac worker"))
        _asked(self._connection, "SELECT pg_advisory_lock_shared(%s, 0)", WORKERS)

    def close(self) -> None:
        """The server would let go of the locks too, but some time after the connection ended."""
        with suppress(psycopg.Error):
            _asked(self._connection, "SELECT pg_advisory_unlock_all()")
        self._connection.close()

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other worker is in this block."""
        is_alone = bool(_asked(self._connection, "SELECT pg_try_advisory_lock(%s, 1)", WORKERS))
        try:
            yield is_alone
        finally:
            if is_alone:
                with suppress(psycopg.Error):  # a lost connection has let go of it
                    _asked(self._connection, "SELECT pg_advisory_unlock(%s, 1)", WORKERS)

    def now(self) -> datetime:
        """The server's time."""
        return server_time(self._connection)
