"""The modals of /almanac digest: the digests that somebody may see, and one to make or to change. Pure.

Everything in them has its most, so that they fit whatever there is. Text that people wrote stands in plain text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.slack.blocks import Block, Message
from bot.slack.buttons import actions, button, compact, context
from bot.slack.modals import DIGESTS, View, fitting, modal, words
from bot.slack.packing import header
from bot.slack.payload_checks import reads
from bot.slack_app.home.blocks import line, plain, slack_date, sure_of
from bot.slack_app.home.content import DigestRow
from bot.story.states import on

TITLE = "Digests"
# What a press means, as the beginning of an action_id. Home has buttons of its own for some of it.
NEW = "digest_new"
EDIT = "digest_edit"
PREVIEW = "digest_preview"
PAUSE = "digest_pause"
RESUME = "digest_resume"
POST = "digest_post"
DELETE = "digest_delete"
ASK_ME = "digest_ask_me"
MENTION_ME = "digest_mention_me"
UPDATE = "digest_update"  # posted digests, after a correction

MOST_ROWS = 20  # three blocks each of a hundred

NONE = "There is no digest yet that you may see."
IN_TOML = "Set in almanac.toml: change it there. The folder that a digest's words come from is set there, too."
MORE = "{count} more: almanac digest --list prints them all."
ASKED = "Before a digest that wants it so, you are asked about your part of it."
NOT_ASKED = "You are never asked about your part of a digest before it is posted."
MENTIONED = "Digests mention you where they tell of you, so that Slack notifies you."
NAMED = "Digests only name you: Slack notifies you of none."


@dataclass(frozen=True, slots=True)
class Row:
    """A digest as the list shows it; `may_read` says whether its reader may see how it would be."""

    digest: DigestRow
    may_read: bool = False


@dataclass(frozen=True, slots=True)
class Wishes:
    """How somebody wants to be treated by all digests."""

    is_asked: bool = True
    is_mentioned: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """What a modal keeps of where it was opened: the channel; the Home tab, as its reader's direct messages; and the
    digest that is changed in it, by key and cadence."""

    channel: str = ""
    home: str = ""
    digest: tuple[str, str] | None = None

    def written(self) -> str:
        where = {key: value for key, value in (("channel", self.channel), ("home", self.home)) if value}
        named = {"key": self.digest[0], "cadence": self.digest[1]} if self.digest else {}
        return compact({**where, **named})

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Kept:
        try:
            kept = json.loads(view.get("private_metadata") or "{}")
        except ValueError:
            kept = {}
        kept = kept if isinstance(kept, dict) else {}
        digest = (str(kept["key"]), str(kept["cadence"])) if "key" in kept and "cadence" in kept else None
        return cls(str(kept.get("channel") or ""), str(kept.get("home") or ""), digest)


@reads
def named(value: str) -> tuple[str, str]:
    """The digest that a button means, by key and cadence."""
    held = json.loads(value)
    return str(held["key"]), str(held["cadence"])


# the list


def listing(rows: Sequence[Row], kept: Kept, wishes: Wishes, said: str = "", *, can_make: bool = True) -> View:
    """The digests, those of the channel that was asked in first."""
    blocks = [words(said)] if said else []
    if not rows:
        blocks.append(words(NONE))
    for number, row in enumerate(rows[:MOST_ROWS]):
        blocks += _row(row, number)
    if len(rows) > MOST_ROWS:
        blocks.append(context(MORE.format(count=f"{len(rows) - MOST_ROWS:,}")))
    if can_make:
        first = {} if rows else {"style": "primary"}
        blocks += actions([button("New digest", f"{NEW}.0", "new", **first)])
    return modal(TITLE, [*blocks, *_wishes(wishes)], private_metadata=kept.written(), callback_id=DIGESTS)


def _row(row: Row, number: int) -> Iterator[Block]:
    one = row.digest
    about = f"{line(one.channel)}: {line(one.whom)}, {one.cadence}"
    why = f": {line(one.paused_why)}" if one.paused_why else ""
    following = {"type": "mrkdwn", "text": f"Next: {slack_date(one.next_at)}", "verbatim": True}
    yield {**words(about), "fields": [plain(f"Paused{why}") if one.paused else following]}
    yield from actions(_row_buttons(row, number))
    if not one.is_ours:
        yield context(IN_TOML)


def _row_buttons(row: Row, number: int) -> Iterator[Block | None]:
    one = row.digest
    value = compact({"key": one.key, "cadence": one.cadence})
    if one.may_change and one.is_ours:
        yield button("Edit", f"{EDIT}.{number}", value)
    if row.may_read:
        yield button("Preview", f"{PREVIEW}.{number}", value)
    if one.may_change:
        if one.paused:
            yield button("Resume", f"{RESUME}.{number}", value)
        else:
            yield button("Pause", f"{PAUSE}.{number}", value)
        sure = sure_of("Post it now?", "The last period that is over is posted, unless it was before.", "Post now")
        yield button("Post now", f"{POST}.{number}", value, confirm=sure)
    if one.may_change and one.is_ours:
        sure = sure_of("Delete this digest?", "It is not posted any more. What is posted stays.", "Delete")
        yield button("Delete", f"{DELETE}.{number}", value, style="danger", confirm=sure)


def _wishes(wishes: Wishes) -> Iterator[Block]:
    yield header("You in digests")
    ask = "Never ask me" if wishes.is_asked else "Ask me again"
    mention = "Only name me" if wishes.is_mentioned else "Mention me"
    yield context(f"{ASKED if wishes.is_asked else NOT_ASKED} {MENTIONED if wishes.is_mentioned else NAMED}")
    yield from actions([button(ask, f"{ASK_ME}.0", "ask"), button(mention, f"{MENTION_ME}.0", "mention")])


def preview(title: str, channel: str, messages: Sequence[Message], kept: Kept) -> View:
    """A digest as it would be posted, as much of it as fits."""
    said = context(f"{line(title)}, as {line(channel)} would read it. Nothing is posted.")
    blocks = [said, *fitting([block for one in messages for block in one.blocks], 2)]
    return modal("Preview", blocks, private_metadata=kept.written())


# after something was done


def saved(channel: str, whom: str, cadence: str, title: str, due_at: datetime, zone: str) -> str:
    """What is said of a digest that was made or changed."""
    local = due_at.astimezone(ZoneInfo(zone))
    return (
        f"Saved: {line(channel)}, {line(whom)}, {cadence}. It tells {title} on {on(due_at, ZoneInfo(zone))} at "
        f"{local:%H:%M} ({zone})."
    )


def updatable(offers: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """A button for each posted digest that can be told anew, by value and label."""
    return actions(button(label, f"{UPDATE}.{number}", value) for number, (value, label) in enumerate(offers))
