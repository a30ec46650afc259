"""What a thread shows while an answer is made: "is reading the history…"."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.web_api import ASYNC_TROUBLE, LACKING, code_of

log = logging.getLogger(__name__)

WORDS = "is reading the history…"  # Slack puts the app's name before it
LACKING_SECONDS = 3_600.0


class Lacking:
    """Methods that the workspace does not let us call: each is left alone for an hour. Any thread may ask."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def __contains__(self, method: str) -> bool:
        return time.monotonic() < self._until.get(method, float("-inf"))

    def refused(self, method: str, code: str) -> None:
        """Note what Slack answered to a method: only what will not pass soon is remembered."""
        if code in LACKING:
            log.warning("%s: %s; it is not tried again for an hour", method, code)
            self._until[method] = time.monotonic() + LACKING_SECONDS


class Status:
    """Sets the status of threads. It is no part of any answer: nothing that goes wrong here costs or delays one."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._lacking = Lacking()

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
        thread = {"channel_id": channel, "thread_ts": thread_ts}
        await self._called("agents.sessions.setStatus", {**thread, "status": "active"})

    async def _set(self, channel: str, thread_ts: str, words: str) -> bool:
        """Set or, without words, clear it. Slack's older method says the words; the newer one only that we work."""
        thread = {"channel_id": channel, "thread_ts": thread_ts}
        return await self._called("assistant.threads.setStatus", {**thread, "status": words}) or await self._called(
            "agents.sessions.setStatus", {**thread, "status": "processing" if words else "active"}
        )

    async def _called(self, method: str, arguments: dict[str, str]) -> bool:
        if method in self._lacking:
            return False
        try:
            await self._client.api_call(method, json=arguments)
        except SlackApiError as error:
            self._lacking.refused(method, code_of(error))
            log.debug("%s: %s", method, code_of(error))
            return False
        except ASYNC_TROUBLE as error:
            log.debug("%s: %s", method, error)
            return False
        return True
