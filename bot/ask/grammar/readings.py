"""One written time → the months it is. Pure.

Each reading is given the match of its form (see `bot.ask.grammar.times`), the month it is said in, and the months that
the conversation is about. It returns None where the words are no time after all, and raises Unclear where they
cannot be months as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.ask.grammar.month_words import DOUBTFUL, ENGLISH_MONTHS, TWO_MONTHS, WRITTEN, month_number
from bot.month.calendar import NAMES, Month, MonthRange
from bot.month.people import unaccented

NEAR = 60  # characters before and behind a time that are looked at
MOST = 120  # months in a range that is counted ("the past 500 months")
NO_DAYS = "I tell whole months, not days or weeks: ask for a month, such as this month or last month"

NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
COUNTED = {word: number for number, word in enumerate(NUMBERS, 1)} | {
    "couple of": 2, "couple": 2, "few": 3, "dozen": 12,
}  # fmt: skip
_ORDINAL_WORDS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
ORDINALS = {word: number for number, word in enumerate([*_ORDINAL_WORDS, "eleventh", "twelfth"], 1)}
ORDINALS |= {f"{number}{['st', 'nd', 'rd'][number - 1] if number < 4 else 'th'}": number for number in range(1, 13)}


@dataclass(frozen=True, slots=True)
class Piece:
    """Months in a text. Those of a `floating` piece have no year of their own; a `bare` one is a name and no more."""

    start: int
    end: int
    months: MonthRange
    floating: bool = False
    bare: bool = False
    whole_year: bool = False  # of a year that is named by its number, or as last year
    steps: int = 0  # "the month before": so many months from the time that stands before it in the text


class Unclear(ValueError):
    """A time that cannot be told as it stands; `options` are the months that may be meant, `span` is where it is."""

    def __init__(self, message: str, *options: MonthRange, span: tuple[int, int] = (0, 0)) -> None:
        super().__init__(message)
        self.options, self.span = options, span


Match = re.Match[str]
Reading = Callable[[Match, Month, MonthRange | None], Piece | None]


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of some words, the longest that fits. Letter by letter, as there are hundreds of months."""
    after: dict[str, list[str]] = {}
    for word in words:
        after.setdefault(word[:1], []).append(word[1:])
    ends = "" in after
    branches = [re.escape(letter) + one_of(rests) for letter, rests in after.items() if letter]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if ends else ''}" if ends or len(branches) > 1 else branches[0]


NAME = one_of(dict.fromkeys([*WRITTEN, *map(unaccented, WRITTEN)]))

_LEADS_TO_MONTH = re.compile(
    r"(?:^|\W)(?:in|for|of|during|since|from|until|till|through|between|last|this|next|about|around|early|late|mid|to|"
    r"month|im|en|em|au|seit|vom|von|de|depuis|desde|für|pour|para|och|und|och|et|and|or|w|od|do|sedan|från|om|van|"
    r"sinds|per|nel|di|del|ad|no|na|a|à|what\s+about|how\s+about|with|than|vs|against|'s|’s|')[\s-]*$",
    re.IGNORECASE,
)
_NO_MONTH_AFTER = re.compile(
    r"\s*(?:i|we|you|he|she|they|it|have|has|be|not|on|also|need|want|ask|see|get|please|well|madness|past|forward|"
    r"back|"
    r"through\s+(?:the|a|an|my|our))\b",
    re.IGNORECASE,
)
_NO_MONTH_BEFORE = re.compile(
    r"\b(?:(?:i|we|you|he|she|they|it|that|who|which|to)|(?:the|an?)(?:\s+\w+)?)\s*$", re.IGNORECASE
)
_IN, _IS = (
    re.compile(r"(?:\b(?:in|during)|['’]s)\s+$", re.I),
    re.compile(r"\s+(?:be|have|has|not|please|also|i|we|he|she|they)\b", re.I),
)
_TIMELY = (
    r"(?:digests?|summary|summaries|recap|reports?|updates?|releases?|overview|story|months?|page|reviews?|"
    r"round-?up|post|numbers|changes|fixes|features|commits|work|bug)"
)
_AUGUST = re.compile(r"\b(?:an|such|most|so|very)\s*$", re.IGNORECASE)
_AUGUST_AFTER = re.compile(rf"\s+(?!{_TIMELY}\b|{NAME}\b)[^\W\d]", re.IGNORECASE)


_OPENS = re.compile(rf"\s*(?:for|of|:|,|{_TIMELY}|[\ue000-\uf8ff])", re.IGNORECASE)
_TO_MONTH = re.compile(rf"\s*(?:-|–|to|until|till|and|through|bis|hasta|und|et)\s*(?:\d|{NAME}\b)", re.IGNORECASE)
_FROM_MONTH = re.compile(rf"\b{NAME}\.?\s*(?:-|–|to|until|till|and|or|through|vs|,)\s*$", re.IGNORECASE)


