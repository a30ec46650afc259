"""The facts of a month → the figures that charts show: changes by week, by kind and by repository. Pure.

Each figure counts every change of the month once, so that all of them have the same sum: the month's changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from bot.model import Change, Dates, Digest, MonthFacts
from bot.month.calendar import AnyPeriod, Days
from bot.month.facts import all_changes, by_kind
from bot.story.wording import clean, told

Figures = dict[str, Any]
OTHER = "other"  # kinds that are not sure, or none of their own
REST = "Other"  # the repositories that are not named
MOST_NAMED = 5  # repositories of a digest by name, most changes first; Slack takes six series, and one is the rest


def month_figures(facts: MonthFacts) -> Figures:
    """Of one person's month: {"weeks": [{"from", "to", "changes"}], "kinds": [{"kind", "changes"}]}.

    The weeks are in order of time, the kinds most first, with those that are not sure under "other", last.
    """
    weeks = _begun(weeks_of(facts.month), facts.changes, facts)
    by_week = _by_week(facts.changes, weeks, facts.zone, facts.dates)
    return {"weeks": _weeks(weeks, by_week), "kinds": _kinds(facts.changes)}


def digest_figures(digest: Digest) -> Figures:
    """Of everyone's month: {"weeks": as of a month, "repositories": [{"name", "changes": [one for each week]}]}.

    Repositories come most changes first, then by name; beyond MOST_NAMED they are one, called REST. A change is
    counted in the repository of its leading commit.
    """
    changes = all_changes(facts for facts, _ in digest.months)
    weeks = _begun(weeks_of(digest.month), changes, digest)
    held: dict[str, list[Change]] = {}
    for change in changes:
        held.setdefault(clean(change.lead.repository), []).append(change)
    ranked = sorted(held, key=lambda name: (-len(held[name]), name))
    named = ranked if len(ranked) <= MOST_NAMED + 1 else ranked[:MOST_NAMED]
    rest = [change for name in ranked[len(named) :] for change in held[name]]
    rows = [*((name, held[name]) for name in named), *([(REST, rest)] if rest else [])]
    return {
        "weeks": _weeks(weeks, _by_week(changes, weeks, digest.zone, digest.dates)),
        "repositories": [
            {"name": name, "changes": _by_week(of_one, weeks, digest.zone, digest.dates)} for name, of_one in rows
        ],
    }


def weeks_of(period: AnyPeriod) -> list[tuple[date, date]]:
    """The calendar weeks of a month, Monday to Sunday, the first and the last cut off by it; of any other period
    likewise."""
    span = Days.of(period)
    first, end = span.first, span.end
    days = (first + timedelta(number) for number in range(1, (end - first).days))
    mondays = [day for day in days if day.weekday() == 0]
    return [(start, following - timedelta(1)) for start, following in pairwise([first, *mondays, end])]


def _begun(
    weeks: list[tuple[date, date]], changes: Sequence[Change], told: MonthFacts | Digest
) -> list[tuple[date, date]]:
    """The weeks that can be told: of a month that is not over, those until its last change. Later ones are not empty,
    they are still to come."""
    if not told.to_date or not changes:
        return weeks
    return weeks[: max(_weeks_of_each(changes, weeks, told.zone, told.dates)) + 1]


def _weeks_of_each(
    changes: Iterable[Change], weeks: Sequence[tuple[date, date]], zone: str, dates: Dates
) -> Iterator[int]:
    """In which of the weeks each was made: that of its leading commit, by the date that gave it to the month."""
    here, begin = ZoneInfo(zone), [first for first, _ in weeks]
    for change in changes:
        # Clocks that are set back over midnight show the month before, and the last zones a day after the last month.
        day = change.lead.dated(dates).at.astimezone(here).date()
        yield max(0, bisect_right(begin, day) - 1)


def _by_week(changes: Iterable[Change], weeks: Sequence[tuple[date, date]], zone: str, dates: Dates) -> list[int]:
    numbers = [0] * len(weeks)
    for number in _weeks_of_each(changes, weeks, zone, dates):
        numbers[number] += 1
    return numbers


def _weeks(weeks: Sequence[tuple[date, date]], numbers: Sequence[int]) -> list[Figures]:
    return [
        {"from": first.isoformat(), "to": last.isoformat(), "changes": number}
        for (first, last), number in zip(weeks, numbers, strict=True)
    ]


def _kinds(changes: Sequence[Change]) -> list[Figures]:
    sure = {kind: number for kind, number in by_kind(changes).items() if kind != "chore"}
    ranked = sorted(sure, key=lambda kind: (-sure[kind], told(kind)))
    rows: list[Figures] = [{"kind": kind, "changes": sure[kind]} for kind in ranked]
    other = len(changes) - sum(sure.values())
    return [*rows, *([{"kind": OTHER, "changes": other}] if other else [])]
