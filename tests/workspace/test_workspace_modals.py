"""Modals and shortcuts of the local workspace: opened, pushed, updated, filled in, submitted and closed as in Slack."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from serving import served
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.workspace import ThreadedWorkspace, Workspace

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def field(name: str, element: Json, **more: Any) -> Json:
    return {"type": "input", "block_id": name, "label": plain(name), "element": {**element, "action_id": name}, **more}


def option(value: str) -> Json:
    return {"text": plain(value.upper()), "value": value}


GO = {"type": "button", "action_id": "go", "text": plain("Go"), "value": "1"}
MENU = {"type": "static_select", "options": [option("a"), option("b")]}
ASKING: Json = {
    "type": "modal",
    "callback_id": "asking",
    "title": plain("Asking"),
    "submit": plain("Next"),
    "private_metadata": "kept",
    "blocks": [
        field("which", MENU),
        field("why", {"type": "plain_text_input", "max_length": 5}, optional=True),
        {"type": "actions", "block_id": "row", "elements": [GO]},
    ],
}
OTHER: Json = {"type": "modal", "title": plain("Other"), "blocks": [{"type": "divider"}]}


def opened(slack: ThreadedWorkspace, client: WebClient, user: str = "U0001", view: Json = ASKING) -> Json:
    return dict(client.views_open(trigger_id=slack.workspace.new_trigger(user), view=view)["view"])


def error_of(function: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        function(**arguments)
    return str(caught.value.response["error"])


class TestViews:
    def test_a_modal_is_open_before_the_eyes_of_who_caused_it(
        self, slack: ThreadedWorkspace, client: WebClient
    ) -> None:
        view = opened(slack, client)
        assert [one["id"] for one in slack.modals("ada")] == [view["id"]]
        assert (view["private_metadata"], view["callback_id"]) == ("kept", "asking")
        assert slack.modals("grace") == []

    def test_two_may_be_pushed_upon_it(self, slack: ThreadedWorkspace, client: WebClient) -> None:
        first = opened(slack, client)
        for _ in range(2):
            pushed = client.views_push(trigger_id=slack.workspace.new_trigger("U0001"), view=OTHER)["view"]
            assert pushed["root_view_id"] == first["id"]
        push = {"trigger_id": slack.workspace.new_trigger("U0001"), "view": OTHER}
        assert error_of(client.views_push, **push) == "push_limit_reached"
        nobodys = {"trigger_id": slack.workspace.new_trigger("U0002"), "view": OTHER}
        assert error_of(client.views_push, **nobodys) == "not_found"

    def test_what_slack_refuses_is_refused_here(self, slack: ThreadedWorkspace, client: WebClient) -> None:
        large = {**OTHER, "blocks": [{"type": "section", "text": plain("x" * 3_000)} for _ in range(100)]}
        trigger = slack.workspace.new_trigger("U0001")
        assert error_of(client.views_open, trigger_id=trigger, view=large) == "view_too_large"
        unsent = {**OTHER, "blocks": [field("which", MENU)]}
        assert error_of(client.views_open, trigger_id=trigger, view=unsent) == "invalid_blocks"
        chart = {**OTHER, "blocks": [{"type": "context_actions", "elements": []}]}
        assert error_of(client.views_open, trigger_id=trigger, view=chart) == "invalid_blocks"


class Bot:
    """A small bot that opens a modal on a shortcut, and answers a submission as it is told to."""

    def __init__(self, server: ThreadedWorkspace) -> None:
        client = AsyncWebClient(token=server.workspace.bot_token, base_url=server.api_url, retry_handlers=[])
        self.app = AsyncApp(client=client)
        self.got: list[Json] = []
        self.answer: Json = {}
        self.app.shortcut("begin")(self.begin)
        self.app.view("asking")(self.submitted)
        self.app.action("go")(self.heard)
        self.handler = AsyncSocketModeHandler(self.app, server.workspace.app_token)

    async def begin(self, ack: Any, body: Json, client: AsyncWebClient) -> None:
        self.got.append(body)
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=ASKING)

    async def submitted(self, ack: Any, body: Json) -> None:
        self.got.append(body)
        await ack(**self.answer)

    async def heard(self, ack: Any, body: Json) -> None:
        self.got.append(body)
        await ack()


@asynccontextmanager
async def running(workspace: Workspace) -> AsyncIterator[tuple[ThreadedWorkspace, Bot]]:
    """A workspace in which Ada has the bot's modal open."""
    async with served(workspace) as server:
        bot = Bot(server)
        await bot.handler.connect_async()
        try:
            await asyncio.to_thread(server.shortcut, "ada", "begin")
            await asyncio.to_thread(server.wait_until, lambda: workspace.modals.of("U0001"))
            yield server, bot
        finally:
            await bot.handler.close_async()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def titles(server: ThreadedWorkspace) -> list[str]:
    return [view["title"]["text"] for view in server.workspace.modals.of("U0001")]


async def submitted(server: ThreadedWorkspace, values: Json) -> str:
    """What Slack would tell Ada of a submission; empty where it was taken."""
    task = await asyncio.to_thread(server.submit, "ada", values)

    async def told() -> str:
        return await task

    return await asyncio.to_thread(server.run, told())


class TestOverTheWire:
    @pytest.mark.parametrize(
        ("answer", "left"),
        [
            ({}, []),
            ({"response_action": "clear"}, []),
            ({"response_action": "update", "view": OTHER}, ["Other"]),
            ({"response_action": "push", "view": OTHER}, ["Asking", "Other"]),
            ({"response_action": "errors", "errors": {"which": "no"}}, ["Asking"]),
        ],
    )
    def test_a_submission_does_what_it_is_answered_with(
        self, new_workspace: Callable[..., Workspace], answer: Json, left: list[str]
    ) -> None:
        async def work() -> None:
            async with running(new_workspace()) as (server, bot):
                bot.answer = answer
                with pytest.raises(LookupError, match="to be filled in: which"):
                    await asyncio.to_thread(server.submit, "ada")
                assert await submitted(server, {"which": "b"}) == ""
                assert titles(server) == left
                assert server.workspace.modals.errors.get("U0001", {}) == answer.get("errors", {})
                state = bot.got[1]["view"]["state"]["values"]
                assert state["which"]["which"]["selected_option"] == option("b")

        run(work())

    @pytest.mark.parametrize(
        "answer",
        [
            {"response_action": "errors", "errors": {"nowhere": "no"}},
            {"response_action": "update", "view": {**OTHER, "blocks": [{}]}},
        ],
    )
    def test_an_answer_slack_would_not_take_is_a_failure(
        self, new_workspace: Callable[..., Workspace], answer: Json
    ) -> None:
        async def work() -> None:
            async with running(new_workspace()) as (server, bot):
                bot.answer = answer
                assert await submitted(server, {"which": "b"})
                assert titles(server) == ["Asking"]

        run(work())
