"""What the diffs of commits tell, kept so that a month that is asked for again reads no diff. Goes with its commit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from storage.repositories import repository_id
from storage.transactions import Transaction, batches, marks

Key = tuple[str, str]  # a repository's name, and a SHA
Facts = Mapping[str, Any]  # as JSON


class Diffs:
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
