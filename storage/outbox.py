"""The ledger of what is sent to Slack: a row a post, written before the call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from storage.transactions import Transaction, written


@dataclass(frozen=True, slots=True)
class Post:
    """One message to one channel. `thread_key` names the post whose thread it belongs to."""

    key: str
    channel: str
    payload: Mapping[str, Any]
    thread_key: str | None = None
    thread_ts: str | None = None
    state: str = "planned"
    attempts: int = 0
    ts: str | None = None
    error: str | None = None


class Outbox:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def plan(self, posts: Sequence[Post], now: datetime) -> bool:
        """Write posts down, all of them or none. False if the first is there already; then nothing changes."""
        with self._transaction(write=True) as connection:
            for number, post in enumerate(posts):
                added = connection.execute(
                    """INSERT OR IGNORE INTO outbox
                       (key, channel, thread_key, thread_ts, payload, state, planned_at, changed_at)
                       VALUES (?, ?, ?, ?, ?, 'planned', ?, ?)""",
                    (
                        post.key,
                        post.channel,
                        post.thread_key,
                        post.thread_ts,
                        json.dumps(post.payload, sort_keys=True),
                        written(now),
                        written(now),
                    ),
                ).rowcount
                if not added and number == 0:
                    return False
        return True

    def get(self, key: str) -> Post | None:
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM outbox WHERE key = ?", (key,)).fetchone()
        return _post(row) if row else None

    def claim(self, key: str, now: datetime) -> bool:
        """Take the post for sending. Only one caller, in any process, gets True."""
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    """UPDATE outbox SET state = 'sending', attempts = attempts + 1, changed_at = ?
                       WHERE key = ? AND state = 'planned'""",
                    (written(now), key),
                ).rowcount
                == 1
            )

    def settle(self, key: str, state: str, now: datetime, *, ts: str | None = None, error: str | None = None) -> None:
        """Record how sending ended: sent (with `ts`), planned (try again), failed or unknown."""
        with self._transaction(write=True) as connection:
            connection.execute(
                "UPDATE outbox SET state = ?, ts = coalesce(?, ts), error = ?, changed_at = ? WHERE key = ?",
                (state, ts, error, written(now), key),
            )

    def revive(self, first: str, now: datetime) -> None:
        """Let a post that Slack refused, and the parts that were not sent because of it, be sent again.

        Refused is certainly not posted, so that nothing is sent twice; what is `unknown` stays so.
        """
        with self._transaction(write=True) as connection:
            connection.execute(
                """UPDATE outbox SET state = 'planned', error = NULL, changed_at = ?
                   WHERE (key = ? OR substr(key, 1, ?) = ?) AND state = 'failed'
                     AND coalesce((SELECT state FROM outbox AS root WHERE root.key = outbox.thread_key), 'failed')
                         NOT IN ('unknown')""",
                (written(now), first, len(first) + 1, f"{first}|"),
            )

    def refused(self, prefix: str, since: datetime) -> list[str]:
        """The keys that start with `prefix` of posts that Slack refused before `since`."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT key FROM outbox WHERE substr(key, 1, ?) = ? AND state = 'failed' AND changed_at < ?",
                (len(prefix), prefix, written(since)),
            )
            return [row["key"] for row in rows]

    def parts(self, first: str) -> dict[str, str]:
        """The state of a post and of those whose key continues its own with a bar, in the order of the parts."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT key, state FROM outbox WHERE key = ? OR substr(key, 1, ?) = ? ORDER BY length(key), key",
                (first, len(first) + 1, f"{first}|"),
            )
            return {row["key"]: row["state"] for row in rows}

    def keys(self, prefix: str) -> list[str]:
        """The keys that start with `prefix`."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT key FROM outbox WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix)
            )
            return [row["key"] for row in rows]

    def planned(self) -> list[Post]:
        """Posts that wait to be sent, oldest first."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM outbox WHERE state = 'planned' ORDER BY planned_at, length(key), key"
            )
            return [_post(row) for row in rows]

    def give_up_on_lost(self, now: datetime, after: timedelta) -> list[str]:
        """Posts that have been `sending` for longer than any call lasts: their sender died, and whether
        Slack took them is not known. They become `unknown`. Returns their keys."""
        with self._transaction(write=True) as connection:
            rows = connection.execute(
                """UPDATE outbox SET state = 'unknown', changed_at = ?,
                          error = 'the process ended while this was being sent'
                   WHERE state = 'sending' AND changed_at < ? RETURNING key""",
                (written(now), written(now - after)),
            ).fetchall()
        return sorted(row["key"] for row in rows)

    def forget(self, prefix: str, before: datetime) -> int:
        """Remove posts sent before an instant whose key starts with `prefix`. Returns how many."""
        with self._transaction(write=True) as connection:
            return connection.execute(
                "DELETE FROM outbox WHERE substr(key, 1, ?) = ? AND state = 'sent' AND changed_at < ?",
                (len(prefix), prefix, written(before)),
            ).rowcount


def _post(row: Mapping[str, Any]) -> Post:
    return Post(
        key=row["key"],
        channel=row["channel"],
        payload=json.loads(row["payload"]),
        thread_key=row["thread_key"],
        thread_ts=row["thread_ts"],
        state=row["state"],
        attempts=row["attempts"],
        ts=row["ts"],
        error=row["error"],
    )
