"""Rows of rich text → messages within Slack's limits, each with its plain text beside its blocks. Pure.

Text from git stands in rich text, which Slack does not parse: `<!channel>` in a subject pings nobody and
an identifier keeps its underscores. Only backticks are read, by us: they make code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.slack.limits import MAX_BLOCKS, MAX_BLOCKS_JSON, MAX_BLOCKS_TEXT, MAX_TEXT, block_text_length, blocks_json_size
from bot.slack.limits.blocks import MAX_HEADER, MAX_SECTION_TEXT
from bot.story.render import slack
from bot.story.wording import shortened

Block = dict[str, Any]
# Kept free in the first of several messages, for what can be pressed: there it is seen without opening the thread.
BUTTONS_TEXT, BUTTONS_JSON = 400, 3_000
# What steers a terminal or turns the reading order: C0 and C1 but for line breaks and tabs, and Unicode's Bidi_Control.
STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
BREAK: Block = {"type": "text", "text": "\n"}


@dataclass(frozen=True, slots=True)
class Message:
    """One message. One that is `in_thread` answers the first of its list."""

    text: str
    blocks: tuple[Block, ...]
    in_thread: bool = False

    def payload(self) -> dict[str, Any]:
        return {"text": unsteered(self.text), "blocks": unsteered(self.blocks)}


def unsteered(value: Any) -> Any:
    """JSON without signs that steer: whatever the bot posts goes through here."""
    if isinstance(value, str):
        return STEERING.sub("", value) or (value and "?")
    if isinstance(value, dict):
        return {key: unsteered(one) for key, one in value.items()}
    return [unsteered(one) for one in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Response:
    """What is shown to whoever pressed: messages, in the place of the one with the button where it says so, or
    nothing in that one's place."""

    messages: Sequence[Message] = ()
    replace: bool = False
    delete: bool = False
    said: str = ""  # in a modal
    below: Sequence[Block] = ()  # what can be pressed in that modal


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks that stand together, and the same in plain text."""

    blocks: tuple[Block, ...] = ()
    text: str = ""

    def __add__(self, other: Part) -> Part:
        return Part((*self.blocks, *other.blocks), "\n".join(text for text in (self.text, other.text) if text))


NOTHING = Part()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a message: leaves of rich text, and the same in plain text."""

    kind: Literal["heading", "item", "paragraph"]
    leaves: tuple[Block, ...]
    text: str
    indent: int = 0  # of an item in a nested list


def plain(text: str) -> Block:
    """Text in which Slack parses nothing."""
    return {"type": "plain_text", "text": text, "emoji": False}


def words_message(text: str) -> Message:
    """Plain words, already fit for Slack."""
    shown = text if len(text) <= MAX_SECTION_TEXT else text[: MAX_SECTION_TEXT - 1] + "…"
    return Message(shown, (_mrkdwn(shown),))


def header(text: str) -> Block:
    return {"type": "header", "text": plain(shortened(text, MAX_HEADER))}


def titled(text: str) -> str:
    """A title in plain text, as long as a header may be."""
    return f"*{slack(shortened(text, MAX_HEADER))}*"


def _mrkdwn(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def paragraph(text: str) -> Block:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(prose(text))}]}


def context_block(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": text, "verbatim": True}]}


def heading_row(text: str) -> Row:
    leaf = {"type": "text", "text": shortened(text, MAX_HEADER), "style": {"bold": True}}
    return Row("heading", (leaf,), f"\n{titled(text)}")


def prose(text: str, style_of_all: Literal["bold"] | None = None) -> Iterator[Block]:
    """Text from git, with what its author put between backticks as code."""
    style: dict[str, bool] = {style_of_all: True} if style_of_all else {}
    for number, part in enumerate(re.split(r"`([^`\s](?:[^`]*[^`\s])?)`", text)):
        if part:
            shown = {**style, "code": True} if number % 2 else style
            yield {"type": "text", "text": part, **({"style": shown} if shown else {})}


def packed(opening: Part, rows: Sequence[Row], closing: Part = NOTHING) -> list[Message]:
    """The rows in as few messages as Slack's limits allow: the opening in the first, the closing in the last. A heading
    is never the last line of a message.
    """
    whole = _message(opening, rows, closing)
    if fits(whole):
        return [whole]
    messages: list[Message] = []
    head, taken = opening, list[Row]()

    def end(closing: Part = NOTHING) -> None:
        nonlocal head, taken
        messages.append(_message(head, taken, closing, in_thread=bool(messages)))
        head, taken = NOTHING, []

    for row in rows:
        if (taken or head.blocks) and not fits(_message(head, [*taken, row], NOTHING), with_buttons=not messages):
            is_alone = len(taken) == 1 and not head.blocks
            carried = [taken.pop()] if taken and taken[-1].kind == "heading" and not is_alone else []
            end()
            taken = carried
        taken.append(row)
    if closing.blocks and not fits(_message(head, taken, closing)):
        end()
    end(closing)
    return messages


def fits(message: Message, *, with_buttons: bool = False) -> bool:
    """Whether Slack takes a message; `with_buttons`, also with what can be pressed below it."""
    return (
        len(message.text) <= MAX_TEXT
        and len(message.blocks) <= MAX_BLOCKS
        and block_text_length(message.blocks) <= MAX_BLOCKS_TEXT - with_buttons * BUTTONS_TEXT
        and blocks_json_size(message.blocks) <= MAX_BLOCKS_JSON - with_buttons * BUTTONS_JSON
    )


def _message(head: Part, rows: Sequence[Row], tail: Part, *, in_thread: bool = False) -> Message:
    lead = rows[0] if rows else None
    if lead and not head.blocks and lead.leaves[0] == BREAK:  # below nothing
        lead = replace(lead, leaves=lead.leaves[1:])
    blocks = (*head.blocks, *([_rich_text([lead, *rows[1:]])] if lead else []), *tail.blocks)
    lines = [head.text, *(row.text for row in rows), tail.text]
    return Message("\n".join(line for line in lines if line).strip("\n"), blocks, in_thread)


def _rich_text(rows: Sequence[Row]) -> Block:
    elements: list[Block] = []
    for row in rows:
        section = {"type": "rich_text_section", "elements": list(row.leaves)}
        last = elements[-1] if elements else {}
        if row.kind != "item":
            elements.append(section)
        elif last.get("type") == "rich_text_list" and last.get("indent", 0) == row.indent:
            last["elements"].append(section)
        else:
            nested = {"indent": row.indent} if row.indent else {}
            elements.append({"type": "rich_text_list", "style": "bullet", **nested, "elements": [section]})
    return {"type": "rich_text", "elements": elements}
