"""How a transaction is begun, how values are put into SQL, and by which column commits are dated."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from bot.model import Dates

T = TypeVar("T")
_MANY = 500  # values in one statement; SQLite's own limit was 999 for a long time


class Transaction(Protocol):
    def __call__(
        self, *, write: bool = False, bulk: bool = False, durable: bool = False
    ) -> AbstractContextManager[sqlite3.Connection]: ...


def written(instant: datetime) -> str:
    """An aware datetime as it stands in the database: ISO, UTC, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def marks(values: Sequence[object]) -> str:
    """A question mark for each value that is bound."""
    return ",".join("?" * len(values))


def numbers(ids: Iterable[int]) -> str:
    """Our own numbers, written out: there may be more of them than question marks in a statement."""
    return ",".join(map(str, ids))


def batches(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """The values in lists that are small enough to be bound in one statement."""
    return (values[at : at + _MANY] for at in range(0, len(values), _MANY))


def numbered_pairs(
    connection: sqlite3.Connection, table: str, wanted: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """The number of each name with address in a table of ours; those that have none get one."""
    found: dict[tuple[str, str], int] = {}
    new: list[tuple[str, str]] = []
    for pair in sorted(wanted):
        row = connection.execute(f"SELECT id FROM {table} WHERE name = ? AND address = ?", pair).fetchone()
        if row:
            found[pair] = int(row[0])
        else:
            new.append(pair)
    first = int(connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0])
    found |= {pair: number for number, pair in enumerate(new, first)}
    connection.executemany(
        f"INSERT INTO {table} (id, name, address) VALUES (?, ?, ?)", ((found[pair], *pair) for pair in new)
    )
    return found


COLUMNS: Mapping[Dates, str] = {"author": "authored_at", "committer": "committed_at"}
# Those of author dates are there from the first (storage/migrations.py). These make a long history's file a sixteenth
# longer, so they are made only where they are wanted; there, they stay.
_INDEXES: Mapping[Dates, Mapping[str, str]] = {
    "author": {},
    "committer": {
        "commits_by_author_committed": "commits (author_id, committed_at, repository_id)",
        "commits_by_time_committed": "commits (repository_id, committed_at, author_id)",
    },
}


def is_indexed(connection: sqlite3.Connection, dates: Dates) -> bool:
    """Whether the months of these dates can be read as ranges of an index."""
    names = list(_INDEXES[dates])
    if not names:
        return True
    query = f"SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name IN ({marks(names)})"
    return int(connection.execute(query, names).fetchone()[0]) == len(names)


def add_indexes(connection: sqlite3.Connection, dates: Dates) -> None:
    """Make the indexes that are missing. Of a million commits that takes about a second, once."""
    for name, of in _INDEXES[dates].items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {of}")
