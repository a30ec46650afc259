"""One written time → the days it is. Each reading is given what a pattern of `times` matched. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from bot.ask.reading.month_words import SEASONS
from bot.month.calendar import Days, Month, MonthRange

MOST = 120  # months of one span


class Unclear(ValueError):
    """A time that there is none of; its text is a sentence for the asker."""


@dataclass(frozen=True, slots=True)
class Now:
    """The day it is, the time that the conversation is about, and a sprint's first day and length in days."""

    today: date
    about: Days | None = None
    sprint: tuple[date, int] | None = None

    @property
    def month(self) -> Month:
        return Month(self.today.year, self.today.month)


Match = re.Match[str]
Found = Days | tuple[Days, str]
DAY = timedelta(days=1)
SPRINT = date(2025, 11, 10), 14  # where none is known: two weeks, counted from this Monday


def months(first: Month, last: Month | None = None) -> Days:
    return Days.of(MonthRange(first, last or first))


def a_day(year: int, month: int, day: int, until: int | None = None) -> Days:
    try:
        first, last = date(year, month, day), date(year, month, until or day)
    except ValueError:
        raise Unclear(f"there is no {until or day} {Month(year, month).title}") from None
    return Days(min(first, last), max(first, last) + DAY)


def latest(number: int, now: Now) -> Month:
    """The latest month of that number that is not in the future."""
    return Month(now.today.year - (number > now.today.month), number)


def year_of(said: str | None, now: Now) -> int | None:
    """The year that is said, "2024", "'24" or "last year"; None where none is."""
    if not said:
        return None
    if "year" in said:
        return now.today.year + (-1 if re.search(r"last|previous|past", said) else 1 if "next" in said else 0)
    digits = re.sub(r"\D", "", said)
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def month_of(number: int, said: str | None, now: Now) -> Month:
    year = year_of(said, now)
    if not 1 <= number <= 12:
        raise Unclear(f"there is no month {year or now.today.year}-{number:02}")
    return latest(number, now) if year is None else _month(year, number)


def _month(year: int, number: int) -> Month:
    try:
        return Month(year, number)
    except ValueError as error:
        raise Unclear(str(error)) from None


