"""`almanac serve`: the app, its clock, and the way Slack reaches it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Literal
from urllib.parse import urlsplit

from aiohttp import ClientError, web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.ask.answer import Almanac
from bot.digest.clock import Clock
from bot.digest.rounds import Rounds
from bot.errors import AlmanacError, SlackRefused, StoreUnavailable
from bot.settings import Settings
from bot.slack.app import build_app
from bot.slack.conversation import Conversation
from bot.slack.members import Members
from bot.slack.poster import Poster, code_of, identity, posting_client
from bot.story.render import Templates
from storage import Store

log = logging.getLogger(__name__)

STOP_SECONDS = 20.0  # what running answers get to end
WORKERS = 8  # questions answered at the same time; more wait their turn, acknowledged all the same


class Bot:
    """The bot, put together from settings. Made by `Bot.connected`; `running` answers until it is left."""

    def __init__(self, settings: Settings, store: Store, client: WebClient, workspace: str, bot_user: str) -> None:
        self._settings = settings
        self._store = store
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="answer")
        poster = Poster(client, store.outbox, settings.now)
        templates = Templates(settings.templates)
        conversation = Conversation(
            Almanac(store, settings),
            store,
            poster,
            Members(client),
            templates,
            settings.repositories,
            workspace,
            bot_user,
            settings.now,
        )
        self._app = build_app(settings, conversation, self._workers)
        self._rounds = Rounds(settings, store, poster, templates, workspace)
        self._clock = Clock(self._rounds.tick, self._refresh, settings.refresh_minutes)

    def _refresh(self) -> None:
        self._rounds.refresh()
        self._rounds.count_lines()

    @classmethod
    def connected(cls, settings: Settings) -> Bot:
        """The bot, once Slack has accepted its token. Raises AlmanacError with what to do otherwise."""
        store = Store(settings.database, dates=settings.dates)
        client = posting_client(settings)
        me = identity(client)
        return cls(settings, store, client, str(me.get("team_id") or ""), str(me.get("user_id") or ""))

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Connected to Slack inside the block; when it is left, nothing of the bot runs any more."""
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(self._workers.shutdown, wait=True, cancel_futures=True)
            way = socket_mode if self._settings.app_token else http_mode
            await stack.enter_async_context(way(self._app, self._settings, self._store))
            self._clock.start()
            stack.push_async_callback(asyncio.to_thread, self._clock.stop)
            stack.callback(self._rounds.stop)
            yield


def mode(settings: Settings) -> Literal["Socket Mode", "HTTP"]:
    """How Slack will reach the bot. Raises AlmanacError where neither way is configured."""
    if settings.app_token:
        return "Socket Mode"
    if settings.signing_secret:
        return "HTTP"
    raise AlmanacError(
        "set SLACK_APP_TOKEN (xapp-…) to be reached by Socket Mode, or SLACK_SIGNING_SECRET to be reached by HTTP "
        "on PORT"
    )


@contextlib.asynccontextmanager
async def socket_mode(app: AsyncApp, settings: Settings, _: Store) -> AsyncIterator[None]:
    """Slack reaches the bot through a WebSocket that the bot opens.

    The aiohttp client, since it reads a renewed connection at once: the built-in one answers the first event
    after each renewal three seconds late, by when Slack has given it up.
    """
    token = settings.app_token.get_secret_value() if settings.app_token else ""
    # Asked first by ourselves: the SDK's client would try a wrong token for ever.
    try:
        answer = await app.client.apps_connections_open(app_token=token)
    except SlackApiError as error:
        code = code_of(error)
        hint = "generate one with connections:write" if code != "unknown_error" else "its answer cannot be read"
        raise SlackRefused(code, f"Slack refused SLACK_APP_TOKEN ({code}): {hint}") from error
    except (OSError, HTTPException, SlackClientError, ClientError, TimeoutError) as error:
        raise SlackRefused(
            "unreachable", f"Slack cannot be reached at {settings.slack_api}: try again later"
        ) from error
    handler = AsyncSocketModeHandler(app, token)
    handler.client.wss_uri = str(answer["url"])
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


@contextlib.asynccontextmanager
async def http_mode(app: AsyncApp, settings: Settings, store: Store) -> AsyncIterator[None]:
    """Slack reaches the bot by signed requests to /slack/events. /health says whether it can work."""
    server = app.server(port=settings.port, path="/slack/events").web_app

    async def health(_: web.Request) -> web.Response:
        try:
            await asyncio.to_thread(store.commits.repositories)
        except StoreUnavailable as error:
            return web.json_response({"ok": False, "error": str(error)}, status=503)
        return web.json_response({"ok": True})

    server.router.add_get("/health", health)
    runner = web.AppRunner(server, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, None, settings.port).start()
    except OSError as error:
        await runner.cleanup()
        raise AlmanacError(f"port {settings.port} cannot be used ({error.strerror}): set PORT to another") from error
    try:
        yield
    finally:
        await runner.cleanup()


def without_proxy_for_loopback(settings: Settings) -> None:
    """A local workspace is not reached through a proxy, and Slack's client would try."""
    if urlsplit(settings.slack_api).hostname in ("127.0.0.1", "localhost", "::1"):
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            os.environ.pop(name, None)
            os.environ.pop(name.upper(), None)


def _without_bodies(record: logging.LogRecord) -> bool:
    """What Bolt says of a request with a wrong signature holds the whole body, with Slack's token in it."""
    if "RequestVerification" in record.name:
        record.msg, record.args = "a request with a wrong signature was refused: see SLACK_SIGNING_SECRET", ()
    return True


async def _answer(bot: Bot, way: str, stopped: asyncio.Event) -> None:
    async with bot.running():
        log.info("answering by %s", way)
        await stopped.wait()


def serve(settings: Settings) -> None:
    """Answer until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True)
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_without_bodies)
    way = mode(settings)
    without_proxy_for_loopback(settings)
    bot = Bot.connected(settings)

    async def run() -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stopped.set)
        answering = asyncio.create_task(_answer(bot, way, stopped))
        waiting = asyncio.create_task(stopped.wait())
        await asyncio.wait({answering, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        _, slow = await asyncio.wait({answering}, timeout=STOP_SECONDS)
        if slow:  # still connecting, most likely
            answering.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await answering
        log.info("stopped")

    asyncio.run(run())
