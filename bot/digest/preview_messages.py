"""Somebody's part of a digest, shown to them before it is posted, and what they can say of it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.month.corrections import LONGEST_TITLE
from bot.slack.blocks import Block, Message, person_rows
from bot.slack.buttons import actions, button, compact, context
from bot.slack.correcting import change_menu
from bot.slack.modals import View, modal, words
from bot.slack.packing import Part as Opening
from bot.slack.packing import header, packed, paragraph, plain, titled
from bot.slack.payload_checks import reads
from bot.story.document import Document
from bot.story.render import NOWHERE, Templates, Web
from bot.story.render import context as with_links
from bot.story.states import on
from bot.story.wording import clean, shortened

LONGEST_NOTE = 300
# What a press means, as the beginning of an action_id.
RIGHT = "part_right"
WORDING = "part_wording"  # opens a modal, which has this callback id
LEAVE = "part_leave"  # opens a modal, which has this callback id
NOTE = "part_note"  # opens a modal, which has this callback id
SKIP = "part_skip"
NEVER = "part_never"
MENTION = "part_mention"
STATUS = "part_status"  # the block that says what was answered

TITLES = {WORDING: "Change the wording", LEAVE: "Leave something out", NOTE: "In your own words"}
TELLS = "This is what the digest of {period} in {channel} will tell of you."
POSTED = "It is posted on {day} at {time} ({zone}). What you do until then is added, and what you say here counts."
SILENT = {
    False: "If you say nothing, it is posted as it is.",
    True: "If you say nothing, your part is left out.",
}
LONGEST_STATUS = "…" * 200  # room for what is said of an answer
SAID = {
    "right": "You said: it looks right.",
    "skip": "You are left out this time. “Looks right” takes that back.",
}
NEVER_AGAIN = "You are not asked any more. /almanac digest has a button to be asked again."
MENTIONED = "Digests mention you from now on, so that Slack notifies you."
NAMED = "Digests only name you from now on."
TOO_LATE = "This digest is posted already, so nothing of it can be said here any more."
NOTHING_LEFT = "Nothing of you is told here now."


@dataclass(frozen=True, slots=True)
class Part:
    """What somebody's part is of: a digest by its key, and when it is posted; and what they said of it so far."""

    digest: str
    period: str  # in words
    channel: str
    due_at: datetime
    zone: str
    leaves_out: bool = False  # who says nothing is left out
    note: str = ""
    answer: str = "asked"
    is_mentioned: bool = False


def part_messages(
    document: Document, one: Document, about: Part, templates: Templates, web: Web = NOWHERE
) -> list[Message]:
    """A person's part of a digest, with buttons above it. `one` is their document, `document` the digest's."""
    told = with_links({**document, "people": [{**one, **({"own_words": about.note} if about.note else {})}]}, web)
    local = about.due_at.astimezone(ZoneInfo(about.zone))
    said = (
        TELLS.format(period=about.period, channel=about.channel),
        POSTED.format(day=on(about.due_at, ZoneInfo(about.zone)), time=f"{local:%H:%M}", zone=about.zone),
        SILENT[about.leaves_out],
    )
    title = f"Your part of {about.period}"
    text = shortened(" ".join(said), 1_000)
    blocks = (header(title), paragraph(text), *_buttons(about), status_block(LONGEST_STATUS))
    opening = Opening(blocks, f"{titled(title)}\n{plain(text)}")
    first, *others = packed(opening, person_rows(told["people"][0], told, templates))
    return [answered(first, SAID.get(about.answer, "")), *others]


def _buttons(about: Part) -> tuple[Block, ...]:
    """Above the part, since that may be long."""
    key = about.digest
    return actions(
        [
            button("Looks right", RIGHT, key, style="primary"),
            button(TITLES[WORDING], WORDING, key),
            button(TITLES[LEAVE], LEAVE, key),
            button("Add a note", NOTE, key),
            button("Skip me this time", SKIP, key),
            button("Never ask me again", NEVER, key),
            button("Only name me" if about.is_mentioned else "Mention me", MENTION, key),
        ]
    )


def status_block(text: str) -> Block:
    return {**context(shortened(text, len(LONGEST_STATUS))), "block_id": STATUS}


def answered(message: Message, said: str) -> Message:
    """The message, which says below its buttons what was answered last; nothing where that is empty."""
    kept = [block for block in message.blocks if block.get("block_id") != STATUS]
    at = next((number for number, block in enumerate(kept, 1) if block["type"] == "actions"), len(kept))
    return replace(message, blocks=(*kept[:at], *([status_block(said)] if said else []), *kept[at:]))


def sent_back(text: str, blocks: Iterable[Block]) -> Message:
    """A message as Slack hands it back, to be shown again: it may not have been sent with all that Slack adds."""
    return Message(text or "Your part", tuple(dict(block) for block in blocks))


@dataclass(frozen=True, slots=True)
class Where:
    """The message that a modal was opened from, and the digest it is of."""

    digest: str
    channel: str
    ts: str

    def written(self) -> str:
        return compact({"digest": self.digest, "channel": self.channel, "ts": self.ts})

    @classmethod
    @reads
    def of(cls, view: Mapping[str, Any]) -> Where:
        """What a modal keeps."""
        kept = json.loads(view.get("private_metadata") or "{}")
        return cls(str(kept.get("digest")), str(kept.get("channel")), str(kept.get("ts")))


def wording(where: Where, document: Document) -> View:
    """Which change is to be called something else, and what."""
    typed = {"type": "plain_text_input", "action_id": "value", "min_length": 1, "max_length": LONGEST_TITLE}
    field = {"type": "input", "block_id": "value", "label": _plain("What should it be called?"), "element": typed}
    return _form(WORDING, "Call it that", where, [*_whose(document), field])


def leaving(where: Where, document: Document) -> View:
    """Which change is not to be told."""
    said = "It will be left out wherever this month is told. The month says that something is."
    return _form(LEAVE, "Leave it out", where, [*_whose(document), words(said)])


def _whose(document: Document) -> Sequence[Block]:
    return (change_menu(document),)


def noting(where: Where, note: str) -> View:
    """What somebody says of their part in their own words."""
    typed: Block = {
        "type": "plain_text_input",
        "action_id": "value",
        "multiline": True,
        "max_length": LONGEST_NOTE,
        **({"initial_value": note} if note else {}),
    }
    field = {
        "type": "input",
        "block_id": "value",
        "optional": True,
        "label": _plain("Your note"),
        "hint": _plain("It stands with your part, marked as your own words that are not proved. Empty: none."),
        "element": typed,
    }
    return _form(NOTE, "Keep", where, [field])


def _form(sort: str, submit: str, where: Where, blocks: Iterable[Block]) -> View:
    return modal(TITLES[sort], blocks, callback_id=sort, submit=_plain(submit), private_metadata=where.written())


@reads
def chosen(view: Mapping[str, Any]) -> str:
    """The commit of the change that was chosen in a modal."""
    return str(view["state"]["values"]["change"]["change"]["selected_option"]["value"])


@reads
def typed(view: Mapping[str, Any]) -> str:
    """What was typed into a modal."""
    return clean(str(view["state"]["values"]["value"]["value"].get("value") or ""))


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
