"""What stands around answers: "is reading the history…" while one is made, and what could be asked.

It is no part of any answer: nothing that goes wrong here costs or delays one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.web_api import ASYNC_TROUBLE, LACKING, code_of

log = logging.getLogger(__name__)

WORDS = "is reading the history…"  # Slack puts the app's name before it
PROMPTS = "assistant.threads.setSuggestedPrompts"
PROMPTS_TITLE = "Ask about a month, for example:"
LACKING_SECONDS = 3_600.0


class Status:
    """Sets the status of threads, and the prompts of conversations. What the workspace does not let us call is left
    alone for an hour."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._lacking_until: dict[str, float] = {}

    @asynccontextmanager
    async def shown(self, channel: str, thread_ts: str) -> AsyncIterator[None]:
        """The status stands from now until the block is left, however it is left."""
        setting = asyncio.create_task(self._set(channel, thread_ts, WORDS))
        try:
            yield
        finally:
            if await setting:  # first, since what is set after it was cleared would stay
                await self._set(channel, thread_ts, "")

    async def stopped(self, channel: str, thread_ts: str) -> None:
        """Say that nothing is worked on in a thread, where somebody pressed stop: Slack itself leaves it as it was."""
        await self._called("agents.sessions.setStatus", channel_id=channel, thread_ts=thread_ts, status="active")

    async def prompt(self, channel: str, prompts: Sequence[Mapping[str, str]]) -> None:
        """Show what somebody may begin with in their direct messages."""
        await self._called(PROMPTS, channel_id=channel, title=PROMPTS_TITLE, prompts=prompts)

    async def _set(self, channel: str, thread_ts: str, words: str) -> bool:
        """Set or, without words, clear it. Slack's older method says the words; the newer one only that we work."""
        thread = {"channel_id": channel, "thread_ts": thread_ts}
        return await self._called("assistant.threads.setStatus", **thread, status=words) or await self._called(
            "agents.sessions.setStatus", **thread, status="processing" if words else "active"
        )

    async def _called(self, method: str, **arguments: object) -> bool:
        if time.monotonic() < self._lacking_until.get(method, float("-inf")):
            return False
        try:
            await self._client.api_call(method, json=arguments)
        except SlackApiError as error:
            code = code_of(error)
            if code in LACKING:  # only what will not pass soon is remembered
                log.warning("%s: %s; it is not tried again for an hour", method, code)
                self._lacking_until[method] = time.monotonic() + LACKING_SECONDS
            return False
        except ASYNC_TROUBLE as error:
            log.debug("%s: %s", method, error)
            return False
        return True
