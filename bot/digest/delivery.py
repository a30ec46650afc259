"""A digest's messages → the outbox → Slack, once a channel, whom it is of, and period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.digest.subscription import DigestPost
from bot.slack.elements import Message
from bot.slack.sender import Sender
from bot.story.wording import count
from storage import Store
from storage.outbox import Post


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of it, in words, and whether it is well."""

    ok: bool
    text: str


def planned_posts(digest: DigestPost, channel: str, messages: Sequence[Message], prefix: str = "") -> list[Post]:
    """A digest's messages as they are written down. `prefix` is said before it ("Late: …")."""
    payloads = [message.payload() for message in messages]
    if prefix:
        payloads[0] = _prefixed(payloads[0], prefix)
    return [
        Post(digest.message_key(part), channel, payload, thread_key=digest.key if part else None)
        for part, payload in enumerate(payloads)
    ]


def first_key(post: Post) -> str:
    """The key of the first message of the digest that a message belongs to."""
    return post.thread_key or post.key


def deliver(
    digest: DigestPost, store: Store, sender: Sender, now: datetime, seconds: float, *, again: bool = False
) -> Delivered:
    """Post a digest that was written down (`Digests.plan`), unless that was done before. Waits until it is there, or
    cannot be, for some seconds at most. `again` sends what is not known to be there, since somebody looked and it is
    not."""
    store.outbox.revive(digest.key, now)  # what was refused may be fixed by now
    for post in store.outbox.in_state("unknown", digest.key) if again else ():
        if first_key(post) == digest.key:
            store.outbox.try_again(post, now)
    before = store.outbox.parts(digest.key)  # an earlier run may have got only so far
    sender.send_waiting(seconds, digest.key)
    return outcome(digest, store, before)


def outcome(digest: DigestPost, store: Store, before: Mapping[str, str]) -> Delivered:
    """What became of the messages of a digest; `before` are their states before they were sent."""
    title = f"{digest.period.title[0].upper()}{digest.period.title[1:]}"
    posts = [post for key in before if (post := store.outbox.get(key))]
    states = [post.state for post in posts]
    errors = [post.error for post in posts if post.error]
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
