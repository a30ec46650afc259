"""One written time of several months → the months it is: quarters, years, "the past three months". Pure.

Each reading is as in `bot.ask.grammar.readings`.
"""

from __future__ import annotations

import re

from bot.ask.grammar.month_words import SEASONS
from bot.ask.grammar.readings import MOST, NEAR, Match, Piece, Unclear, number_of, piece, quarter_of, year_said
from bot.month.calendar import Month, MonthRange


def counted(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    number = number_of(match["count"])
    unit = match["unit"].lower().rstrip("s")
    months = number * {"month": 1, "quarter": 3, "year": 12}[unit]
    if not 1 <= months <= MOST:
        raise ValueError(f"{match['count']} {unit}s are more than can be told at once; ask for 1 to {MOST} months")
    end = {"month": present, "quarter": quarter_of(present), "year": Month(present.year, 1)}[unit]
    if match["which"].lower() in ("next", "coming"):
        return piece(match, present + 1, present + months)
    return piece(match, end - months, end - 1)


def half_year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    return piece(match, present - 6, present - 1)


def ago(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    number = number_of(match["count"])
    unit = match["unit"].lower()
    if unit.startswith("year"):
        return piece(match, Month(present.year - number, 1), Month(present.year - number, 12))
    if unit.startswith("quarter"):
        first = quarter_of(present) - 3 * number
        return piece(match, first, first + 2)
    return piece(match, present - number)


def quarter(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    if match["quarter"].lower() in ("last", "final"):
        return _part(match, "quarter", 3, present, 4)
    return _part(match, "quarter", 3, present)


def half(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    if match["half"].lower() == "last":
        return _part(match, "half", 6, present, 2)
    return _part(match, "half", 6, present)


def _part(match: Match, group: str, months: int, present: Month, number: int | None = None) -> Piece:
    number = number or number_of(match[group])
    said = match["year"] or match.groupdict().get("before")
    first = Month(year_said(said, present) if said else present.year, months * (number - 1) + 1)
    if not said and first > present:
        first -= 12
    return piece(match, first, first + (months - 1), floating=not said)


def no_quarter(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    raise ValueError("there are four quarters, Q1 to Q4")


def _about(which: str, present: Month, context: MonthRange | None) -> tuple[Month, int]:
    """What "previous" or "next" is counted from, and which way: in a conversation from its months. "Last" is not."""
    if which in ("previous", "prior") and context:
        return context.first, -1
    if which in ("next", "following") and context:
        return context.last, 1
    return present, {"this": 0, "current": 0, "next": 1, "following": 1, "coming": 1}.get(which, -1)


def near_quarter(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    month, way = _about(match["which"].lower(), present, context)
    first = quarter_of(month) + 3 * way
    return piece(match, first, first + 2)


def year_before(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    about = context or MonthRange(present, present)
    return piece(match, about.first - 12, about.last - 12)


def near_year(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    month, way = _about(match["which"].lower(), present, context)
    year = month.year + way
    return piece(match, Month(year, 1), Month(year, 12), whole_year=True)


def whole_year(match: Match, present: Month, context: MonthRange | None) -> Piece | None:
    year = (context.last if context else present).year
    return piece(match, Month(year, 1), Month(year, 12))


def so_far(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    said = match[0].lower()
    first = present if said.startswith("m") else quarter_of(present) if said.startswith("q") else Month(present.year, 1)
    return piece(match, first, present)


def year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    number = year_said(match["year"], present)
    return piece(match, Month(number, 1), Month(number, 12), whole_year=True)


def months_of_year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    """ "the first three months of 2025", "the last month of last year"."""
    said = match["year"].lower()
    number = present.year if said == "the year" else year_said(said, present)
    many = number_of(match["count"]) if match["count"] else 1
    if not 1 <= many <= 12:
        raise ValueError("a year has twelve months")
    first, end = Month(number, 1), Month(number, 12)
    return (
        piece(match, first, first + (many - 1))
        if match["which"].lower() == "first"
        else piece(match, end - (many - 1), end)
    )


def part_of_year(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    before = match.string[max(0, match.start() - NEAR) : match.start()]
    said = match["year"].lower()
    number = present.year if said == "the year" else year_said(said, present)
    clear = {"beginning": 1, "start": 1, "end": 12}.get(match["part"].lower())
    if clear and re.search(r"\b(?:since|from|until|till|to|through|before|after|by)\s+(?:the\s+)?$", before, re.I):
        return piece(match, Month(number, clear))  # "since the beginning of 2025"
    months = {"early": (1, 3), "beginning": (1, 3), "start": (1, 3), "mid": (4, 9), "middle": (4, 9)}
    first, last = (Month(number, one) for one in months.get(match["part"].lower(), (10, 12)))
    options = [MonthRange(first, min(last, present))] if first <= present else []
    raise Unclear("which months do you mean? Say the first and the last one, such as “from june to august”", *options)


def season(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    said = match["season"].lower()
    first = Month(present.year, SEASONS[said])
    if match["year"]:
        first = Month(year_said(match["year"], present), SEASONS[said])
    elif first > present:
        first -= 12
    options = [MonthRange(first, min(first + 2, present))] if first <= present else []
    raise Unclear(
        f"which months do you mean by “{said}”? Say the first and the last one, such as “from june to august”", *options
    )


def fiscal(match: Match, present: Month, _: MonthRange | None) -> Piece | None:
    raise ValueError("I know calendar years and quarters only: say the months, such as “from june to august”")
