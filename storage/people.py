"""Who wrote commits, exactly as they signed them. Raw identities are never rewritten."""

from __future__ import annotations

from bot.model import Identity
from storage.transactions import Transaction


class Identities:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def authors(self) -> list[Identity]:
        """Every author's identity with the count of its commits, by name and address."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT name, address, commits FROM identities
                   JOIN (SELECT author_id, count(*) AS commits FROM commits GROUP BY author_id)
                     ON author_id = identities.id
                   ORDER BY name, address"""
            )
            return [Identity(row["name"], row["address"], row["commits"]) for row in rows]
