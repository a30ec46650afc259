"""The facts of a month → the figures that charts show: changes by week and by kind. Pure.

Each figure counts every change of the month once, so that all of them have the same sum: the month's changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from bot.model import Change, Dates
from bot.month.calendar import AnyPeriod, Days
from bot.month.facts import MonthFacts, by_kind
from bot.story.documents import OTHER, KindFigure, MonthFigures, WeekFigure
from bot.story.wording import kind_order


def month_figures(facts: MonthFacts) -> MonthFigures:
    """Of one person's month: the weeks in order of time, and the kinds, most first, with those that are not sure under
    "other", last."""
    weeks = _Weeks(facts.month, facts.zone, facts.dates, facts.changes, facts.today)
    return MonthFigures(weeks.figures(weeks.counted(facts.changes)), _kinds(facts.changes))


def are_mostly_sure(kinds: Iterable[KindFigure]) -> bool:
    """Whether at least half of the changes are of a sure kind: else to show their kinds would say little."""
    numbers = [(one.changes, one.kind == OTHER) for one in kinds]
    return 2 * sum(number for number, is_other in numbers if is_other) <= sum(number for number, _ in numbers)


def weeks_of(period: AnyPeriod) -> list[tuple[date, date]]:
    """The calendar weeks of a month, Monday to Sunday, the first and the last cut off by it; of any other period
    likewise."""
    span = Days.of(period)
    first, end = span.first, span.end
    days = (first + timedelta(number) for number in range(1, (end - first).days))
    mondays = [day for day in days if day.weekday() == 0]
    return [(start, following - timedelta(1)) for start, following in pairwise([first, *mondays, end])]


class _Weeks:
    """The weeks that can be shown: of a period that is not over, those until `today`, or until the last of its changes
    where a clock was ahead. Later ones are not empty, they are still to come."""

    def __init__(
        self, period: AnyPeriod, zone: str, dates: Dates, changes: Sequence[Change], today: date | None
    ) -> None:
        self._weeks = weeks_of(period)
        self._zone, self._dates = ZoneInfo(zone), dates
        if today is not None:
            until = max([today, *map(self._day_of, changes)])
            begun = [(first, min(last, until)) for first, last in self._weeks if first <= until]
            self._weeks = begun or self._weeks[:1]

    def _day_of(self, change: Change) -> date:
        """When a change was made: its leading commit, by the date that gave it to the month."""
        return change.lead.dated(self._dates).at.astimezone(self._zone).date()

    def counted(self, changes: Iterable[Change]) -> tuple[int, ...]:
        """How many of the changes were made in each of the weeks."""
        firsts = [first for first, _ in self._weeks]
        # Clocks that are set back over midnight show the month before, and the last zones a day after the last month.
        numbers = Counter(max(0, bisect_right(firsts, self._day_of(change)) - 1) for change in changes)
        return tuple(numbers[week] for week in range(len(firsts)))

    def figures(self, counted: Iterable[int]) -> tuple[WeekFigure, ...]:
        return tuple(
            WeekFigure(first.isoformat(), last.isoformat(), number)
            for (first, last), number in zip(self._weeks, counted, strict=True)
        )


def _kinds(changes: Sequence[Change]) -> tuple[KindFigure, ...]:
    sure = {kind: number for kind, number in by_kind(changes).items() if kind != "chore"}
    other = len(changes) - sum(sure.values())
    rest = (KindFigure(OTHER, other),) if other else ()
    return (
        *(KindFigure(kind, sure[kind]) for kind in sorted(sure, key=lambda kind: (-sure[kind], kind_order(kind)))),
        *rest,
    )
