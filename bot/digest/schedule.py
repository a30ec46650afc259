"""A digest that is wanted again and again, and when it is due. Pure."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from bot.month.calendar import Month, Period, Quarter, Week

Cadence = Literal["weekly", "monthly", "quarterly"]
Quiet = Literal["say", "skip"]
MONTHS_BACK = 3  # how far back a bot that was down makes up for missed digests


@dataclass(frozen=True, slots=True)
class Schedule:
    """A digest for a channel: of a team by name, of a user group of Slack by handle, or of everyone; in some
    repositories or in all.

    `day` is one of the month that follows, and 29 to 31 are the last of a shorter one; of a weekly digest it is a day
    of the week, from 1, Monday, on. Nothing is posted of what lies before the period `first`.
    """

    channel: str
    team: str | None = None
    group: str | None = None
    repositories: tuple[str, ...] = ()
    cadence: Cadence = "monthly"
    day: int = 1
    hour: int = 9
    zone: str = "UTC"
    quiet: Quiet = "say"
    templates: str | None = None
    back: int = MONTHS_BACK
    first: Period | None = None
    paused: bool = False

    @property
    def key(self) -> str:
        """Whom it tells about, and where: together with the period this is what is posted once."""
        whom = self.team or (f"@{self.group.lstrip('@')}" if self.group else "")
        return f"{self.channel.lstrip('#')}|{','.join(filter(None, (whom, *self.repositories)))}"

    def due_at(self, period: Period) -> datetime:
        """When the digest of a period is due, in UTC; never before it is over in the schedule's zone.

        An hour that a change of clocks leaves out is taken as the one after it; of one that comes twice, the first.
        """
        if isinstance(period, Week):
            day = (period + 1).first_day + timedelta(days=self.day - 1)
            local = datetime(day.year, day.month, day.day, self.hour, tzinfo=ZoneInfo(self.zone))
        else:
            after = period.months.last + 1 if isinstance(period, Quarter) else period + 1
            last = calendar.monthrange(after.year, after.number)[1]
            local = datetime(after.year, after.number, min(self.day, last), self.hour, tzinfo=ZoneInfo(self.zone))
        return local.astimezone(UTC)

    def present(self, now: datetime) -> Period:
        """The period that an instant lies in."""
        kinds: dict[Cadence, type[Week | Month | Quarter]] = {"weekly": Week, "monthly": Month, "quarterly": Quarter}
        return kinds[self.cadence].of(now, ZoneInfo(self.zone))

    def upcoming(self, now: datetime) -> Period:
        """The first period that is not due yet."""
        period = self.present(now)
        while self.due_at(period - 1) >= now:
            period -= 1
        return period

    def begun(self, now: datetime) -> Schedule:
        """The same from now on, without what is due already."""
        return replace(self, first=self.upcoming(now))
