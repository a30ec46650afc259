"""The messages tab is opened: questions to begin with are offered."""

from __future__ import annotations

import logging
from typing import Any

from aiohttp import ClientError
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.answering import PROMPTS_TITLE, Answering
from bot.slack.inbox import Workers
from bot.slack.status import Lacking
from bot.slack.web_api import code_of

log = logging.getLogger(__name__)

METHOD = "assistant.threads.setSuggestedPrompts"


async def in_messages(event: dict[str, Any]) -> bool:
    return event.get("tab") == "messages"


def register(app: AsyncApp, answering: Answering, work: Workers) -> None:
    lacking = Lacking()

    @app.event("app_home_opened", matchers=[in_messages])
    async def opened(event: dict[str, Any], client: AsyncWebClient) -> None:
        if METHOD in lacking or not event.get("channel"):
            return
        prompts = await work(answering.prompts, event["user"], event["channel"])
        if not prompts:
            return
        try:
            await client.assistant_threads_setSuggestedPrompts(
                channel_id=event["channel"], title=PROMPTS_TITLE, prompts=[prompt.document() for prompt in prompts]
            )
        except SlackApiError as error:
            lacking.refused(METHOD, code_of(error))
        except (TimeoutError, OSError, ClientError, SlackClientError) as error:
            log.debug("%s: %s", METHOD, error)
