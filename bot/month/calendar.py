"""Months, ranges of months and time zones. Nothing else in Almanac computes a boundary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MINYEAR, UTC, datetime
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
    return datetime(year, number, 1, tzinfo=zone).astimezone(UTC)


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
