"""All that was said by hand of who is who, in lines that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from bot.ask.people.linking import spoken
from bot.model import AddressLink
from bot.month.addresses import plain
from bot.month.calendar import NAMES
from bot.story.wording import clean
from storage import Store
from storage.links import SlackLink


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
        every = self._store.identities.links()
        waiting = unconfirmed((one, (plain(one.address), plain(one.other))) for one in every)
        for one in every:
            did, to = ("linked", "to") if one.action == "link" else ("unlinked", "from")
            waits = one.number in waiting
            said = f"{self._by(one.by)} {did} {spoken(one.address)} {to} {clean(one.other)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at, waits)
            yield IdentityLogLine(
                f"address:{one.number}",
                line,
                one.at,
                one.by,
                one.other,
                one.address,
                bool(one.undone_at),
                one.undone_by or "",
                waits,
            )

    def _users(self) -> Iterator[IdentityLogLine]:
        every = self._store.slack_links.log()
        waiting = unconfirmed((one, (one.user, plain(one.address))) for one in every)
        for one in every:
            are, waits = "is" if one.action == "link" else "is not", one.number in waiting
            said = f"{self._by(one.by)} said that {self._name_of(one.user)} {are} {clean(one.address)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at, waits)
            yield IdentityLogLine(
                f"slack:{one.number}",
                line,
                one.at,
                one.by,
                one.address,
                one.address,
                bool(one.undone_at),
                one.undone_by or "",
                waits,
            )

    def _hidings(self) -> Iterator[IdentityLogLine]:
        for one in self._store.identities.hidings():
            said = f"{self._by(one.by)} hid {spoken(one.address)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at)
            yield IdentityLogLine(
                f"hide:{one.number}", line, one.at, one.by, one.address, one.address, bool(one.undone_at)
            )

    def _line(
        self, said: str, at: datetime, undone_by: str | None, undone_at: datetime | None, waits: bool = False
    ) -> str:
        undone = f"; undone by {self._by(undone_by or '')} on {day_of(undone_at)}" if undone_at else ""
        return f"{day_of(at)}: {said}{f', {WAITS}' if waits else ''}{undone}."

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
