"""The times in the words of a question → the days each of them is. Pure: what day it is, is given.

The words are first put as those of one small language, which times.json translates to: "August 14th, 2025" is
"m8 14th , y2025", "gestern" is "1 day ago", "20.07." is "20 m7". Then

1. `_TABLE` finds what is a time by itself ("m8 14th", "last 3 weeks", "q3"),
2. what leans on another one is told from that ("the week before …", "the first half of …", "two months earlier"),
3. "from … to", "and", "vs" put two together, one end of a range lending the other its year, month or week,
4. what stands before one opens or closes it ("since", "until the end of", "my holiday on").

What cannot be read wholly is not taken: a time behind "every", "not" or "by", a fiscal year, a sprint that is numbered.
"""

# ruff: noqa: E501, SIM905  (tables of patterns and words)

from __future__ import annotations

import json
import re
from bisect import bisect_right
from calendar import monthrange
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from bot.ask.words import Word, cleaned, split_words
from bot.month.calendar import NAMES, Days, Month, MonthRange
from bot.month.people import unaccented

MOST_MONTHS = 120  # of one span that is counted
MOST_TIMES = 12  # that a question names; what has more is read no further
LATELY_DAYS = 30
DAY = timedelta(days=1)
_SIZES = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_SEASONS = {"spring": 3, "summer": 6, "fall": 9, "winter": 12}  # their first months, in the north


class _Unclear(ValueError):
    """A time that there is none of; its text is a sentence for the asker."""


@dataclass(frozen=True, slots=True)
class TimeFound:
    """A time, and the words it is, from `first` up to `end`. `days` is None where `unclear` says why there is none such.

    `ends` are the two times that stand side by side in it ("june and august", "q2 vs q3"); `days` then hold both.
    `assumed` says what was taken for granted: "recently: the last 30 days".
    """

    first: int
    end: int
    days: Days | None
    ends: tuple[Days, Days] | None = None
    assumed: tuple[str, ...] = ()
    unclear: str = ""

    @property
    def is_apart(self) -> bool:
        """Whether there are days between its two ends that nobody asked for."""
        return self.ends is not None and max(one.first for one in self.ends) > min(one.end for one in self.ends)


