"""What SQLite and PostgreSQL have in common, as the rest of `storage` sees them.

SQL is written once, so that both understand it: values are bound by `?` or `:name`, "user" and "binary" stand in
quotes, an order that matters is said, and nobody counts on the number of a row. What differs is in storage/sqlite.py
and storage/postgres.py.

A connection and a transaction serve one call: Bolt, the clock and the command line call from several threads, and a
second process may be indexing at the same time; no connection is ever in the hands of two calls at once. Calls of one
thread may share a transaction inside `Engine.snapshot`, if they read, and do inside one that writes.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from bot.errors import StoreLocked
from bot.model import Dates, Signature
from bot.settings import DatabasePlace

Values = Sequence[Any] | Mapping[str, Any]
PAGE = 2000  # rows that `Connection.pages` has in memory
START_SECONDS = 3.0  # that who starts waits for others in silence
LONGEST_START = 60  # times as long as for a writer: another may bring the tables of a large database up to date
Row = Any  # its values, by place and by name of their column; dict(row) has them all
T = TypeVar("T")
_MANY = 500  # values in one statement; SQLite's own limit was 999 for a long time
# By which day a commit belongs to a month: the column that holds it.
COLUMN_OF: Mapping[Dates, str] = {"author": "authored_at", "committer": "came_at", "came": "came_at"}
NO_LIMIT = 2**63 - 1  # rows
log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class Health:
    """What was found of a database. `size`, with its log, is in bytes. `done` are the steps that it has been through,
    `missing` those that it has not, the job queue's too; it `is_outdated` where it is from before 0.2.0, so that its
    tables are not read any more, and `is_newer` where it has been through steps of a newer Almanac. `faults` is empty
    where nothing is damaged, None where there was no time to look."""

    size: int
    is_ours: bool = True
    done: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    is_outdated: bool = False
    is_newer: bool = False
    faults: tuple[str, ...] | None = ()
    ahead: timedelta = timedelta(0)  # its server's clock, of ours

    @property
    def is_current(self) -> bool:
        return self.is_ours and not (self.missing or self.is_newer or self.is_outdated)


class _Mine(threading.local):
    """What the calls of a thread share: a transaction to read in, while `snapshots` or `readers` are open, or one to
    write in."""

    snapshots = 0
    readers = 0
    read: Connection | None = None
    written: Connection | None = None

    def __init__(self) -> None:
        self.reading = ExitStack()

    def renew(self) -> None:
        """Have the next read begin another transaction; those before it end as soon as nobody reads."""
        self.read = None
        if not self.readers:
            self.reading.close()


class Engine(ABC):
    """Where connections come from. What it raises is one of `errors`, or StoreUnavailable."""

    errors: ClassVar[tuple[type[Exception], ...]]

    def __init__(self, place: DatabasePlace, busy_seconds: float) -> None:
        """Who writes waits for others at most `busy_seconds`."""
        self.place = place
        self.ahead = timedelta(0)  # how far the clock that all who use the database share is ahead of ours
        self._busy_seconds = busy_seconds
        self._mine = _Mine()

    @abstractmethod
    def explained(self, error: BaseException) -> BaseException:
        """One of `errors` as a StoreUnavailable that says what to do; a mistake in our SQL, or of others, as it is."""

    @abstractmethod
    def begun(self, *, write: bool, bulk: bool) -> AbstractContextManager[Connection]:
        """A transaction of its own, as `transaction` says it."""

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For who writes many batches or answers more than once: the database stays open meanwhile."""
        yield  # as it is in any case, but for a file

    @abstractmethod
    def made(self, *, must_exist: bool) -> None:
        """Make the database where there is none, unless it must exist, and bring its tables up to date."""

    @abstractmethod
    def health(self, seconds: float) -> Health | None:
        """Look at the database for about so long, and change nothing; None where there is none. Raises
        StoreUnavailable where it cannot be read."""

    def check(self) -> None:
        """Look at the database as it stands: that no page is damaged, as far as is soon seen, and that it can be
        written to. Raises StoreUnavailable."""
        with self.explaining(), self.begun(write=True, bulk=False):
            pass

    @abstractmethod
    def sweep(self) -> bool:
        """Rewrite the database without the bytes of what was removed from it. False where others who read keep some
        of them. Raises StoreUnavailable."""

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Inside, an error of the engine's becomes a StoreUnavailable that says what to do."""
        try:
            yield
        except self.errors as error:
            raise self.explained(error) from error

    def prepare(self, *, must_exist: bool) -> None:
        """The same as `made`, once others who are at it have done."""
        began, is_said = time.monotonic(), False
        while True:
            try:
                with self.explaining():
                    return self.made(must_exist=must_exist)
            except StoreLocked:
                if time.monotonic() - began > LONGEST_START * self._busy_seconds:
                    raise
            if not is_said and time.monotonic() - began >= min(self._busy_seconds, START_SECONDS):
                log.warning("the tables of %s are being brought up to date; waiting until that is done", self.place)
                is_said = True
            time.sleep(0.01)  # SQLite refuses some things at once

    @contextmanager
    def transaction(self, *, write: bool = False, bulk: bool = False) -> Iterator[Connection]:
        """A connection inside one transaction: committed at the end, rolled back on an exception.

        What it finds is to be read to its end inside, for who reads next may be given the same connection. All that the
        thread reads or writes inside one that writes is a part of it: it is done as a whole or, where an exception
        leaves the block, not at all.

        What a `write` committed is on the disk, so that it outlasts a power cut. For rows in thousands, `bulk` does not
        wait for that, keeps more pages at hand, and does not look for each row whether what it refers to is there:
        whoever writes has just found or made that, and reads again what is lost.
        """
        is_read = not (write or bulk)
        mine = self._mine
        with self.explaining():
            if mine.written:
                yield mine.written
            elif is_read and mine.snapshots:
                with self._shared() as connection:
                    yield connection
            else:
                try:
                    with self.begun(write=write, bulk=bulk) as connection:
                        mine.written = None if is_read else connection
                        yield connection
                finally:
                    mine.written = None
                    if not is_read:  # what is read from now on sees what the thread has written
                        mine.renew()

    @contextmanager
    def _shared(self) -> Iterator[Connection]:
        mine = self._mine
        if mine.read is None:
            mine.read = mine.reading.enter_context(self.begun(write=False, bulk=False))
        mine.readers += 1
        try:
            yield mine.read
        except self.errors:  # the next read may fare better with another connection
            mine.read = None
            raise
        finally:
            mine.readers -= 1
            if mine.read is None:
                mine.renew()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, all that this thread reads is read in one transaction, as the database was at the first of it or
        after the last thing that the thread wrote itself. Raises StoreUnavailable."""
        self._mine.snapshots += 1
        with self.explaining():
            try:
                yield
            finally:
                self._mine.snapshots -= 1
                if not self._mine.snapshots:
                    self._mine.renew()


class Transaction(Protocol):
    def __call__(self, *, write: bool = False, bulk: bool = False) -> AbstractContextManager[Connection]: ...


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

    def _write(self, statement: str, values: Values = (), *, bulk: bool = False) -> int:
        """Run one statement in a transaction of its own. Returns how many rows it changed."""
        with self._transaction(write=True, bulk=bulk) as connection:
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


def ids_of(
    connection: Connection, table: str, columns: str, wanted: Set[tuple[str, ...]]
) -> dict[tuple[str, ...], int]:
    """The number of each of some texts that stand together in columns of a table of ours; those that have none get
    one."""
    found: dict[tuple[str, ...], int] = {}
    where = f"SELECT {columns}, id FROM {table} WHERE {columns.partition(',')[0]}"
    for some in batches(sorted({texts[0] for texts in wanted})):
        rows = connection.tuples(f"{where} IN ({marks(some)})", some)
        found |= {texts: number for *row, number in rows if (texts := tuple(row)) in wanted}
    new = sorted(wanted - found.keys())
    first = new_ids(connection, table, len(new))
    connection.load(table, f"id, {columns}", ((number, *texts) for number, texts in enumerate(new, first)))
    return found | {texts: number for number, texts in enumerate(new, first)}
