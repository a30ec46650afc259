"""What is pressed and typed below somebody's part of a digest, before it is posted."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.digest import preview_messages as previews
from bot.digest.preview_messages import PreviewOrigin
from bot.slack import correcting
from bot.slack.answer_actions import Action
from bot.slack.workers import Workers
from bot.slack_app.listeners.modal_opening import end_submitted
from bot.slack_app.listeners.pressing import Presses
from bot.slack_app.services import Services

Json = dict[str, Any]


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    acts = services.previews

    presses = Presses(app, services.actions, work)

    async def shown(press: Action, said: str) -> None:
        if said:
            await work(acts.say, press, said)

    presses.does(previews.RIGHT, lambda press: acts.answer(press, "right"), shown)
    presses.does(previews.SKIP, lambda press: acts.answer(press, "skip"), shown)
    presses.does(previews.NEVER, acts.never, shown)
    presses.opens(previews.CORRECT, correcting.TITLE, lambda press: acts.correcting(press.user, where(press)))
    presses.opens(previews.NOTE, previews.NOTE_TITLE, lambda press: acts.noting(press.user, where(press)))

    @app.view(previews.NOTE)
    async def noted(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        noting = work(acts.note, str(body["user"]["id"]), PreviewOrigin.of(view), previews.note_in(view))
        await end_submitted(ack, client, services.ephemeral, body, previews.NOTE_TITLE, noting)


def where(press: Action) -> PreviewOrigin:
    """The message with somebody's part that a button stands in, and the digest that it is of."""
    return PreviewOrigin(press.value, press.channel, press.ts)
