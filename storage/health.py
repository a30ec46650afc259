"""Looks at a database without changing it: whether it is whole, ours, and as new as this program."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from storage.migrations import APPLICATION_ID, applied, is_from_before_0_2, step_names

_EVERY = 10_000  # instructions of SQLite between two looks at the time


@dataclass(frozen=True, slots=True)
class Health:
    """What was found. `size` is in bytes, its log included. `done` and `missing` are steps of the migrations; `newer`
    those of a newer Almanac; `is_outdated` says that it is from before 0.2.0. `faults` is empty where nothing is
    damaged, None where there was no time to look."""

    size: int
    is_ours: bool = True
    done: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    is_outdated: bool = False
    faults: tuple[str, ...] | None = None

    @property
    def is_current(self) -> bool:
        return self.is_ours and not self.missing and not self.newer and not self.is_outdated


def health(path: Path, seconds: float = 2.0) -> Health | None:
    """The health of the database at `path`; None where there is no file.

    Its pages are looked through for at most so many seconds. Raises sqlite3.Error where it cannot be read.
    """
    if not path.exists():
        return None
    size = sum(part.stat().st_size for part in (path, path.with_name(path.name + "-wal")) if part.exists())
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=1.0, isolation_level=None)) as connection:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            return Health(size, is_ours=False)
        done = applied(connection)
        if is_from_before_0_2(done):
            return Health(size, done=done, is_outdated=True)
        return Health(
            size,
            done=done,
            missing=tuple(step for step in step_names() if step not in done),
            newer=tuple(step for step in done if step not in step_names()),
            faults=_faults(connection, time.monotonic() + seconds),
        )


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
