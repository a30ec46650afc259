"""Copies a database into another one, of either engine: all that it held at one moment, and verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from bot.errors import StoreUnavailable
from storage.commit_rows import unpacked
from storage.engine import Connection
from storage.migrations import table_names
from storage.store import Store

_WORDS = "commit_words"  # made anew from the messages: each engine keeps words in a form of its own
Values = tuple[Any, ...]
Take = Callable[[Sequence[str], Sequence[Values]], None]  # the columns of rows, and the rows
Progress = Callable[[str, int, int], None]  # a table, how many of its rows are copied, and how many there are


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """`checksum` is of all rows, in whatever order, and the same on both engines."""

    name: str
    rows: int
    checksum: str


def copy_database(source: Store, target: Store, progress: Progress) -> list[CopiedTable]:
    """Copy all tables as they are at one moment, while others may go on to write, and compare the copy with what was
    read.

    It is one transaction of the target, which must be empty: then it is whole, or as it was. Raises StoreUnavailable.
    """
    tables = [table for table in table_names() if table != _WORDS]
    with target.transaction(write=True, bulk=True) as new:
        if any(_count(new, table) for table in tables):
            raise StoreUnavailable(f"the database {target.database} is not empty: name one that is, or a new one")
        if new.engine == "postgres":  # into new files, which go with the transaction where it fails
            new.script(f"TRUNCATE {', '.join(table_names())}")
        with source.transaction() as old:
            copied = [_copied(old, new, target, table, progress) for table in tables]
        for one in copied:
            if _summed(new, one.name) != one:
                raise StoreUnavailable(
                    f"what the database {target.database} keeps of the table {one.name} is not what was written: look "
                    f"for a damaged disk; nothing was copied"
                )
        if new.engine == "postgres":  # an index to which rows are added one by one takes up to twice the room
            new.script("".join(f"REINDEX TABLE {table};" for table in table_names()))
    return copied


def _copied(old: Connection, new: Connection, target: Store, table: str, progress: Progress) -> CopiedTable:
    count, done = _count(old, table), 0
    progress(table, 0, count)

    def take(columns: Sequence[str], page: Sequence[Values]) -> None:
        nonlocal done
        with target.explaining():
            new.load(table, ", ".join(columns), page)
            if table == "commits":
                number, subject, body = map(columns.index, ("id", "subject", "body"))
                new.add_words([(row[number], f"{row[subject]}\n{unpacked(row[body])}") for row in page])
        done += len(page)
        progress(table, done, count)

    return _summed(old, table, take)


def _summed(connection: Connection, table: str, take: Take = lambda columns, page: None) -> CopiedTable:
    """Read a table in the order of its key, which begins with its first column: neighbours are then written to the page
    that is at hand. The checksum is the sum of the hashes of rows."""
    rows, total, first = 0, 0, connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    columns = list(first.keys()) if first else []  # none of an empty table
    select = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1"
    for page in connection.pages(select) if columns else ():
        for row in page:
            said = repr(row)
            if "\\x00" in said:  # which PostgreSQL keeps as another sign in texts: see `_bound` in storage/postgres.py
                said = repr(tuple(one.replace("\0", "\ufffd") if isinstance(one, str) else one for one in row))
            total += int.from_bytes(blake2b(said.encode(), digest_size=16).digest(), "big")
        take(columns, page)
        rows += len(page)
    return CopiedTable(table, rows, f"{total % 2**128:032x}")


def _count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
