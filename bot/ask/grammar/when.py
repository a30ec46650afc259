"""The months that people write → a range of months. Pure, and the present is an argument.

Never a rolling window: "last month" is the whole calendar month before this one, "the past three
months" the three before this one, "last quarter" a calendar quarter. A month without a year is the
latest such month that is not in the future. Weeks and days are no months: that is said, not guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.ask.grammar.month_words import ENGLISH_MONTHS, WRITTEN
from bot.ask.grammar.readings import NAME, NEAR, Piece, Unclear, one_of
from bot.ask.grammar.times import YEAR, pieces_of
from bot.month.calendar import Month, MonthRange

# What stands before a time, and goes with it.
_LEAD = re.compile(
    r"(?:(?:\b(?:in|for|during|of|over|throughout|within|on|im|en|em|au|vom|für|pour|para|w|nel|per|om)\s+)?"
    r"(?:(?:the|all\s+of|all|whole|entire|early|late|mid|beginning\s+of|start\s+of|end\s+of|middle\s+of)[\s-]+)*"
    r"(?:(?:every|each)\s+month\s+(?:of|in)\s+|(?:months?|mois|monat|mes|mese)\s+(?:of|de|di)\s+)?(?:the\s+)?)$",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|from|(?:starting|beginning)(?:\s+(?:in|from|with))?|as\s+of|seit|depuis|desde|sinds|sedan|od|dal)\s+"
    r"(?:the\s+)?(?:\w+\s+of\s+)?(?:le\s+)?$", re.I
)  # fmt: skip
_FOLLOWING = re.compile(r"\bafter\s+(?:the\s+end\s+of\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till?|up\s+to|before|through)\s+(?:the\s+)?(?:end\s+of\s+)?$", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\b(?:between|from|since|von|zwischen|entre|de|från|mellan|tra|od|van|tussen)\s+$", re.IGNORECASE
)
_TO = re.compile(
    r"\s*(?:-+|–|—|→|->|\.{2,}|…|,?\s*\b(?:through\s+to|to|until|till?|through|thru|through\s+to|"
    r"up\s+to(?:\s+and\s+including)?|bis|hasta|até|fino\s+a|"
    r"tot|do|a|à|al|jusqu['’]en)\b)\s*(?:in\s+)?(?:(?:the\s+)?(?:end\s+of|mid|early|late)[\s-]+)?(?:the\s+)?",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,\s*(?:and|or|&)?|\b(?:and|or|und|et|y|e|och|en|og|i)\b|&|\+|/)\s*(?:in\s+|also\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\s*(?:,\s*)?\b(?:versus|vs\.?|with|against|than|and|compared?\s+(?:to|with))\s*(?:in\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_DOTS = re.compile(r"(?<=\w)\s*\.\.+\s*(?=\w)")  # "jun..aug"
_YEARS = re.compile(rf"(?<![\w-])({YEAR})\s*-\s*({YEAR})(?![\w-])")  # "2023-2024"
_NUMBERED = re.compile(rf"(?<![\w/.-])(\d{{1,2}}/{YEAR})\s*[-–]\s*(\d{{1,2}}/{YEAR})(?![\w/.-])")  # "01/2025-03/2025"
_SLASHED = re.compile(rf"(?<![\w/])({NAME})/({NAME})(?![\w/])", re.IGNORECASE)
_RANGE, _COMPARED_TO = re.compile(r"\b(?:from|between|since)\b", re.IGNORECASE), re.compile(r"\s+to\s+", re.IGNORECASE)
_IN_SWEDISH = re.compile(rf"\bi\s+(?={one_of([word for word in WRITTEN if word not in ENGLISH_MONTHS])}(?!\w))", re.I)
_TO_NOW = re.compile(
    r"\s*(?:-|–|—|\b(?:to|until|till|through|up\s+to|and|bis))\s*(?:now|today|date|(?:the\s+)?present|this\s+day|"
    r"heute)\b",
    re.I,
)
_ONWARDS = re.compile(r"\s+(?:on(?:wards?)?|and\s+(?:later|after|since)|forward)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class When:
    """The months a text names, the text without them, and what is wrong with them if they cannot be.

    `options` are the months that may be meant where it is not clear.
    """

    months: MonthRange | None
    rest: str
    wrong: str | None = None
    options: tuple[MonthRange, ...] = ()
    ends: tuple[Month, Month] | None = None  # of two longer times: the last month of the first, the first of the other


@dataclass(frozen=True, slots=True)
class _Group:
    """Pieces that belong together, with what leads to them."""

    start: int
    end: int
    months: MonthRange
    sure: bool


def when(text: str, present: Month, context: MonthRange | None = None, *, two_ends: bool = False) -> When:
    """Find the months in a text. `context` is what a thread is about: "previous month" is counted from it.

    With `two_ends` months in two places are the ends of a comparison: from the first of them to the last.
    """
    text = _SLASHED.sub(r"\1 and \2", _DOTS.sub(" to ", _YEARS.sub(r"\1 to \2", text)))
    text = _NUMBERED.sub(r"\1 to \2", text)
    text = _IN_SWEDISH.sub("in ", text)
    if two_ends and not _RANGE.search(text):
        text = _COMPARED_TO.sub(" vs ", text)
    try:
        pieces = pieces_of(text, present, context)
        groups = _groups(text, pieces, present)
    except Unclear as unclear:
        return _unclear(text, present, unclear)
    except ValueError as error:
        return When(None, text, _sentence(str(error)))
    if not groups:
        return When(None, text)
    sure = [group for group in groups if group.sure] or groups
    chosen = sure[0]
    others = [group for group in sure if group.months != chosen.months]
    for group in reversed(sure):
        text = f"{text[: group.start]} {text[group.end :]}"
    if others and two_ends and len({group.months for group in sure}) == 2:
        ends = MonthRange(min(group.months.first for group in sure), max(group.months.last for group in sure))
        chosen, others = _Group(0, 0, ends, True), []
    if others:
        several = tuple(dict.fromkeys(group.months for group in (chosen, *others)))
        wrong = f"Which months do you mean: {' or '.join(months.title for months in several)}?"
        return When(None, text, wrong, tuple(months for months in several if months.last <= present))
    if chosen.months.first > present:
        return When(None, text, f"{chosen.months.title} has not begun yet.")
    months = MonthRange(chosen.months.first, min(chosen.months.last, present))
    return When(months, text, ends=_ends(pieces, months) if two_ends else None)


def _ends(pieces: list[Piece], months: MonthRange) -> tuple[Month, Month] | None:
    """Where the first of two times ends and the other begins, where either is longer than a month: Q2 and Q3."""
    if len(pieces) != 2 or all(piece.months.is_one for piece in pieces):
        return None
    one, other = sorted((piece.months for piece in pieces), key=lambda of: of.first)
    fits = (one.first, one.last < other.first, min(other.last, months.last)) == (months.first, True, months.last)
    return (one.last, other.first) if fits and other.first <= months.last else None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(("?", ".")) else ".")


def _unclear(text: str, present: Month, unclear: Unclear) -> When:
    """What is not clear, with what may be meant where nothing else in the text says a time."""
    start, end = unclear.span
    rest = f"{text[:start]} {text[end:]}"
    try:
        alone = not pieces_of(rest, present, None)
    except ValueError:
        alone = False
    return When(None, rest, _sentence(str(unclear)), unclear.options if alone else ())


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
    if two.whole_year and before.is_one and _AGAINST.fullmatch(between) and "and" not in between:
        after = MonthRange(*[Month(after.first.year, before.first.number)] * 2)  # "october 2025 with 2024"
        return MonthRange(min(before.first, after.first), max(before.last, after.last))
    if one.floating and not two.floating and not to and before.is_one and before.first.number == after.first.number:
        pass  # "compare october to october 2024": this year's and that one's
    elif one.floating and not two.floating:
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
    if single and (until := _before(_UNTIL, text, begin)):
        options = [MonthRange(Month(months.last.year, 1), months.last)] if months.last <= present else []
        raise Unclear(
            "since when? Say the first month too, such as “from june to august”", *options, span=(until.start(), end)
        )
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
