"""What is said to one person alone, and what is changed in a message that stands already: by the sender, as all else.

An answer by the address that came with a command or a press is tried once; what has no place there is a whisper.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any
from uuid import uuid4

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.webhook import WebhookClient

from bot.errors import Unreadable
from bot.slack.client import CALL_SECONDS, RATE_LIMITED, understood
from bot.slack.packing import Message, Response
from bot.slack.poster import CHANGE, Poster, versions, was_nothing_done
from storage.outbox import Post

log = logging.getLogger(__name__)

# A response_url can be used five times: https://docs.slack.dev/interactivity/handling-user-interaction
MOST_ANSWERS = 5
REST = "{count} more messages of this answer do not fit here: ask me the same in a direct message to read all of it."


class Ephemeral:
    """Speaks to one person, and changes messages. Its methods block and never raise for what Slack answers."""

    def __init__(self, client: WebClient, poster: Poster) -> None:
        self._client = client
        self._poster = poster

    def tell(self, user: str, channel: str, messages: Sequence[Message], thread_ts: str | None = None) -> None:
        """Show messages to one person in a channel, or in a thread that has been answered in already: in any other
        Slack shows nobody anything. What Slack refuses there is written to them directly."""
        key = f"whisper|{uuid4()}"
        posts = [
            Post(f"{key}|{number}", channel, one.payload(), thread_ts=thread_ts, only_for=user)
            for number, one in enumerate(messages)
        ]
        self._poster.plan(posts)
        self._poster.send([post.key for post in posts])

    def write_to(self, user: str, message: Message) -> None:
        """Write somebody a direct message."""
        post = Post(f"direct|{uuid4()}", user, message.payload())
        self._poster.plan([post])
        self._poster.send([post.key])

    def change(self, channel: str, ts: str, message: Message) -> str:
        """Put a message in the place of one that stands. Empty, or Slack's word for why it refused."""
        return self._poster.change(Post(f"{CHANGE}{uuid4()}", channel, message.payload(), ts=ts))

    def answer(self, url: str, user: str, channel: str, response: Response) -> None:
        """Answer a command or a press by the address that came with it. What does not fit is said to be missing."""
        messages = list(response.messages)
        if (more := len(messages) - MOST_ANSWERS) > 0:
            messages[MOST_ANSWERS - 1 :] = [Message(REST.format(count=more + 1), ())]
        if messages and not url:
            raise Unreadable("there is no address to answer to")
        if response.delete and url:
            self._is_taken(url, {"delete_original": True})
        for number, message in enumerate(messages):
            replaces = {"response_type": "ephemeral", "replace_original": response.replace and not number}
            taken: bool | None = None
            for version in versions(message.payload()):
                if taken is None:
                    taken = self._is_taken(url, {**version, **replaces})
            if not taken:
                self.tell(user, channel, messages[number:])
                return

    def last_words(self, body: Mapping[str, Any], text: str) -> None:
        """Say to whoever waits for the answer to something that Slack delivered, and to nobody else, that there is
        none: once, for there may be no database in which it could wait."""
        event, user = body.get("event") or {}, body.get("user") or {}
        try:
            if url := body.get("response_url"):
                self._is_taken(str(url), {"text": text, "response_type": "ephemeral", "replace_original": False})
            elif event.get("type") in ("app_mention", "message") and event.get("user"):
                thread = {"thread_ts": event["thread_ts"]} if event.get("thread_ts") else {}
                self._client.chat_postEphemeral(channel=event["channel"], user=event["user"], text=text, **thread)
            elif isinstance(user, dict) and user.get("id"):  # a modal or a shortcut, which happen in no channel
                self._client.chat_postMessage(channel=user["id"], text=text)
        except (SlackApiError, SlackClientError, OSError, HTTPException) as trouble:
            log.warning("nobody could be notified of it: %s", trouble)

    def _is_taken(self, url: str, body: Mapping[str, Any]) -> bool | None:
        """Post an answer once. True also where nobody knows whether it was taken: nothing is shown twice. None where
        what it holds was refused."""
        client = WebhookClient(url, timeout=CALL_SECONDS, proxy=self._client.proxy, retry_handlers=[])
        try:
            with understood("response_url"):
                answer = client.send_dict(dict(body))
        except (SlackClientError, OSError, HTTPException) as error:
            log.warning("an answer by its address is lost: %s", error)
            return not was_nothing_done(error)
        if answer.status_code == 200:
            return True
        level = logging.INFO if answer.status_code == RATE_LIMITED else logging.ERROR
        log.log(level, "an answer was refused (%s): %s", answer.status_code, answer.body)
        return None if answer.status_code == 400 else answer.status_code >= 500
