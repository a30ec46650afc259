"""/almanac: answered for the eyes of whoever asked."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncRespond

from bot.slack.conversation import Conversation
from bot.slack.listeners.work import Work

# A response_url can be used five times: https://docs.slack.dev/interactivity/handling-user-interaction
MOST_ANSWERS = 5
REST = "{count} more messages of this answer do not fit here: ask me the same in a direct message to read all of it."


def register(app: AsyncApp, conversation: Conversation, work: Work) -> None:
    @app.command("/almanac")
    async def asked(ack: AsyncAck, respond: AsyncRespond, command: dict[str, Any]) -> None:
        await ack()
        text, user, channel = command.get("text", ""), command["user_id"], command["channel_id"]
        messages = await work(conversation.command, text, user, channel)
        fits = messages if len(messages) <= MOST_ANSWERS else messages[: MOST_ANSWERS - 1]
        for message in fits:
            await respond(**message.payload(), response_type="ephemeral", replace_original=False)
        if len(fits) < len(messages):
            rest = REST.format(count=len(messages) - len(fits))
            await respond(text=rest, response_type="ephemeral", replace_original=False)
