"""What readers thought of an answer: one opinion a reader and message, the last one they gave."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from storage.transactions import Transaction, written

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
