"""What a thread is about, so that a follow-up need not say it again, and what readers thought of an answer."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Literal

from storage.sql import Tables, written

REMEMBERED_FOR = timedelta(days=30)
Opinion = Literal["good", "bad"]


class Conversations(Tables):
    def recall(self, channel: str, thread: str, now: datetime) -> dict[str, Any] | None:
        """What the thread was last about, unless that is more than thirty days ago."""
        row = self._row(
            "SELECT context FROM conversations WHERE channel = ? AND thread = ? AND changed_at >= ?",
            (channel, thread, written(now - REMEMBERED_FOR)),
        )
        return json.loads(row["context"]) if row else None

    def remember(self, channel: str, thread: str, about: dict[str, Any], now: datetime) -> None:
        """Keep what the thread is about, and forget threads that have been silent for thirty days."""
        with self._transaction(write=True) as connection:
            connection.execute(
                """INSERT INTO conversations (channel, thread, context, changed_at) VALUES (?, ?, ?, ?)
                   ON CONFLICT (channel, thread)
                   DO UPDATE SET context = excluded.context, changed_at = excluded.changed_at""",
                (channel, thread, json.dumps(about, sort_keys=True), written(now)),
            )
            connection.execute("DELETE FROM conversations WHERE changed_at < ?", (written(now - REMEMBERED_FOR),))


class Feedback(Tables):
    """One opinion a reader and message, the last one they gave."""

    def give(self, channel: str, ts: str, user: str, opinion: Opinion, now: datetime) -> bool:
        """Keep what a reader thinks of a message, in place of what they thought before. False if they said so
        already."""
        changed = self._write(
            """INSERT INTO feedback (channel, ts, "user", value, at) VALUES (?, ?, ?, ?, ?)
               ON CONFLICT (channel, ts, "user") DO UPDATE SET value = excluded.value, at = excluded.at
               WHERE feedback.value <> excluded.value""",
            (channel, ts, user, opinion, written(now)),
        )
        return changed == 1

    def counts(self) -> dict[Opinion, int]:
        """How many opinions of each sort there are."""
        found = {row[0]: row[1] for row in self._rows("SELECT value, count(*) FROM feedback GROUP BY value")}
        return {"good": found.get("good", 0), "bad": found.get("bad", 0)}
