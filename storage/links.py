"""What people said by hand: links of addresses, of Slack users, who is hidden, and corrections of changes.

Four logs that are only added to; what is undone stays in them. Of those who are erased nothing stays
(`storage.erasure`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.model import AddressLink, CorrectedField, Correction
from bot.month.addresses import plain
from storage.sql import Transaction, numbers, read, written


class Links:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def links(self) -> list[AddressLink]:
        """All that was ever said, in order; of those who were forgotten, nothing."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM people_links WHERE address <> '' ORDER BY id")
            return [_link(row) for row in rows]

    def add_links(
        self,
        action: Literal["link", "unlink"],
        addresses: Iterable[str],
        other: str,
        by: str,
        at: datetime,
        *,
        confirmed: bool,
    ) -> list[AddressLink]:
        """Note that addresses are, or are not, those of the person who has `other`; all of them or none. `confirmed`:
        whoever says so is an admin, or at the command line."""
        with self._transaction(write=True) as connection:
            rows = [
                connection.execute(
                    """INSERT INTO people_links (action, address, other, by, at, confirmed)
                       VALUES (?, ?, ?, ?, ?, ?) RETURNING *""",
                    (action, address, other, by, written(at), int(confirmed)),
                ).fetchone()
                for address in addresses
            ]
            return [_link(row) for row in rows]

    def undo_link(self, by: str, at: datetime, number: int | None = None) -> AddressLink | None:
        """Undo what was said last, or under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                """UPDATE people_links SET undone_by = :by, undone_at = :at
                   WHERE undone_at IS NULL AND id = coalesce(
                     :number, (SELECT max(id) FROM people_links WHERE undone_at IS NULL)) RETURNING *""",
                {"by": by, "at": written(at), "number": number},
            ).fetchone()
            return _link(row) if row else None


def _link(row: sqlite3.Row) -> AddressLink:
    return AddressLink(
        number=row["id"],
        action=row["action"],
        address=row["address"],
        other=row["other"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
        confirmed=bool(row["confirmed"]),
    )


@dataclass(frozen=True, slots=True)
class HiddenAddress:
    """That whoever has an address asked not to be shown, until that is undone."""

    number: int
    address: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None


class Hidden:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def hidings(self) -> list[HiddenAddress]:
        """All that was ever said, in order; of those who were forgotten, nothing."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM people_hidden WHERE address <> '' ORDER BY id")
            return [_hiding(row) for row in rows]

    def hidden(self) -> frozenset[str]:
        """The addresses, in small letters, of those who are not to be shown now."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT address FROM people_hidden WHERE undone_at IS NULL")
            return frozenset(plain(row[0]) for row in rows) - {""}

    def hide(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Note that whoever has these addresses is not to be shown. Of one that is hidden already, nothing is noted."""
        with self._transaction(write=True) as connection:
            known = connection.execute("SELECT address FROM people_hidden WHERE undone_at IS NULL").fetchall()
            there = {plain(row[0]) for row in known}
            rows = [
                connection.execute(
                    "INSERT INTO people_hidden (address, by, at) VALUES (?, ?, ?) RETURNING *",
                    (address, by, written(at)),
                ).fetchone()
                for address in addresses
                if plain(address) not in there
            ]
            return [_hiding(row) for row in rows]

    def show(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Undo all that hides one of these addresses, and return it."""
        wanted = {plain(address) for address in addresses}
        with self._transaction(write=True) as connection:
            standing = connection.execute("SELECT id, address FROM people_hidden WHERE undone_at IS NULL").fetchall()
            theirs = [int(row["id"]) for row in standing if plain(row["address"]) in wanted]
            connection.execute(
                f"UPDATE people_hidden SET undone_by = ?, undone_at = ? WHERE id IN ({numbers(theirs)})",
                (by, written(at)),
            )
            rows = connection.execute(f"SELECT * FROM people_hidden WHERE id IN ({numbers(theirs)}) ORDER BY id")
            return [_hiding(row) for row in rows]


def _hiding(row: sqlite3.Row) -> HiddenAddress:
    return HiddenAddress(
        number=row["id"],
        address=row["address"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
    )


SOMEBODY_ERASED = "somebody who is forgotten"  # in place of a name


class Corrections:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def log(self) -> list[Correction]:
        """All that was ever said, in order."""
        with self._transaction() as connection:
            return [_correction(row) for row in connection.execute("SELECT * FROM corrections ORDER BY id")]

    def live(self) -> list[Correction]:
        """What was not undone, in order."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT * FROM corrections WHERE undone_at IS NULL ORDER BY id")
            return [_correction(row) for row in rows]

    def add(self, shas: Sequence[str], field: CorrectedField, value: str, by: str, at: datetime) -> Correction:
        """Note what somebody says of a change; the first of its SHAs, of which there is one at least, is its id."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "INSERT INTO corrections (change, field, value, by, at) VALUES (?, ?, ?, ?, ?) RETURNING *",
                (" ".join(shas), field, value, by, written(at)),
            ).fetchone()
            return _correction(row)

    def undo(self, number: int, by: str, at: datetime) -> Correction | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "UPDATE corrections SET undone_by = ?, undone_at = ? WHERE id = ? AND undone_at IS NULL RETURNING *",
                (by, written(at), number),
            ).fetchone()
            return _correction(row) if row else None


def _correction(row: sqlite3.Row) -> Correction:
    change, *also = row["change"].split()
    return Correction(
        number=row["id"],
        change=change,
        field=row["field"],
        value=row["value"],
        by=row["by"],
        at=datetime.fromisoformat(row["at"]),
        also=tuple(also),
        undone_by=row["undone_by"],
        undone_at=read(row["undone_at"]),
    )


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
            return [_slack_link(row) for row in connection.execute("SELECT * FROM slack_links ORDER BY id")]

    def said_of(self, user: str) -> list[SlackLink]:
        """What was said of a user and is not undone, in order."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM slack_links WHERE user = ? AND undone_at IS NULL ORDER BY id", (user,)
            )
            return [_slack_link(row) for row in rows]

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
            return _slack_link(row)

    def undo(self, number: int, by: str, at: datetime) -> SlackLink | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            row = connection.execute(
                "UPDATE slack_links SET undone_by = ?, undone_at = ? WHERE undone_at IS NULL AND id = ? RETURNING *",
                (by, written(at), number),
            ).fetchone()
            return _slack_link(row) if row else None

    def known(self) -> dict[str, str]:
        """The address in the profile of each Slack user that has one, as far as Slack has told, in small letters.
        What the profile of somebody of another workspace says is that one's word."""
        with self._transaction() as connection:
            rows = connection.execute(
                """SELECT id, address FROM slack_users WHERE address <> '' AND standing <> 'stranger'
                   ORDER BY deleted, id"""
            )
            return {row["id"]: plain(row["address"]) for row in rows}


def _slack_link(row: sqlite3.Row) -> SlackLink:
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
