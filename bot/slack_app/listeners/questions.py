"""What is said to the bot: a mention is answered in its thread, a direct message beside it or in its thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp, AsyncBoltContext

from bot.slack.answering import IncomingMessage
from bot.slack.inbox import Workers, is_question, is_redispatched
from bot.slack.status import Status
from bot.slack_app.services import Services


def register(app: AsyncApp, services: Services, work: Workers, answered: Callable[[Mapping[str, Any]], None]) -> None:
    status = Status(app.client)

    @app.event("agent_session_stopped")
    async def stopped(event: dict[str, Any]) -> None:
        channel, thread, at = (str(event.get(name) or "") for name in ("channel", "thread_ts", "event_ts"))
        services.conversation.stop(channel, thread, at)
        await status.stopped(channel, thread)

    @app.event("app_mention")
    @app.event("message")
    async def asked(event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext) -> None:
        if not is_question(event):
            return
        incoming = IncomingMessage(
            event.get("text") or "",
            event["user"],
            event["channel"],
            event["ts"],
            thread=event.get("thread_ts"),
            event=str(body.get("event_id") or ""),
            again=is_redispatched(context),
        )
        if await work(services.conversation.answering.hears, incoming.user):
            async with status.shown(incoming.channel, incoming.answer_in or incoming.ts):
                with services.metrics.answering():
                    await work(services.conversation.answer, incoming)
        answered(body)
