"""What a command works with, the forms in which it prints, and what somebody means who asks for months or for a digest:
which time, and which digest."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.ask.queries import Queries
from bot.ask.writer import Writer
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
from bot.story.documents import DigestDocument, MonthDocument, ProfileDocument, to_json
from bot.story.render import Templates, Web, heading
from bot.wording import capital
from storage import Store

if TYPE_CHECKING:
    from bot.slack.elements import Message
    from bot.story.documents import Document


@dataclass(frozen=True)
class House:
    """The settings and the index, opened when it is first asked for; and how the command line wants its answer: in a
    form, of some repositories or of all, in a zone or in that of the settings."""

    settings: Settings
    form: str = "text"
    repositories: tuple[str, ...] = ()
    zone: ZoneInfo | None = None

    @cached_property
    def store(self) -> Store:
        """Raises StoreUnavailable where nothing was indexed."""
        return Store(self.settings.database, must_exist=True, dates=self.settings.dates)

    @cached_property
    def queries(self) -> Queries:
        return self.queries_in(self.zone)

    def queries_in(self, zone: ZoneInfo | None) -> Queries:
        writer = Writer(self.settings, self.store, warn=lambda line: print(f"almanac: {line}", file=sys.stderr))
        return Queries.of(self.store, self.settings, zone, writer=writer)


def in_form(settings: Settings, documents: Sequence[Document], form: str, web: Web, *, as_list: bool = False) -> str:
    """Documents one after the other as text, Markdown, HTML, the messages that Slack would get, or JSON: of one
    document that itself, unless a list is wanted."""
    if form == "json":
        return as_json(documents if as_list else documents[0])
    templates = Templates(settings.templates)
    if form == "slack":
        from bot.slack.render import document_messages

        return as_json(payloads(document_messages(documents, templates, web)))
    parts = [templates.month(form, document, web) for document in documents]
    if form == "html":
        title = title_of(documents[0]) if len(documents) == 1 else "Almanac"
        return templates.page(title, "\n".join(parts))
    return "\n\n\n".join(parts)


def title_of(document: Document) -> str:
    """What a page of a document is called in a list of windows."""
    if isinstance(document, MonthDocument):
        return f"{document.person.name}, {capital(parse_any_period(document.month).title)}"
    if isinstance(document, DigestDocument):
        return heading(document)
    return document.person.name if isinstance(document, ProfileDocument) else document.title


def payloads(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as they would be posted."""
    return [message.payload() | ({"thread": True} if message.in_thread else {}) for message in messages]


def as_json(value: object) -> str:
    """Documents, or what else is printed, as JSON."""
    return json.dumps(to_json(value), indent=1, ensure_ascii=False)


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
    if span == Days(quarter.first, min(quarter.end, Month.of(now, zone).end)):
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
