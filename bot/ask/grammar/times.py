"""The forms in which people write a time → the months each of them is. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.month.calendar import NAMES, Month, MonthRange

NEAR = 60  # characters before and behind a time that are looked at
MOST = 120  # months in a range that is counted ("the past 500 months")

_COUNTED = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
} | {"couple of": 2, "couple": 2, "few": 3}  # fmt: skip
_ENGLISH = {name[:length].lower(): number for number, name in enumerate(NAMES, 1) for length in (3, len(name))}
_ENGLISH |= {"sept": 9}
# So that other languages' months are not misread; names that mean different months in two languages are left out.
_FOREIGN = {
    word: number
    for number, words in enumerate(
        [
            "januar januari janvier janeiro enero gennaio", "februar februari février fevrier febrero febbraio "
                                                            "fevereiro",
            "märz maerz marzo março mars maart marts", "avril abril aprile", "mai mayo maio maggio mei maj",
            "juni juin junio junho giugno", "juli juillet julio julho luglio", "août aout agosto augustus",
            "septembre septiembre setembro settembre", "oktober octobre octubre outubro ottobre",
            "novembre noviembre novembro", "dezember décembre decembre diciembre dezembro dicembre",
        ],
        1,
    )
    for word in words.split()
}  # fmt: skip
MONTH_WORDS = _FOREIGN | _ENGLISH
# These are words, or people, as well: a month only behind one of the words that lead to a time, with a year, or alone.
_DOUBTFUL = frozenset(
    ["may", "mar", "march", "mars", "mai", "mei", "maj", "mayo", "marzo", "abril",
     "avril", "enero", "juni", "juli", "junio", "julio", "agosto", "augustus"]
)  # fmt: skip
SURE_MONTHS = MONTH_WORDS.keys() - _DOUBTFUL


def _one_of(words: Sequence[str] | dict[str, int]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


_NAME = _one_of(MONTH_WORDS)
_NUMBER = rf"(?:\d{{1,3}}|{_one_of(_COUNTED)}|an?)"
YEAR = r"(?:19|20)\d{2}"
_YEAR_SAID = rf"(?:{YEAR}|['’]\d{{2}}|(?:of\s+)?(?:last|this|next|the\s+same)\s+year)"
_BEFORE, _AFTER = r"(?<![\w@/#.<])(?<!\d-)", r"(?![\w@/]|[-.]\w)"
_LAST = r"(?:last|past|previous|prior|trailing|recent)"
_DAYS = r"(?:days?|weeks?|weekends?|fortnights?|sprints?|hours?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"

_POSSESSIVE = re.compile(r"['’]s\b")
_LEADS_TO_MONTH = re.compile(
    r"(?:^|\W)(?:in|for|of|during|since|from|until|till|through|between|last|this|next|about|around|early|late|mid|"
    r"month|"
    r"im|en|em|au|seit|vom|de|depuis|desde|für|pour|para|and|what\s+about|how\s+about|'s|’s)[\s-]*$",
    re.IGNORECASE,
)
_NO_MONTH_AFTER = re.compile(r"\s*(?:i|we|you|he|she|they|it|have|be|not|on|also|need|want|ask|see|get|please)\b", re.I)
_NO_MONTH_BEFORE = re.compile(
    r"\b(?:(?:i|we|you|he|she|they|it|that|who|which|to)|(?:the|an?)(?:\s+\w+)?)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Months in a text. Those of a `floating` piece have no year of their own; a `bare` one is a name and no more."""

    start: int
    end: int
    months: MonthRange
    floating: bool = False
    bare: bool = False


def pieces_of(text: str, present: Month, context: MonthRange | None) -> list[Piece]:
    """Every time that is named, the first and longest reading of each. Raises ValueError where one cannot be."""
    found: list[Piece] = []
    taken = [False] * (len(text) + 1)
    for pattern, reading in _FORMS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            piece = reading(match, present, context)
            if piece is None:
                continue
            end = match.end() + (len(s[0]) if (s := _POSSESSIVE.match(text, match.end())) else 0)
            found.append(replace(piece, end=end))
            taken[match.start() : end] = [True] * (end - match.start())
    return sorted(found, key=lambda piece: piece.start)


