"""Opens the database: a connection a call, one transaction, closed again.

Bolt, the clock and the command line call from several threads, and a second process may be
indexing at the same time; no connection outlives a call, so none is ever shared.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlite_utils import Database

from bot.errors import StoreUnavailable
from storage.commits import Commits
from storage.conversations import Conversations
from storage.migrations import APPLICATION_ID, migrations
from storage.outbox import Outbox
from storage.people import Identities
from storage.schedules import Schedules

# How long a call waits for another process to finish writing. An index writes in batches of well
# under a second, so whoever waits longer than this waits for something that hangs.
BUSY_SECONDS = 10.0


class Store:
    """The database at `path`.

    The constructor makes the file and brings its tables up to date, unless `must_exist` is set and
    there is none. Raises StoreUnavailable for all that a person can mend.
    """

    def __init__(self, path: Path, *, must_exist: bool = False, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        if must_exist and not path.exists():
            raise StoreUnavailable(f"nothing is indexed yet (no database at {path}): run `almanac index REPO` first")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"cannot make the folder of the database {path}: {error.strerror}") from error
        self._migrate()
        self.commits = Commits(self.transaction)
        self.identities = Identities(self.transaction)
        self.outbox = Outbox(self.transaction)
        self.conversations = Conversations(self.transaction)
        self.schedules = Schedules(self.transaction)

    @contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection inside one transaction: committed at the end, rolled back on an exception."""
        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    yield connection
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise self._unavailable(error) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self._busy_seconds, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")  # safe with WAL: no corruption, no lost commit on a crash
        return connection

    def _migrate(self) -> None:
        try:
            with closing(self._connect()) as connection:
                if self._is_current(connection):
                    return
                connection.execute("PRAGMA journal_mode = WAL")  # whoever reads never waits for the indexer
                connection.execute("BEGIN IMMEDIATE")  # two processes may both find the file new
                migrations.apply(Database(connection, execute_plugins=False))
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise self._unavailable(error) from error

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        db = Database(connection, execute_plugins=False)
        tables = set(db.table_names())
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        if tables and owner != APPLICATION_ID:
            raise StoreUnavailable(f"{self.path} is another program's database: name another file in ALMANAC_DB")
        known = {migration.name for migration in migrations.pending(db)}
        applied = {migration.name for migration in migrations.applied(db)}
        all_of_ours = {migration.name for migration in migrations._migrations}
        if applied - all_of_ours:
            raise StoreUnavailable(
                f"the database {self.path} was made by a newer Almanac: upgrade this one, or name another "
                f"file in ALMANAC_DB"
            )
        return not known

    def _unavailable(self, error: sqlite3.DatabaseError) -> Exception:
        """What went wrong in words that say what to do; a mistake in our SQL stays as it is."""
        text = str(error)
        if "locked" in text or "busy" in text:
            return StoreUnavailable(
                f"the database {self.path} is locked by another process: wait until it has finished, then try again"
            )
        if "readonly" in text or "read-only" in text:
            return StoreUnavailable(
                f"the database {self.path} is read-only: make the file and its folder writable, "
                f"or name another in ALMANAC_DB"
            )
        if "unable to open" in text:
            return StoreUnavailable(
                f"the database {self.path} cannot be opened: check that it is a file this user may read and write"
            )
        if "not a database" in text or "malformed" in text or "encrypted" in text:
            return StoreUnavailable(
                f"{self.path} is damaged or no database: move it away and run `almanac index` to make it anew"
            )
        if "full" in text:
            return StoreUnavailable(f"the disk of the database {self.path} is full: free some room, then try again")
        if "disk I/O" in text:
            return StoreUnavailable(f"the disk of the database {self.path} reports an error ({text})")
        return error
