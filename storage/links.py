"""What people said by hand: links of addresses and of Slack users, who is hidden, and corrections of changes.

Each is a log that is only added to; what is undone stays in it. Of those who are erased nothing stays, neither what was
said of their commits nor their names (`storage.erasure`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from bot.model import CorrectedField, Correction
from bot.month.addresses import plain
from bot.month.hand_links import AddressLink
from storage.engine import Connection, Row
from storage.sql import Tables, marks, numbers, quoted, read, written

SOMEBODY_ERASED = "somebody who is forgotten"  # in place of a name
LinkAction = Literal["link", "unlink"]
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class HiddenAddress:
    """That whoever has an address asked not to be shown, until that is undone."""

    number: int
    address: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SlackLink:
    """That a Slack user is who has an address, or is not, as somebody said."""

    number: int
    user: str
    action: LinkAction
    address: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None
    confirmed: bool = False  # said by an admin; else whoever said it means themselves


@dataclass(frozen=True)
class UndoableLog(Generic[Entry]):
    """A table whose rows are added and undone, never changed otherwise. `entry` makes of a row what callers get."""

    table: str
    entry: Callable[[Row], Entry]

    def entries(self, connection: Connection, where: str = "TRUE", values: Sequence[Any] = ()) -> list[Entry]:
        """Those that a condition holds for, in the order in which they were added."""
        rows = connection.execute(f"SELECT * FROM {self.table} WHERE {where} ORDER BY id", values)
        return [self.entry(row) for row in rows]

    def live(self, connection: Connection, where: str = "TRUE", values: Sequence[Any] = ()) -> list[Entry]:
        """The same of those that are not undone."""
        return self.entries(connection, f"undone_at IS NULL AND {where}", values)

    def add(self, connection: Connection, by: str, at: datetime, **columns: object) -> Entry:
        columns |= {"by": by, "at": written(at)}
        row = connection.execute(
            f"INSERT INTO {self.table} ({', '.join(map(quoted, columns))}) VALUES ({marks(list(columns))}) RETURNING *",
            list(columns.values()),
        ).fetchone()
        return self.entry(row)

    def undo(self, connection: Connection, ids: Iterable[int], by: str, at: datetime) -> list[Entry]:
        """Undo those with these numbers that still count, and return them."""
        rows = connection.execute(
            f"""UPDATE {self.table} SET undone_by = ?, undone_at = ? WHERE undone_at IS NULL AND id IN ({numbers(ids)})
                RETURNING *""",
            (by, written(at)),
        ).fetchall()
        return [self.entry(row) for row in sorted(rows, key=lambda row: int(row["id"]))]


def _entry(row: Row) -> dict[str, Any]:
    """What every log has."""
    return {
        "number": row["id"],
        "by": row["by"],
        "at": datetime.fromisoformat(row["at"]),
        "undone_by": row["undone_by"],
        "undone_at": read(row["undone_at"]),
    }


def _correction(row: Row) -> Correction:
    change, *also = row["change"].split()
    return Correction(change=change, also=tuple(also), field=row["field"], value=row["value"], **_entry(row))


_PEOPLE = UndoableLog[AddressLink](
    "people_links",
    lambda row: AddressLink(
        action=row["action"], address=row["address"], other=row["other"], confirmed=bool(row["confirmed"]),
        **_entry(row),
    ),
)  # fmt: skip
_HIDDEN = UndoableLog[HiddenAddress]("hidden_people", lambda row: HiddenAddress(address=row["address"], **_entry(row)))
_SLACK = UndoableLog[SlackLink](
    "slack_links",
    lambda row: SlackLink(
        user=row["user"], action=row["action"], address=row["address"], confirmed=bool(row["confirmed"]), **_entry(row)
    ),
)
_CORRECTIONS = UndoableLog[Correction]("corrections", _correction)
LOGS = tuple(log.table for log in (_PEOPLE, _HIDDEN, _SLACK, _CORRECTIONS))


class Links(Tables):
    """Which addresses people linked and unlinked by hand."""

    def links(self) -> list[AddressLink]:
        """All that was ever said, in order; of those who were erased, nothing."""
        with self._transaction() as connection:
            return _PEOPLE.entries(connection, "address <> ''")

    def add_links(
        self, action: LinkAction, addresses: Iterable[str], other: str, by: str, at: datetime, *, confirmed: bool
    ) -> list[AddressLink]:
        """Note that addresses are, or are not, those of the person who has `other`; all of them or none. `confirmed`:
        whoever says so is an admin, or at the command line."""
        with self._transaction(write=True) as connection:
            return [
                _PEOPLE.add(connection, by, at, action=action, address=one, other=other, confirmed=int(confirmed))
                for one in addresses
            ]

    def undo_link(self, by: str, at: datetime, number: int | None = None) -> AddressLink | None:
        """Undo what was said last, or under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            if number is None:
                last = connection.execute("SELECT max(id) FROM people_links WHERE undone_at IS NULL").fetchone()
                number = last[0] or 0
            return next(iter(_PEOPLE.undo(connection, [number], by, at)), None)


