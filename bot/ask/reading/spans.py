"""The times of a text → the one span that it is about, or the two that are compared. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.ask.reading.times import Now, Piece, Unclear, off, pieces_of, unit_at
from bot.month.calendar import Days, Month, MonthRange

_TO = re.compile(
    r"^\s*(?:-|–|—|\.\.|to|until|through|up to|do|a|à|al|au)(?:\s+(?:to|and including|including))?"
    r"(?:\s+(?:the(?:\s+end\s+of)?|end\s+of))?\s*$|^\.\.$"
)
_LIST = re.compile(r"^\s*(?:,|/|,?\s*(?:and|&|or|und|et|y|e|och|i|og|en|\+))\s*(?:in\s+|the\s+)*$")
_BETWEEN = re.compile(r"\bbetween\s*(?:the\s+)?$")
_SINCE = re.compile(
    r"\b(?:since|starting(?: in| on| from)?|beginning(?: in| with)?)\s+"
    r"(?:the (?:beginning|start) of |early |last |the )*$|\bfrom\s+(?:the (?:beginning|start) of )?$"
)
_AFTER = re.compile(r"\bafter\s+(?:the\s+)?$")
_UNTIL = re.compile(r"\b(?:until|before|by the end of)\s+(?:the\s+)?(?:end of\s+)?$")
_ONWARDS = re.compile(
    r"^\s*(?:onwards?|on\b(?!\s+\w)|and (?:later|after)|(?:-|to|until|up to)\s*(?:now|(?:the )?present|date)\b)"
)
_ASKS = re.compile(r"\b(?:what|who|which|show|list|compare|how|tell|give|pull|summar\w+|digest|explain)\b")


@dataclass(frozen=True, slots=True)
class When:
    """The time of a text; `ends` are the two of a comparison. `places` are where times stand in it."""

    span: Days | None = None
    ends: tuple[Days, Days] | None = None
    places: tuple[tuple[int, int], ...] = ()
    assumed: tuple[str, ...] = ()


def when(text: str, now: Now, *, two_ends: bool = False) -> When:
    """The time that a text says, in the words of `time_words`. Raises Unclear where it is none that can be told."""
    pieces = _settled(pieces_of(text, now), now)
    if not pieces:
        return When()
    joined = _joined(text, pieces, now)
    places = [(piece.start, piece.end) for piece in joined]
    assumed = tuple(piece.assumed for piece in joined if piece.assumed)
    if two_ends and len(pieces) > 1 and (found := _two(text, joined if len(joined) > 1 else pieces, now)):
        a, b = (_begun(one, now) for one in found)
        ends = None if a.months and b.months and a.months.is_one and b.months.is_one else (a, b)
        return When(Days(a.first, max(b.end, a.end)), ends if ends and a.end <= b.end else None, tuple(places), assumed)
    chosen = _chosen(text, joined)
    return When(_begun(chosen.days, now), None, tuple(places), (chosen.assumed,) if chosen.assumed else ())


def _begun(days: Days, now: Now) -> Days:
    """A time that has begun; of months, those until this one. Raises Unclear for one that has not."""
    if days.first > now.today:
        raise Unclear(f"{days.title} has not begun yet")
    if (months := days.months) and months.last > now.month:
        return Days.of(MonthRange(months.first, now.month))
    return days


def _settled(pieces: list[Piece], now: Now) -> list[Piece]:
    """Those that are so many units off another one, off that: the one said before, or what a conversation is about."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.steps:
            unit, steps = piece.steps
            base = found[-1].days if found else now.about
            if unit == "same":
                unit = _unit_of(base) if base else "month"
            piece = replace(piece, days=off(unit, base or unit_at(unit, now.today, now), steps, now), steps=None)
        found.append(piece)
    return found


def _unit_of(days: Days) -> str:
    length = (days.end - days.first).days
    if days.months:
        many = len(list(days.months))
        return "year" if many >= 12 else "quarter" if many == 3 else "month"
    return "day" if length == 1 else "sprint" if length == 14 else "week"


