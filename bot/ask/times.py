"""The times in the words of a question → the days each of them is. Pure: what day it is, is given.

The words are first put as those of one small language: "August 14th, 2025" is "m8 14th , y2025", "gestern" is
"1 day ago", "20.07." is "20 m7". Its words, and the rows of patterns over it, are times.json. Then

1. `_alone` finds what is a time by itself ("m8 14th", "last 3 weeks", "q3"), the first row that reads a place,
2. `_leant` tells what leans on another from that ("the first week of …", "two months earlier"),
3. `_joined` puts two together ("from … to", "and", "vs"); one end of a range lends the other its year, month or week,
4. `_opened` looks at what stands before ("since", "until the end of", "early", "since my holiday on").

What cannot be read wholly is not taken: a time behind "every", "not" or "by", a fiscal year, a sprint with a number.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from calendar import monthrange
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib.resources import files
from itertools import accumulate
from typing import Any

from bot.ask.words import Word, cleaned, split_words
from bot.month.addresses import unaccented
from bot.month.calendar import NAMES, Days, Month

LATELY_DAYS = 30
KNOWN_DAYS = 365  # of who knows something these days
MOST_MONTHS = 120  # of one span that is counted
MOST_TIMES = 12  # that a question names; what has more is read no further
DAY = timedelta(days=1)
_SIZES = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_SEASONS = {"spring": 3, "summer": 6, "fall": 9, "winter": 12}  # their first months, in the north
_PARTS = {"early": 0, "start": 0, "beginning": 0, "mid": 1, "late": 2, "end": 2}  # which third
_VAGUE = {"early", "mid", "late"}
TAKEN = "the days that it was taken for"
_STEPS = {"last": -1, "xlast": -1, "previous": -1, "next": 1, "tomorrow": 1, "before last": -2, "last to last": -2}
_NONE = {"quarter": "There are four quarters, Q1 to Q4.", "half": "A year has two halves."}


class _Unclear(ValueError):
    """A time that there is none of; its text is a sentence for the asker."""


_UP_TO_NOW = frozenset(("over", "during", "throughout", "within"))


@dataclass(frozen=True, slots=True)
class TimeFound:
    """A time, and the words it is, from `first` up to `end`. `days` is None where `unclear` says why.

    `ends` are the two times that stand side by side in it ("june and august", "q2 vs q3"), the earlier first; `days`
    then hold both. `assumed` says what was taken for granted: "recently: the last 30 days".
    """

    first: int
    end: int
    days: Days | None = None
    ends: tuple[Days, Days] | None = None
    assumed: tuple[str, ...] = ()
    unclear: str = ""

    @property
    def is_apart(self) -> bool:
        """Whether days that nobody asked for lie between its two ends."""
        return self.ends is not None and self.ends[1].first > self.ends[0].end


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
        if days:
            _check(days.first.year)
        found = self.unit(unit, days.first if days else None) if steps == 0 or not days else days
        for _ in range(abs(steps)):
            _check(found.first.year)
            back = 7 if unit == "weekend" else 1
            about, found = found, self.unit(unit, found.first - back * DAY if steps < 0 else found.end)
            if unit == "week" and found.end > about.first > found.first:  # before seven days that begin in a week
                found = Days(about.first - (about.end - about.first), about.first)
        return found

    def year(self, said: str | None) -> int | None:
        """The year that is said, "y2024" or "last year"; None where none is."""
        if not said:
            return None
        if said == "the same year" and self.about:
            return self.about.first.year
        return int(said[1:]) if said[0] == "y" else self.today.year + _STEPS.get(said.split()[0], 0)

    def latest(self, number: int, said: str | None) -> Month:
        """The month of that number in a year; where none is said, the latest that is not in the future."""
        year = self.year(said)
        year = self.today.year - (number > self.today.month) if year is None else year
        if not (1 <= number <= 12 and 1900 <= year < 2200):
            raise _Unclear(f"There is no month {year:04}-{number:02}.")
        return Month(year, number)

    def since(self, first: date, *, is_months: bool) -> Days:
        """From a day until today, or until the end of this month."""
        return Days(first, max(self.month.end if is_months else self.today + DAY, first + DAY))


@dataclass(frozen=True, slots=True)
class _Time:
    """Some days, as the tokens from `start` up to `stop` say them.

    `floats` is by what it may as well be another: a year, month or week. `said` is what it was taken for, TAKEN
    the days themselves; `step` how many of which unit it is off another time; `how` and `part` what stands before it:
    "since", "early".
    """

    days: Days
    floats: str = ""
    said: str = ""
    step: tuple[str, int] | None = None
    start: int = 0
    stop: int = 0
    how: str = ""
    part: str = ""
    ends: tuple[Days, Days] | None = None
    unclear: str = ""


def _check(year: int) -> None:
    if not 1900 <= year < 2200:
        raise _Unclear("That is longer ago than I can count.")


def _months(first: Month, last: Month | None = None) -> Days:
    return Days.of(first, last)


def _dates(months: Sequence[Month], day: int, last: int, now: Now, where: str) -> Days:
    """Some days of the first of the months that has them and, of several months, in which they have begun."""
    for month in months:
        if 1 <= day <= last <= monthrange(month.year, month.number)[1]:
            days = Days(date(month.year, month.number, day), date(month.year, month.number, last) + DAY)
            if days.first <= now.today or len(months) == 1:
                return days
    raise _Unclear(f"There is no {day if day > last else last} {where}.")


# What the rows of times.json say, given the groups of a match; None where it is no time after all.


def _date(m: dict[str, str], now: Now) -> _Time:
    """ "14 m8", "m8 3 to 14 , y2025", "week of 3 m8": the latest such days that are not in the future."""
    day, last, number, year = int(m["d"]), int(m.get("last", m["d"])), int(m["m"]), m.get("y")
    week = m.get("week", "of" if "n" in m else "")
    month = now.latest(number, year)
    months = [month] if year else [month - 12 * back for back in range(12)]
    days = _dates(months, day, last, now, month.title if year else NAMES[number - 1])
    said = TAKEN if "either" in m and number != day < 13 else ""  # the day before the month
    if week:
        begins = {"of": now.unit(m["n"], days.first).first, "ending": days.end - 7 * DAY}.get(week, days.first)
        days = Days(begins, begins + (2 if m["n"] == "weekend" else 7) * DAY)
    return _Time(days, "" if year else "year", said)


def _day(m: dict[str, str], now: Now) -> _Time:
    """ "the 31th", "the 3th of last month"."""
    day, which = int(m["d"]), m.get("which")
    months = [now.month - back for back in ((which == "last",) if which else range(12))]
    return _Time(_dates(months, day, day, now, months[0].title), "" if which else "month")


def _week(m: dict[str, str], now: Now) -> _Time:
    number, last, said = int(m["n"]), int(m.get("last", m["n"])), now.year(m.get("y"))
    for year in (said,) if said else (now.today.year, now.today.year - 1):
        with suppress(ValueError):
            monday, end = (date.fromisocalendar(year, week, 1) for week in (number, last))
            if (said or monday <= now.today) and monday <= end:
                return _Time(Days(monday, end + 7 * DAY))
    raise _Unclear(f"There is no week {last}.")


def _part_of_year(m: dict[str, str], now: Now) -> _Time:
    """ "q3", "the 2th half of y2024", "the last two months of the year"."""
    unit = {"q": "quarter", "h": "half"}.get(m["unit"], m["unit"])
    size, year = _SIZES[unit] * int(m.get("k", 1)), now.year(m.get("y"))
    number = 12 // size if m["n"] in ("last", "final") else int(m["n"].removesuffix("th"))
    if not (size <= 12 and 1 <= number <= 12 // size):
        raise _Unclear(_NONE.get(unit, f"There is no month {year or now.today.year}-{number:02}."))
    last = now.latest(number * size, f"y{year or now.today.year}")
    if year is None and last - (size - 1) > now.month:
        last -= 12
    return _Time(_months(last - (size - 1), last), "year" if year is None else "")


def _month(m: dict[str, str], now: Now) -> _Time:
    which, year = m.get("which"), m.get("y")
    month = now.latest(int(m["m"]), year)
    if not year and ((which == "last" and month == now.month) or which == "next"):
        month += 12 if which == "next" else -12
    return _Time(_months(month), "" if year or which == "next" else "year")


def _count(m: dict[str, str], now: Now) -> _Time:
    """The last so many whole units; of days, and of weeks that are not said to be whole, up to and with today.

    "The past year", "the last 2 years", and "since 3 weeks", as Germans say it, are from the same day so long ago.
    """
    unit, many = m["unit"], 3 if m.get("k") == "few" else int(m.get("k", 1))
    if unit == "hour":
        unit, many = "day", -(-many // 24) + 1
    size, days = _SIZES.get(unit, 0), many * {"week": 7, "weekend": 7, "sprint": 14}.get(unit, 1)
    if not 1 <= many * max(size, 1) <= (MOST_MONTHS if size else 1_000):
        raise _Unclear(f"{many} {unit}s are more than can be told at once: ask for 1 to {MOST_MONTHS} months.")
    said = TAKEN if m.get("k") == "few" else ""
    which = m.get("which")
    if which == "next":
        return _Time(now.off(unit, 1))
    if which == "since" or (which == "past" and size) or (unit == "year" and many > 1 and "whole" not in m):
        month = now.month - many * size
        day = min(now.today.day, monthrange(month.year, month.number)[1])
        first = date(month.year, month.number, day) if size else now.today - days * DAY
        return _Time(Days(first, now.today + DAY))
    if unit == "day" or (unit == "week" and "whole" not in m):
        return _Time(Days(now.today - (days - 1) * DAY, now.today + DAY), said=said)
    return _Time(Days(now.off(unit, -many).first, now.unit(unit).first), said=said)


def _near(m: dict[str, str], now: Now) -> _Time:
    """ "last week", "3 weeks ago": of today. "Previous" and "next" go on from what the thread is about."""
    which, many = m.get("which", ""), m.get("k", "")
    unit = m["before"].split()[-2] if "again" in m else m.get("unit", "day")  # "this month and last"
    steps = -int({"few": "3", "a": "1", "an": "1"}.get(many, many)) if many else _STEPS.get(which, 0)
    days = now.off(unit, steps, now.about if which in ("previous", "next") else None)
    if unit == "weekend" and not (which or many) and days.first > now.today:  # "over the weekend"
        days = now.off(unit, -1)
    return _Time(days, said=TAKEN if many == "few" or (unit == "day" and "unit" not in m) else "")


def _step(m: dict[str, str], now: Now) -> _Time:
    """ "Two months earlier": told once it is known what from."""
    many = int(m["k"]) if m.get("k", "").isdigit() else 1
    later = m.get("way") in ("after", "later")
    return _Time(now.unit(m.get("n", "month")), step=(m["unit"].replace("1", "same"), many if later else -many))


def _season(m: dict[str, str], now: Now) -> _Time:
    which, year = m.get("which"), m.get("y")
    first = now.latest(_SEASONS[m["season"]], year)
    if not year and (which == "next" or (which == "last" and first + 2 >= now.month)):
        first += 12 if which == "next" else -12
    days = _months(first, first + 2)
    return _Time(days, "" if year else "year", TAKEN)


def _weekday(m: dict[str, str], now: Now) -> _Time:
    """The latest such day before today; that of a week, where one is said."""
    number, which = int(m["n"]), m.get("week") or m.get("which", "")
    if "week" in m or which in ("this", "next"):
        return _Time(now.unit("day", now.off("week", _STEPS.get(which, 0)).first + (number - 1) * DAY))
    return _Time(now.unit("day", now.today - ((now.today.isoweekday() - number - 1) % 7 + 1) * DAY), "week")


def _year(m: dict[str, str], now: Now) -> _Time | None:
    beside = (*m["before"].split()[-1:], *m["behind"].split()[:1])
    idle = _LISTS["leads"] | _LISTS["behind a month"]
    if len(beside) == 2 and all((word.isalpha() or word == "?") and word not in idle for word in beside):
        return None  # "C++ 2023 support"
    return _Time(_months(now.latest(1, m["y"]), now.latest(12, m["y"])))


def _lately(m: dict[str, str], now: Now) -> _Time | None:
    if "busy" in m and _LISTS["busy"].isdisjoint(m["before"].split() + m["behind"].split()):
        return None  # "merge it right now"
    many = KNOWN_DAYS if _LISTS["know"].intersection(m["before"].split()) else LATELY_DAYS
    days = Days(now.today - (many - 1) * DAY, now.today + DAY)
    return _Time(days, said=f"the last {many} days", how="lately")


_READINGS: Mapping[str, Callable[[dict[str, str], Now], _Time | None]] = {
    "date": _date, "day": _day, "week": _week, "part": _part_of_year, "month": _month, "count": _count,
    "near": _near, "step": _step, "season": _season, "weekday": _weekday, "year": _year,
    "lately": _lately, "unread": lambda _, __: None,
}  # fmt: skip
_DATA: dict[str, Any] = json.loads(files("bot.ask").joinpath("times.json").read_text("utf-8"))
_WORDS, _SHORT = (
    {unaccented(word): meaning for meaning, words in _DATA[table].items() for word in words.split()}
    for table in ("words", "short days")
)
_LISTS = {name: frozenset(words.split()) for name, words in _DATA["lists"].items()}


def _filled(pattern: str) -> str:
    for name, macro in _DATA["macros"].items():
        pattern = pattern.replace(f"{{{name}}}", macro)
    return rf"(?<!\S)(?:{pattern})(?!\S)"


# Tried in this order; what one has taken, the next ones do not see.
_ROWS = tuple((_READINGS.get(said, said), re.compile(_filled(pattern))) for said, pattern in _DATA["rows"])
_FIGURES, _DAYS = (
    tuple((re.compile(pattern), said) for pattern, said in _DATA[table]) for table in ("figures", "days in figures")
)
_BESIDE = re.compile(_filled(_DATA["beside"]) + " $")
_LEAD = re.compile(rf"(?<!\S){_DATA['lead']}$")
_ONWARDS = re.compile(_filled(_DATA["onwards"]))
_SIGNS = {sign: said for said, signs in {",": ",", "-": "-–—~", "/": "/", ":": ":;()"}.items() for sign in signs}
_MONTH_FIRST = re.compile(
    r"(?:0?[1-9]|1[0-2])([/-])(?:1[3-9]|[23]\d)(?:\1\d+)?(?:[-–].+)?|.+[-–]\d\d?/(?:1[3-9]|[23]\d)"
)
TIME_WORDS = frozenset(_WORDS) | {
    f"{unit}{s}" for unit in (*_SIZES, "day", "week", "weekend", "sprint") for s in ("", "s")
}
_ENGLISH = frozenset(name[:length].lower() for name in NAMES for length in (3, len(name))) | {"sept"}


def month_number(word: str) -> int | None:
    """Which month a word is, however it is accented and in whatever case; None where it is none."""
    meant = _WORDS.get(unaccented(word.casefold()), "")
    return int(meant[1:]) if re.fullmatch(r"m\d+", meant) else None


class _Text:
    """The words in the language of the rows: `tokens`, and of which word each is. A sign between words is a token too.

    What another pass has taken, and the `names`, are "¤".
    """

    def __init__(self, words: Sequence[Word], names: Container[int]) -> None:
        self.words, self.names = words, names
        self.tokens, self.owners = list[str](), list[int]()
        self.days_in_figures = any(map(self._is_day, range(len(words))))
        month_first = any(_MONTH_FIRST.fullmatch(word.low) for word in words)
        for number, word in enumerate(words):
            sign = next((_SIGNS[sign] for sign in word.before if sign in _SIGNS), "-" if word.before == ".." else "")
            is_of_day = self.low(number - 1)[-1:].isdigit() and month_number(word.low)  # "15. März" is one sentence
            sign = "." if number and word.sentence != words[number - 1].sentence and not is_of_day else sign
            said = "¤" if word.taken or number in names else self._meant(number, word.low)
            if month_first:
                said = re.sub(r"(\d+) m(\d+)((?: y\d+)?) ~", r"\2 m\1\3", said)
            if number and sign:
                self.tokens, self.owners = [*self.tokens, sign], [*self.owners, -1]
            self.tokens += said.split()
            self.owners += [number] * len(said.split())
        for at, said in enumerate(self.tokens):  # "the past three months" roll, "past 10 days" do as the last ones
            units = {each.rstrip("s") for each in self.tokens[at + 1 : at + 4]}
            if said == "past" and units.isdisjoint((*_SIZES, "week")):
                self.tokens[at] = "last"
            elif said == "last" and self.tokens[at + 1 : at + 2] == ["year"]:  # "over the last year" is up to now
                self.tokens[at] = "last" if _UP_TO_NOW.isdisjoint(self.tokens[max(at - 2, 0) : at]) else "past"
        self.line = " ".join(self.tokens)
        self.starts = [0, *accumulate(len(token) + 1 for token in self.tokens)]

    def cuts(self, at: int) -> bool:
        """Whether a word goes on here, and is no range or part of a time ("8/1-8/15", "mid-august")."""
        is_inside = 0 < at < len(self.owners) and self.owners[at - 1] == self.owners[at]
        return is_inside and {"-", "/", *_VAGUE}.isdisjoint(self.tokens[at - 1 : at + 1])

    def low(self, number: int) -> str:
        return self.words[number].low if 0 <= number < len(self.words) else ""

    def next(self, number: int) -> str:
        """The word behind one, "" where there is a sign between, but for a number: "May, 2024"."""
        behind = self.low(number + 1)
        has_sign = behind and not behind[0].isdigit() and not {*",:;()"}.isdisjoint(self.words[number + 1].before)
        return "" if has_sign else behind

    def _meant(self, number: int, low: str) -> str:
        """One word in the language of the rows."""
        before, behind = self.low(number - 1), self.next(number)
        if meant := _WORDS.get(unaccented(low)):
            return low if re.fullmatch(r"m\d+", meant) and not self._is_month(number, low) else str(meant)
        is_plain = behind.isalpha() and not (
            behind in _LISTS["leads"] | _LISTS["behind a month"] or month_number(behind)
        )
        if low in _SHORT and not is_plain and (before in _LISTS["leads"] or not number or behind[:1].isdigit()):
            return str(_SHORT[low])
        if re.fullmatch(r"[mdy]\d+", low):
            return "?"  # "the M1 chip"
        if low.isascii() and any(map(str.isdigit, low)):
            if re.fullmatch(r"\d\d", low) and not self.words[number].before and month_number(before):
                return f"y20{low}"  # "aug25"
            if re.fullmatch(r"\d\d? \d\d?[/.]\d{4}", f"{low} {behind}") and self.words[number + 1].before == "-":
                return f"m{int(low)}"  # "06-08/2025"
        if any(map(str.isdigit, low)) or "-" in low:
            low = re.sub(
                r"[^\W\d_]{3,}",
                lambda part: _WORDS.get(unaccented(part[0]), "") if month_number(part[0]) else part[0],
                low,
            )
            table = (*_FIGURES, *(_DAYS if self.days_in_figures else ()))
            low = next((match.expand(to) for pattern, to in table if (match := pattern.fullmatch(low))), low)
        if not low.isascii():
            for written, said in _DATA["parts of words"].items():
                low = low.replace(written, f" {said} ")
            for signs, said in (("年년", " y"), ("月월", " m"), ("日일", " ")):
                low = re.sub(rf"(\d+)\s?[{signs}]", rf"{said}\1 ", low)
            if found := re.findall(r"y\d{4}|m\d{1,2}|-|\d+ day ago|(?:last|this) \w+|\b\d{1,2}(?= )", low):
                return " ".join(found)
        return low if re.fullmatch(r"[\w'’~/ -]+", low) else "?"

    def _is_day(self, number: int) -> bool:
        """Whether "20.07" or "8/25" is surely a day, by what is beside it: 3/4 may be a part, 3.10 a version."""
        low, before = self.low(number), self.low(number - 1)
        if re.fullmatch(r"\d\d?/\d\d?", low):
            return before in _LISTS["before days"]
        if not re.fullmatch(r"\d\d?\.(?:0?[1-9]|1[0-2])", low):
            return False
        behind = self.words[number + 1] if number + 1 < len(self.words) else None
        is_dotted = behind and behind.before.startswith(".")  # "20.07. …"
        is_inside = behind and (behind.sentence == self.words[number].sentence or low[-2] in "01")
        is_surely = re.search(r"\.0|^(?:1[3-9]|[23]\d)\.", low) and before in ("on", "am", "vom")  # 3.10 is a version
        return bool(is_surely or (is_dotted and is_inside))

    def _is_month(self, number: int, low: str) -> bool:
        """Whether a word that is a month's name is one here: "may", "march" and "an august team" often are not."""
        before, behind, after = self.low(number - 1), self.next(number), self.low(number + 2)
        is_of_month = behind in _LISTS["behind a month"]
        if low == "august" and before in ("an", "such", "most", "so", "very"):
            return not behind or is_of_month or behind[0].isdigit()
        is_english = low in _ENGLISH
        is_doubtful = low in ("mar", "march", "may") if is_english else len(low) < 7
        if len(low) == 3 and before == "on" and behind.isalpha() and not is_of_month:
            return behind in _LISTS["leads"]  # "on dec parsing"
        if not is_doubtful or len(self.words) == 1 or before[:1].isdigit() or re.match(r"'?\d", behind):
            return True
        is_to = behind in ("through", "to") and bool(month_number(after) or after[:1].isdigit())
        if behind in _LISTS["not before a month"] and not is_to and before not in ("in", "during"):
            return False
        if before == "the":
            is_of_month = is_of_month and self.low(0) != "who"
            return is_of_month or (behind == "release" and self.low(number - 2) in _LISTS["releases"])
        if number and (self.words[number - 1].is_owner or number - 1 in self.names or month_number(before)):
            return True
        if before in _LISTS["leads"]:
            return before != "to" or any(month_number(word.low) for word in self.words[:number])
        if not is_english or (not behind and before in ("will", "who", "it", "that", "you", "i", "we")):
            return behind.startswith("ayı")
        return not behind or (number == 0 and is_of_month) or behind in ("digest", "release", "for")


