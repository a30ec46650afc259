"""A digest's messages → the outbox → Slack, once a channel, team and month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from bot.month.calendar import Period, parse_period
from bot.slack.blocks import Message
from bot.slack.poster import Poster
from bot.story.document import Document
from bot.story.wording import count
from storage.outbox import Outbox, Post


class Posts(Protocol):
    @property
    def outbox(self) -> Outbox: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel, and whose digest it gets."""

    channel: str
    team: str | None
    zone: str

    def key(self, workspace: str, period: str) -> str:
        """The outbox key of the first message; the others' follow from it."""
        return f"digest|{workspace}|{self.channel.lstrip('#')}|{self.team or ''}|{period}"


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of it, in words, and whether it is well."""

    ok: bool
    text: str


def deliver(
    wanted: Wanted,
    document: Document,
    messages: Sequence[Message],
    workspace: str,
    store: Posts,
    poster: Poster,
    now: datetime,
    prefix: str = "",
) -> Delivered:
    """Post a digest to its channel unless that was done before. `prefix` is said before it ("Late: …")."""
    month = parse_period(document["month"])
    # A month that is not over may be posted today and again, in full, when it is.
    period = f"{month}@{now:%Y-%m-%d}" if document["to_date"] else str(month)
    first = wanted.key(workspace, period)
    keys = [first, *(f"{first}|{part}" for part in range(1, len(messages)))]
    payloads = [message.payload() for message in messages]
    if prefix:
        payloads[0] = _prefixed(payloads[0], prefix)
    poster.plan(
        [
            Post(key, wanted.channel, payload, thread_key=first if number else None)
            for number, (key, payload) in enumerate(zip(keys, payloads, strict=True))
        ]
    )
    store.outbox.revive(first, now)  # what was refused may have been mended
    before = store.outbox.parts(first)  # an earlier run may have got only so far
    states = poster.send(list(before))
    return _told(month, before, states, [store.outbox.get(key) for key in before])


REFUSED_AGAIN_AFTER = timedelta(hours=1)


def posted_periods(store: Posts, workspace: str, now: datetime) -> set[tuple[str, Period]]:
    """(schedule key, period) of every digest of a complete period that need not be posted now.

    One that Slack refused is due again after an hour, for its reason may have been mended.
    """
    prefix = f"digest|{workspace}|"
    again = set(store.outbox.refused(prefix, now - REFUSED_AGAIN_AFTER))
    found = set[tuple[str, Period]]()
    for key in store.outbox.keys(prefix):
        parts = key.split("|")
        if key not in again and len(parts) == 5 and "@" not in parts[4]:
            found.add((f"{parts[2]}|{parts[3]}", parse_period(parts[4])))
    return found


def _prefixed(payload: dict[str, Any], prefix: str) -> dict[str, Any]:
    note = {"type": "context", "elements": [{"type": "mrkdwn", "text": prefix, "verbatim": True}]}
    return {"text": f"{prefix}\n{payload['text']}", "blocks": [note, *payload["blocks"]]}


def _told(month: Period, before: dict[str, str], states: dict[str, str], posts: Sequence[Post | None]) -> Delivered:
    errors = [post.error for post in posts if post and post.error]
    worst = next((bad for bad in ("unknown", "failed", "planned", "sending") if bad in states.values()), None)
    reason = f" ({errors[0]})" if errors else ""
    if worst == "failed":
        return Delivered(False, f"{month.title} could not be posted{reason}")
    if worst == "unknown":
        return Delivered(False, f"{month.title}: not known whether Slack has it, so it is not sent again{reason}")
    if worst == "planned":
        return Delivered(False, f"{month.title} is not posted yet{reason}; run this again, or leave it to the bot")
    if worst == "sending":
        return Delivered(True, f"{month.title} is being posted by another process")
    if "planned" not in before.values():
        return Delivered(True, f"{month.title} was posted already, nothing sent")
    return Delivered(True, f"{month.title} posted ({count(len(states), 'message')})")
