"""A direct message: answered beside it, or in its thread."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.slack.conversation import DIRECT, Conversation, Heard
from bot.slack.listeners.work import Work

_WRITTEN = (None, "thread_broadcast", "file_share")  # subtypes of messages that a person writes


def register(app: AsyncApp, conversation: Conversation, work: Work) -> None:
    @app.event("message")
    async def written(event: dict[str, Any]) -> None:
        if event.get("channel_type") != "im" or event.get("subtype") not in _WRITTEN:
            return
        if event.get("bot_id") or "user" not in event:
            return
        thread = event.get("thread_ts")
        heard = Heard(event.get("text", ""), event["user"], event["channel"], event["ts"], thread, thread or DIRECT)
        await work(conversation.answer, heard)
