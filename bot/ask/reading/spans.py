"""The times of a text → the one span that it is about, or the two that are compared. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.ask.reading.time_words import LEADS, time_words
from bot.ask.reading.times import OldNow, Piece, Unclear, pieces_of
from bot.ask.reading.words import Text
from bot.month.calendar import Days, Month, MonthRange

_TO = re.compile(
    r"\s*(?:-|–|—|\.\.|to|until|through|up to|do|a|à|al|au)(?: (?:to|and including|including))?"
    r"(?: (?:the(?: end of)?|end of))?\s*"
)
_AND = re.compile(r"\s*(?:,|/|,?\s*(?:and|&|or|und|et|y|e|och|i|og|en|\+))\s*(?:in |the )*")
_BETWEEN = re.compile(r"\bbetween (?:the )?$")
_SINCE = re.compile(
    r"\b(?:since|(?:starting|beginning)(?: in| on| from| with)?) (?:the (?:beginning|start) of |early |the )*$"
)
_AFTER = re.compile(r"\bafter (?:the )?$")
_UNTIL = re.compile(r"\b(?P<how>until|before|by the end of) (?:the )?(?:end of )?$")
_ONWARDS = re.compile(
    r"\s*(?:onwards?|on\b(?! \w)|and (?:later|after)|(?:-|to|until|up to) ?(?:now|(?:the )?present|date)\b)"
)
_ASKS = re.compile(r"\b(?:what|who|which|show|list|compare|how|tell|give|pull|summar\w+|digest|explain)\b")
_BESIDE = LEADS | {"the", "please", "after", "before"}


@dataclass(frozen=True, slots=True)
class When:
    """The time of a text; `ends` are the two of a comparison. `places` are where times stand in it."""

    span: Days | None = None
    ends: tuple[Days, Days] | None = None
    places: tuple[tuple[int, int], ...] = ()
    assumed: tuple[str, ...] = ()


def time_alone(text: str, today: date, sprint: tuple[date, int] | None = None) -> Days | None:
    """The time that a text is, None where it says something else, or more. Raises Unclear where there is none such."""
    words = Text(text[:200], lambda _: False)
    said, starts = time_words(words)
    found = when(said, OldNow(today, sprint=sprint))
    beside = (words.words[n].low for n, at in enumerate(starts) if not any(a <= at < b for a, b in found.places))
    return found.span if all(word in _BESIDE for word in beside) else None


def when(text: str, now: OldNow, *, two_ends: bool = False) -> When:
    """The time that a text says, in the words of `time_words`. Raises Unclear where it is none that can be told."""
    pieces = _settled(pieces_of(text, now), now)
    if not pieces:
        return When()
    joined = _joined(text, pieces, now)
    places = tuple((piece.start, piece.end) for piece in joined)
    if two_ends and len(pieces) > 1:
        one, other = (joined if len(joined) > 1 else pieces)[:2]
        if one.days != other.days:
            assumed = tuple(piece.assumed for piece in (one, other) if piece.assumed)
            return When(*compared(one.days, other.days, now), places, assumed)
    asks = [match.start() for match in _ASKS.finditer(text)]
    behind = [piece for piece in joined if asks and piece.start > asks[-1]]
    chosen = (behind or joined)[0]  # of several, the first behind the words that ask
    return When(_begun(chosen.days, now), None, places, (chosen.assumed,) if chosen.assumed else ())


def _begun(days: Days, now: OldNow) -> Days:
    """A time that has begun; of months, those until this one. Raises Unclear for one that has not."""
    if days.first > now.today:
        raise Unclear(f"{days.title} has not begun yet")
    if (months := days.months) and months.last > now.month:
        return Days.of(MonthRange(months.first, now.month))
    return days


def _settled(pieces: list[Piece], now: OldNow) -> list[Piece]:
    """Those that are so many units off another one, off that: the one said before, or what a conversation is about."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.step:
            unit, steps = piece.step
            base = found[-1].days if found else now.about
            if unit == "same":
                unit = _unit_of(base) if base else "month"
            piece = replace(piece, days=now.off(unit, steps, base), step=None)
        found.append(piece)
    return found


