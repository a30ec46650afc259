"""What a command works with, and the forms in which it prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.ask.queries import Queries
from bot.ask.writer import Writer
from bot.month.calendar import parse_any_period
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