@dataclass(frozen=True, slots=True)
class Now:
    """The day it is for the asker, the time that the thread is about, and a sprint's first day and length in days."""

    today: date
    about: Days | None = None
    sprint: tuple[date, int] | None = None

    @property
    def month(self) -> Month:
        return Month(self.today.year, self.today.month)

    def unit(self, unit: str, day: date | None = None) -> Days:
        """The day, week, weekend, sprint, month, quarter, half or year that a day is in: by default, today."""
        day = day or self.today
        if unit == "day":
            return Days(day, day + DAY)
        if size := _SIZES.get(unit):
            first = Month(day.year, (day.month - 1) // size * size + 1)
            return _months(first, first + (size - 1))
        if unit == "sprint" and not self.sprint:
            raise _Unclear("I cannot tell when your sprints begin: almanac.toml sets none.")
        begins, length = self.sprint if unit == "sprint" and self.sprint else (date(1, 1, 1), 7)
        monday = begins + ((day - begins).days // length) * length * DAY
        return Days(monday + (5 * DAY if unit == "weekend" else 0 * DAY), monday + length * DAY)

    def off(self, unit: str, steps: int, days: Days | None = None) -> Days:
        """The unit so many steps before (below 0) or after some days: by default, today."""
        found = days or self.unit(unit)
        unit, steps = ("week", 2 * steps) if unit == "fortnight" else (unit, steps)
        for _ in range(min(abs(steps), 4 * MOST_MONTHS)):
            try:
                back = 7 if unit == "weekend" else 1
                found = self.unit(unit, found.first - back * DAY if steps < 0 else found.end)
            except (OverflowError, ValueError):
                raise _Unclear("That is longer ago than I can count.") from None
        return found if steps else self.unit(unit, found.first)

    def year(self, said: str | None) -> int | None:
        """The year that is said, "y2024" or "last year"; None where none is."""
        if not said:
            return None
        if said[0] == "y":
            return int(said[1:])
        return self.today.year + {"last": -1, "previous": -1, "next": 1}.get(said.split()[0], 0)

    def latest(self, number: int, said: str | None) -> Month:
        """The month of that number in a year; where none is said, the latest that is not in the future."""
        year = self.year(said)
        return _month(self.today.year - (number > self.today.month) if year is None else year, number)


@dataclass(frozen=True, slots=True)
class _Time:
    """Some days, at a place in the text. `floats` by a year, month or week where it may as well be that of another one;
    `step`: it is so many units off another time."""

    days: Days
    floats: str = ""
    said: str = ""  # what was taken for granted
    step: tuple[str, int] | None = None
    start: int = 0
    stop: int = 0
    how: str = ""  # "since", "until": what stands before it
    part: str = ""  # "early", "end": which part of it is meant
    ends: tuple[Days, Days] | None = None
    unclear: str = ""


Match = re.Match[str]


def _months(first: Month, last: Month | None = None) -> Days:
    return Days.of(MonthRange(first, last or first))


def _month(year: int, number: int) -> Month:
    try:
        return Month(year, number)
    except ValueError:
        raise _Unclear(f"There is no month {year:04}-{number:02}.") from None


def _dates(month: Month, first: int, last: int) -> Days | None:
    """Days of a month; None where it has no such."""
    if not 1 <= first <= last <= monthrange(month.year, month.number)[1]:
        return None
    return Days(date(month.year, month.number, first), date(month.year, month.number, last) + DAY)


def _shifted(time: _Time, cycles: int) -> Days:
    """The same days so many years, months or weeks later; raises ValueError where there are none."""
    days = time.days
    if time.floats == "week":
        return Days(days.first + 7 * cycles * DAY, days.end + 7 * cycles * DAY)
    many = 12 * cycles if time.floats == "year" else cycles
    if months := days.months:
        return _months(months.first + many, months.last + many)
    month = Month(days.first.year, days.first.month) + many
    first = date(month.year, month.number, days.first.day)
    return Days(first, first + (days.end - days.first))


# What a match of the table says. Each gives the days, or raises _Unclear with why there are none.


def _day_of_month(match: Match, now: Now) -> _Time:
    """ "14 m8", "m8 3 to 14 , y2025", "week of 3 m8": the latest such day that is not in the future."""
    said = match.groupdict()
    day, last, number = int(said["d"]), int(said.get("d2") or said["d"]), int(said["m"])
    month = now.latest(number, said["y"])
    days = _dates(month, day, last) if said["y"] else _latest(month, 12, day, last, now)
    if days is None:
        where = month.title if said["y"] else NAMES[number - 1]
        raise _Unclear(f"There is no {day if day > last else last} {where}.")
    floats = "" if said["y"] else "year"
    if said.get("either") and day != number:
        return _Time(days, floats, f"the day before the month: {days.title}")
    week = {"of": now.unit("week", days.first), "ending": Days(days.end - 7 * DAY, days.end)}
    begins = Days(days.first, days.first + 7 * DAY)
    return _Time(week.get(said["week"], begins) if said.get("week") else days, floats)


def _latest(month: Month, apart: int, day: int, last: int, now: Now) -> Days | None:
    """The same days of the latest month that has them, of those so many months apart, that are not in the future."""
    for back in range(0, 12 * apart, apart):
        if (days := _dates(month - back, day, last)) and days.first <= now.today:
            return days
    return None


def _the_day(match: Match, now: Now) -> _Time:
    """ "the 31th", "the 3th of last month"."""
    day, which = int(match["d"]), match["which"]
    month = now.month - (which == "last") if which else now.month
    days = _dates(month, day, day) if which else _latest(month, 1, day, day, now)
    if days is None:
        raise _Unclear(f"There is no {day} {month.title}.")
    return _Time(days, "" if which else "month")


def _week(match: Match, now: Now) -> _Time:
    number, said = int(match["n"]), now.year(match["y"])
    try:
        monday = date.fromisocalendar(said or now.today.year, number, 1)
        if said is None and monday > now.today:
            monday = date.fromisocalendar(now.today.year - 1, number, 1)
    except ValueError:
        raise _Unclear(f"There is no week {number}.") from None
    return _Time(Days(monday, monday + 7 * DAY))


def _part_of_year(match: Match, now: Now) -> _Time:
    """ "q3", "the 2th half of y2024", "the last two months of the year"."""
    said = match.groupdict()
    unit = {"q": "quarter", "h": "half"}.get(match["unit"], match["unit"])
    size = _SIZES[unit] * int(said.get("k") or 1)
    year = now.year(said.get("y"))
    number = 12 // size if match["n"] in ("last", "final") else int(match["n"].removesuffix("th"))
    if not (size <= 12 and 1 <= number <= 12 // size):
        none = f"There is no month {year or now.today.year}-{number:02}."
        raise _Unclear(
            {"quarter": "There are four quarters, Q1 to Q4.", "half": "A year has two halves."}.get(unit, none)
        )
    last = _month(year or now.today.year, number * size)
    if year is None and last - (size - 1) > now.month:
        last -= 12
    return _Time(_months(last - (size - 1), last), "year" if year is None else "")


def _named(match: Match, now: Now) -> _Time:
    which, year = match.groupdict().get("which"), match["y"]
    month = now.latest(int(match["m"]), year)
    if which == "next" and not year:
        month = Month(now.today.year + (month.number <= now.today.month), month.number)
    is_before = which == "last" and not year and month == now.month
    return _Time(_months(month - 12 if is_before else month), "" if year or which == "next" else "year")


def _counted(match: Match, now: Now) -> _Time:
    """The last so many whole units; of days, and of weeks that are not said to be whole, up to and with today."""
    few = match["k"] == "few"
    many, unit = 3 if few else int(match["k"]), match["unit"]
    many, unit = (2 * many, "week") if unit == "fortnight" else (many, unit)
    size = _SIZES.get(unit, 0)
    if not 1 <= many * max(size, 1) <= (MOST_MONTHS if size else 1_000):
        raise _Unclear(f"{many} {unit}s are more than can be told at once: ask for 1 to {MOST_MONTHS} months.")
    said = f"{match[0].removeprefix('since ')}: {many}" if few else ""
    if match["which"] == "next":
        return _Time(now.off(unit, 1))
    if unit == "day" or (unit == "week" and not match.groupdict().get("whole")):
        return _Time(Days(now.today - (many * (7 if unit == "week" else 1) - 1) * DAY, now.today + DAY), said=said)
    return _Time(Days(now.off(unit, -many).first, now.unit(unit).first), said=said)


def _since_so_long(match: Match, now: Now) -> _Time:
    """ "since 3 weeks", as Germans say it: from the same day so long ago."""
    many, unit = int(match["k"]), match["unit"]
    if size := _SIZES.get(unit):
        month = now.month - min(many * size, 4 * MOST_MONTHS)
        first = date(month.year, month.number, min(now.today.day, monthrange(month.year, month.number)[1]))
    else:
        first = now.today - min(many, 1_000) * {"week": 7, "fortnight": 14}.get(unit, 1) * DAY
    return _Time(Days(first, now.today + DAY))


def _near(match: Match, now: Now) -> _Time:
    """ "last week": of today. "Previous" and "next" go on from what the thread is about."""
    which, unit = match["which"], match["unit"]
    steps = {"this": 0, "next": 1}.get(which, -1)
    if unit == "fortnight" and steps < 1:
        return _Time(Days(now.today - 13 * DAY, now.today + DAY))
    return _Time(now.off(unit, steps, now.about if which in ("previous", "next") else None))


def _weekend(match: Match, now: Now) -> _Time:
    """The latest that has begun: on a Saturday, this one."""
    this = now.unit("weekend")
    return _Time(this if this.first <= now.today else now.off("weekend", -1))


def _ago(match: Match, now: Now) -> _Time:
    return _Time(now.off(match["unit"], -int(match["k"]) if match["k"].isdigit() else -1))


def _year_before(match: Match, now: Now) -> _Time:
    about = (now.about.months if now.about else None) or MonthRange(now.month, now.month)
    return _Time(_months(about.first - 12, about.last - 12))


def _year(match: Match, now: Now) -> _Time:
    number = now.year(match["y"]) or now.today.year
    return _Time(_months(_month(number, 1), _month(number, 12)))


def _season(match: Match, now: Now) -> _Time:
    season, said, which = match["season"], match["y"], match.groupdict().get("which")
    first = now.latest(_SEASONS[season], said)
    if which == "next" and not said:
        first += 12
    if which == "last" and not said and first + 2 >= now.month:
        first -= 12
    found = _months(first, first + 2)
    return _Time(found, "" if said else "year", f"{season}: {found.title}")


def _weekday(match: Match, now: Now) -> _Time:
    """The latest such day before today; that of a week, where one is said."""
    number, week, which = int(match["n"]), match.groupdict().get("week"), match.groupdict().get("which")
    if week:
        day = now.off("week", {"this": 0, "next": 1}.get(week, -1)).first + (number - 1) * DAY
    elif which in ("this", "next"):
        day = now.unit("week").first + (number - 1 + 7 * (which == "next")) * DAY
    else:
        day = now.today - ((now.today.isoweekday() - number - 1) % 7 + 1) * DAY
    return _Time(now.unit("day", day), "" if week or which else "week")


def _figures_unclear(match: Match, now: Now) -> _Time:
    raise _Unclear(f"I do not understand “{match['n']}/{match['n2']}”: write a month as 2025-10, a day as 2025-10-14.")


def _lately(match: Match, now: Now) -> _Time:
    days = Days(now.today - (LATELY_DAYS - 1) * DAY, now.today + DAY)
    return _Time(days, said=f"{match['word']}: the last {LATELY_DAYS} days")


_Y = r"(?P<y>y\d{4}|(?:last|previous|this|next|the same) year|the year)\b"
_OF_Y = rf"(?:(?: ,| of| in| de| del| /| -)? {_Y})?"
_D = r"(?:the )?(?P<d>\d{1,2})(?:th)?(?: (?:-|to|and|until) (?:the )?(?P<d2>\d{1,2})(?:th)?)?"
_M = r"m(?P<m>\d{1,2})\b"
_U = r"(?P<unit>day|weekend|week|sprint|fortnight|month|quarter|half|year)s?\b(?! \d)"
_WEEK = r"(?:(?:the )?week (?P<week>of|starting|beginning|commencing|from|ending) (?:on )?(?:the )?)?"
_SEASON = r"(?P<season>spring|summer|fall|winter)"
_END = r"(?= (?:[,.:¤/-]|and|for|of|by|in|with|as|please|to|until|vs|versus)(?: |$)|$)"
# Tried in this order; what one has taken, the next ones do not see. None: that is a time I cannot read, and is not taken.
_TABLE: tuple[tuple[str, Callable[[Match, Now], _Time] | None], ...] = (
    (
        r"\b(?:(?:last|this|next|previous) )?(?:fy|fiscal|financial|academic|school) ?(?:year|quarter|half|month)?\b(?: y?\d+)?",
        None,
    ),
    (
        rf"\b(?:(?:the )?[qh]\d )?fy ?'?\d+(?: [qh]\d)?\b|\bsprint \d+|\b(?:every|each) (?:{_U.replace('P<unit>', ':')}|[md]\d+)",
        None,
    ),
    (rf"\b{_WEEK}\b(?:d\d ,? ?)?{_D} (?:of |de |- )?{_M}{_OF_Y}(?P<either> §)?", _day_of_month),
    (rf"\b{_WEEK}\b(?:d\d ,? ?)?{_M}(?: |, |- ){_D}\b{_OF_Y}(?! (?:{{nouns}})\b)", _day_of_month),
    (rf"\b(?P<y>y\d{{4}}) {_M} (?P<d>\d{{1,2}})\b", _day_of_month),
    (r"\b(?P<n>\d{1,2})/(?P<n2>\d{1,2})\b(?! \w)", _figures_unclear),
    (rf"\b(?:(?:calendar )?week|kw|cw) (?:nr |no |number )?(?P<n>\d{{1,2}})\b{_OF_Y}", _week),
    (rf"\bthe (?P<d>[12]?\d|3[01])th(?: of (?P<which>this|last|the) month\b|{_END})", _the_day),
    (
        rf"\b(?P<n>\d{{1,2}}th|last|final) (?:(?P<k>\d{{1,2}}) )?(?P<unit>month|quarter|half)s? (?:of |in )?{_Y}",
        _part_of_year,
    ),
    (rf"\b(?P<n>\d{{1,2}}th) (?P<unit>quarter){_END}", _part_of_year),
    (r"\b(?P<n>[12]th) (?P<unit>half)(?= [.,]|$)", _part_of_year),
    (rf"\b(?P<unit>quarter|month) (?P<n>\d{{1,2}})\b{_OF_Y}", _part_of_year),
    (rf"(?<!m\d )(?<!m\d\d )\b{_Y} (?:of |- )?(?:the )?(?P<unit>[qh])(?P<n>\d)\b", _part_of_year),
    (rf"\b(?P<unit>[qh])(?P<n>\d)\b{_OF_Y}", _part_of_year),
    (rf"(?<!m\d )(?<!m\d\d )\b{_Y} (?:of |- )?{_M}", _named),
    (rf"\b(?:(?:the )?month of )?(?:(?P<which>last|this|next) )?{_M}{_OF_Y}", _named),
    (rf"\b(?P<which>last|previous|next) (?:of )?(?P<k>\d{{1,4}}|few) (?:of )?(?P<whole>whole )*{_U}", _counted),
    (rf"\b(?P<k>\d{{1,4}}|few) (?:most )?(?P<which>last|previous) {_U}", _counted),
    (
        r"\b(?:the )?(?:same (?:month|quarter|time|period|range|week|days?) (?:(?:of|in) )?(?:the )?(?:last|previous) year|1 year (?:earlier|before)\b(?! (?:\w+ )?m?\d)|an? year earlier)\b|\bthe year before(?: that)?(?= [,.]|$)",
        _year_before,
    ),
    (
        r"\blast (?P<k>\d{1,3}) hours\b",
        lambda match, now: _Time(Days(now.today - -(-int(match["k"]) // 24) * DAY, now.today + DAY)),
    ),
    (r"\b(?:the )?day before 1 day ago\b", lambda _, now: _Time(now.off("day", -2))),
    (rf"\b(?P<k>\d{{1,3}}|an?) {_U} (?:ago|back)\b", _ago),
    (rf"\bsince (?P<k>\d{{1,3}}) {_U}", _since_so_long),
    (rf"\b{_U} before last\b(?: (?P=unit))?", lambda match, now: _Time(now.off(match["unit"], -2))),
    (
        r"\bthis (?:morning|afternoon|evening)\b",
        lambda match, now: _Time(now.unit("day"), said=f"{match[0]}: {now.unit('day').title}"),
    ),
    (r"\bd(?P<n>\d) (?:of |in )?(?P<week>last|previous|this|next) week\b", _weekday),
    (r"\b(?P<week>last|previous|this|next) week (?:on |, )?d(?P<n>\d)\b", _weekday),
    (rf"\b(?P<which>last|previous|this|next) (?:whole )?{_U}", _near),
    (rf"\b{_U} to date\b", lambda match, now: _Time(now.unit(match["unit"]))),
    (rf"\b(?P<which>this|last)(?= (?:and|or) (?:the )?(?:this|last) {_U})", _near),  # "this and last month"
    (
        r"(?<=(?:onth|week|rter|year|rint) and )(?:the )?(?P<which>this|last)(?= [.,]|$)",  # "this month and last"
        lambda match, now: _Time(now.off(match.string[: match.start()].split()[-2], -(match["which"] == "last"))),
    ),
    (
        r"(?<=of )the (?P<unit>month|quarter|week|year|sprint)\b(?! (?:of|in|before|\d))|\bthe (?:whole )?(?P<unit2>year)\b(?! (?:of|in|before|\d|y\d))",
        lambda match, now: _Time(now.unit(match["unit"] or match["unit2"])),
    ),
    (r"\b(?:over|on|at|during|of) the weekend\b", _weekend),
    (r"\b(?P<unit>day|week|month|quarter|year) (?P<which>xlast)\b", _near),
    (rf"\b{_SEASON} (?:of )?{_Y}", _season),
    (rf"\b(?P<which>last|this|next) {_SEASON}(?P<y>)\b", _season),
    (rf"\b(?:in|during|over|since|for|of) (?:the )?{_SEASON}(?P<y>){_END}", _season),
    (r"\b(?P<which>last |this |next )?d(?P<n>[1-7])\b(?! (?:digests?|posts?|meetings?)\b)", _weekday),
    (r"(?<!than )(?<!over )(?<!top )(?<!last )\b(?P<y>y\d{4})\b(?! (?:{nouns})\b)", _year),
)
_STEP = re.compile(
    r"\b(?:(?P<k>\d{1,3}|an?) )?(?:the )?(?P<unit>day|week|sprint|month|quarter|1)s? (?P<way>before|after|earlier|later)"
    rf"(?: (?:that|this|it)\b)?{_END}"
)
# What is of, or beside, the time that stands behind it.
_BESIDE = re.compile(
    r"\b(?:(?P<n>\d{1,2}th|last|final) )?(?:(?P<k>\d{1,3}|few) )?(?P<unit>day|week|month|half(?= of))(?P<s>s?) "
    r"(?P<way>of|in|before|after) (?:the )?$"
)
_LATELY = re.compile(
    r"\b(?P<word>lately|these days|of late)\b|"
    r"\b(?:working|doing|busy|hacking|active|involved|up to)\b[^.]*? (?P<now>(?:right )?now|currently|at the moment|at present)\b|"
    r"\b(?P<then>currently|right now|at the moment|at present)\b(?=[^.]* (?:working|doing|busy|hacking|active|involved|up to)\b)"
)
_MONTH, _SURELY_DAY, _ANY_DAY = r"(0?[1-9]|1[0-2])", r"(1[3-9]|[2-9]\d)", r"(\d\d?)"
# What one word says in figures; "§" is behind what may be month and day as well as day and month.
_FIGURES = tuple((re.compile(pattern), said) for pattern, said in (
    (r"((?:19|20)\d\d)", r"y\1"),
    (r"'(\d\d)", r"y20\1"),
    (r"(\d{4})[-/.](1[3-9]|[2-3]\d)[-/.](\d\d?)", r"\2 m\3 y\1"),
    (r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:t[\d.:]+z?)?", r"\3 m\2 y\1"),
    (rf"{_MONTH}([/-]){_SURELY_DAY}\2(?:20)?(\d\d)", r"\3 m\1 y20\4"),
    (rf"{_MONTH}([/-]){_MONTH}\2(?:20)?(\d\d)", r"\1 m\3 y20\4 §"),
    (rf"{_ANY_DAY}([/-])(\d\d?)\2(?:20)?(\d\d)", r"\1 m\3 y20\4"),
    (r"(\d\d?)\.(\d\d?)\.(\d{4})", r"\1 m\2 y\3"),
    (r"(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.(\d\d)", r"\1 m\2 y20\3"),
    (r"(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", r"\3 m\2 y\1"),
    (r"(\d{4})[-/.](\d\d?)", r"m\2 y\1"),
    (r"(20\d\d)(0[1-9]|1[0-2])", r"m\2 y\1"),
    (r"(\d\d?)[-/.](\d{4})", r"m\1 y\2"),
    (r"(\d{4})-?w(\d\d)", r"week \2 y\1"),
    (r"(?:w|kw|cw|wk|week)-?(\d\d?)", r"week \1"),
    (r"(\d{4})-?([qh]\d)", r"\2 y\1"),
    (r"([qh]\d)[-/]?(\d{4})", r"\1 y\2"),
    (r"([qh]\d)[-/]?'?(\d\d)", r"\1 y20\2"),
    (r"(\d)([qh])[-/]?(\d{4})", r"\2\1 y\3"),
    (r"(\d)([qh])", r"\2\1"),
    (r"(\d+)(?:st|nd|rd|th)", r"\1th"),
    (r"(\d\d?)\.?[-–](\d\d?)(?:st|nd|rd|th)?", r"\1 - \2"),
    (r"(\d+)h(?:rs)?", r"\1 hours"),
))  # fmt: skip
# A day without its year is one only where a word beside it says so: 3/4 may be a part, 3.10 a version.
_DAYS = tuple((re.compile(pattern), said) for pattern, said in (
    (rf"{_MONTH}/{_SURELY_DAY}", r"\2 m\1"),
    (rf"{_MONTH}/{_MONTH}", r"\1 m\2 §"),
    (rf"{_ANY_DAY}[/.]{_MONTH}", r"\1 m\2"),
))  # fmt: skip
_IS_MONTH_FIRST = re.compile(rf"{_MONTH}([/-]){_SURELY_DAY}(?:\2(?:20)?\d\d)?")
_DOTTED, _SLASHED = re.compile(r"\d\d?\.(?:0?[1-9]|1[0-2])"), re.compile(r"\d\d?/\d\d?")


def find_times(words: Sequence[Word], now: Now, names: Container[int] = ()) -> list[TimeFound]:
    """The times that are named, in their order; `names` are the numbers of words that are people ("May", "June").

    What another pass has taken is none. A time that there is none of, or that has not begun, is found with why.
    """
    tokens, owners = _tokens(words, names)
    text, starts = " ".join(tokens), [0]
    for token in tokens[:-1]:
        starts.append(starts[-1] + len(token) + 1)
    found = [
        replace(time, start=bisect_right(starts, time.start) - 1, stop=bisect_right(starts, time.stop - 1))
        for time in _alone(text, now)
    ]
    return [
        TimeFound(owners[time.start], owners[time.stop - 1] + 1, *_begun(time, now))
        for time in _opened(tokens, _joined(tokens, _leant(tokens, found, now), now), now)
    ]


def time_alone(text: str, today: date, sprint: tuple[date, int] | None = None) -> Days | None:
    """The time that a text is, None where it says something else, or more. Raises ValueError with
    a sentence where there is none such."""
    words = split_words(cleaned(text[:200]))
    found = find_times(words, Now(today, sprint=sprint))
    rest = [word.low for n, word in enumerate(words) if not any(one.first <= n < one.end for one in found)]
    if len(found) != 1 or any(word not in _data()["leads"] and word not in ("the", "please") for word in rest):
        return None
    if found[0].unclear:
        raise _Unclear(found[0].unclear)
    return found[0].days


def two_ends(one: Days, other: Days) -> tuple[Days, Days]:
    """Two times that are compared, the earlier first: "September with last year" are two Septembers."""
    for long, short in ((one, other), (other, one)):
        if _unit_of(long) == "year" and short.months and short.months.is_one and long.first.year != short.first.year:
            one, other = Days.of(Month(long.first.year, short.months.first.number)), short
    first, last = sorted((one, other))
    return first, last


def month_number(word: str) -> int | None:
    """Which month a word is, however it is accented and in whatever case; None where it is none."""
    meant = _data()["words"].get(unaccented(word.casefold()), "")
    return int(meant[1:]) if re.fullmatch(r"m\d+", meant) else None


@cache
def _data() -> Mapping[str, Any]:
    """times.json, each word with what it means."""
    data = json.loads(files("bot.ask").joinpath("times.json").read_text("utf-8"))
    meant = {unaccented(word): meaning for meaning, words in data["words"].items() for word in words.split()}
    short = {word: meaning for meaning, words in data["short days"].items() for word in words.split()}
    lists = {name: frozenset(data[name].split()) for name in ("leads", "not before a month", "behind a month", "nouns")}
    return {"words": meant, "short days": short, "parts of words": data["parts of words"], **lists}


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[Match, Now], _Time] | None], ...]:
    nouns = "|".join(sorted(_data()["nouns"]))
    return tuple((re.compile(pattern.replace("{nouns}", nouns)), reading) for pattern, reading in _TABLE)


def _tokens(words: Sequence[Word], names: Container[int]) -> tuple[list[str], list[int]]:
    """The words in the language of the table, and of which word each token is; signs between words are tokens too."""
    tokens, owners = list[str](), list[int]()
    month_first = any(_IS_MONTH_FIRST.fullmatch(word.low) for word in words)
    for number, word in enumerate(words):
        if number:
            is_end = word.sentence != words[number - 1].sentence
            sign = "." if is_end else next((to for sign, to in _SIGNS if sign in word.before), "")
            tokens, owners = ([*tokens, sign], [*owners, number]) if sign else (tokens, owners)
        said = "¤" if word.taken or number in names else _meant(words, number, names)
        if said.endswith(" §") and month_first:
            said = re.sub(r"^(\d+) m(\d+)(.*) §$", r"\2 m\1\3", said)
        for token in said.split():
            tokens.append(token)
            owners.append(number)
    return tokens, owners


_SIGNS = (
    (",", ","),
    ("-", "-"),
    ("–", "-"),
    ("—", "-"),
    ("..", "-"),
    ("/", "/"),
    (":", ":"),
    (";", ":"),
    ("(", ":"),
    (")", ":"),
)


def _meant(words: Sequence[Word], number: int, names: Container[int]) -> str:
    low, data = words[number].low, _data()
    before = words[number - 1].low if number else ""
    if part := re.match(r"(early|mid|late)-(?=\w)", low):  # "mid-august", "mid-2024"
        low = low[part.end() :]
        return f"{part[1]} {data['words'].get(unaccented(low)) or _in_figures(low, _FIGURES)}"
    if meant := data["words"].get(unaccented(low)) or data["words"].get(low):
        return low if re.fullmatch(r"m\d+", meant) and not _is_month(words, number, names) else str(meant)
    if (short := data["short days"].get(low)) and (before in data["leads"] or not number):
        return str(short)
    if low.isascii() and low.isalpha():
        return low
    if any(map(str.isdigit, low)) and low.isascii():
        if re.fullmatch(r"\d\d", low) and words[number].before == "" and number and month_number(before):
            return f"y20{low}"  # "aug25"
        behind = words[number + 1] if number + 1 < len(words) else None
        if behind and behind.before == "-" and re.fullmatch(r"\d\d? \d\d?[/.]\d{4}", f"{low} {behind.low}"):
            return f"m{int(low)}"  # "06-08/2025"
        parts = re.split("[-–]", low)
        if len(parts) == 2 and all(map(_SLASHED.fullmatch, parts)):
            return " - ".join(_in_figures(part, _DAYS) for part in parts)
        return _in_figures(low, (*_FIGURES, *(_DAYS if _is_day(words, number) else ())))
    if not low.isascii():
        for written, said in data["parts of words"].items():
            low = low.replace(written, f" {said} ")
        low = re.sub(
            r"(\d{1,2})\s?[日일]",
            r" \1 ",
            re.sub(r"(\d{4})\s?[年년]", r" y\1 ", re.sub(r"(\d{1,2})\s?[月월]", r" m\1 ", low)),
        )
        if said := re.findall(r"y\d{4}|m\d{1,2}|\d+ day ago|(?:last|this) \w+|\b\d{1,2}(?= )", low):
            return " ".join(said)
    return low if re.fullmatch(r"[\w'’-]+", low) else "¤"


def _in_figures(low: str, table: Sequence[tuple[re.Pattern[str], str]]) -> str:
    said = next((match.expand(to) for pattern, to in table if (match := pattern.fullmatch(low))), low)
    return said if re.fullmatch(r"[\w /§-]+", said) else "¤"


def _is_day(words: Sequence[Word], number: int) -> bool:
    """Whether "20.07" or "8/25" is a day, by the words beside it."""
    before = words[number - 1].low if number else ""
    if _SLASHED.fullmatch(words[number].low):
        return before in _BEFORE_DAYS or (bool(_SLASHED.fullmatch(before)) and words[number].before.strip() in "-–")
    if before in ("on", "am", "vom"):
        return True
    if number and _DOTTED.fullmatch(before) and _is_day(words, number - 1):
        return words[number].before.strip(". ") in ("-", "–")
    if before in ("to", "bis", "and", "until") and number > 1 and _DOTTED.fullmatch(words[number - 2].low):
        return _is_day(words, number - 2)
    behind = words[number + 1] if number + 1 < len(words) else None
    is_same = behind is not None and behind.sentence == words[number].sentence
    return (
        behind is not None
        and behind.before.startswith(".")
        and (is_same or re.search(r"\.(?:0\d|1[0-2])$", words[number].low) is not None)
    )


_BEFORE_DAYS = frozenset("on since until till from to between and after before of am the week".split())
_SURE = frozenset(name[:length].lower() for name in NAMES for length in (3, len(name))) | {"sept"}
_DOUBTFUL = frozenset(("mar", "march", "may"))


def _is_month(words: Sequence[Word], number: int, names: Container[int]) -> bool:
    """Whether a word that is a month's name is one here: "may", "march" and "an august team" often are not."""
    data, low = _data(), words[number].low
    before = words[number - 1].low if number else ""
    behind = words[number + 1].low if number + 1 < len(words) else ""
    if low == "august" and before in ("an", "such", "most", "so", "very"):
        return not behind or behind in data["behind a month"] or behind[:1].isdigit()
    is_english = low in _SURE
    if (is_english and low not in _DOUBTFUL) or (not is_english and len(low) > 6) or len(words) == 1:
        return True
    if re.match(r"'?\d", behind):
        return True
    after = words[number + 2].low if number + 2 < len(words) else ""
    is_to = behind in ("through", "to") and (month_number(after) or after[:1].isdigit())
    if behind in data["not before a month"] and not is_to and before not in ("in", "during"):
        return False
    if number and (words[number - 1].is_owner or number - 1 in names):
        return True
    if before == "the":
        return behind in data["behind a month"] and behind not in ("is", "was", "to", "for")
    if before in data["leads"] or (number and month_number(before) is not None):
        return before != "to" or any(month_number(word.low) for word in words[:number])
    if not is_english:
        return behind.startswith("ayı")
    if not behind:
        return before not in ("will", "who", "it", "that", "you", "i", "we")
    return (number == 0 and behind in data["behind a month"]) or behind in ("digest", "release", "for")


def _alone(text: str, now: Now) -> list[_Time]:
    """What is a time by itself, at its place in the text: the first row of the table that reads a place."""
    found: list[_Time] = []
    taken = bytearray(len(text) + 1)
    for match in _STEP.finditer(text):
        many = int(match["k"]) if (match["k"] or "").isdigit() else 1
        step = match["unit"].replace("1", "same"), -many if match["way"] in ("before", "earlier") else many
        found.append(_Time(now.unit("day"), step=step, start=match.start(), stop=match.end()))
        taken[match.start() : match.end()] = b"\1" * len(match[0])
    for pattern, reading in _forms():
        for match in pattern.finditer(text):
            if len(found) >= MOST_TIMES or any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * len(match[0])
            if reading:
                try:
                    time = reading(match, now)
                except _Unclear as unclear:
                    time = _Time(now.unit("day"), unclear=str(unclear))
                found.append(replace(time, start=match.start(), stop=match.end()))
    if not found and (lately := _LATELY.search(text)):
        word = next(name for name in ("word", "now", "then") if lately[name])
        said = f"{lately[word]}: the last {LATELY_DAYS} days"
        days = Days(now.today - (LATELY_DAYS - 1) * DAY, now.today + DAY)
        found.append(_Time(days, said=said, start=lately.start(word), stop=lately.end(word)))
    return sorted(found, key=lambda time: time.start)


def _leant(tokens: Sequence[str], times: Sequence[_Time], now: Now) -> list[_Time]:
    """Those that lean on another told from that: the time said before, the thread's, the one that stands behind."""
    found: list[_Time] = []
    for time in times:
        try:
            if time.step:
                unit, steps = time.step
                base = found[-1].days if found else now.about
                unit = (_unit_of(base) if base else "month") if unit == "same" else unit
                time = replace(time, days=now.off(unit, steps, base), step=None)
            elif not time.unclear:
                before = " ".join(tokens[max(0, time.start - 6) : time.start]) + " "
                if (beside := _BESIDE.search(before)) and (beside["n"] or beside["way"] in ("before", "after")):
                    start = time.start - beside[0].count(" ")
                    found = [one for one in found if one.stop <= start]  # "last week" in "the last week of october"
                    time = replace(time, days=_beside(beside, time.days), start=start, floats="")
        except _Unclear as unclear:
            time = replace(time, unclear=str(unclear))
        found.append(time)
    return found


def _beside(match: Match, days: Days) -> Days:
    """What a match of `_BESIDE` is of the days behind it: a week is any seven of them, a month one of the calendar."""
    n, many, unit, way = match["n"] or "1th", int(match["k"] or 1), match["unit"], match["way"]
    whole = days.months
    if (match["s"] and not match["k"]) or (unit == "month" and not whole):
        raise _Unclear(f"I cannot tell which {unit}s those are: say the first and the last day.")
    if unit == "half" and whole and whole.is_one:
        middle = days.first + (14 if whole.first.number == 2 else 15) * DAY
        return Days(days.first, middle) if n == "1th" else Days(middle, days.end)
    size = many * {"day": 1, "week": 7, "half": -(-(days.end - days.first).days // 2)}.get(unit, 0)
    number = 1 if n in ("last", "final") else int(n[:-2])
    base, steps = {"before": (days.first, -number), "after": (days.end, number - 1)}.get(
        way, (days.first, number - 1) if n[0].isdigit() else (days.end, -1))  # fmt: skip

    def at(steps: int) -> date:
        return base + steps * size * DAY if size else (Month(base.year, base.month) + steps * many).first_day

    try:
        first, end = at(steps), at(steps + 1)
        return Days(first, end) if way in ("before", "after") else Days(max(first, days.first), min(end, days.end))
    except (OverflowError, ValueError):
        raise _Unclear(f"{days.title} has no such {unit}.") from None


def _unit_of(days: Days) -> str:
    if days.months:
        many = len(list(days.months))
        return "year" if many >= 12 else "quarter" if many == 3 else "month"
    return {1: "day", 14: "sprint"}.get((days.end - days.first).days, "week")


_PARTS = {"early": 0, "start": 0, "beginning": 0, "mid": 1, "late": 2, "end": 2}
_SMALL = frozenset(
    "in on at during over for of within throughout the all whole ever im am en em au i w в no na de del di du a".split()
)
_HOW = frozenset("since after until before from between starting beginning".split())
_REFUSE = frozenset(
    "every each per by not except without excluding besides unless like nor instead apart aside other around".split()
)
_COMPARES = frozenset(
    "vs versus against with compared compare compares comparing comparison than difference differ".split()
)
_OWN = frozenset("the my our her his their a an".split())


def _before(tokens: Sequence[str], at: int, floor: int) -> tuple[int, str, str]:
    """Where what belongs to a time begins before it, how that opens or closes it, and which part of it is meant."""
    start = at
    while start > floor and tokens[start - 1] in ("the", "of", "in"):
        start -= 1
    part = tokens[start - 1] if start > floor and tokens[start - 1] in _PARTS else ""
    start = start - 1 if part else at
    while start > floor and tokens[start - 1] in _SMALL:
        start -= 1
    if start > floor and tokens[start - 1] in _HOW:
        return start - 1 - (tokens[max(start - 2, floor)] == "ever"), tokens[start - 1], part
    if start > floor and part == "end" and tokens[start - 1] == "by":
        return start - 1, "until", part
    for event in range(start - 2, max(floor, start - 6) - 1, -1):  # "since my holiday on": whatever it was, since then
        if tokens[event] in ("since", "after", "until", "before") and start < at and tokens[event + 1] in _OWN:
            return (event, tokens[event], part) if all(map(str.isalpha, tokens[event:start])) else (start, "", part)
    return start, "", part


def _joined(tokens: Sequence[str], times: Sequence[_Time], now: Now) -> list[_Time]:
    """The times with what belongs to them before them, ranges and lists put together."""
    found: list[_Time] = []
    compares = not _COMPARES.isdisjoint(tokens)
    for time in times:
        floor = found[-1].stop if found else 0
        start, how, part = _before(tokens, time.start, floor)
        placed = replace(time, start=start, how=how, part=part)
        if found and not (time.unclear or found[-1].unclear):
            link = {*tokens[floor:start], *filter(None, (how if how == "until" else "",))}
            last = found[-1]
            is_range = bool(link & {"-", "to", "until"}) and link <= {"-", "to", "until", "up", "and", "including"}
            if is_range and compares and "to" in link and last.how not in ("from", "between", "since"):
                is_range = False
            is_range |= last.how == "between" and link == {"and"}
            if is_range or (link and link <= {",", "and", "or", "/"} | _COMPARES | {"to"}):
                found[-1] = _range(last, placed, now) if is_range else _list(last, placed, now)
                continue
        found.append(placed)
    return found


def _range(one: _Time, other: _Time, now: Now) -> _Time:
    """From the one to the other. What floats is put where the range runs forwards, and has begun."""
    a, b = _fitted(one, other, now)
    a, b = (_part(a, one.part)[0] if one.part else a), (_part(b, other.part)[0] if other.part else b)
    if a.months and b == now.unit("day"):
        b = Days.of(now.month)  # "from june until today"
    said = "; ".join(filter(None, (one.said, other.said, *(_said(*two) for two in ((one.part, a), (other.part, b))))))
    return replace(one, days=Days(min(a.first, b.first), max(a.end, b.end)), stop=other.stop, floats="", part="",
                   how="from", said=said)  # fmt: skip


def _fitted(one: _Time, other: _Time, now: Now) -> tuple[Days, Days]:
    """Both ends of a range: the one that floats takes the year, the month or the week of the other."""
    a, b = one, other
    try:
        if one.floats and not other.floats:
            while a.days.first > other.days.first:
                a = replace(a, days=_shifted(a, -1))
            while _shifted(a, 1).first <= other.days.first:
                a = replace(a, days=_shifted(a, 1))
        elif other.floats:
            while _shifted(b, -1).first >= a.days.first:
                b = replace(b, days=_shifted(b, -1))
            while b.days.first < a.days.first:
                b = replace(b, days=_shifted(b, 1))
            while one.floats == other.floats and b.days.first > now.today:
                a, b = replace(a, days=_shifted(a, -1)), replace(b, days=_shifted(b, -1))
    except ValueError:
        pass  # there is no such day in that year
    return a.days, b.days


def _list(one: _Time, other: _Time, now: Now) -> _Time:
    """Both of them, side by side; what lies between two that are apart is not asked for."""
    a, b = one.days, other.days
    is_alike = _unit_of(a) == _unit_of(b) and (a.first.month, a.first.day) != (b.first.month, b.first.day)
    if one.floats == "year" and not other.floats and is_alike:
        a = _fitted(one, other, now)[0]  # "june and july 2024"
    days = Days(min(a.first, b.first), max(a.end, b.end))
    said = "; ".join(filter(None, (one.said, other.said)))
    ends = None if one.ends else two_ends(a, b)
    return replace(one, days=days, ends=ends, stop=other.stop, said=said, floats=one.floats and other.floats)


def _part(days: Days, part: str) -> tuple[Days, bool]:
    """A third of some days: of a year its months, of a month its days; else all, and whether it is a third."""
    which, whole = _PARTS[part], days.months
    if whole and len(list(whole)) == 12:
        first = whole.first + 4 * which
        return _months(first, first + 3), True
    if whole and whole.is_one:
        begins = days.first + 10 * which * DAY
        return Days(begins, days.end if which == 2 else begins + 10 * DAY), True
    return days, False


def _said(part: str, days: Days) -> str:
    return f"{part}: {days.title}" if part and part not in ("start", "beginning", "end") else ""


def _opened(tokens: Sequence[str], times: Sequence[_Time], now: Now) -> Iterator[_Time]:
    """The times that lead until today, or begin with their year: "since june", "june onwards", "until august"."""
    for time in times:
        if time.start and tokens[time.start - 1] in _REFUSE:
            continue
        days, how, part, stop = time.days, time.how, time.part, time.stop
        behind = " ".join(tokens[stop : stop + 3])
        onwards = _ONWARDS.match(behind)
        stop += len(onwards[0].split()) if onwards else 0
        if time.unclear:
            pass
        elif how in ("since", "starting", "beginning") or (onwards and not onwards["far"]):
            third = _part(days, part)[0] if part else days
            first = days.end if part == "end" else third.first
            end = Days.of(now.month).end if days.months and first.day == 1 else now.today + DAY
            time = replace(time, days=Days(first, max(end, first + DAY)), said=_said(part, third), ends=None)
        elif how == "after":
            end = Days.of(now.month).end if days.months else now.today + DAY
            time = replace(time, days=Days(days.end, max(end, days.end + DAY)), ends=None)
        elif how in ("until", "before"):
            third = _part(days, part)[0] if part else days
            last = third.end if how == "until" and part not in ("start", "beginning") else third.first
            last = days.end if part == "end" else last
            first = date((last - DAY).year, 1, 1)
            time = replace(time, days=Days(first, last), said=f"from January {first.year}", ends=None)
        elif part:
            third = _part(days, part)[0] if len(list(days.months or ())) == 12 else days
            words = "all of " if third == days else ""
            time = replace(time, days=third, said=f"{part}: {words}{third.title}")
        yield replace(time, stop=stop)


_ONWARDS = re.compile(
    r"onwards?\b|on(?= [,.:]| (?:to|for|in|and) |$)|and (?:later|after|since)\b|(?:-|to|until) (?:now|date|(?:the )?present)\b|(?P<far>so far)\b"
)


def _begun(time: _Time, now: Now) -> tuple[Days | None, tuple[Days, Days] | None, tuple[str, ...], str]:
    """What a time holds for the asker: of months, those until this one. One that has not begun is unclear."""
    if time.unclear:
        return None, None, (), time.unclear
    if time.days.first > now.today:
        return None, None, (), f"{time.days.title} has not begun yet."

    def until_now(days: Days) -> Days:
        if (months := days.months) and months.first <= now.month < months.last:
            return _months(months.first, now.month)
        return days

    ends = (until_now(time.ends[0]), until_now(time.ends[1])) if time.ends else None
    if ends and ends[1].first > now.today:
        return None, None, (), f"{ends[1].title} has not begun yet."
    return until_now(time.days), ends, tuple(filter(None, time.said.split("; "))), ""
