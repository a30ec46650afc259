"""The ledger of what is sent to Slack: a row a post, written before the call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from storage.engine import Connection, Row
from storage.sql import Tables, read, written


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
    tried_at: datetime | None = field(default=None, compare=False)  # when it was first sent
    changed_at: datetime | None = field(default=None, compare=False)
    searches: int = 0  # how often Slack was searched for it in vain; -1 where that cannot be done
    only_for: str | None = None  # whoever alone sees it: such a post is never looked for
    not_before: datetime | None = field(default=None, compare=False)  # when Slack may take it
    asked_by: str | None = None  # who is told where it cannot be posted

    @property
    def is_unsearchable(self) -> bool:
        return self.searches < 0


_AHEAD = timedelta(minutes=10)  # of what was claimed by a clock that has been put right since
# Of rows that are being sent, those whose sender must have died.
_LOST = "state = 'sending' AND (changed_at < :called OR changed_at > :ahead)"
# A post and its parts: those whose key continues its own with a bar.
_PARTS = "(key = :first OR substr(key, 1, length(:first) + 1) = :first || '|')"


def plan(connection: Connection, posts: Sequence[Post], now: datetime) -> bool:
    """Write posts down, all of them or none. False if the first is there already; then nothing changes."""
    if posts and not _insert(connection, posts[0], now):
        return False
    for post in posts[1:]:
        _insert(connection, post, now)
    return True


class Outbox(Tables):
    def plan(self, posts: Sequence[Post], now: datetime) -> bool:
        """Write posts down, all of them or none. False if the first is there already; then nothing changes."""
        with self._transaction(write=True) as connection:
            return plan(connection, posts, now)

    def get(self, key: str) -> Post | None:
        row = self._row("SELECT * FROM outbox WHERE key = ?", (key,))
        return _post(row) if row else None

    def with_root(self, key: str) -> tuple[Post | None, Post | None]:
        """A post, and the one whose thread it belongs to."""
        thread = "(SELECT thread_key FROM outbox WHERE key = :key)"
        rows = self._rows(f"SELECT * FROM outbox WHERE key IN (:key, {thread})", {"key": key})
        found = {row["key"]: _post(row) for row in rows}
        post = found.pop(key, None)
        return post, next(iter(found.values()), None)

    def claim(self, key: str, now: datetime) -> int:
        """Take the post for sending. Only one caller, in any process, gets the number of this attempt; others get 0."""
        with self._transaction(write=True, durable=True) as connection:
            row = connection.execute(
                """UPDATE outbox SET state = 'sending', attempts = attempts + 1, changed_at = :now,
                          tried_at = coalesce(tried_at, :now)
                   WHERE key = :key AND state = 'planned' RETURNING attempts""",
                {"now": written(now), "key": key},
            ).fetchone()
        return int(row["attempts"]) if row else 0

    def renew(self, claimed: Post, now: datetime) -> bool:
        """Note that whoever claimed a post is alive and calls Slack now. False if it was given up meanwhile."""
        changed = self._write(
            "UPDATE outbox SET changed_at = ? WHERE key = ? AND state = 'sending' AND attempts = ?",
            (written(now), claimed.key, claimed.attempts),
        )
        return changed == 1

    def record_attempt(
        self, claimed: Post, state: str, now: datetime, *, ts: str | None = None, error: str | None = None
    ) -> None:
        """Record how an attempt at sending ended: sent (with `ts`), planned (try again), failed or unknown.

        Where the post was given up meanwhile, since the attempt took so long, only that it is sent still counts.
        """
        self._write(
            """UPDATE outbox SET state = :state, ts = coalesce(:ts, ts), error = :error, changed_at = :now
               WHERE key = :key AND ((state = 'sending' AND attempts = :attempts)
                                     OR (:state = 'sent' AND state <> 'sent'))""",
            {"state": state, "ts": ts, "error": error, "now": written(now), "key": claimed.key}
            | {"attempts": claimed.attempts},
        )

    def settle(self, key: str, state: str, now: datetime, *, ts: str | None = None, error: str | None = None) -> None:
        """Record what is known of a post that nobody is sending."""
        self._write(
            "UPDATE outbox SET state = ?, ts = coalesce(?, ts), error = ?, changed_at = ? WHERE key = ?",
            (state, ts, error, written(now), key),
        )

    def revive(self, first: str, now: datetime) -> None:
        """Let a post that Slack refused, and the parts that were not sent because of it, be sent again.

        Refused is certainly not posted, so that nothing is sent twice; what is `unknown` stays so.
        """
        self._write(
            f"""UPDATE outbox SET state = 'planned', error = NULL, changed_at = :now
                WHERE {_PARTS} AND state = 'failed'
                  AND coalesce((SELECT state FROM outbox AS root WHERE root.key = outbox.thread_key), 'failed')
                      NOT IN ('unknown')""",
            {"now": written(now), "first": first},
        )

    def hold(self, first: str, error: str, now: datetime) -> None:
        """Send no more of a post and its parts, until `revive`."""
        self._write(
            f"""UPDATE outbox SET state = 'failed', error = :error, changed_at = :now
                WHERE {_PARTS} AND state = 'planned'""",
            {"now": written(now), "first": first, "error": error},
        )

    def skip(self, key: str, channel: str, now: datetime) -> bool:
        """Note that nothing was to be said, so that it is not looked at again. False if the post is there already."""
        with self._transaction(write=True) as connection:
            return _insert(connection, Post(key, channel, {}), now, "skipped")

    def in_state(self, state: str, prefix: str = "") -> list[Post]:
        """The posts in a state whose key starts with `prefix`, oldest first."""
        rows = self._rows(
            """SELECT * FROM outbox WHERE state = ? AND substr(key, 1, length(?)) = ?
               ORDER BY planned_at, length(key), key""",
            (state, prefix, prefix),
        )
        return [_post(row) for row in rows]

    def parts(self, first: str) -> dict[str, str]:
        """The state of a post and of its parts, in their order."""
        rows = self._rows(f"SELECT key, state FROM outbox WHERE {_PARTS} ORDER BY length(key), key", {"first": first})
        return {row["key"]: row["state"] for row in rows}

    def counts(self) -> dict[str, int]:
        """How many posts there are, by their state."""
        return {row[0]: row[1] for row in self._rows("SELECT state, count(*) FROM outbox GROUP BY state")}

    def keys(self, prefix: str) -> list[str]:
        """The keys that start with `prefix`."""
        rows = self._rows("SELECT key FROM outbox WHERE substr(key, 1, length(?)) = ? ORDER BY key", (prefix, prefix))
        return [row["key"] for row in rows]

    def waiting(self) -> list[tuple[str, str]]:
        """(key, channel) of posts that may be sent now, oldest first.

        A part of a thread waits until its root is sent and no part before it is under way or `unknown`: what stands in
        Slack is never out of order. One that was refused holds back nothing.
        """
        rows = self._rows(
            """WITH open AS (
                 SELECT key, thread_key, channel, state, planned_at, row_number() OVER (
                   PARTITION BY coalesce(thread_key, key) ORDER BY length(key), key) AS place
                 FROM outbox WHERE state IN ('planned', 'sending', 'unknown'))
               SELECT key, channel FROM open
               WHERE state = 'planned' AND place = 1
                 AND (thread_key IS NULL
                      OR (SELECT state FROM outbox AS root WHERE root.key = open.thread_key) = 'sent')
               ORDER BY planned_at, length(key), key"""
        )
        return [(row["key"], row["channel"]) for row in rows]

    def forget(self, prefix: str, before: datetime) -> int:
        """Remove posts sent before an instant whose key starts with `prefix`. Returns how many."""
        return self._write(
            "DELETE FROM outbox WHERE substr(key, 1, length(?)) = ? AND state = 'sent' AND changed_at < ?",
            (prefix, prefix, written(before)),
        )

    # --- posts of which it is not known whether Slack took them

    def give_up_on_lost(self, now: datetime, after: timedelta) -> list[str]:
        """Posts that have been `sending` for longer than any call lasts: their sender died. A message is changed once
        more. Whether Slack took the others is not known: they become `unknown`, since the last call; of a clock that
        was put back since, as of now. Returns the keys of these."""
        lost = {"now": written(now), "called": written(now - after), "ahead": written(now + _AHEAD)}
        if self._row(f"SELECT 1 FROM outbox WHERE {_LOST}", lost) is None:
            return []  # most of the time, and nobody who writes is held up
        with self._transaction(write=True) as connection:
            connection.execute(
                f"UPDATE outbox SET state = 'planned', changed_at = :now WHERE ts IS NOT NULL AND {_LOST}",
                lost,
            )
            rows = connection.execute(
                f"""UPDATE outbox SET error = 'the process ended while this was being sent', state = 'unknown',
                           changed_at = CASE WHEN changed_at < :now THEN changed_at ELSE :now END
                    WHERE {_LOST} RETURNING key""",
                lost,
            ).fetchall()
        return sorted(row["key"] for row in rows)

    def found(self, post: Post, ts: str, now: datetime) -> bool:
        """Slack has a post that was `unknown`. False if somebody else has settled it meanwhile."""
        return self._resolve(post, "state = 'sent', ts = :ts, error = NULL", now, ts)

    def not_found(self, post: Post, now: datetime) -> bool:
        """Slack was searched for an `unknown` post in vain. False if somebody else has settled it meanwhile."""
        return self._resolve(post, "searches = CASE WHEN searches < 0 THEN 1 ELSE searches + 1 END", now)

    def mark_unsearchable(self, post: Post, why: str, now: datetime) -> bool:
        """An `unknown` post cannot be looked for. False if somebody else has settled it meanwhile."""
        return self._resolve(post, "searches = -1, error = :why", now, why=why)

    def try_again(self, post: Post, now: datetime) -> bool:
        """Slack never took an `unknown` post: it may be sent. False if somebody else has settled it meanwhile."""
        return self._resolve(post, "state = 'planned', searches = 0, error = NULL", now)

    def _resolve(self, post: Post, what: str, now: datetime, ts: str = "", why: str = "") -> bool:
        changed = self._write(  # only as it was when it was read: others look too
            f"""UPDATE outbox SET {what}, changed_at = :now
                WHERE key = :key AND state = 'unknown' AND attempts = :attempts AND searches = :searches""",
            {"key": post.key, "attempts": post.attempts, "searches": post.searches}
            | {"now": written(now), "ts": ts, "why": why},
        )
        return changed == 1


def _insert(connection: Connection, post: Post, now: datetime, state: str = "planned") -> bool:
    """False if the post is there already; then nothing changes."""
    added = connection.execute(
        """INSERT INTO outbox
           (key, channel, thread_key, thread_ts, payload, state, planned_at, changed_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
        (post.key, post.channel, post.thread_key, post.thread_ts, _json(post), state, written(now), written(now)),
    )
    return added.rowcount == 1


def _json(post: Post) -> str:
    return json.dumps(post.payload, sort_keys=True)


def _post(row: Row) -> Post:
    values = dict(row)
    del values["planned_at"]
    values["payload"] = json.loads(row["payload"])
    return Post(**values | {name: read(row[name]) for name in ("tried_at", "changed_at", "not_before")})
