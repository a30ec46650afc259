"""A mention in a channel: answered in the thread of the mention."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.slack.conversation import IncomingMessage
from bot.slack.inbox import is_question
from bot.slack.status import Status
from bot.slack_app.listeners.work import Work
from bot.slack_app.services import Services


def register(app: AsyncApp, services: Services, work: Work) -> None:
    status = Status(app.client)

    @app.event("app_mention")
    async def mentioned(event: dict[str, Any], body: dict[str, Any]) -> None:
        if not is_question(event):
            return
        thread = event.get("thread_ts") or event["ts"]
        incoming = IncomingMessage(
            event.get("text", ""),
            event["user"],
            event["channel"],
            event["ts"],
            answer_in=thread,
            remembered_as=thread,
            thread=event.get("thread_ts"),
            event=str(body.get("event_id") or ""),
        )
        async with status.shown(incoming.channel, thread):
            await work(services.conversation.answer, incoming)
