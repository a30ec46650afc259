"""Posts that stand in Slack before their words are known: rows of the outbox whose message is written as it is read.

Such a row is `sending`, with its `ts`, from the moment its message begins until its words are handed in. A row that is
`planned` and has a `ts` is one whose message waits for its words: these replace what stands there, which may be done
any number of times.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from storage.outbox import LOST, Post, lost
from storage.transactions import Transaction, written


class Streams:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def begin(self, post: Post, now: datetime) -> bool:
        """Write a post down as one that is being sent, with the words it will have if its writer dies. False if it
        was written down before; then nothing changes."""
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    """INSERT OR IGNORE INTO outbox
                       (key, channel, thread_key, thread_ts, payload, state, attempts, planned_at, changed_at)
                       VALUES (?, ?, ?, ?, ?, 'sending', 1, ?, ?)""",
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
                == 1
            )

    def complete(self, posts: Sequence[Post], now: datetime) -> bool:
        """Give the first post, whose message has begun or could not begin, its words, and write the others down; all
        of them or none. False if the first is not being sent any more; then nothing changes."""
        with self._transaction(write=True) as connection:
            for number, post in enumerate(posts):
                said = json.dumps(post.payload, sort_keys=True)
                if number:
                    connection.execute(
                        """INSERT OR IGNORE INTO outbox
                           (key, channel, thread_key, thread_ts, payload, state, planned_at, changed_at)
                           VALUES (?, ?, ?, ?, ?, 'planned', ?, ?)""",
                        (post.key, post.channel, post.thread_key, post.thread_ts, said, written(now), written(now)),
                    )
                elif not connection.execute(
                    """UPDATE outbox SET payload = ?, thread_ts = ?, state = 'planned', changed_at = ?
                       WHERE key = ? AND state = 'sending'""",
                    (said, post.thread_ts, written(now), post.key),
                ).rowcount:
                    return False
        return True

    def abandoned(self, now: datetime, after: timedelta, unwritten: timedelta) -> list[str]:
        """Let messages whose words were not handed in for `unwritten`, or are being handed in for longer than `after`,
        be ended with the words they have, since their writer died. Returns their keys."""
        with self._transaction(write=True) as connection:
            rows = connection.execute(
                f"UPDATE outbox SET state = 'planned', changed_at = :now WHERE ts IS NOT NULL AND {LOST} RETURNING key",
                lost(now, after, unwritten),
            ).fetchall()
        return sorted(row["key"] for row in rows)