def find_times(words: Sequence[Word], now: Now, names: Container[int] = ()) -> list[TimeFound]:
    """The times that are named, in their order; `names` are the numbers of words that are people ("May", "June").

    What another pass has taken is none. A time that there is none of, or that has not begun, is found with why.
    """
    text = _Text(words, names)
    times = _opened(text, _joined(text, _leant(text, _alone(text, now), now), now), now)
    return [_found(text, time, now) for time in times]


def time_alone(text: str, today: date, sprint: tuple[date, int] | None = None) -> Days | None:
    """The time that a text is, None where it says something else, or more. Raises ValueError, with a sentence, where
    there is none such."""
    words = split_words(cleaned(text[:200]))
    found = find_times(words, Now(today, sprint=sprint))
    rest = {word.low for n, word in enumerate(words) if not any(one.first <= n < one.end for one in found)}
    if len(found) != 1 or not rest <= _LISTS["leads"] | {"the", "please"}:
        return None
    if found[0].unclear:
        raise ValueError(found[0].unclear)
    return found[0].days


def two_ends(one: Days, other: Days) -> tuple[Days, Days]:
    """Two times that are compared, the earlier first: "September with last year" are two Septembers."""
    for long, short in ((one, other), (other, one)):
        if _unit_of(long) == "year" and short.month and long.first.year != short.first.year:
            one, other = Days.of(Month(long.first.year, short.month.number)), short
    first, last = sorted((one, other))
    return first, last


