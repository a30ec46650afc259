"""Documents in the form that is wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from bot.month.calendar import parse_any_period
from bot.settings import Settings
from bot.story.document_json import to_json
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.profile_documents import ProfileDocument
from bot.story.render import Templates, Web, heading
from bot.story.wording import capital

if TYPE_CHECKING:
    from bot.slack.elements import Message
    from bot.story.list_documents import Document


def in_form(settings: Settings, documents: Sequence[Document], form: str, web: Web, first: str = "") -> str:
    """Documents one after the other as text, Markdown, HTML, or the messages that Slack would get. As HTML, `first` is
    a line above them."""
    templates = Templates(settings.templates)
    if form == "slack":
        from bot.slack.render import document_messages

        return as_json(payloads(document_messages(documents, templates, web)))
    parts = [templates.month(form, document, web) for document in documents]
    if form == "html":
        title = title_of(documents[0]) if len(documents) == 1 else "Almanac"
        return templates.page(title, "\n".join([f"<p>{escape(first)}</p>", *parts] if first else parts))
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
