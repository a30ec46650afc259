"""What commits leave by which others find them: keys, with the commit that owns one or points to what does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from bot.model import Commit
from bot.month.traces import keys_of, traces_of

TraceRow = tuple[int, int]  # a key and its role
OWNS, POINTS, WORK = 0, 1, 2  # the roles of a key: see `bot.month.traces.Keys`


def add_traces(connection: sqlite3.Connection, commits: Iterable[tuple[int, Commit]]) -> None:
    """Take in the traces of commits with their numbers."""
    put_traces(connection, ((number, trace_rows(commit)) for number, commit in commits))


def put_traces(connection: sqlite3.Connection, commits: Iterable[tuple[int, Sequence[TraceRow]]]) -> None:
    """Store the traces of commits with their numbers."""
    # In the order of the table: neighbours are then on the page that is at hand.
    rows = sorted((key, role, number) for number, traces in commits for key, role in traces)
    connection.executemany("INSERT OR IGNORE INTO traces VALUES (?, ?, ?)", rows)


def forget_traces(connection: sqlite3.Connection, commits: Iterable[tuple[int, Commit]]) -> None:
    """Give up what was taken in. What the commits say must be the same as then; their files are not looked at."""
    connection.executemany(
        "DELETE FROM traces WHERE key = ? AND role = ? AND commit_id = ?",
        ((key, role, number) for number, commit in commits for key, role in trace_rows(commit)),
    )


def trace_rows(commit: Commit) -> list[TraceRow]:
    """The keys of a commit, each with its role; none of a merge."""
    if commit.is_merge:
        return []
    keys = keys_of(commit, traces_of(commit))
    rows = [(key, OWNS) for some in (keys.own, keys.titles) for key in some]
    rows += [(key, POINTS) for some in (keys.points, keys.quotes) for key in some]
    return rows if keys.work is None else [*rows, (keys.work, WORK)]
