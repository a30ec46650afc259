"""What was costly to find out and is kept: sentences that a model wrote, and what the diffs of commits tell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from storage.repositories import repository_id
from storage.sql import Transaction, batches, marks, written


class ModelCache:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def get(self, key: str) -> dict[str, Any] | None:
        """What is kept under the key, if anything is."""
        with self._transaction() as connection:
            row = connection.execute("SELECT text FROM writings WHERE key = ?", (key,)).fetchone()
        return json.loads(row["text"]) if row else None

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None:
        """Keep it, unless something is kept under the key already: what was told once is told again."""
        with self._transaction(write=True) as connection:
            connection.execute(
                "INSERT OR IGNORE INTO writings VALUES (?, ?, ?)",
                (key, written(now), json.dumps(text, ensure_ascii=False, sort_keys=True)),
            )


Key = tuple[str, str]  # a repository's name, and a SHA
Facts = Mapping[str, Any]  # as JSON


class DiffCache:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def get(self, commits: Iterable[Key], rules: int) -> dict[Key, Facts]:
        """What is kept of commits, as far as it was read by these rules."""
        wanted: dict[str, list[bytes]] = {}
        for repository, sha in commits:
            wanted.setdefault(repository, []).append(bytes.fromhex(sha))
        found: dict[Key, Facts] = {}
        with self._transaction() as connection:
            for repository, shas in wanted.items():
                number = repository_id(connection, repository)
                for some in batches(shas):
                    rows = connection.execute(
                        f"""SELECT sha, facts FROM commits CROSS JOIN diffs ON commit_id = commits.id
                            WHERE repository_id = ? AND sha IN ({marks(some)}) AND rules = ?""",
                        (number, *some, rules),
                    )
                    found |= {(repository, row["sha"].hex()): json.loads(row["facts"]) for row in rows}
        return found

    def put(self, repository: str, facts: Mapping[str, Facts], rules: int) -> None:
        """Keep facts by SHA, in place of older ones; those of commits that are gone meanwhile are left out."""
        with self._transaction(write=True) as connection:
            number = repository_id(connection, repository)
            connection.executemany(
                "INSERT OR REPLACE INTO diffs SELECT id, ?, ? FROM commits WHERE repository_id = ? AND sha = ?",
                [(rules, json.dumps(said), number, bytes.fromhex(sha)) for sha, said in facts.items()],
            )
