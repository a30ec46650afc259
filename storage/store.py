"""Opens the database: a connection and a transaction for each call.

Bolt, the clock and the command line call from several threads, and a second process may be indexing at the same time;
no connection is ever in the hands of two calls at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bot.database import DatabasePlace
from bot.errors import StoreLocked, StoreUnavailable
from bot.model import Dates
from storage.caches import DiffCache, ModelCache
from storage.commits import Commits
from storage.conversations import Conversations, Feedback, PendingEvents, ProcessedEvents
from storage.digests import Digests, DigestSnapshots
from storage.engine import Connection, Engine
from storage.erasure import Erasure
from storage.migrations import is_current
from storage.outbox import Outbox
from storage.people import Identities, SaidLog, SlackUsers
from storage.search import Topics
from storage.sqlite import SQLiteEngine

if TYPE_CHECKING:
    from storage.index_queue import IndexQueue

# How long a call waits for another process to finish writing. An index writes in batches of well
# under a second, so whoever waits longer than this waits for something that hangs.
BUSY_SECONDS = 10.0
LONGEST_START = 60  # times as long who starts waits: another may bring the tables of a large database up to date
log = logging.getLogger(__name__)


def engine_of(database: DatabasePlace, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """What opens a database. Raises StoreUnavailable where what that takes is not installed."""
    if isinstance(database, Path):
        return SQLiteEngine(database, busy_seconds)
    try:
        from storage.postgres_server import PostgresEngine  # takes a tenth of a second
    except ImportError as error:
        raise StoreUnavailable(
            f"{database} needs what this installation lacks ({error}): install almanac-bot[postgres]"
        ) from error
    return PostgresEngine(database, busy_seconds)


class JointWrites(threading.local):
    """The transaction that a thread's writes share inside `block`, and its reads from the first of them on."""

    def __init__(self, begin: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._begin = begin
        self._open: ExitStack | None = None
        self._connection: Connection | None = None

    @contextmanager
    def block(self) -> Iterator[None]:
        with ExitStack() as self._open:
            try:
                yield
            finally:
                self._open, self._connection = None, None

    def connection(self, is_read: bool) -> Connection | None:
        """None where whoever asks has a transaction of their own."""
        if self._open is not None and self._connection is None and not is_read:
            self._connection = self._open.enter_context(self._begin())
        return self._connection


class Snapshots(threading.local):
    """The transaction that a thread's reads share inside `shared`; each thread has its own. `begin` begins one, and
    after one of `errors` it is given up."""

    def __init__(
        self, begin: Callable[[], AbstractContextManager[Connection]], errors: tuple[type[Exception], ...]
    ) -> None:
        self._begin = begin
        self._errors = errors
        self._blocks = 0
        self._readers = 0
        self._is_stale = False
        self._connection: Connection | None = None
        self._open = ExitStack()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Inside, reads share a transaction, which begins with the first of them."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            if not self._blocks:
                self._end()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in the transaction that is shared, or in one of its own."""
        if not self._blocks:
            with self._begin() as connection:
                yield connection
            return
        if self._connection is None:
            self._connection = self._open.enter_context(self._begin())
        self._readers += 1
        try:
            yield self._connection
        except self._errors:  # the next read may fare better with another connection
            self._is_stale = True
            raise
        finally:
            self._readers -= 1
            if self._is_stale and not self._readers:
                self._end()

    def renew(self) -> None:
        """Have what is read from now on see what the thread has written."""
        self._is_stale = self._connection is not None
        if not self._readers:
            self._end()

    def _end(self) -> None:
        self._is_stale, self._connection = False, None
        self._open.close()


class Store:
    """The database: of SQLite the one in a file, of PostgreSQL the one at an address. By `dates` commits belong to
    months in all that is asked of it, but in what is asked of `came`: there, by the day they came.

    The constructor makes it and brings its tables up to date, unless `must_exist` is set and there is none. Who writes
    waits at most `busy_seconds` for others who do. Raises StoreUnavailable for all that a person can fix.
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
        self._engine = engine_of(database, busy_seconds)
        self._snapshots = Snapshots(self._begun, self._engine.errors)
        self._joined = JointWrites(lambda: self._begun(write=True))
        self._prepare(must_exist, time.monotonic() + LONGEST_START * busy_seconds)
        self.commits = Commits(self.transaction, dates)
        self.came = Commits(self.transaction, "came")
        self.identities = Identities(self.transaction, dates)
        self.outbox = Outbox(self.transaction)
        self.conversations = Conversations(self.transaction)
        self.processed_events = ProcessedEvents(self.transaction)
        self.pending_events = PendingEvents(self.transaction)
        self.feedback = Feedback(self.transaction)
        self.said = SaidLog(self.transaction)
        self.slack_users = SlackUsers(self.transaction)
        self.erasure = Erasure(self.transaction, self.sweep)
        self.digests = Digests(self.transaction)
        self.digest_snapshots = DigestSnapshots(self.transaction)
        self.topics = Topics(self.transaction, dates)
        self.model_cache = ModelCache(self.transaction)
        self.diff_cache = DiffCache(self.transaction)

    def _prepare(self, must_exist: bool, end: float) -> None:
        is_said = False
        while True:
            try:
                with self.explaining():
                    return self._engine.prepare(self.dates, must_exist=must_exist)
            except StoreLocked:
                if time.monotonic() > end:
                    raise
            if not is_said:
                log.warning("the tables of %s are being brought up to date; waiting until that is done", self.database)
            is_said = True

    def shared(self, now: Callable[[], datetime]) -> Callable[[], datetime]:
        """A clock put right by that of the database's server, so that processes whose own differ agree on what is
        over: leases, and how long something has been under way."""
        return lambda: now() + self._engine.ahead

    @property
    def index_queue(self) -> IndexQueue:
        """In PostgreSQL only."""
        from storage.index_queue import IndexQueue  # takes a tenth of a second

        return IndexQueue(self.transaction)

    @property
    def path(self) -> Path:
        """The file; only SQLite has one."""
        return cast(Path, self.database)

    @contextmanager
    def transaction(self, *, write: bool = False, bulk: bool = False, durable: bool = False) -> Iterator[Connection]:
        """A connection inside one transaction: committed at the end, rolled back on an exception.

        What it finds is to be read to its end inside, for who reads next may be given the same connection.

        For rows in thousands, `bulk` keeps more pages at hand, and does not look for each row whether what it refers
        to is there: whoever writes has just found or made that. What is `durable` is on the disk when it is committed,
        so that it outlasts a power cut.
        """
        is_read = not (write or bulk or durable)
        if (joined := self._joined.connection(is_read)) is not None:
            with self.explaining():
                yield joined
            return
        try:
            with (
                self.explaining(),
                self._snapshots.reading() if is_read else self._begun(write, bulk, durable) as connection,
            ):
                yield connection
        finally:
            if not is_read:
                self._snapshots.renew()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Inside, all that this thread writes is one transaction, which begins with the first of it: it is done as a
        whole or, where an exception leaves the block, not at all."""
        try:
            with self.explaining(), self._joined.block():
                yield
        finally:
            self._snapshots.renew()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, all that this thread reads is read in one transaction, as the database was at the first of it or
        after the last thing that the thread wrote itself. Raises StoreUnavailable."""
        with self.explaining(), self._snapshots.shared():
            yield

    def _begun(
        self, write: bool = False, bulk: bool = False, durable: bool = False
    ) -> AbstractContextManager[Connection]:
        return self._engine.begun(write=write, bulk=bulk, durable=durable)

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For who writes many batches or answers more than once: the database stays open meanwhile."""
        with self.explaining(), self._engine.held_open():
            yield

    def check(self) -> None:
        """Look at the database as it stands: that it is ours and up to date, that no page is damaged, as far as is soon
        seen, and that it can be written to. Raises StoreUnavailable."""
        with self.explaining():
            self._engine.check()

    def check_schema(self) -> None:
        """Look whether the database answers, and its tables are those of this Almanac. Raises StoreUnavailable."""
        with self.transaction() as connection:
            if not is_current(connection, str(self.database)):
                raise StoreUnavailable(f"the tables of {self.database} are not up to date: start this process again")

    def sweep(self) -> bool:
        """Rewrite the database without the bytes of what was removed from it. False where others who read keep some
        of them."""
        with self.explaining():
            return self._engine.sweep()

    def explained(self, error: BaseException) -> BaseException:
        """An error of the database that came about elsewhere, in the words of the store's own."""
        return self._engine.explained(error) if isinstance(error, self._engine.errors) else error

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Inside, an error of the engine's becomes a StoreUnavailable that says what to do."""
        try:
            yield
        except self._engine.errors as error:
            raise self._engine.explained(error) from error
