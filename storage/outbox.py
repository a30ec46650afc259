"""The ledger of what is sent to Slack: a row a post, written before the call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from storage.engine import Connection, Row, Tables, read, written


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
    planned_at: datetime | None = field(default=None, compare=False)
    searches: int = 0  # how often Slack was searched for it in vain; -1 where that cannot be done
    only_for: str | None = None  # whoever alone sees it: such a post is never looked for
    not_before: datetime | None = field(default=None, compare=False)  # when Slack may take it
    asked_by: str | None = None  # who is told where it cannot be posted

    @property
    def is_unsearchable(self) -> bool:
        return self.searches < 0


MOST_WAIT = timedelta(hours=1)  # until a post is tried again, whatever Slack asks for
WITHDRAWN = {"text": "What may be shown here has changed since this was written: please ask again."}
_AHEAD = timedelta(minutes=10)  # of what was claimed by a clock that has been put right since
# Of rows that are being sent, those whose sender must have died.
_LOST = "state = 'sending' AND (changed_at < :called OR changed_at > :ahead)"
# A post and its parts: those whose key continues its own with a bar.
_PARTS = "(key = :first OR substr(key, 1, length(:first) + 1) = :first || '|')"


def withdraw(connection: Connection) -> None:
    """Send nothing of what waits as it was written, since fewer may read of something by now. A digest of which nothing
    was sent is due again, and made anew; all else that tells of work gives way to a sentence."""
    waits = "state IN ('planned', 'failed')"
    connection.execute(
        f"""DELETE FROM outbox WHERE substr(key, 1, 7) = 'digest|' AND coalesce(thread_key, key) NOT IN
              (SELECT coalesce(thread_key, key) FROM outbox WHERE NOT ({waits}))"""
    )
    update = f"UPDATE outbox SET payload = ? WHERE ({waits} OR state = 'unknown')"
    connection.execute(f"{update} AND substr(key, 1, 5) NOT IN ('pause', 'lost|', 'claim')", (json.dumps(WITHDRAWN),))


class Outbox(Tables):
    def plan(self, posts: Sequence[Post], now: datetime, state: str = "planned") -> bool:
        """Write posts down, all of them or none; the first in a `state`, which is "sending" where whoever plans it
        sends it next. False if it is there already; then nothing changes."""
        with self._transaction(write=True) as connection:
            if posts and not _insert(connection, posts[0], now, state):
                return False
            for post in posts[1:]:
                _insert(connection, post, now)
            return True

    def get(self, key: str) -> Post | None:
        row = self._row("SELECT * FROM outbox WHERE key = ?", (key,))
        return _post(row) if row else None

    def claim(self, key: str, now: datetime) -> int:
        """Take the post for sending. Only one caller, in any process, gets the number of this attempt; others get 0."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                """UPDATE outbox SET state = 'sending', attempts = attempts + 1, changed_at = :now,
                          tried_at = coalesce(tried_at, :now)
                   WHERE key = :key AND state = 'planned' RETURNING attempts""",
                {"now": written(now), "key": key},
            ).fetchone()
        return int(row["attempts"]) if row else 0

    def renew(self, claimed: Post, now: datetime) -> bool:
        """Note that whoever claimed a post is alive and calls Slack now. False if it was given up meanwhile."""
        update = "UPDATE outbox SET changed_at = ? WHERE key = ? AND state = 'sending' AND attempts = ?"
        return self._write(update, (written(now), claimed.key, claimed.attempts)) == 1

    def record_attempt(
        self,
        claimed: Post,
        state: str,
        now: datetime,
        *,
        ts: str | None = None,
        error: str | None = None,
        not_before: datetime | None = None,
        then: Post | None = None,
    ) -> None:
        """Record how an attempt at sending ended: sent (with `ts`), planned (try again, `not_before` a time), failed or
        unknown; and, in the same transaction, write down what follows from that.

        Where the post was given up meanwhile, since the attempt took so long, only that it is sent still counts.
        """
        values: dict[str, Any] = {"state": state, "ts": ts, "error": error, "now": written(now), "key": claimed.key}
        values |= {"attempts": claimed.attempts, "not_before": not_before and written(not_before)}
        with self._transaction(write=True) as connection:
            changed = connection.execute(
                """UPDATE outbox SET state = :state, ts = coalesce(:ts, ts), error = :error, changed_at = :now,
                          not_before = :not_before
                   WHERE key = :key AND ((state = 'sending' AND attempts = :attempts)
                                         OR (:state = 'sent' AND state <> 'sent'))""",
                values,
            ).rowcount
            if changed and then:
                _insert(connection, then, now)

    def put_off(self, key: str, until: datetime) -> None:
        """Slack will not take a post before some time."""
        self._write("UPDATE outbox SET not_before = ? WHERE key = ? AND state = 'planned'", (written(until), key))

    def plan_change(self, post: Post, now: datetime) -> None:
        """Write down what a message, the one with the post's `ts`, is to be changed into: changes of it that are not
        made yet are not made any more."""
        with self._transaction(write=True) as connection:
            connection.execute(
                """UPDATE outbox SET state = 'skipped', changed_at = ? WHERE channel = ? AND ts = ?
                   AND state IN ('planned', 'sending') AND substr(key, 1, 7) = 'change|'""",
                (written(now), post.channel, post.ts),
            )
            _insert(connection, post, now)

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
            f"""UPDATE outbox SET state = 'planned', error = NULL, not_before = NULL, changed_at = :now
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

    def held(self) -> tuple[int, datetime | None]:
        """How many posts wait to be sent, and since when the oldest does."""
        row = self._rows("SELECT count(*), min(planned_at) FROM outbox WHERE state = 'planned'")[0]
        return row[0], read(row[1])

    def waiting(self, now: datetime) -> list[tuple[str, str, float]]:
        """Posts that are to be sent, oldest first: the key, what it waits behind, and in how many seconds Slack may
        take it. What Slack limits by itself is a lane of its own: of each channel, what all see, what one person alone
        sees, and changes.

        A part of a thread waits until its root is sent and no part before it is under way or `unknown`: what stands in
        Slack is never out of order. One that was refused holds back nothing.
        """
        rows = self._rows(
            """WITH open AS (
                 SELECT key, thread_key, channel, state, planned_at, not_before, only_for, ts, row_number() OVER (
                   PARTITION BY coalesce(thread_key, key) ORDER BY length(key), key) AS place
                 FROM outbox WHERE state IN ('planned', 'sending', 'unknown'))
               SELECT key, not_before, channel || CASE WHEN only_for IS NOT NULL THEN '|only'
                                              WHEN ts IS NOT NULL THEN '|change' ELSE '' END AS lane
               FROM open
               WHERE state = 'planned' AND place = 1
                 AND (thread_key IS NULL
                      OR (SELECT state FROM outbox AS root WHERE root.key = open.thread_key) = 'sent')
               ORDER BY planned_at, length(key), key"""
        )
        return [(row["key"], row["lane"], _seconds(now, read(row["not_before"]))) for row in rows]

    def forget(self, prefix: str, before: datetime) -> int:
        """Remove posts that were settled before an instant whose key starts with `prefix`. Returns how many."""
        return self._write(
            """DELETE FROM outbox WHERE substr(key, 1, length(?)) = ? AND state IN ('sent', 'failed', 'skipped')
               AND changed_at < ?""",
            (prefix, prefix, written(before)),
        )

    # --- posts of which it is not known whether Slack took them

    def give_up_on_lost(
        self, now: datetime, after: timedelta, then: Callable[[Post], Post | None] = lambda _: None
    ) -> list[str]:
        """Posts that have been `sending` for longer than any call lasts: their sender died. A message is changed once
        more. Whether Slack took the others is not known. What one person alone sees cannot be looked for: it has
        failed, and what `then` says is written down instead. The others become `unknown`, since the last call; of a
        clock that was put back since, as of now. Returns the keys of these."""
        lost = {"now": written(now), "called": written(now - after), "ahead": written(now + _AHEAD)}
        if self._row(f"SELECT 1 FROM outbox WHERE {_LOST}", lost) is None:
            return []  # most of the time, and nobody who writes is held up
        with self._transaction(write=True) as connection:
            rows = connection.execute(
                f"""UPDATE outbox SET
                      state = CASE WHEN ts IS NOT NULL THEN 'planned' WHEN only_for IS NULL THEN 'unknown'
                              ELSE 'failed' END,
                      error = CASE WHEN ts IS NULL THEN 'the process ended while this was being sent' ELSE error END,
                      changed_at = CASE WHEN ts IS NULL AND only_for IS NULL AND changed_at < :now THEN changed_at
                                   ELSE :now END
                    WHERE {_LOST} RETURNING *""",
                lost,
            ).fetchall()
            posts = [_post(row) for row in rows]
            for post in filter(None, [then(one) for one in posts if one.state == "failed"]):
                _insert(connection, post, now)
        return sorted(one.key for one in posts if one.state == "unknown")

    def resolve(
        self, post: Post, state: str, now: datetime, *, ts: str | None = None, searches: int = 0,
        error: str | None = None,
    ) -> bool:  # fmt: skip
        """Record what was found out of an `unknown` post: sent (with `ts`); planned, since Slack never took it and it
        may be sent; or still unknown, after so many `searches`. False if somebody else has settled it meanwhile."""
        changed = self._write(  # only as it was when it was read: others look too
            """UPDATE outbox SET state = ?, ts = coalesce(?, ts), searches = ?, error = ?, changed_at = ?
               WHERE key = ? AND state = 'unknown' AND attempts = ? AND searches = ?""",
            (state, ts, searches, error, written(now), post.key, post.attempts, post.searches),
        )
        return changed == 1


def _insert(connection: Connection, post: Post, now: datetime, state: str = "planned") -> bool:
    """False if the post is there already; then nothing changes."""
    added = connection.execute(
        """INSERT INTO outbox
           (key, channel, thread_key, thread_ts, ts, payload, state, only_for, asked_by, planned_at, changed_at,
            attempts, tried_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
        (
            post.key, post.channel, post.thread_key, post.thread_ts, post.ts, _json(post), state, post.only_for,
            post.asked_by, written(now), written(now), *((1, written(now)) if state == "sending" else (0, None)),
        ),
    )  # fmt: skip
    return added.rowcount == 1


def _seconds(now: datetime, until: datetime | None) -> float:
    """From now until then; no time where that is further off than anybody asks to wait: by a clock that was put right
    since."""
    wait = until - now if until else timedelta(0)
    return wait.total_seconds() if timedelta(0) < wait <= MOST_WAIT else 0.0


def _json(post: Post) -> str:
    return json.dumps(post.payload, sort_keys=True)


def _post(row: Row) -> Post:
    times = {name: read(row[name]) for name in ("planned_at", "tried_at", "changed_at", "not_before")}
    return Post(**dict(row) | times | {"payload": json.loads(row["payload"])})
