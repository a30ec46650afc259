"""Now, schedules and the ledger → the digests that are due. Pure.

A month's digest is due from an hour of a day of the next month on, in the schedule's own zone, until it
was posted, however late we wake.
"""

from __future__ import annotations

import calendar
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.month.calendar import Month

MONTHS_BACK = 3  # how far back a bot that was down makes up for missed digests
LATE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A digest that is wanted every month. `day` 29 to 31 is the last day of a shorter month."""

    channel: str
    team: str | None
    day: int
    hour: int
    zone: str

    @property
    def key(self) -> str:
        """What makes this schedule another than the rest: whom it tells about, and where."""
        return f"{self.channel.lstrip('#')}|{self.team or ''}"

    def due_at(self, month: Month) -> datetime:
        """When the digest of a month is due, in UTC.

        An hour that a change of clocks leaves out is taken as the one after it; of one that comes twice, the
        first.
        """
        post_in = month + 1
        last = calendar.monthrange(post_in.year, post_in.number)[1]
        local = datetime(post_in.year, post_in.number, min(self.day, last), self.hour, tzinfo=ZoneInfo(self.zone))
        return local.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Due:
    schedule: Schedule
    month: Month
    late: bool


def due(
    now: datetime,
    schedules: Sequence[Schedule],
    first_seen: Mapping[str, datetime],
    posted: Collection[tuple[str, Month]],
) -> list[Due]:
    """The digests to post now, oldest month first, then in the order of the schedules.

    `first_seen` tells since when each schedule (by key) is known: what was due before is not posted, so a new
    bot does not open with last month's digest in the middle of a month. `posted` holds (key, month).
    """
    found = []
    for schedule in schedules:
        present = Month.of(now, ZoneInfo(schedule.zone))
        for month in (present - back for back in range(MONTHS_BACK, 0, -1)):
            at = schedule.due_at(month)
            known = first_seen.get(schedule.key, now)
            if known <= at <= now and (schedule.key, month) not in posted:
                found.append(Due(schedule, month, late=now - at > LATE))
    return sorted(found, key=lambda one: one.month)
