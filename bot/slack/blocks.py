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
from bot.story.render import Templates, commit_link, context, ref_link, slack
from bot.story.wording import count, heading, mark, shortened

Block = dict[str, Any]
NAMED_IN_LINE = 2  # items of a person in a digest's first message; the thread has all of them
LONGEST_IN_LINE = 90
MOST_COMMITS_NAMED = 8  # of one item; a merge item can hold hundreds


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


def month_messages(document: Document, templates: Templates) -> list[Message]:
    """A month as a message and, where that is not enough, more in its thread."""
    title = f"{document['person']['name']}, {Month.parse(document['month']).title}"
    if document["to_date"]:
        title += " (to date)"
    opening = [_header(title), _paragraph(document["headline"]["text"])]
    text = f"*{slack(title)}*\n{slack(document['headline']['text'])}"
    rows = [*_items(document), *_helped(document)]
    return _packed(opening, text, rows, _footer(document, templates))


def digest_messages(document: Document, templates: Templates) -> list[Message]:
    """A channel's month: a message of who did how much, and everyone's changes in its thread."""
    title = f"{Month.parse(document['month']).title}"
    if document["digest"] != "everyone":
        title += f", {document['digest']}"
    if document["to_date"]:
        title += " (to date)"
    opening = [_header(title), _paragraph(document["headline"]["text"])]
    text = f"*{slack(title)}*\n{slack(document['headline']['text'])}"
    people = [_one_line(month) for month in document["people"]]
    root = _packed(opening, text, people, _footer(document, templates))
    rows = [row for month in document["people"] for row in (_name(month), *_items(month, headings=False))]
    details = _packed([], "", rows, []) if rows else []
    return [*root, *(Message(message.text, message.blocks, in_thread=True) for message in details)]


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
    leaf = {"type": "text", "text": text}
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [leaf]}]}


def _footer(document: Document, templates: Templates) -> list[Block]:
    text = templates.render("slack/footer.j2", **context(document))
    element = {"type": "mrkdwn", "text": shortened(text, MAX_SECTION_TEXT), "verbatim": True}
    return [{"type": "context", "elements": [element]}]


def _items(document: Document, *, headings: bool = True) -> Iterator[Row]:
    several = len(document["repositories"]) > 1
    web = context(document)["web"]
    before = None
    for item in document["items"]:
        if headings and item["kind"] != before:
            before = item["kind"]
            yield _heading(heading(before))
        yield _item(item, web[item["repository"]], name_repository=several)


def _helped(document: Document) -> Iterator[Row]:
    if sentences := " ".join(context(document)["helped"]):
        leaves = ({"type": "text", "text": "\n"}, {"type": "text", "text": sentences})
        yield Row("paragraph", leaves, f"\n{slack(sentences)}")


def _heading(text: str) -> Row:
    leaf = {"type": "text", "text": text, "style": {"bold": True}}
    return Row("heading", (leaf,), f"\n*{slack(text)}*")


def _name(month: Document) -> Row:
    return _heading(f"{month['person']['name']}: {count(month['counts']['changes'], 'change')}")


def _one_line(month: Document) -> Row:
    """A person in a digest: the first of what they did, and how much more there is in the thread."""
    name = month["person"]["name"]
    titles = [_marked(item) for item in month["items"][:NAMED_IN_LINE]]
    more = len(month["items"]) - len(titles)
    told = f": {'; '.join(titles)}" + (f"; {more} more" if more else "")
    leaves = ({"type": "text", "text": name, "style": {"bold": True}}, {"type": "text", "text": told})
    return Row("item", leaves, f"• {slack(name)}{slack(told)}")


def _marked(item: Document) -> str:
    """A title in a line of several, with what became of it."""
    became = mark(item["kind"], item["state"])
    return shortened(item["title"], LONGEST_IN_LINE) + (f" ({became})" if became else "")


def _item(item: Document, web: str | None, *, name_repository: bool) -> Row:
    leaves = list(_prose(item["title"]))
    text = f"• {slack(item['title'])}"
    for ref in item["refs"][:MOST_COMMITS_NAMED]:
        leaves += [{"type": "text", "text": " "}, _linked(ref, ref_link(ref, web))]
        text += f" {slack(ref)}"
    for sha in item["evidence"][:MOST_COMMITS_NAMED]:
        leaves += [{"type": "text", "text": " "}, _linked(sha[:9], commit_link(sha, web), code=True)]
        text += f" {sha[:9]}"
    more = len(item["evidence"]) - MOST_COMMITS_NAMED
    if more > 0:
        leaves.append({"type": "text", "text": f" and {more:,} more"})
        text += f" and {more:,} more"
    if name_repository:
        leaves.append({"type": "text", "text": f" in {item['repository']}"})
        text += f" in {slack(item['repository'])}"
    if item["text"]:
        leaves += [{"type": "text", "text": "\n"}, *_prose(item["text"], italic=True)]
        text += f"\n   {slack(item['text'])}"
    return Row("item", tuple(leaves), text)


def _prose(text: str, *, italic: bool = False) -> Iterator[Block]:
    """Text from git, with what its author put between backticks as code."""
    style = {"italic": True} if italic else {}
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
