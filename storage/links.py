"""What people said by hand: links of addresses and of Slack users, who is hidden, and corrections of changes.

Each is a log that is only added to; what is undone stays in it. Of those who are erased nothing stays, neither what was
said of their commits nor their names (`storage.erasure`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from bot.model import CorrectedField, Correction
from bot.month.addresses import plain
from bot.month.hand_links import AddressLink
from storage.engine import Connection, Row
from storage.sql import Tables, marks, new_ids, quoted, read, written

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


class UndoableLog(Tables, Generic[Entry]):
    """A table whose rows are added and undone, never changed otherwise. In it, rows of `erased` stand for what was said
    by those, or of those, who were erased."""

    table: ClassVar[str]
    erased: ClassVar[str] = "FALSE"

    @abstractmethod
    def _entry(self, row: Row) -> Entry:
        """What callers get of a row."""

    def log(self) -> list[Entry]:
        """All that was ever said, in order; of those who were erased, nothing."""
        with self._transaction() as connection:
            return self._entries(connection)

    def live(self) -> list[Entry]:
        """What was not undone, in order."""
        with self._transaction() as connection:
            return self._entries(connection, "undone_at IS NULL")

    def undo(self, number: int | None, by: str, at: datetime) -> Entry | None:
        """Undo what was said under a number, else what was said last, and return it. None where there is none that
        still counts."""
        with self._transaction(write=True) as connection:
            return self._undone(connection, number, by, at)

    def _entries(self, connection: Connection, where: str = "TRUE", values: Sequence[object] = ()) -> list[Entry]:
        query = f"SELECT * FROM {self.table} WHERE NOT ({self.erased}) AND {where} ORDER BY id"
        return [self._entry(row) for row in connection.execute(query, values)]

    def _added(self, connection: Connection, by: str, at: datetime, **columns: object) -> Entry:
        columns |= {"id": new_ids(connection, self.table), "by": by, "at": written(at)}
        row = connection.execute(
            f"INSERT INTO {self.table} ({', '.join(map(quoted, columns))}) VALUES ({marks(list(columns))}) RETURNING *",
            list(columns.values()),
        ).fetchone()
        return self._entry(row)

    def _undone(self, connection: Connection, number: int | None, by: str, at: datetime) -> Entry | None:
        row = connection.execute(
            f"""UPDATE {self.table} SET undone_by = ?, undone_at = ? WHERE undone_at IS NULL
                AND id = coalesce(?, (SELECT max(id) FROM {self.table} WHERE undone_at IS NULL)) RETURNING *""",
            (by, written(at), number),
        ).fetchone()
        return self._entry(row) if row else None


def _columns(row: Row) -> dict[str, Any]:
    """The columns of a log as its entries have them."""
    values = dict(row)
    values |= {"number": values.pop("id"), "at": read(row["at"]), "undone_at": read(row["undone_at"])}
    return values | ({"confirmed": bool(values["confirmed"])} if "confirmed" in values else {})


class PeopleLinks(UndoableLog[AddressLink]):
    """Which addresses people linked and unlinked by hand."""

    table = "people_links"
    erased = "address = ''"

    def _entry(self, row: Row) -> AddressLink:
        return AddressLink(**_columns(row))

    def add(
        self, action: LinkAction, addresses: Iterable[str], other: str, by: str, at: datetime, *, confirmed: bool
    ) -> list[AddressLink]:
        """Note that addresses are, or are not, those of the person who has `other`; all of them or none. `confirmed`:
        whoever says so is an admin, or at the command line."""
        with self._transaction(write=True) as connection:
            return [
                self._added(connection, by, at, action=action, address=one, other=other, confirmed=int(confirmed))
                for one in addresses
            ]


class HiddenPeople(UndoableLog[HiddenAddress]):
    """Who asked not to be shown."""

    table = "hidden_people"
    erased = "address = ''"

    def _entry(self, row: Row) -> HiddenAddress:
        return HiddenAddress(**_columns(row))

    def addresses(self) -> frozenset[str]:
        """The addresses, in small letters, of those who are not to be shown now."""
        return frozenset(plain(one.address) for one in self.live())

    def hide(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Note that whoever has these addresses is not to be shown. Of one that is hidden already, nothing is noted."""
        with self._transaction(write=True) as connection:
            there = {plain(one.address) for one in self._entries(connection, "undone_at IS NULL")}
            return [self._added(connection, by, at, address=one) for one in addresses if plain(one) not in there]

    def show(self, addresses: Iterable[str], by: str, at: datetime) -> list[HiddenAddress]:
        """Undo all that hides one of these addresses, and return it."""
        wanted = {plain(address) for address in addresses}
        with self._transaction(write=True) as connection:
            live = self._entries(connection, "undone_at IS NULL")
            undone = [self._undone(connection, one.number, by, at) for one in live if plain(one.address) in wanted]
        return [one for one in undone if one]


class CorrectionLog(UndoableLog[Correction]):
    """What people said of changes."""

    table = "corrections"

    def _entry(self, row: Row) -> Correction:
        change, *also = row["change"].split()
        return Correction(**_columns(row) | {"change": change, "also": tuple(also)})

    def add(self, shas: Sequence[str], field: CorrectedField, value: str, by: str, at: datetime) -> Correction:
        """Note what somebody says of a change; the first of its SHAs, of which there is one at least, is its id."""
        with self._transaction(write=True) as connection:
            return self._added(connection, by, at, change=" ".join(shas), field=field, value=value)


class SlackLinks(UndoableLog[SlackLink]):
    """Which Slack users are, or are not, whoever has an address."""

    table = "slack_links"

    def _entry(self, row: Row) -> SlackLink:
        return SlackLink(**_columns(row))

    def said_of(self, user: str) -> list[SlackLink]:
        """What was said of a user and is not undone, in order."""
        with self._transaction() as connection:
            return self._entries(connection, 'undone_at IS NULL AND "user" = ?', (user,))

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
            return self._added(connection, by, at, user=user, action=action, address=address, confirmed=int(confirmed))

    def users(self, profiles: Mapping[str, str]) -> dict[str, str]:
        """The user of each address, as far as their profile (`SlackUsers.addresses`) says so or an admin; of several
        users the last by id."""
        found = {address: user for user, address in sorted(profiles.items())}
        for one in self.live():
            address = plain(one.address)
            if one.action == "link" and one.confirmed:
                found[address] = one.user
            elif one.action == "unlink" and found.get(address) == one.user:
                del found[address]
        return found


LOGS = tuple(log.table for log in (PeopleLinks, HiddenPeople, SlackLinks, CorrectionLog))
