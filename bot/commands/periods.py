"""The month, week or quarter that somebody means who asks for a digest."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.digest.schedule import Cadence
from bot.errors import AlmanacError
from bot.month.calendar import Month, MonthRange, Period, Quarter, Week, parse_period

KINDS: dict[Cadence, type[Week | Month | Quarter]] = {"weekly": Week, "monthly": Month, "quarterly": Quarter}
_NEAR = re.compile(r"(?:the\s+)?(last|previous|past|this|current)\s+(week|month|quarter)", re.IGNORECASE)


def period_meant(text: str, now: datetime, zone: ZoneInfo, cadence: Cadence | None = None) -> Period:
    """The period that a text says; without any, the last whole one of a cadence, which is monthly unless given.

    Raises AlmanacError where it is none, or more than one.
    """
    said = text.strip()
    if not said:
        return KINDS[cadence or "monthly"].of(now, zone) - 1
    if near := _NEAR.fullmatch(said):
        kind = next(one for one in KINDS.values() if one.noun == near[2].lower())
        return kind.of(now, zone) - (0 if near[1].lower() in ("this", "current") else 1)
    with suppress(ValueError):
        period = parse_period(said)
        if period.bounds(zone)[0] > now:
            raise AlmanacError(f"{period.title} has not begun yet")
        return period
    from bot.commands.telling import months_meant  # the words for months take long to load

    months = months_meant(said, Month.of(now, zone))
    if months.is_one:
        return months.first
    for month in months:
        quarter = Quarter(month.year, (month.number + 2) // 3)
        if months == MonthRange(quarter.months.first, min(quarter.months.last, Month.of(now, zone))):
            return quarter
    raise AlmanacError(
        f"a digest is of one month, week or quarter, and {text!r} is several months; name one, such as {months.last}"
    )


def cadence_of(period: Period) -> Cadence:
    return next(cadence for cadence, kind in KINDS.items() if isinstance(period, kind))
