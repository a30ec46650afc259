"""What a thread is about, so that a follow-up question need not say it again."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from storage.transactions import Transaction, written

REMEMBERED_FOR = timedelta(days=30)


class Conversations:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def recall(self, channel: str, thread: str, now: datetime) -> dict[str, Any] | None:
        """What the thread was last about, unless that is more than thirty days ago."""
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT remembered FROM conversations WHERE channel = ? AND thread = ? AND changed_at >= ?",
                (channel, thread, written(now - REMEMBERED_FOR)),
            ).fetchone()
        return json.loads(row["remembered"]) if row else None

    def remember(self, channel: str, thread: str, about: dict[str, Any], now: datetime) -> None:
        """Keep what the thread is about, and forget threads that have been silent for thirty days."""
        with self._transaction(write=True) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, ?)",
                (channel, thread, json.dumps(about, sort_keys=True), written(now)),
            )
            connection.execute("DELETE FROM conversations WHERE changed_at < ?", (written(now - REMEMBERED_FOR),))
