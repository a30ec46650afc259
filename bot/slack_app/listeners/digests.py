"""The modals of /almanac digest, and the button of Home that leads to them."""

from __future__ import annotations

from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack import elements
from bot.slack.inbox import Workers
from bot.slack.payloads import Action
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.actions import DigestActions
from bot.slack_app.digests.views import OpenedFrom
from bot.slack_app.listeners.home import Publisher
from bot.slack_app.listeners.modal_opening import end_modal, ended, in_time, open_modal, unless_gone, update_modal
from bot.slack_app.listeners.pressing import Presses, is_a
from bot.slack_app.services import Services

Json = dict[str, Any]


async def open_list(
    client: AsyncWebClient, trigger: str, services: Services, work: Workers, user: str, channel: str
) -> None:
    """Open the modal that lists digests."""
    await open_modal(client, trigger, digests.TITLE, work(services.digests.listing, user, OpenedFrom(channel)))


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    acts: DigestActions = services.digests
    publisher = Publisher(app.client, services.home_tab, work)

    presses = Presses(app, services.actions, work)

    async def shown_anew(press: Action, said: str) -> None:
        """Show what something was pressed in, as it is now: the list, or Home."""
        kept = OpenedFrom.at(press)
        if said and press.view.get("callback_id") == elements.DIGESTS:
            await update_modal(app.client, press.view, await work(acts.listing, press.user, kept, said))
        if said and kept.home:
            await publisher.anew(press.user, kept.home, "", said)

    for sort, act in (
        (digests.PAUSE, acts.pause),
        (digests.RESUME, acts.resume),
        (digests.DELETE, acts.delete),
    ):
        presses.does(sort, act, shown_anew)
    presses.opens(elements.DIGESTS, digests.TITLE, lambda press: acts.listing(press.user, OpenedFrom.at(press)))
    presses.opens(digests.NEW, "New digest", acts.new)
    presses.opens(digests.EDIT, "Change a digest", acts.edit)
    presses.opens(digests.PREVIEW, "Preview", acts.preview)
    presses.opens(digests.POST, "Post it now?", acts.posting)

    @app.view(digest_form.FORM)
    async def submitted(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        user = str(body["user"]["id"])
        saved, is_in_time = await in_time(ack, digest_form.title_of(view), work(acts.save, user, view))
        if saved.errors and is_in_time:  # later nothing can be said by the fields any more
            await ack(response_action="errors", errors=dict(saved.errors))
            return
        await show_outcome(ack, client, view, user, saved.said or " ".join((saved.errors or {}).values()), is_in_time)

    @app.view(digests.POST_SURELY)
    async def posted(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        user, making = str(body["user"]["id"]), work(acts.post, str(body["user"]["id"]), OpenedFrom.of(view))
        said, is_in_time = await in_time(ack, digests.TITLE, making)
        await show_outcome(ack, client, view, user, said, is_in_time)

    async def show_outcome(
        ack: AsyncAck, client: AsyncWebClient, view: Json, user: str, said: str, is_in_time: bool
    ) -> None:
        """Say in a modal that was submitted what came of it, and show the list below or Home as they are now."""
        if is_in_time:
            await ack(response_action="update", view=elements.said(digests.TITLE, said))
        else:
            await end_modal(client, services.ephemeral, view["id"], user, ended(digests.TITLE, said), said)
        await below_anew(client, view, user, OpenedFrom.of(view), said)

    async def below_anew(client: AsyncWebClient, view: Json, user: str, kept: OpenedFrom, said: str) -> None:
        """Show the list that a form was opened from, or Home, as it is now."""
        if view.get("root_view_id") not in (None, "", view["id"]):
            made = await work(acts.listing, user, OpenedFrom(kept.channel, kept.home), said)
            with unless_gone():
                await client.views_update(view_id=view["root_view_id"], view=made)
        if kept.home:
            await publisher.anew(user, kept.home, "", said)

    @app.action(is_a(digests.UPDATE))
    async def update(ack: AsyncAck, body: Json, action: Json) -> None:
        await ack()
        press = Action.of(body, action)
        said = await work(services.posted_digests.update, press.user, press.channel, press.value)
        await end_modal(app.client, services.ephemeral, press.view["id"], press.user, ended(digests.TITLE, said), said)
