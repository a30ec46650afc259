"""Which events Slack has delivered: those that are processed, so that what it delivers twice is answered once, and
those that still wait for an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from storage.sql import Tables, written

REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours
ANSWERED_WITHIN = timedelta(days=1)  # who asked longer ago has asked again, or somebody else
MOST_STARTS = 3  # a question that ends the process each time must not do so for ever


class ProcessedEvents(Tables):
    def claim(self, event: str, now: datetime) -> bool:
        """Whether this is the first to process an event: of several callers, in any process, one gets True.

        An event is forgotten after a day.
        """
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM processed_events WHERE at < ?", (written(now - REMEMBERED_FOR),))
            added = connection.execute(
                "INSERT INTO processed_events (event, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (event, written(now))
            )
            return added.rowcount == 1

    def release(self, event: str) -> None:
        """Give up a claim, since the event could not be processed: whoever delivers it again is the first."""
        self._write("DELETE FROM processed_events WHERE event = ?", (event,))

    def known(self, event: str, now: datetime) -> bool:
        """Whether an event was claimed within the last day."""
        since = written(now - REMEMBERED_FOR)
        return self._row("SELECT 1 FROM processed_events WHERE event = ? AND at >= ?", (event, since)) is not None


class PendingEvents(Tables):
    """Questions that Slack was told are received: whoever starts next answers what is left of them."""

    def keep(self, bodies: Iterable[tuple[str, Mapping[str, Any]]], now: datetime) -> None:
        """Write down what Slack delivered, by the ids of the events."""
        rows = [(event, _text(body, 0), written(now)) for event, body in bodies]
        with self._transaction(write=True) as connection:
            connection.executemany(
                "INSERT INTO pending_events (event, body, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows
            )

    def answered(self, event: str) -> None:
        """It needs no answer any more."""
        self._write("DELETE FROM pending_events WHERE event = ?", (event,))

    def left(self, now: datetime) -> list[dict[str, Any]]:
        """What was delivered within a day and is not answered, oldest first. What is older is dropped, as is what was
        begun at MOST_STARTS starts; so ask once a start."""
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM pending_events WHERE at < ?", (written(now - ANSWERED_WITHIN),))
            rows = connection.execute("SELECT event, body FROM pending_events ORDER BY at, event").fetchall()
            kept = [(row["event"], json.loads(row["body"])) for row in rows]
            gone = [(event,) for event, one in kept if one["starts"] >= MOST_STARTS]
            connection.executemany("DELETE FROM pending_events WHERE event = ?", gone)
            left = [(event, one) for event, one in kept if one["starts"] < MOST_STARTS]
            connection.executemany(
                "UPDATE pending_events SET body = ? WHERE event = ?",
                [(_text(one["delivered"], one["starts"] + 1), event) for event, one in left],
            )
        return [one["delivered"] for _, one in left]

    def count(self) -> int:
        """How many questions wait for an answer."""
        return len(self._rows("SELECT event FROM pending_events"))


def _text(body: Mapping[str, Any], starts: int) -> str:
    return json.dumps({"delivered": body, "starts": starts}, sort_keys=True)
