"""A text that is nothing but a time: "2025-10", "october", "since june". Pure."""

from __future__ import annotations

from datetime import date

from bot.ask.reading.spans import when
from bot.ask.reading.time_words import LEADS, time_words
from bot.ask.reading.times import Now, Unclear
from bot.ask.reading.words import Text
from bot.month.calendar import Days

__all__ = ["Unclear", "time_alone"]


def time_alone(text: str, today: date, sprint: tuple[date, int] | None = None) -> Days | None:
    """The time that a text is, None where it says something else, or more. Raises Unclear where there is none such."""
    words = Text(text[:200], lambda _: False)
    said, starts = time_words(words)
    found = when(said, Now(today, sprint=sprint))
    places = found.places
    beside = (words.words[n].low for n, at in enumerate(starts) if not any(a <= at < b for a, b in places))
    return found.span if all(word in LEADS or word in ("the", "please", "after", "before") for word in beside) else None
