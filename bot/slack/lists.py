"""Lists, comparisons, who worked on what, and Markdown to be copied → Slack messages within Slack's limits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.month.calendar import Month
from bot.slack.blocks import commits_in_line, item_row
from bot.slack.limits import MAX_TEXT
from bot.slack.limits.blocks import MAX_SECTION_TEXT
from bot.slack.packing import Block, Message, Part, Row, context_block, header, heading_row, packed, paragraph, plain
from bot.slack.packing import prose as prose_in
from bot.story.document import Document
from bot.story.render import NOWHERE, Templates, Web, context, slack
from bot.story.wording import shortened

LONGEST_LINE = 1_000  # characters of Markdown; a longer one is broken


def changes_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A list of changes; of several people each under their name."""
    told = context(document, web)
    rows: list[Row] = []
    for person in document["people"]:
        if len(document["people"]) > 1:
            rows.append(heading_row(person["called"]))
        rows += _items(person["items"], told)
    return _messages(told, templates, rows)


def comparison_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Months or people side by side: what differs, then what each was about."""
    told = context(document, web)
    rows = [_line(sentence["text"], sentence["evidence"], told) for sentence in document["differences"]]
    for side in document["sides"]:
        rows += [heading_row(side["name"]), _paragraph(side["headline"]["text"]), *_items(side["items"], told)]
    return _messages(told, templates, rows)


def who_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Who worked on a topic, each with when, and what they did."""
    told = context(document, web)
    rows: list[Row] = []
    for person in document["people"]:
        leaves, shas = commits_in_line(person["headline"]["evidence"], told)
        summary = f": {person['headline']['text']}"
        name: Block = {"type": "text", "text": person["called"], "style": {"bold": True}}
        said: Block = {"type": "text", "text": summary}
        rows.append(Row("heading", (name, said, *leaves), f"\n*{slack(person['called'])}*{slack(summary)}{shas}"))
        rows += _items(person["items"], told)
    return _messages(told, templates, rows)


def shipped_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Several months of everyone, each by what it was about."""
    told = context(document, web)
    rows: list[Row] = []
    for month in document["months"]:
        title = Month.parse(month["month"]).title + (" (to date)" if month["to_date"] else "")
        rows += [heading_row(title), _paragraph(month["headline"]["text"]), *_items(month["items"], told)]
    return _messages(told, templates, rows)


def markdown_messages(documents: Sequence[Document], templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """Documents as Markdown to be copied: preformatted, in as many messages as it takes, broken between lines."""
    texts = [templates.month("markdown", document, web) for document in documents]
    pieces = list(_pieces("\n\n\n".join(texts)))
    return [_preformatted(piece, in_thread=number > 0) for number, piece in enumerate(pieces)]


def _messages(told: Document, templates: Templates, rows: Sequence[Row]) -> list[Message]:
    text = told["headline"]["text"]
    opening = Part((header(told["title"]), paragraph(text)), f"*{slack(told['title'])}*\n{plain(text)}")
    footer = shortened(templates.render("slack/list_footer.j2", **told), MAX_SECTION_TEXT)
    return packed(opening, rows, Part((context_block(footer),), f"\n{footer}"))


def _items(items: Iterable[Document], told: Document) -> Iterator[Row]:
    several = len(told["repositories"]) > 1
    return (item_row(item, told, name_repository=several) for item in items)


def _line(text: str, evidence: Sequence[str], told: Document) -> Row:
    leaves, shas = commits_in_line(evidence, told)
    return Row("item", (*prose_in(text), *leaves), f"• {plain(text)}{shas}")


def _paragraph(text: str) -> Row:
    leaf: Block = {"type": "text", "text": "\n"}
    return Row("paragraph", (leaf, *prose_in(text)), plain(text))


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
