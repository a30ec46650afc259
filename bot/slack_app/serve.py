"""`almanac serve`: the app, its clock, and how the bot is reached: by Slack in two ways, which both look at what
arrives before Bolt does; by forges; and by whoever looks after it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs

from aiohttp import ClientError, web
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk import WebClient
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.digest.tick import Clock, Jobs
from bot.errors import AlmanacError, SchemaNewer, StoreBusy, log_to_stderr
from bot.hooks import Webhooks
from bot.http_server import ThrottledLog, body_in_time, held, listening
from bot.index.indexing import IndexRequests
from bot.index.places import keep_audiences
from bot.monitoring import DatabaseMetrics, HealthCheck, Looked, Metrics
from bot.settings import PostgresAddress, Settings
from bot.slack.answering import Answering
from bot.slack.directory import Lookups, Members, lookup_client
from bot.slack.inbox import Inbox, Workers
from bot.slack.sender import Sender
from bot.slack.web_api import (
    ASYNC_TROUBLE,
    TROUBLE,
    fault_of,
    identity,
    posting_client,
    refused,
    without_proxy_for_loopback,
)
from bot.slack_app.listeners import Listeners, Services, build_app
from bot.story.render import Templates
from storage import Store

if TYPE_CHECKING:
    from bot.mcp.slackbot import SlackbotTools


log = logging.getLogger(__name__)

# How often a connection is looked at, and one that failed is tried again: Slack delivers nothing meanwhile.
PING_SECONDS = 2.0
MOST_BYTES = 4 * 1024 * 1024  # of a body; the longest that Slack sends is a modal's, of a quarter of a megabyte
LAST_SECONDS = 1.0  # what those get who are being answered when the bot stops
_UNREADABLE = (AttributeError, TypeError, KeyError, IndexError)  # what Bolt raises where it looks for ids in vain
# Whoever stops the bot waits for five seconds at most, whatever Slack and the database answer.
STOP_SECONDS = 2.0  # what questions that were heard get to be answered; what is left is kept for the next start
END_SECONDS = 4.5  # after which the process ends: what is under way is settled as after a kill
# A proxy says for whom it asks; where it does not, its own address is all there is to see.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


class SocketModeTransport(AsyncSocketModeHandler):
    """Bolt's, which hands on what is as Slack writes it, and acknowledges the rest: it would only come again."""

    def __init__(self, app: AsyncApp, token: str) -> None:
        super().__init__(app, token, ping_interval=PING_SECONDS)

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        fault = fault_of(req.payload)
        if not fault:
            try:
                AsyncBoltRequest(body=req.payload, mode="socket_mode")
            except _UNREADABLE:
                fault = "it is no object of Slack's"
        if fault:
            log.warning("what Slack sent cannot be read: %s", fault)
            await client.send_socket_mode_response(SocketModeResponse(envelope_id=req.envelope_id))
            return
        try:
            await super().handle(client, req)
        except ClientError as error:  # the connection is gone: Slack delivers it again on another
            log.info("an event could not be acknowledged: %s", error)


@contextlib.asynccontextmanager
async def socket_mode(app: AsyncApp, settings: Settings) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
    """Slack reaches the bot through a WebSocket that the bot opens. Yields what says whether it is open.

    The aiohttp client, since it reads a renewed connection at once: the built-in one answers the first event
    after each renewal three seconds late, by when Slack has given it up.
    """
    token = settings.app_token.get_secret_value() if settings.app_token else ""
    # Asked first by ourselves: the SDK's client would try a wrong token for ever.
    try:
        answer = await app.client.apps_connections_open(app_token=token)
    except ASYNC_TROUBLE as error:
        raise refused(error, "SLACK_APP_TOKEN", settings.slack_api) from error
    handler = SocketModeTransport(app, token)
    handler.client.wss_uri = str(answer["url"])
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        yield handler.client.is_connected
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


def slack_routes(app: AsyncApp, settings: Settings) -> list[web.RouteDef]:
    """Slack reaches the bot by signed requests to /slack/events."""

    throttled = ThrottledLog(log)
    signed = SignatureVerifier(settings.signing_secret.get_secret_value() if settings.signing_secret else "")

    async def receive(request: web.Request) -> web.Response:
        read = await request.read()
        if not _is_signed(signed, read, request):
            if _is_ssl_check(read):
                return web.Response()
            throttled.warning("a request with a wrong signature was refused: see SLACK_SIGNING_SECRET")
            return web.Response(status=401)
        with held(request):
            return await taken(request, read)

    async def taken(request: web.Request, read: bytes) -> web.Response:
        try:
            asked = AsyncBoltRequest(body=read.decode(), query=request.query_string, headers=dict(request.headers))
            fault = fault_of(asked.body)
        except (ValueError, RecursionError):  # no UTF-8, no JSON, or far too deep
            fault = "it is neither JSON nor a form"
        except _UNREADABLE:
            fault = "it is no object of Slack's"
        if fault:
            log.warning("what Slack sent cannot be read: %s", fault)
            return web.Response(status=400, headers={"x-slack-no-retry": "1"})
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return [web.post("/slack/events", receive)]


