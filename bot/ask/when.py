"""The months that people write → a range of months. Pure, and the present is an argument.

Never a rolling window: "last month" is the whole calendar month before this one, "the past three
months" the three before this one, "last quarter" a calendar quarter. A month without a year is the
latest such month that is not in the future. Weeks and days are no months: that is said, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.month.calendar import NAMES, Month, MonthRange

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
            "januar januari janvier janeiro enero gennaio", "februar februari février fevrier febrero febbraio fevereiro",
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
    ["may", "mar", "march", "mars", "mai", "mei", "maj", "mayo", "marzo", "abril", "avril", "enero", "juni", "juli", "junio", "julio", "agosto", "augustus"]
)  # fmt: skip


def _one_of(words: Sequence[str] | dict[str, int]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


_NAME = _one_of(MONTH_WORDS)
_NUMBER = rf"(?:\d{{1,3}}|{_one_of(_COUNTED)}|an?)"
_YEAR = r"(?:19|20)\d{2}"
_YEAR_SAID = rf"(?:{_YEAR}|['’]\d{{2}}|(?:of\s+)?(?:last|this|next|the\s+same)\s+year)"
_BEFORE, _AFTER = r"(?<![\w@/#.<])(?<!\d-)", r"(?![\w@/]|[-.]\w)"
_LAST = r"(?:last|past|previous|prior|trailing|recent)"
_DAYS = r"(?:days?|weeks?|weekends?|fortnights?|sprints?|hours?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)"

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
    r"\s*(?:-+|–|—|→|->|\.{2,}|…|,?\s*\b(?:to|until|till?|through|thru|up\s+to|bis)\b)\s*(?:(?:the\s+)?end\s+of\s+)?", re.IGNORECASE
)  # fmt: skip
_AND = re.compile(r"\s*(?:,\s*(?:and|or|&)?|\b(?:and|or)\b|&|\+|/)\s*(?:in\s+)?", re.IGNORECASE)
_AGAINST = re.compile(r"\s*\b(?:versus|vs\.?|with|against|compared\s+(?:to|with))\s*", re.IGNORECASE)
_DOTS = re.compile(r"(?<=\w)\s*\.\.+\s*(?=\w)")  # "jun..aug"
_YEARS = re.compile(rf"(?<![\w-])({_YEAR})\s*-\s*({_YEAR})(?![\w-])")  # "2023-2024"
_TO_NOW = re.compile(
    r"\s*(?:-|–|—|\b(?:to|until|till|through|up\s+to|and))\s*(?:now|today|date|the\s+present|this\s+day)\b", re.I
)
_ONWARDS = re.compile(r"\s+on(?:wards?)?\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b")
_LEADS_TO_MONTH = re.compile(
    r"(?:^|\W)(?:in|for|of|during|since|from|until|till|through|between|last|this|next|about|around|early|late|mid|month|"
    r"im|en|em|au|seit|vom|de|depuis|desde|für|pour|para|and|what\s+about|how\s+about|'s|’s)[\s-]*$",
    re.IGNORECASE,
)
_NO_MONTH_AFTER = re.compile(r"\s*(?:i|we|you|he|she|they|it|have|be|not|on|also|need|want|ask|see|get|please)\b", re.I)
_NO_MONTH_BEFORE = re.compile(r"\b(?:i|we|you|he|she|they|it|that|who|which|the|a|an|to)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class When:
    """The months a text names, the text without them, and what is wrong with them if they cannot be."""

    months: MonthRange | None
    rest: str
    wrong: str | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """Months in a text. Those of a `floating` piece have no year of their own; a `bare` one is a name and no more."""

    start: int
    end: int
    months: MonthRange
    floating: bool = False
    bare: bool = False


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
        groups = _groups(text, _pieces(text, present, context), present)
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


def _pieces(text: str, present: Month, context: MonthRange | None) -> list[_Piece]:
    """Every time that is named, the first and longest reading of each. Raises ValueError where one cannot be."""
    found: list[_Piece] = []
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


def _groups(text: str, pieces: list[_Piece], present: Month) -> list[_Group]:
    groups: list[_Group] = []
    at = 0
    while at < len(pieces):
        first, last, months = pieces[at], pieces[at], pieces[at].months
        while at + 1 < len(pieces) and (joined := _joined(text, last, pieces[at + 1], months)):
            at, last, months = at + 1, pieces[at + 1], joined
        at += 1
        groups.append(_led(text, first, last, months, present))
    return groups


def _joined(text: str, one: _Piece, two: _Piece, so_far: MonthRange) -> MonthRange | None:
    """The months from one piece to the next, where what stands between them makes them a range or a list."""
    between = text[one.end : two.start]
    to = _TO.fullmatch(between) or (_AND.fullmatch(between) and _BETWEEN.search(text[: one.start]))
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


def _led(text: str, first: _Piece, last: _Piece, months: MonthRange, present: Month) -> _Group:
    """The months with what stands before and behind them: "since", "until", "in", "onwards"."""
    before, end = text[: first.start], last.end
    sure = not first.bare or first is not last
    single = first is last
    if tail := _TO_NOW.match(text, end):
        end, months = tail.end(), _open(months.first, present)
        lead = _SINCE.search(before) or _BETWEEN.search(before)
        return _Group(lead.start() if lead else first.start, end, months, True)
    if single and (lead := _SINCE.search(before)):
        onwards = _ONWARDS.match(text, end)
        return _Group(lead.start(), onwards.end() if onwards else end, _open(months.first, present), True)
    if single and (lead := _FOLLOWING.search(before)):
        return _Group(lead.start(), end, _open(months.last + 1, present), True)
    if single and _UNTIL.search(before):
        raise ValueError("since when? Say the first month too, such as “from june to august”")
    lead = _BETWEEN.search(before) if not single else None
    lead = lead or _LEAD.search(before)
    start = lead.start() if lead else first.start
    return _Group(start, end, months, sure or bool(lead and lead[0].strip()))


def _open(first: Month, present: Month) -> MonthRange:
    if first > present:
        raise ValueError(f"{first.title} has not begun yet")
    return MonthRange(first, present)


# --- the forms, each with its reading


_Reading = Callable[[re.Match[str], Month, MonthRange | None], _Piece | None]


def _piece(
    match: re.Match[str], first: Month, last: Month | None = None, *, floating: bool = False, bare: bool = False
) -> _Piece:
    return _Piece(match.start(), match.end(), MonthRange(first, last or first), floating, bare)


def _year_said(written: str, present: Month) -> int:
    words = written.lower().removeprefix("of ").strip()
    if "year" in words:
        return present.year + {"last": -1, "this": 0, "next": 1}.get(words.split()[0], 0)
    return int(words) if len(words) == 4 else 2000 + int(words.lstrip("'’"))


def _latest(number: int, present: Month) -> Month:
    return Month(present.year if number <= present.number else present.year - 1, number)


def _day(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    raise ValueError("I tell whole months, not days or weeks: ask for a month, such as this month or last month")


def _day_or_year(match: re.Match[str], present: Month, context: MonthRange | None) -> _Piece | None:
    if _is_word(match, match["name"]):
        return None
    name, number = NAMES[MONTH_WORDS[match["name"].lower()] - 1], int(match["day"])
    raise ValueError(f"do you mean a day, or {name} 20{number:02}? I tell whole months; write the year in full")


def _numbers(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    return _piece(match, Month(int(match["year"]), int(match["month"])))


def _name_and_year(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    return _piece(match, Month(_year_said(match["year"], present), MONTH_WORDS[match["name"].lower()]))


def _near_name(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    month = _latest(MONTH_WORDS[match["name"].lower()], present)
    which = match["which"].lower()
    if which in ("next", "coming"):
        return _piece(match, month + 12)
    if which == "this":
        return _piece(match, Month(present.year, month.number))
    return _piece(match, month - 12 if month == present else month)


def _name(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    if _is_word(match, match["name"]):
        return None
    return _piece(match, _latest(MONTH_WORDS[match["name"].lower()], present), floating=True, bare=True)


def _is_word(match: re.Match[str], name: str) -> bool:
    """Whether "may" or "march" is no month here: see _DOUBTFUL."""
    if name.lower() not in _DOUBTFUL:
        return False
    before, after = match.string[: match.start()], match.string[match.end() :]
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


def _cjk(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    number = int(match["month"])
    if match["year"]:
        return _piece(match, Month(int(match["year"]), number))
    return _piece(match, _latest(Month(present.year, number).number, present), floating=True)


def _counted(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
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


def _half_year(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    return _piece(match, present - 6, present - 1)


def _ago(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    written = " ".join(match["count"].lower().split())
    number = 1 if written in ("a", "an") else _COUNTED.get(written) or int(written)
    if match["unit"].lower().startswith("year"):
        return _piece(match, Month(present.year - number, 1), Month(present.year - number, 12))
    return _piece(match, present - number)


def _quarter_of(month: Month) -> Month:
    return Month(month.year, (month.number - 1) // 3 * 3 + 1)


_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}


def _quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    written = match["quarter"].lower()
    number = _ORDINALS.get(written) or int(written)
    year = match["year"] or match.groupdict().get("before")
    first = Month(_year_said(year, present) if year else present.year, 3 * number - 2)
    if not year and first > present:
        first -= 12
    return _piece(match, first, first + 2, floating=not year)


def _no_quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    raise ValueError("there are four quarters, Q1 to Q4")


def _half(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    written = match["half"].lower()
    number = _ORDINALS.get(written) or int(written)
    first = Month(_year_said(match["year"], present) if match["year"] else present.year, 6 * number - 5)
    if not match["year"] and first > present:
        first -= 12
    return _piece(match, first, first + 5, floating=not match["year"])


def _near_quarter(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    first = _quarter_of(present) + {"this": 0, "current": 0, "next": 3, "coming": 3}.get(match["which"].lower(), -3)
    return _piece(match, first, first + 2)


def _near_month(match: re.Match[str], present: Month, context: MonthRange | None) -> _Piece | None:
    which = " ".join(match["which"].lower().split())
    if which in ("this", "current"):
        return _piece(match, present)
    if which in ("last", "past"):
        return _piece(match, present - 1)
    if which in ("next", "following", "coming"):
        return _piece(match, (context.last if context else present) + 1)
    return _piece(match, (context.first if context else present) - 1)


def _beside(match: re.Match[str], present: Month, context: MonthRange | None) -> _Piece | None:
    """ "the month before", "and the one after that"."""
    if match["which"].lower().startswith(("before", "earlier")):
        return _piece(match, (context.first if context else present) - 1)
    return _piece(match, (context.last if context else present) + 1)


def _before_last(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    return _piece(match, present - 2)


def _near_year(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    year = present.year + {"this": 0, "current": 0, "next": 1, "coming": 1}.get(match["which"].lower(), -1)
    return _piece(match, Month(year, 1), Month(year, 12))


def _so_far(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    return _piece(match, present if "m" in match[0].lower().split()[0] else Month(present.year, 1), present)


def _year(match: re.Match[str], present: Month, _: MonthRange | None) -> _Piece | None:
    year = int(match["year"])
    return _piece(match, Month(year, 1), Month(year, 12))


# Tried in this order; what one has taken, the next ones do not see.
_FORMS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reading)
    for pattern, reading in (
        # 2025-10-03, 3.10.2025, 3 October, October 3rd, October 3, 2025
        (rf"{_BEFORE}(?:\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}(?:t[\d:.]+z?)?|\d{{1,2}}([./-])\d{{1,2}}\2(?:\d{{4}}|\d{{2}}))(?![\w-])", _day),
        (rf"{_BEFORE}(?:\d{{1,2}}(?:st|nd|rd|th)\s+(?:of\s+)?{_NAME}|\d{{1,2}}\.?\s+{_NAME}\s+{_YEAR}|{_NAME}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)|{_NAME}\.?\s+\d{{1,2}},?\s+{_YEAR}){_AFTER}", _day),
        (rf"\b(?:{_LAST}|this|current|next|coming|every|each)\s+(?:{_NUMBER}\s+)?{_DAYS}\b|\b{_NUMBER}\s+{_DAYS}\s+ago\b|\b(?:since|until|till|on)\s+(?:yesterday|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\byesterday\b", _day),
        (rf"{_BEFORE}(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})(?!\w|[-/.]\d)", _numbers),
        (rf"{_BEFORE}(?P<month>\d{{1,2}})[-/.](?P<year>{_YEAR})(?!\w|[-/.]\d)", _numbers),
        (rf"(?P<which>)(?P<year>\d{{4}})\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]", _cjk),
        (r"(?<![\d年년])(?P<year>)(?P<month>\d{1,2})\s*[月월](?!\d)", _cjk),
        (rf"{_BEFORE}(?P<name>{_NAME})(?:\.?,?\s+(?:of\s+|in\s+|de\s+)?|[-/.]|\s*)(?P<year>{_YEAR_SAID}){_AFTER}", _name_and_year),
        (rf"{_BEFORE}(?P<year>{_YEAR})[\s-]+(?P<name>{_NAME}){_AFTER}", _name_and_year),
        (rf"\b(?P<which>last|past|previous|this|next|coming)\s+(?P<name>{_NAME}){_AFTER}", _near_name),
        (rf"{_BEFORE}(?P<name>{_NAME})\.?\s+(?P<day>\d{{1,2}})(?![\w.:/%-])", _day_or_year),
        (rf"{_BEFORE}(?P<before>{_YEAR})[\s-]*q(?P<quarter>[1-4])(?P<year>)(?!\w)", _quarter),
        (rf"(?<![\w/#-])q(?P<quarter>[1-4])(?:[\s/-]*(?:of\s+|in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)", _quarter),
        (rf"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter(?:\s+(?:of\s+|in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)", _quarter),
        (r"\b(?:in|for|during|of|since)\s+q(?:[05-9]|\d\d+)(?!\w)", _no_quarter),
        (rf"(?<![\w/#-])h(?P<half>[12])[\s/-]*(?:of\s+)?(?P<year>{_YEAR_SAID})(?!\w)", _half),
        (rf"\b(?P<half>first|second|1st|2nd)\s+half\s+of\s+(?:the\s+year|(?P<year>{_YEAR}|(?:last|this|next)\s+year))(?!\w)", _half),
        (rf"\b(?P<which>{_LAST}|next|coming)\s+(?P<count>\d{{1,4}}|{_one_of(_COUNTED)})\s+(?P<unit>months?|quarters?|years?)\b", _counted),
        (rf"\b{_LAST}\s+half(?:\s+a)?[\s-]+year\b", _half_year),
        (rf"\b(?P<count>\d{{1,3}}|{_one_of(_COUNTED)}|an?)\s+(?P<unit>months?|years?)\s+ago\b", _ago),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|coming)\s+quarter\b", _near_quarter),
        (r"\bmonth\s+before\s+last\b", _before_last),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|following|coming)\s+month(?:\s+so\s+far)?\b", _near_month),
        (r"\b(?:the\s+)?(?:month|one)\s+(?P<which>before|after|earlier|later)(?:\s+(?:that|this|it))?\b(?!\s+\w)", _beside),
        (r"\b(?:year[\s-]+to[\s-]+date|ytd|month[\s-]+to[\s-]+date|mtd)\b", _so_far),
        (r"\b(?P<which>last|past|previous|prior|this|current|next|coming)\s+year(?:\s+so\s+far)?\b", _near_year),
        (rf"{_BEFORE}(?P<name>{_NAME})\.?(?![\w@/]|-(?!\s|{_NAME}\b))", _name),
        (rf"(?<![\w#./$€£-])(?P<year>{_YEAR})(?![\w%/]|[-.]\d|\s*(?:commits?|changes?|lines?|files?)\b)", _year),
    )
)  # fmt: skip
