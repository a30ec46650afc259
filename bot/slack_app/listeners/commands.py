"""/almanac, answered for the eyes of whoever asked; and the shortcuts: one's own month from anywhere, and the month of
whoever wrote a message, in a modal."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.answering import opens_digests
from bot.slack.inbox import Workers
from bot.slack.modals import PICKER_TITLE
from bot.slack_app.listeners.digests import open_list
from bot.slack_app.listeners.modal_opening import open_modal
from bot.slack_app.services import Services


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    @app.command("/almanac")
    async def asked(ack: AsyncAck, command: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        text, user, channel = command.get("text") or "", command["user_id"], command["channel_id"]
        url = str(command.get("response_url") or "")
        if opens_digests(text):
            await open_list(client, command.get("trigger_id", ""), services, work, user, channel)
            return
        if not text.strip() and url:
            made = work(services.dialogs.picker, user, channel, url)
            await open_modal(client, command.get("trigger_id", ""), PICKER_TITLE, made)
            return
        with services.metrics.answering():
            await work(services.answer_command, text, user, channel, url)

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
