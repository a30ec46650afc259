"""Times in the words of `time_words` → the days each of them is: one table of patterns. Pure."""

# ruff: noqa: E501  (a table of patterns reads best with few breaks)

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.month.calendar import NAMES, Days, Month, MonthRange

MOST_MONTHS = 120  # of one span
MOST_PIECES = 12  # times that a question names; what has more is read no further
DAY = timedelta(days=1)
SPRINT = date(2025, 11, 10), 14  # where none is known: two weeks, counted from this Monday
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_PARTS = {"early": 1, "beginning": 1, "start": 1, "mid": 5, "middle": 5, "late": 9, "end": 9}  # a third of a year each
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # their first months, in the north


class Unclear(ValueError):
    """A time that there is none of; its text is a sentence for the asker."""


@dataclass(frozen=True, slots=True)
class OldNow:
    """The day it is, the time that the conversation is about, and a sprint's first day and length in days."""

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
        if size := _MONTHS.get(unit):
            first = Month(day.year, (day.month - 1) // size * size + 1)
            return months(first, first + (size - 1))
        begins, length = (date(1, 1, 1), 7) if unit.startswith("week") else self.sprint or SPRINT
        first_day = begins + ((day - begins).days // length) * length * DAY
        return Days(first_day + (5 * DAY if unit == "weekend" else 0 * DAY), first_day + length * DAY)

    def off(self, unit: str, steps: int, days: Days | None = None) -> Days:
        """The unit so many steps before (below 0) or after some days: by default, today."""
        days = days or self.unit(unit)
        if steps == 0:
            return self.unit(unit, days.first)
        back = 7 if unit == "weekend" else 1
        for _ in range(min(abs(steps), 4 * MOST_MONTHS)):
            try:
                days = self.unit(unit, days.first - back * DAY if steps < 0 else days.end)
            except (OverflowError, ValueError):
                raise Unclear("that is longer ago than I can count") from None
        return days

    def year(self, said: str | None) -> int | None:
        """The year that is said, "2024", "'24" or "last year"; None where none is."""
        if not said:
            return None
        if "year" in said:
            return self.today.year + (-1 if re.search(r"last|previous", said) else 1 if "next" in said else 0)
        digits = re.sub(r"\D", "", said)
        return int(digits) if len(digits) == 4 else 2000 + int(digits)

    def month_of(self, number: int, said: str | None) -> Month:
        """The month of that number in a year; where none is said, the latest that is not in the future."""
        year = self.year(said)
        if not 1 <= number <= 12:
            raise Unclear(f"there is no month {year or self.today.year}-{number:02}")
        return _month(self.today.year - (number > self.today.month) if year is None else year, number)


@dataclass(frozen=True, slots=True)
class Piece:
    """A time that stands at a place. `floating`: its year is not said. `step`: it is so many units off another one.
    `assumed` says what was taken for granted."""

    start: int
    end: int
    days: Days
    floating: bool = False
    step: tuple[str, int] | None = None
    assumed: str = ""


Match = re.Match[str]
Found = Days | tuple[Days, str]


def months(first: Month, last: Month | None = None) -> Days:
    return Days.of(MonthRange(first, last or first))


def _month(year: int, number: int) -> Month:
    try:
        return Month(year, number)
    except ValueError as error:
        raise Unclear(str(error)) from None


# What a match of the table says.


def _days_of_month(match: Match, now: OldNow) -> Found:
    """ "14 august", "august 3 to 14, 2025", "week of 3 august": of the latest such day that is not in the future."""
    day, last, said = int(match["d"]), int(match["d2"] or match["d"]), match["y"]
    month = now.month_of(int(match["m"]), said)
    days = _day(month, day, last) if said else _latest(month, 12, day, last, now)
    if match.groupdict().get("either"):
        return days, f"taking the day before the month, so {days.title}"
    return now.unit("week", days.first) if match["week"] else days


def _day(month: Month, first: int, last: int) -> Days:
    try:
        return Days(date(month.year, month.number, first), date(month.year, month.number, last) + DAY)
    except ValueError:
        raise Unclear(f"there is no {last} {month.title}") from None


def _latest(month: Month, apart: int, day: int, last: int, now: OldNow) -> Days:
    """The same days of the latest month that has them, of those so many months apart, that are not in the future."""
    for _ in range(12):
        with suppress(Unclear):
            if (days := _day(month, day, last)).first <= now.today:
                return days
        month -= apart
    raise Unclear(f"there is no {last} {NAMES[month.number - 1]}")


def _the_day(match: Match, now: OldNow) -> Found:
    return _latest(now.month, 1, int(match["d"]), int(match["d"]), now)


def _week(match: Match, now: OldNow) -> Found:
    number, said = int(match["n"]), now.year(match["y"])
    try:
        monday = date.fromisocalendar(said or now.today.year, number, 1)
        if said is None and monday > now.today:
            monday = date.fromisocalendar(now.today.year - 1, number, 1)
    except ValueError:
        raise Unclear(f"there is no week {number}") from None
    return Days(monday, monday + 7 * DAY)


def _part_of_year(match: Match, now: OldNow) -> Found:
    """ "Q3", "the second half of 2024", "the last two months of the year"."""
    said = match.groupdict()
    unit = {"q": "quarter", "h": "half"}.get(match["unit"], match["unit"])
    size = _MONTHS[unit] * int(said.get("k") or 1)
    if not 1 <= size <= 12:
        raise Unclear("a year has twelve months")
    number = 12 // size if match["n"] in ("last", "final") else int(match["n"].removesuffix("th"))
    if not 1 <= number <= 12 // size:
        here = now.year(match["y"]) or now.today.year
        raise Unclear({"quarter": "there are four quarters, Q1 to Q4", "half": "a year has two halves"}.get(
            unit, f"there is no month {here}-{number:02}"))  # fmt: skip
    year = now.year(match["y"])
    last = _month(year or now.today.year, 12 if match["n"] in ("last", "final") else number * size)
    if year is None and last - (size - 1) > now.month:
        last -= 12
    return months(last - (size - 1), last)


def _named(match: Match, now: OldNow) -> Found:
    month = now.month_of(int(match["m"]), match["y"])
    is_before = month == now.month and not match["y"] and match[0].startswith("last")
    return months(month - 12 if is_before else month)


def _counted(match: Match, now: OldNow) -> Found:
    """The last so many whole units; of days, and of weeks that are not said to be whole, up to and with today."""
    many, unit = int(match["k"]), match["unit"]
    size = _MONTHS.get(unit, 0)
    if not many >= 1 or many * max(size, 1) > (MOST_MONTHS if size else 1_000):
        raise Unclear(f"{many} {unit}s are more than can be told at once; ask for 1 to {MOST_MONTHS} months")
    if match["which"] == "next":
        return now.off(unit, 1)
    if unit == "day" or (unit == "week" and not match.groupdict().get("whole")):
        days = many * (7 if unit == "week" else 1)
        return Days(now.today - (days - 1) * DAY, now.today + DAY)
    return Days(now.off(unit, -many).first, now.unit(unit).first)


def _ago(match: Match, now: OldNow) -> Found:
    return now.off(match["unit"], -int(match["k"]) if match["k"].isdigit() else -1)


def _near(match: Match, now: OldNow) -> Found:
    """ "last week": of today. "Previous" and "next" go on from what a conversation is about."""
    which, unit = match["which"], match["unit"]
    found = now.off(unit, {"this": 0, "next": 1}.get(which, -1), now.about if which in ("previous", "next") else None)
    if unit == "sprint" and now.sprint is None:
        return found, "taking a sprint as two weeks, since almanac.toml does not say when yours begin"
    return found


def _year_before(match: Match, now: OldNow) -> Found:
    about = (now.about.months if now.about else None) or MonthRange(now.month, now.month)
    return months(about.first - 12, about.last - 12)


def _year(match: Match, now: OldNow) -> Found:
    number = now.year(match["y"]) or now.today.year
    return months(_month(number, 1), _month(number, 12))


def _part_of_a_year(match: Match, now: OldNow) -> Found:
    """ "early 2025", "the end of last year": four months of it. "By the end of" means all of it."""
    if re.search(r"\b(?:by|before|until|to) (?:the )?$", match.string[: match.start()]):
        return _year(match, now)
    first = Month(now.year(match["y"]) or now.today.year, _PARTS[match["part"]])
    found = months(first, first + 3)
    return found, f"taking “{re.sub(r'y(?=[0-9])', '', match[0])}” as {found.title}"


def _season(match: Match, now: OldNow) -> Found:
    first = now.month_of(_SEASONS[match["season"]], match["y"])
    found = months(first, first + 2)
    return found, f"taking {match['season']} as {found.title}"


def _weekday(match: Match, now: OldNow) -> Found:
    """The latest such day before today."""
    return now.unit("day", now.today - ((now.today.isoweekday() - int(match["n"]) - 1) % 7 + 1) * DAY)


def _fiscal(match: Match, now: OldNow) -> Found:
    raise Unclear("I know calendar years and quarters only: say the months, such as “from june to august”")


def _beside(match: Match, days: Days) -> Days:
    """What a match of `_BESIDE` is of the days behind it: a week is any seven of them, a month one of the calendar."""
    n, many, unit, way = match["n"] or "1th", int(match["k"] or 1), match["unit"], match["way"]
    if (match["s"] and not match["k"]) or (unit == "month" and not days.months):
        raise Unclear(f"I cannot tell which {unit}s those are: say the first and the last day")
    size = many * {"day": 1, "week": 7, "half": -(-(days.end - days.first).days // 2)}.get(unit, 0)
    number = 1 if n in ("last", "final") else int(n[:-2])
    base, steps = {"before": (days.first, -number), "after": (days.end, number - 1)}.get(
        way, (days.first, number - 1) if n[0].isdigit() else (days.end, -1))  # fmt: skip

    def at(steps: int) -> date:
        return base + steps * size * DAY if size else months(Month(base.year, base.month) + steps * many).first

    try:
        first, end = at(steps), at(steps + 1)
        return Days(max(first, days.first), min(end, days.end)) if way == "of" else Days(first, end)
    except (OverflowError, ValueError):
        raise Unclear(f"{days.title} has no such {unit}") from None


_NEAR_YEAR = r"(?:last|previous|this|next|the same) year"
_YEAR = rf"(?P<y>y\d{{4}}\b|(?:19|20)\d\d\b|'\d\d\b|the year\b|{_NEAR_YEAR}\b)"
_OF_YEAR = rf"(?:,? (?:of |in |de |del )?{_YEAR})?"
_DAYS = r"(?P<d>\d{1,2})(?:th)?(?: ?(?:-|to|and) ?(?:the )?(?P<d2>\d{1,2})(?:th)?)?"
_M = r"m(?P<m>\d{1,2})\b"
_N = r"(?P<n>\d{1,2}th|last|final)"
_UNIT = r"(?P<unit>day|weekend|week|sprint|fortnight|month|quarter|half|year)s?\b"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
# Tried in this order; what one has taken, the next ones do not see.
_TABLE: tuple[tuple[str, Callable[[Match, OldNow], Found]], ...] = (
    (rf"\b(?P<week>week of (?:the )?)?\b{_DAYS} (?:of |de )?{_M}{_OF_YEAR}(?P<either> §)?", _days_of_month),
    (rf"\b(?P<week>week of )?\b{_M}(?: (?:the )?|-){_DAYS}\b{_OF_YEAR}", _days_of_month),
    (rf"\b(?:week|kw|cw) (?P<n>\d{{1,2}})\b{_OF_YEAR}", _week),
    (r"\bthe (?P<d>[12]?\d|3[01])th\b(?! (?!of this|and |to |in ¤)\w)", _the_day),
    (rf"\b{_N} (?:(?P<k>\d{{1,2}}) )?(?P<unit>month|quarter|half)s? (?:of |in )?{_YEAR}", _part_of_year),
    (rf"\b(?P<part>{'|'.join(_PARTS)})(?: of| in)? {_YEAR}(?! ?{_M})", _part_of_a_year),
    (r"\b(?P<n>\d{1,2}th) (?P<unit>quarter)\b(?P<y>)", _part_of_year),
    (r"\b(?P<n>\d{1,2}th) (?P<unit>half)(?=\W*$)(?P<y>)", _part_of_year),
    (rf"\b(?P<unit>quarter|month) (?P<n>\d{{1,2}})\b{_OF_YEAR}", _part_of_year),
    (r"\b(?P<y>\d{4}) (?P<unit>[qh])(?P<n>\d)\b", _part_of_year),
    (rf"(?<!\bthe )\b(?P<unit>[qh])(?P<n>\d)\b{_OF_YEAR}", _part_of_year),
    (r"\bfy ?'?\d+\b|\b(?:fiscal|financial) (?:year|quarter|month)\b", _fiscal),
    (r"(?:(?P<y>\d{4}) ?[年년] ?)?\b(?P<m>\d{1,2}) ?[月월]", _named),
    (rf"\b{_YEAR}(?:['’]s)? {_M}", _named),
    (rf"\b(?:(?:early|late|mid|last|this|(?:end|beginning|start) of) )?{_M}(?: ?/ ?)?{_OF_YEAR}", _named),
    (rf"\b(?P<which>last|previous|next) (?:few |of )?(?P<k>\d{{1,4}}) (?:of )?(?P<whole>full |whole |calendar |complete |working )*{_UNIT}", _counted),
    (rf"\b(?P<k>\d{{1,4}}) (?:most )?(?P<which>last|previous) {_UNIT}", _counted),
    (r"\bthe same (?:month|quarter|time|period|range) (?:(?:of|in) )?(?:the )?(?:last|previous) year\b|"
     r"\bsame month last year\b|\b(?:a|1) year (?:earlier|before)\b|\bthe year before(?: that)?(?=\W*$)", _year_before),
    (r"\blast (?P<k>\d{1,3}) hours?\b", lambda match, now: Days(now.today - -(-int(match["k"]) // 24) * DAY, now.today + DAY)),
    (r"\b(?:the )?day before 1 day ago\b", lambda _, now: now.off("day", -2)),
    (rf"\b(?P<k>\d{{1,3}}|an?) {_UNIT} ago\b", _ago),
    (rf"\b{_UNIT} before last\b", lambda match, now: now.off(match["unit"], -2)),
    (r"\bthis (?:morning|afternoon|evening)\b", lambda _, now: now.unit("day")),
    (rf"\b(?P<which>last|previous|this|next) (?:calendar |full |whole )?{_UNIT}(?: so far)?", _near),
    (rf"\b{_UNIT} to date\b", lambda match, now: now.unit(match["unit"])),
    (rf"\b(?P<which>this|last)(?= (?:and|&|or) (?:the )?(?:this|last) {_UNIT})", _near),  # "this and last month"
    (r"(?<=(?:onth|week|rter|year|rint) and )(?:the )?(?P<which>this|last)(?=\W*$)",  # "this month and last"
     lambda match, now: now.off(match.string[: match.start()].split()[-2], -(match["which"] == "last"))),
    (r"\b(?:the (?:whole )?year\b(?! (?:of|in|before|\d))|(?<=(?:day|ays|eek|eks|alf) of )the (?:month|quarter)\b)",
     lambda match, now: now.unit(match[0].split()[-1], now.about.last if now.about else None)),
    (r"\b(?P<which>over|on|at|during) the (?P<unit>weekend)\b", _near),
    (rf"\b{_UNIT} (?P<which>xlast)\b", _near),
    (rf"\b(?:in|last|this|during|over|since|next|for|of) (?:the )?{_SEASON}(?P<y>)(?=\W*$)", _season),
    (rf"\b{_SEASON} (?:of )?{_YEAR}", _season),
    (r"\b(?:on |last |this )*d(?P<n>[1-7])\b(?!['’]s)", _weekday),
    (r"(?P<y>(?<!\w)'\d\d|\b(?:19|20)\d\d)\b(?! (?:commit|change|line|file)s?\b)", _year),
)  # fmt: skip
_STEP = re.compile(
    r"\b(?:(?P<k>\d{1,3}|an?) )?(?:the )?(?P<unit>day|week|sprint|month|quarter|1)s? "
    r"(?P<way>before|after|earlier|later)(?: (?:that|this|it))?(?=\W*$|\W*[,?]| (?:for|of|by|in|with|and)\b)"
)
# What is of, or beside, the time that stands behind it.
_BESIDE = re.compile(
    r"\b(?:(?P<n>\d{1,2}th|last|final) )?(?:(?P<k>\d{1,3}) )?(?P<unit>day|week|month|half(?= of))(?P<s>s?) (?P<way>of|before|after) (?P<the>the )?"
)
# Only where no other time is named. "Merge it right now" is none.
_LATELY = re.compile(
    r"\b(?P<busy>(?:working|doing|busy)(?: \w+){0,3}? )?(?P<word>lately|recently|these days|nowadays|"
    r"currently(?= (?:working|doing|busy))|latest(?= (?:work|changes|commits|activity))|"
    r"(?(busy)(?:right now|currently|at the moment)|(?!)))\b"
)
LATELY_DAYS = 30
_FORMS = tuple((re.compile(pattern), reading) for pattern, reading in _TABLE)


def pieces_of(text: str, now: OldNow) -> list[Piece]:
    """Every time that is named, the first and longest reading of each. Raises Unclear where there is none such."""
    found: list[Piece] = []
    taken = bytearray(len(text) + 1)

    def add(match: Match, days: Days, assumed: str = "", step: tuple[str, int] | None = None, **more: bool) -> None:
        found.append(Piece(match.start(), match.end(), days, step=step, assumed=assumed, **more))
        taken[match.start() : match.end()] = b"\1" * len(match[0])

    for match in _STEP.finditer(text):
        many = int(match["k"]) if (match["k"] or "").isdigit() else 1
        steps = -many if match["way"] in ("before", "earlier") else many
        add(match, now.unit("day"), step=(match["unit"].replace("1", "same"), steps))
    for pattern, reading in _FORMS:
        for match in pattern.finditer(text):
            if len(found) < MOST_PIECES and not any(taken[match.start() : match.end()]):
                said = reading(match, now)
                days, assumed = said if isinstance(said, tuple) else (said, "")
                add(match, days, assumed, floating=reading is _named and not match["y"])
    for match in _BESIDE.finditer(text):
        starts = match.start("the"), match.end()
        behind = next((piece for piece in found if piece.start in starts and not piece.step), None)
        if behind and (match["n"] or match["way"] != "of"):
            found = [piece for piece in found if piece.end <= match.start() or piece.start > match.end()]
            found.append(replace(behind, start=match.start(), days=_beside(match, behind.days), floating=False))
    if not found and (lately := _LATELY.search(text)):
        days = Days(now.today - (LATELY_DAYS - 1) * DAY, now.today + DAY)
        return [Piece(*lately.span("word"), days, assumed=f"taking “{lately['word']}” as the past {LATELY_DAYS} days")]
    return sorted(found, key=lambda piece: piece.start)
