"""HTTP mode: signed requests that Bolt accepts, and answers by response_url."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceServer

SECRET = "shh"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[str]:
    """A server on loopback that hands every POST to /slack/events to `handler`; gives its address."""
    app = web.Application()
    app.add_routes([web.post("/slack/events", handler)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def bolt(server: WorkspaceServer, secret: str = SECRET) -> AsyncIterator[AsyncApp]:
    """A Bolt app in HTTP mode that the workspace delivers to."""
    client = AsyncWebClient(token=server.workspace.bot_token, base_url=server.api_url)
    app = AsyncApp(client=client, signing_secret=SECRET)
    async with listening(app.server(path="/slack/events").handle_post_requests) as url:
        server.use_http(url, secret)
        yield app


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_bolt_accepts_what_is_signed(new_workspace: Callable[..., Workspace]) -> None:
    """Events, commands and presses pass Bolt's signature check and are answered."""

    async def conversation() -> None:
        async with WorkspaceServer(new_workspace()) as server, bolt(server) as app:

            @app.event("app_mention")
            async def mention(event: dict[str, Any], say: Any) -> None:
                await say(text=f"you said {event['text']}", thread_ts=event["ts"])

            @app.command("/almanac")
            async def command(ack: Any, command: dict[str, Any]) -> None:
                go = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
                await ack(text=f"asked {command['text']}", blocks=[{"type": "actions", "elements": [go]}])

            @app.action("go")
            async def go(ack: Any, respond: Any) -> None:
                await ack()
                await respond(text="went", replace_original=False)

            await server.say("ada", "general", "@Almanac ünïcode & more")
            await server.wait_for(lambda message: message["text"] == "you said <@U0ALMANAC> ünïcode &amp; more")
            await server.say("ada", "general", "/almanac month ädä")
            asked = await server.wait_for(lambda message: message["text"] == "asked month ädä")
            await server.press("ada", "general", asked["ts"], "go")
            await server.wait_for(lambda message: message["text"] == "went")
            assert all(delivery.is_acknowledged for delivery in server.deliveries)

    run(conversation())


def test_a_wrong_signature_is_turned_away(new_workspace: Callable[..., Workspace]) -> None:
    """Bolt answers 401, which is a failed delivery and comes again."""

    async def conversation() -> None:
        async with WorkspaceServer(new_workspace(), retry_delays=(0.0,)) as server, bolt(server, "wrong"):
            await server.say("ada", "general", "@Almanac hi")
            await server.wait_until(lambda: len(server.deliveries) == 2)
            assert [delivery.reply.failure for delivery in server.deliveries] == ["http_error"] * 2

    run(conversation())


def test_bolt_proves_its_address(new_workspace: Callable[..., Workspace]) -> None:
    """url_verification gives the challenge back, ssl_check is answered."""

    async def conversation() -> None:
        async with WorkspaceServer(new_workspace()) as server, bolt(server):
            assert server.http_mode is not None
            assert (await server.http_mode.verify_url("abc")).payload == {"challenge": "abc"}
            assert (await server.http_mode.check_ssl()).failure == ""

    run(conversation())


def test_retries_say_their_number_and_reason(new_workspace: Callable[..., Workspace]) -> None:
    """Headers count the attempts; x-slack-no-retry ends them."""
    seen: list[tuple[str | None, str | None]] = []

    async def refuse(request: web.Request) -> web.Response:
        seen.append((request.headers.get("x-slack-retry-num"), request.headers.get("x-slack-retry-reason")))
        headers = {"x-slack-no-retry": "1"} if len(seen) == 3 else {}
        return web.Response(status=500, headers=headers)

    async def conversation() -> None:
        async with (
            listening(refuse) as url,
            WorkspaceServer(new_workspace(), retry_delays=(0.0, 0.0, 0.0)) as server,
        ):
            server.use_http(url, SECRET)
            await server.say("ada", "U0001", "hi")
            await server.wait_until(lambda: len(server.deliveries) == 3)
            assert seen == [(None, None), ("1", "http_error"), ("2", "http_error")]

    run(conversation())


