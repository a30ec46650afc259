"""What was said of changes by hand, in notes: what a change is called or counted as, by whom and since when. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

from bot.model import Change, Said
from bot.month.facts import MonthFacts
from bot.month.lifetime import LifetimeFacts
from bot.story.states import SHORT, on
from bot.story.wording import KINDS, clean, count

MOST = 5  # corrections that are shown one by one


def what_was_said(one: Said) -> str:
    """What a correction says of its change, as it follows the change's name: "is a fix", "is called “…”"."""
    if one.action == "kind":
        word = next((words for kind, (_, words, _) in KINDS.items() if kind == one.value and kind != "chore"), "chore")
        return f"is {'an' if word[0] in 'aeiou' else 'a'} {word}"
    return f"is called “{clean(one.value)}”" if one.action == "title" else "is left out of all months"


def corrected_by_hand(changes: Iterable[Change], zone: str) -> Iterator[str]:
    """A note on each correction of changes that are shown: those of the first few, and how many more there are."""
    said = [(change, one) for change in changes for one in change.corrections]
    for change, one in said[:MOST]:
        by = f"({clean(one.by)}, {on(one.at, ZoneInfo(zone))})"
        proved = "; these words are not proved" if one.action == "title" else ""
        yield f"Corrected by hand: {change.lead.sha[:SHORT]} {what_was_said(one)} {by}{proved}."
    if len(said) > MOST:
        yield f"{count(len(said) - MOST, 'more correction')} by hand."


def hidden_by_hand(months: Sequence[MonthFacts | LifetimeFacts]) -> Iterator[str]:
    """How many changes nothing is shown of, each counted once; never which."""
    number = len({change for facts in months for change in facts.hidden})
    if number:
        of_whom = "its author" if number == 1 else "their author" if len(months) == 1 else "their authors"
        yield f"{count(number, 'change')} {'is' if number == 1 else 'are'} left out at the wish of {of_whom}."
