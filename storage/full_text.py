"""Full text over what commits say of themselves: all that knows how SQLite keeps it.

The words are kept, not the texts: those are in `commits` already, and are given again when a commit is removed.
Nor is kept where in a text a word stands, which halves the size; so a search is for commits with all of the words,
in any order.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 32
# Up to so many commits are looked up in the full text one by one (20 µs each); with more, all that match are read.
_FEW = 500
_LAST = 2**63 - 1


def add_words(connection: sqlite3.Connection, commits: Iterable[tuple[int, str]]) -> None:
    """Take in the number of commits and what they say: the subject, a new line, the body."""
    connection.executemany("INSERT INTO commit_words (rowid, text) VALUES (?, ?)", commits)


def remove_words(connection: sqlite3.Connection, commits: Iterable[tuple[int, str, str]]) -> None:
    """Give up what was taken in. The subject and body must be the same as then."""
    connection.executemany(
        "INSERT INTO commit_words (commit_words, rowid, text) VALUES ('delete', ?, ?)",
        ((number, f"{subject}\n{body}") for number, subject, body in commits),
    )


def erase_removed_words(connection: sqlite3.Connection) -> None:
    """Have nothing left of what was given up: until its segments are merged, the full text holds their words."""
    connection.execute("INSERT INTO commit_words (commit_words) VALUES ('optimize')")


def matching(connection: sqlite3.Connection, text: str, among: Sequence[int] | None = None) -> list[int]:
    """The numbers of the commits that hold all words of what somebody typed, in order; none where it has no words.

    Nothing in `text` is syntax. `among` are those to choose from, in order, if not all.
    """
    query = " ".join(f'"{word}"' for word in WORD.findall(text)[:_MOST_WORDS])
    if not query or (among is not None and not among):
        return []
    try:
        if among is not None and len(among) <= _FEW:
            one = "SELECT 1 FROM commit_words WHERE commit_words MATCH ? AND rowid = ?"
            return [number for number in among if connection.execute(one, (query, number)).fetchone()]
        first, last = (among[0], among[-1]) if among else (0, _LAST)
        rows = connection.execute(
            "SELECT rowid FROM commit_words WHERE commit_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid",
            (query, first, last),
        )
        found = [int(row["rowid"]) for row in rows]
    except sqlite3.OperationalError as error:
        # What Python takes for one word, SQLite's older Unicode may take for several, and those it cannot look for.
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return []
    if among is None:
        return found
    wanted = set(among)
    return [number for number in found if number in wanted]
