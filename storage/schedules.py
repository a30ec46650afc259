"""Since when each digest is wanted: what was due before that is not posted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from storage.transactions import Transaction, written


class Schedules:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def seen(self, keys: Iterable[str], now: datetime) -> dict[str, datetime]:
        """When each schedule was first seen; one that is new is seen now."""
        wanted = list(keys)
        with self._transaction(write=True) as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO schedules VALUES (?, ?)", [(key, written(now)) for key in wanted]
            )
            rows = connection.execute("SELECT key, first_seen_at FROM schedules").fetchall()
        times = {row["key"]: datetime.fromisoformat(row["first_seen_at"]) for row in rows}
        return {key: times[key] for key in wanted}
