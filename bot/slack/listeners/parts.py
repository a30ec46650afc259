"""What is pressed and typed below somebody's part of a digest, before it is posted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import AlmanacError, Unreadable
from bot.month.corrections import checked
from bot.slack import modals
from bot.slack.desk import Desk
from bot.slack.digests import parts
from bot.slack.listeners.actions import is_a
from bot.slack.listeners.opening import end_submitted, open_modal
from bot.slack.listeners.work import Work
from bot.slack.presses import Press

Json = dict[str, Any]


def register(app: AsyncApp, desk: Desk, work: Work) -> None:
    acts = desk.digests.parts

    def done_by(sort: str, act: Callable[[Press], str]) -> None:
        def once(press: Press) -> None:
            if desk.presses.first_time(press):
                act(press)

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            await work(once, Press.of(body, action))

        app.action(is_a(sort))(pressed)

    done_by(parts.RIGHT, acts.right)
    done_by(parts.SKIP, acts.skip)
    done_by(parts.NEVER, acts.never)
    done_by(parts.MENTION, acts.mention)

    def opens(sort: str, made: Callable[[str, parts.Where], modals.View]) -> None:
        async def pressed(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
            await ack()
            press = Press.of(body, action)
            where = parts.Where(press.value, press.channel, press.ts)
            await open_modal(client, body["trigger_id"], parts.TITLES[sort], work(made, press.user, where))

        app.action(is_a(sort))(pressed)

    opens(parts.WORDING, acts.wording)
    opens(parts.LEAVE, acts.leaving)
    opens(parts.NOTE, acts.noting)

    def submitted(sort: str, done: Callable[[str, Json], str]) -> None:
        async def submit(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
            if sort == parts.WORDING:
                try:
                    checked("title", parts.typed(view))
                except Unreadable:
                    raise
                except AlmanacError as error:
                    said = str(error)
                    await ack(response_action="errors", errors={"value": f"{said[:1].upper()}{said[1:]}."})
                    return
            await end_submitted(ack, client, body, parts.TITLES[sort], work(done, str(body["user"]["id"]), view))

        app.view(sort)(submit)

    def where(view: Json) -> parts.Where:
        return parts.Where.of(view)

    submitted(parts.WORDING, lambda user, v: acts.call(user, where(v), parts.chosen(v), parts.typed(v)))
    submitted(parts.LEAVE, lambda user, v: acts.leave(user, where(v), parts.chosen(v)))
    submitted(parts.NOTE, lambda user, v: acts.note(user, where(v), parts.typed(v)))
