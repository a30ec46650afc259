"""SQLite's file: opened, made, brought up to date, looked at; see storage/engine.py."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from bot.errors import StoreUnavailable
from bot.model import Dates
from storage.connections import ConnectionPool
from storage.engine import Health
from storage.health import APPLICATION_ID, explained, health, make_for_its_owner, refuse_other_file, unavailable
from storage.migrations import add_indexes, applied, is_current, is_indexed, migrate_file
from storage.sqlite import SQLiteConnection

CHECK_SECONDS = 1.0
BULK_CACHE = 24_000  # kB of pages, as far as they are touched; with SQLite's own 2 MB each would be written many times


class SQLiteEngine:
    """The file at `path`; see `storage.engine.Engine`. Who writes waits for others at most `busy_seconds`."""

    errors = (sqlite3.DatabaseError,)

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._pool = ConnectionPool(path, self.connect)

    ahead = timedelta(0)  # who uses a file is on one machine

    def explained(self, error: Exception) -> Exception:
        return explained(error, self._path)

    @contextmanager
    def begun(self, *, write: bool, bulk: bool, durable: bool) -> Iterator[SQLiteConnection]:
        with self._pool.reading() if not (write or bulk or durable) else closing(self.connect()) as connection:
            if durable:
                connection.execute("PRAGMA synchronous = FULL")
            if bulk:
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.execute(f"PRAGMA cache_size = -{BULK_CACHE}")
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """Whoever closes a database last writes SQLite's log back into it. Without this, that is done after each
        batch, which makes writing a tenth slower, and now and then it falls to somebody who only wanted to read. And
        to open a connection takes longer than most of what is asked of it."""
        with closing(self.connect()) as connection, self._pool.keeping():
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens it
            yield

    def health(self, seconds: float) -> Health | None:
        return health(self._path, seconds)

    def check(self) -> None:
        """By connections that have read nothing before, and as far as a second is enough to see."""
        found = health(self._path, CHECK_SECONDS)
        with closing(self.connect()) as connection:
            connection.execute(f"PRAGMA busy_timeout = {int(CHECK_SECONDS * 1000)}")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        if found is None or not found.is_current or found.faults:
            raise unavailable(sqlite3.SQLITE_CORRUPT, self._path)

    def sweep(self) -> bool:
        """Empties SQLite's log too. Takes as much of the disk once more."""
        with closing(self.connect()) as connection:
            connection.execute("VACUUM")
            return int(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0

    def connect(self, mode: str = "rw") -> SQLiteConnection:
        """A new connection. After the start a missing file is an error: an empty one in its place would hide that."""
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={mode}", uri=True, timeout=self._busy_seconds, isolation_level=None,
            check_same_thread=False,  # one thread at a time, though another the next time
            factory=SQLiteConnection,
        )  # fmt: skip
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")  # safe with WAL: no corruption, no lost commit on a crash
        except BaseException:  # a file that is no database says so only now
            connection.close()
            raise
        return connection

    def prepare(self, dates: Dates, *, must_exist: bool) -> None:
        path = self._path
        try:
            if must_exist and not path.exists():
                raise StoreUnavailable(
                    f"nothing is indexed yet (no database at {path}): run `almanac index REPO` first"
                )
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(
                f"the folder of the database {path} cannot be used ({error.strerror}): name another file in ALMANAC_DB"
            ) from error
        refuse_other_file(path)
        make_for_its_owner(path)
        with closing(self.connect("rwc")) as connection:
            if not self._is_current(connection):
                self._log_ahead(connection)
                connection.execute("BEGIN IMMEDIATE")  # two processes may both find the file new
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrate_file(connection)
                connection.execute("COMMIT")
            if not is_indexed(connection, dates):
                connection.execute("BEGIN IMMEDIATE")
                add_indexes(connection, dates)
                connection.execute("COMMIT")

    def _log_ahead(self, connection: SQLiteConnection) -> None:
        """Have changes written to a log first, so that whoever reads never waits for the indexer.

        Where others open the new file at the same moment, SQLite refuses this at once instead of waiting for them.
        """
        end = time.monotonic() + self._busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def _is_current(self, connection: SQLiteConnection) -> bool:
        # In this order: another process may just be making it.
        has_tables = bool(connection.names())
        if has_tables and connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreUnavailable(f"{self._path} is another program's database: name another file in ALMANAC_DB")
        return is_current(applied(connection), str(self._path))
