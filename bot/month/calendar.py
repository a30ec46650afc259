"""Days, months, ranges of them and time zones. Nothing else in Almanac computes a boundary."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import MINYEAR, UTC, date, datetime, timedelta
from functools import lru_cache
from typing import ClassVar, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.wording import listed

NAMES = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip

LAST_DAY = date(9998, 12, 31)  # that is told of
Cadence = Literal["weekly", "monthly", "quarterly"]  # how often digests of a period are posted
_PERIOD = re.compile(r"(\d{4})-([WQ]?)(\d{1,2})", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def time_zone(name: object) -> ZoneInfo:
    """Raises ValueError."""
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is no time zone; use a name such as Europe/Berlin or UTC") from None


@dataclass(frozen=True, order=True, slots=True)
class _WholeDays:
    """Whole days: from `first` up to `end`, which is not in it."""

    first: date
    end: date

    def __post_init__(self) -> None:
        if self.end <= self.first:
            raise ValueError(f"{self.first} is not before {self.end}")

    @property
    def last(self) -> date:
        """The last day that is in it."""
        return self.end - timedelta(days=1)

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """The days as a half-open range of UTC datetimes, midnight to midnight in `zone`.

        Where a clock shows midnight twice, the first one counts. The first day of all begins with time itself.
        """
        return _start(self.first, zone), _start(self.end, zone)

    def is_over(self, now: datetime, zone: ZoneInfo) -> bool:
        return _start(self.end, zone) <= now

    def today(self, now: datetime, zone: ZoneInfo) -> date | None:
        """The present day in `zone`, as long as the days are not over."""
        return None if self.is_over(now, zone) else now.astimezone(zone).date()

    @property
    def months(self) -> MonthRange | None:
        """The first and the last month of it; None where it is not whole ones."""
        is_whole = self.first.day == self.end.day == 1
        return MonthRange(Month.holding(self.first), Month.holding(self.last)) if is_whole else None

    @property
    def ends(self) -> tuple[str, str]:
        """Both ends as written, the last of them in it: months where it is whole months, else days."""
        if months := self.months:
            return str(months.first), str(months.last)
        return str(self.first), str(self.last)

    @property
    def title(self) -> str:
        first, last = self.first, self.last
        ends = [[str(one.day), NAMES[one.month - 1], str(one.year)] for one in (first, last)]
        if self.months:
            ends = [one[1:] for one in ends]
        elif first.year == last.year:
            ends[0] = ends[0][: 1 if first.month == last.month else 2]
        until = " ".join(ends[1])
        return until if ends[0] == ends[1] or first == last else f"{' '.join(ends[0])} to {until}"


class Period(_WholeDays):
    """A part of a year, of which digests are posted: so many whole months, numbered from 1 on, up to the year 9998."""

    __slots__ = ()
    in_year: ClassVar[int]
    noun: ClassVar[str]
    cadence: ClassVar[Cadence]
    form: ClassVar[str]  # of year and number, as written
    last_day: ClassVar[int] = 31  # the highest number of a day on which one is told

    def __init__(self, year: int, number: int) -> None:
        if not (1 <= number <= self.in_year and 1 <= year <= LAST_DAY.year):
            raise ValueError(f"there is no {self.noun} {self.form.format(year, number)}")
        super().__init__(*self._days(year, number))

    @classmethod
    def _days(cls, year: int, number: int) -> tuple[date, date]:
        size = 12 // cls.in_year
        first = size * (number - 1) + 1
        return date(year, first, 1), date(year + number // cls.in_year, (first + size - 1) % 12 + 1, 1)

    @classmethod
    def _numbered(cls, day: date) -> tuple[int, int]:
        """The year and the number of the one that holds a day."""
        return day.year, (day.month - 1) * cls.in_year // 12 + 1

    @property
    def year(self) -> int:
        return self._numbered(self.first)[0]

    @property
    def number(self) -> int:
        return self._numbered(self.first)[1]

    @classmethod
    def holding(cls, day: date) -> Self:
        return cls(*cls._numbered(day))

    @classmethod
    def of(cls, instant: datetime, zone: ZoneInfo) -> Self:
        """The one that an aware datetime falls into, for somebody in `zone`: the one whose bounds hold it.

        What lies before the first one or behind the last one counts to those.
        """
        try:
            day = min(instant.astimezone(zone).date(), LAST_DAY)
        except OverflowError:
            day = date.min if instant.year == MINYEAR else LAST_DAY
        part = cls.holding(day)
        # Clocks that are set back over midnight show the old day again; the new one has begun all the same.
        return part + 1 if part.end <= LAST_DAY and instant >= part.bounds(zone)[1] else part

    def __add__(self, parts: int) -> Self:
        ordinal = self.year * self.in_year + self.number - 1 + parts
        return type(self)(ordinal // self.in_year, ordinal % self.in_year + 1)

    def __sub__(self, parts: int) -> Self:
        return self + -parts

    def due_day(self, day: int) -> date:
        """Of the month that follows the day with a number, the last of a shorter one."""
        return self.end.replace(day=min(day, monthrange(self.end.year, self.end.month)[1]))

    def __str__(self) -> str:
        return self.form.format(self.year, self.number)


class Month(Period):
    """A calendar month, from 0001-01 to 9998-12. `str()` gives "2025-10", `title` "October 2025"."""

    __slots__ = ()
    in_year, noun, cadence, form = 12, "month", "monthly", "{:04}-{:02}"

    @classmethod
    def parse(cls, text: str) -> Month:
        """The month written as "2025-10". Raises ValueError for anything else."""
        if not isinstance(month := parse_period(text), Month):
            raise ValueError(f"{text!r} is not a month such as 2025-10")
        return month


FIRST, LAST = Month(1, 1), Month(9998, 12)


@dataclass(frozen=True, slots=True)
class MonthRange:
    """The months from `first` to `last`, both of them in it."""

    first: Month
    last: Month

    def __iter__(self) -> Iterator[Month]:
        month = self.first
        while month <= self.last:
            yield month
            month += 1


class Week(Period):
    """A calendar week from Monday to Sunday, by ISO 8601. `str()` gives "2025-W41"."""

    __slots__ = ()
    in_year, noun, cadence, form, last_day = 53, "week", "weekly", "{:04}-W{:02}", 7

    @classmethod
    def _days(cls, year: int, number: int) -> tuple[date, date]:
        first = date.fromisocalendar(year, number, 1)  # raises ValueError where a year has no 53rd
        return first, first + timedelta(weeks=1)

    @classmethod
    def _numbered(cls, day: date) -> tuple[int, int]:
        return day.isocalendar()[:2]

    @property
    def title(self) -> str:
        return f"the week of {Days(self.first, self.first + timedelta(days=1)).title}"

    def due_day(self, day: int) -> date:
        """Of the week that follows the day with a number, from 1, Monday."""
        return self.end + timedelta(days=day - 1)

    def __add__(self, weeks: int) -> Week:  # some years have 53
        return self.holding(self.first + timedelta(weeks=weeks))


class Quarter(Period):
    """Three calendar months. `str()` gives "2025-Q3"."""

    __slots__ = ()
    in_year, noun, cadence, form = 4, "quarter", "quarterly", "{:04}-Q{}"

    @property
    def title(self) -> str:
        return f"the {('first', 'second', 'third', 'fourth')[self.number - 1]} quarter of {self.year}"


class Days(_WholeDays):
    """Any whole days. `str()` gives "2025-08", "2025-08-14" or "2025-08-10..2025-08-16"."""

    __slots__ = ()
    cadence: ClassVar[None] = None  # no digest is posted of them

    @classmethod
    def of(cls, first: AnyPeriod, last: AnyPeriod | None = None) -> Days:
        """The days of a month, a week or a quarter; of days, the same; of two, from the first to the last."""
        return cls(first.first, (last or first).end)

    @classmethod
    def parse(cls, first: str, last: str) -> Days:
        """From two ends, both in it, each a month such as "2025-08" or a day such as "2025-08-14".

        Raises ValueError for anything else.
        """
        begins, ends = (_day(one) if _DAY.fullmatch(one) else Month.parse(one) for one in (first, last))
        return cls(begins.first, ends.end)

    @property
    def month(self) -> Month | None:
        """The month that it is; None where it is more, less or another time."""
        return months.first if (months := self.months) and months.first == months.last else None

    @property
    def noun(self) -> str:
        return "day" if self.last == self.first else "period"

    def __str__(self) -> str:
        first, last = self.ends
        return first if first == last else f"{first}..{last}"


CADENCES: Mapping[Cadence, type[Period]] = {kind.cadence: kind for kind in (Week, Month, Quarter)}
OF_A_DIGEST = listed([kind.noun for kind in CADENCES.values()], "or")  # "week, month or quarter"
AnyPeriod = Period | Days  # that can be treated as one


def parse_period(text: str) -> Period:
    """The period written as "2025-10", "2025-W41" or "2025-Q3". Raises ValueError for anything else."""
    written = _PERIOD.fullmatch(text)
    kinds: Mapping[str, type[Period]] = {"W": Week, "Q": Quarter}
    kind = kinds.get(written[2], Month) if written else Month
    if not written or kind.form.format(int(written[1]), int(written[3])) != text:
        raise ValueError(f"{text!r} is not a month such as 2025-10")
    return kind(int(written[1]), int(written[3]))


def parse_any_period(text: str) -> AnyPeriod:
    """The same, or days written as "2025-10-14" or "2025-10-14..2025-10-20"."""
    first, _, last = text.partition("..")
    return Days.parse(first, last or first) if last or _DAY.fullmatch(first) else parse_period(text)


def _day(text: str) -> Days:
    day = date.fromisoformat(text)
    return Days(day, day + timedelta(days=1))


@lru_cache(maxsize=256)  # the facts of each person of a month ask for the same two
def _start(day: date, zone: ZoneInfo) -> datetime:
    """The instant at which a day begins in a zone, in UTC; the first of all begins with time itself."""
    if day == date.min:
        return datetime.min.replace(tzinfo=UTC)
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
