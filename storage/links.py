"""The log of which addresses people linked and unlinked by hand. It is only added to; what is undone stays in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from bot.model import AddressLink
from storage.transactions import Transaction, read, written


class Links:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def links(self) -> list[AddressLink]:
        """All that was ever said, in order; of those who were forgotten, nothing."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM people_links WHERE address <> '' ORDER BY id")
            return [_link(row) for row in rows]

    def add_links(
        self,
        action: Literal["link", "unlink"],
        addresses: Iterable[str],
        other: str,
        by: str,
        at: datetime,
        *,
        confirmed: bool,
    ) -> list[AddressLink]:
        """Note that addresses are, or are not, those of the person who has `other`; all of them or none. `confirmed`:
        whoever says so is an admin, or at the command line."""
        with self._transaction(write=True) as connection:
            rows = [
                connection.execute(
                    """INSERT INTO people_links (action, address, other, by, at, confirmed)
                       VALUES (?, ?, ?, ?, ?, ?) RETURNING *""",
                    (action, address, other, by, written(at), int(confirmed)),
                ).fetchone()
                for address in addresses
            ]
            return [_link(row) for row in rows]

    def undo_link(self, by: str, at: datetime, number: int | None = None) -> AddressLink | None:
        """Undo what was said last, or under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                """UPDATE people_links SET undone_by = :by, undone_at = :at
                   WHERE undone_at IS NULL AND id = coalesce(
                     :number, (SELECT max(id) FROM people_links WHERE undone_at IS NULL)) RETURNING *""",
                {"by": by, "at": written(at), "number": number},
            ).fetchone()
            return _link(row) if row else None


def _link(row: sqlite3.Row) -> AddressLink:
    return AddressLink(
        number=row["id"],
        action=row["action"],
        address=row["address"],
        other=row["other"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
        confirmed=bool(row["confirmed"]),
    )
