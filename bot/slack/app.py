"""The Bolt app: which listener hears what, and what happens when one fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.settings import Settings
from bot.slack import listeners
from bot.slack.conversation import Conversation

log = logging.getLogger(__name__)

T = TypeVar("T")


def build_app(settings: Settings, conversation: Conversation, workers: Executor) -> AsyncApp:
    """The app with all its listeners. What blocks runs in `workers`, so that every event is acknowledged at once."""
    token = settings.bot_token.get_secret_value() if settings.bot_token else None
    secret = settings.signing_secret.get_secret_value() if settings.signing_secret else None
    app = AsyncApp(
        client=AsyncWebClient(token=token, base_url=settings.slack_api.rstrip("/") + "/", timeout=30),
        signing_secret=secret,
        raise_error_for_unhandled_request=False,
    )

    async def work(task: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(workers, task, *arguments)

    listeners.register(app, conversation, work)

    @app.error
    async def failed(error: Exception, body: dict[str, Any]) -> None:
        kind = body.get("command") or body.get("type") or "request"
        log.error("a listener failed for %s", kind, exc_info=error)

    return app
