"""Documents → where each mark of a drawing stands: calendars, columns, rows and strips, which html/figures.j2 draws as
SVG. Pure. Lengths are units of the drawing's own, of which a page shows each as a pixel.

A drawing counts a change once, on the day or in the week of its first commit in that time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.month.calendar import Days, Month, MonthRange, parse_any_period
from bot.story.documents import ChangeDocument, MonthDocument, StepDocument, WeekFigure
from bot.story.figures import are_mostly_sure
from bot.story.lines import day as day_in_words
from bot.story.wording import KINDS, count, kind_heading, listed

FEWEST_DRAWN = 4  # changes of a month, below which its words say as much
LEVELS, DARKEST = 4, 3  # shades of a day, and changes of it below which none is of the darkest
CELL, GAP = 22, 3  # of a day in a calendar
COLUMNS_WIDE, COLUMNS_HIGH, ROW_HIGH = 300, 96, 26
MOST_LABELS = 6  # below columns
STRIP = 120  # from the first step of a change to the last
NEAREST = 16  # of two steps, so that both are seen
MOST_REPOSITORIES = 8  # with a row each
OUT = ("backed out", "undone")


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day; `level` is 0 where nothing was changed, and LEVELS on the days with most."""

    number: int
    x: int
    y: int
    level: int
    said: str


