"""Which events Slack has delivered: those that are processed already, and those that still wait for an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from storage.sql import Transaction, written

REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours


class ProcessedEvents:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def claim(self, event: str, now: datetime) -> bool:
        """Whether this is the first to hear of an event: of several callers, in any process, one gets True.

        An event is forgotten after a day.
        """
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM heard WHERE at < ?", (written(now - REMEMBERED_FOR),))
            row = (event, written(now))
            return connection.execute("INSERT OR IGNORE INTO heard (event, at) VALUES (?, ?)", row).rowcount == 1

    def known(self, event: str, now: datetime) -> bool:
        """Whether an event was claimed within the last day."""
        with self._transaction() as connection:
            since = written(now - REMEMBERED_FOR)
            row = connection.execute("SELECT 1 FROM heard WHERE event = ? AND at >= ?", (event, since)).fetchone()
        return row is not None


ANSWERED_WITHIN = timedelta(days=1)  # who asked longer ago has asked again, or somebody else
MOST_STARTS = 3  # a question that ends the process each time must not do so for ever


class PendingEvents:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def keep(self, bodies: Iterable[tuple[str, Mapping[str, Any]]], now: datetime) -> None:
        """Write down what Slack delivered, by the ids of the events."""
        rows = [(event, _text(body, 0), written(now)) for event, body in bodies]
        with self._transaction(write=True) as connection:
            connection.executemany("INSERT OR IGNORE INTO asked (event, body, at) VALUES (?, ?, ?)", rows)

    def answered(self, event: str) -> None:
        """It needs no answer any more."""
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM asked WHERE event = ?", (event,))

    def left(self, now: datetime) -> list[dict[str, Any]]:
        """What was delivered within a day and is not answered, oldest first. What is older is dropped, as is what was
        begun at MOST_STARTS starts; so ask once a start."""
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM asked WHERE at < ?", (written(now - ANSWERED_WITHIN),))
            rows = connection.execute("SELECT event, body FROM asked ORDER BY at, event").fetchall()
            kept = [(row["event"], json.loads(row["body"])) for row in rows]
            gone = [(event,) for event, one in kept if one["starts"] >= MOST_STARTS]
            connection.executemany("DELETE FROM asked WHERE event = ?", gone)
            left = [(event, one) for event, one in kept if one["starts"] < MOST_STARTS]
            connection.executemany(
                "UPDATE asked SET body = ? WHERE event = ?",
                [(_text(one["delivered"], one["starts"] + 1), event) for event, one in left],
            )
        return [one["delivered"] for _, one in left]

    def count(self) -> int:
        """How many questions wait for an answer."""
        with self._transaction() as connection:
            return int(connection.execute("SELECT count(*) FROM asked").fetchone()[0])


def _text(body: Mapping[str, Any], starts: int) -> str:
    return json.dumps({"delivered": body, "starts": starts}, sort_keys=True)
