"""What was heard from Slack already, so that what it delivers twice is answered once, by whichever process."""

from __future__ import annotations

from datetime import datetime, timedelta

from storage.transactions import Transaction, written

REMEMBERED_FOR = timedelta(days=1)  # Slack delivers nothing again that is older than some hours


class Heard:
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
