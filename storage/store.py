"""Opens the database: a connection a call, one transaction, closed again.

Bolt, the clock and the command line call from several threads, and a second process may be
indexing at the same time; no connection is ever shared by two calls. While the file is held open, those that only
read are kept for the next call, see `storage.connections`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.errors import StoreUnavailable
from bot.model import Dates
from storage.caches import DiffCache, ModelCache
from storage.commits import Commits
from storage.connections import ConnectionPool, Snapshots
from storage.conversations import Conversations, Feedback
from storage.digests import Digests, DigestSnapshots, Previews
from storage.erasure import Erasure
from storage.events import PendingEvents, ProcessedEvents
from storage.health import explained, health, make_for_its_owner, refuse_other_file, unavailable
from storage.links import CorrectionLog, SlackLinks
from storage.migrations import (
    APPLICATION_ID,
    BEFORE_0_2,
    add_indexes,
    applied,
    is_from_before_0_2,
    is_indexed,
    migrate,
    step_names,
)
from storage.outbox import Outbox, Streams
from storage.people import Identities, SlackUsers
from storage.search import Topics

# How long a call waits for another process to finish writing. An index writes in batches of well
# under a second, so whoever waits longer than this waits for something that hangs.
BUSY_SECONDS = 10.0
CHECK_SECONDS = 1.0
BULK_CACHE = 24_000  # kB of pages, as far as they are touched; with SQLite's own 2 MB each would be written many times


class Store:
    """The database at `path`. By `dates`, author's or committer's, commits belong to months in all that is asked of it.

    The constructor makes the file and brings its tables up to date, unless `must_exist` is set and
    there is none. Raises StoreUnavailable for all that a person can fix.
    """

    def __init__(
        self, path: Path, *, must_exist: bool = False, busy_seconds: float = BUSY_SECONDS, dates: Dates = "author"
    ) -> None:
        self.path = path
        self.dates: Dates = dates
        self._busy_seconds = busy_seconds
        self._pool = ConnectionPool(path, self._connect)
        self._snapshots = Snapshots(self._begun)
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
        self._migrate()
        self.commits = Commits(self.transaction, dates)
        self.identities = Identities(self.transaction, dates)
        self.outbox = Outbox(self.transaction)
        self.streams = Streams(self.transaction)
        self.conversations = Conversations(self.transaction)
        self.corrections = CorrectionLog(self.transaction)
        self.processed_events = ProcessedEvents(self.transaction)
        self.pending_events = PendingEvents(self.transaction)
        self.feedback = Feedback(self.transaction)
        self.slack_links = SlackLinks(self.transaction)
        self.slack_users = SlackUsers(self.transaction)
        self.erasure = Erasure(self.transaction, self.sweep)
        self.digests = Digests(self.transaction)
        self.digest_snapshots = DigestSnapshots(self.transaction)
        self.previews = Previews(self.transaction)
        self.topics = Topics(self.transaction, dates)
        self.model_cache = ModelCache(self.transaction)
        self.diff_cache = DiffCache(self.transaction)

    @contextmanager
    def transaction(
        self, *, write: bool = False, bulk: bool = False, durable: bool = False
    ) -> Iterator[sqlite3.Connection]:
        """A connection inside one transaction: committed at the end, rolled back on an exception.

        What it finds is to be read to its end inside, for the next reader may be given the same connection.

        For rows in thousands, `bulk` keeps more pages at hand, and does not look for each row whether what it refers
        to is there: whoever writes has just found or made that. What is `durable` is on the disk when it is committed,
        so that it outlasts a power cut.
        """
        is_read = not (write or bulk or durable)
        try:
            with self._snapshots.reading() if is_read else self._begun(write, bulk, durable) as connection:
                yield connection
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error
        finally:
            if not is_read:
                self._snapshots.renew()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, all that this thread reads is read in one transaction, as the database was at the first of it or
        after the last thing that the thread wrote itself. Raises StoreUnavailable."""
        try:
            with self._snapshots.shared():
                yield
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    @contextmanager
    def _begun(self, write: bool = False, bulk: bool = False, durable: bool = False) -> Iterator[sqlite3.Connection]:
        with self._pool.reading() if not (write or bulk or durable) else closing(self._connect()) as connection:
            if durable:
                connection.execute("PRAGMA synchronous = FULL")
            if bulk:
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.execute(f"PRAGMA cache_size = -{BULK_CACHE}")
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For who writes many batches or answers more than once: the file stays open meanwhile, for all threads.

        Whoever closes a database last writes SQLite's log back into it. Without this, that is done after each batch,
        which makes writing a tenth slower, and now and then it falls to somebody who only wanted to read. And to open
        a connection takes longer than most of what is asked of it.
        """
        try:
            with closing(self._connect()) as connection, self._pool.keeping():
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens it
                yield
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def check(self) -> None:
        """Look at the file as it stands, by connections that have read nothing before: that it is ours and up to date,
        that no page is damaged, as far as a second is enough to see, and that it can be written to.

        Raises StoreUnavailable.
        """
        try:
            found = health(self.path, CHECK_SECONDS)
            with closing(self._connect()) as connection:
                connection.execute(f"PRAGMA busy_timeout = {int(CHECK_SECONDS * 1000)}")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error
        if found is None or not found.is_current or found.faults:
            raise unavailable(sqlite3.SQLITE_CORRUPT, self.path)

    def sweep(self) -> bool:
        """Write the file anew without the bytes of what was removed from it, and empty SQLite's log, which may hold
        them too. False where others who read keep the log as it is. Takes as much of the disk once more."""
        try:
            with closing(self._connect()) as connection:
                connection.execute("VACUUM")
                return int(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def _connect(self, mode: str = "rw") -> sqlite3.Connection:
        # After the start a missing file is an error: a new, empty one in its place would hide that it is gone.
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address, uri=True, timeout=self._busy_seconds, isolation_level=None,
            check_same_thread=False,  # one thread at a time, though another the next time
        )  # fmt: skip
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")  # safe with WAL: no corruption, no lost commit on a crash
        except BaseException:  # a file that is no database says so only now
            connection.close()
            raise
        return connection

    def _migrate(self) -> None:
        refuse_other_file(self.path)
        make_for_its_owner(self.path)
        try:
            with closing(self._connect("rwc")) as connection:
                if not self._is_current(connection):
                    self._log_ahead(connection)
                    connection.execute("BEGIN IMMEDIATE")  # two processes may both find the file new
                    migrate(connection)
                    connection.execute("COMMIT")
                if not is_indexed(connection, self.dates):
                    connection.execute("BEGIN IMMEDIATE")
                    add_indexes(connection, self.dates)
                    connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def _log_ahead(self, connection: sqlite3.Connection) -> None:
        """Have changes written to a log first, so that whoever reads never waits for the indexer.

        Where others open the new file at the same moment, SQLite refuses this at once instead of waiting for them.
        """
        end = time.monotonic() + self._busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        # In this order: another process may just be making it.
        has_tables = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
        if has_tables and connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreUnavailable(f"{self.path} is another program's database: name another file in ALMANAC_DB")
        done = applied(connection)
        if is_from_before_0_2(done):
            raise StoreUnavailable(f"the database {self.path} {BEFORE_0_2}")
        if set(done).difference(step_names()):
            raise StoreUnavailable(
                f"the database {self.path} was made by a newer Almanac: upgrade this one, or name another "
                f"file in ALMANAC_DB"
            )
        return done == step_names()
