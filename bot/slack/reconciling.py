"""Posts of which nobody knows whether Slack took them → looked for in the channel, by the key in their metadata.

What is found is sent; what is not there when looked for twice was never taken, and may be sent. Where the history may
not be read (the bot is not in the channel, or has no right to), or our clock is not Slack's, so that nobody knows since
when to look, nothing is sent again: a post too few is said, a post twice is not forgiven.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Literal

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from bot.slack.audience import is_id
from bot.slack.client import code_of, status_of
from bot.slack.refusals import AGAIN, UNCERTAIN
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

# A message that Slack took just now need not be in its history yet, and one whose answer we no longer wait for may be
# taken even now: before it is sent again, it is looked for once more.
LOOK_AFTER = timedelta(seconds=10)
SURE_AFTER = timedelta(minutes=1)
LOOKS = 2
# A look that is not allowed may be some day: the bot is invited, say.
LOOK_AGAIN_AFTER = timedelta(minutes=5)
LOOK_FOR = timedelta(days=7)  # who has looked in vain for so long looks no more
EARLIER = timedelta(hours=25)  # than we first sent it, by our clock, which may have been put right since
MOST_AMISS = timedelta(hours=1)  # how far our clock may be from Slack's for its word to be taken that nothing is there
PAGE, MOST_PAGES = 200, 25

Looked = Literal["found", "absent", "unseen", "unanswered"]


class Reconciler:
    """Settles what is `unknown`. Any number of threads and processes may look at the same time."""

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        now: Callable[[], datetime],
        event_type: str,
        look_after: timedelta = LOOK_AFTER,
        sure_after: timedelta = SURE_AFTER,
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._now = now
        self._event_type = event_type
        self._look_after = look_after
        self._sure_after = sure_after

    def reconcile(self) -> list[str]:
        """Look for every post that is `unknown`, and return the keys of those that may be sent again."""
        again = []
        for post in self._outbox.in_state("unknown"):
            wait = self._sure_after if post.searches else self._look_after
            wait = LOOK_AGAIN_AFTER if post.is_unsearchable else wait
            if post.changed_at and timedelta(0) <= self._now() - post.changed_at < wait:
                continue
            if post.is_unsearchable and post.tried_at and self._now() - post.tried_at > LOOK_FOR:
                continue
            looked, said = self._look(post)
            if looked == "found" and self._outbox.found(post, said, self._now()):
                log.info("%s: Slack has it after all", post.key)
            elif looked == "absent" and max(post.searches, 0) + 1 < LOOKS:
                self._outbox.not_found(post, self._now())
            elif looked == "absent" and self._outbox.try_again(post, self._now()):
                log.info("%s: Slack never took it; it is sent again", post.key)
                again.append(post.key)
            elif (
                looked == "unseen"
                and self._outbox.mark_unsearchable(post, said, self._now())
                and not post.is_unsearchable
            ):
                log.warning("%s: not known whether Slack has it, and not sent again: %s", post.key, said)
        return again

    def find(self, post: Post) -> bool:
        """Look for a post at once, and note that it is sent where it is there. False where it is not, or cannot be
        seen."""
        looked, ts = self._look(post)
        return looked == "found" and self._outbox.found(post, ts, self._now())

    def _look(self, post: Post) -> tuple[Looked, str]:
        """Whether a channel holds a post, with its ts there, or with why that cannot be seen."""
        thread_ts = post.thread_ts
        if post.thread_key:
            root = self._outbox.get(post.thread_key)
            if root is None or not root.ts:
                return "unanswered", ""
            thread_ts = root.ts
        amiss = timedelta(0)
        try:
            for answer in self._answers(post, self._channel(post), thread_ts):
                amiss = max(amiss, self._amiss(post, answer.headers))
                for message in answer["messages"]:
                    metadata = message.get("metadata") or {}
                    payload = metadata.get("event_payload") or {}
                    if metadata.get("event_type") == self._event_type and payload.get("key") == post.key:
                        return "found", str(message["ts"])
        except TooMany:
            return "unseen", "more came into the channel since than is looked through"
        except SlackApiError as error:
            code = code_of(error)
            if code in AGAIN | UNCERTAIN or status_of(error) != 200:
                log.info("%s cannot be looked for now: %s", post.key, code)
                return "unanswered", ""
            return "unseen", f"the channel's history cannot be read ({code})"
        except (OSError, HTTPException, SlackClientError) as error:
            log.info("%s cannot be looked for now: %s", post.key, error)
            return "unanswered", ""
        if amiss > MOST_AMISS:
            return "unseen", f"this machine's clock is, or was, {amiss} away from Slack's"
        return "absent", ""

    def _amiss(self, post: Post, headers: Mapping[str, str]) -> timedelta:
        """How far our clock is from Slack's, now or as far as can be seen when the post was sent."""
        said = next((value for name, value in headers.items() if name.lower() == "date"), "")
        try:
            theirs = parsedate_to_datetime(said)
        except ValueError:
            return timedelta(0)
        ours, tried = self._now(), post.tried_at or self._now()
        return max(abs(ours - theirs), tried - theirs)

    def _channel(self, post: Post) -> str:
        """The id of a post's channel; one to a user went to the direct messages with them."""
        if not is_id(post.channel, "UW"):
            return post.channel
        return str(self._client.conversations_open(users=post.channel)["channel"]["id"])

    def _answers(self, post: Post, channel: str, thread_ts: str | None) -> Iterator[SlackResponse]:
        """What came into the channel, or the thread, since the post was first sent."""
        since = min(post.tried_at or self._now(), self._now()) - EARLIER
        asked: dict[str, Any] = {
            "channel": channel,
            "oldest": f"{since.timestamp():.6f}",
            "limit": PAGE,
            "include_all_metadata": True,
        }
        for _ in range(MOST_PAGES):
            if thread_ts:
                answer = self._client.conversations_replies(ts=thread_ts, **asked)
            else:
                answer = self._client.conversations_history(**asked)
            yield answer
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
            asked["cursor"] = cursor
        raise TooMany


class TooMany(Exception):
    """More came into the channel than is looked through: whether the post is there stays unknown."""
