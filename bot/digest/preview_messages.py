"""Somebody's part of a digest, shown to them before it is posted, and what they can say of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from bot.digest.preview_rules import LONGEST_NOTE
from bot.digest.subscription import DigestPost
from bot.slack.blocks import Block, Message, person_rows
from bot.slack.buttons import actions, button, compact, context
from bot.slack.forms import View, form, input_block, kept_in, text_input, typed_in
from bot.slack.packing import Part as Opening
from bot.slack.packing import header, packed, paragraph, titled
from bot.slack.payload_checks import reads
from bot.story.documents import DigestDocument
from bot.story.render import NOWHERE, Templates, Web, slack
from bot.story.render import context as with_links
from bot.story.states import on
from bot.story.wording import clean, shortened
from storage.digests import Preview

# What a press means, as the beginning of an action_id.
RIGHT = "part_right"
CORRECT = "part_correct"  # opens the modal of a correction
NOTE = "part_note"  # opens a modal, which has this callback id
SKIP = "part_skip"
NEVER = "part_never"
STATUS = "part_status"  # the block that says what was answered

NOTE_TITLE = "In your own words"
TELLS = "This is what the digest of {period} in {channel} will tell of you."
POSTED = "It is posted on {day} at {time} ({zone}). What you do until then is added, and what you say here counts."
SILENT = {
    "post": "If you say nothing, it is posted as it is.",
    "leave out": "If you say nothing, your part is left out.",
}
LONGEST_STATUS = 200
SAID = {
    "right": "You said: it looks right.",
    "skip": "You are left out this time. “Looks right” undoes that.",
}
NEVER_AGAIN = "You are not asked any more. /almanac digest has a button to be asked again."
NOTED = {True: "Your own words are shown with your part.", False: "No words of yours are shown."}
TOO_LATE = "This digest is posted already, so nothing of it can be said here any more."


@dataclass(frozen=True, slots=True)
class PreviewContext:
    """Somebody's part of a digest for a channel, as that is called, and what they said of it so far."""

    digest: DigestPost
    channel: str
    said: Preview | None = None


def part_messages(
    document: DigestDocument, about: PreviewContext, templates: Templates, web: Web = NOWHERE
) -> list[Message]:
    """Somebody's part of a digest, with buttons above it. `document` is that of a digest of nobody else."""
    digest, wanted, said = about.digest, about.digest.subscription, about.said
    own_words = said.note if said and said.note else None
    values = with_links(replace(document, people=(replace(document.people[0], own_words=own_words),)), web)
    zone = ZoneInfo(wanted.zone)
    due = wanted.due_at(digest.period)
    sentences = (
        TELLS.format(period=digest.period.title, channel=about.channel),
        POSTED.format(day=on(due, zone), time=f"{due.astimezone(zone):%H:%M}", zone=wanted.zone),
        SILENT[wanted.unanswered],
    )
    title, text = f"Your part of {digest.period.title}", shortened(" ".join(sentences), 1_000)
    room = status_block("…" * LONGEST_STATUS)  # for what is said of an answer
    opening = Opening((header(title), paragraph(text), *_buttons(digest.key), room), f"{titled(title)}\n{slack(text)}")
    first, *others = packed(opening, person_rows(values["people"][0], values, templates))
    return [answered(first, SAID.get(said.answer, "") if said else ""), *others]


def _buttons(key: str) -> tuple[Block, ...]:
    """Above the part, since that may be long."""
    return actions(
        [
            button("Looks right", RIGHT, key, style="primary"),
            button("Not right?", CORRECT, key),
            button("Add a note", NOTE, key),
            button("Skip me this time", SKIP, key),
            button("Never ask me again", NEVER, key),
        ]
    )


def status_block(text: str) -> Block:
    return {**context(shortened(text, LONGEST_STATUS)), "block_id": STATUS}


def answered(message: Message, said: str) -> Message:
    """The message, which says below its buttons what was answered last; nothing where that is empty."""
    kept = [block for block in message.blocks if block.get("block_id") != STATUS]
    at = next((number for number, block in enumerate(kept, 1) if block["type"] == "actions"), len(kept))
    return replace(message, blocks=(*kept[:at], *([status_block(said)] if said else []), *kept[at:]))


@dataclass(frozen=True, slots=True)
class PreviewOrigin:
    """The message that a modal was opened from, and the digest it is of."""

    digest: str
    channel: str
    ts: str

    def written(self) -> str:
        return compact({"digest": self.digest, "channel": self.channel, "ts": self.ts})

    @classmethod
    @reads
    def of(cls, view: Mapping[str, Any]) -> PreviewOrigin:
        """What a modal keeps."""
        kept = kept_in(view)
        return cls(str(kept.get("digest")), str(kept.get("channel")), str(kept.get("ts")))


def noting(where: PreviewOrigin, note: str) -> View:
    """What somebody says of their part in their own words."""
    hint = "It stands with your part, marked as your own words that are not proved. Empty: none."
    typed = text_input(LONGEST_NOTE, least=0, value=note, multiline=True)
    block = input_block("value", "Your note", typed, hint, optional=True)
    return form(NOTE_TITLE, [block], NOTE, "Keep", where.written())


def note_in(view: Mapping[str, Any]) -> str:
    """The note that a modal was submitted with."""
    return clean(typed_in(view, "value"))
