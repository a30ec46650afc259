"""A mention in a channel: answered in the thread of the mention."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.slack.conversation import Conversation, Heard
from bot.slack.listeners.work import Work


def register(app: AsyncApp, conversation: Conversation, work: Work) -> None:
    @app.event("app_mention")
    async def mentioned(event: dict[str, Any]) -> None:
        if event.get("bot_id") or "user" not in event:
            return  # two bots that mention each other would never stop
        thread = event.get("thread_ts") or event["ts"]
        heard = Heard(event.get("text", ""), event["user"], event["channel"], event["ts"], thread, thread)
        await work(conversation.answer, heard)
