"""What each family of tables needs: how to begin a transaction, and how values are put into SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from bot.model import Dates, Signature
from storage.engine import Connection, Row, Values

T = TypeVar("T")
_MANY = 500  # values in one statement; SQLite's own limit was 999 for a long time
# By which day a commit belongs to a month: the column that holds it.
COLUMN_OF: Mapping[Dates, str] = {"author": "authored_at", "committer": "came_at", "came": "came_at"}
NO_LIMIT = 2**63 - 1  # rows


class Transaction(Protocol):
    def __call__(
        self, *, write: bool = False, bulk: bool = False, durable: bool = False
    ) -> AbstractContextManager[Connection]: ...


class Tables:
    """A family of tables. Commits belong to months by `dates`."""

    def __init__(self, transaction: Transaction, dates: Dates = "author") -> None:
        self._transaction = transaction
        self._dates: Dates = dates
        self._date = COLUMN_OF[dates]

    def _rows(self, query: str, values: Values = ()) -> list[Row]:
        """What one query finds, in a transaction of its own."""
        with self._transaction() as connection:
            return connection.execute(query, values).fetchall()

    def _row(self, query: str, values: Values = ()) -> Row | None:
        """The first row of it, if there is any."""
        with self._transaction() as connection:
            return connection.execute(query, values).fetchone()

    def _write(self, statement: str, values: Values = ()) -> int:
        """Run one statement in a transaction of its own. Returns how many rows it changed."""
        with self._transaction(write=True) as connection:
            return connection.execute(statement, values).rowcount


def written(instant: datetime) -> str:
    """An aware datetime as it stands in the database: ISO, UTC, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def time_of(seconds: int) -> datetime:
    """Unix seconds as a time; those that no calendar has as the nearest that there is."""
    return Signature("", "", seconds, 0).at


def span(start: datetime | None, end: datetime | None) -> tuple[int, int]:
    """The first and the last second of what is dated from `start` up to but not at `end`."""
    first = 0 if start is None else int(start.timestamp())
    return first, 2**63 - 1 if end is None else int(end.timestamp()) - 1


def quoted(column: str) -> str:
    """A name of a column that may be a word of SQL."""
    return f'"{column}"'


def marks(values: Sequence[object]) -> str:
    """A question mark for each value that is bound; of none, what no value is equal to."""
    return ",".join("?" * len(values)) or "NULL"


def numbers(ids: Iterable[int]) -> str:
    """Our own numbers, which begin at 1, written out: there may be more than question marks in a statement."""
    return ",".join(map(str, ids)) or "0"


def batches(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """The values in lists that are small enough to be bound in one statement."""
    return (values[at : at + _MANY] for at in range(0, len(values), _MANY))


def new_ids(connection: Connection, table: str, count: int = 1) -> int:
    """The first of so many ids that no row of the table ever had."""
    row = connection.execute(
        """INSERT INTO ids (name, last) VALUES (?, ?)
           ON CONFLICT (name) DO UPDATE SET last = ids.last + excluded.last RETURNING last""",
        (table, count),
    ).fetchone()
    return int(row[0]) - count + 1


def numbered_pairs(connection: Connection, table: str, wanted: set[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The number of each name with address in a table of ours; those that have none get one."""
    found: dict[tuple[str, str], int] = {}
    for names in batches(sorted({name for name, _ in wanted})):
        rows = connection.tuples(f"SELECT name, address, id FROM {table} WHERE name IN ({marks(names)})", names)
        found |= {(name, address): int(number) for name, address, number in rows if (name, address) in wanted}
    new = sorted(wanted.difference(found))
    first = new_ids(connection, table, len(new))
    found |= {pair: number for number, pair in enumerate(new, first)}
    connection.executemany(
        f"INSERT INTO {table} (id, name, address) VALUES (?, ?, ?)", ((found[pair], *pair) for pair in new)
    )
    return found
