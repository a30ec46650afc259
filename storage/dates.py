"""By which of its two dates a commit belongs to a month: the column that holds it, and the indexes that lead to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from bot.model import Dates
from storage.transactions import marks

COLUMNS: Mapping[Dates, str] = {"author": "authored_at", "committer": "committed_at"}
# Those of author dates are there from the first (storage/migrations.py). These make a long history's file a sixteenth
# longer, so they are made only where they are wanted; there, they stay.
_INDEXES: Mapping[Dates, Mapping[str, str]] = {
    "author": {},
    "committer": {
        "commits_by_author_committed": "commits (author_id, committed_at, repository_id)",
        "commits_by_time_committed": "commits (repository_id, committed_at, author_id)",
    },
}


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
