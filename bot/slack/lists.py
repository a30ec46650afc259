"""Markdown to be copied → Slack messages within Slack's limits. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.slack.limits import MAX_TEXT
from bot.slack.packing import Message
from bot.story.render import NOWHERE, Templates, Web

if TYPE_CHECKING:
    from bot.story.list_documents import Document

LONGEST_LINE = 1_000  # characters of Markdown; a longer one is broken


def markdown_messages(documents: Sequence[Document], templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Documents as Markdown to be copied: preformatted, in as many messages as it takes, broken between lines."""
    texts = [templates.month("markdown", document, web) for document in documents]
    pieces = list(_pieces("\n\n\n".join(texts)))
    return [_preformatted(piece, in_thread=number > 0) for number, piece in enumerate(pieces)]


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that a message takes, escaped for its plain text."""
    taken: list[str] = []
    room = MAX_TEXT
    for line in _lines(text):
        length = len(_escaped(line)) + 1
        if taken and length > room:
            yield "\n".join(taken).strip("\n")
            taken, room = [], MAX_TEXT
        taken.append(line)
        room -= length
    if rest := "\n".join(taken).strip("\n"):
        yield rest


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from (line[at : at + LONGEST_LINE] for at in range(0, len(line) or 1, LONGEST_LINE))


def _preformatted(text: str, *, in_thread: bool) -> Message:
    leaf = {"type": "text", "text": text}
    element = {"type": "rich_text_preformatted", "elements": [leaf]}
    return Message(_escaped(text), ({"type": "rich_text", "elements": [element]},), in_thread)


def _escaped(text: str) -> str:
    """Text of several lines for Slack; what the templates gave holds nothing that would need more."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
