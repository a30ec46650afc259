"""Modals: what is pressed in them, and what they are submitted with."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import AlmanacError
from bot.slack import correcting, modals
from bot.slack.desk import Desk
from bot.slack.listeners.actions import is_a
from bot.slack.listeners.opening import end_modal, open_modal, update_modal
from bot.slack.listeners.saying import show
from bot.slack.listeners.work import Work

Json = dict[str, Any]


def register(app: AsyncApp, desk: Desk, work: Work) -> None:
    dialogs = desk.dialogs

    @app.action(is_a(modals.PAGE))
    async def turn(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        channel = modals.origin_of(body["view"])
        made = await work(dialogs.turned, body["user"]["id"], channel, action["value"])
        await update_modal(client, body["view"], made)

    @app.action(is_a(modals.MONTH))
    async def other_month(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        channel = modals.origin_of(body["view"])
        made = await work(dialogs.month, body["user"]["id"], channel, action["value"])
        await update_modal(client, body["view"], made)

    @app.action(is_a(modals.EXPLAIN))
    async def explain(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        made = work(dialogs.explanation, body["user"]["id"], modals.origin_of(body["view"]), action["value"])
        await open_modal(client, body["trigger_id"], "Why it is told so", made, push=True)

    @app.action(is_a(modals.ALL_CHANGES))
    async def changes(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        made = work(dialogs.changes, body["user"]["id"], modals.origin_of(body["view"]), action["value"])
        await open_modal(client, body["trigger_id"], "All changes", made, push=True)

    @app.view(correcting.WHAT)
    async def chosen(ack: AsyncAck, view: Json) -> None:
        await ack(response_action="update", view=correcting.how_it_should_be(view))

    @app.view(correcting.HOW)
    async def correct(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        try:
            wanted = correcting.wanted(view)
        except AlmanacError as error:
            await ack(response_action="errors", errors={"value": str(error)})
            return
        await ack(response_action="update", view=modals.loading(correcting.TITLE))
        response = await work(dialogs.correct, body["user"]["id"], wanted)
        if response.messages and wanted.origin.url:
            respond = AsyncRespond(response_url=wanted.origin.url, proxy=None, ssl=None)
            await show(respond, response)
        user, channel = body["user"]["id"], wanted.origin.channel
        offers = await work(desk.digests.posted.offers, user, channel, wanted.sha)
        await end_modal(client, view["id"], user, correcting.TITLE, response.said, offers, channel)

    @app.view(modals.SHARE_TO)
    async def share(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        await ack(response_action="update", view=modals.loading("Share"))
        said = await work(desk.presses.share_to, body["user"]["id"], view)
        await end_modal(client, view["id"], body["user"]["id"], "Share", said)
