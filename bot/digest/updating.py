"""A digest that is posted → updated in its place, after somebody corrected what it tells. Never posted anew."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.digest.composing import Composer
from bot.digest.follow_ups import FollowUps
from bot.digest.subscription import DigestPost, digest_keys
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import Message, words_message
from bot.slack.sender import Sender
from bot.slack.web_api import what_to_do
from bot.story.render import slack
from bot.story.wording import count
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

NOTHING_HERE = "Nothing is shown here any more: this digest was corrected."
TOO_OLD = frozenset({"edit_window_closed", "cant_update_message"})
TOO_OLD_WORDS = "this digest is too old to be changed: Slack takes no change of its messages any more"
GONE = "its messages were deleted"
MORE = "{messages} of it would be new, and are not added: ask for the whole by “what shipped in {month}”."


class Updating:
    """Puts what a digest tells now in the place of what it showed. Its methods block, and any thread may call them."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        members: Members,
        composer: Composer,
        follow_ups: FollowUps,
        ephemeral: Sender,
        workspace: str,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._composer = composer
        self._follow_ups = follow_ups
        self._ephemeral = ephemeral
        self._workspace = workspace

    def posts_showing(self, shas: Sequence[str]) -> list[tuple[DigestPost, str]]:
        """The posted digests that showed a change, which is known by these SHAs: each with the id of its channel, the
        newest first."""
        posts = [self._store.outbox.get(one) for one in self._store.digest_snapshots.posts_of(shas)]
        ours = digest_keys(self._workspace)
        sent = [one for one in posts if one and one.state == "sent" and one.key.startswith(ours)]
        found = [(one, post.channel) for post in sent if (one := self._store.digests.post(post.key))]
        found.sort(key=lambda pair: (pair[0].period.bounds(self._settings.zone)[1], pair[0].key), reverse=True)
        return [(one, self._id_of(channel)) for one, channel in found]

    def update(self, digest: DigestPost) -> str:
        """Update a digest in its place, as it is wanted now or else as it was; and say what was done. May be done
        twice.

        Raises AlmanacError where it cannot be made or changed.
        """
        wanted = Subscriptions(self._store.digests, self._settings.digests, self._settings.zone.key)
        live = (one for one in wanted.known(self._settings.now()) if one.id == digest.subscription.id)
        digest = replace(digest, subscription=next(live, digest.subscription))
        composed = self._composer.compose(digest)
        posts = list(self._sent(digest.key))
        if not posts:
            raise AlmanacError("it is not posted")
        messages = list(composed.messages)
        if prefix := _prefix(posts[0]):
            messages[0] = _prefixed(messages[0], prefix)
        nothing = words_message(slack(NOTHING_HERE))
        channel = self._id_of(posts[0].channel)
        for number, post in enumerate(posts):
            message = messages[number] if number < len(messages) else nothing
            self._change(channel, str(post.ts), message)
        known = self._follow_ups.known_by(digest, composed.document)
        self._store.digest_snapshots.posted(digest.key, known, self._settings.now())
        title = digest.period.title
        said = f"The digest of {title} is updated in its place."
        if (more := len(messages) - len(posts)) > 0:
            said += " " + MORE.format(messages=count(more, "message"), month=title)
        log.info("%s is updated", digest.key)
        return said

    def _sent(self, first: str) -> Iterator[Post]:
        """The messages of a digest that are in Slack, in order."""
        for key in self._store.outbox.parts(first):
            post = self._store.outbox.get(key)
            if post and post.state == "sent" and post.ts:
                yield post

    def _change(self, channel: str, ts: str, message: Message) -> None:
        refused = self._ephemeral.change(channel, ts, message)
        if refused in TOO_OLD:
            raise AlmanacError(TOO_OLD_WORDS)
        if refused:
            raise AlmanacError(GONE if refused == "message_not_found" else f"{refused}: {what_to_do(refused)}")

    def _id_of(self, channel: str) -> str:
        return self._members.place_named(channel).channel or channel


def _prefix(root: Post) -> dict[str, Any] | None:
    """The line above a digest that was posted late."""
    blocks = root.payload.get("blocks") or [{}]
    text = str(root.payload.get("text") or "")
    return dict(blocks[0]) if blocks[0].get("type") == "context" and text.startswith("This digest is late") else None


def _prefixed(message: Message, block: dict[str, Any]) -> Message:
    return replace(message, text=f"{block['elements'][0]['text']}\n{message.text}", blocks=(block, *message.blocks))