def _alone(text: _Text, now: Now) -> list[_Time]:
    """What is a time by itself, at its place: the first row that reads it."""
    found: list[_Time] = []
    taken = bytearray(len(text.line) + 1)
    for reading, pattern in _ROWS:
        if reading is _lately and found:
            break
        for match in pattern.finditer(text.line):
            start, stop = bisect_right(text.starts, match.start()) - 1, bisect_right(text.starts, match.end() - 1)
            if (
                len(found) >= MOST_TIMES
                or any(taken[match.start() : match.end()])
                or text.cuts(start)
                or text.cuts(stop)
            ):
                continue
            said = {name.rstrip("23"): group for name, group in match.groupdict().items() if group is not None}
            said |= {"before": text.line[: match.start()], "behind": text.line[match.end() :]}
            taken[match.start() : match.end()] = b"\1" * len(match[0])
            try:
                if isinstance(reading, str):  # why it cannot be read
                    raise _Unclear(reading.format(**said))
                time = reading(said, now)
            except _Unclear as unclear:
                time = _Time(now.unit("day"), unclear=str(unclear))
            if time:
                found.append(replace(time, start=start, stop=stop))
    return sorted(found, key=lambda time: time.start)


def _leant(text: _Text, times: Sequence[_Time], now: Now) -> list[_Time]:
    """Those that lean on another told from that: the time said before, the thread's, the one that stands behind."""
    found: list[_Time] = []
    for time in times:
        try:
            if time.step:
                unit, steps = time.step
                is_near = found and "." not in text.tokens[found[-1].stop : time.start]
                base = found[-1].days if is_near else now.about
                unit = (_unit_of(base) if base else "month") if unit == "same" else unit
                if unit == "year" and (whole := (base or time.days).months):
                    _check(whole.first.year + steps)
                    # "In 2026" ends with the present month: the year before is whole.
                    is_begun = whole.first.number == 1 and whole.last == now.month
                    last = whole.first + 11 if is_begun else whole.last
                    time = replace(time, days=_months(whole.first + 12 * steps, last + 12 * steps))
                else:
                    time = replace(time, days=now.off(unit, steps, base))
            elif not time.unclear:
                before = " ".join((*text.tokens[max(0, time.start - 6) : time.start], ""))
                match = _BESIDE.search(before)
                if match and (match["n"] or match["way"] in ("before", "after")):
                    start = time.start - match[0].count(" ")
                    found = [one for one in found if one.stop <= start]  # "last week" in "the last week of october"
                    time = replace(time, days=_beside(match, time.days), start=start, floats="")
        except _Unclear as unclear:
            time = replace(time, unclear=str(unclear))
        found.append(time)
    return found


