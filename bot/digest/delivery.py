"""A digest's messages → the outbox → Slack, once a channel, whom it is of, and period."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.digest.keys import first_key, first_of, is_whole, period_key, period_of, prefix_of, schedule_of
from bot.digest.rate_limit import RateLimit
from bot.digest.sending import Sender
from bot.month.calendar import Period, parse_period
from bot.slack.blocks import Message
from bot.slack.poster import Poster
from bot.story.document import Document
from bot.story.wording import count
from storage.outbox import Outbox, Post

BY_HAND_SECONDS = 3600.0  # what a person who posts a digest waits for it at most, where Slack asks to wait
UNHURRIED = RateLimit(apart=0.0)


class Posts(Protocol):
    @property
    def outbox(self) -> Outbox: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel, and whose digest it gets: a team's, or what stands behind the bar of a schedule's key."""

    channel: str
    team: str | None
    zone: str

    @property
    def key(self) -> str:
        """As a schedule has it."""
        return f"{self.channel.lstrip('#')}|{self.team or ''}"


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of it, in words, and whether it is well."""

    ok: bool
    text: str


def planned_posts(first: str, channel: str, messages: Sequence[Message], prefix: str = "") -> list[Post]:
    """A digest's messages as they are written down. `prefix` is said before it ("Late: …")."""
    payloads = [message.payload() for message in messages]
    if prefix:
        payloads[0] = _prefixed(payloads[0], prefix)
    return [
        Post(f"{first}|{part}" if part else first, channel, payload, thread_key=first if part else None)
        for part, payload in enumerate(payloads)
    ]


def deliver(
    wanted: Wanted,
    document: Document,
    messages: Sequence[Message],
    workspace: str,
    store: Posts,
    poster: Poster,
    now: datetime,
    prefix: str = "",
    *,
    channel: str = "",
    again: bool = False,
    rate_limit: RateLimit = UNHURRIED,
    sleep: Callable[[float], None] = time.sleep,
) -> Delivered:
    """Post a digest to its channel, by its id where that is known, unless that was done before. Waits until it is
    there, or cannot be. `again` sends what is not known to be there, since somebody looked and it is not.
    """
    first = first_key(workspace, wanted.key, period_key(document, now))
    store.outbox.unskip(first)
    poster.plan(planned_posts(first, channel or wanted.channel, messages, prefix))
    store.outbox.revive(first, now)  # what was refused may have been mended
    for post in store.outbox.in_state("unknown", first) if again else ():
        if first_of(post.key) == first:
            store.outbox.try_again(post, now)
    before = store.outbox.parts(first)  # an earlier run may have got only so far

    def pause(seconds: float) -> bool:
        if seconds:
            sleep(seconds)
        return False

    Sender(poster, store.outbox, pause, rate_limit).send_waiting(BY_HAND_SECONDS, first)
    return told(parse_period(document["month"]), before, [store.outbox.get(key) for key in before])


def posted_periods(store: Posts, workspace: str) -> set[tuple[str, Period]]:
    """(schedule key, period) of every digest of a complete period that was written down: none of them is due."""
    keys = {first_of(key) for key in store.outbox.keys(prefix_of(workspace))}
    return {(schedule_of(key), period_of(key)) for key in keys if is_whole(key)}


def told(month: Period, before: dict[str, str], posts: Sequence[Post | None]) -> Delivered:
    """What became of the messages of a period; `before` are their states before they were sent."""
    title = f"{month.title[0].upper()}{month.title[1:]}"
    states = [post.state for post in posts if post]
    errors = [post.error for post in posts if post and post.error]
    worst = next((bad for bad in ("unknown", "failed", "sending", "planned") if bad in states), None)
    reason = f" ({errors[0]})" if errors else ""
    if worst == "failed":
        return Delivered(False, f"{title} could not be posted{reason}")
    if worst == "unknown":
        return Delivered(
            False,
            f"{title}: not known whether Slack has it, so it is not sent again{reason}; if it is not, use --again",
        )
    if worst == "sending":
        return Delivered(True, f"{title} is being posted by another process")
    if worst == "planned":
        return Delivered(False, f"{title} is not posted yet{reason}; run this again, or leave it to the bot")
    if "planned" not in before.values():
        return Delivered(True, f"{title} was posted already, nothing sent")
    return Delivered(True, f"{title} posted ({count(len(states), 'message')})")


def _prefixed(payload: dict[str, Any], prefix: str) -> dict[str, Any]:
    note = {"type": "context", "elements": [{"type": "mrkdwn", "text": prefix, "verbatim": True}]}
    return {"text": f"{prefix}\n{payload['text']}", "blocks": [note, *payload["blocks"]]}
