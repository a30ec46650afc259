"""What Almanac keeps of Slack beside what it sends: which events were delivered, so that each is answered once; what a
thread is about, so that a follow-up need not say it again; and the digests that are wanted, and what they showed when
they were posted."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from bot.digest.subscriptions import DigestPost, DigestSubscription, SubscriptionId
from bot.month.calendar import Period, parse_period
from bot.settings_tables import DigestSettings
from storage.engine import Connection, Row, Tables, batches, marks, read, written
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

EVENTS_REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours
ANSWERED_WITHIN = timedelta(days=1)  # who asked longer ago has asked again, or somebody else
MOST_STARTS = 3  # a question that ends its process each time must not do so for ever


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
