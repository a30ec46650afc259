"""`almanac render`: documents that were printed as JSON, in words again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import AlmanacError, RepositoryUnavailable
from bot.month.calendar import parse_any_period
from bot.settings import Settings
from bot.story.document_json import to_json
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.profile_documents import ProfileDocument
from bot.story.render import Templates, Web, heading
from bot.story.wording import capital, clean

if TYPE_CHECKING:
    from bot.slack.elements import Message
    from bot.story.list_documents import Document


def render(settings: Settings, file: str, form: str) -> str:
    """The documents of a file, or of standard input for "-", in the words that the commands print in a form."""
    from bot.story.document_json import documents_of

    documents = documents_of(_read(file), "standard input" if file == "-" else clean(file))
    return in_form(settings, documents, form, known_pages(settings))


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


def known_pages(settings: Settings) -> Web:
    """The page of each repository that the index knows, where there is one, or almanac.toml."""
    from bot.ask.queries import Queries
    from bot.index.address import place
    from storage import Store

    web: dict[str, str | None] = {}
    for table in settings.repositories:
        with suppress(RepositoryUnavailable):  # of an address that cannot be read no page is known
            one = place(table.address, table.name)
            web[clean(one.name)] = one.web
    if not isinstance(settings.database, Path) or settings.database.exists():
        web |= Queries.of(Store(settings.database, must_exist=True, dates=settings.dates), settings).pages()
    return web


def payloads(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as they would be posted."""
    return [message.payload() | ({"thread": True} if message.in_thread else {}) for message in messages]


def as_json(value: object) -> str:
    """Documents, or what else is printed, as JSON."""
    return json.dumps(to_json(value), indent=1, ensure_ascii=False)


def _read(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise AlmanacError(
            f"{clean(file)}: cannot be read ({reason}): name a file with what --format json prints, or -"
        ) from error
