"""Documents → Slack messages, each within Slack's limits, with complete plain text beside its blocks. Pure.

What they say and in which order is the templates' (templates/slack, which are those of Markdown unless a team has its
own); see rich_text.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.slack.packing import (
    BREAK,
    NOTHING,
    Block,
    Message,
    Part,
    Row,
    header,
    packed,
    titled,
    words_message,
)
from bot.slack.rich_text import rows_of
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import NOWHERE, Templates, Web, context

if TYPE_CHECKING:
    from bot.story.list_documents import ListDocument
    from bot.story.profile_documents import ProfileDocument

__all__ = [
    "Block",
    "Message",
    "digest_messages",
    "month_messages",
    "plain_messages",
    "words_message",
]


def month_messages(document: MonthDocument, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A month as a message and, where that is not enough, more in its thread. `web` is each repository's page."""
    return _messages(rows_of(templates.render("slack/month.j2", **context(document, web))))


def digest_messages(document: DigestDocument, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """What a team did, in one message."""
    return _messages(rows_of(templates.render("slack/team.j2", **context(document, web))))


def plain_messages(document: ProfileDocument | ListDocument, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A whole history, or a list, all in one thread."""
    return _messages(rows_of(templates.render(f"slack/{document.template}.j2", **context(document, web))))


def _messages(rows: Sequence[Row]) -> list[Message]:
    """The rows as messages, a heading at their beginning as the first one's header."""
    if rows and rows[0].kind == "heading":
        title = "".join(leaf["text"] for leaf in rows[0].leaves)
        first, *others = rows[1:] or [Row("paragraph", (), "")]
        first = replace(first, leaves=first.leaves[1:] if first.leaves[:1] == (BREAK,) else first.leaves)
        return packed(Part((header(title),), titled(title)), [first, *others] if rows[1:] else [])
    return packed(NOTHING, rows)
