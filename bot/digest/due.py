"""Now, schedules and the ledger → the digests that are due. Pure.

A period's digest is due from its hour on until it was posted, however late we wake. What is posted is told by
period and never by date, so that an edited schedule, another zone or a clock set back posts nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.digest.schedule import Schedule
from bot.month.calendar import Month, Period

LATE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Due:
    schedule: Schedule
    period: Period
    late: bool


def due(now: datetime, schedules: Sequence[Schedule], posted: Collection[tuple[str, Period]]) -> list[Due]:
    """The digests to post now, those that were due first before the others, then in the order of the schedules.

    `posted` holds (key, period). A schedule that is paused, or has no first period yet, posts nothing.
    """
    found = [
        Due(schedule, period, late=now - schedule.due_at(period) > LATE)
        for schedule in schedules
        if schedule.first is not None and not schedule.paused
        for period in _owed(now, schedule)
        if (schedule.key, period) not in posted
    ]
    return sorted(found, key=lambda one: one.schedule.due_at(one.period))


def _owed(now: datetime, schedule: Schedule) -> Iterator[Period]:
    """The periods that are over and due, as far back as is made up for, newest first."""
    zone = ZoneInfo(schedule.zone)
    earliest = (Month.of(now, zone) - schedule.back).bounds(zone)[0]
    period = schedule.present(now) - 1
    while period.bounds(zone)[1] > earliest and str(period) >= str(schedule.first):
        if schedule.due_at(period) <= now:
            yield period
        period -= 1
