"""The log of which Slack users are, or are not, whoever has an address. It is only added to; what is undone stays."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.month.addresses import plain
from storage.transactions import Transaction, read, written


@dataclass(frozen=True, slots=True)
class SlackLink:
    """That a Slack user is who has an address, or is not, as somebody said."""

    number: int
    user: str
    action: Literal["link", "unlink"]
    address: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None
    confirmed: bool = False  # said by an admin; else whoever said it means themselves


class SlackLinks:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def log(self) -> list[SlackLink]:
        """All that was ever said, in order."""
        with self._transaction() as connection:
            return [_link(row) for row in connection.execute("SELECT * FROM slack_links ORDER BY id")]

    def said_of(self, user: str) -> list[SlackLink]:
        """What was said of a user and is not undone, in order."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM slack_links WHERE user = ? AND undone_at IS NULL ORDER BY id", (user,)
            )
            return [_link(row) for row in rows]

    def of(self, user: str, *, confirmed_only: bool = False) -> tuple[frozenset[str], frozenset[str]]:
        """The addresses, in small letters, that were said to be a user's, and those that were said not to be: of each
        what was said last. `confirmed_only`: a link that somebody made of themselves does not count."""
        rows = self.said_of(user)
        said = {
            plain(one.address): one.action
            for one in rows
            if one.confirmed or one.action == "unlink" or not confirmed_only
        }
        theirs = frozenset(address for address, action in said.items() if action == "link")
        return theirs, frozenset(said) - theirs

    def add(
        self,
        user: str,
        action: Literal["link", "unlink"],
        address: str,
        by: str,
        at: datetime,
        *,
        confirmed: bool = False,
    ) -> SlackLink:
        """Note that a user is, or is not, who has an address. `confirmed`: it is an admin who says so."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                """INSERT INTO slack_links (user, action, address, by, at, confirmed)
                   VALUES (?, ?, ?, ?, ?, ?) RETURNING *""",
                (user, action, address, by, written(at), int(confirmed)),
            ).fetchone()
            return _link(row)

    def undo(self, number: int, by: str, at: datetime) -> SlackLink | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "UPDATE slack_links SET undone_by = ?, undone_at = ? WHERE undone_at IS NULL AND id = ? RETURNING *",
                (by, written(at), number),
            ).fetchone()
            return _link(row) if row else None

    def known(self) -> dict[str, str]:
        """The address in the profile of each Slack user that has one, as far as Slack has told, in small letters.
        What the profile of somebody of another workspace says is that one's word."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT id, address FROM slack_users WHERE address <> '' AND standing <> 'stranger'
                   ORDER BY deleted, id"""
            )
            return {row["id"]: plain(row["address"]) for row in rows}


def _link(row: sqlite3.Row) -> SlackLink:
    return SlackLink(
        number=row["id"],
        user=row["user"],
        action=row["action"],
        address=row["address"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
        confirmed=bool(row["confirmed"]),
    )