_Reading = Callable[[re.Match[str], Month, MonthRange | None], Piece | None]


def _piece(
    match: re.Match[str], first: Month, last: Month | None = None, *, floating: bool = False, bare: bool = False
) -> Piece:
    return Piece(match.start(), match.end(), MonthRange(first, last or first), floating, bare)


def _year_said(written: str, present: Month) -> int:
    words = written.lower().removeprefix("of ").strip()
    if "year" in words:
        return present.year + {"last": -1, "this": 0, "next": 1}.get(words.split()[0], 0)
    return int(words) if len(words) == 4 else 2000 + int(words.lstrip("'’"))


def _latest(number: int, present: Month) -> Month:
    return Month(present.year if number <= present.number else present.year - 1, number)


def _day(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    raise ValueError("I tell whole months, not days or weeks: ask for a month, such as this month or last month")


def _day_or_year(match: re.Match[str], present: Month, context: MonthRange | None) -> Piece | None:
    if _is_word(match, match["name"]):
        return None
    name, number = NAMES[MONTH_WORDS[match["name"].lower()] - 1], int(match["day"])
    raise ValueError(f"do you mean a day, or {name} 20{number:02}? I tell whole months; write the year in full")


def _numbers(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    return _piece(match, Month(int(match["year"]), int(match["month"])))


def _name_and_year(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    return _piece(match, Month(_year_said(match["year"], present), MONTH_WORDS[match["name"].lower()]))


def _near_name(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    month = _latest(MONTH_WORDS[match["name"].lower()], present)
    which = match["which"].lower()
    if which in ("next", "coming"):
        return _piece(match, month + 12)
    if which == "this":
        return _piece(match, Month(present.year, month.number))
    return _piece(match, month - 12 if month == present else month)


def _name(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    if _is_word(match, match["name"]):
        return None
    return _piece(match, _latest(MONTH_WORDS[match["name"].lower()], present), floating=True, bare=True)


def _is_word(match: re.Match[str], name: str) -> bool:
    """Whether "may" or "march" is no month here: see _DOUBTFUL."""
    if name.lower() not in _DOUBTFUL:
        return False
    before, after = match.string[max(0, match.start() - NEAR) : match.start()], match.string[match.end() :][:NEAR]
    if not before.strip(" ?!.,") and not after.strip(" ?!.,"):
        return False
    if re.match(r"\s*(?:-|–|to|until|till|and|through)\s*(?:\d|" + _NAME + r"\b)", after, re.IGNORECASE):
        return False
    if re.search(_NAME + r"\.?\s*(?:-|–|to|until|till|and|or|through|vs|,)\s*$", before, re.IGNORECASE):
        return False
    if _NO_MONTH_AFTER.match(after):
        return True
    ends = not after.strip(" ?!.,") and not _NO_MONTH_BEFORE.search(before)
    return not (_LEADS_TO_MONTH.search(before) or (ends and name.lower() in _ENGLISH))


def _cjk(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    number = int(match["month"])
    if match["year"]:
        return _piece(match, Month(int(match["year"]), number))
    return _piece(match, _latest(Month(present.year, number).number, present), floating=True)


def _counted(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    written = " ".join(match["count"].lower().split())
    number = _COUNTED.get(written) or int(written)
    unit = match["unit"].lower().rstrip("s")
    months = number * {"month": 1, "quarter": 3, "year": 12}[unit]
    if not 1 <= months <= MOST:
        raise ValueError(f"{match['count']} {unit}s are more than can be told at once; ask for 1 to {MOST} months")
    end = {"month": present, "quarter": _quarter_of(present), "year": Month(present.year, 1)}[unit]
    if match["which"].lower() in ("next", "coming"):
        return _piece(match, present + 1, present + months)
    return _piece(match, end - months, end - 1)


def _half_year(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    return _piece(match, present - 6, present - 1)


def _ago(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    written = " ".join(match["count"].lower().split())
    number = 1 if written in ("a", "an") else _COUNTED.get(written) or int(written)
    if match["unit"].lower().startswith("year"):
        return _piece(match, Month(present.year - number, 1), Month(present.year - number, 12))
    return _piece(match, present - number)


def _quarter_of(month: Month) -> Month:
    return Month(month.year, (month.number - 1) // 3 * 3 + 1)


_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}


def _quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    written = match["quarter"].lower()
    number = _ORDINALS.get(written) or int(written)
    year = match["year"] or match.groupdict().get("before")
    first = Month(_year_said(year, present) if year else present.year, 3 * number - 2)
    if not year and first > present:
        first -= 12
    return _piece(match, first, first + 2, floating=not year)


def _no_quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    raise ValueError("there are four quarters, Q1 to Q4")


def _half(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    written = match["half"].lower()
    number = _ORDINALS.get(written) or int(written)
    first = Month(_year_said(match["year"], present) if match["year"] else present.year, 6 * number - 5)
    if not match["year"] and first > present:
        first -= 12
    return _piece(match, first, first + 5, floating=not match["year"])


def _near_quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    first = _quarter_of(present) + {"this": 0, "current": 0, "next": 3, "coming": 3}.get(match["which"].lower(), -3)
    return _piece(match, first, first + 2)


def _near_month(match: re.Match[str], present: Month, context: MonthRange | None) -> Piece | None:
    which = " ".join(match["which"].lower().split())
    if which in ("this", "current"):
        return _piece(match, present)
    if which in ("last", "past"):
        return _piece(match, present - 1)
    if which in ("next", "following", "coming"):
        return _piece(match, (context.last if context else present) + 1)
    return _piece(match, (context.first if context else present) - 1)


def _beside(match: re.Match[str], present: Month, context: MonthRange | None) -> Piece | None:
    """ "the month before", "and the one after that"."""
    if match["which"].lower().startswith(("before", "earlier")):
        return _piece(match, (context.first if context else present) - 1)
    return _piece(match, (context.last if context else present) + 1)


def _year_before(match: re.Match[str], present: Month, context: MonthRange | None) -> Piece | None:
    about = context or MonthRange(present, present)
    return _piece(match, about.first - 12, about.last - 12)


def _short(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    written = f"20{match['year']}-{int(match['month']):02}"
    raise ValueError(f"do you mean {written}? Write the year in full, so that it is no day")


def _before_last(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    return _piece(match, present - 2)


def _near_year(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    year = present.year + {"this": 0, "current": 0, "next": 1, "coming": 1}.get(match["which"].lower(), -1)
    return _piece(match, Month(year, 1), Month(year, 12))


def _so_far(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    return _piece(match, present if "m" in match[0].lower().split()[0] else Month(present.year, 1), present)


def _year(match: re.Match[str], present: Month, _: MonthRange | None) -> Piece | None:
    year = int(match["year"])
    return _piece(match, Month(year, 1), Month(year, 12))


# Tried in this order; what one has taken, the next ones do not see.
_FORMS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reading)
    for pattern, reading in (
        # 2025-10-03, 3.10.2025, 3 October, October 3rd, October 3, 2025
        (rf"{_BEFORE}(?:\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}(?:t[\d:.]+z?)?|\d{{1,2}}([./-])\d{{1,2}}\2(?:\d{{4}}|"
         rf"\d{{2}}))(?![\w-])", _day),
        (rf"{_BEFORE}(?:\d{{1,2}}(?:st|nd|rd|th)\s+(?:of\s+)?{_NAME}|\d{{1,2}}\.?\s+{_NAME}\s+{YEAR}|"
         rf"{_NAME}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)|{_NAME}\.?\s+\d{{1,2}},?\s+{YEAR}){_AFTER}", _day),
        (rf"\b(?:{_LAST}|this|current|next|coming|every|each)\s+(?:{_NUMBER}\s+)?{_DAYS}\b|"
         rf"\b{_NUMBER}\s+{_DAYS}\s+ago\b|\b(?:since|until|till|on)\s+(?:yesterday|today|monday|tuesday|wednesday|"
         rf"thursday|friday|saturday|sunday)\b|\byesterday\b", _day),
        (rf"{_BEFORE}(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})(?!\w|[-/.]\d)", _numbers),
        (rf"{_BEFORE}(?P<month>\d{{1,2}})[-/.](?P<year>{YEAR})(?!\w|[-/.]\d)", _numbers),
        (r"(?P<which>)(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]", _cjk),
        (r"(?<![\d年년])(?P<year>)(?P<month>\d{1,2})\s*[月월](?!\d)", _cjk),
        (rf"{_BEFORE}(?P<name>{_NAME})(?:\.?,?\s+(?:of\s+|in\s+|de\s+)?|[-/.]|\s*)"
         rf"(?P<year>{_YEAR_SAID}){_AFTER}", _name_and_year),
        (rf"{_BEFORE}(?P<year>{YEAR})[\s-]+(?P<name>{_NAME}){_AFTER}", _name_and_year),
        (rf"\b(?P<which>last|past|previous|this|next|coming)\s+(?P<name>{_NAME}){_AFTER}", _near_name),
        (rf"{_BEFORE}(?P<name>{_NAME})\.?\s+(?P<day>\d{{1,2}})(?![\w.:/%-])", _day_or_year),
        (rf"{_BEFORE}(?P<before>{YEAR})[\s-]*q(?P<quarter>[1-4])(?P<year>)(?!\w)", _quarter),
        (rf"(?<![\w/#-])q(?P<quarter>[1-4])(?:[\s/-]*(?:of\s+|in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)", _quarter),
        (rf"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter(?:\s+(?:of\s+|"
         rf"in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)", _quarter),
        (r"\b(?:in|for|during|of|since)\s+q(?:[05-9]|\d\d+)(?!\w)", _no_quarter),
        (rf"(?<![\w/#-])h(?P<half>[12])[\s/-]*(?:of\s+)?(?P<year>{_YEAR_SAID})(?!\w)", _half),
        (rf"\b(?P<half>first|second|1st|2nd)\s+half\s+of\s+(?:the\s+year|(?P<year>{YEAR}|(?:last|this|"
         rf"next)\s+year))(?!\w)", _half),
        (rf"\b(?P<which>{_LAST}|next|coming)\s+(?P<count>\d{{1,4}}|{_one_of(_COUNTED)})\s+(?P<unit>months?|quarters?|"
         rf"years?)\b", _counted),
        (rf"\b{_LAST}\s+half(?:\s+a)?[\s-]+year\b", _half_year),
        (rf"\b(?P<count>\d{{1,3}}|{_one_of(_COUNTED)}|an?)\s+(?P<unit>months?|years?)\s+ago\b", _ago),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|coming)\s+quarter\b", _near_quarter),
        (r"\bsame\s+(?:months?|time|period|range)\s+(?:of\s+)?last\s+year\b", _year_before),
        (rf"{_BEFORE}(?P<month>0?[1-9]|1[0-2])/(?P<year>\d{{2}})(?![\w/.-])", _short),
        (r"\bmonth\s+before\s+last\b", _before_last),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|following|coming)"
         r"\s+month(?:\s+so\s+far)?\b", _near_month),
        (r"\b(?:the\s+)?(?:month|one)\s+(?P<which>before|after|earlier|later)"
         r"(?:\s+(?:that|this|it))?\b(?!\s+\w)", _beside),
        (r"\b(?:year[\s-]+to[\s-]+date|ytd|month[\s-]+to[\s-]+date|mtd)\b", _so_far),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|coming)\s+year(?:\s+so\s+far)?\b", _near_year),
        (rf"{_BEFORE}(?P<name>{_NAME})\.?(?![\w@/]|-(?!\s|{_NAME}\b))", _name),
        (rf"(?<![\w#./$€£-])(?P<year>{YEAR})(?![\w%/]|[-.]\d|\s*(?:commits?|changes?|lines?|files?)\b)", _year),
    )
)  # fmt: skip