def _is_signed(verifier: SignatureVerifier, body: bytes, request: web.Request) -> bool:
    """Whether Slack wrote this within five minutes. Bolt would not look at it before it has read the body, stumble over
    what is no time and no signature at all, and log the body with Slack's token in it."""
    try:
        return verifier.is_valid_request(body, dict(request.headers))
    except (ValueError, TypeError, OverflowError):
        return False


def _is_ssl_check(body: bytes) -> bool:
    """Whether somebody, most likely Slack, looks at the certificate of a command's address now and then, unsigned."""
    return len(body) < 1000 and parse_qs(body.decode("latin-1")).get("ssl_check") == ["1"]


@contextlib.asynccontextmanager
async def endpoints(
    settings: Settings, store: Store, metrics: Metrics, requests: IndexRequests, faults: Callable[[], str]
) -> AsyncIterator[tuple[HealthCheck, list[web.RouteDef]]]:
    """/health, /ready, /metrics and, where there is a secret for them, /hooks/…. `faults` says what of this process is
    not as it should be. When it is left, no thread of it runs any more."""
    health = HealthCheck(settings, store, faults)
    token = settings.metrics_token.get_secret_value() if settings.metrics_token else ""
    database = DatabaseMetrics(settings, store)
    metrics.registry.register(database)
    hooks = Webhooks(settings, store, requests)

    async def get_health(_: web.Request) -> web.Response:
        return _verdict(await health.looked())

    async def get_ready(_: web.Request) -> web.Response:
        return _verdict(Looked(await health.unready()))

    async def get_metrics(request: web.Request) -> web.Response:
        if token:
            given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if not hmac.compare_digest(given, f"Bearer {token}".encode()):
                return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        elif not _is_near(request):
            return web.Response(status=403, text="set ALMANAC_METRICS_TOKEN to read metrics from here\n")
        said = await asyncio.to_thread(generate_latest, metrics.registry)
        return web.Response(body=said, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    own = [web.get("/health", get_health), web.get("/ready", get_ready), web.get("/metrics", get_metrics)]
    try:
        yield health, [*own, *hooks.routes()]
    finally:
        await asyncio.gather(*(asyncio.to_thread(end) for end in (hooks.close, database.close, health.close)))


@contextlib.asynccontextmanager
async def http_server(settings: Settings, routes: Iterable[web.RouteDef]) -> AsyncIterator[None]:
    """Inside, the routes are answered on PORT of HOST."""
    server = web.Application(client_max_size=MOST_BYTES, middlewares=[body_in_time])
    server.add_routes(routes)
    async with contextlib.AsyncExitStack() as stack:
        try:
            listen = listening(server, settings.host, settings.port, stop_seconds=LAST_SECONDS)
            port = await stack.enter_async_context(listen)
        except OSError as error:
            where = f"{settings.host}:{settings.port}" if settings.host else f"port {settings.port}"
            raise AlmanacError(f"{where} cannot be used ({error.strerror}): set HOST or PORT to another") from error
        log.info("listening on port %d of %s", port, settings.host or "every address of this machine; see HOST")
        yield


def _verdict(found: Looked) -> web.Response:
    since = found.since.isoformat(timespec="seconds") if found.since else None
    waiting = {"waiting": {"messages": found.waiting, "since": since}} if found.waiting else {}
    if found.fault:
        return web.json_response({"ok": False, "error": found.fault, **waiting}, status=503)
    return web.json_response({"ok": True, **waiting})


def _is_near(request: web.Request) -> bool:
    """Whether a request comes from this machine or a private network, and was not passed on from elsewhere."""
    try:
        address = ipaddress.ip_address(request.remote or "")
    except ValueError:
        return False
    return (address.is_loopback or address.is_private) and not any(name in request.headers for name in _FORWARDED)


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
        services = Services(settings, store, sender, self._members, templates, self._metrics.question, me)
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
            await stack.enter_async_context(http_server(settings, [*slack_routes(self._app, settings), *routes]))
        else:
            if settings.has_endpoints:
                await stack.enter_async_context(http_server(settings, routes))
            health.is_connected = await stack.enter_async_context(socket_mode(self._app, settings))
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
