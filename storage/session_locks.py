"""Locks that a process holds in PostgreSQL, all hosts together, for as long as it runs: advisory locks of a session.

PostgreSQL only. A process that dies lets go of them at once, for its connection ends; one whose host is gone within
half a minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import psycopg

from bot.database import PostgresAddress
from storage.index_queue import KINDS, Kind, key

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
