"""The .mailmap of each repository, as it was read with its newest commit."""

from __future__ import annotations

from collections.abc import Sequence

from storage.kept_out import kept_out
from storage.transactions import Transaction


class Mailmaps:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def mailmaps(self, *, without: Sequence[str] = ()) -> dict[str, str]:
        """The texts of those that hold something, by the name of their repository; those of `without` left out."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT name, text FROM mailmaps JOIN repositories ON repositories.id = repository_id
                   WHERE text <> '' ORDER BY name"""
            )
            return {row["name"]: row["text"] for row in rows if row["name"] not in without}

    def has_mailmap(self, name: str) -> bool:
        """Whether it was ever stored for the repository, be it that there is none."""
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT 1 FROM mailmaps WHERE repository_id = (SELECT id FROM repositories WHERE name = ?)", (name,)
            ).fetchone()
            return row is not None

    def put_mailmap(self, name: str, text: str) -> None:
        """Store the text in place of what was there; empty where there is none. The same again changes nothing. Lines
        on people who asked to be forgotten are left out.

        A repository that is not known is passed over.
        """
        with self._transaction(write=True) as connection:
            connection.execute(
                """INSERT INTO mailmaps (repository_id, text)
                   SELECT id, :text FROM repositories WHERE name = :name
                   ON CONFLICT (repository_id) DO UPDATE SET text = :text, changes = changes + 1
                   WHERE text <> :text""",
                {"name": name, "text": kept_out(connection).mailmap(text)},
            )
