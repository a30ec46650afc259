"""The months that people write → a range of months. Pure, and the present is an argument.

Never a rolling window: "last month" is the whole calendar month before this one, "the past three
months" the three before this one, "last quarter" a calendar quarter. A month without a year is the
latest such month that is not in the future. Weeks and days are no months: that is said, not guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.ask.times import NEAR, YEAR, Piece, pieces_of
from bot.month.calendar import Month, MonthRange

# What stands before a time, and goes with it.
_LEAD = re.compile(
    r"(?:(?:\b(?:in|for|during|of|over|throughout|within|on|im|en|em|au|vom|für|pour|para)\s+)?"
    r"(?:(?:the|all\s+of|all|whole|entire|early|late|mid)[\s-]+)*(?:months?\s+of\s+)?)$",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|from|starting(?:\s+(?:in|from|with))?|as\s+of|seit|depuis|desde)\s+(?:the\s+)?(?:\w+\s+of\s+)?$", re.I
)
_FOLLOWING = re.compile(r"\bafter\s+$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till?|up\s+to|before|through)\s+(?:the\s+)?(?:end\s+of\s+)?$", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|from|since)\s+$", re.IGNORECASE)
_TO = re.compile(
    r"\s*(?:-+|–|—|→|->|\.{2,}|…|,?\s*\b(?:to|until|till?|through|thru|up\s+to|bis)\b)\s*"
    r"(?:(?:the\s+)?end\s+of\s+)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,\s*(?:and|or|&)?|\b(?:and|or)\b|&|\+|/)\s*(?:in\s+)?", re.IGNORECASE)
_AGAINST = re.compile(r"\s*\b(?:versus|vs\.?|with|against|compared\s+(?:to|with))\s*", re.IGNORECASE)
_DOTS = re.compile(r"(?<=\w)\s*\.\.+\s*(?=\w)")  # "jun..aug"
_YEARS = re.compile(rf"(?<![\w-])({YEAR})\s*-\s*({YEAR})(?![\w-])")  # "2023-2024"
_TO_NOW = re.compile(
    r"\s*(?:-|–|—|\b(?:to|until|till|through|up\s+to|and))\s*(?:now|today|date|the\s+present|this\s+day)\b", re.I
)
_ONWARDS = re.compile(r"\s+on(?:wards?)?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class When:
    """The months a text names, the text without them, and what is wrong with them if they cannot be."""

    months: MonthRange | None
    rest: str
    wrong: str | None = None


@dataclass(frozen=True, slots=True)
class _Group:
    """Pieces that belong together, with what leads to them."""

    start: int
    end: int
    months: MonthRange
    sure: bool


def when(text: str, present: Month, context: MonthRange | None = None) -> When:
    """Find the months in a text. `context` is what a thread is about: "previous month" is counted from it."""
    text = _DOTS.sub(" to ", _YEARS.sub(r"\1 to \2", text))
    try:
        groups = _groups(text, pieces_of(text, present, context), present)
    except ValueError as error:
        return When(None, text, _sentence(str(error)))
    if not groups:
        return When(None, text)
    sure = [group for group in groups if group.sure] or groups
    chosen = sure[0]
    rest = f"{text[: chosen.start]} {text[chosen.end :]}"
    others = [group for group in sure if group.months != chosen.months]
    if others:
        titles = " or ".join(dict.fromkeys(group.months.title for group in (chosen, *others)))
        return When(None, rest, f"Which months do you mean: {titles}?")
    for group in reversed(sure[1:]):  # the same months, said twice
        rest = f"{text[: group.start]} {text[group.end :]}"
        text = rest
    rest = f"{text[: chosen.start]} {text[chosen.end :]}"
    if chosen.months.first > present:
        return When(None, rest, f"{chosen.months.title} has not begun yet.")
    return When(MonthRange(chosen.months.first, min(chosen.months.last, present)), rest)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(("?", ".")) else ".")


def _groups(text: str, pieces: list[Piece], present: Month) -> list[_Group]:
    groups: list[_Group] = []
    at = 0
    while at < len(pieces):
        first, last, months = pieces[at], pieces[at], pieces[at].months
        while at + 1 < len(pieces) and (joined := _joined(text, last, pieces[at + 1], months)):
            at, last, months = at + 1, pieces[at + 1], joined
        at += 1
        groups.append(_led(text, first, last, months, present))
    return groups


def _joined(text: str, one: Piece, two: Piece, so_far: MonthRange) -> MonthRange | None:
    """The months from one piece to the next, where what stands between them makes them a range or a list."""
    between = text[one.end : two.start]
    to = _TO.fullmatch(between) or (_AND.fullmatch(between) and _before(_BETWEEN, text, one.start))
    if not (to or _AND.fullmatch(between) or _AGAINST.fullmatch(between)):
        return None
    before, after = so_far, two.months
    if one.floating and not two.floating:
        while before.first > after.last:
            before = _years_later(before, -1)
        while _years_later(before, 1).first <= after.last:
            before = _years_later(before, 1)
    elif two.floating and not one.floating and to:
        while after.first < before.first:
            after = _years_later(after, 1)
        while _years_later(after, -1).first >= before.first:
            after = _years_later(after, -1)
    elif one.floating and two.floating and to:
        while before.first > after.first:
            before = _years_later(before, -1)
    if to:
        return MonthRange(before.first, after.last)
    return MonthRange(min(before.first, after.first), max(before.last, after.last))


def _years_later(months: MonthRange, years: int) -> MonthRange:
    return MonthRange(months.first + 12 * years, months.last + 12 * years)


def _led(text: str, first: Piece, last: Piece, months: MonthRange, present: Month) -> _Group:
    """The months with what stands before and behind them: "since", "until", "in", "onwards"."""
    begin, end = first.start, last.end
    sure = not first.bare or first is not last
    single = first is last
    if tail := _TO_NOW.match(text, end):
        end, months = tail.end(), _open(months.first, present)
        lead = _before(_SINCE, text, begin) or _before(_BETWEEN, text, begin)
        return _Group(lead.start() if lead else first.start, end, months, True)
    if single and (lead := _before(_SINCE, text, begin)):
        onwards = _ONWARDS.match(text, end)
        return _Group(lead.start(), onwards.end() if onwards else end, _open(months.first, present), True)
    if single and (lead := _before(_FOLLOWING, text, begin)):
        return _Group(lead.start(), end, _open(months.last + 1, present), True)
    if single and _before(_UNTIL, text, begin):
        raise ValueError("since when? Say the first month too, such as “from june to august”")
    lead = _before(_BETWEEN, text, begin) if not single else None
    lead = lead or _before(_LEAD, text, begin)
    start = lead.start() if lead else first.start
    return _Group(start, end, months, sure or bool(lead and lead[0].strip()))


def _before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """What a pattern finds right before a place in a text."""
    return pattern.search(text, max(0, end - NEAR), end)


def _open(first: Month, present: Month) -> MonthRange:
    if first > present:
        raise ValueError(f"{first.title} has not begun yet")
    return MonthRange(first, present)
