"""The one thing each family of tables needs: how to begin a transaction."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol


class Transaction(Protocol):
    def __call__(self, *, write: bool = False) -> AbstractContextManager[sqlite3.Connection]: ...


def written(instant: datetime) -> str:
    """An aware datetime as it stands in the database: ISO, UTC, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
