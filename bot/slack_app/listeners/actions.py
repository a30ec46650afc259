"""Pressed buttons below answers: each is acknowledged, then answered."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack import buttons, correcting, modals
from bot.slack.answer_actions import Action, Response
from bot.slack.correcting import Origin
from bot.slack.picker import PICK, TITLE
from bot.slack_app.listeners.modal_opening import open_modal
from bot.slack_app.listeners.saying import show
from bot.slack_app.listeners.work import Work
from bot.slack_app.services import Services


def is_a(sort: str) -> re.Pattern[str]:
    """The action_ids of a sort of button: a number may follow."""
    return re.compile(rf"^{re.escape(sort)}(\.\d+)?$")


def register(app: AsyncApp, services: Services, work: Work) -> None:
    def answered_by(sort: str, answer: Callable[[Action], Response]) -> None:
        async def pressed(ack: AsyncAck, respond: AsyncRespond, body: dict[str, Any], action: dict[str, Any]) -> None:
            await ack()
            await show(respond, await work(answer, Action.of(body, action)))

        app.action(is_a(sort))(pressed)

    answered_by(buttons.ASK, services.actions.ask)
    answered_by(buttons.CHOICE, lambda press: services.actions.ask(press, once=True))
    answered_by(buttons.SHARE, services.actions.share)
    answered_by(buttons.FEEDBACK, services.actions.feedback)
    answered_by(buttons.LINK, services.commands.confirm)

    @app.action(is_a(buttons.CHANGES))
    async def changes(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        press = Action.of(body, action)
        made = work(services.dialogs.changes, press.user, press.channel, press.value)
        await open_modal(client, body["trigger_id"], "All changes", made)

    @app.action(is_a(PICK))
    async def pick(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        press = Action.of(body, action)
        made = work(services.dialogs.picker, press.user, press.channel, str(body.get("response_url") or ""))
        await open_modal(client, body["trigger_id"], TITLE, made)

    @app.action(is_a(buttons.CORRECT))
    async def correct(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        press = Action.of(body, action)
        url = str(body.get("response_url") or "") if press.ephemeral else ""
        begins = correcting.beginning(press.text)
        origin = Origin(press.value, press.channel, press.ts, press.thread, press.ephemeral, url, begins)
        made = work(services.dialogs.correction, press.user, origin)
        await open_modal(client, body["trigger_id"], correcting.TITLE, made)

    @app.action(is_a(buttons.SHARE_TO))
    async def share_to(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(
            trigger_id=body["trigger_id"], view=modals.where_to_share(str(action.get("value") or ""))
        )
