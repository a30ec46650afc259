"""Months, ranges of months and time zones. Nothing else in Almanac computes a boundary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MINYEAR, UTC, date, datetime, timedelta
from typing import ClassVar
from zoneinfo import ZoneInfo

NAMES = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_WRITTEN = re.compile(r"(\d{4})-(\d{2})", re.ASCII)


@dataclass(frozen=True, order=True, slots=True)
class Month:
    """A calendar month, from 0001-01 to 9998-12. `str()` gives "2025-10", `title` "October 2025"."""

    year: int
    number: int
    noun: ClassVar[str] = "month"

    def __post_init__(self) -> None:
        if not (1 <= self.number <= 12 and 1 <= self.year <= 9998):
            raise ValueError(f"there is no month {self.year:04}-{self.number:02}")

    @classmethod
    def parse(cls, text: str) -> Month:
        """The month written as "2025-10". Raises ValueError for anything else."""
        written = _WRITTEN.fullmatch(text)
        if not written:
            raise ValueError(f"{text!r} is not a month such as 2025-10")
        return cls(int(written[1]), int(written[2]))

    @classmethod
    def of(cls, instant: datetime, zone: ZoneInfo) -> Month:
        """The month that an aware datetime falls into, for somebody in `zone`: the one whose bounds hold it.

        What lies before the first month or behind the last one counts to those.
        """
        try:
            local = instant.astimezone(zone)
        except OverflowError:
            return FIRST if instant.year == MINYEAR else LAST
        if local.year > LAST.year:
            return LAST
        month = cls(local.year, local.month)
        # Clocks that are set back over midnight show the old month again; the new one has begun all the same.
        return month + 1 if month < LAST and instant >= month.bounds(zone)[1] else month

    @property
    def title(self) -> str:
        return f"{NAMES[self.number - 1]} {self.year}"

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """The month as a half-open range of UTC datetimes, midnight to midnight in `zone`.

        Where a clock shows midnight twice, the first one counts. The first month begins with time itself.
        """
        following = self._ordinal + 1
        return _midnight(self.year, self.number, zone), _midnight(following // 12, following % 12 + 1, zone)

    def is_over(self, now: datetime, zone: ZoneInfo) -> bool:
        return self.bounds(zone)[1] <= now

    @property
    def _ordinal(self) -> int:
        return self.year * 12 + self.number - 1

    def __add__(self, months: int) -> Month:
        ordinal = self._ordinal + months
        return Month(ordinal // 12, ordinal % 12 + 1)

    def __sub__(self, months: int) -> Month:
        return self + -months

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"


FIRST, LAST = Month(1, 1), Month(9998, 12)


def _midnight(year: int, number: int, zone: ZoneInfo) -> datetime:
    """The instant at which a month begins in a zone, in UTC."""
    if (year, number) == (MINYEAR, 1):
        return datetime.min.replace(tzinfo=UTC)
    return _start(date(year, number, 1), zone)


@dataclass(frozen=True, slots=True)
class MonthRange:
    """The months from `first` to `last`, both of them in it."""

    first: Month
    last: Month

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"{self.first} is after {self.last}")

    def __iter__(self) -> Iterator[Month]:
        month = self.first
        while month <= self.last:
            yield month
            month += 1

    @property
    def is_one(self) -> bool:
        return self.first == self.last

    @property
    def title(self) -> str:
        return self.first.title if self.is_one else f"{self.first.title} to {self.last.title}"

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        return self.first.bounds(zone)[0], self.last.bounds(zone)[1]


@dataclass(frozen=True, order=True, slots=True)
class Week:
    """A calendar week from Monday to Sunday, by ISO 8601. `str()` gives "2025-W41"."""

    year: int
    number: int
    noun: ClassVar[str] = "week"

    def __post_init__(self) -> None:
        if not 1 <= self.year <= 9998:
            raise ValueError(f"there is no week of the year {self.year}")
        date.fromisocalendar(self.year, self.number, 1)  # raises ValueError where there is none

    @classmethod
    def of(cls, instant: datetime, zone: ZoneInfo) -> Week:
        """The week that an aware datetime falls into, for somebody in `zone`: the one whose bounds hold it."""
        year, number, _ = instant.astimezone(zone).isocalendar()
        week = cls(year, number)
        return week + 1 if instant >= week.bounds(zone)[1] else week

    @property
    def first_day(self) -> date:
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def title(self) -> str:
        first = self.first_day
        return f"the week of {first.day} {NAMES[first.month - 1]} {first.year}"

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """The week as a half-open range of UTC datetimes, midnight to midnight in `zone`."""
        first, following = self.first_day, (self + 1).first_day
        return _start(first, zone), _start(following, zone)

    def is_over(self, now: datetime, zone: ZoneInfo) -> bool:
        return self.bounds(zone)[1] <= now

    def __add__(self, weeks: int) -> Week:
        year, number, _ = (self.first_day + timedelta(weeks=weeks)).isocalendar()
        return Week(year, number)

    def __sub__(self, weeks: int) -> Week:
        return self + -weeks

    def __str__(self) -> str:
        return f"{self.year:04}-W{self.number:02}"


@dataclass(frozen=True, order=True, slots=True)
class Quarter:
    """Three calendar months. `str()` gives "2025-Q3"."""

    year: int
    number: int
    noun: ClassVar[str] = "quarter"

    def __post_init__(self) -> None:
        if not (1 <= self.number <= 4 and 1 <= self.year <= 9997):
            raise ValueError(f"there is no quarter {self.number} of {self.year}")

    @classmethod
    def of(cls, instant: datetime, zone: ZoneInfo) -> Quarter:
        month = Month.of(instant, zone)
        return cls(month.year, (month.number + 2) // 3)

    @property
    def months(self) -> MonthRange:
        return MonthRange(Month(self.year, 3 * self.number - 2), Month(self.year, 3 * self.number))

    @property
    def title(self) -> str:
        return f"the {('first', 'second', 'third', 'fourth')[self.number - 1]} quarter of {self.year}"

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        return self.months.bounds(zone)

    def is_over(self, now: datetime, zone: ZoneInfo) -> bool:
        return self.bounds(zone)[1] <= now

    def __add__(self, quarters: int) -> Quarter:
        ordinal = self.year * 4 + self.number - 1 + quarters
        return Quarter(ordinal // 4, ordinal % 4 + 1)

    def __sub__(self, quarters: int) -> Quarter:
        return self + -quarters

    def __str__(self) -> str:
        return f"{self.year:04}-Q{self.number}"


Period = Month | Week | Quarter
_WEEK, _QUARTER = re.compile(r"(\d{4})-W(\d{2})", re.ASCII), re.compile(r"(\d{4})-Q(\d)", re.ASCII)


def parse_period(text: str) -> Period:
    """The period written as "2025-10", "2025-W41" or "2025-Q3". Raises ValueError for anything else."""
    if written := _WEEK.fullmatch(text):
        return Week(int(written[1]), int(written[2]))
    if written := _QUARTER.fullmatch(text):
        return Quarter(int(written[1]), int(written[2]))
    return Month.parse(text)


def _start(day: date, zone: ZoneInfo) -> datetime:
    """The instant at which a day begins in a zone, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
