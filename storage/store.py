"""Opens the database: a connection a call, one transaction, closed again.

Bolt, the clock and the command line call from several threads, and a second process may be
indexing at the same time; no connection is ever shared by two calls. While the file is held open, those that only
read are kept for the next call, see `storage.connections`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bot.errors import StoreBusy, StoreUnavailable
from bot.model import Dates
from storage.caches import DiffCache, ModelCache
from storage.commits import Commits
from storage.connections import Kept
from storage.conversations import Conversations, Feedback
from storage.digests import Digests, DigestSnapshots, Previews
from storage.erasure import Erasure
from storage.events import PendingEvents, ProcessedEvents
from storage.health import health
from storage.links import Corrections, SlackLinks
from storage.outbox import Outbox, Streams
from storage.people import Identities, SlackUsers
from storage.search import Topics
from storage.sql import add_indexes, is_indexed
from storage.version import APPLICATION_ID, STEPS, applied

# How long a call waits for another process to finish writing. An index writes in batches of well
# under a second, so whoever waits longer than this waits for something that hangs.
BUSY_SECONDS = 10.0
CHECK_SECONDS = 1.0
BULK_CACHE = 24_000  # kB of pages, as far as they are touched; with SQLite's own 2 MB each would be written many times


class Store:
    """The database at `path`. By `dates`, author's or committer's, commits belong to months in all that is asked of it.

    The constructor makes the file and brings its tables up to date, unless `must_exist` is set and
    there is none. Raises StoreUnavailable for all that a person can mend.
    """

    def __init__(
        self, path: Path, *, must_exist: bool = False, busy_seconds: float = BUSY_SECONDS, dates: Dates = "author"
    ) -> None:
        self.path = path
        self.dates: Dates = dates
        self._busy_seconds = busy_seconds
        self._kept = Kept(path, self._connect)
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
        self.corrections = Corrections(self.transaction)
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
        try:
            with self._kept.reading() if not (write or bulk or durable) else closing(self._connect()) as connection:
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
        except sqlite3.DatabaseError as error:
            raise self._mendable(error) from error

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """For who writes many batches or answers more than once: the file stays open meanwhile, for all threads.

        Whoever closes a database last writes SQLite's log back into it. Without this, that is done after each batch,
        which makes writing a tenth slower, and now and then it falls to somebody who only wanted to read. And to open
        a connection takes longer than most of what is asked of it.
        """
        try:
            with closing(self._connect()) as connection, self._kept.keeping():
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens it
                yield
        except sqlite3.DatabaseError as error:
            raise self._mendable(error) from error

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
            raise self._mendable(error) from error
        if found is None or not found.is_current or found.faults:
            raise self._unavailable(sqlite3.SQLITE_CORRUPT)

    def sweep(self) -> bool:
        """Write the file anew without the bytes of what was removed from it, and empty SQLite's log, which may hold
        them too. False where others who read keep the log as it is. Takes as much of the disk once more."""
        try:
            with closing(self._connect()) as connection:
                connection.execute("VACUUM")
                return int(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0
        except sqlite3.DatabaseError as error:
            raise self._mendable(error) from error

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
        self._refuse_other_file()
        _make_for_its_owner(self.path)
        try:
            with closing(self._connect("rwc")) as connection:
                if not self._is_current(connection):
                    self._log_ahead(connection)
                    connection.execute("BEGIN IMMEDIATE")  # two processes may both find the file new
                    _migrate(connection)
                    connection.execute("COMMIT")
                if not is_indexed(connection, self.dates):
                    connection.execute("BEGIN IMMEDIATE")
                    add_indexes(connection, self.dates)
                    connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise self._mendable(error) from error

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

    def _refuse_other_file(self) -> None:
        """SQLite takes a very short file for an empty database, and would write over it.

        A database is never looked at this way: to close any file gives up this process's locks on it, those of
        SQLite too (https://www.sqlite.org/howtocorrupt.html, 2.2).
        """
        try:
            if self.path.stat().st_size >= _SHORTEST:
                return
            with self.path.open("rb") as file:
                begins = file.read(len(_MAGIC))
        except OSError:
            return  # there is none, or SQLite says what is wrong
        if begins and begins != _MAGIC:
            raise StoreUnavailable(_MENDABLE[sqlite3.SQLITE_NOTADB].format(f"the database {self.path}"))

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        # In this order: another process may just be making it.
        has_tables = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
        if has_tables and connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreUnavailable(f"{self.path} is another program's database: name another file in ALMANAC_DB")
        done = applied(connection)
        if set(done).difference(STEPS):
            raise StoreUnavailable(
                f"the database {self.path} was made by a newer Almanac: upgrade this one, or name another "
                f"file in ALMANAC_DB"
            )
        return done == STEPS

    def _mendable(self, error: sqlite3.DatabaseError) -> Exception:
        """What went wrong in words that say what to do; a mistake in our SQL stays as it is."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the details: https://sqlite.org/rescode.html
        return self._unavailable(code) if code in _MENDABLE else error

    def _unavailable(self, code: int) -> StoreUnavailable:
        said = _MENDABLE[code]
        sort = StoreBusy if code == sqlite3.SQLITE_BUSY else StoreUnavailable
        return sort(said.format(f"the database {self.path}"), said.format("my database"))


def _make_for_its_owner(path: Path) -> None:
    """A new file that nobody else can read, and so its journals, which SQLite makes with the same rights."""
    with suppress(OSError):  # it is there already, or SQLite says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _migrate(connection: sqlite3.Connection) -> None:
    # Loaded only now: most commands find the database as it should be, and are told sooner.
    from sqlite_utils import Database

    from storage.migrations import migrations

    migrations.apply(Database(connection, execute_plugins=False))


_MAGIC = b"SQLite format 3\0"  # https://sqlite.org/fileformat.html
_SHORTEST = 512  # bytes: no page is smaller
_MENDABLE = {
    sqlite3.SQLITE_BUSY: "{} is locked by another process: wait until it has finished, then try again",
    sqlite3.SQLITE_READONLY: ("{} is read-only: make the file and its folder writable, or name another in ALMANAC_DB"),
    sqlite3.SQLITE_CANTOPEN: ("{} cannot be opened: check that it is a file this user may read and write"),
    sqlite3.SQLITE_PERM: "{} cannot be opened: check that it is a file this user may read and write",
    sqlite3.SQLITE_NOTADB: "{} is damaged or no database: move it away and run `almanac index` to make it anew",
    sqlite3.SQLITE_CORRUPT: "{} is damaged or no database: move it away and run `almanac index` to make it anew",
    sqlite3.SQLITE_FULL: "the disk of {} is full: free some room, then try again",
    sqlite3.SQLITE_IOERR: "the disk of {} reports an error: see the system's log",
}
