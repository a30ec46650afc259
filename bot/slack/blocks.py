"""Documents → Slack messages, each within Slack's limits, with complete plain text beside its blocks. Pure.

Text from git stands in rich text, which Slack does not parse: `<!channel>` in a subject pings nobody and
an identifier keeps its underscores. Only backticks are read, by us: they make code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bot.month.calendar import Month
from bot.slack.limits import MAX_BLOCKS_JSON, MAX_BLOCKS_TEXT, MAX_TEXT, block_text_length, blocks_json_size
from bot.slack.limits_blocks import MAX_HEADER, MAX_SECTION_TEXT
from bot.story.document import Document
from bot.story.render import NOWHERE, Templates, Web, context, names, ref_link, slack
from bot.story.wording import count, mark, shortened

Block = dict[str, Any]
MOST_COMMITS_NAMED = 8  # of one item in its line; the others follow the month
MOST_IN_A_LINE = 40  # commits, in the lines of what an item names no more
LONGEST_PLAIN = 1_500  # characters of one text beside the blocks, which have all of it; each & is five
LONGEST_HEADLINE = 400  # of a month in a profile
LONGEST_PARAGRAPH = 2_500  # of a profile; 110 words are some 700 characters, but for names that are none


@dataclass(frozen=True, slots=True)
class Message:
    """One message. One that is `in_thread` answers the first of its list."""

    text: str
    blocks: tuple[Block, ...]
    in_thread: bool = False

    def payload(self) -> dict[str, Any]:
        return {"text": self.text, "blocks": list(self.blocks)}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a message: leaves of rich text, and the same in plain text."""

    kind: Literal["heading", "item", "paragraph"]
    leaves: tuple[Block, ...]
    text: str


def month_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A month as a message and, where that is not enough, more in its thread. `web` is each repository's page."""
    told = context(document, web)
    title = f"{document['person']['name']}, {Month.parse(document['month']).title}"
    if document["to_date"]:
        title += " (to date)"
    opening = [_header(title), _paragraph(document["headline"]["text"])]
    text = f"*{slack(title)}*\n{_plain(document['headline']['text'])}"
    rows = [*_items(told, told), *_impact(told), *_paragraphs([told["helped"]]), *_paragraphs(_skills(told))]
    rows += _further_commits(told, told)
    return _packed(opening, text, rows, _footer(told, templates))


