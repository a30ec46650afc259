"""What somebody means who asks for months or for a digest: which time, and which digest."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.errors import AlmanacError
from bot.month.calendar import (
    CADENCES,
    AnyPeriod,
    Cadence,
    Days,
    Month,
    MonthRange,
    Period,
    Quarter,
    Span,
    Week,
    parse_any_period,
)
from bot.settings import Settings

WRITTEN = "write it as 2025-10, 2025-10-14, october, last month, this week or since june"
_OF_QUARTER = re.compile(r"\bq(?:[1-4]|uarter)\b", re.IGNORECASE)  # one that has just begun is a month so far


def period_meant(text: str, settings: Settings, zone: ZoneInfo, cadence: Cadence | None = None) -> AnyPeriod:
    """The period that a text says; without any, the last whole one of a cadence, which is monthly unless given.

    Raises AlmanacError where it is none, or more than one.
    """
    said, now = text.strip(), settings.now()
    if not said:
        return CADENCES[cadence or "monthly"].of(now, zone) - 1
    with suppress(ValueError):
        period = parse_any_period(said)
        if period.bounds(zone)[0] > now:
            raise AlmanacError(f"{period.title} has not begun yet")
        return period
    span = span_meant(said, settings, zone)
    if isinstance(span, Days):
        week = Week.of(span.bounds(zone)[0], zone)
        return week if Days.of(week) == span else span
    if span.is_one and not _OF_QUARTER.search(said):
        return span.first
    for month in span:
        quarter = Quarter(month.year, (month.number + 2) // 3)
        if span == MonthRange(quarter.months.first, min(quarter.months.last, Month.of(now, zone))):
            return quarter
    raise AlmanacError(
        f"a digest is of one month, week or quarter, and {text!r} is several months; name one, such as {span.last}"
    )


def span_meant(text: str, settings: Settings, zone: ZoneInfo) -> Span:
    """The months or days that a text says; last month where it says nothing. Raises AlmanacError where it is none."""
    said, now, sprint = text.strip(), settings.now(), settings.sprint
    if not said:
        before = Month.of(now, zone) - 1
        return MonthRange(before, before)
    with suppress(ValueError):  # the words for times take long to load, and may not be needed
        period = parse_any_period(said)
        if period.bounds(zone)[0] <= now:
            days = Days.of(period)
            return days.months or days
    from bot.ask.times import time_alone

    try:
        found = time_alone(said, now.astimezone(zone).date(), (sprint.first, sprint.days) if sprint else None)
    except ValueError as unclear:
        raise AlmanacError(f"{str(unclear).removesuffix('.')}; {WRITTEN}") from None
    if found is None:
        raise AlmanacError(f"{text!r} is no time I know; {WRITTEN}")
    return found.months or found


def posted_period(text: str, settings: Settings, zone: ZoneInfo, cadence: Cadence | None = None) -> Period:
    """The same as `period_meant`, for a digest that is posted. Raises AlmanacError for days."""
    period = period_meant(text, settings, zone, cadence)
    if isinstance(period, Days):
        raise AlmanacError(f"a digest is posted of one month, week or quarter, not of {period.title}")
    return period


def cadence_of(period: AnyPeriod) -> Cadence | None:
    """None for days, of which no digest is posted."""
    return next((cadence for cadence, kind in CADENCES.items() if isinstance(period, kind)), None)


@dataclass(frozen=True, slots=True)
class WantedDigest:
    """Which digest is meant: of everyone, of a team, or the one that a channel gets."""

    when: str = ""
    channel: str | None = None
    team: str | None = None
    cadence: Cadence | None = None


def checked_team(settings: Settings, team: str | None) -> str | None:
    if team and settings.team(team) is None:
        raise AlmanacError(f"there is no team {team!r} in almanac.toml")
    return team
