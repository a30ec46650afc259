"""What is pressed and typed below somebody's part of a digest, before it is posted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.digest import preview_messages as previews
from bot.digest.preview_messages import PreviewOrigin
from bot.slack import correcting, forms
from bot.slack.answer_actions import Action
from bot.slack_app.listeners.actions import is_a
from bot.slack_app.listeners.modal_opening import end_submitted, open_modal
from bot.slack_app.listeners.work import Work
from bot.slack_app.services import Services

Json = dict[str, Any]


def register(app: AsyncApp, services: Services, work: Work) -> None:
    acts = services.previews

    def done_by(sort: str, act: Callable[[Action], None]) -> None:
        def once(press: Action) -> None:
            if services.actions.first_time(press):
                act(press)

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            await work(once, Action.of(body, action))

        app.action(is_a(sort))(pressed)

    done_by(previews.RIGHT, lambda press: acts.answer(press, "right"))
    done_by(previews.SKIP, lambda press: acts.answer(press, "skip"))
    done_by(previews.NEVER, acts.never)

    def opens(sort: str, title: str, made: Callable[[str, PreviewOrigin], forms.View]) -> None:
        async def pressed(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
            await ack()
            press = Action.of(body, action)
            making = work(made, press.user, PreviewOrigin(press.value, press.channel, press.ts))
            await open_modal(client, body["trigger_id"], title, making)

        app.action(is_a(sort))(pressed)

    opens(previews.CORRECT, correcting.TITLE, acts.correcting)
    opens(previews.NOTE, previews.NOTE_TITLE, acts.noting)

    @app.view(previews.NOTE)
    async def noted(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        noting = work(acts.note, str(body["user"]["id"]), PreviewOrigin.of(view), previews.note_in(view))
        await end_submitted(ack, client, body, previews.NOTE_TITLE, noting)