def digest_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A channel's month: a message of who did how much, and everyone's changes in its thread."""
    told = context(document, web)
    title = f"{Month.parse(document['month']).title}"
    if document["digest"] != "everyone":
        title += f", {document['digest']}"
    if document["to_date"]:
        title += " (to date)"
    opening = [_header(title), _paragraph(document["headline"]["text"])]
    text = f"*{slack(title)}*\n{_plain(document['headline']['text'])}"
    several = len(document["repositories"]) > 1
    themes = [_item(item, told, name_repository=several) for item in document["themes"]]
    root = _packed(opening, text, [*themes, *_summaries(document)], _footer(told, templates))
    rows = [row for one in document["people"] for row in (_name(one), *_items(one, told), *_further_commits(one, told))]
    details = _packed([], "", rows, []) if rows else []
    return [*root, *(Message(message.text, message.blocks, in_thread=True) for message in details)]


def profile_messages(document: Document, templates: Templates, web: Web = NOWHERE) -> list[Message]:
    """A whole history as a message of the paragraph and the repositories, and in its thread a line for each month."""
    told = context(document, web)
    title = document["person"]["name"]
    if document["from"]:
        title += f", {Month.parse(document['from']).title}"
        title += f" to {Month.parse(document['to']).title}" if document["to"] != document["from"] else ""
    if document["to_date"]:
        title += " (to date)"
    paragraph = shortened(" ".join(one["text"] for one in document["paragraph"]), LONGEST_PARAGRAPH)
    rows = [_contributed(one) for one in document["repositories"]]
    opening, text = [_header(title), _paragraph(paragraph)], f"*{slack(title)}*\n{slack(paragraph)}"
    root = _packed(opening, text, [_heading("Repositories"), *rows] if rows else [], _footer(told, templates))
    months = _packed([], "", [_of_month(one) for one in document["months"]], []) if document["months"] else []
    return [*root, *(Message(message.text, message.blocks, in_thread=True) for message in months)]


def _contributed(one: Document) -> Row:
    """A repository of a profile."""
    numbers = f"{count(one['months'], 'active month')}, {count(one['changes'], 'change')}"
    told = "; ".join([numbers, *(names(used) for used in (one["languages"], one["technologies"]) if used)])
    leaves = ({"type": "text", "text": one["name"], "style": {"bold": True}}, {"type": "text", "text": f": {told}"})
    return Row("item", leaves, f"• {slack(one['name'])}: {slack(told)}")


def _of_month(month: Document) -> Row:
    """A month of a profile in a line."""
    title = Month.parse(month["month"]).title
    said = f": {shortened(month['headline']['text'], LONGEST_HEADLINE)}"
    leaves = ({"type": "text", "text": title, "style": {"bold": True}}, {"type": "text", "text": said})
    return Row("item", leaves, f"• {slack(title)}{slack(said)}")


def words_message(text: str) -> Message:
    """Plain words, already fit for Slack."""
    shown = text if len(text) <= MAX_SECTION_TEXT else text[: MAX_SECTION_TEXT - 1] + "…"
    return Message(shown, (_mrkdwn(shown),))


def _header(text: str) -> Block:
    return {
        "type": "header",
        "text": {"type": "plain_text", "text": shortened(text, MAX_HEADER), "emoji": False},
    }


def _mrkdwn(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _paragraph(text: str) -> Block:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(_prose(text))}]}


def _footer(told: Document, templates: Templates) -> list[Block]:
    text = templates.render("slack/footer.j2", **told)
    element = {"type": "mrkdwn", "text": shortened(text, MAX_SECTION_TEXT), "verbatim": True}
    return [{"type": "context", "elements": [element]}]


def _items(month: Document, told: Document) -> Iterator[Row]:
    several = len(month["repositories"]) > 1
    for item in month["items"]:
        yield _item(item, told, name_repository=several)


def _further_commits(month: Document, told: Document) -> Iterator[Row]:
    """The commits of long items that their lines only count: each can be opened from here."""
    for item in month["items"]:
        further = item["evidence"][MOST_COMMITS_NAMED:]
        for start in range(0, len(further), MOST_IN_A_LINE):
            leaves, text = _commits(further[start : start + MOST_IN_A_LINE], told, most=MOST_IN_A_LINE)
            more = {"type": "text", "text": ", more commits:"}
            plain = f"• {_plain(item['title'])}, more commits:{text}"
            yield Row("item", (*_prose(item["title"]), more, *leaves), plain)


def _impact(told: Document) -> Iterator[Row]:
    for number, sentence in enumerate(told["impact"]):
        if not number:
            yield _heading("Impact")
        leaves, text = _commits(sentence["evidence"], told)
        yield Row("item", (*_prose(sentence["text"]), *leaves), f"• {slack(sentence['text'])}{text}")


def _skills(told: Document) -> list[str]:
    """What was worked with, a line for each sort."""
    return [f"{sort.capitalize()}: {names(used)}." for sort, used in told["skills"].items() if used]


def _paragraphs(lines: Sequence[str]) -> Iterator[Row]:
    """A paragraph of the lines that say something."""
    if said := [line for line in lines if line]:
        leaves = ({"type": "text", "text": "\n"}, {"type": "text", "text": "\n".join(said)})
        yield Row("paragraph", leaves, "\n" + "\n".join(map(slack, said)))


def _heading(text: str) -> Row:
    leaf = {"type": "text", "text": text, "style": {"bold": True}}
    return Row("heading", (leaf,), f"\n*{slack(text)}*")


def _name(month: Document) -> Row:
    return _heading(f"{month['person']['name']}: {count(month['counts']['changes'], 'change')}")


def _summaries(document: Document) -> Iterator[Row]:
    """Each person of a digest; the thread has all they did."""
    for summary, month in zip(document["summaries"], document["people"], strict=False):
        name = month["person"]["name"]
        rest = summary["text"].removeprefix(name)
        named = _prose(name, "bold") if rest != summary["text"] else ()
        leaves = ({"type": "text", "text": "\n"}, *named, *_prose(rest))
        yield Row("paragraph", leaves, f"\n{_plain(summary['text'])}")


def _item(item: Document, told: Document, *, name_repository: bool) -> Row:
    web = told["web"][item["repository"]]
    leaves = list(_prose(item["title"], "bold"))
    text = f"• {_plain(item['title'])}"
    if became := mark(item["kind"], item["state"]):
        leaves.append({"type": "text", "text": f" ({became})"})
        text += f" ({became})"
    for ref in item["refs"][:MOST_COMMITS_NAMED]:
        leaves += [{"type": "text", "text": " "}, _linked(ref, ref_link(ref, web))]
        text += f" {slack(ref)}"
    commits, shas = _commits(item["evidence"], told)
    leaves, text = [*leaves, *commits], text + shas
    if name_repository:
        leaves.append({"type": "text", "text": f" in {item['repository']}"})
        text += f" in {slack(item['repository'])}"
    if item["text"]:
        leaves += [{"type": "text", "text": "\n"}, *_prose(item["text"])]
        text += f"\n   {_plain(item['text'])}"
    return Row("item", tuple(leaves), text)


def _plain(text: str) -> str:
    """A text of the plain form, escaped, and cut where it would not fit into a message: its blocks have all of it."""
    escaped = slack(text)
    if len(escaped) <= LONGEST_PLAIN:
        return escaped
    return slack(shortened(text, LONGEST_PLAIN * len(text) // len(escaped)))


def _commits(evidence: Sequence[str], told: Document, most: int = MOST_COMMITS_NAMED) -> tuple[list[Block], str]:
    """The first few commits with their pages and how many more, and the same in plain text."""
    leaves: list[Block] = []
    for sha in evidence[:most]:
        leaves += [{"type": "text", "text": " "}, _linked(sha[:9], told["links"][sha], code=True)]
    more = len(evidence) - most
    if more > 0:
        leaves.append({"type": "text", "text": f" and {more:,} more"})
    return leaves, "".join(leaf["text"] for leaf in leaves)


def _prose(text: str, style_of_all: Literal["bold"] | None = None) -> Iterator[Block]:
    """Text from git, with what its author put between backticks as code."""
    style: dict[str, bool] = {style_of_all: True} if style_of_all else {}
    for number, part in enumerate(re.split(r"`([^`\s](?:[^`]*[^`\s])?)`", text)):
        if part:
            shown = {**style, "code": True} if number % 2 else style
            yield {"type": "text", "text": part, **({"style": shown} if shown else {})}


def _linked(text: str, url: str | None, *, code: bool = False) -> Block:
    leaf: Block = {"type": "link", "url": url, "text": text} if url else {"type": "text", "text": text}
    if code:
        leaf["style"] = {"code": True}
    return leaf


def _packed(opening: list[Block], text: str, rows: Sequence[Row], closing: list[Block]) -> list[Message]:
    """The rows in as few messages as Slack's limits allow, the opening in the first, the closing in the last.

    A heading is never the last line of a message.
    """
    messages: list[Message] = []
    head, said, taken = opening, text, list[Row]()
    for row in rows:
        if taken and not _fits(head, said, [*taken, row], []):
            carried = [taken.pop()] if len(taken) > 1 and taken[-1].kind == "heading" else []
            messages.append(_message(head, said, taken, [], in_thread=bool(messages)))
            head, said, taken = [], "", carried
        taken.append(row)
    if closing and not _fits(head, said, taken, closing):
        messages.append(_message(head, said, taken, [], in_thread=bool(messages)))
        head, said, taken = [], "", []
    messages.append(_message(head, said, taken, closing, in_thread=bool(messages)))
    return messages


def _fits(head: list[Block], text: str, rows: Sequence[Row], closing: list[Block]) -> bool:
    message = _message(head, text, rows, closing)
    return (
        len(message.text) <= MAX_TEXT
        and block_text_length(message.blocks) <= MAX_BLOCKS_TEXT
        and blocks_json_size(message.blocks) <= MAX_BLOCKS_JSON
    )


def _message(
    head: list[Block], text: str, rows: Sequence[Row], closing: list[Block], *, in_thread: bool = False
) -> Message:
    blocks = [*head, *([_rich_text(rows)] if rows else []), *closing]
    lines = [text, *(row.text for row in rows)]
    if closing:
        lines.append("\n" + str(closing[0]["elements"][0]["text"]))
    return Message("\n".join(line for line in lines if line).strip("\n"), tuple(blocks), in_thread)


def _rich_text(rows: Sequence[Row]) -> Block:
    elements: list[Block] = []
    for row in rows:
        section = {"type": "rich_text_section", "elements": list(row.leaves)}
        if row.kind != "item":
            elements.append(section)
        elif elements and elements[-1]["type"] == "rich_text_list":
            elements[-1]["elements"].append(section)
        else:
            elements.append({"type": "rich_text_list", "style": "bullet", "elements": [section]})
    return {"type": "rich_text", "elements": elements}
