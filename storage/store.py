"""Opens the database, and has an attribute for each family of tables; and copies a database into another one, of either
engine: all that it held at one moment, and verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from bot.errors import StoreUnavailable
from bot.model import Dates
from bot.settings import DatabasePlace
from storage.commit_rows import unpacked
from storage.commits import Commits, ModelCache
from storage.engine import Connection, Engine
from storage.erasure import Erasure
from storage.migrations import is_current, table_names
from storage.people import Identities, SaidLog, SlackUsers
from storage.search import Topics
from storage.slack_state import Conversations, Digests, DigestSnapshots, Outbox, PendingEvents, ProcessedEvents
from storage.sqlite import SQLiteEngine

# How long a call waits for another process to finish writing. An index writes in batches of well
# under a second, so whoever waits longer than this waits for something that hangs.
BUSY_SECONDS = 10.0


def engine_of(database: DatabasePlace, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """What opens a database. Raises StoreUnavailable where what that takes is not installed."""
    if isinstance(database, Path):
        return SQLiteEngine(database, busy_seconds)
    try:
        from storage.postgres import PostgresEngine  # takes a tenth of a second
    except ImportError as error:
        raise StoreUnavailable(
            f"{database} needs what this installation lacks ({error}): pip install '.[postgres]' in Almanac's folder"
        ) from error
    return PostgresEngine(database, busy_seconds)


class Store:
    """The database: of SQLite the one in a file, of PostgreSQL the one at an address. By `dates` commits belong to
    months in all that is asked of it, but in what is asked of `came`: there, by the day they came.

    The constructor makes it and brings its tables up to date, unless `must_exist` is set and there is none. Who writes
    waits at most `busy_seconds` for others who do. Raises StoreUnavailable for all that a person can fix. See
    storage/engine.py for transactions, snapshots and what else an engine does.
    """

    def __init__(
        self,
        database: DatabasePlace,
        *,
        must_exist: bool = False,
        busy_seconds: float = BUSY_SECONDS,
        dates: Dates = "author",
    ) -> None:
        self.database = database
        self.dates: Dates = dates
        self._engine = engine = engine_of(database, busy_seconds)
        engine.prepare(must_exist=must_exist)
        self.transaction, self.explaining = engine.transaction, engine.explaining
        self.snapshot, self.held_open = engine.snapshot, engine.held_open
        self.explained, self.check = engine.explained, engine.check
        self.commits = Commits(engine.transaction, dates)
        self.came = Commits(engine.transaction, "came")
        self.identities = Identities(engine.transaction, dates)
        self.outbox = Outbox(engine.transaction)
        self.conversations = Conversations(engine.transaction)
        self.processed_events = ProcessedEvents(engine.transaction)
        self.pending_events = PendingEvents(engine.transaction)
        self.said = SaidLog(engine.transaction)
        self.slack_users = SlackUsers(engine.transaction)
        self.erasure = Erasure(engine.transaction, engine.sweep)
        self.digests = Digests(engine.transaction)
        self.digest_snapshots = DigestSnapshots(engine.transaction)
        self.topics = Topics(engine.transaction, dates)
        self.model_cache = ModelCache(engine.transaction)

    def shared(self, now: Callable[[], datetime] | None = None) -> Callable[[], datetime]:
        """A clock, or the real time, put right by that of the database's server, so that processes whose own differ
        agree on what is over: leases, and how long something has been under way."""
        return lambda: (now() if now else datetime.now(UTC)) + self._engine.ahead

    @property
    def path(self) -> Path:
        """The file; only SQLite has one."""
        return cast(Path, self.database)

    def check_schema(self) -> None:
        """Look whether the database answers, and its tables are those of this Almanac. Raises StoreUnavailable."""
        with self.transaction() as connection:
            if not is_current(connection, str(self.database)):
                raise StoreUnavailable(f"the tables of {self.database} are not up to date: start this process again")


# --- one copied into another

_WORDS = "commit_words"  # made anew from the messages: each engine keeps words in a form of its own
Values = tuple[Any, ...]
Take = Callable[[Sequence[str], Sequence[Values]], None]  # the columns of rows, and the rows
Progress = Callable[[str, int, int], None]  # a table, how many of its rows are copied, and how many there are


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """`checksum` is of all rows, in whatever order, and the same on both engines."""

    name: str
    rows: int
    checksum: str


def copy_database(source: Store, target: Store, progress: Progress) -> list[CopiedTable]:
    """Copy all tables as they are at one moment, while others may go on to write, and compare the copy with what was
    read.

    It is one transaction of the target, which must be empty: then it is whole, or as it was. Raises StoreUnavailable.
    """
    tables = [table for table in table_names() if table != _WORDS]
    with target.transaction(write=True, bulk=True) as new:
        if any(_count(new, table) for table in tables):
            raise StoreUnavailable(f"the database {target.database} is not empty: name one that is, or a new one")
        if new.engine == "postgres":  # into new files, which go with the transaction where it fails
            new.script(f"TRUNCATE {', '.join(table_names())}")
        with source.transaction() as old:
            copied = [_copied(old, new, target, table, progress) for table in tables]
        for one in copied:
            if _summed(new, one.name) != one:
                raise StoreUnavailable(
                    f"what the database {target.database} keeps of the table {one.name} is not what was written: look "
                    f"for a damaged disk; nothing was copied"
                )
        if new.engine == "postgres":  # an index to which rows are added one by one takes up to twice the room
            new.script("".join(f"REINDEX TABLE {table};" for table in table_names()))
    return copied


def _copied(old: Connection, new: Connection, target: Store, table: str, progress: Progress) -> CopiedTable:
    count, done = _count(old, table), 0
    progress(table, 0, count)

    def take(columns: Sequence[str], page: Sequence[Values]) -> None:
        nonlocal done
        with target.explaining():
            new.load(table, ", ".join(columns), page)
            if table == "commits":
                number, subject, body = map(columns.index, ("id", "subject", "body"))
                new.add_words([(row[number], f"{row[subject]}\n{unpacked(row[body])}") for row in page])
        done += len(page)
        progress(table, done, count)

    return _summed(old, table, take)


def _summed(connection: Connection, table: str, take: Take = lambda columns, page: None) -> CopiedTable:
    """Read a table in the order of its key, which begins with its first column: neighbours are then written to the page
    that is at hand. The checksum is the sum of the hashes of rows."""
    rows, total, first = 0, 0, connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    columns = list(first.keys()) if first else []  # none of an empty table
    select = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1"
    for page in connection.pages(select) if columns else ():
        for row in page:
            said = repr(row)
            if "\\x00" in said:  # which PostgreSQL keeps as another sign in texts: see `_bound` in storage/postgres.py
                said = repr(tuple(one.replace("\0", "\ufffd") if isinstance(one, str) else one for one in row))
            total += int.from_bytes(blake2b(said.encode(), digest_size=16).digest(), "big")
        take(columns, page)
        rows += len(page)
    return CopiedTable(table, rows, f"{total % 2**128:032x}")


def _count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
