"""The months of whoever opens Home, in short: the present one so far, and the last one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.model import Person
from bot.month.calendar import Days, Month
from bot.slack.answering import Answering
from bot.slack.request import AccessRefused, RequestContext
from bot.story.documents import MonthDocument
from bot.story.lines import distinct_names


@dataclass(frozen=True, slots=True)
class MonthBrief:
    """A month in short. `question` asks for the whole of it; None where it holds nothing."""

    title: str
    headline: str
    items: tuple[str, ...] = ()
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class MonthBriefs:
    """The months that are shown. `newest` is the last one with commits, where those shown have none; `refused` says why
    none are shown."""

    briefs: tuple[MonthBrief, ...] = ()
    newest: MonthBrief | None = None
    profile: Question | None = None
    refused: str = ""


class HomeMonths:
    """Reads months for Home, by the same way that questions are answered."""

    def __init__(self, answering: Answering, now: Callable[[], datetime]) -> None:
        self._answering = answering
        self._now = now

    def of(self, view: RequestContext) -> MonthBriefs | None:
        """The months of a user; None where it is not known who they are in git. Raises AlmanacError."""
        if view.reader.person is None:
            return None
        called = _called(view.reader.person, view.queries)
        zone = view.member.zone_info
        present = Month.of(self._now(), zone) if zone else view.queries.present()
        try:
            briefs = tuple(self._brief(called, month, present, view) for month in (present, present - 1))
        except AccessRefused as refusal:
            return MonthBriefs(refused=str(refusal))
        newest = None
        if not any(one.question for one in briefs):
            last = view.queries.activity.last_month([view.reader.person])
            newest = MonthBrief(last.title, "", (), _asks(called, last)) if last else None
        has_any = newest or any(one.question for one in briefs)
        return MonthBriefs(briefs, newest, Question("profile", people=(called,)) if has_any else None)

    def _brief(self, called: str, month: Month, present: Month, view: RequestContext) -> MonthBrief:
        asks = _asks(called, month)
        reply, _, _ = self._answering.reply(asks, view)
        title = f"{month.title}{' so far' if month == present else ''}"
        document = reply.documents[0] if reply.documents else None
        if not isinstance(document, MonthDocument):
            return MonthBrief(title, reply.words)
        items = tuple(one.title for one in document.items)
        is_empty = not (document.counts["commits"] or document.credit.reviewed or document.written_before)
        return MonthBrief(title, document.headline.text, items, None if is_empty else asks)


def _called(person: Person, queries: Queries) -> str:
    """What finds a person, and nobody else."""
    namesakes = [one for one in queries.known.everyone if one.name.casefold() == person.name.casefold()]
    return distinct_names([person, *(replace(one, name=person.name) for one in namesakes if one != person)])[0]


def _asks(called: str, month: Month) -> Question:
    return Question("month", people=(called,), span=Days.of(month))