def _unit_of(days: Days) -> str:
    if days.months:
        many = len(list(days.months))
        return "year" if many >= 12 else "quarter" if many == 3 else "month"
    return {1: "day", 14: "sprint"}.get((days.end - days.first).days, "week")


def _joined(text: str, pieces: list[Piece], now: OldNow) -> list[Piece]:
    """The pieces with open ends, ranges and lists put together."""
    found = [_opened(text, pieces[0], now)]
    for piece in pieces[1:]:
        last, gap = found[-1], text[found[-1].end : piece.start]
        is_range = _TO.fullmatch(gap) or (_BETWEEN.search(text[: last.start]) and _AND.fullmatch(gap))
        if is_range or _AND.fullmatch(gap):
            a, b = _in_order(last, piece, now, is_range=bool(is_range))
            if is_range or (a.months and b.months) or (a.first <= b.end and b.first <= a.end):
                span = Days(min(a.first, b.first), max(a.end, b.end))
                found[-1] = replace(last, end=piece.end, days=span, floating=last.floating and piece.floating)
                continue
        found.append(_opened(text, piece, now))
    return found


def _in_order(one: Piece, other: Piece, now: OldNow, *, is_range: bool) -> tuple[Days, Days]:
    """The two ends of a range, a year that is not said being the one that makes it run forwards."""
    a, b = one.days, other.days
    if a.months and b == now.unit("day"):
        return a, Days.of(now.month)  # "from june until today"
    if a.months and b.months:
        first, last = a.months.first, b.months.last
        if one.floating and (not other.floating or (is_range and b.end <= a.first)):
            year = last.year - (first.number > last.number)
            a = Days.of(MonthRange(Month(year, first.number), a.months.last + 12 * (year - first.year)))
        elif other.floating and not one.floating and is_range:
            b = Days.of(Month(first.year + (last.number < first.number), last.number))
    elif is_range and b.end <= a.first and (a.first - b.first).days < 7:
        b = Days(b.first + timedelta(days=7), b.end + timedelta(days=7))  # "from monday to wednesday"
    return a, b


def _opened(text: str, piece: Piece, now: OldNow) -> Piece:
    """A piece that leads until today, or begins with its year: "since june", "june onwards", "until august"."""
    before, after, days = text[: piece.start], text[piece.end :], piece.days
    end = Days.of(now.month).end if days.months else now.unit("day").end
    if _SINCE.search(before) or text.startswith("since ", piece.start) or _ONWARDS.match(after):
        return (
            piece if days.first > now.today else replace(piece, days=Days(days.first, max(end, days.end)), assumed="")
        )
    if _AFTER.search(before) and days.end < end:
        return replace(piece, days=Days(days.end, end))
    until = _UNTIL.search(before)
    if until and not re.search(r"\d\w*\s*$", before[: until.start()]):
        first = date(days.first.year, 1, 1)
        span = Days(first, days.first if until["how"] == "before" and days.first > first else days.end)
        return replace(piece, days=span, assumed=f"taking it from January {first.year}")
    return piece


def compared(one: Days, other: Days, now: OldNow) -> tuple[Days, tuple[Days, Days] | None]:
    """Two times as the one that both are in, and as its two ends where they are not simply its first and last month.

    "September with last year" are two Septembers.
    """
    a, b = one, other
    for long, short in ((a, b), (b, a)):
        if _unit_of(long) == "year" and short.months and short.months.is_one and long.first.year != short.first.year:
            a, b = Days.of(Month(long.first.year, short.months.first.number)), short
    a, b = (_begun(days, now) for days in sorted((a, b)))
    is_simple = a.months and b.months and a.months.is_one and b.months.is_one
    return Days(a.first, max(a.end, b.end)), None if is_simple or a.end > b.end else (a, b)
