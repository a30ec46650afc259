"""What was costly to find out: sentences that a model wrote, and what the diffs of commits tell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.model import Key
from storage.engine import Tables, batches, numbers, written
from storage.repositories import numbers_of, repository_id

Facts = Mapping[str, Any]  # as JSON


class ModelCache(Tables):
    """What a model wrote of a month, by what it was written from, so that the month tells the same again."""

    def get(self, key: str) -> dict[str, Any] | None:
        """What is kept under the key, if anything is."""
        row = self._row("SELECT text FROM model_cache WHERE key = ?", (key,))
        return json.loads(row["text"]) if row else None

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None:
        """Keep it, unless something is kept under the key already: what was shown once is shown again."""
        self._write(
            "INSERT INTO model_cache (key, written_at, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (key, written(now), json.dumps(text, ensure_ascii=False, sort_keys=True)),
        )


class DiffCache(Tables):
    """What the diffs of commits tell, so that a month that is asked for again reads none. Goes with its commit."""

    def get(self, commits: Iterable[Key], rules: int) -> dict[Key, Facts]:
        """What is kept of commits, as far as it was read by these rules."""
        found: dict[Key, Facts] = {}
        with self._transaction() as connection:
            keys = {number: key for key, number in numbers_of(connection, commits).items()}
            for some in batches(sorted(keys)):
                query = f"SELECT commit_id, facts FROM diff_cache WHERE commit_id IN ({numbers(some)}) AND rules = ?"
                found |= {keys[row[0]]: json.loads(row[1]) for row in connection.execute(query, (rules,))}
        return found

    def put(self, repository: str, facts: Mapping[str, Facts], rules: int) -> None:
        """Keep facts by SHA, in place of older ones; those of commits that are gone meanwhile are left out."""
        with self._transaction(write=True) as connection:
            number = repository_id(connection, repository)
            connection.executemany(
                """INSERT INTO diff_cache (commit_id, rules, facts)
                   SELECT id, ?, ? FROM commits WHERE repository_id = ? AND sha = ?
                   ON CONFLICT (commit_id) DO UPDATE SET rules = excluded.rules, facts = excluded.facts""",
                [(rules, json.dumps(said), number, bytes.fromhex(sha)) for sha, said in facts.items()],
            )
