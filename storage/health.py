"""The file of a database: whether it is whole, ours and up to date, and its errors in words that say what to do."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from bot.errors import StoreBusy, StoreUnavailable
from storage.engine import Health
from storage.migrations import applied, health_of, is_from_before_0_2
from storage.sqlite import SQLiteConnection

APPLICATION_ID = 0x416C6D61  # marks the file as ours ("Alma"), so that another program's database is never written to
_EVERY = 10_000  # instructions of SQLite between two looks at the time


def health(path: Path, seconds: float = 2.0) -> Health | None:
    """The health of the database at `path`; None where there is no file.

    Its pages are looked through for at most so many seconds. Raises sqlite3.Error where it cannot be read.
    """
    if not path.exists():
        return None
    size = sum(part.stat().st_size for part in (path, path.with_name(path.name + "-wal")) if part.exists())
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(
        sqlite3.connect(address, uri=True, timeout=1.0, isolation_level=None, factory=SQLiteConnection)
    ) as connection:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            return Health(size, is_ours=False)
        done = applied(connection)
        if is_from_before_0_2(done):
            return Health(size, done=done, is_outdated=True)
        return health_of(done, size, _faults(connection, time.monotonic() + seconds))


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


def refuse_other_file(path: Path) -> None:
    """SQLite takes a very short file for an empty database, and would write over it.

    A database is never looked at this way: to close any file gives up this process's locks on it, those of SQLite too
    (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        if path.stat().st_size >= _SHORTEST:
            return
        with path.open("rb") as file:
            begins = file.read(len(_MAGIC))
    except OSError:
        return  # there is none, or SQLite says what is wrong
    if begins and begins != _MAGIC:
        raise unavailable(sqlite3.SQLITE_NOTADB, path)


def make_for_its_owner(path: Path) -> None:
    """A new file that nobody else can read, and so its journals, which SQLite makes with the same rights."""
    with suppress(OSError):  # it is there already, or SQLite says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def explained(error: Exception, path: Path) -> Exception:
    """What went wrong in words that say what to do; a mistake in our SQL stays as it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the details: https://sqlite.org/rescode.html
    return unavailable(code, path) if code in _ADVICE else error


def unavailable(code: int, path: Path) -> StoreUnavailable:
    advice = _ADVICE[code]
    if code == sqlite3.SQLITE_BUSY:
        return StoreBusy(advice.format(f"the database {path}"), advice.format("my database").partition(":")[0])
    return StoreUnavailable(advice.format(f"the database {path}"), advice.format("my database"))


_MAGIC = b"SQLite format 3\0"  # https://sqlite.org/fileformat.html
_SHORTEST = 512  # bytes: no page is smaller
_ADVICE = {
    sqlite3.SQLITE_BUSY: "{} is locked by another process: wait until it has finished, then try again",
    sqlite3.SQLITE_READONLY: ("{} is read-only: make the file and its folder writable, or name another in ALMANAC_DB"),
    sqlite3.SQLITE_CANTOPEN: ("{} cannot be opened: check that it is a file this user may read and write"),
    sqlite3.SQLITE_PERM: "{} cannot be opened: check that it is a file this user may read and write",
    sqlite3.SQLITE_NOTADB: "{} is damaged or no database: move it away and run `almanac index` to make it anew",
    sqlite3.SQLITE_CORRUPT: "{} is damaged or no database: move it away and run `almanac index` to make it anew",
    sqlite3.SQLITE_FULL: "the disk of {} is full: free some room, then try again",
    sqlite3.SQLITE_IOERR: "the disk of {} reports an error: see the system's log",
}
