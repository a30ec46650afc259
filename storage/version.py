"""By what a database is known as ours and as up to date, without loading what brings it up to date."""

from __future__ import annotations

import sqlite3

# Marks the file as ours ("Alma"), so that another program's database is never written to.
APPLICATION_ID = 0x416C6D61
# The steps of storage/migrations.py.
STEPS = (
    "m001_history",
    "m002_slack",
    "m003_people",
    "m004_ties",
    "m005_writings",
    "m006_conversation",
    "m007_digests",
    "m008_asked",
    "m009_mentioned",
    "m010_confirmed",
    "m011_diffs",
    "m012_mentions",
    "m013_tags",
)


def applied(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The steps that a database has been through, in order; none if it is new."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone()
    if not there:
        return ()
    rows = connection.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = 'almanac' ORDER BY id")
    return tuple(row[0] for row in rows)
