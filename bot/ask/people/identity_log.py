"""All that was said by hand of who is who, in lines that people read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.ask.people.linking import spoken
from bot.model import Said
from bot.month.addresses import plain
from bot.month.calendar import NAMES
from bot.story.wording import clean
from storage import Store


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
    """Reads the log. `name_of` says how a Slack user's id, or the name of who said something, is written."""

    def __init__(self, store: Store, name_of: Callable[[str], str] = clean) -> None:
        self._store = store
        self._name_of = name_of

    def lines(self) -> list[IdentityLogLine]:
        """All of them, oldest first."""
        every = self._store.said.log("address", "slack", "hide")
        standing = [one for one in every if one.action == "link" and not one.undone_at]
        sure = {_what(one) for one in standing if one.confirmed}
        waiting = {one.number for one in standing if _what(one) not in sure}
        return [self._line(one, waits=one.number in waiting) for one in every]

    def _line(self, one: Said, *, waits: bool) -> IdentityLogLine:
        line = f"{day_of(one.at)}: {self._by(one.by)} {self._words(one)}{f', {WAITS}' if waits else ''}"
        if one.undone_at:
            line += f"; undone by {self._by(one.undone_by or '')} on {day_of(one.undone_at)}"
        return IdentityLogLine(
            key=key_of(one),
            line=f"{line}.",
            at=one.at,
            by=one.by,
            person=one.value or one.about,
            address=one.value if one.kind == "slack" else one.about,
            is_undone=bool(one.undone_at),
            undone_by=one.undone_by or "",
            waits=waits,
        )

    def _words(self, one: Said) -> str:
        if one.kind == "hide":
            return f"hid {spoken(one.about)}"
        if one.kind == "slack":
            are = "is" if one.action == "link" else "is not"
            return f"said that {self._name_of(one.about)} {are} {clean(one.value)}"
        did, to = ("linked", "to") if one.action == "link" else ("unlinked", "from")
        return f"{did} {spoken(one.about)} {to} {clean(one.value)}"

    def _by(self, who: str) -> str:
        return self._name_of(who) if who else "somebody"


def key_of(one: Said) -> str:
    return f"{one.kind}:{one.number}"


def _what(one: Said) -> tuple[str, str, str]:
    return one.kind, plain(one.about), plain(one.value)


def day_of(at: datetime) -> str:
    """The day of an instant, in UTC, as "5 November 2025"."""
    return f"{at.day} {NAMES[at.month - 1]} {at.year}"