@dataclass(frozen=True, slots=True)
class CalendarMonth:
    title: str
    height: int
    days: tuple[CalendarDay, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Column:
    """Of a drawing COLUMNS_WIDE wide; `label` is empty where there is no room for it."""

    x: float
    y: float
    width: float
    height: float
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class Columns:
    columns: tuple[Column, ...]
    said: str


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A name with a number; `share` is how much of the largest number that is, in percent."""

    name: str
    value: int
    share: int
    columns: Columns | None = None
    is_rest: bool = False  # of no kind of its own


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a change; `is_in` says whether the change stood from then on."""

    x: float
    is_in: bool


def is_drawn(document: MonthDocument) -> bool:
    """Whether there is enough to draw."""
    return document.figures is not None and document.counts["changes"] >= FEWEST_DRAWN


# --- when


def calendar(months: Sequence[MonthDocument]) -> tuple[CalendarMonth, ...]:
    """Every month from the first to the last of some documents, with the days on which something was changed; of a
    month that is not over, and of other times, all days of the months that they touch."""
    found = Counter(day for day, _ in _first_days(months))
    if not found:
        return ()
    first, last = min(found), max(found)
    most = max(DARKEST, max(found.values()))
    month, drawn = Month(first.year, first.month), []
    while month <= Month(last.year, last.month):
        drawn.append(_calendar_month(month, found, most))
        month += 1
    return tuple(drawn)


def _calendar_month(month: Month, found: Mapping[date, int], most: int) -> CalendarMonth:
    first = date(month.year, month.number, 1)
    following = month + 1
    length = (date(following.year, following.number, 1) - first).days
    days = []
    for number in range(length):
        on = first + timedelta(number)
        place, changes = first.weekday() + number, found.get(on, 0)
        level = -(-changes * LEVELS // most)
        said = f"{day_in_words(on.isoformat())}: {count(changes, 'change')}" if changes else ""
        days.append(CalendarDay(on.day, place % 7 * (CELL + GAP), place // 7 * (CELL + GAP), level, said))
    active = [one for one in days if one.level]
    busiest = max(active, key=lambda one: one.level, default=None)
    said = f"{month.title}: {count(len(active), 'day')} with changes"
    if busiest is not None:
        top = max((on for on in found if (on.year, on.month) == (month.year, month.number)), key=lambda on: found[on])
        said += f", most on {day_in_words(top.isoformat())} ({found[top]})"
    return CalendarMonth(month.title, days[-1].y + CELL, tuple(days), said)


def _first_days(months: Iterable[MonthDocument]) -> Iterator[tuple[date, ChangeDocument]]:
    """Every change of some months once, with the day of its first commit in them. Changes whose commits were all
    written before are left out: what a month has by the date of the committer."""
    seen: set[tuple[str, str]] = set()
    for one in months:
        zone, first, last = ZoneInfo(one.zone), *_ends(one)
        for change in one.changes:
            days = sorted(on for on in days_of(change, zone) if first <= on <= last)
            if days and (change.id, one.month) not in seen:
                seen.add((change.id, one.month))
                yield days[0], change


def days_of(change: ChangeDocument, zone: ZoneInfo) -> Iterator[date]:
    for commit in change.commits:
        try:
            yield datetime.fromisoformat(commit.author_date).astimezone(zone).date()
        except OverflowError:  # in the last zones, of the last day that there is
            continue


def _ends(document: MonthDocument) -> tuple[date, date]:
    span = Days.of(parse_any_period(document.month))
    return span.first, span.last


# --- how much


def weeks(figures: Sequence[WeekFigure]) -> Columns:
    """The changes of each week."""
    is_one_month = figures[0].from_[:7] == figures[-1].to[:7]  # which is named above them
    values = [(_days(one) if is_one_month else _week(one, figures), one.changes) for one in figures]
    said = [(_week(one, figures), one.changes) for one in figures]
    return _columns(values, _said("Changes by week", said))


def by_month(months: Sequence[MonthDocument]) -> Columns:
    """The changes of each month, from the first of some documents, oldest first, to the last."""
    found = {one.month: one.counts["changes"] for one in months}
    every = _months(months)
    said = [(one.title, found.get(str(one), 0)) for one in every]
    return _columns([(label[:3], number) for label, number in said], _said("Changes by month", said))


def _months(documents: Sequence[MonthDocument]) -> list[Month]:
    return list(MonthRange(Month.parse(documents[0].month), Month.parse(documents[-1].month)))


def _days(one: WeekFigure) -> str:
    """ "5–11" """
    first, last = int(one.from_[8:]), int(one.to[8:])
    return str(first) if first == last else f"{first}–{last}"


def _week(one: WeekFigure, figures: Sequence[WeekFigure]) -> str:
    """ "5–11 Oct", "28 Sep–4 Oct"."""
    end = day_in_words(one.to, figures[0].from_)
    if one.from_[:7] == one.to[:7]:
        return f"{_days(one)} {end.partition(' ')[2]}"
    return f"{day_in_words(one.from_, figures[0].from_)}–{end}"


def _said(what: str, values: Sequence[tuple[str, int]]) -> str:
    return f"{what}: {listed([f'{label} {number}' for label, number in values])}"


def _columns(values: Sequence[tuple[str, int]], said: str, high: int = COLUMNS_HIGH) -> Columns:
    most = max((number for _, number in values), default=0) or 1
    each = COLUMNS_WIDE / max(1, len(values))
    wide, every = min(each * 0.72, 44), -(-len(values) // MOST_LABELS)
    columns = []
    for place, (label, number) in enumerate(values):
        tall = round(number / most * high, 1)
        x = round(place * each + (each - wide) / 2, 1)
        columns.append(
            Column(x, round(high - tall, 1), round(wide, 1), tall, number, label if place % every == 0 else "")
        )
    return Columns(tuple(columns), said)


def kinds(months: Sequence[MonthDocument]) -> tuple[DrawnRow, ...]:
    """How many changes are of each kind, most first, those that are of none for sure last; nothing where that is most
    of them, which would say little."""
    figures = [figure for one in months if one.figures for figure in one.figures.kinds]
    if not are_mostly_sure(figures):
        return ()
    found: Counter[str] = Counter()
    for figure in figures:
        found[figure.kind] += figure.changes
    most = max(found.values(), default=1)
    order = [*KINDS, "other"]
    ranked = sorted(found, key=lambda kind: (kind == "other", -found[kind], order.index(kind)))
    return tuple(
        DrawnRow(kind_heading(kind), found[kind], round(100 * found[kind] / most), is_rest=kind == "other")
        for kind in ranked
    )


def repositories(document: MonthDocument) -> tuple[DrawnRow, ...]:
    """The repositories, most changes first, each with its changes by week; none where there is one alone."""
    if document.figures is None:
        return ()
    figures = document.figures.weeks
    held = _by_week(document, [date.fromisoformat(one.from_) for one in figures])
    labels = [_week(one, figures) for one in figures]
    return _repository_rows(held, labels)


def repositories_by_month(months: Sequence[MonthDocument]) -> tuple[DrawnRow, ...]:
    """The same of several months, oldest first: the changes of each month."""
    every = _months(months)
    held: dict[str, list[int]] = {}
    for month in months:
        for one in month.repositories:
            held.setdefault(one.name, [0] * len(every))[every.index(Month.parse(month.month))] = one.changes
    return _repository_rows(held, [one.title for one in every])


def _by_week(document: MonthDocument, starts: Sequence[date]) -> dict[str, list[int]]:
    held: dict[str, list[int]] = {}
    for on, change in _first_days([document]):
        week = sum(start <= on for start in starts) - 1
        if week >= 0:
            held.setdefault(change.commits[0].repository, [0] * len(starts))[week] += 1
    return held


def _repository_rows(held: Mapping[str, Sequence[int]], labels: Sequence[str]) -> tuple[DrawnRow, ...]:
    ranked = sorted(held, key=lambda name: (-sum(held[name]), name))
    if len(ranked) < 2:
        return ()
    highest = max(max(held[name]) for name in ranked) or 1
    most = sum(held[ranked[0]]) or 1
    rows = []
    for name in ranked[:MOST_REPOSITORIES]:
        tall = max(1, round(ROW_HIGH * max(held[name]) / highest))
        values = list(zip(labels, held[name], strict=True))
        columns = _columns(values, _said(f"Changes in {name}", values), tall)
        total = sum(held[name])
        rows.append(DrawnRow(name, total, round(100 * total / most), columns))
    return tuple(rows)


# --- what became of it


def strip(steps: Sequence[StepDocument]) -> tuple[Step, ...]:
    """The steps of a change in order of time, as far apart as their days are; of one alone there is nothing to draw."""
    if len(steps) < 2:
        return ()
    days = [date.fromisoformat(one.on).toordinal() for one in steps]
    whole = max(days) - min(days) or 1
    drawn: list[Step] = []
    for one, on in zip(steps, days, strict=True):
        at = (on - min(days)) / whole * STRIP
        drawn.append(Step(max(at, drawn[-1].x + NEAREST) if drawn else at, not one.did.endswith(OUT)))
    scale = STRIP / max(STRIP, drawn[-1].x)
    return tuple(Step(round(one.x * scale, 1), one.is_in) for one in drawn)


# The filters of html/: docs/templates.md says what each is for.
DRAWN: Mapping[str, Callable[..., Any]] = {
    "is_drawn": is_drawn,
    "calendar": calendar,
    "weeks": weeks,
    "by_month": by_month,
    "kinds": kinds,
    "repository_rows": repositories,
    "month_rows": repositories_by_month,
    "strip": strip,
}
