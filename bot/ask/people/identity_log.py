"""All that was said by hand of who is who, in lines that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from bot.ask.people.linking import spoken
from bot.month.addresses import plain
from bot.month.calendar import NAMES
from bot.month.hand_links import AddressLink
from bot.story.wording import clean
from storage import Store
from storage.links import HiddenAddress, SlackLink


@dataclass(frozen=True, slots=True)
class IdentityLogLine:
    """A line of the log. `key` is what `undo` takes; `person` is an address of whom it is about, and `address` what was
    said of. `waits`: somebody says it of themselves, and no admin has confirmed it."""

    key: str
    line: str
    at: datetime
    by: str
    person: str
    address: str
    is_undone: bool
    undone_by: str = ""
    waits: bool = False


WAITS = "not confirmed by an admin"


class IdentityLog:
    """Reads the logs. `name_of` says how a Slack user's id, or the name of who said something, is written."""

    def __init__(self, store: Store, name_of: Callable[[str], str] = clean) -> None:
        self._store = store
        self._name_of = name_of

    def lines(self) -> list[IdentityLogLine]:
        """Log by log, oldest first."""
        return [*self._addresses(), *self._users(), *self._hidings()]

    def _addresses(self) -> Iterator[IdentityLogLine]:
        every = self._store.people_links.log()
        waiting = unconfirmed((one, (plain(one.address), plain(one.other))) for one in every)
        for one in every:
            did, to = ("linked", "to") if one.action == "link" else ("unlinked", "from")
            said = f"{did} {spoken(one.address)} {to} {clean(one.other)}"
            yield self._line("address", one, said, one.other, waits=one.number in waiting)

    def _users(self) -> Iterator[IdentityLogLine]:
        every = self._store.slack_links.log()
        waiting = unconfirmed((one, (one.user, plain(one.address))) for one in every)
        for one in every:
            are = "is" if one.action == "link" else "is not"
            said = f"said that {self._name_of(one.user)} {are} {clean(one.address)}"
            yield self._line("slack", one, said, one.address, waits=one.number in waiting)

    def _hidings(self) -> Iterator[IdentityLogLine]:
        for one in self._store.hidden_people.log():
            yield self._line("hide", one, f"hid {spoken(one.address)}", one.address)

    def _line(
        self, log: str, one: AddressLink | SlackLink | HiddenAddress, said: str, person: str, *, waits: bool = False
    ) -> IdentityLogLine:
        line = f"{day_of(one.at)}: {self._by(one.by)} {said}{f', {WAITS}' if waits else ''}"
        if one.undone_at:
            line += f"; undone by {self._by(one.undone_by or '')} on {day_of(one.undone_at)}"
        return IdentityLogLine(
            key=f"{log}:{one.number}",
            line=f"{line}.",
            at=one.at,
            by=one.by,
            person=person,
            address=one.address,
            is_undone=bool(one.undone_at),
            undone_by=one.undone_by or "",
            waits=waits,
        )

    def _by(self, who: str) -> str:
        return self._name_of(who) if who else "somebody"


Link = TypeVar("Link", AddressLink, SlackLink)


def unconfirmed(links: Iterable[tuple[Link, tuple[str, str]]]) -> frozenset[int]:
    """The numbers of links, each with what it is of, that still count and that no admin has made, before or since."""
    standing = [(one, of) for one, of in links if one.action == "link" and not one.undone_at]
    sure = {of for one, of in standing if one.confirmed}
    return frozenset(one.number for one, of in standing if of not in sure)


def day_of(at: datetime) -> str:
    """The day of an instant, in UTC, as "5 November 2025"."""
    return f"{at.day} {NAMES[at.month - 1]} {at.year}"
