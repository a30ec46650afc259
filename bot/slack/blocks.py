"""Documents → Slack messages, each within Slack's limits, with complete plain text beside its blocks. Pure.

What they say and in which order is the templates' (templates/slack, which are those of Markdown unless a team has its
own); see rich_text.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.slack.charts import NONE, Charts, digest_charts
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
from bot.story.render import NOWHERE, Templates, Web, context, slack_lines

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


def digest_messages(
    document: DigestDocument, templates: Templates, web: Web = NOWHERE, charts: bool = True
) -> list[Message]:
    """A channel's month: a message on what the team did, and in its thread a reply for each person."""
    values = context(document, web)
    rows = rows_of(templates.render("slack/team.j2", **values))
    root = _messages(rows, digest_charts(document) if charts else NONE)
    replies = [message for one in values["people"] for message in packed(NOTHING, person_rows(one, values, templates))]
    return [*root, *(replace(message, in_thread=True) for message in replies)]


def person_rows(one: MonthDocument, values: Mapping[str, Any], templates: Templates) -> list[Row]:
    """What the thread of a digest tells of somebody, with what they said of it themselves. `values` is the digest's
    context, in which `one` is among the people."""
    return rows_of(templates.render("slack/person.j2", **{**values, "one": one}))


def plain_messages(document: ProfileDocument | ListDocument, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A whole history, or a list: without charts, and all in one thread."""
    return _messages(rows_of(templates.render(f"slack/{document.template}.j2", **context(document, web))))


def _messages(rows: Sequence[Row], charts: Charts = NONE) -> list[Message]:
    """The rows as messages, a heading at their beginning as the first one's header; what charts show stands in the text
    beside them too, for whoever sees none."""
    shown = Part(charts.blocks, f"\n{slack_lines(charts.words)}") if charts.words else NOTHING
    if rows and rows[0].kind == "heading":
        title = "".join(leaf["text"] for leaf in rows[0].leaves)
        first, *others = rows[1:] or [Row("paragraph", (), "")]
        first = replace(first, leaves=first.leaves[1:] if first.leaves[:1] == (BREAK,) else first.leaves)
        return packed(Part((header(title),), titled(title)), [first, *others] if rows[1:] else [], charts=shown)
    return packed(NOTHING, rows, charts=shown)
