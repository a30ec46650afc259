"""Who wrote commits, exactly as they signed them. Raw identities are never rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.model import Identity
from storage.repositories import repository_ids
from storage.transactions import Transaction, numbers


class Identities:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def authors(self) -> list[Identity]:
        """Every author's identity with the count of its commits, by name and address."""
        with self._transaction() as connection:
            # The counts are kept when commits are added and removed: no commit is read here.
            rows = connection.execute(
                "SELECT name, address, commits FROM identities WHERE commits > 0 ORDER BY name, address"
            )
            return [Identity(row["name"], row["address"], row["commits"]) for row in rows]

    def revision(self) -> int:
        """A number that is another one whenever `authors` may give something else, to know what may be kept."""
        with self._transaction() as connection:
            return int(connection.execute("SELECT coalesce(sum(changes), 0) FROM repositories").fetchone()[0])

    def active(self, start: datetime, end: datetime, *, without: Sequence[str] = ()) -> list[Identity]:
        """Who authored commits from `start` up to but not at `end`, and how many, by name and address. `without`
        names repositories that do not count."""
        with self._transaction() as connection:
            rows = connection.execute(
                f"""SELECT name, address, written FROM
                      (SELECT author_id, count(*) AS written FROM commits
                       WHERE repository_id IN ({numbers(repository_ids(connection, without=without))})
                         AND authored_at >= ? AND authored_at < ? GROUP BY author_id)
                    CROSS JOIN identities ON identities.id = author_id
                    ORDER BY name, address""",
                (int(start.timestamp()), int(end.timestamp())),
            )
            return [Identity(row["name"], row["address"], row["written"]) for row in rows]
