"""What is pressed and typed below somebody's part of a digest, before it is posted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.digest import preview_messages as previews
from bot.errors import AlmanacError, Unreadable
from bot.month.corrections import checked
from bot.slack import modals
from bot.slack.actions import Action
from bot.slack_app.listeners.actions import is_a
from bot.slack_app.listeners.modal_opening import end_submitted, open_modal
from bot.slack_app.listeners.work import Work
from bot.slack_app.services import Services

Json = dict[str, Any]


def register(app: AsyncApp, services: Services, work: Work) -> None:
    acts = services.digests.parts

    def done_by(sort: str, act: Callable[[Action], str]) -> None:
        def once(press: Action) -> None:
            if services.actions.first_time(press):
                act(press)

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            await work(once, Action.of(body, action))

        app.action(is_a(sort))(pressed)

    done_by(previews.RIGHT, acts.right)
    done_by(previews.SKIP, acts.skip)
    done_by(previews.NEVER, acts.never)
    done_by(previews.MENTION, acts.mention)

    def opens(sort: str, made: Callable[[str, previews.Where], modals.View]) -> None:
        async def pressed(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
            await ack()
            press = Action.of(body, action)
            where = previews.Where(press.value, press.channel, press.ts)
            await open_modal(client, body["trigger_id"], previews.TITLES[sort], work(made, press.user, where))

        app.action(is_a(sort))(pressed)

    opens(previews.WORDING, acts.wording)
    opens(previews.LEAVE, acts.leaving)
    opens(previews.NOTE, acts.noting)

    def submitted(sort: str, done: Callable[[str, Json], str]) -> None:
        async def submit(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
            if sort == previews.WORDING:
                try:
                    checked("title", previews.typed(view))
                except Unreadable:
                    raise
                except AlmanacError as error:
                    said = str(error)
                    await ack(response_action="errors", errors={"value": f"{said[:1].upper()}{said[1:]}."})
                    return
            await end_submitted(ack, client, body, previews.TITLES[sort], work(done, str(body["user"]["id"]), view))

        app.view(sort)(submit)

    def where(view: Json) -> previews.Where:
        return previews.Where.of(view)

    submitted(previews.WORDING, lambda user, v: acts.call(user, where(v), previews.chosen(v), previews.typed(v)))
    submitted(previews.LEAVE, lambda user, v: acts.leave(user, where(v), previews.chosen(v)))
    submitted(previews.NOTE, lambda user, v: acts.note(user, where(v), previews.typed(v)))
