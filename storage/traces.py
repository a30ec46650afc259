"""What commits leave by which others find them: traces as numbers, with the commit that owns one or points to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from bot.model import Commit
from bot.month.traces import Trace, Traces, key_of, traces_of

OWNS, POINTS, PATCH = 0, 1, 2  # the roles of a trace; a patch ties commits of one author and title


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
    traces = traces_of(commit)
    rows = [(key_of(trace), OWNS) for trace in traces.own]
    rows += [(key_of(trace), POINTS) for trace in traces.pointers]
    if (patch := patch_key(commit, traces)) is not None:
        rows.append((patch, PATCH))
    return rows


def patch_key(commit: Commit, traces: Traces) -> int | None:
    """What commits of one author with one title share, wherever they are: they may be one patch."""
    title = next((trace.value.partition("\n")[2] for trace in traces.own if trace.kind == "subject"), "")
    # Not a trace of a message, but kept like one.
    return key_of(Trace("subject", f"{commit.author.address.casefold()}\n\n{title}")) if title else None
