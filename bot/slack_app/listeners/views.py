"""Modals: what is pressed in them, and what they are submitted with."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import asdict
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import AlmanacError, Unreadable
from bot.slack import elements, modals
from bot.slack.elements import PICK, Response, compact, view_of
from bot.slack.inbox import Workers
from bot.slack.modals import Correcting, Undoing, picked
from bot.slack_app.listeners.modal_opening import end_modal, end_submitted, ended, in_time
from bot.slack_app.listeners.pressing import Presses, is_a
from bot.slack_app.services import Services

Json = dict[str, Any]


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    dialogs = services.dialogs

    presses = Presses(app, services.actions, work)
    presses.turns(modals.MONTH, lambda press: dialogs.month(press.user, press.channel, press.value))
    presses.turns(
        modals.PAGE,
        lambda press: dialogs.changes(press.user, press.channel, modals.turned(press.view, press.value)),
    )
    presses.opens(
        modals.EXPLAIN,
        "Why it is shown this way",
        lambda press: dialogs.explanation(press.user, press.channel, press.value),
    )
    presses.opens(
        modals.ALL_CHANGES,
        "All changes",
        lambda press: dialogs.changes(press.user, press.channel, modals.ChangesPage(press.value)),
    )

    @app.view(modals.WHAT)
    async def chosen(ack: AsyncAck, view: Json) -> None:
        await ack(response_action="update", view=modals.how_it_should_be(view))

    @app.view(modals.HOW)
    async def correct(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        try:
            wanted = modals.wanted(view)
        except Unreadable:
            raise
        except AlmanacError as error:
            await ack(response_action="errors", errors={"value": str(error)})
            return
        user = str(body["user"]["id"])
        making = done(user, wanted, work(dialogs.correct, user, wanted))
        (response, end), is_in_time = await in_time(ack, modals.CORRECTING_TITLE, making)
        if is_in_time:
            await ack(response_action="update", view=end)
        else:
            await end_modal(client, services.ephemeral, view["id"], user, end, response.said)
        await shown_anew(user, wanted, response)

    @app.action(is_a(modals.UNDO))
    async def take_back(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        wanted = modals.undoing(view_of(body), str(action.get("value") or ""))
        user = str(body["user"]["id"])
        response, end = await done(user, wanted, work(dialogs.take_back, user, wanted))
        await end_modal(client, services.ephemeral, view_of(body)["id"], user, end, response.said)
        await shown_anew(user, wanted, response)

    async def done(
        user: str, wanted: Correcting | Undoing, correcting_it: Awaitable[Response]
    ) -> tuple[Response, elements.View]:
        """What came of a correction, and what the modal says of it."""
        origin, response = wanted.origin, await correcting_it
        offers = await work(services.posted_digests.offers, user, origin.channel, wanted.sha)
        return response, ended(
            modals.CORRECTING_TITLE, response.said, (*response.below, *offers), compact(asdict(origin))
        )

    async def shown_anew(user: str, wanted: Correcting | Undoing, response: Response) -> None:
        """Show the message anew that a correction was begun at, where only its reader sees it."""
        origin = wanted.origin
        if response.messages and origin.url:
            await work(services.ephemeral.answer, origin.url, user, origin.channel, response)

    @app.view(PICK)
    async def pick(ack: AsyncAck, body: Json, view: Json) -> None:
        wanted = picked(view)
        await ack()
        user = str(body["user"]["id"])
        await work(services.answer_command, wanted.text, user, wanted.channel, wanted.url)

    @app.view(modals.SHARE_TO)
    async def share(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        await end_submitted(
            ack, client, services.ephemeral, body, "Share", work(services.actions.share_to, body["user"]["id"], view)
        )
