"""The digests that are wanted, from almanac.toml and from Slack: one table for both."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from storage.transactions import Transaction, read, written

Origin = Literal["toml", "slack"]


@dataclass(frozen=True, slots=True)
class StoredDigest:
    """A digest by what it is: `key` (where, of whom) and `cadence`. `wanted` is what a [[digests]] table holds.

    `first` is the first period that it posts, as written; empty until somebody has said so. `since` tells from when on
    it is wanted. `owner` is the Slack user who made it.
    """

    key: str
    cadence: str
    origin: Origin
    wanted: Mapping[str, Any]
    since: datetime
    first: str = ""
    owner: str = ""
    paused_at: datetime | None = None
    paused_why: str = ""
    told_at: datetime | None = field(default=None)  # when its owner was told that it is paused
    changed_at: datetime | None = field(default=None, compare=False)  # when it was last edited, paused or resumed


class Digests:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def all(self) -> list[StoredDigest]:
        """Every digest that is wanted, in order of key and cadence."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM digests WHERE removed_at IS NULL ORDER BY key, cadence")
            return [_stored(row) for row in rows]

    def put(self, one: StoredDigest, now: datetime) -> None:
        """Make a digest, or change what it is of; whether it is paused stays as it is.

        One that was removed begins anew.
        """
        with self._transaction(write=True) as connection:
            connection.execute(
                "DELETE FROM digests WHERE key = ? AND cadence = ? AND removed_at IS NOT NULL", (one.key, one.cadence)
            )
            connection.execute(
                """INSERT INTO digests (key, cadence, origin, wanted, since, first, owner, changed_at)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (key, cadence) DO UPDATE SET origin = excluded.origin, wanted = excluded.wanted,
                     first = excluded.first, owner = coalesce(nullif(owner, ''), excluded.owner),
                     changed_at = excluded.changed_at""",
                (
                    one.key, one.cadence, one.origin, json.dumps(dict(one.wanted), sort_keys=True),
                    written(one.since), one.first, one.owner, written(now),
                ),
            )  # fmt: skip

    def pause(self, key: str, cadence: str, why: str, now: datetime, *, told: bool = False) -> bool:
        """Post nothing of it until `resume`; `told` where nobody need be told, since somebody wants it so.

        False if it was paused already, or there is none.
        """
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    """UPDATE digests SET paused_at = ?, paused_why = ?, told_at = ?, changed_at = ?
                       WHERE key = ? AND cadence = ? AND paused_at IS NULL AND removed_at IS NULL""",
                    (written(now), why, written(now) if told else None, written(now), key, cadence),
                ).rowcount
                == 1
            )

    def resume(self, key: str, cadence: str, first: str, now: datetime) -> bool:
        """Post again, from the period `first` on. False if it was not paused, or there is none."""
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    """UPDATE digests SET paused_at = NULL, paused_why = '', told_at = NULL, first = ?, changed_at = ?
                       WHERE key = ? AND cadence = ? AND paused_at IS NOT NULL AND removed_at IS NULL""",
                    (first, written(now), key, cadence),
                ).rowcount
                == 1
            )

    def told(self, key: str, cadence: str, now: datetime) -> bool:
        """Note that the owner is told that it is paused. Only one caller, in any process, gets True."""
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    """UPDATE digests SET told_at = ? WHERE key = ? AND cadence = ?
                       AND paused_at IS NOT NULL AND told_at IS NULL""",
                    (written(now), key, cadence),
                ).rowcount
                == 1
            )

    def remove(self, key: str, cadence: str, now: datetime) -> bool:
        """Want it no more. False if there is none."""
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    "UPDATE digests SET removed_at = ? WHERE key = ? AND cadence = ? AND removed_at IS NULL",
                    (written(now), key, cadence),
                ).rowcount
                == 1
            )


def _stored(row: sqlite3.Row) -> StoredDigest:
    return StoredDigest(
        key=row["key"],
        cadence=row["cadence"],
        origin=row["origin"],
        wanted=json.loads(row["wanted"]),
        since=datetime.fromisoformat(row["since"]),
        first=row["first"],
        owner=row["owner"],
        paused_at=read(row["paused_at"]),
        paused_why=row["paused_why"],
        told_at=read(row["told_at"]),
        changed_at=read(row["changed_at"]),
    )
