"""The modals of /almanac digest, and the button of Home that leads to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack import forms, modals
from bot.slack.answer_actions import Action
from bot.slack.payload_checks import view_of
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.actions import DigestActions
from bot.slack_app.digests.views import OpenedFrom
from bot.slack_app.listeners.actions import is_a
from bot.slack_app.listeners.home import Publisher
from bot.slack_app.listeners.modal_opening import end_modal, ended, in_time, open_modal, unless_gone, update_modal
from bot.slack_app.listeners.work import Work
from bot.slack_app.services import Services

Json = dict[str, Any]

CHANGING = "Change a digest"


def where(body: Json) -> OpenedFrom:
    """Where something was pressed: in a message, in one of our modals, or in Home."""
    view = body.get("view") or {}
    if view.get("type") == "home":
        return OpenedFrom(home=OpenedFrom.of(view).channel)
    if view:
        kept = OpenedFrom.of(view)
        return OpenedFrom(kept.channel, kept.home)
    return OpenedFrom(Action.of(body, {}).channel)


async def open_list(
    client: AsyncWebClient, trigger: str, services: Services, work: Work, user: str, channel: str
) -> None:
    """Open the modal that lists digests."""
    await open_modal(client, trigger, digests.TITLE, work(services.digests.listing, user, OpenedFrom(channel)))


def register(app: AsyncApp, services: Services, work: Work) -> None:
    acts: DigestActions = services.digests
    publisher = Publisher(app.client, services.home_tab, work)

    async def shown_anew(client: AsyncWebClient, body: Json, user: str, kept: OpenedFrom, said: str) -> None:
        """Show what something was pressed in, as it is now: the list, or Home."""
        view = body.get("view") or {}
        if view.get("callback_id") == modals.DIGESTS:
            await update_modal(client, view, await work(acts.listing, user, kept, said))
        if kept.home:
            await publisher.anew(user, kept.home, "", said)

    def done_by(sort: str, act: Callable[[str, OpenedFrom, str], str]) -> None:
        async def pressed(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
            await ack()
            press, kept = Action.of(body, action), where(body)

            def once() -> str:
                return act(press.user, kept, press.value) if services.actions.first_time(press) else ""

            if said := await work(once):
                await shown_anew(client, body, press.user, kept, said)

        app.action(is_a(sort))(pressed)

    done_by(digests.PAUSE, acts.pause)
    done_by(digests.RESUME, acts.resume)
    done_by(digests.DELETE, acts.delete)
    done_by(digests.ASK_ME, lambda user, kept, _: acts.ask_me(user, kept))
    done_by(digests.MENTION_ME, lambda user, kept, _: acts.mention_me(user, kept))

    def opens(sort: str, title: str, made: Callable[[str, OpenedFrom, str], forms.View]) -> None:
        async def pressed(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
            await ack()
            is_modal = (body.get("view") or {}).get("type") == "modal"
            making = work(made, str(body["user"]["id"]), where(body), str(action.get("value") or ""))
            await open_modal(client, body["trigger_id"], title, making, push=is_modal)

        app.action(is_a(sort))(pressed)

    opens(modals.DIGESTS, digests.TITLE, lambda user, kept, _: acts.listing(user, kept))
    opens(digests.NEW, "New digest", lambda user, kept, _: acts.new(user, kept))
    opens(digests.EDIT, CHANGING, acts.edit)
    opens(digests.PREVIEW, "Preview", acts.preview)
    opens(digests.POST, "Post it now?", acts.posting)

    @app.view(digest_form.FORM)
    async def submitted(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        user = str(body["user"]["id"])
        saved, is_in_time = await in_time(ack, digest_form.title_of(view), work(services.saving.save, user, view))
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
            await ack(response_action="update", view=forms.said(digests.TITLE, said))
        else:
            await end_modal(client, view["id"], user, ended(digests.TITLE, said), said)
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
    async def update(ack: AsyncAck, body: Json, action: Json, client: AsyncWebClient) -> None:
        await ack()
        view, user = view_of(body), str(body["user"]["id"])
        said = await work(services.posted_digests.update, user, modals.origin_of(view), str(action.get("value") or ""))
        await end_modal(client, view["id"], user, ended(digests.TITLE, said), said)
