"""Written times → the days each of them is: a table of patterns over the words of `time_words`. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.ask.reading import readings as read
from bot.ask.reading.readings import Found, Match, Now, Unclear, off, unit_at
from bot.month.calendar import Days

__all__ = ["Now", "Piece", "Unclear", "off", "pieces_of", "unit_at"]
MOST_PIECES = 12  # times that a question names; what has more is read no further


@dataclass(frozen=True, slots=True)
class Piece:
    """A time that stands at a place. `floating`: its year is not said. `steps`: it is so many units off another one.
    `assumed` says what was taken for granted."""

    start: int
    end: int
    days: Days
    floating: bool = False
    steps: tuple[str, int] | None = None
    assumed: str = ""


Reading = Callable[[Match, Now], Found]
Y = r"(?:(?:19|20)\d\d|'\d\d)"
_NEAR_YEAR = r"(?:last|previous|past|this|next|the same) year"
_SAID = rf"(?P<y>{Y}|(?:of )?{_NEAR_YEAR})"
_OF = r"(?:,? (?:of |in |de |del )?)"
_M, _B, _E = r"m(?P<m>\d\d)", r"(?<![\w@/#.¤$€])(?<!\d{4}-)", r"(?![\w@/]|[-.]\w)"
_TH = r"(?:st|nd|rd|th|\.)?"
_LAST = r"(?:last|past|previous)"
_UNIT = r"(?P<unit>day|weekend|week|sprint|fortnight|month|quarter|half|year)"
_UNITS = r"(?P<unit>days?|weeks?|sprints?|fortnights?|months?|quarters?|years?)"
# Tried in this order; what one has taken, the next ones do not see.
_TABLE: tuple[tuple[str, Reading], ...] = (
    (r"(?<![\w@/#.¤-])(?P<y>\d{4})([-/.])(?P<n>\d{1,2})\2(?P<d>\d{1,2})(?:t[\d:.]+z?)?(?![\w-])", read.iso_day),
    (r"(?<![\w@/#.¤-])(?P<d>\d{1,2})([./])(?P<n>\d{1,2})\2(?P<y>\d{4})(?![\w-])", read.iso_day),
    (rf"{_B}(?P<y>\d{{4}})-?w(?P<k>\d\d)(?!\w)", read.week),
    (rf"\b(?:week|kw|cw) (?P<k>\d{{1,2}})(?:{_OF}(?P<y>{Y}))?{_E}", read.week),
    (rf"\bweek of (?:the )?(?P<d>\d{{1,2}}){_TH} (?:of )?{_M}(?: (?P<y>{Y}))?{_E}", read.week_of),
    (rf"\bweek of {_M} (?:the )?(?P<d>\d{{1,2}}){_TH}(?: (?P<y>{Y}))?{_E}", read.week_of),
    (rf"{_B}(?P<d>\d{{1,2}}){_TH} ?(?:-|to|and) ?(?:the )?(?P<d2>\d{{1,2}}){_TH} (?:of |de )?{_M}(?:,? (?P<y>{Y}))?{_E}",
     read.named_day),
    (rf"{_B}{_M}\.? (?P<d>\d{{1,2}}){_TH} ?(?:-|to|and) ?(?:the )?(?P<d2>\d{{1,2}}){_TH}(?:,? (?P<y>{Y}))?{_E}",
     read.named_day),
    (rf"{_B}(?P<d>\d{{1,2}}){_TH} (?:of |de )?{_M}(?:,? (?:de )?(?P<y>{Y}))?{_E}", read.named_day),
    (rf"{_B}{_M}(?:\.? (?:the )?|[-/])(?P<d>\d{{1,2}}){_TH}(?:,? (?P<y>{Y}))?(?![\w:%/]|[-.]\d)", read.named_day),
    (r"(?:\b(?:on|since|from|until|to|by|after|and) )the (?P<d>[12]?\d|3[01])(?:st|nd|rd|th)(?!\w| (?!of this|and |to |in "
     r"acme)\w)", read.the_day),
    (rf"\b(?P<which>\d\dth|\dth|last|final) (?:(?P<k>\d+) )?(?P<unit>half|days?|weeks?) of (?:the |this |last |of )*"
     rf"(?:month|{_M})\b", read.part_of_month),
    (rf"{_B}(?P<n>\d{{1,2}})\s*-\s*(?P<n2>\d{{1,2}})[/.](?P<y>{Y})(?!\w|[-/.]\d)", read.numbered),
    (rf"{_B}(?P<y>\d{{4}})[-/.](?P<n>\d{{1,2}})(?!\w|[-/.]\d(?!\d{{3}}))", read.numbered),
    (rf"{_B}(?P<n>\d{{1,2}})[-/.](?P<y>{Y})(?!\w|[-/.]\d)", read.numbered),
    (r"(?<![\w#/.¤-])(?P<y>20\d{2})(?P<n>0[1-9]|1[0-2])(?![\w/.-])", read.numbered),
    (r"(?P<y>\d{4})\s*[年년]\s*(?P<n>\d{1,2})\s*[月월]", read.numbered),
    (r"(?<!\d)(?P<y>)(?P<n>\d{1,2})\s*[月월](?!\d)", read.numbered),
    (rf"\bmonth (?P<n>\d{{1,2}})(?: of (?P<y>{Y}|{_NEAR_YEAR}))?{_E}", read.numbered),
    (rf"\b(?:the )?(?P<n>\d+)th month of (?P<y>{Y}|{_NEAR_YEAR})(?!\w)", read.numbered),
    (rf"\b(?:the )?(?P<which>1th|last|final) (?:(?P<k>\d+) )?months? (?:of|in) (?P<y>the year|{_NEAR_YEAR}|{Y})(?!\w)",
     read.months_of_year),
    (rf"{_B}{_M}(?:\.?{_OF}|['’/-]|){_SAID}{_E}", read.named),
    (rf"{_B}{_M}(?P<y>\d\d){_E}", read.named),
    (rf"{_B}(?P<y>{Y})(?:['’]s)?[ /-]+{_M}{_E}", read.named),
    (rf"\b(?P<y>{_NEAR_YEAR})(?:['’]s)? {_M}{_E}", read.named),
    (rf"\b(?P<which>last|past|previous|this|next) {_M}{_E}", read.near_named),
    (rf"{_B}(?P<y>{Y})[ /-]*q(?P<k>\d)(?P<y2>)(?!\w)", read.part_of_year),
    (rf"(?:(?<![\w#/¤-])|(?<=q[1-4]-))q(?P<k>\d)(?:[ /-]*(?:of |in )?(?P<y>{Y}|{_NEAR_YEAR}))?(?!\w)", read.part_of_year),
    (rf"(?<![\w#/-])(?P<k>[1-4])q[ /-]*(?P<y>{Y})(?!\w)", read.part_of_year),
    (rf"\b(?P<k>[1-9]th|[1-4](?:st|nd|rd)) quarter(?: (?:of |in )?(?:the year|(?P<y>{Y}|{_NEAR_YEAR})))?(?!\w)", read.part_of_year),
    (rf"\b(?P<k>last|final) quarter (?:of )?(?:the year|(?P<y>{Y}|(?:last|this) year))(?!\w)", read.part_of_year),
    (rf"\bquarter (?P<k>\d)(?: (?:of |in )?(?P<y>{Y}|{_NEAR_YEAR}))?(?!\w)", read.part_of_year),
    (r"\bfy\s*['’]?(?:20)?\d\d\b|\b(?:fiscal|financial) (?:year|quarter|month)\b", read.fiscal),
    (rf"{_B}(?P<y>{Y})[ /-]*h(?P<k>[12])(?P<y2>)(?!\w)", partial(read.part_of_year, size=6)),
    (rf"(?<!\bthe )(?<![\w#/¤-])h(?P<k>[12])(?:[ /-]*(?:of )?(?P<y>{Y}|{_NEAR_YEAR}))?(?![\w-])", partial(read.part_of_year, size=6)),
    (rf"\b(?P<k>[12]th|1st|2nd|last) half(?: of (?:the year|(?P<y>{Y}|{_NEAR_YEAR}))|(?=\W*$))(?!\w)", partial(read.part_of_year, size=6)),
    (rf"\b(?P<which>{_LAST}|next) (?:couple of |few )?(?P<k>\d{{1,4}}) (?:of )?(?:full |whole |calendar |complete |"
     rf"working )*{_UNITS}\b", read.counted),
    (rf"\b(?P<k>\d{{1,4}}) (?P<which>last|past|previous|most recent) {_UNITS}\b", read.counted),
    (rf"\b(?:the )?(?P<k>\d{{1,2}}) months? (?P<way>before|after) {_M}(?: (?P<y>{Y}))?{_E}", read.months_beside),
    (rf"\b(?P<k>\d{{1,3}}|an?) {_UNITS} ago\b", read.ago),
    (r"\b(?:the )?day before yesterday\b|\byesterday\b|\btoday\b|\bthis (?:morning|afternoon|evening)\b", read.days_back),
    (rf"\b(?P<part>early|late|mid|beginning|start|end|middle)(?: (?:in|of) |[ -]+)(?P<y>the year|{_NEAR_YEAR}|{Y})"
     rf"(?![\w-])", read.some_of_year),
    (rf"\b{_UNIT} before last\b", read.before_last),
    (r"\b(?:the )?same (?:months?|quarters?|time|period|range) (?:(?:of|in) )?(?:the )?(?:last|previous) year\b|"
     r"\b(?:a|1) year (?:earlier|before)\b|\bthe year before(?: that)?(?=\W*$)", read.year_before),
    (r"\b(?:this|last) (?:month )?(?:and|&) (?:the )?(?:last|this|previous)(?: (?:month|1))?\b", read.two_near),
    (rf"\b(?P<which>last|past|previous|this|current|next) (?:calendar |full |whole )?{_UNIT}s?(?: so far)?\b", read.near),
    (r"\b(?P<which>over|on|at|during) the (?P<unit>weekend)\b", read.near),
    (rf"\b{_UNIT} (?P<which>xlast)\b", read.near),
    (r"\b(?:(?:year|month|quarter)[ -]+to[ -]+date|ytd|mtd|qtd)\b", read.so_far),
    (r"\b(?:the )?(?:whole|entire|full) year\b(?! (?:of|in|\d))|\ball year(?: long)?\b", read.whole_year),
    (rf"\b(?:in|last|this|past|during|over|since|next|for|of) (?:the )?(?:early |late )?"
     rf"(?P<season>spring|summer|autumn|fall|winter)(?:(?=\W*$)|{_OF}(?P<y>{Y}|{_NEAR_YEAR}))(?![\w-])", read.season),
    (rf"{_B}(?P<season>spring|summer|autumn|fall|winter) (?:of )?(?P<y>{Y}|{_NEAR_YEAR})(?![\w-])", read.season),
    (r"(?<=\w)(?<!the)(?<!\ba)(?<!to)(?<!about) (?P<season>summer|autumn|winter)(?P<y>)(?=\W*$)", read.season),
    (r"\b(?:on |last |this |since |from |past )*d(?P<k>[1-7])\b(?!['’]s)", read.weekday),
    (rf"{_B}(?:early |late |mid-?|end of |beginning of |start of )?{_M}\.?(?![\w@/]|-(?!\s|m\d\d|\d))", read.named),
    (r"\b(?:in|for|during|since|of) (?P<y>'\d\d)(?!\w)", read.year),
    (r"(?<![\w#./$€£¤-])(?P<y>(?:19|20)\d\d)(?![\w%/]|[-.]\d| (?:commits?|changes?|lines?|files?)\b)", read.year),
)  # fmt: skip
_STEP = re.compile(
    r"\b(?:(?P<k>\d{1,3}|an?) )?(?:the )?(?P<unit>day|week|sprint|month|quarter|year|1)s? "
    r"(?P<way>before|after|earlier|later)(?: (?:that|this|it))?(?=\W*$|\W*[,?]| (?:for|of|by|in|with|and)\b)"
)


FORMS = tuple((re.compile(pattern), reading) for pattern, reading in _TABLE)
_HINT = re.compile(
    r"\d|month|week|year|quarter|half|day|sprint|fortnight|last|date|tdt?\b|spring|summer|autumn|fall|winter|this m|"
    r"early|late|mid|beginning|end|ytd|mtd|qtd"
)


def pieces_of(text: str, now: Now) -> list[Piece]:
    """Every time that is named, the first and longest reading of each. Raises Unclear where there is none such."""
    found: list[Piece] = []
    if not _HINT.search(text):
        return found
    taken = bytearray(len(text) + 1)
    for match in _STEP.finditer(text):
        unit = match["unit"] if match["unit"] != "1" else "same"
        if unit == "year":
            continue
        many = 1 if not (match["k"] or "").isdigit() else int(match["k"])
        way = -many if match["way"] in ("before", "earlier") else many
        found.append(Piece(match.start(), match.end(), unit_at("day", now.today, now), steps=(unit, way)))
        taken[match.start() : match.end()] = b"\1" * len(match[0])
    for pattern, reading in FORMS:
        if len(found) > MOST_PIECES:
            break
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            said = reading(match, now)
            days, assumed = said if isinstance(said, tuple) else (said, "")
            is_floating = reading is read.named and not match.groupdict().get("y")
            found.append(Piece(match.start(), match.end(), days, is_floating, assumed=assumed))
            if len(found) > MOST_PIECES:
                break
            taken[match.start() : match.end()] = b"\1" * len(match[0])
    return sorted(found, key=lambda piece: piece.start)
