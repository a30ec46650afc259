"""What a model wrote of a month, kept by what it was written from, so that the month tells the same again."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from storage.transactions import Transaction, written


class Writings:
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
