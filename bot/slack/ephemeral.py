"""What is said to one person alone, and what is changed in a message that stands already.

Neither needs the outbox: an ephemeral message is gone when the page is loaded anew, and a change can be made twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack.blocks import Message
from bot.slack.charts import versions
from bot.slack.client import code_of
from bot.slack.poster import Poster
from bot.slack.refusals import CONTENT, what_to_do

log = logging.getLogger(__name__)

UNANSWERED = "unanswered"  # in place of Slack's word, where it is not known whether it took a message


class Ephemeral:
    """Speaks to one person, and changes messages. Its methods block and never raise for what Slack answers."""

    def __init__(self, client: WebClient, poster: Poster) -> None:
        self._client = client
        self._poster = poster

    def tell(self, user: str, channel: str, messages: Sequence[Message], thread_ts: str | None = None) -> bool:
        """Show messages to one person in a channel, or in a thread that has been answered in already: in any other
        Slack shows nobody anything. False where Slack refused."""
        where = {"channel": channel, "user": user, **({"thread_ts": thread_ts} if thread_ts else {})}
        return not any(self._refused(self._client.chat_postEphemeral, message, where) for message in messages)

    def change(self, channel: str, ts: str, message: Message) -> bool:
        """Put a message in the place of one that stands. False where Slack refused."""
        return not self.refused_to_change(channel, ts, message)

    def refused_to_change(self, channel: str, ts: str, message: Message) -> str:
        """The same, and Slack's word for why it refused; empty where it did not."""
        return self._refused(self._client.chat_update, message, {"channel": channel, "ts": ts})

    def _refused(self, method: Callable[..., Any], message: Message, where: dict[str, str]) -> str:
        code = ""
        for payload in versions(self._poster.fitted(message.payload())):
            try:
                method(**where, **payload)
            except SlackApiError as error:
                code = code_of(error)
                if code not in CONTENT or "blocks" not in payload:
                    log.warning("%s: %s: %s", where, code, what_to_do(code))
                    return code
                log.error("Slack refused the blocks for %s (%s): %s", where, code, error.response.data)
            except (OSError, HTTPException, SlackClientError) as error:
                log.warning("%s: it is not known whether Slack took it (%s)", where, error)
                return UNANSWERED
            else:
                return ""
        return code
