"""What SQLite and PostgreSQL have in common, as the rest of `storage` sees them: a connection, and what gives them out.

SQL is written once, so that both understand it: values are bound by `?` or `:name`, "user" and "binary" stand in
quotes, an order that matters is said, and nobody counts on the number of a row. What differs is here: storage/sqlite.py
and storage/postgres.py with storage/postgres_server.py have one class a protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Protocol

from bot.model import Dates

if TYPE_CHECKING:
    from storage.migrations import Health

Values = Sequence[Any] | Mapping[str, Any]
PAGE = 2000  # rows that `Connection.pages` has in memory
START_SECONDS = 3.0  # that who starts waits for others in silence
Row = Any  # its values, by place and by name of their column; dict(row) has them all


class Cursor(Protocol):
    """What a statement found, or how many rows it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Row: ...
    def fetchall(self) -> list[Row]: ...
    def __iter__(self) -> Iterator[Row]: ...


class Connection(Protocol):
    """A connection inside a transaction."""

    @property
    def engine(self) -> Literal["sqlite", "postgres"]: ...

    def execute(self, sql: str, values: Values = ..., /) -> Cursor: ...

    def executemany(self, sql: str, values: Iterable[Values], /) -> object: ...

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """What a query finds, in plain tuples, which are made in half the time."""

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """What a query without values finds, in plain tuples, some thousands at a time, read as they are asked for."""

    def load(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows in thousands, of which none is in the table; `columns` are names with commas between."""

    def script(self, statements: str) -> None:
        """Run statements without values, each with a semicolon behind, in the words of the engine."""

    def names(self) -> set[str]:
        """The tables and indexes that there are."""

    def seconds(self) -> int:
        """The time, in Unix seconds, by the clock that all who use the database share."""

    def add_words(self, commits: Iterable[tuple[int, str]]) -> None:
        """Take in the words of texts, under the numbers of commits."""

    def remove_words(self, commits: Iterable[tuple[int, str]]) -> None:
        """Give up what was taken in; the texts are the same as then."""

    def commits_with(self, words: Sequence[str], among: Sequence[int] | None, most: int | None = None) -> list[int]:
        """The numbers of the commits that hold all words, of which there is one at least, in order. `among` may say
        which are asked about, in order; others may be found all the same. Of no more than `most` any will do."""


class Engine(Protocol):
    """Where connections come from. What it raises is one of `errors`, or StoreUnavailable."""

    @property
    def errors(self) -> tuple[type[Exception], ...]: ...

    @property
    def ahead(self) -> timedelta:
        """How far the clock that all who use the database share is ahead of ours."""

    def explained(self, error: Exception) -> Exception:
        """One of `errors` as a StoreUnavailable that says what to do; a mistake in our SQL stays as it is."""

    def prepare(self, dates: Dates, *, must_exist: bool) -> None:
        """Make the database where there is none, unless it must exist, and bring its tables up to date."""

    def begun(self, *, write: bool, bulk: bool, durable: bool) -> AbstractContextManager[Connection]:
        """A transaction, as `Store.transaction` says it."""

    def held_open(self) -> AbstractContextManager[None]:
        """Inside, all that is asked may count on the database being open, which makes much of it faster."""

    def health(self, seconds: float) -> Health | None:
        """Look at the database for about so long, and change nothing; None where there is none. Raises
        StoreUnavailable where it cannot be read."""

    def check(self) -> None:
        """Raise StoreUnavailable where it is not ours, up to date, undamaged and writable."""

    def sweep(self) -> bool:
        """Rewrite it without what was removed. False where others who read keep some of that."""
