"""Pressed buttons. Those so far are links, which Slack opens itself; it still wants to know they were heard."""

from __future__ import annotations

import re

from slack_bolt.async_app import AsyncAck, AsyncApp

from bot.slack.conversation import Conversation
from bot.slack.listeners.work import Work


def register(app: AsyncApp, _: Conversation, __: Work) -> None:
    @app.action(re.compile(r".*"))
    async def pressed(ack: AsyncAck) -> None:
        await ack()