class HiddenPeople(Tables):
    """Who asked not to be shown."""

    def hidings(self) -> list[HiddenAddress]:
        """All that was ever said, in order; of those who were erased, nothing."""
        with self._transaction() as connection:
            return _HIDDEN.entries(connection, "address <> ''")

    def hidden(self) -> frozenset[str]:
        """The addresses, in small letters, of those who are not to be shown now."""
        with self._transaction() as connection:
            return frozenset(plain(one.address) for one in _HIDDEN.live(connection)) - {""}

    def hide(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Note that whoever has these addresses is not to be shown. Of one that is hidden already, nothing is noted."""
        with self._transaction(write=True) as connection:
            there = {plain(one.address) for one in _HIDDEN.live(connection)}
            return [_HIDDEN.add(connection, by, at, address=one) for one in addresses if plain(one) not in there]

    def show(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Undo all that hides one of these addresses, and return it."""
        wanted = {plain(address) for address in addresses}
        with self._transaction(write=True) as connection:
            theirs = [one.number for one in _HIDDEN.live(connection) if plain(one.address) in wanted]
            return _HIDDEN.undo(connection, theirs, by, at)


class CorrectionLog(Tables):
    """What people said of changes."""

    def log(self) -> list[Correction]:
        """All that was ever said, in order."""
        with self._transaction() as connection:
            return _CORRECTIONS.entries(connection)

    def live(self) -> list[Correction]:
        """What was not undone, in order."""
        with self._transaction() as connection:
            return _CORRECTIONS.live(connection)

    def add(self, shas: Sequence[str], field: CorrectedField, value: str, by: str, at: datetime) -> Correction:
        """Note what somebody says of a change; the first of its SHAs, of which there is one at least, is its id."""
        with self._transaction(write=True) as connection:
            return _CORRECTIONS.add(connection, by, at, change=" ".join(shas), field=field, value=value)

    def undo(self, number: int, by: str, at: datetime) -> Correction | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            return next(iter(_CORRECTIONS.undo(connection, [number], by, at)), None)


class SlackLinks(Tables):
    """Which Slack users are, or are not, whoever has an address."""

    def log(self) -> list[SlackLink]:
        """All that was ever said, in order."""
        with self._transaction() as connection:
            return _SLACK.entries(connection)

    def said_of(self, user: str) -> list[SlackLink]:
        """What was said of a user and is not undone, in order."""
        with self._transaction() as connection:
            return _SLACK.live(connection, '"user" = ?', (user,))

    def of(self, user: str, *, confirmed_only: bool = False) -> tuple[frozenset[str], frozenset[str]]:
        """The addresses, in small letters, that were said to be a user's, and those that were said not to be: of each
        what was said last. `confirmed_only`: a link that somebody made of themselves does not count."""
        said = {
            plain(one.address): one.action
            for one in self.said_of(user)
            if one.confirmed or one.action == "unlink" or not confirmed_only
        }
        theirs = frozenset(address for address, action in said.items() if action == "link")
        return theirs, frozenset(said) - theirs

    def add(
        self, user: str, action: LinkAction, address: str, by: str, at: datetime, *, confirmed: bool = False
    ) -> SlackLink:
        """Note that a user is, or is not, who has an address. `confirmed`: it is an admin who says so."""
        with self._transaction(write=True) as connection:
            return _SLACK.add(connection, by, at, user=user, action=action, address=address, confirmed=int(confirmed))

    def undo(self, number: int, by: str, at: datetime) -> SlackLink | None:
        """Undo what was said under a number, and return it. None where there is none that still counts."""
        with self._transaction(write=True) as connection:
            return next(iter(_SLACK.undo(connection, [number], by, at)), None)

    def known(self) -> dict[str, str]:
        """The address in the profile of each Slack user that has one, as far as Slack has told, in small letters.
        What the profile of somebody of another workspace says is that one's word."""
        rows = self._rows(
            """SELECT id, address FROM slack_users WHERE address <> '' AND standing <> 'stranger'
               ORDER BY deleted, id"""
        )
        return {row["id"]: plain(row["address"]) for row in rows}
