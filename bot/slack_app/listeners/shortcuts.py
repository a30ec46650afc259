"""Shortcuts: one's own month from anywhere, and the month of whoever wrote a message. Both open a modal at once."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.workers import Workers
from bot.slack_app.listeners.modal_opening import open_modal
from bot.slack_app.services import Services


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    @app.shortcut("my_month")
    async def mine(ack: AsyncAck, shortcut: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        user = shortcut["user"]["id"]
        made = work(services.dialogs.month_of, user, "", user)
        await open_modal(client, shortcut["trigger_id"], "My month", made)

    @app.shortcut("author_month")
    async def author(ack: AsyncAck, shortcut: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        user, channel = shortcut["user"]["id"], shortcut["channel"]["id"]
        message = shortcut.get("message") or {}
        whom = "" if message.get("bot_id") else str(message.get("user") or "")
        made = work(services.dialogs.month_of, user, channel, whom)
        await open_modal(client, shortcut["trigger_id"], "This person's month", made)
