"""A digest that a channel wants, from almanac.toml or made in Slack, and when it is due; and one post of it. Pure."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from bot.month.calendar import Month, Period, Quarter, Week
from bot.settings_tables import DigestSettings

Cadence = Literal["weekly", "monthly", "quarterly"]
Origin = Literal["toml", "slack"]
SubscriptionId = tuple[str, str]  # its key and its cadence

PERIODS: dict[Cadence, type[Week | Month | Quarter]] = {"weekly": Week, "monthly": Month, "quarterly": Quarter}


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSubscription(DigestSettings):
    """What a [[digests]] table says, and how it stands with it.

    `day` is one of the month that follows, and 29 to 31 are the last of a shorter one; of a weekly digest it is a day
    of the week, from 1, Monday, on. Nothing is posted of what lies before the period `first`. `owner` is the Slack user
    who made it.
    """

    zone: str = "UTC"
    origin: Origin = "toml"
    owner: str = ""
    since: datetime | None = None
    first: Period | None = None
    paused_at: datetime | None = None
    paused_why: str = ""
    reported_at: datetime | None = None  # when its owner was notified that it is paused
    changed_at: datetime | None = None  # when it was last edited, paused or resumed

    @classmethod
    def of(cls, settings: DigestSettings, zone: str, **more: Any) -> DigestSubscription:
        """What a table says; `zone` is meant where it names none."""
        values = {one.name: getattr(settings, one.name) for one in fields(DigestSettings)}
        return cls(**{**values, "zone": settings.zone or zone, **more})

    @property
    def whom(self) -> str:
        """Whose work it tells, and in which repositories; empty for everybody's in all."""
        people = self.team or (f"@{self.group.lstrip('@')}" if self.group else "")
        return ",".join(filter(None, (people, *self.repositories)))

    @property
    def key(self) -> str:
        """Where it is posted, and whom it tells of: together with the period this is what is posted once."""
        return f"{self.channel.lstrip('#')}|{self.whom}"

    @property
    def id(self) -> SubscriptionId:
        return self.key, self.cadence

    @property
    def described(self) -> str:
        """It in words: "The weekly digest of engine for #shipped"."""
        return f"The {self.cadence} digest{f' of {self.whom}' if self.whom else ''} for {self.channel}"

    @property
    def is_made_in_slack(self) -> bool:
        """Whether it may be changed in Slack; others are changed in almanac.toml."""
        return self.origin == "slack"

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def with_state_of(self, known: DigestSubscription) -> DigestSubscription:
        """What this one says, standing as the known one does."""
        return replace(
            self,
            owner=known.owner or self.owner,
            since=known.since,
            first=known.first,
            paused_at=known.paused_at,
            paused_why=known.paused_why,
            reported_at=known.reported_at,
            changed_at=known.changed_at,
        )

    def due_at(self, period: Period) -> datetime:
        """When the digest of a period is due, in UTC; never before it is over in the subscription's zone.

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
        return PERIODS[self.cadence].of(now, ZoneInfo(self.zone))

    def upcoming(self, now: datetime) -> Period:
        """The first period that is not due yet."""
        period = self.present(now)
        while self.due_at(period - 1) >= now:
            period -= 1
        return period

    def begun(self, now: datetime) -> DigestSubscription:
        """The same from now on, without what is due already."""
        return replace(self, first=self.upcoming(now))


@dataclass(frozen=True, slots=True)
class DigestPost:
    """The digest of a period, posted or to be posted. `key` is that of its first message in the outbox, to which its
    other messages add a number. One of a period that was not over may be posted again, in full, when it is."""

    key: str
    subscription: DigestSubscription
    period: Period
    is_whole: bool = True

    @classmethod
    def of(
        cls, workspace: str, subscription: DigestSubscription, period: Period, so_far: datetime | None = None
    ) -> DigestPost:
        """`so_far` is the day up to which a period that is not over is shown."""
        until = f"@{so_far:%Y-%m-%d}" if so_far else ""
        key = f"{digest_keys(workspace)}{subscription.key}|{period}{until}"
        return cls(key, subscription, period, so_far is None)

    def message_key(self, part: int) -> str:
        return f"{self.key}|{part}" if part else self.key

    def title_of(self, message_key: str) -> str:
        """What a message of it is called: "October 2025", "part 2 of October 2025"."""
        part = message_key.removeprefix(self.key).lstrip("|")
        return f"part {int(part) + 1} of {self.period.title}" if part else self.period.title


def digest_keys(workspace: str = "") -> str:
    """What the keys of all digests begin with, or of those of a workspace."""
    return f"digest|{workspace}|" if workspace else "digest|"
