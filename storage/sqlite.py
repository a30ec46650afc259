"""A connection to SQLite, with what only SQLite needs; see storage/engine.py."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from storage.engine import PAGE, Values

# Up to so many commits are looked up in the full text one by one (20 µs each); with more, all that match are read.
_FEW = 500
_LAST = 2**63 - 1


class SQLiteConnection(sqlite3.Connection):
    """See `storage.engine.Connection`."""

    like = "LIKE"

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        cursor = self.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, values).fetchall()

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        cursor = self.cursor()
        cursor.row_factory = None
        cursor.execute(sql)
        while page := cursor.fetchmany(PAGE):
            yield page

    def load(self, table: str, columns: str, rows: Iterable[Sequence[Any]], *, may_be_there: bool = False) -> None:
        marks = ",".join("?" * (columns.count(",") + 1))
        unless = "ON CONFLICT DO NOTHING" if may_be_there else ""
        self.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks}) {unless}", rows)

    @contextmanager
    def refilled(self, tables: Sequence[str]) -> Iterator[None]:
        """Nothing is written to the file before all is in the log."""
        yield

    def number_on(self, table: str) -> None:
        """It does by itself."""

    def create(self, script: str) -> None:
        statement = ""
        for line in script.splitlines(keepends=True):  # executescript would end the transaction
            statement += line
            if sqlite3.complete_statement(statement):
                self.execute(statement)
                statement = ""

    def names(self) -> set[str]:
        return {row[0] for row in self.execute("SELECT name FROM sqlite_master")}

    def by_index(self, name: str) -> str:
        return f"INDEXED BY {name}"

    def add_words(self, commits: Iterable[tuple[int, str]]) -> None:
        self.executemany("INSERT INTO commit_words (rowid, text) VALUES (?, ?)", commits)

    def remove_words(self, commits: Iterable[tuple[int, str]]) -> None:
        self.executemany("INSERT INTO commit_words (commit_words, rowid, text) VALUES ('delete', ?, ?)", commits)

    def erase_removed_words(self) -> None:
        # Until its segments are merged, the full text holds the words of what was given up.
        self.execute("INSERT INTO commit_words (commit_words) VALUES ('optimize')")

    def commits_with(self, words: Sequence[str], among: Sequence[int] | None) -> list[int]:
        query = " ".join(f'"{word}"' for word in words)
        try:
            if among is not None and len(among) <= _FEW:
                one = "SELECT 1 FROM commit_words WHERE commit_words MATCH ? AND rowid = ?"
                return [number for number in among if self.execute(one, (query, number)).fetchone()]
            first, last = (among[0], among[-1]) if among else (0, _LAST)
            rows = self.execute(
                "SELECT rowid FROM commit_words WHERE commit_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid",
                (query, first, last),
            )
            return [int(row["rowid"]) for row in rows]
        except sqlite3.OperationalError as error:
            # What Python takes for one word, SQLite's older Unicode may take for several; those it cannot look for.
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            return []
