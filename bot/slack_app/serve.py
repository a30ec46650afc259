"""`almanac serve`: the app, its clock, and the way Slack reaches it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from aiohttp import web
from slack_sdk import WebClient

from bot.database import PostgresAddress
from bot.digest.tick import Clock, Jobs
from bot.errors import AlmanacError, SchemaNewer, StoreBusy, log_to_stderr
from bot.index.places import keep_audiences
from bot.monitoring import Metrics
from bot.settings import Settings
from bot.slack.answering import Answering
from bot.slack.directory import Lookups, Members, lookup_client
from bot.slack.inbox import Inbox, Workers
from bot.slack.sender import Sender
from bot.slack.web_api import TROUBLE, identity, posting_client, without_proxy_for_loopback
from bot.slack_app.app import Services, build_app
from bot.slack_app.listeners import Listeners
from bot.slack_app.transports import endpoints, http_server, slack_routes, socket_mode
from bot.story.render import Templates
from storage import Store

if TYPE_CHECKING:
    from bot.mcp.slackbot import SlackbotTools

log = logging.getLogger(__name__)

# Whoever stops the bot waits for five seconds at most, whatever Slack and the database answer.
STOP_SECONDS = 2.0  # what questions that were heard get to be answered; what is left is kept for the next start
END_SECONDS = 4.5  # after which the process ends: what is under way is settled as after a kill


class Bot:
    """The bot, put together from settings. Made by `Bot.connected`; `running` answers until it is left."""

    def __init__(self, settings: Settings, store: Store, client: WebClient, me: Mapping[str, Any]) -> None:
        workspace = str(me["team_id"])
        self._settings = settings
        self._store = store
        self._workers = Workers()
        now = store.shared(settings.now)
        self._inbox = Inbox(store.pending_events, now, shared=isinstance(store.database, PostgresAddress))
        sender = Sender(client, store.outbox, store.shared())
        templates = Templates(settings.templates)
        self._members = Members.of(settings, store, workspace)
        self._metrics = Metrics()
        services = Services.of(settings, store, sender, self._members, templates, self._metrics, me)
        self._app = build_app(settings, services, self._inbox, me)
        self.listeners = Listeners(self._app, services, self._workers)
        self._inbox.answer = self.listeners.asked
        self._slackbot = _slackbot_tools(settings, services.conversation.answering, templates, workspace)
        self._jobs = Jobs(settings, store, sender, services.digest_service)
        self._clock = Clock(self.tick, self._refresh, settings.refresh_minutes)

        self.outdated: SchemaNewer | None = None
        self.on_outdated: Callable[[], object] = lambda: None  # called in a thread, once that is known

    def tick(self) -> None:
        """Do what is due, unless a newer Almanac has taken the database over."""
        try:
            self._store.check_schema()
        except SchemaNewer as error:
            self.outdated = error
            self.on_outdated()
        else:
            self._jobs.tick()

    def _refresh(self) -> None:
        keep_audiences(self._settings, self._store)
        self._members.refresh()
        self._jobs.refresh()
        self._jobs.look_back()
        self._jobs.count_lines()

    @classmethod
    def connected(cls, settings: Settings) -> Bot:
        """The bot, once Slack has accepted its token. Raises AlmanacError with what to do otherwise."""
        store = Store(settings.database, dates=settings.dates)
        client = posting_client(settings)
        me = dict(identity(client))
        with contextlib.suppress(*TROUBLE):  # then what is for other apps is not told apart
            profile = Lookups(lookup_client(client)).user(str(me["user_id"])).get("profile") or {}
            me["api_app_id"] = profile.get("api_app_id")
        return cls(settings, store, client, me)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Connected to Slack inside the block. When it is left, nothing more is heard; what was heard is answered, or
        kept for the next start; and then nothing of the bot runs any more."""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(self._store.held_open())  # no answer writes its log back
            stack.callback(self._inbox.close)
            stack.callback(self._workers.close)
            stack.push_async_callback(self._finish)
            await self._connect(stack)
            await self._inbox.start()
            stack.callback(self._inbox.stop)
            with contextlib.suppress(StoreBusy):  # then the first refresh does it
                await asyncio.to_thread(keep_audiences, self._settings, self._store)
            self._clock.start()
            sending = threading.Thread(target=self._jobs.send, name="sender", daemon=True)
            sending.start()
            stack.push_async_callback(asyncio.to_thread, sending.join)
            stack.callback(self._jobs.stop)
            stack.callback(self._members.stop)
            yield

    async def _connect(self, stack: contextlib.AsyncExitStack) -> None:
        """Be reached by Slack, and by whoever else may ask, until the stack is left."""
        settings, metrics = self._settings, self._metrics
        health, routes = await stack.enter_async_context(
            endpoints(settings, self._store, metrics, self._jobs.requests, self._faults)
        )
        if self._slackbot and (settings.has_endpoints or not settings.app_token):
            routes.append(web.post("/mcp", self._slackbot.post))
        if not settings.app_token:
            await stack.enter_async_context(
                http_server(settings, [*slack_routes(self._app, settings, metrics), *routes])
            )
        else:
            if settings.has_endpoints:
                await stack.enter_async_context(http_server(settings, routes))
            health.is_connected = await stack.enter_async_context(socket_mode(self._app, settings, metrics))
        stack.callback(health.stop)

    def _faults(self) -> str:
        """What does not go on as it should, in words for everybody."""
        return self._inbox.fault or self._jobs.unsent

    async def _finish(self) -> None:
        await asyncio.gather(self._workers.finish(STOP_SECONDS), asyncio.to_thread(self._clock.stop))


def _slackbot_tools(
    settings: Settings, answering: Answering, templates: Templates, workspace: str
) -> SlackbotTools | None:
    """What Slackbot's calls are answered by, where Slack signs requests and what MCP needs is installed."""
    if not settings.signing_secret or not find_spec("mcp"):
        return None
    from bot.mcp.slackbot import SlackbotTools

    return SlackbotTools(answering, templates, settings.signing_secret.get_secret_value(), workspace)


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


async def _answer(bot: Bot, way: str, stopped: asyncio.Event) -> None:
    async with bot.running():
        log.info("answering by %s", way)
        await stopped.wait()


def _end(code: int) -> None:
    log.warning("stopped; what was under way is left to the next start")
    logging.shutdown()
    os._exit(code)


def serve(settings: Settings) -> None:
    """Answer until SIGINT or SIGTERM."""
    log_to_stderr()
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
    logging.getLogger("slack_bolt.AsyncApp").setLevel(logging.ERROR)  # it warns that SLACK_BOT_TOKEN is set
    way = mode(settings)
    without_proxy_for_loopback(settings)
    bot = Bot.connected(settings)

    async def run() -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stopped.set)
        bot.on_outdated = lambda: loop.call_soon_threadsafe(stopped.set)
        answering = asyncio.create_task(_answer(bot, way, stopped))
        waiting = asyncio.create_task(stopped.wait())
        await asyncio.wait({answering, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if stopped.is_set():
            end = threading.Timer(END_SECONDS, _end, [int(bot.outdated is not None)])
            end.daemon = True
            end.start()
            _, slow = await asyncio.wait({answering}, timeout=END_SECONDS - 0.5)
            if slow:  # still connecting, most likely
                answering.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await answering
        log.info("stopped")

    asyncio.run(run())
    if bot.outdated:
        raise bot.outdated
