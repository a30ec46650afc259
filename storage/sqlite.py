"""SQLite's side of storage/engine.py: a file, its connections, and its errors in words that say what to do."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from bot.errors import StoreLocked, StoreUnavailable
from storage.engine import NO_LIMIT, PAGE, START_SECONDS, Engine, Health, Values
from storage.migrations import health_of, is_current, migrate

APPLICATION_ID = 0x416C6D61  # marks the file as ours ("Alma"), so that another program's database is never written to
CHECK_SECONDS = 1.0
SYNCHRONOUS = "FULL"  # with WAL, nothing that was committed is lost where a machine loses its power
BULK_SYNCHRONOUS = "NORMAL"  # no corruption, but what was committed last may be lost then
BULK_CACHE = 24_000  # kB of pages, as far as they are touched; with SQLite's own 2 MB each would be written many times
# Up to so many commits are looked up in the full text one by one (20 µs each); with more, all that match are read.
_FEW = 500
_EVERY = 10_000  # instructions of SQLite between two looks at the time


class SQLiteConnection(sqlite3.Connection):
    """See `storage.engine.Connection`."""

    engine: Literal["sqlite"] = "sqlite"

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        cursor = self.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, values).fetchall()

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        cursor = self.cursor()
        cursor.row_factory = None
        cursor.execute(sql)
        while page := cursor.fetchmany(PAGE):
            yield page

    def load(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        marks = ",".join("?" * (columns.count(",") + 1))
        self.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)

    def script(self, statements: str) -> None:
        statement = ""
        for line in statements.splitlines(keepends=True):  # executescript would end the transaction
            statement += line
            if sqlite3.complete_statement(statement):
                self.execute(statement)
                statement = ""

    def names(self) -> set[str]:
        return {row[0] for row in self.execute("SELECT name FROM sqlite_master")}

    def seconds(self) -> int:
        return int(time.time())

    def add_words(self, commits: Iterable[tuple[int, str]]) -> None:
        self.executemany("INSERT INTO commit_words (rowid, text) VALUES (?, ?)", commits)

    def remove_words(self, commits: Iterable[tuple[int, str]]) -> None:
        self.executemany("INSERT INTO commit_words (commit_words, rowid, text) VALUES ('delete', ?, ?)", commits)

    def commits_with(self, words: Sequence[str], among: Sequence[int] | None, most: int | None = None) -> list[int]:
        query = " ".join(f'"{word}"' for word in words)
        try:
            if among is not None and len(among) <= _FEW:
                one = "SELECT 1 FROM commit_words WHERE commit_words MATCH ? AND rowid = ?"
                return [number for number in among if self.execute(one, (query, number)).fetchone()]
            first, last = (among[0], among[-1]) if among else (0, NO_LIMIT)
            rows = self.execute(
                """SELECT rowid FROM commit_words WHERE commit_words MATCH ? AND rowid BETWEEN ? AND ?
                   ORDER BY rowid LIMIT ?""",
                (query, first, last, -1 if most is None else most),
            )
            return [int(row["rowid"]) for row in rows]
        except sqlite3.OperationalError as error:
            # What Python takes for one word, SQLite's older Unicode may take for several; those it cannot look for.
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            return []


class SQLiteEngine(Engine):
    """The file at a path, whose users are on one machine and have one clock."""

    errors = (sqlite3.DatabaseError,)
    place: Path

    def __init__(self, place: Path, busy_seconds: float) -> None:
        super().__init__(place, busy_seconds)
        self._holding = list[SQLiteConnection]()
        self._idle = list[tuple[object, SQLiteConnection]]()  # that have read the file as it was, and may again

    def explained(self, error: BaseException) -> BaseException:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the details: https://sqlite.org/rescode.html
        return self._unavailable(code) if code in _ADVICE else error

    def _unavailable(self, code: int) -> StoreUnavailable:
        for_us, for_all = (_ADVICE[code].format(name) for name in (f"the database {self.place}", "my database"))
        if code == sqlite3.SQLITE_BUSY:
            return StoreLocked(for_us, for_all.partition(":")[0])
        return StoreUnavailable(for_us, for_all)

    @contextmanager
    def begun(self, *, write: bool, bulk: bool) -> Iterator[SQLiteConnection]:
        with closing(self.connect()) if write or bulk else self._reader() as connection:
            if bulk:
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.execute(f"PRAGMA cache_size = -{BULK_CACHE}")
                connection.execute(f"PRAGMA synchronous = {BULK_SYNCHRONOUS}")
            # One that begins to write after it has read is refused at once where somebody else wrote meanwhile.
            connection.execute("BEGIN IMMEDIATE" if write or bulk else "BEGIN")
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
        who reads next need not read the schema again, which takes as long as to read a month."""
        with self.explaining(), closing(self.connect()) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens it
            self._holding.append(connection)
            try:
                yield
            finally:
                self._holding.remove(connection)
                while self._idle:  # others who hold it open only have to open another
                    self._idle.pop()[1].close()

    @contextmanager
    def _reader(self) -> Iterator[SQLiteConnection]:
        """A connection that nobody else has: an idle one, where the file is still as it was when that began to read, or
        a new one. What is put into the file but by SQLite, such as a copy, only a new one notices."""
        found = self.place.stat() if self.place.exists() else None  # to connect says what is wrong
        file = found and (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        try:
            was, connection = self._idle.pop()
        except IndexError:
            was, connection = file, self.connect()
        if was != file:
            connection.close()
            connection = self.connect()
        with ExitStack() as ends:
            ends.callback(connection.close)
            yield connection
            if self._holding:
                ends.pop_all()
                self._idle.append((file, connection))

    def health(self, seconds: float) -> Health | None:
        if not self.place.exists():
            return None
        size = sum(part.stat().st_size for part in (self.place, Path(f"{self.place}-wal")) if part.exists())
        with self.explaining(), closing(self.connect("ro")) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return Health(size, is_ours=False)
            return health_of(connection, size, faults=_faults(connection, time.monotonic() + seconds))

    def check(self) -> None:
        """As far as a second is enough to see."""
        impatient = SQLiteEngine(self.place, CHECK_SECONDS)
        found = impatient.health(CHECK_SECONDS)
        Engine.check(impatient)
        if found is None or not found.is_current or found.faults:
            raise self._unavailable(sqlite3.SQLITE_CORRUPT)

    def sweep(self) -> bool:
        """Empties SQLite's log too. Takes as much of the disk once more."""
        with self.explaining(), closing(self.connect()) as connection:
            # Until its segments are merged, the full text holds the words of what was removed.
            connection.execute("INSERT INTO commit_words (commit_words) VALUES ('optimize')")
            connection.execute("VACUUM")
            return int(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0

    def connect(self, mode: str = "rw") -> SQLiteConnection:
        """A new connection. After the start a missing file is an error: an empty one in its place would hide that."""
        connection = sqlite3.connect(
            f"{self.place.absolute().as_uri()}?mode={mode}", uri=True, timeout=self._busy_seconds, isolation_level=None,
            check_same_thread=False,  # one thread at a time, though another may close it
            factory=SQLiteConnection,
        )  # fmt: skip
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        except BaseException:  # a file that is no database says so only now
            connection.close()
            raise
        return connection

    def made(self, *, must_exist: bool) -> None:
        path = self.place
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
        self._refuse_other_file()
        with suppress(OSError):  # it is there already, or SQLite says what is wrong
            # A new file that nobody else can read, and so its journals, which SQLite makes with the same rights.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(self.connect("rwc")) as connection:
            connection.execute(f"PRAGMA busy_timeout = {round(min(self._busy_seconds, START_SECONDS) * 1000)}")
            # In this order: another process may just be making it.
            has_tables = bool(connection.names())
            if has_tables and connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreUnavailable(f"{path} is another program's database: name another file in ALMANAC_DB")
            if not is_current(connection, str(path)):
                connection.execute("PRAGMA journal_mode = WAL")  # whoever reads never waits for the indexer
                connection.execute("BEGIN IMMEDIATE")  # two processes may both find the file new
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrate(connection)
                connection.execute("COMMIT")

    def _refuse_other_file(self) -> None:
        """SQLite takes a very short file for an empty database, and would write over it.

        A database is never looked at this way: to close any file gives up this process's locks on it, those of SQLite
        too (https://www.sqlite.org/howtocorrupt.html, 2.2).
        """
        try:
            if self.place.stat().st_size >= _SHORTEST:
                return
            with self.place.open("rb") as file:
                begins = file.read(len(_MAGIC))
        except OSError:
            return  # there is none, or SQLite says what is wrong
        if begins and begins != _MAGIC:
            raise self._unavailable(sqlite3.SQLITE_NOTADB)


def _faults(connection: sqlite3.Connection, end: float) -> tuple[str, ...] | None:
    connection.set_progress_handler(lambda: int(time.monotonic() > end), _EVERY)
    try:
        said = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return None
        raise
    finally:
        connection.set_progress_handler(None, 0)
    return tuple(one for one in said if one != "ok")


_MAGIC = b"SQLite format 3\0"  # https://sqlite.org/fileformat.html
_SHORTEST = 512  # bytes: no page is smaller
_DAMAGED = "{} is damaged or no database: move it away and run `almanac index` to make it anew"
_ADVICE = {
    sqlite3.SQLITE_BUSY: "{} is locked by another process: wait until it has finished, then try again",
    sqlite3.SQLITE_READONLY: "{} is read-only: make the file and its folder writable, or name another in ALMANAC_DB",
    sqlite3.SQLITE_CANTOPEN: "{} cannot be opened: check that it is a file this user may read and write",
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: "the disk of {} is full: free some room, then try again",
    sqlite3.SQLITE_IOERR: "the disk of {} reports an error: see the system's log",
}