def _joined(text: str, pieces: list[Piece], now: Now) -> list[Piece]:
    """The pieces with ranges, lists and open ends put together."""
    found = [_opened(text, pieces[0], now)]
    for piece in pieces[1:]:
        last = found[-1]
        gap, before = text[last.end : piece.start], text[: last.start]
        is_range = _TO.match(gap) or (_BETWEEN.search(before) and _LIST.match(gap))
        if is_range or _LIST.match(gap):
            if last.days.months and piece.days.end == unit_at("day", now.today, now).end and piece.days.months is None:
                piece = replace(piece, days=Days.of(now.month))  # "from june until today"
            a, b = _in_order(last, piece, is_range=bool(is_range))
            span = Days(min(a.first, b.first), max(a.end, b.end))
            if not (is_range or _touch(a, b)) and not (span.months and a.months and b.months):
                found.append(_opened(text, piece, now))
                continue
            found[-1] = replace(last, end=piece.end, days=span, floating=last.floating and piece.floating)
        else:
            found.append(_opened(text, piece, now))
    return found


def _touch(a: Days, b: Days) -> bool:
    return a.first <= b.end and b.first <= a.end


def _in_order(one: Piece, other: Piece, *, is_range: bool) -> tuple[Days, Days]:
    """The two ends of a range, a year that is not said being the one that makes it run forwards."""
    a, b = one.days, other.days
    if one.floating and not other.floating and a.months and b.months:
        first, last = a.months.first, b.months.last
        a = Days.of(Month(last.year - (first.number > last.number), first.number))
    elif other.floating and not one.floating and a.months and b.months:
        first, last = a.months.first, b.months.last
        b = Days.of(Month(first.year + (last.number < first.number), last.number)) if is_range else b
    elif is_range and b.end <= a.first and not a.months and (a.first - b.first).days < 7:
        b = Days(b.first + timedelta(days=7), b.end + timedelta(days=7))  # "from monday to wednesday"
    elif is_range and b.end <= a.first and one.floating and a.months:
        a = Days.of(MonthRange(a.months.first - 12, a.months.last - 12))
    return a, b


def _opened(text: str, piece: Piece, now: Now) -> Piece:
    """A piece that leads until today, or begins with its year: "since june", "june onwards", "until august"."""
    before, after = text[: piece.start], text[piece.end :]
    days, end = piece.days, Days.of(now.month).end if piece.days.months else unit_at("day", now.today, now).end
    lead = text[piece.start : piece.end]
    since = _SINCE.search(before)
    if (
        (since and not (since[0].startswith("from") and not _ONWARDS.match(after)))
        or lead.startswith("since ")
        or _ONWARDS.match(after)
    ):
        if days.first > now.today:
            return piece
        return replace(piece, days=Days(days.first, max(end, days.end)))
    if _AFTER.search(before) and days.end < end:
        return replace(piece, days=Days(days.end, end))
    if (
        (until := _UNTIL.search(before))
        and not re.search(r"\d\w*\s*$|m\d\d\s*$", before[: until.start()])
        and not until[0].startswith("to")
    ):
        first = date(days.first.year, 1, 1)
        span = Days(first, days.first if until[0].startswith("before") and days.first > first else days.end)
        return replace(piece, days=span, assumed=f"taking it from January {first.year}")
    return piece


def _two(text: str, pieces: list[Piece], now: Now) -> tuple[Days, Days] | None:
    """The two times of a comparison, the earlier first."""
    one, other = pieces[0], pieces[1]
    a, b = one.days, other.days
    for long, short in ((a, b), (b, a)):
        if _unit_of(long) == "year" and short.months and short.months.is_one and long.first.year != short.first.year:
            same = Days.of(Month(long.first.year, short.months.first.number))
            a, b = (same, short)
    if a == b:
        return None
    return (a, b) if (a.first, a.end) <= (b.first, b.end) else (b, a)


def _chosen(text: str, pieces: list[Piece]) -> Piece:
    """Of several times that nothing joins, the first one behind the words that ask."""
    asks = [match.start() for match in _ASKS.finditer(text)]
    behind = [piece for piece in pieces if asks and piece.start > asks[-1]]
    return behind[0] if behind else pieces[0]