def test_each_sort_of_failure_has_its_reason(new_workspace: Callable[..., Workspace]) -> None:
    """Too slow, nobody there, sent round in circles."""

    async def slow(request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError("never")

    async def circle(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("/slack/events")

    async def failure(url: str, ack_timeout: float = 3.0) -> str:
        options: dict[str, Any] = {"ack_timeout": ack_timeout, "retry_delays": ()}
        async with WorkspaceServer(new_workspace(), **options) as server:
            server.use_http(url, SECRET)
            await server.say("ada", "U0001", "hi")
            await server.wait_until(lambda: server.deliveries)
            return server.deliveries[0].reply.failure

    async def conversation() -> None:
        async with listening(slow) as url:
            assert await failure(url, ack_timeout=0.05) == "http_timeout"
        assert await failure(url) == "connection_failed"
        async with listening(circle) as url:
            assert await failure(url) == "too_many_redirects"

    run(conversation())


async def post(url: str, **body: Any) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status, await response.text()


def command_url(slack: ThreadedWorkspace) -> str:
    """The response_url of a command typed now; nobody acknowledges it."""
    before = len(slack.deliveries)
    slack.say("ada", "general", "/almanac help")
    slack.wait_until(lambda: len(slack.server.deliveries) > before)
    return str(slack.deliveries[-1].payload["response_url"])


def test_a_response_url_is_good_five_times(slack: ThreadedWorkspace) -> None:
    """Then it is used up; what was refused does not count."""
    url = command_url(slack)
    status, body = asyncio.run(post(url, text="x", blocks=[{"type": "header"}]))
    assert (status, json.loads(body)["error"]) == (400, "invalid_blocks")
    assert json.loads(asyncio.run(post(url))[1])["error"] == "no_text"
    for number in range(5):
        assert asyncio.run(post(url, text=str(number))) == (200, "ok")
    status, body = asyncio.run(post(url, text="six"))
    assert (status, json.loads(body)) == (404, {"ok": False, "error": "used_url"})


def test_a_response_url_is_good_for_half_an_hour(slack: ThreadedWorkspace, clock: Any) -> None:
    """After that it is none."""
    url = command_url(slack)
    clock.now += 30 * 60 + 1
    assert asyncio.run(post(url, text="late"))[0] == 404
    assert json.loads(asyncio.run(post(url, text="late"))[1])["error"] == "expired_url"
    assert json.loads(asyncio.run(post(f"{slack.url}/response/none", text="x"))[1])["error"] == "invalid_url"


def test_an_answer_goes_where_it_says(slack: ThreadedWorkspace) -> None:
    """To the person, or to the channel; in a thread if asked."""
    url = command_url(slack)
    root = slack.say("grace", "general", "look")
    asyncio.run(post(url, text="for you"))
    asyncio.run(post(url, text="for all", response_type="in_channel"))
    asyncio.run(post(url, text="beneath", response_type="in_channel", thread_ts=root))
    assert [message["text"] for message in slack.messages("general")] == ["look", "for all", "beneath"]
    assert slack.messages("general")[-1]["thread_ts"] == root
    seen = [message["text"] for message in slack.messages("general", user="U0001")]
    assert "for you" in seen


def test_after_a_press_the_original_is_replaced_or_deleted(slack: ThreadedWorkspace) -> None:
    """Left unsaid, it is replaced: who wants a new message says so."""
    go = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    blocks = [{"type": "actions", "elements": [go]}]
    asyncio.run(post(command_url(slack), text="first", blocks=blocks))
    original = slack.wait_for(lambda message: message["text"] == "first")

    def pressed_url() -> str:
        before = len(slack.deliveries)
        slack.press("ada", "general", original["ts"], "go")
        slack.wait_until(lambda: len(slack.server.deliveries) > before)
        return str(slack.deliveries[-1].payload["response_url"])

    def texts() -> list[str]:
        shown = slack.messages("general", user="U0001")
        return [message["text"] for message in shown if message["user"] != "USLACKBOT"]

    asyncio.run(post(pressed_url(), text="beside", replace_original=False))
    assert texts() == ["first", "beside"]
    asyncio.run(post(pressed_url(), text="second", blocks=blocks))
    assert texts() == ["second", "beside"]
    asyncio.run(post(pressed_url(), delete_original=True))
    assert texts() == ["beside"]