def is_word(match: Match, name: str) -> bool:
    """Whether "may", "march" or "an august team" is no month here: see DOUBTFUL."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
    if name.lower() == "august":
        return bool(_AUGUST.search(before) and _AUGUST_AFTER.match(after))
    if unaccented(name.casefold()) not in DOUBTFUL:
        return False
    if not before.strip(" ?!.,") and not after.strip(" ?!.,"):
        return False
    if _TO_MONTH.match(after) or _FROM_MONTH.search(before):
        return False
    if _NO_MONTH_AFTER.match(after) and not (_IN.search(before) and _IS.match(after)):
        return True
    english = name.lower() in ENGLISH_MONTHS
    if english and not before.strip(" ?!.,") and _OPENS.match(after):
        return False
    if english and re.match(r"\s+for\s+\S", after, re.IGNORECASE) and not _NO_MONTH_BEFORE.search(before):
        return False
    ends = not after.strip(" ?!.,") and not _NO_MONTH_BEFORE.search(before)
    return not (_LEADS_TO_MONTH.search(before) or (ends and english) or (ends and before.rstrip().endswith(",")))


def piece(
    match: Match,
    first: Month,
    last: Month | None = None,
    *,
    floating: bool = False,
    bare: bool = False,
    whole_year: bool = False,
) -> Piece:
    return Piece(match.start(), match.end(), MonthRange(first, last or first), floating, bare, whole_year)


def one(month: Month) -> MonthRange:
    return MonthRange(month, month)


def year_said(written: str, present: Month) -> int:
    words = written.lower().removeprefix("of ").strip()
    if "year" in words:
        return present.year + {"last": -1, "previous": -1, "this": 0, "next": 1}.get(words.split()[0], 0)
    return int(words) if len(words) == 4 else 2000 + int(words.lstrip("'’"))


def _named(match: Match, group: str = "name") -> int:
    """The month that is named in a match."""
    return month_number(match[group]) or 1


def latest(number: int, present: Month) -> Month:
    """The latest month of that number that is not in the future."""
    return Month(present.year if number <= present.number else present.year - 1, number)


def number_of(written: str) -> int:
    said = " ".join(written.lower().split())
    return 1 if said in ("a", "an") else COUNTED.get(said) or ORDINALS.get(said) or int(said)


def quarter_of(month: Month) -> Month:
    return Month(month.year, (month.number - 1) // 3 * 3 + 1)


# days and weeks


def day(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    said = {key: value for key, value in match.groupdict().items() if value}
    options = [one(present), one(present - 1)]
    if "name" in said:
        number = _named(match)
        options = [one(Month(int(said["year"]), number) if "year" in said else latest(number, present))]
    elif "number" in said and 1 <= int(said["number"]) <= 12:
        options = [one(Month(int(said["year"]), int(said["number"])))]
    raise Unclear(NO_DAYS, *(option for option in options if option.last <= present))


def day_or_year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    if is_word(match, match["name"]):
        return None
    number, two = _named(match), int(match["day"])
    as_year = [one(Month(2000 + two, number))] if 2000 + two <= present.year else []
    as_day = [one(latest(number, present))] if 1 <= two <= 31 else []
    if not as_year or two < 10:
        raise Unclear(NO_DAYS, *as_day)
    options = dict.fromkeys(option for option in (*as_year, *as_day) if option.last <= present)
    raise Unclear(
        f"do you mean a day, or {NAMES[number - 1]} 20{two:02}? I tell whole months; write the year in full", *options
    )


def part_of_month(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    named = month_number(match["name"] or "")
    months = [latest(named, present)] if named else [present, present - 1]
    raise Unclear(NO_DAYS, *map(one, months))


# months


def numbers(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, Month(int(match["year"]), int(match["month"])))


def two_numbers(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    year = int(match["year"])
    months = MonthRange(Month(year, int(match["month"])), Month(year, int(match["month2"])))
    return piece(match, months.first, months.last)


def numbered(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    """ "month 8", "the eighth month of 2025"."""
    number = number_of(match["month"])
    if match["year"] and match["year"] != "the year":
        return piece(match, Month(year_said(match["year"], present), number))
    return piece(match, latest(Month(present.year, number).number, present), floating=True)


def name_and_year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, Month(year_said(match["year"], present), _named(match)))


def near_name(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    month = latest(_named(match), present)
    which = match["which"].lower()
    if which in ("next", "coming"):
        return piece(match, month + 12)
    if which == "this":
        return piece(match, Month(present.year, month.number))
    return piece(match, month - 12 if month == present else month)


def name(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    if is_word(match, match["name"]):
        return None
    return piece(match, latest(_named(match), present), floating=True, bare=True)


def two_months(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    first, second = TWO_MONTHS[match["name"].lower()]
    raise Unclear(
        f"which month do you mean by “{match['name'].lower()}”: {NAMES[first - 1]} or {NAMES[second - 1]}?",
        one(latest(first, present)),
        one(latest(second, present)),
    )


def cjk(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    written = match["month"]
    number = "一二三四五六七八九十".find(written[-1]) + 1 if not written[0].isdigit() else int(written)
    if written[0] == "十" and len(written) == 2:
        number += 10
    if match["year"]:
        return piece(match, Month(int(match["year"]), number))
    return piece(match, latest(Month(present.year, number).number, present), floating=True)


def near_month(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    which = " ".join(match["which"].lower().split())
    if which in ("this", "current"):
        return piece(match, present)
    if which in ("last", "past"):
        return piece(match, present - 1)
    if which in ("next", "following", "coming"):
        return piece(match, (context.last if context else present) + 1)
    return replace(piece(match, (context.first if context else present) - 1), steps=-1)


def last_month(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, present - 1)


def this_month(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, present)


def this_and_last(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, present - 1, present)


def beside(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    """ "the month before", "and the one after that", "three months earlier"."""
    many = number_of(match["count"]) if match.groupdict().get("count") else 1
    if match["which"].lower().startswith(("before", "earlier", "prior")):
        return replace(piece(match, (context.first if context else present) - many), steps=-many)
    return replace(piece(match, (context.last if context else present) + many), steps=many)


def before_last(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    unit = match["unit"].lower()
    if unit == "year":
        return piece(match, Month(present.year - 2, 1), Month(present.year - 2, 12))
    if unit == "quarter":
        return piece(match, quarter_of(present) - 6, quarter_of(present) - 4)
    return piece(match, present - 2)


def short(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    meant = Month(2000 + int(match["year"]), int(match["month"]))
    options = [one(meant)] if meant <= present else []
    raise Unclear(f"do you mean {meant}? Write the year in full, so that it is no day", *options)
