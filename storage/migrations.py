"""Which version of the tables a database has, and what brings it up to date.

A change of the tables is a further step: a function below `m001_schema`, and its place in STEPS. Steps are only ever
appended, so that every database made since 0.2.0 can be brought up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import wraps

from bot.errors import SchemaNewer, StoreUnavailable
from bot.model import Dates
from storage.commit_files import pack_files
from storage.engine import Connection, Health
from storage.schema import COMMIT_FILES, HISTORY_VIEW, create_tables
from storage.sql import written
from storage.sqlite import SQLiteConnection

BEFORE_0_2 = (
    "was made by an Almanac before 0.2.0, which this one cannot read: move it away and run `almanac index` to make it "
    "anew; what people said by hand (links, corrections, who is hidden or forgotten) and digests made in Slack are "
    "only in the old file, and are to be entered again"
)
_OLD_STEP = "m001_history"  # of the versions before 0.2.0, whose tables are not read any more
# Those of author dates are there from the first. These make a long history's file a sixteenth longer, so they are made
# only where they are wanted; there, they stay.
_INDEXES: Mapping[Dates, Mapping[str, str]] = {
    "author": {},
    "committer": {
        "commits_by_author_committed": "commits (author_id, committed_at, repository_id)",
        "commits_by_time_committed": "commits (repository_id, committed_at, author_id)",
    },
}


def m001_schema(connection: Connection) -> None:
    create_tables(connection)


def m002_lower(connection: Connection) -> None:
    """Names without their case by an expression that both engines know."""
    for name in ("credited_by_name", "credited_by_address", "corrections_by_change"):
        connection.execute(f"DROP INDEX IF EXISTS {name}")
    connection.execute("CREATE INDEX IF NOT EXISTS credited_by_lower_name ON credited (lower(name))")
    connection.execute(
        "CREATE INDEX IF NOT EXISTS credited_by_lower_address ON credited (lower(address)) WHERE address <> ''"
    )


def m003_leases(connection: Connection) -> None:
    """Until when the process that answers a question is taken to live; NULL: nobody does."""
    connection.create("ALTER TABLE pending_events ADD COLUMN leased_until TEXT;")


def m004_workers(connection: Connection) -> None:
    """Which worker read a repository last, and so has its mirror; empty where the bot itself reads."""
    connection.create("ALTER TABLE repositories ADD COLUMN worker TEXT NOT NULL DEFAULT '';")


def m005_commit_files(connection: Connection) -> None:
    """The files of a commit in one row, where there was a row a file."""
    if "files" not in connection.names():
        return  # made with today's tables
    connection.execute("DROP VIEW history")
    connection.create(COMMIT_FILES + HISTORY_VIEW)
    pack_files(connection)
    connection.execute("DROP TABLE files")


STEPS = (m001_schema, m002_lower, m003_leases, m004_workers, m005_commit_files)
# Where sqlite-utils writes the steps down; under the same name elsewhere.
TAKEN = "_sqlite_migrations"


def step_names() -> tuple[str, ...]:
    return tuple(step.__name__ for step in STEPS)


def applied(connection: Connection) -> tuple[str, ...]:
    """The steps that a database has been through, in order; none if it is new."""
    if TAKEN not in connection.names():
        return ()
    rows = connection.execute(f"SELECT name FROM {TAKEN} WHERE migration_set = 'almanac' ORDER BY id")
    return tuple(row[0] for row in rows)


def is_current(done: Collection[str], shown: str) -> bool:
    """Whether a database that has been through these steps needs no further one. Raises StoreUnavailable for one that
    this Almanac cannot read; `shown` is what it is called."""
    if is_from_before_0_2(done):
        raise StoreUnavailable(f"the database {shown} {BEFORE_0_2}")
    if set(done).difference(step_names()):
        raise SchemaNewer(
            f"the database {shown} was made by a newer Almanac: upgrade this one, or name another in ALMANAC_DB"
        )
    return tuple(done) == step_names()


def health_of(done: tuple[str, ...], size: int, faults: tuple[str, ...] | None) -> Health:
    """The health of a database of ours that has been through these steps."""
    return Health(
        size,
        done=done,
        missing=tuple(step for step in step_names() if step not in done),
        newer=tuple(step for step in done if step not in step_names()),
        faults=faults,
    )


def is_from_before_0_2(done: Collection[str]) -> bool:
    """Whether these are the steps of a database whose tables are not read any more."""
    return _OLD_STEP in done


def migrate(connection: Connection) -> None:
    """Take the steps that a server's database has not been through, inside the caller's transaction, and write them
    down as sqlite-utils does."""
    connection.create(
        f"""CREATE TABLE IF NOT EXISTS {TAKEN} (
  id INTEGER PRIMARY KEY, migration_set TEXT NOT NULL, name TEXT NOT NULL, applied_at TEXT NOT NULL);"""
    )
    done = applied(connection)
    for step in STEPS:
        if step.__name__ not in done:
            step(connection)
            connection.execute(
                f"INSERT INTO {TAKEN} (migration_set, name, applied_at) VALUES ('almanac', ?, ?)",
                (step.__name__, written(datetime.now(UTC))),
            )


def migrate_file(connection: SQLiteConnection) -> None:
    """Take the steps that SQLite's file has not been through, inside the caller's transaction."""
    # Loaded only now: most commands find the database as it should be, and start sooner.
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    def on_ours(step: Callable[[Connection], None]) -> Callable[[Database], None]:
        @wraps(step)
        def taken(_: Database) -> None:
            step(connection)

        return taken

    steps = Migrations("almanac")
    for step in STEPS:
        steps()(on_ours(step))
    steps.apply(Database(connection, execute_plugins=False))


def is_indexed(connection: Connection, dates: Dates) -> bool:
    """Whether the months of these dates can be read as ranges of an index."""
    return not _INDEXES[dates] or _INDEXES[dates].keys() <= connection.names()


def add_indexes(connection: Connection, dates: Dates) -> None:
    """Make the indexes that are missing. Of a million commits that takes about a second, once."""
    for name, of in _INDEXES[dates].items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {of}")
