"""Questions: which events Slack has delivered, so that each is answered once; what a thread is about, so that a
follow-up need not say it again; and what readers thought of an answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from storage.engine import Tables, written

log = logging.getLogger(__name__)

EVENTS_REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours
ANSWERED_WITHIN = timedelta(days=1)  # who asked longer ago has asked again, or somebody else
MOST_STARTS = 3  # a question that ends its process each time must not do so for ever


class ProcessedEvents(Tables):
    def claim(self, event: str, now: datetime) -> bool:
        """Whether this is the first to process an event: of several callers, in any process, one gets True.

        An event is forgotten after a day.
        """
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM processed_events WHERE at < ?", (written(now - EVENTS_REMEMBERED_FOR),))
            added = connection.execute(
                "INSERT INTO processed_events (event, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (event, written(now))
            )
            return added.rowcount == 1

    def release(self, event: str) -> None:
        """Give up a claim, since the event could not be processed: whoever delivers it again is the first."""
        self._write("DELETE FROM processed_events WHERE event = ?", (event,))

    def known(self, event: str, now: datetime) -> bool:
        """Whether an event was claimed within the last day."""
        since = written(now - EVENTS_REMEMBERED_FOR)
        return self._row("SELECT 1 FROM processed_events WHERE event = ? AND at >= ?", (event, since)) is not None


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
        with self._transaction(write=True) as connection:
            return {
                event
                for event in sorted(events)
                if connection.execute(
                    "UPDATE pending_events SET leased_until = ? WHERE event = ?", (written(until), event)
                ).rowcount
            }

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

    def give(self, channel: str, ts: str, user: str, opinion: Opinion, at: datetime) -> bool:
        """Keep what a reader said of a message at a time, in place of what they thought before. False if they said so
        already, or something else later."""
        changed = self._write(
            """INSERT INTO feedback (channel, ts, "user", value, at) VALUES (?, ?, ?, ?, ?)
               ON CONFLICT (channel, ts, "user") DO UPDATE SET value = excluded.value, at = excluded.at
               WHERE feedback.value <> excluded.value AND feedback.at < excluded.at""",
            (channel, ts, user, opinion, written(at)),
        )
        return changed == 1

    def counts(self) -> dict[Opinion, int]:
        """How many opinions of each sort there are."""
        found = {row[0]: row[1] for row in self._rows("SELECT value, count(*) FROM feedback GROUP BY value")}
        return {"good": found.get("good", 0), "bad": found.get("bad", 0)}
