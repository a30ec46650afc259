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

from bot.digest.subscription import DigestSubscription, SubscriptionId
from bot.slack.elements import (
    DIGESTS,
    Block,
    Message,
    View,
    actions,
    button,
    compact,
    confirmation,
    context,
    form,
    kept_in,
    line,
    modal,
    plain,
    reads,
    slack_date,
    words,
)
from bot.slack.modals import fitting
from bot.slack.payloads import Action
from bot.story.states import on

TITLE = "Digests"
# What a press means, as the beginning of an action_id.
NEW = "digest_new"
EDIT = "digest_edit"
PREVIEW = "digest_preview"
PAUSE = "digest_pause"
RESUME = "digest_resume"
POST = "digest_post"
POST_SURELY = "digest_post_surely"  # the callback id of the modal that POST opens
DELETE = "digest_delete"
UPDATE = "digest_update"  # posted digests, after a correction

MOST_ROWS = 20  # three blocks each of a hundred

NONE = "There is no digest yet that you may see."
UNSEEN = "You are not shown it before, since you cannot read that channel."
IN_TOML = "Set in almanac.toml: change it there. The folder that a digest's words come from is set there, too."
MORE = "{count} more: almanac digest --list prints them all."


@dataclass(frozen=True, slots=True)
class DigestRow:
    """A digest as somebody sees it in a list. `channel` is what its channel is called; `may_read` says whether they may
    see how it would be."""

    subscription: DigestSubscription
    channel: str
    next_at: datetime
    may_change: bool = False
    may_read: bool = False

    @property
    def whom(self) -> str:
        one = self.subscription
        whom = f"team {one.team}" if one.team else f"@{one.group.lstrip('@')}" if one.group else "everyone"
        return f"{whom} in {', '.join(one.repositories)}" if one.repositories else whom

    def block(self) -> Block:
        """What it is, and when it is posted next. Only the date is read by Slack; all else in it is ours or plain."""
        one = self.subscription
        about = f"{line(self.channel)}: {line(self.whom)}, {one.cadence}"
        why = f": {line(one.paused_why)}" if one.paused_why else ""
        following = {"type": "mrkdwn", "text": f"Next: {slack_date(self.next_at)}", "verbatim": True}
        return {**words(about), "fields": [plain(f"Paused{why}") if one.is_paused else following]}


@dataclass(frozen=True, slots=True)
class OpenedFrom:
    """What a modal keeps of where it was opened: the channel; the Home tab, as its reader's direct messages; and the
    digest that is changed in it, by key and cadence."""

    channel: str = ""
    home: str = ""
    digest: SubscriptionId | None = None

    def written(self) -> str:
        where = {key: value for key, value in (("channel", self.channel), ("home", self.home)) if value}
        named = {"key": self.digest[0], "cadence": self.digest[1]} if self.digest else {}
        return compact({**where, **named})

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> OpenedFrom:
        """What a modal keeps."""
        kept = kept_in(view)
        digest = (str(kept["key"]), str(kept["cadence"])) if "key" in kept and "cadence" in kept else None
        return cls(str(kept.get("channel") or ""), str(kept.get("home") or ""), digest)

    @classmethod
    def at(cls, press: Action) -> OpenedFrom:
        """Where something was pressed: in a message, in one of our modals, or in Home."""
        if press.view.get("type") == "home":
            return cls(home=press.channel)
        return cls(press.channel, cls.of(press.view).home)


@reads
def named(value: str) -> SubscriptionId:
    """The digest that a button means, by key and cadence."""
    held = json.loads(value)
    return str(held["key"]), str(held["cadence"])


# the list


def listing(rows: Sequence[DigestRow], kept: OpenedFrom, said: str = "", *, can_make: bool = True) -> View:
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
    return modal(TITLE, blocks, private_metadata=kept.written(), callback_id=DIGESTS)


def _row(row: DigestRow, number: int) -> Iterator[Block]:
    yield row.block()
    yield from actions(_row_buttons(row, number))
    if not row.subscription.is_made_in_slack:
        yield context(IN_TOML)


def _row_buttons(row: DigestRow, number: int) -> Iterator[Block | None]:
    one = row.subscription
    value = compact({"key": one.key, "cadence": one.cadence})
    if row.may_change and one.is_made_in_slack:
        yield button("Edit", f"{EDIT}.{number}", value)
    if row.may_read:
        yield button("Preview", f"{PREVIEW}.{number}", value)
    if row.may_change:
        if one.is_paused:
            yield button("Resume", f"{RESUME}.{number}", value)
        else:
            yield button("Pause", f"{PAUSE}.{number}", value)
        yield button("Post now", f"{POST}.{number}", value)
    if row.may_change and one.is_made_in_slack:
        sure = confirmation("Delete this digest?", "It is not posted any more. What is posted stays.", "Delete")
        yield button("Delete", f"{DELETE}.{number}", value, style="danger", confirm=sure)


def preview(title: str, channel: str, messages: Sequence[Message], kept: OpenedFrom) -> View:
    """A digest as it would be posted, as much of it as fits."""
    said = context(f"{line(title)}, as {line(channel)} would read it. Nothing is posted.")
    blocks = [said, *fitting([block for one in messages for block in one.blocks if block["type"] != "actions"], 2)]
    return modal("Preview", blocks, private_metadata=kept.written())


def posting(title: str, channel: str, messages: Sequence[Message], kept: OpenedFrom) -> View:
    """Asks whether a digest is to be posted now, with as much of it as fits. Without messages, whoever is asked may not
    see it before."""
    shown = "It is posted so:" if messages else UNSEEN
    asked = words(f"{line(title)} is posted in {line(channel)} now, for all who read there. {shown}")
    blocks = [asked, *fitting([block for one in messages for block in one.blocks if block["type"] != "actions"], 2)]
    return form("Post it now?", blocks, POST_SURELY, "Post now", kept.written())


# after something was done


def saved(row: DigestRow, now: datetime) -> str:
    """What is said of a digest that was made or changed."""
    one = row.subscription
    zone = ZoneInfo(one.zone)
    return (
        f"Saved: {line(row.channel)}, {line(row.whom)}, {one.cadence}. It tells {one.upcoming(now).title} on "
        f"{on(row.next_at, zone)} at {row.next_at.astimezone(zone):%H:%M} ({one.zone})."
    )


def updatable(offers: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """A button for each posted digest that can be updated, by value and label."""
    return actions(button(label, f"{UPDATE}.{number}", value) for number, (value, label) in enumerate(offers))
