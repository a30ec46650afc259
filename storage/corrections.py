"""The log of what people said of changes by hand. It is only added to; what is undone stays in it.

Of those who are forgotten nothing stays, neither what was said of their commits nor their names: `storage.forgotten`
sees to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from bot.model import CorrectedField, Correction
from storage.transactions import Transaction, read, written

FORGOTTEN = "somebody who is forgotten"  # in place of a name


class Corrections:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def log(self) -> list[Correction]:
        """All that was ever said, in order."""
        with self._transaction() as connection:
            return [_correction(row) for row in connection.execute("SELECT * FROM corrections ORDER BY id")]

    def live(self) -> list[Correction]:
        """What was not undone, in order."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM corrections WHERE undone_at IS NULL ORDER BY id")
            return [_correction(row) for row in rows]

    def add(self, shas: Sequence[str], field: CorrectedField, value: str, by: str, at: datetime) -> Correction:
        """Note what somebody says of a change; the first of its SHAs, of which there is one at least, is its id."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "INSERT INTO corrections (change, field, value, by, at) VALUES (?, ?, ?, ?, ?) RETURNING *",
                (" ".join(shas), field, value, by, written(at)),
            ).fetchone()
            return _correction(row)

    def undo(self, number: int, by: str, at: datetime) -> Correction | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "UPDATE corrections SET undone_by = ?, undone_at = ? WHERE id = ? AND undone_at IS NULL RETURNING *",
                (by, written(at), number),
            ).fetchone()
            return _correction(row) if row else None


def _correction(row: sqlite3.Row) -> Correction:
    change, *also = row["change"].split()
    return Correction(
        number=row["id"],
        change=change,
        field=row["field"],
        value=row["value"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        also=tuple(also),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
    )
