"""What threads are about, so that a follow-up question need not say it again, and what readers thought of answers."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Literal

from storage.sql import Transaction, written

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


Opinion = Literal["good", "bad"]


class Feedback:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def give(self, channel: str, ts: str, user: str, opinion: Opinion, now: datetime) -> bool:
        """Keep what a reader thinks of a message, in place of what they thought before. False if they said so
        already."""
        with self._transaction(write=True) as connection:
            changed = connection.execute(
                """INSERT INTO feedback (channel, ts, user, value, at) VALUES (?, ?, ?, ?, ?)
                   ON CONFLICT (channel, ts, user) DO UPDATE SET value = excluded.value, at = excluded.at
                   WHERE value <> excluded.value""",
                (channel, ts, user, opinion, written(now)),
            )
            return changed.rowcount == 1

    def counts(self) -> dict[Opinion, int]:
        """How many opinions of each sort there are."""
        with self._transaction() as connection:
            found = dict(connection.execute("SELECT value, count(*) FROM feedback GROUP BY value").fetchall())
        return {"good": found.get("good", 0), "bad": found.get("bad", 0)}
