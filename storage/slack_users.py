"""Who is in the Slack workspace, as it was last read: shared by all processes, so that one of them reads it a day."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from storage.kept_out import kept_out
from storage.transactions import Transaction, batches, marks, read, written

# The row without an id is no user: its name is the workspace that the others are of, and it was seen when they were
# last all read.
_ROLL = ""


@dataclass(frozen=True, slots=True)
class SlackUser:
    """A user as Slack knew them at `seen_at`; an empty address or zone where it does not say. `standing` is member,
    guest or stranger."""

    id: str
    name: str
    address: str
    zone: str
    standing: str
    deleted: bool
    seen_at: datetime


class SlackUsers:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def belong_to(self, workspace: str) -> None:
        """Say of which workspace the users are. Those of another are dropped: ids are the same only within one."""
        with self._transaction() as connection:
            row = connection.execute("SELECT name FROM slack_users WHERE id = ?", (_ROLL,)).fetchone()
        if row and row["name"] == workspace:
            return
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM slack_users")
            _mark(connection, workspace, "")

    def listed_at(self) -> datetime | None:
        """When all of them were last read."""
        with self._transaction() as connection:
            row = connection.execute("SELECT seen_at FROM slack_users WHERE id = ?", (_ROLL,)).fetchone()
        return read(row["seen_at"]) if row else None

    def keep(self, users: Iterable[SlackUser], *, workspace: str, whole: datetime | None = None) -> None:
        """Keep what was read of users. `whole`: these are all of the workspace, as of then.

        Whoever is not among all of them stays: people are remembered when they are gone. Of those who asked to be
        forgotten neither name nor address is kept.
        """
        with self._transaction(write=True) as connection:
            out = kept_out(connection)
            connection.executemany(
                "INSERT OR REPLACE INTO slack_users VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        one.id,
                        *(("", "") if out.holds(one.name, one.address) else (one.name, one.address)),
                        one.zone,
                        one.standing,
                        int(one.deleted),
                        written(one.seen_at),
                    )
                    for one in users
                    if one.id != _ROLL
                ),
            )
            if whole is not None:
                _mark(connection, workspace, written(whole))

    def user(self, number: str) -> SlackUser | None:
        return self.users([number]).get(number)

    def users(self, numbers: Sequence[str]) -> Mapping[str, SlackUser]:
        """Those of the users that are known, by id."""
        found: dict[str, SlackUser] = {}
        with self._transaction() as connection:
            for some in batches([one for one in numbers if one != _ROLL]):
                query = f"SELECT * FROM slack_users WHERE id IN ({marks(some)})"
                found |= {row["id"]: _user(row) for row in connection.execute(query, list(some))}
        return found

    def everyone(self) -> list[SlackUser]:
        """All who are known, those who are gone too, by name."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM slack_users WHERE id <> ? ORDER BY name, id", (_ROLL,)).fetchall()
        return [_user(row) for row in rows]


def _mark(connection: sqlite3.Connection, workspace: str, seen_at: str) -> None:
    row = (_ROLL, workspace, "", "", "", 0, seen_at)
    connection.execute("INSERT OR REPLACE INTO slack_users VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _user(row: sqlite3.Row) -> SlackUser:
    return SlackUser(
        id=row["id"],
        name=row["name"],
        address=row["address"],
        zone=row["zone"],
        standing=row["standing"],
        deleted=bool(row["deleted"]),
        seen_at=datetime.fromisoformat(row["seen_at"]),
    )
