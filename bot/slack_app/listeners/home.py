"""The Home tab: published when it is opened and after what is pressed in it, with the hash of the view it replaces.

Only whoever opened it or pressed something gets it anew; others see what changed when they open theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

from aiohttp import ClientError
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.ask.people.proposal import Proposal
from bot.slack import elements
from bot.slack.elements import view_of
from bot.slack.inbox import Workers
from bot.slack.payloads import Action
from bot.slack.request import SORRY
from bot.slack.web_api import code_of
from bot.slack_app.home import modals as home_modals
from bot.slack_app.home import texts as home_texts
from bot.slack_app.home import view as home
from bot.slack_app.home.content import HomeTab
from bot.slack_app.listeners.modal_opening import in_time, unless_gone
from bot.slack_app.listeners.pressing import Presses, is_a
from bot.slack_app.services import Services

log = logging.getLogger(__name__)

Json = dict[str, Any]

SOON = 0.6  # seconds: what takes longer is said to be on its way
REFUSED_VIEW = frozenset({"invalid_arguments", "invalid_blocks", "view_too_large"})


async def in_home(event: Json) -> bool:
    return event.get("tab") == "home"


class Publisher:
    """Publishes Home tabs. Never raises for what Slack answers."""

    def __init__(self, client: AsyncWebClient, home_tab: HomeTab, work: Workers) -> None:
        self._client = client
        self._tab = home_tab
        self._work = work
        self._logged: set[str] = set()

    async def opened(self, user: str, channel: str, hash: str) -> None:
        """Show somebody their tab; where parts of it take their time, at once without them."""
        whole = asyncio.ensure_future(self._made(user, channel))
        done, _ = await asyncio.wait({whole}, timeout=SOON)
        if not done:
            hash = await self._publish(user, await self._made(user, channel, whole=False), hash) or hash
        await self._shown(user, channel, hash, await whole)

    async def anew(self, user: str, channel: str, hash: str, said: str = "") -> None:
        """Show somebody their tab after something was done in it."""
        await self._shown(user, channel, hash, await self._made(user, channel, said), said)

    def _made(self, user: str, channel: str, said: str = "", *, whole: bool = True) -> Awaitable[elements.View]:
        return self._work(lambda: self._tab.tab(user, channel, said, whole=whole))

    async def _shown(self, user: str, channel: str, hash: str, view: elements.View, said: str = "") -> None:
        if await self._publish(user, view, hash) is None:  # it shows something newer than what we began with
            await self._publish(user, await self._made(user, channel, said), "")

    async def _publish(self, user: str, view: elements.View, hash: str) -> str | None:
        """The hash of what is shown now, empty where Slack refused; None where another view was published since."""
        try:
            seen = {"hash": hash} if hash else {}
            return str((await self._client.views_publish(user_id=user, view=view, **seen))["view"]["hash"])
        except SlackApiError as error:
            code = code_of(error)
            if code == "hash_conflict":
                return None
            if code in REFUSED_VIEW:
                log.error("Slack refused a Home tab (%s): %s", code, error.response.data)
                if view["blocks"] != home.refused(SORRY)["blocks"]:
                    return await self._publish(user, home.refused(SORRY), "")
            self._tell_once(code)
        except (TimeoutError, OSError, ClientError, SlackClientError) as error:
            log.warning("a Home tab could not be published: %s", error)
        return ""

    def _tell_once(self, code: str) -> None:
        if code not in self._logged:
            self._logged.add(code)
            hint = ": switch on the Home tab, as manifest.json has it" if code == "not_enabled" else ""
            log.warning("views.publish: %s%s; it is not said again", code, hint)


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    home_tab, acts = services.home_tab, services.home_actions
    publisher = Publisher(app.client, home_tab, work)

    @app.event("app_home_opened", matchers=[in_home])
    async def opened(event: Json) -> None:
        seen = event.get("view") or {}
        await publisher.opened(str(event["user"]), str(event.get("channel") or ""), str(seen.get("hash") or ""))

    async def shown_anew(press: Action, said: str) -> None:
        """Show the tab anew."""
        hash = str(press.view.get("hash") or "")
        await publisher.anew(press.user, home_modals.where(press.view)["channel"], hash, said)

    async def shown_if_unanswered(press: Action, said: str) -> None:
        if said:
            await shown_anew(press, said)

    presses = Presses(app, services.actions, work)
    for sort, act in (
        (home_texts.NOT_ME, acts.not_me),
        (home_texts.THIS_IS_ME, acts.this_is_me),
        (home_texts.UNDO, acts.undo),
        (home_texts.CONFIRM, acts.accept),
        (home_texts.HIDE, acts.hide),
        (home_texts.SHOW, acts.show),
        (home_texts.REFRESH, lambda _: ""),
    ):
        presses.does(sort, act, shown_anew)
    presses.does(home_texts.ASK, acts.ask, shown_if_unanswered)

    @app.action(is_a(home_texts.ADD))
    async def add(ack: AsyncAck, body: Json, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=home_modals.adding(view_of(body)))

    @app.view(home_texts.ADD)
    async def typed(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        claim = work(acts.claim, body["user"]["id"], home_modals.typed(view))
        found, is_in_time = await in_time(ack, home_modals.TITLE, claim)
        if not is_in_time:
            await _put(client, view, _next(found, view))
        elif isinstance(found, str):
            await ack(response_action="errors", errors={home_modals.ADDRESS: found})
        else:
            await ack(response_action="update", view=_next(found, view))

    @app.view(home_texts.CONFIRM)
    async def confirmed(ack: AsyncAck, body: Json, view: Json, client: AsyncWebClient) -> None:
        user, kept = str(body["user"]["id"]), home_modals.where(view)
        confirming = work(acts.confirm, user, view)
        said, is_in_time = await in_time(ack, home_modals.TITLE, confirming)
        if is_in_time:
            await ack(response_action="update", view=elements.said(home_modals.TITLE, said))
        else:
            await _put(client, view, elements.said(home_modals.TITLE, said))
        await publisher.anew(user, kept["channel"], kept["hash"])


async def _put(client: AsyncWebClient, shown: Json, view: elements.View) -> None:
    """Show another view in a modal that was submitted, unless it was closed meanwhile."""
    with unless_gone():
        await client.views_update(view_id=shown["id"], view=view)


def _next(found: Proposal | str, view: Json) -> elements.View:
    return elements.said(home_modals.TITLE, found) if isinstance(found, str) else home_modals.confirming(found, view)
