"""The months that people write → a range of months. Pure, and the present is an argument.

Never a rolling window: "last month" is the whole calendar month before this one, "the past three
months" the three before this one, "last quarter" a calendar quarter. A month without a year is the
latest such month that is not in the future.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.month.calendar import NAMES, Month, MonthRange

_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
} | {"couple of": 2, "few": 3}  # fmt: skip
_MONTHS = {name[:length].lower(): number for number, name in enumerate(NAMES, 1) for length in (3, len(name))}
_MONTHS |= {"sept": 9}

_NAME = r"(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")"
# One month: 2025-10, 10/2025, October 2025, oct '25, october of last year, october
_ONE = (
    rf"(?:\d{{4}}[-/.]\d{{1,2}}(?!\d|[./-]\d)|(?<![\d./-])\d{{1,2}}[/.]\d{{4}}"
    rf"|{_NAME}\.?,?\s+(?:of\s+)?(?:\d{{4}}|'\d{{2}}|last\s+year|this\s+year)|{_NAME}\b\.?)"
)
_COUNT = r"(?:\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"
_YEAR = r"(?:19|20)\d{2}"
_TO = r"\s*(?:-|–|—|\.\.+|to|until|till|through|thru|and|up\s+to)\s*"

# "may" and "march" are words of their own; they are months where one of these stands before them, a
# year behind them, or nothing else around them.
_LEADS_TO_MONTH = (
    r"(?:in|for|of|during|since|from|until|till|through|to|and|between|last|about|'s|s'|around|month|early|late)"
)
_WORDS = re.compile(r"\b(may|mar|march)\b(?!\.?,?\s+(?:of\s+)?(?:\d{4}|'\d{2}|last\s+year|this\s+year))", re.I)


@dataclass(frozen=True, slots=True)
class When:
    """The months a text names, the text without them, and what is wrong with them if they cannot be."""

    months: MonthRange | None
    rest: str
    wrong: str | None = None


def when(text: str, present: Month, context: MonthRange | None = None) -> When:
    """Find the months in a text. `context` is what a thread is about: "previous month" is counted from it."""
    hidden, restore = _hide_words(text)
    for pattern, reading in _FORMS:
        match = pattern.search(hidden)
        if not match:
            continue
        rest = restore(f"{hidden[: match.start()]} {hidden[match.end() :]}")
        try:
            months = reading(match, present, context)
        except ValueError as error:
            return When(None, rest, _sentence(str(error)))
        if months.first > present:
            return When(None, rest, f"{months.title} has not begun yet.")
        return When(MonthRange(months.first, min(months.last, present)), rest)
    return When(None, text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _hide_words(text: str) -> tuple[str, Callable[[str], str]]:
    """Put "may" and "march" out of sight where they are no months."""

    def hide(match: re.Match[str]) -> str:
        before, after = text[: match.start()].rstrip(), text[match.end() :].strip(" ?!.,")
        alone = not before.strip(" ?!.,") and not after
        led = re.search(rf"(?:^|\W|(?<='s)){_LEADS_TO_MONTH}$", before, re.IGNORECASE)
        ends = not after and bool(before)
        follows = re.match(r"(?:i|we|you|he|she|they|it|have|be|not|on|s)\b", after, re.IGNORECASE)
        keep = alone or ((led or ends) and not follows)
        return match[0] if keep else "\x00" + match[0][::-1] + "\x00"

    hidden = _WORDS.sub(hide, text)
    return hidden, lambda shown: re.sub(r"\x00(\w+)\x00", lambda m: m[1][::-1], shown)


def _month(text: str, present: Month) -> Month:
    """One written month. Raises ValueError where there is no such month."""
    text = " ".join(text.lower().replace(",", " ").split())
    if match := re.fullmatch(r"(\d{4})[-/.](\d{1,2})", text):
        return Month(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"(\d{1,2})[/.](\d{4})", text):
        return Month(int(match[2]), int(match[1]))
    name, _, year = text.partition(" ")
    number = _MONTHS[name.rstrip(".")]
    year = year.removeprefix("of ").strip()
    if year == "last year":
        return Month(present.year - 1, number)
    if year == "this year":
        return Month(present.year, number)
    if year:
        return Month(int(year) if len(year) == 4 else 2000 + int(year.lstrip("'")), number)
    return Month(present.year if number <= present.number else present.year - 1, number)


def _between(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    last = _month(match["last"], present)
    written = match["first"].lower().strip()
    first = _month(written, present)
    if re.fullmatch(rf"{_NAME}\.?", written):  # without a year: the latest such month before the other
        first = Month(last.year if first.number <= last.number else last.year - 1, first.number)
    return MonthRange(first, last)


def _since(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    first = _month(match["first"], present)
    if first > present:
        raise ValueError(f"{first.title} has not begun yet")
    return MonthRange(first, present)


def _since_last(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    return (
        MonthRange(present - 1, present)
        if match["unit"] == "month"
        else MonthRange(Month(present.year - 1, 1), present)
    )


def _past_months(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    written = " ".join(match["count"].lower().split())
    number = _NUMBERS.get(written) or int(written)
    if not 1 <= number <= 120:
        raise ValueError(f"{match['count']} months are more than can be told at once; ask for 1 to 120")
    return MonthRange(present - number, present - 1)


def _quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    number = int(match["quarter"])
    first = Month(int(match["year"]) if match["year"] else present.year, 3 * number - 2)
    if not match["year"] and first > present:
        first -= 12
    return MonthRange(first, first + 2)


def _near_quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    first = Month(present.year, (present.number - 1) // 3 * 3 + 1)
    if match["which"].lower() != "this":
        first -= 3
    return MonthRange(first, first + 2)


def _near_month(match: re.Match[str], present: Month, context: MonthRange | None) -> MonthRange:
    which = " ".join(match["which"].lower().split())
    if which in ("previous", "prior", "the month before"):
        month = context.first - 1 if context else present - 1
    elif which in ("next", "following"):
        month = context.last + 1 if context else present + 1
    else:
        month = present - {"this": 0, "current": 0, "last": 1, "past": 1}[which]
    return MonthRange(month, month)


def _before_last(_: re.Match[str], present: Month, __: MonthRange | None) -> MonthRange:
    return MonthRange(present - 2, present - 2)


def _year(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    written = " ".join(match["year"].lower().split())
    year = {"last year": present.year - 1, "this year": present.year}.get(written)
    year = int(written) if year is None else year
    return MonthRange(Month(year, 1), Month(year, 12))


def _single(match: re.Match[str], present: Month, _: MonthRange | None) -> MonthRange:
    month = _month(match["first"], present)
    return MonthRange(month, month)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Month, MonthRange | None], MonthRange]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reading)
    for pattern, reading in (
        (rf"(?:\b(?:between|from)\s+)?(?<![\w-])(?P<first>{_ONE}){_TO}(?P<last>{_ONE})", _between),
        (rf"\b(?:since|from)\s+(?P<first>{_ONE})(?:\s+on(?:wards?)?)?", _since),
        (r"\bsince\s+last\s+(?P<unit>month|year)\b", _since_last),
        (rf"\b(?:in\s+|over\s+|during\s+|for\s+)?(?:the\s+)?(?:past|last|previous)\s+(?P<count>{_COUNT})\s+months?\b", _past_months),
        (rf"\b(?:in\s+|for\s+)?q(?P<quarter>[1-4])(?:\s*(?:of\s+)?(?P<year>{_YEAR}))?\b", _quarter),
        (r"\b(?:in\s+|for\s+)?(?:the\s+)?(?P<which>last|past|previous|this)\s+quarter\b", _near_quarter),
        (r"\b(?:in\s+|for\s+)?(?:the\s+)?month\s+before\s+last\b", _before_last),
        (
            r"\b(?:in\s+|for\s+|during\s+)?(?:the\s+)?(?P<which>last|past|previous|prior|this|current|next|following)\s+month\b",
            _near_month,
        ),
        (r"\b(?P<which>the\s+month\s+before)\b", _near_month),
        (rf"\b(?:in\s+|for\s+|during\s+|of\s+)?(?:the\s+month\s+of\s+|last\s+)?(?<![\w-])(?P<first>{_ONE})", _single),
        (r"\b(?:in\s+|for\s+)?(?P<year>last\s+year|this\s+year)\b", _year),
        (rf"\b(?:in\s+|for\s+|during\s+)?(?<![\d#./-])(?P<year>{_YEAR})(?![\d./-])\b", _year),
    )
)  # fmt: skip
