"""What is said in Slack and known of it: the outbox, a row a post, written before the call; what Slack delivered; what
threads are about; digests, and what their readers know.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from bot.digest.subscriptions import DigestPost, DigestSubscription, SubscriptionId
from bot.month.calendar import Period, parse_period
from bot.settings import DigestSettings
from storage.engine import Connection, Row, Tables, batches, marks, read, written

log = logging.getLogger(__name__)

EVENTS_REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours
ANSWERED_WITHIN = timedelta(days=1)  # who asked longer ago has asked again, or somebody else
MOST_STARTS = 3  # a question that ends its process each time must not do so for ever


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
            post.key, post.channel, post.thread_key, post.thread_ts, post.ts, json.dumps(post.payload, sort_keys=True),
            state, post.only_for, post.asked_by, written(now), written(now),
            *((1, written(now)) if state == "sending" else (0, None)),
        ),
    )  # fmt: skip
    return added.rowcount == 1


def _seconds(now: datetime, until: datetime | None) -> float:
    """From now until then; no time where that is further off than anybody asks to wait: by a clock that was put right
    since."""
    wait = until - now if until else timedelta(0)
    return wait.total_seconds() if timedelta(0) < wait <= MOST_WAIT else 0.0


def _post(row: Row) -> Post:
    times = {name: read(row[name]) for name in ("planned_at", "tried_at", "changed_at", "not_before")}
    return Post(**dict(row) | times | {"payload": json.loads(row["payload"])})


class ProcessedEvents(Tables):
    def claim(self, event: str, now: datetime) -> bool:
        """Whether this is the first to process an event: of several callers, in any process, one gets True.

        An event is forgotten after a day.
        """
        insert = "INSERT INTO processed_events (event, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM processed_events WHERE at < ?", (written(now - EVENTS_REMEMBERED_FOR),))
            return connection.execute(insert, (event, written(now))).rowcount == 1

    def release(self, event: str) -> None:
        """Give up a claim, since the event could not be processed: whoever delivers it again is the first."""
        self._write("DELETE FROM processed_events WHERE event = ?", (event,))


class PendingEvents(Tables):
    """Questions that Slack was told are received. Whoever answers one leases it, and renews that until it is answered;
    what nobody renews belongs to a process that died, and is for whoever takes it."""

    def keep(self, bodies: Iterable[tuple[str, Mapping[str, Any]]], now: datetime, until: datetime) -> set[str]:
        """Write down what Slack delivered, by the ids of the events. Returns those that are the caller's to answer; of
        the others another process does, at this moment."""
        with self._transaction(write=True) as connection:
            return {
                event
                for event, body in bodies
                if connection.execute(
                    """INSERT INTO pending_events (event, body, at, leased_until) VALUES (?, ?, ?, ?)
                       ON CONFLICT (event) DO UPDATE SET leased_until = excluded.leased_until
                       WHERE pending_events.leased_until IS NULL OR pending_events.leased_until < excluded.at
                       RETURNING event""",
                    (event, _text(body, 0), written(now), written(until)),
                ).fetchone()
            }

    def renew(self, events: Iterable[str], until: datetime) -> set[str]:
        """Lease events for longer. Returns those that still wait for their answer."""
        update, values = "UPDATE pending_events SET leased_until = ? WHERE event = ?", (written(until),)
        with self._transaction(write=True) as connection:
            return {one for one in sorted(events) if connection.execute(update, (*values, one)).rowcount}

    def release(self, events: Iterable[str]) -> None:
        """Leave events to whoever takes them."""
        with self._transaction(write=True) as connection:
            connection.executemany(
                "UPDATE pending_events SET leased_until = NULL WHERE event = ?", [(event,) for event in sorted(events)]
            )

    def answered(self, events: Iterable[str]) -> None:
        """They need no answer any more."""
        with self._transaction(write=True) as connection:
            connection.executemany("DELETE FROM pending_events WHERE event = ?", [(event,) for event in sorted(events)])

    def take(self, now: datetime, until: datetime, leased: datetime | None = None) -> list[dict[str, Any]]:
        """Lease until then what was delivered within a day and was released, or was `leased` until before that time,
        oldest first.

        What is older is dropped, as is, with a warning, what was taken MOST_STARTS times.
        """
        free, before = "coalesce(leased_until, '') < ?", (written(leased or datetime.min.replace(tzinfo=UTC)),)
        if self._row(f"SELECT 1 FROM pending_events WHERE {free}", before) is None:
            return []  # most of the time, and nobody who writes is held up
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM pending_events WHERE at < ?", (written(now - ANSWERED_WITHIN),))
            rows = connection.execute(
                f"SELECT event, body FROM pending_events WHERE {free} ORDER BY at, event", before
            ).fetchall()
            kept = [(row["event"], json.loads(row["body"])) for row in rows]
            gone = [(event,) for event, one in kept if one["starts"] >= MOST_STARTS]
            connection.executemany("DELETE FROM pending_events WHERE event = ?", gone)
            for (event,) in gone:
                log.warning("the question %s is given up: %d processes ended over it", event, MOST_STARTS)
            left = [(event, one) for event, one in kept if one["starts"] < MOST_STARTS]
            connection.executemany(
                "UPDATE pending_events SET body = ?, leased_until = ? WHERE event = ?",
                [(_text(one["delivered"], one["starts"] + 1), written(until), event) for event, one in left],
            )
        return [one["delivered"] for _, one in left]

    def count(self) -> int:
        """How many questions wait for an answer."""
        return len(self._rows("SELECT event FROM pending_events"))


def _text(body: Mapping[str, Any], starts: int) -> str:
    return json.dumps({"delivered": body, "starts": starts}, sort_keys=True)


REMEMBERED_FOR = timedelta(days=30)


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


_SETTINGS = frozenset(one.name for one in fields(DigestSettings))


class Digests(Tables):
    def all(self) -> list[DigestSubscription]:
        """Every digest that is wanted, in order of key and cadence. What it says is not checked."""
        rows = self._rows("SELECT * FROM digests WHERE removed_at IS NULL ORDER BY key, cadence")
        return [_subscription(row) for row in rows]

    def put(self, one: DigestSubscription, now: datetime) -> None:
        """Make a digest, or change what it is of; whether it is paused stays as it is.

        One that was removed begins anew.
        """
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM digests WHERE key = ? AND cadence = ? AND removed_at IS NOT NULL", one.id)
            connection.execute(
                """INSERT INTO digests (key, cadence, origin, wanted, since, first, owner, changed_at, wanted_at)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (key, cadence) DO UPDATE SET origin = excluded.origin, wanted = excluded.wanted,
                     first = excluded.first, owner = coalesce(nullif(digests.owner, ''), excluded.owner),
                     changed_at = excluded.changed_at, wanted_at = excluded.wanted_at""",
                (
                    *one.id, one.origin, _json(one), written(one.since or now),
                    str(one.first or ""), one.owner, written(now), written(now),
                ),
            )  # fmt: skip

    def pause(self, one: SubscriptionId, why: str, now: datetime, *, reported: bool = False) -> bool:
        """Post nothing of it until `resume`; `reported` where nobody need be notified, since somebody wants it so.

        False if it was paused already, or there is none.
        """
        return self._changed(
            "paused_at = ?, paused_why = ?, told_at = ?, changed_at = ?",
            (written(now), why, written(now) if reported else None, written(now)),
            one,
            "paused_at IS NULL",
        )

    def resume(self, one: SubscriptionId, first: Period, now: datetime) -> bool:
        """Post again, from the period `first` on. False if it was not paused, or there is none."""
        return self._changed(
            "paused_at = NULL, paused_why = '', told_at = NULL, first = ?, changed_at = ?",
            (str(first), written(now)),
            one,
            "paused_at IS NOT NULL",
        )

    def reported(self, one: SubscriptionId, now: datetime) -> bool:
        """Note that the owner is notified that it is paused. Only one caller, in any process, gets True."""
        return self._changed("told_at = ?", (written(now),), one, "paused_at IS NOT NULL AND told_at IS NULL")

    def remove(self, one: SubscriptionId, now: datetime) -> bool:
        """Want it no more. False if there is none."""
        return self._changed("removed_at = ?", (written(now),), one)

    def keep_wanted(self, some: Iterable[SubscriptionId], now: datetime, since: datetime) -> None:
        """Note that an almanac.toml has these at this moment; those that one has had `since` then, and another one took
        out, are wanted again as they stood."""
        update = """UPDATE digests SET removed_at = CASE WHEN wanted_at > ? THEN NULL ELSE removed_at END, wanted_at = ?
                    WHERE key = ? AND cadence = ? AND origin = 'toml'"""
        with self._transaction(write=True) as connection:
            connection.executemany(update, [(written(since), written(now), *one) for one in some])

    def _changed(self, to: str, values: tuple[str | None, ...], one: SubscriptionId, where: str = "TRUE") -> bool:
        sql = f"UPDATE digests SET {to} WHERE key = ? AND cadence = ? AND removed_at IS NULL AND {where}"
        return self._write(sql, (*values, *one)) == 1

    # posted

    def plan(
        self, post: DigestPost, changes: Mapping[str, Iterable[str]], messages: Sequence[Post], now: datetime,
        covered: Iterable[str] = (), state: str = "planned",
    ) -> bool:  # fmt: skip
        """Write the messages of a digest down to be sent, what it is of, and what its readers will know: the changes
        that it tells, each with the events that are known by now. `covered` are the SHAs of all that it was made from,
        which no other post of the subscription tells; in the state "skipped", nothing was to be said of them. All or
        nothing: False, and nothing changes, if it was written down before and not skipped."""
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM outbox WHERE key = ? AND state = 'skipped'", (post.key,))
            if not Outbox(self._transaction).plan(messages, now, state):
                return False
            connection.execute(
                """INSERT INTO digest_posts (post, wanted, period, is_whole) VALUES (?, ?, ?, ?)
                   ON CONFLICT (post) DO UPDATE SET wanted = excluded.wanted""",
                (post.key, _json(post.subscription), str(post.period), int(post.is_whole)),
            )
            _note(connection, _shown(post.key, changes), now)
            if post.is_whole:
                _note(connection, ((post.key, sha, COVERED) for sha in ("", *covered)), now)
        return True

    def posts(self) -> dict[str, DigestPost]:
        """All that were noted, by the keys of their first messages."""
        found: dict[str, DigestPost] = {}
        for row in self._rows("SELECT * FROM digest_posts ORDER BY post"):
            wanted, period = DigestSubscription(**_settings(row["wanted"])), parse_period(row["period"])
            found[row["post"]] = DigestPost(row["post"], wanted, period, bool(row["is_whole"]))
        return found


def _json(one: DigestSubscription) -> str:
    return json.dumps(one.as_wanted(), sort_keys=True)


def _settings(text: str) -> Mapping[str, Any]:
    """What a table of almanac.toml would say; what only another version knows is left out."""
    return {name: value for name, value in json.loads(text).items() if name in _SETTINGS}


def _subscription(row: Row) -> DigestSubscription:
    return DigestSubscription(
        **_settings(row["wanted"]),
        origin=row["origin"],
        owner=row["owner"],
        since=read(row["since"]),
        first=parse_period(row["first"]) if row["first"] else None,
        paused_at=read(row["paused_at"]),
        paused_why=row["paused_why"],
        reported_at=read(row["told_at"]),
        changed_at=read(row["changed_at"]),
    )


CHANGE_ITSELF = ""  # in place of an event: the change itself was shown
COVERED = "covered"  # likewise: not a change but a commit, from which the post was made; or none, where it noted those


class DigestSnapshots(Tables):
    """What the readers of a posted digest know: its changes, and of each the events, commits that reverted it or
    brought it back. A digest is known by the outbox key of its first message."""

    def posted(self, post: str, changes: Mapping[str, Iterable[str]], now: datetime) -> None:
        """Note what a digest tells: its changes, each with the events that are known by now. May be said again; what
        was noted stays."""
        with self._transaction(write=True) as connection:
            _note(connection, _shown(post, changes), now)

    def known(self, post: str) -> dict[str, frozenset[str]]:
        """The changes that a digest showed, and of each the events that its readers know."""
        found: dict[str, set[str]] = defaultdict(set)
        query = "SELECT change, event FROM digest_snapshots WHERE post = ? ORDER BY change, event"
        for row in self._rows(query, (post,)):
            found[row["change"]].add(row["event"])
        return {
            change: frozenset(events - {CHANGE_ITSELF, COVERED})
            for change, events in found.items()
            if CHANGE_ITSELF in events
        }

    def covered(self, prefix: str) -> dict[str, set[str]]:
        """The SHAs of the commits from which each digest was made whose key starts with `prefix`, and an empty one;
        nothing of one that was posted before that was noted."""
        found: dict[str, set[str]] = defaultdict(set)
        query = "SELECT post, change FROM digest_snapshots WHERE event = ? AND substr(post, 1, length(?)) = ?"
        for row in self._rows(query, (COVERED, prefix, prefix)):
            found[row["post"]].add(row["change"])
        return dict(found)

    def posts_of(self, changes: Sequence[str]) -> list[str]:
        """The digests that showed one of some changes."""
        found: set[str] = set()
        with self._transaction() as connection:
            for some in batches(changes):
                rows = connection.execute(
                    f"SELECT DISTINCT post FROM digest_snapshots WHERE change IN ({marks(some)}) AND event = ?",
                    [*some, CHANGE_ITSELF],
                )
                found.update(row["post"] for row in rows)
        return sorted(found)

    def note(self, digest: str, events: Sequence[tuple[str, str]], note: Post, now: datetime) -> bool:
        """Write a note down to be posted, and that the readers of a digest then know these events, each with its
        change: both or neither. False, and nothing is written, if they know one of them already."""
        rows = [(digest, change, event) for change, event in dict.fromkeys(events)]
        with self._transaction(write=True) as connection:
            known = "SELECT 1 FROM digest_snapshots WHERE post = ? AND change = ? AND event = ?"
            if any(connection.execute(known, row).fetchone() for row in rows):
                return False
            _note(connection, rows, now)
            return Outbox(self._transaction).plan([note], now)


def _shown(post: str, changes: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str, str]]:
    return ((post, change, event) for change, events in changes.items() for event in (CHANGE_ITSELF, *events))


def _note(connection: Connection, rows: Iterable[tuple[str, str, str]], now: datetime) -> None:
    connection.executemany(
        "INSERT INTO digest_snapshots (post, change, event, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(*row, written(now)) for row in rows],
    )


def carry_over(connection: Connection, repository_id: int, gone: Sequence[str]) -> None:
    """Before commits are removed, note of those that take their place, as after a rebase, that digests told them: new
    ones of the same author, written in the same second or else with the same title."""
    query = "SELECT 1 FROM digest_snapshots WHERE change IN ({})"
    if not any(connection.execute(query.format(marks(some)), some).fetchone() for some in batches(gone)):
        return
    query = "SELECT sha, author_id, authored_at, subject FROM commits WHERE repository_id = ? ORDER BY id"
    rows, without = connection.tuples(query, (repository_id,)), {bytes.fromhex(sha) for sha in gone}
    old = [row for row in rows if row[0] in without]
    new = rows[rows.index(old[-1]) + 1 :] if old else []
    for same in (itemgetter(1, 2, 3), itemgetter(1, 2), itemgetter(1, 3)):
        alike: dict[tuple[Any, ...], list[tuple[Any, ...]]] = defaultdict(list)
        for row in reversed(new):
            alike[same(row)].append(row)
        pairs = {row: alike[same(row)].pop() for row in old if alike[same(row)]}
        old, taken = [row for row in old if row not in pairs], set(pairs.values())
        new = [row for row in new if row not in taken]
        connection.executemany(
            """INSERT INTO digest_snapshots (post, change, event, at)
               SELECT post, ?, event, at FROM digest_snapshots WHERE change = ? ON CONFLICT DO NOTHING""",
            [(there[0].hex(), row[0].hex()) for row, there in pairs.items()],
        )