def unit_at(unit: str, day: date, now: Now) -> Days:
    """The day, week, sprint, month, quarter, half or year that a day is in."""
    if unit == "day":
        return Days(day, day + DAY)
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return Days(monday, monday + 7 * DAY)
    if unit == "weekend":
        saturday = day - timedelta(days=day.weekday() - 5)
        return Days(saturday, saturday + 2 * DAY)
    if unit in ("sprint", "fortnight"):
        first, length = now.sprint or SPRINT
        begins = first + ((day - first).days // length) * length * DAY
        return Days(begins, begins + length * DAY)
    size = {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
    first_month = Month(day.year, (day.month - 1) // size * size + 1)
    return months(first_month, first_month + (size - 1))


def off(unit: str, days: Days, steps: int, now: Now) -> Days:
    """The unit so many steps before (below 0) or after some days."""
    if steps == 0:
        return unit_at(unit, days.first, now)
    for _ in range(min(abs(steps), 4 * MOST)):
        try:
            days = unit_at(unit, days.first - DAY if steps < 0 else days.end, now)
        except (OverflowError, ValueError):
            raise Unclear("that is longer ago than I can count") from None
    return days


# Readings: what a match says. `what` is a unit in English.


def iso_day(match: Match, now: Now) -> Found:
    year, number, day = int(match["y"]), int(match["n"]), int(match["d"])
    number, day = (day, number) if number > 12 >= day else (number, day)
    if not 1 <= number <= 12 or year < 1:
        raise Unclear(f"there is no month {year}-{number:02}")
    return a_day(year, number, day)


def named_day(match: Match, now: Now) -> Found:
    """ "14 august", "august 3 to 14, 2025": of the latest such day that is not in the future."""
    day, until, said = int(match["d"]), match.groupdict().get("d2"), match.groupdict().get("y")
    if not said and not 1 <= day <= 31:
        return months(_month(2000 + day, int(match["m"])))
    month = month_of(int(match["m"]), said, now)
    if not said and date(month.year, month.number, 1) + (day - 1) * DAY > now.today:
        month -= 12
    return a_day(month.year, month.number, day, int(until) if until else None)


def the_day(match: Match, now: Now) -> Found:
    day = int(match["d"])
    month = now.month if day <= now.today.day else now.month - 1
    return a_day(month.year, month.number, day)


def numbered(match: Match, now: Now) -> Found:
    last = match.groupdict().get("n2")
    return months(month_of(int(match["n"]), match["y"], now), month_of(int(last), match["y"], now) if last else None)


def named(match: Match, now: Now) -> Found:
    return months(month_of(int(match["m"]), match.groupdict().get("y"), now))


def near_named(match: Match, now: Now) -> Found:
    month, which = latest(int(match["m"]), now), match["which"]
    if which == "next":
        return months(month + 12)
    return months(Month(now.today.year, month.number) if which == "this" else month - (12 if month == now.month else 0))


def part_of_year(match: Match, now: Now, size: int = 3) -> Found:
    """A quarter, or a half where `size` is 6."""
    number = 12 // size if match["k"] in ("last", "final") else int(match["k"][:1])
    if not 1 <= number <= 12 // size:
        raise Unclear("there are four quarters, Q1 to Q4" if size == 3 else "a year has two halves")
    year = year_of(match["y"], now) or (year_of(match.groupdict().get("y2"), now))
    first = _month(year or now.today.year, size * (number - 1) + 1)
    if year is None and first > now.month:
        first -= 12
    return months(first, first + (size - 1))


def counted(match: Match, now: Now) -> Found:
    """The last so many whole units; of days, up to and with today."""
    many, unit = int(match["k"]), match["unit"].rstrip("s")
    size = {"month": 1, "quarter": 3, "year": 12}.get(unit, 0)
    if not many >= 1 or many * max(size, 1) > (MOST if size else 1_000):
        raise Unclear(f"{many} {unit}s are more than can be told at once; ask for 1 to {MOST} months")
    this = unit_at(unit, now.today, now)
    if match.groupdict().get("which") == "next":
        return off(unit, this, 1, now)
    if unit == "day":
        return Days(now.today - (many - 1) * DAY, now.today + DAY)
    return Days(off(unit, this, -many, now).first, this.first)


def ago(match: Match, now: Now) -> Found:
    many = 1 if match["k"] in ("a", "an") else int(match["k"])
    unit = match["unit"].rstrip("s")
    return off(unit, unit_at(unit, now.today, now), -min(many, 4 * MOST), now)


def months_beside(match: Match, now: Now) -> Found:
    """ "the 3 months before august"."""
    month, many = month_of(int(match["m"]), match["y"], now), int(match["k"])
    return months(month - many, month - 1) if match["way"] == "before" else months(month + 1, month + many)


def before_last(match: Match, now: Now) -> Found:
    return off(match["unit"], unit_at(match["unit"], now.today, now), -2, now)


def near(match: Match, now: Now) -> Found:
    """ "last week": of today. "Previous" and "next" go on from what a conversation is about."""
    which, unit = match["which"], match["unit"]
    this = unit_at(unit, now.today, now)
    if which in ("previous", "next") and now.about:
        return off(unit, now.about, -1 if which == "previous" else 1, now)
    if unit == "weekend" and which not in ("this", "next"):
        return unit_at(unit, now.today - 7 * DAY, now)
    found = off(unit, this, {"this": 0, "current": 0, "next": 1}.get(which, -1), now)
    if unit == "sprint" and now.sprint is None:
        return found, "taking a sprint as two weeks, since almanac.toml does not say when yours begin"
    return found


def year_before(match: Match, now: Now) -> Found:
    about = (now.about.months if now.about else None) or MonthRange(now.month, now.month)
    return months(about.first - 12, about.last - 12)


def months_of_year(match: Match, now: Now) -> Found:
    year, many = year_of(match["y"], now) or now.today.year, int(match["k"] or 1)
    if not 1 <= many <= 12:
        raise Unclear("a year has twelve months")
    first, end = _month(year, 1), _month(year, 12)
    return months(first, first + (many - 1)) if match["which"] == "1th" else months(end - (many - 1), end)


def part_of_month(match: Match, now: Now) -> Found:
    """The first week of a month is its first seven days; a half ends on the 15th."""
    which, unit = match["which"], match["unit"].rstrip("s")
    month = latest(int(match["m"]), now) if match["m"] else now.month - ("last" in match[0].split("of")[-1])
    whole = months(month)
    size = {"day": 1, "week": 7, "half": 15}[unit] * int(match["k"] or 1)
    if which in ("last", "final"):
        return Days(whole.end - size * DAY if unit != "half" else whole.first + 15 * DAY, whole.end)
    first = whole.first + (int(which[:-2]) - 1) * size * DAY
    end = whole.end if unit == "half" and which == "2th" else min(first + size * DAY, whole.end)
    return Days(min(first, whole.end - DAY), end)


def so_far(match: Match, now: Now) -> Found:
    unit = {"m": "month", "q": "quarter", "y": "year"}[match[0][0]]
    return unit_at(unit, now.today, now)


def whole_year(match: Match, now: Now) -> Found:
    return unit_at("year", now.about.last if now.about else now.today, now)


def year(match: Match, now: Now) -> Found:
    number = year_of(match["y"], now) or now.today.year
    return months(_month(number, 1), _month(number, 12))


def some_of_year(match: Match, now: Now) -> Found:
    number = year_of(match["y"], now) or now.today.year
    if re.search(r"(?:since|from|to|until)\s+(?:the\s+)?$", match.string[: match.start()]):
        return months(_month(number, 12 if match["part"] == "end" else 1))
    first, last = {"early": (1, 3), "mid": (4, 9), "middle": (4, 9), "late": (10, 12), "end": (10, 12)}.get(
        match["part"], (1, 3)
    )
    found = months(_month(number, first), _month(number, last))
    return found, f"taking “{match['part']}” as {found.title}"


def season(match: Match, now: Now) -> Found:
    first = month_of(SEASONS[match["season"]], match["y"], now)
    found = months(first, first + 2)
    return found, f"taking {match['season']} as {found.title}"


def fiscal(match: Match, now: Now) -> Found:
    raise Unclear("I know calendar years and quarters only: say the months, such as “from june to august”")


def weekday(match: Match, now: Now) -> Found:
    """The latest such day before today."""
    back = (now.today.isoweekday() - int(match["k"]) - 1) % 7 + 1
    return unit_at("day", now.today - back * DAY, now)


def week(match: Match, now: Now) -> Found:
    number, said = int(match["k"]), year_of(match["y"], now)
    try:
        monday = date.fromisocalendar(said or now.today.year, number, 1)
        if said is None and monday > now.today:
            monday = date.fromisocalendar(now.today.year - 1, number, 1)
    except ValueError:
        raise Unclear(f"there is no week {number}") from None
    return Days(monday, monday + 7 * DAY)


def week_of(match: Match, now: Now) -> Found:
    return unit_at("week", named_day(match, now).first, now)  # type: ignore[union-attr]


def days_back(match: Match, now: Now) -> Found:
    return unit_at("day", now.today - (2 if "before" in match[0] else 1 if "yesterday" in match[0] else 0) * DAY, now)


def two_near(match: Match, now: Now) -> Found:
    return months(now.month - 1, now.month)
