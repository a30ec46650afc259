"""What commits leave by which others find them: keys, with the commit that owns one or points to what does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from bot.model import Commit
from bot.month.traces import keys_of, traces_of

OWNS, POINTS, WORK = 0, 1, 2  # the roles of a key: see `bot.month.traces.Keys`


def add_traces(connection: sqlite3.Connection, commits: Iterable[tuple[int, Commit]]) -> None:
    """Take in the traces of commits with their numbers."""
    connection.executemany(
        "INSERT OR IGNORE INTO traces VALUES (?, ?, ?)",
        ((key, role, number) for number, commit in commits for key, role in _rows(commit)),
    )


def forget_traces(connection: sqlite3.Connection, commits: Iterable[tuple[int, Commit]]) -> None:
    """Give up what was taken in. What the commits say must be the same as then; their files are not looked at."""
    connection.executemany(
        "DELETE FROM traces WHERE key = ? AND role = ? AND commit_id = ?",
        ((key, role, number) for number, commit in commits for key, role in _rows(commit)),
    )


def _rows(commit: Commit) -> list[tuple[int, int]]:
    if commit.is_merge:
        return []
    keys = keys_of(commit, traces_of(commit))
    rows = [(key, OWNS) for some in (keys.own, keys.titles) for key in some]
    rows += [(key, POINTS) for some in (keys.points, keys.quotes) for key in some]
    return rows if keys.work is None else [*rows, (keys.work, WORK)]
