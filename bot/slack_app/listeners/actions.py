"""Pressed buttons below answers: each is acknowledged, then answered."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack import elements, modals
from bot.slack.elements import PICK, Response, words_message
from bot.slack.inbox import Workers
from bot.slack.modals import PICKER_TITLE, ChangesPage, Origin
from bot.slack.payloads import Action
from bot.slack_app.listeners.pressing import Presses, is_a
from bot.slack_app.services import Services

# What messages, modals and Home tabs of former releases can still be pressed for.
GONE = (
    "only_kind", "only_repository", "part_right", "part_correct", "part_note", "part_skip", "part_never",
    "digest_ask_me", "digest_mention_me", "home_same", "home_different", "home_accept_all", "home_apart", "home_review",
)  # fmt: skip
GONE_WORDS = "This is of an older release and does nothing any more; /almanac help says what there is instead."


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    def answered_by(sort: str, answer: Callable[[Action], Response]) -> None:
        def done(press: Action) -> None:
            services.ephemeral.answer(press.url, press.user, press.channel, answer(press))

        async def pressed(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any]) -> None:
            await ack()
            await work(done, Action.of(body, action))

        app.action(is_a(sort))(pressed)

    answered_by(elements.ASK, services.actions.ask)
    answered_by(elements.CHOICE, lambda press: services.actions.ask(press, once=True))
    answered_by(elements.SHARE, services.actions.share)
    answered_by(elements.FEEDBACK, services.actions.feedback)
    answered_by(elements.LINK, services.commands.confirm)

    presses = Presses(app, services.actions, work)

    @app.action(re.compile(rf"^({'|'.join(GONE)})(\.\d+)?$"))
    async def gone(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        press = Action.of(body, action)
        if press.url:
            response = Response([words_message(GONE_WORDS)])
            await work(services.ephemeral.answer, press.url, press.user, press.channel, response)
        else:
            show = client.views_push if press.view.get("type") == "modal" else client.views_open
            await show(trigger_id=body["trigger_id"], view=elements.said("Almanac", GONE_WORDS))

    dialogs = services.dialogs
    presses.opens(
        elements.CHANGES,
        "All changes",
        lambda press: dialogs.changes(press.user, press.channel, ChangesPage(press.value)),
    )
    presses.opens(PICK, PICKER_TITLE, lambda press: dialogs.picker(press.user, press.channel, press.url))
    presses.opens(
        elements.CORRECT, modals.CORRECTING_TITLE, lambda press: dialogs.correction(press.user, origin_of(press))
    )

    @app.action(is_a(elements.SHARE_TO))
    async def share_to(ack: AsyncAck, body: dict[str, Any], action: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(
            trigger_id=body["trigger_id"], view=modals.where_to_share(str(action.get("value") or ""))
        )


def origin_of(press: Action) -> Origin:
    """The message that somebody says is not right."""
    url = press.url if press.ephemeral else ""
    begins = modals.beginning(press.text)
    return Origin(press.value, press.channel, press.ts, press.ephemeral, url, begins)
