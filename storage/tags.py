"""The tags of each repository: what they are called, which commit they name, and when they were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.model import Signature, Tag
from storage.transactions import Transaction


class TagRow(NamedTuple):
    """A tag as read. `object` is what git keeps under its name, by which it is known whether it was moved; `sha` is the
    commit it names in the end, None where that is none; `seconds` is Unix time."""

    name: str
    object: str
    sha: str | None
    seconds: int


class Tags:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def tags(self, *, without: Sequence[str] = ()) -> list[Tag]:
        """Those of all repositories that name a commit, by repository and name; those of `without` left out."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT repositories.name AS repository, tags.name, sha, at
                   FROM tags JOIN repositories ON repositories.id = repository_id
                   WHERE sha IS NOT NULL ORDER BY repositories.name, tags.name"""
            )
            return [
                Tag(row["repository"], row["name"], row["sha"].hex(), Signature("", "", row["at"], 0).at)
                for row in rows
                if row["repository"] not in without
            ]

    def tag_names(self) -> list[tuple[str, str]]:
        """The repository and the name of each tag that names a commit."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT repositories.name, tags.name FROM tags JOIN repositories ON repositories.id = repository_id
                   WHERE sha IS NOT NULL ORDER BY repositories.name, tags.name"""
            )
            return [(row[0], row[1]) for row in rows]

    def tag_objects(self, name: str) -> dict[str, str]:
        """What each tag of a repository stands for, by its name."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT name, object FROM tags WHERE repository_id = (SELECT id FROM repositories WHERE name = ?)",
                (name,),
            )
            return {row["name"]: row["object"].hex() for row in rows}

    def put_tags(self, name: str, tags: Sequence[TagRow]) -> None:
        """Store these in place of what was there; only what differs is written. A repository that is not known is
        passed over."""
        with self._transaction(write=True) as connection:
            row = connection.execute("SELECT id FROM repositories WHERE name = ?", (name,)).fetchone()
            if row is None:
                return
            known = {
                one["name"]: one["object"].hex()
                for one in connection.execute("SELECT name, object FROM tags WHERE repository_id = ?", (row["id"],))
            }
            there = {one.name for one in tags}
            connection.executemany(
                "DELETE FROM tags WHERE repository_id = ? AND name = ?",
                [(row["id"], gone) for gone in known if gone not in there],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO tags (repository_id, name, object, sha, at) VALUES (?, ?, ?, ?, ?)",
                [
                    (row["id"], one.name, bytes.fromhex(one.object), one.sha and bytes.fromhex(one.sha), one.seconds)
                    for one in tags
                    if known.get(one.name) != one.object
                ],
            )