def _beside(match: re.Match[str], days: Days) -> Days:
    """What a match of `_BESIDE` is of the days behind it: a week is any seven of them, a month one of the calendar."""
    n, many, unit, way, whole = match["n"] or "1th", int(match["k"] or 1), match["unit"], match["way"], days.months
    if (match["s"] and not match["k"]) or (unit == "month" and not whole):
        raise _Unclear(f"I cannot tell which {unit}s those are: say the first and the last day.")
    if unit == "half" and days.month:
        middle = days.first + (14 if days.month.number == 2 else 15) * DAY
        return Days(days.first, middle) if n == "1th" else Days(middle, days.end)
    size = many * {"day": 1, "week": 7, "half": -(-(days.end - days.first).days // 2)}.get(unit, 0)
    number = 1 if n in ("last", "final") else int(n[:-2])
    base, steps = {"before": (days.first, -number), "after": (days.end, number - 1)}.get(
        way, (days.first, number - 1) if n[0].isdigit() else (days.end, -1))  # fmt: skip

    def at(steps: int) -> date:
        return base + steps * size * DAY if size else (Month(base.year, base.month) + steps * many).first

    first, end = at(steps), at(steps + 1)
    if way in ("before", "after"):
        return Days(first, end)
    if min(end, days.end) <= max(first, days.first):
        raise _Unclear(f"{days.title} has no such {unit}.")
    return Days(max(first, days.first), min(end, days.end))


def _unit_of(days: Days) -> str:
    if days.months:
        many = len(list(days.months))
        return "year" if many >= 12 else "quarter" if many == 3 else "month"
    return {1: "day", 14: "sprint"}.get((days.end - days.first).days, "week")


def _joined(text: _Text, times: Sequence[_Time], now: Now) -> list[_Time]:
    """The times with what belongs to them before them, ranges and lists put together."""
    found: list[_Time] = []
    compares = not _LISTS["compare"].isdisjoint(text.tokens)
    for time in times:
        floor = found[-1].stop if found else 0
        placed = time if time.how else _before(text.tokens, time, floor)
        if not placed:
            continue
        last, how, start = found[-1] if found else None, placed.how, placed.start
        link = {*text.tokens[floor:start], *({how} & {"until"})}
        if last and link and how in ("", "until") and not (time.unclear or last.unclear):
            is_range = bool(link & {"-", "to", "until"}) and link <= {"-", "to", "until", "up", "and", "including"}
            is_range &= not (compares and link == {"to"} and last.how not in ("from", "between", "since"))
            if is_range or (last.how == "between" and link == {"and"}):
                found[-1] = _range(last, placed, now)
                continue
            if link <= {",", "and", "or", "/", "to"} | _LISTS["compare"]:
                found[-1] = _list(last, placed, now)
                continue
        found.append(placed)
    return found


def _before(tokens: Sequence[str], time: _Time, floor: int) -> _Time | None:
    """The time with what belongs to it before it; None where an open or a closed end belongs to something else."""
    match = _LEAD.search(" ".join((*tokens[floor : time.start], "")))
    if not match:
        return time
    start, how, part = time.start - match[0].count(" "), match["how"] or "", match["part"] or ""
    said = TAKEN if match["around"] else time.said
    if how == "up to" and not _LISTS["be"].isdisjoint(tokens):
        start, how = start + 2, ""
    how = {"up to": "until", "by": "until"}.get(how, how.removeprefix("ever "))
    for at in range(start - 2, max(floor, start - 6) - 1, -1) if not how else ():
        between = tokens[at + 1 : start]
        if tokens[at] not in ("since", "after", "until", "before") or not all(
            word.isalpha() or word == "¤" for word in between
        ):
            continue
        # "Since my holiday on 4 July" is since then; "after the release in July" may be any day of it.
        is_event = tokens[at] == "since" or (between[0] in _LISTS["own"] and not time.days.months)
        if not (match["in"] and is_event):
            return None
        return replace(time, start=at, how=tokens[at], part=part, said=TAKEN)
    return replace(time, start=start, how=how, part=part, said=said)


def _range(one: _Time, other: _Time, now: Now) -> _Time:
    """From the one to the other. What floats is put where the range runs forwards, and has begun."""
    a, b = _fitted(one, other, now)
    first, last = (_third(days, time.part) or days for days, time in ((a, one), (b, other)))
    if a.months and b == now.unit("day"):
        last = Days.of(now.month)  # "from june until today"
    said = TAKEN if {one.part, other.part} & _VAGUE else one.said or other.said
    is_within = first.first <= last.first and last.end <= first.end  # "this year until april"
    days = Days(min(first.first, last.first), last.end if is_within else max(first.end, last.end))
    return replace(one, days=days, stop=other.stop, floats="", part="", how="from", said=said)


def _fitted(one: _Time, other: _Time, now: Now) -> tuple[Days, Days]:
    """Both ends of a range: the one that floats takes the year, the month or the week of the other."""
    a, b = one.days, other.days
    if one.floats and not other.floats:
        a = max((days for days in _shifted(a, one.floats) if days.first <= b.first), default=a)
    elif other.floats:
        b = min((days for days in _shifted(b, other.floats) if days.first >= a.first), default=b)
        if one.floats == other.floats and b.first > now.today:  # both the last time that they were
            b = max(days for days in _shifted(b, other.floats) if days.first <= now.today)
            a = max(days for days in _shifted(a, one.floats) if days.first <= b.first)
    return a, b


def _shifted(days: Days, floats: str) -> Iterator[Days]:
    """The same days of other years, months or weeks."""
    months, length = days.months, days.end - days.first
    for cycles in range(-60, 3):
        many = (12 if floats == "year" else 1) * cycles
        with suppress(ValueError):  # there is no such day in that month
            month = Month(days.first.year, days.first.month) + many
            if floats == "week":
                yield Days(days.first + 7 * cycles * DAY, days.end + 7 * cycles * DAY)
            elif months:
                yield _months(month, months.last + many)
            else:
                first = date(month.year, month.number, days.first.day)
                yield Days(first, first + length)


def _list(one: _Time, other: _Time, now: Now) -> _Time:
    """Both of them, side by side."""
    a, b = one.days, other.days
    is_alike = _unit_of(a) == _unit_of(b) and (a.first.month, a.first.day) != (b.first.month, b.first.day)
    if one.floats == "year" and not other.floats and is_alike:
        a = _fitted(one, other, now)[0]  # "june and july 2024"
    if a == b and (months := b.months):
        b = _months(months.first - 12, months.last - 12)  # "my october with last october"
    return replace(one, days=Days(min(a.first, b.first), max(a.end, b.end)), ends=None if one.ends else two_ends(a, b),
                   stop=other.stop, said=one.said or other.said, floats=one.floats and other.floats)  # fmt: skip


def _third(days: Days, part: str) -> Days | None:
    """The third of a year in months, of a month in days, that is its early, mid or late part."""
    which, whole = _PARTS.get(part, 0), days.months
    if part and whole and len(list(whole)) == 12:
        return _months(whole.first + 4 * which, whole.first + (4 * which + 3))
    if part and days.month:
        begins = days.first + 10 * which * DAY
        return Days(begins, days.end if which == 2 else begins + 10 * DAY)
    return None


def _opened(text: _Text, times: Sequence[_Time], now: Now) -> Iterator[_Time]:
    """The times that lead until today, or begin with their year: "since june", "june onwards", "until august"."""
    ends = [*(time.start for time in times[1:]), len(text.tokens)]
    for time, end in zip(times, ends, strict=False):
        days, how, part, before = time.days, time.how, time.part, text.tokens[max(0, time.start - 1) : time.start]
        if not _LISTS["refuse a time"].isdisjoint(before):
            continue
        onwards = _ONWARDS.match(" ".join(text.tokens[time.stop : min(end, time.stop + 3)]))
        time = replace(time, stop=time.stop + (len(onwards[0].split()) if onwards else 0))
        third, is_months = _third(days, part) or days, days.months is not None
        said = TAKEN if part in _VAGUE else time.said
        if time.unclear:
            pass
        elif how in ("since", "starting", "beginning") or (onwards and onwards[0] != "so far"):
            first = days.end if part == "end" else third.first
            time = replace(time, days=now.since(first, is_months=is_months and first.day == 1), said=said, ends=None)
        elif how == "after":
            time = replace(time, days=now.since(days.end, is_months=is_months), ends=None)
        elif how in ("until", "before"):
            is_before = how == "before" if not part else part in ("start", "beginning")
            last = third.first if is_before else third.end
            time = replace(time, days=Days(date((last - DAY).year, 1, 1), last), said=TAKEN, ends=None)
        elif part:
            time = replace(time, days=third if _unit_of(days) == "year" else days, said=TAKEN)
        yield time


def _found(text: _Text, time: _Time, now: Now) -> TimeFound:
    """The time as the asker gets it: of months, those until this one. One that has not begun is unclear."""
    first, end = text.owners[time.start], text.owners[time.stop - 1] + 1
    all_days = [
        _months(months.first, now.month)
        if (months := days.months) and months.first <= now.month < months.last else days
        for days in (time.days, *(time.ends or ()))
    ]  # fmt: skip
    future = next((f"{days.title} has not begun yet." for days in reversed(all_days) if days.first > now.today), "")
    if time.unclear or future:
        return TimeFound(first, end, unclear=time.unclear or future)
    said = all_days[0].title if time.said == TAKEN else time.said
    typed = " ".join(word.raw for word in text.words[first:end])
    ends = (all_days[1], all_days[2]) if time.ends else None
    return TimeFound(first, end, all_days[0], ends, (f"{typed}: {said}",) if said else ())
