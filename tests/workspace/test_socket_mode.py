"""Socket Mode, with Slack's own library at the other end of a real WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from serving import served
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.workspace import ThreadedWorkspace, Workspace

Json = dict[str, Any]
GO = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}, "value": "1"}
ACTIONS = [{"type": "actions", "block_id": "b", "elements": [GO]}]


class Bot:
    """A small bot that answers whatever reaches it and remembers it."""

    def __init__(self, server: ThreadedWorkspace) -> None:
        workspace = server.workspace
        client = AsyncWebClient(token=workspace.bot_token, base_url=server.api_url, retry_handlers=[])
        self.app = AsyncApp(client=client)
        self.got: list[Json] = []
        self.app.event("app_mention")(self.mention)
        self.app.event("message")(self.message)
        self.app.event("app_home_opened")(self.home)
        self.app.command("/almanac")(self.command)
        self.app.action("go")(self.go)
        self.handler = AsyncSocketModeHandler(self.app, workspace.app_token, ping_interval=2)

    async def mention(self, event: Json, say: Any) -> None:
        self.got.append(event)
        await say(text="in the thread", thread_ts=event["ts"], blocks=ACTIONS)

    async def message(self, event: Json, say: Any) -> None:
        self.got.append(event)
        if "subtype" not in event:
            await say(text=f"you said {event['text']}")

    async def home(self, event: Json, client: AsyncWebClient) -> None:
        view = {"type": "home", "blocks": ACTIONS}
        await client.views_publish(user_id=event["user"], view=view)

    async def command(self, ack: Any, command: Json, respond: Any) -> None:
        self.got.append(command)
        if command["text"] == "by ack":
            await ack(text="in the acknowledgement")
        elif command["text"] == "late":
            pass
        else:
            await ack()
            await respond(text="by response_url", blocks=ACTIONS)

    async def go(self, ack: Any, body: Json, respond: Any) -> None:
        self.got.append(body)
        await ack()
        if "response_url" in body:
            await respond(text="pressed", replace_original=True)


@asynccontextmanager
async def raw_socket(server: ThreadedWorkspace) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A socket without Slack's library, to see the frames themselves."""
    client = AsyncWebClient(token=server.workspace.bot_token, base_url=server.api_url)
    opened = await client.apps_connections_open(app_token=server.workspace.app_token)
    async with aiohttp.ClientSession() as session, session.ws_connect(opened["url"]) as ws:
        yield ws


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_frames_are_slacks(new_workspace: Callable[..., Workspace]) -> None:
    """Hello, an envelope, no acknowledgement, and the same event again with its number and reason."""

    async def conversation() -> None:
        async with served(new_workspace(), ack_timeout=1.5, retry_delays=(0.0,)) as server, raw_socket(server) as ws:
            hello = await ws.receive_json()
            assert (hello["type"], hello["num_connections"]) == ("hello", 1)
            await asyncio.to_thread(server.say, "ada", "general", "@Almanac hi")
            first, second = await ws.receive_json(), await ws.receive_json()
            assert set(first) == {
                "envelope_id",
                "type",
                "payload",
                "accepts_response_payload",
                "retry_attempt",
                "retry_reason",
            }
            assert (first["type"], first["accepts_response_payload"]) == ("events_api", False)
            assert (first["retry_attempt"], first["retry_reason"]) == (0, "")
            assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")
            assert second["payload"] == first["payload"]
            assert second["envelope_id"] != first["envelope_id"]
            await ws.send_str("no acknowledgement")
            await ws.send_json({"envelope_id": second["envelope_id"]})
            await asyncio.to_thread(server.wait_until, lambda: len(server.deliveries) == 2)
            assert [delivery.is_acknowledged for delivery in server.deliveries] == [False, True]

    run(conversation())
