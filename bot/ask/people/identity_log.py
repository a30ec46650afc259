"""All that was said by hand of who is who, in lines that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.ask.people.linking import spoken
from bot.month.calendar import NAMES
from bot.story.wording import clean
from storage import Store


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the log. `key` is what `undo` takes; `person` is an address of whom it is about."""

    key: str
    line: str
    at: datetime
    by: str
    person: str
    is_undone: bool


class SaidByHand:
    """Reads the logs. `name_of` says how a Slack user's id, or the name of who said something, is written."""

    def __init__(self, store: Store, name_of: Callable[[str], str] = clean) -> None:
        self._store = store
        self._name_of = name_of

    def lines(self) -> list[Said]:
        """Log by log, oldest first."""
        return [*self._addresses(), *self._users(), *self._hidings()]

    def _addresses(self) -> Iterator[Said]:
        for one in self._store.identities.links():
            did, to = ("linked", "to") if one.action == "link" else ("unlinked", "from")
            said = f"{self._by(one.by)} {did} {spoken(one.address)} {to} {clean(one.other)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at)
            yield Said(f"address:{one.number}", line, one.at, one.by, one.other, bool(one.undone_at))

    def _users(self) -> Iterator[Said]:
        for one in self._store.slack_links.log():
            are = "is" if one.action == "link" else "is not"
            said = f"{self._by(one.by)} said that {self._name_of(one.user)} {are} {clean(one.address)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at)
            yield Said(f"slack:{one.number}", line, one.at, one.by, one.address, bool(one.undone_at))

    def _hidings(self) -> Iterator[Said]:
        for one in self._store.identities.hidings():
            said = f"{self._by(one.by)} hid {spoken(one.address)}"
            line = self._line(said, one.at, one.undone_by, one.undone_at)
            yield Said(f"hide:{one.number}", line, one.at, one.by, one.address, bool(one.undone_at))

    def _line(self, said: str, at: datetime, undone_by: str | None, undone_at: datetime | None) -> str:
        undone = f"; undone by {self._by(undone_by or '')} on {day_of(undone_at)}" if undone_at else ""
        return f"{day_of(at)}: {said}{undone}."

    def _by(self, who: str) -> str:
        return self._name_of(who) if who else "somebody"


def day_of(at: datetime) -> str:
    """The day of an instant, in UTC, as "5 November 2025"."""
    return f"{at.day} {NAMES[at.month - 1]} {at.year}"
