"""Repositories: where each is found, how far it is indexed, and how many of its commits are stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from bot.errors import RepositoryUnavailable
from bot.model import Repository
from storage.kept_out import kept_out
from storage.mailmaps import Mailmaps
from storage.tags import Tags
from storage.transactions import Transaction, marks, read


class Repositories(Mailmaps, Tags):
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def repositories(self) -> list[Repository]:
        """Every repository, by name."""
        with self._transaction() as connection:
            return [_repository(row) for row in connection.execute("SELECT * FROM repositories ORDER BY name")]

    def repository(self, name: str) -> Repository | None:
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM repositories WHERE name = ?", (name,)).fetchone()
            return _repository(row) if row else None

    def register(self, repository: Repository) -> None:
        """Make the repository known, or renew where it is found. What is indexed of it stays."""
        with self._transaction(write=True) as connection:
            connection.execute(
                """INSERT INTO repositories (name, location, web) VALUES (:name, :location, :web)
                   ON CONFLICT (name) DO UPDATE SET location = :location, web = :web""",
                {"name": repository.name, "location": repository.location, "web": repository.web},
            )

    def mark_failed(self, name: str, reason: str) -> None:
        """Record why the repository could not be read. Its commits and its tip stay."""
        with self._transaction(write=True) as connection:
            connection.execute("UPDATE repositories SET failure = ? WHERE name = ?", (reason, name))

    def count(self, name: str) -> int:
        """How many commits are stored for the repository. Raises RepositoryUnavailable if it is not known."""
        with self._transaction() as connection:
            number = repository_id(connection, name)
            return int(connection.execute("SELECT commits FROM repositories WHERE id = ?", (number,)).fetchone()[0])

    def has_forgotten(self) -> bool:
        """Whether anybody is kept out of the index, so that it lacks some commits of a branch for good."""
        with self._transaction() as connection:
            return bool(kept_out(connection))


def repository_id(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute("SELECT id FROM repositories WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise RepositoryUnavailable(name, "is not indexed: run `almanac index` with its path or address")
    return int(row["id"])


def repository_ids(
    connection: sqlite3.Connection, names: Sequence[str] | None = None, without: Iterable[str] = ()
) -> list[int]:
    """The numbers of the repositories with these names, or of all, those named in `without` left out."""
    left_out = list(without)
    where, values = f"name NOT IN ({marks(left_out)})", left_out
    if names is not None:
        where, values = f"{where} AND name IN ({marks(names)})", [*left_out, *names]
    return [int(row["id"]) for row in connection.execute(f"SELECT id FROM repositories WHERE {where}", values)]


def _repository(row: sqlite3.Row) -> Repository:
    return Repository(
        name=row["name"],
        location=row["location"],
        web=row["web"],
        tip=row["tip"],
        indexed_at=read(row["indexed_at"]),
        shallow=bool(row["shallow"]),
        failure=row["failure"],
    )
