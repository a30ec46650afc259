"""What somebody means who asks for months or for a digest: which time, and which digest."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.errors import AlmanacError
from bot.month.calendar import (
    CADENCES,
    OF_A_DIGEST,
    AnyPeriod,
    Cadence,
    Days,
    Month,
    Quarter,
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
    every = (kind.of(span.bounds(zone)[0], zone) for kind in CADENCES.values())
    whole = next((one for one in every if Days.of(one) == span), None)
    if whole and not _OF_QUARTER.search(said):
        return whole
    if not span.months:
        return span
    quarter = Quarter.of(span.bounds(zone)[0], zone)
    if span == Days(quarter.first_day, min(quarter.end, Month.of(now, zone).end)):
        return quarter
    raise AlmanacError(
        f"a digest is of one {OF_A_DIGEST}, and {text!r} is several months; name one, such as {span.months.last}"
    )


def span_meant(text: str, settings: Settings, zone: ZoneInfo) -> Days:
    """The months or days that a text says; last month where it says nothing. Raises AlmanacError where it is none."""
    said, now, sprint = text.strip(), settings.now(), settings.sprint
    if not said:
        return Days.of(Month.of(now, zone) - 1)
    with suppress(ValueError):  # the words for times take long to load, and may not be needed
        period = parse_any_period(said)
        if period.bounds(zone)[0] <= now:
            return Days.of(period)
    from bot.ask.times import time_alone

    try:
        found = time_alone(said, now.astimezone(zone).date(), (sprint.first, sprint.days) if sprint else None)
    except ValueError as unclear:
        raise AlmanacError(f"{str(unclear).removesuffix('.')}; {WRITTEN}") from None
    if found is None:
        raise AlmanacError(f"{text!r} is no time I know; {WRITTEN}")
    return found


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
