"""What a press of a button leads to: it is acknowledged, then a modal opens, or something is done."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp

from bot.slack.answering import Actions
from bot.slack.elements import View
from bot.slack.inbox import Workers
from bot.slack.payloads import Action
from bot.slack_app.listeners.modal_opening import open_modal, update_modal

Json = dict[str, Any]


def is_a(sort: str) -> re.Pattern[str]:
    """The action_ids of a sort of button: a number may follow."""
    return re.compile(rf"^{re.escape(sort)}(\.\d+)?$")


class Presses:
    """Registers what presses of a sort lead to. What is made or done for one may block, in another thread."""

    def __init__(self, app: AsyncApp, actions: Actions, work: Workers) -> None:
        self._app = app
        self._actions = actions
        self._work = work

    def opens(self, sort: str, title: str, made: Callable[[Action], View]) -> None:
        """A modal opens, upon the one that the button stands in, if it stands in one."""

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            press = Action.of(body, action)
            is_modal = press.view.get("type") == "modal"
            await open_modal(self._app.client, body["trigger_id"], title, self._work(made, press), push=is_modal)

        self._app.action(is_a(sort))(pressed)

    def turns(self, sort: str, made: Callable[[Action], View]) -> None:
        """The modal that it stands in shows something else."""

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            press = Action.of(body, action)
            await update_modal(self._app.client, press.view, await self._work(made, press))

        self._app.action(is_a(sort))(pressed)

    def does(self, sort: str, act: Callable[[Action], str], show: Callable[[Action, str], Awaitable[None]]) -> None:
        """Something is done, once however often the press is delivered, and what is said of it is shown: nothing of
        what was done before."""

        def once(press: Action) -> str:
            return act(press) if self._actions.first_time(press) else ""

        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()
            press = Action.of(body, action)
            await show(press, await self._work(once, press))

        self._app.action(is_a(sort))(pressed)
