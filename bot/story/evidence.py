"""Documents → the changes that they rest on, as a page shows them when it is unfolded. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from bot.story.documents import ChangeDocument, MonthDocument
from bot.story.drawing import days_of
from bot.story.lines import day
from bot.story.wording import kind_heading, mark, plain_title


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A change with its commits; `marked` is what became of it, empty for what simply landed."""

    change: ChangeDocument
    title: str
    on: str
    kind: str
    marked: str
    by: str


def evidence(months: Sequence[MonthDocument], shas: Iterable[str] | None = None) -> tuple[EvidenceRow, ...]:
    """The changes of some months, or of these only what rests on some commits; newest first, each once, with whose
    they are."""
    wanted = None if shas is None else set(shas)
    found: dict[str, tuple[date, EvidenceRow]] = {}
    for month in months:
        zone, person = ZoneInfo(month.zone), month.person.name
        for one in month.changes:
            if wanted is None or not wanted.isdisjoint(commit.sha for commit in one.commits):
                on = min(days_of(one, zone), default=date.min)
                said = day(on.isoformat(), month.month)
                title, marked = plain_title(one.subject), mark(one.kind, one.state)
                row = EvidenceRow(one, title, said, kind_heading(one.kind), marked, person)
                found.setdefault(one.id, (on, row))
    newest_first = sorted(found.values(), key=lambda each: (-each[0].toordinal(), each[1].title))
    return tuple(row for _, row in newest_first)
