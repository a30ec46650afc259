"""The log of who asked not to be shown. It is only added to; what is undone stays in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.month.addresses import plain
from storage.transactions import Transaction, numbers, read, written


@dataclass(frozen=True, slots=True)
class Hiding:
    """That whoever has an address asked not to be shown, until that is undone."""

    number: int
    address: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None


class Hidden:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def hidings(self) -> list[Hiding]:
        """All that was ever said, in order; of those who were forgotten, nothing."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM people_hidden WHERE address <> '' ORDER BY id")
            return [_hiding(row) for row in rows]

    def hidden(self) -> frozenset[str]:
        """The addresses, in small letters, of those who are not to be shown now."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT address FROM people_hidden WHERE undone_at IS NULL")
            return frozenset(plain(row[0]) for row in rows) - {""}

    def hide(self, addresses: Iterable[str], by: str, at: datetime) -> list[Hiding]:
        """Note that whoever has these addresses is not to be shown. Of one that is hidden already, nothing is noted."""
        with self._transaction(write=True) as connection:
            known = connection.execute("SELECT address FROM people_hidden WHERE undone_at IS NULL").fetchall()
            there = {plain(row[0]) for row in known}
            rows = [
                connection.execute(
                    "INSERT INTO people_hidden (address, by, at) VALUES (?, ?, ?) RETURNING *",
                    (address, by, written(at)),
                ).fetchone()
                for address in addresses
                if plain(address) not in there
            ]
            return [_hiding(row) for row in rows]

    def show(self, addresses: Iterable[str], by: str, at: datetime) -> list[Hiding]:
        """Undo all that hides one of these addresses, and return it."""
        wanted = {plain(address) for address in addresses}
        with self._transaction(write=True) as connection:
            standing = connection.execute("SELECT id, address FROM people_hidden WHERE undone_at IS NULL").fetchall()
            theirs = [int(row["id"]) for row in standing if plain(row["address"]) in wanted]
            connection.execute(
                f"UPDATE people_hidden SET undone_by = ?, undone_at = ? WHERE id IN ({numbers(theirs)})",
                (by, written(at)),
            )
            rows = connection.execute(f"SELECT * FROM people_hidden WHERE id IN ({numbers(theirs)}) ORDER BY id")
            return [_hiding(row) for row in rows]


def _hiding(row: sqlite3.Row) -> Hiding:
    return Hiding(
        number=row["id"],
        address=row["address"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
    )
