"""Which version of the tables a database has, and what brings it up to date.

A change of the tables is a further step: a function below `m001_schema`, and its place in STEPS. Steps are only ever
appended, so that every database made since 0.2.0 can be brought up to date.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from bot.model import Dates
from storage.schema import create_tables
from storage.sql import marks

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x416C6D61  # marks the file as ours ("Alma"), so that another program's database is never written to
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


def m001_schema(db: Database) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    create_tables(db.conn)


STEPS = (m001_schema,)


def step_names() -> tuple[str, ...]:
    return tuple(step.__name__ for step in STEPS)


def applied(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The steps that a database has been through, in order; none if it is new."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone()
    if not there:
        return ()
    rows = connection.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = 'almanac' ORDER BY id")
    return tuple(row[0] for row in rows)


def is_from_before_0_2(done: Collection[str]) -> bool:
    """Whether these are the steps of a database whose tables are not read any more."""
    return _OLD_STEP in done


def migrate(connection: sqlite3.Connection) -> None:
    """Take the steps that the database has not been through, inside the caller's transaction."""
    # Loaded only now: most commands find the database as it should be, and start sooner.
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations("almanac")
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(connection, execute_plugins=False))


def is_indexed(connection: sqlite3.Connection, dates: Dates) -> bool:
    """Whether the months of these dates can be read as ranges of an index."""
    names = list(_INDEXES[dates])
    if not names:
        return True
    query = f"SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name IN ({marks(names)})"
    return int(connection.execute(query, names).fetchone()[0]) == len(names)


def add_indexes(connection: sqlite3.Connection, dates: Dates) -> None:
    """Make the indexes that are missing. Of a million commits that takes about a second, once."""
    for name, of in _INDEXES[dates].items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {of}")
