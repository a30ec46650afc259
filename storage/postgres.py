"""A connection to PostgreSQL, with what only PostgreSQL needs; see storage/engine.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import psycopg
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg.types.string import StrBinaryDumper, StrDumper

from storage.engine import PAGE, Values
from storage.search import words_of

_LONGEST_WORD = 2046  # bytes, of PostgreSQL; https://www.postgresql.org/docs/15/textsearch-limitations.html
_MOST_BYTES = 1_000_000  # of the words of a commit; those behind are not found

_HINTS = re.compile(r"\bCROSS (?=JOIN\b)| INDEXED BY \w+")  # by which SQLite is told how to read; PostgreSQL chooses
_BOUND = re.compile(r"'[^']*'|(\?|(?<!:):[a-z]\w*)")


class NamedRow(tuple[Any, ...]):
    """A row whose values are known by the names of their columns too."""

    _places: Mapping[str, int]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self._places[key] if isinstance(key, str) else key)

    def keys(self) -> Iterable[str]:
        return self._places.keys()


def _named_rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], NamedRow]:
    places = {column.name: place for place, column in enumerate(cursor.description or ())}

    def row(values: Sequence[Any]) -> NamedRow:
        made = NamedRow(values)
        made._places = places
        return made

    return row


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Have values bound as one type each, so that a statement that is asked again is planned once."""
    for dumper in (Int8Dumper, Int8BinaryDumper):
        connection.adapters.register_dumper(int, dumper)
    for text in (StrBinaryDumper, StrDumper):
        connection.adapters.register_dumper(str, text)


class PostgresConnection:
    """See `storage.engine.Connection`."""

    engine: Literal["postgres"] = "postgres"

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def _cursor(self) -> psycopg.RawCursor[Any]:
        return psycopg.RawCursor(self._connection)

    def execute(self, sql: str, values: Values = (), /) -> psycopg.RawCursor[NamedRow]:
        cursor = psycopg.RawCursor(self._connection, row_factory=_named_rows)
        statement, names = _translated(sql)
        return cursor.execute(statement, _bound(names, values), binary=True)

    def executemany(self, sql: str, values: Iterable[Values], /) -> None:
        statement, names = _translated(sql)
        self._cursor().executemany(statement, [_bound(names, one) for one in values])

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        statement, names = _translated(sql)
        found: list[tuple[Any, ...]] = self._cursor().execute(statement, _bound(names, values), binary=True).fetchall()
        return found

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        self._connection.execute(b"SET LOCAL cursor_tuple_fraction = 1")  # all of it is read, not the first rows
        with psycopg.RawServerCursor(self._connection, "pages") as cursor:
            cursor.execute(sql.encode(), binary=True)
            while page := cursor.fetchmany(PAGE):
                yield page

    def load(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(_bound((), row))

    def names(self) -> set[str]:
        here = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
        return {row[0] for row in self.tuples(f"SELECT relname::text FROM pg_class WHERE relnamespace = {here}")}

    def seconds(self) -> int:
        return int(self.tuples("SELECT extract(epoch FROM clock_timestamp())::bigint")[0][0])

    def script(self, statements: str) -> None:
        self._connection.execute(statements.encode())

    def add_words(self, commits: Iterable[tuple[int, str]]) -> None:
        rows = [(number, _vector(words)) for number, words in words_of(commits).items()]
        self.load("commit_words", "commit_id, words", rows)

    def remove_words(self, commits: Iterable[tuple[int, str]]) -> None:
        numbers = [number for number, _ in commits]
        self._connection.execute("DELETE FROM commit_words WHERE commit_id = ANY(%s)", (numbers,))

    def commits_with(self, words: Sequence[str], among: Sequence[int] | None, most: int | None = None) -> list[int]:
        # As FTS5 does: a word that has no letters to it is not looked for, one that has several parts cannot be.
        found = words_of(enumerate(words), "full")
        if not any(found.values()) or any(len(parts) > 1 for parts in found.values()):
            return []
        wanted = " & ".join(sorted({f"'{_cut(parts[0])}'" for parts in found.values() if parts}))
        query = "SELECT commit_id FROM commit_words WHERE words @@ %s::tsquery"
        cursor = self._connection.cursor()
        if most is not None:
            rows = cursor.execute(f"{query} LIMIT {most:d}".encode(), (wanted,))
        elif among is None:
            rows = cursor.execute(f"{query} ORDER BY commit_id".encode(), (wanted,))
        else:
            rows = cursor.execute(f"{query} AND commit_id = ANY(%s) ORDER BY commit_id".encode(), (wanted, list(among)))
        return [row[0] for row in rows]


@lru_cache(1024)
def _translated(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement as PostgreSQL takes it, and the names of its values in order; none where they come in order."""
    names: list[str] = []
    count = 0

    def numbered(match: re.Match[str]) -> str:
        nonlocal count
        said = match[1]
        if not said:
            return match[0]
        if said == "?":
            count += 1
            return f"${count}"
        if said[1:] not in names:
            names.append(said[1:])
        return f"${names.index(said[1:]) + 1}"

    return _BOUND.sub(numbered, _HINTS.sub("", sql)).encode(), tuple(names)


def _bound(names: tuple[str, ...], values: Values) -> Sequence[Any]:
    found: Sequence[Any] = [values[name] for name in names] if isinstance(values, Mapping) else values
    if any(isinstance(value, str) and "\0" in value for value in found):  # which no text of PostgreSQL holds
        found = [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in found]
    return found


def _cut(word: str) -> str:
    return word.encode()[:_LONGEST_WORD].decode(errors="ignore")


def _vector(words: Iterable[str]) -> str:
    """Words as a tsvector is written; they are letters and digits alone."""
    said = " ".join(map(_cut, words))
    if len(said) * 4 > _MOST_BYTES:
        said = said.encode()[:_MOST_BYTES].decode(errors="ignore").rpartition(" ")[0]
    return said
