"""Opens the database, and has an attribute for each family of tables."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from bot.database import DatabasePlace
from bot.errors import StoreUnavailable
from bot.model import Dates
from storage.commits import Commits, ModelCache
from storage.engine import Engine
from storage.erasure import Erasure
from storage.migrations import is_current
from storage.outbox import Outbox
from storage.people import Identities, SaidLog, SlackUsers
from storage.search import Topics
from storage.slack_state import Conversations, Digests, DigestSnapshots, PendingEvents, ProcessedEvents
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
