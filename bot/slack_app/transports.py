"""How the bot is reached: by Slack in two ways, which both look at what arrives before Bolt does; by forges; and by
whoever looks after it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from urllib.parse import parse_qs

from aiohttp import ClientError, web
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.errors import AlmanacError
from bot.hooks import Webhooks
from bot.http_server import ThrottledLog, body_in_time, held, listening
from bot.index.indexing import IndexRequests
from bot.monitoring import DatabaseMetrics, HealthCheck, Looked, Metrics
from bot.settings import Settings
from bot.slack.web_api import ASYNC_TROUBLE, fault_of, refused
from storage import Store

log = logging.getLogger(__name__)

# How often a connection is looked at, and one that failed is tried again: Slack delivers nothing meanwhile.
PING_SECONDS = 2.0
MOST_BYTES = 4 * 1024 * 1024  # of a body; the longest that Slack sends is a modal's, of a quarter of a megabyte
STOP_SECONDS = 1.0  # what those get who are being answered when the bot stops
_UNREADABLE = (AttributeError, TypeError, KeyError, IndexError)  # what Bolt raises where it looks for ids in vain
# A proxy says for whom it asks; where it does not, its own address is all there is to see.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


class SocketModeTransport(AsyncSocketModeHandler):
    """Bolt's, which hands on what is as Slack writes it, and acknowledges the rest: it would only come again."""

    def __init__(self, app: AsyncApp, token: str, metrics: Metrics) -> None:
        super().__init__(app, token, ping_interval=PING_SECONDS)
        self._metrics = metrics

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
            with self._metrics.delivery():
                await super().handle(client, req)
        except ClientError as error:  # the connection is gone: Slack delivers it again on another
            log.info("an event could not be acknowledged: %s", error)


@contextlib.asynccontextmanager
async def socket_mode(
    app: AsyncApp, settings: Settings, metrics: Metrics
) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
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
    handler = SocketModeTransport(app, token, metrics)
    handler.client.wss_uri = str(answer["url"])
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        yield handler.client.is_connected
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


def slack_routes(app: AsyncApp, settings: Settings, metrics: Metrics) -> list[web.RouteDef]:
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
        with held(request), metrics.delivery():
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
    hooks = Webhooks(settings, store, requests, metrics.webhook)

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
            listen = listening(server, settings.host, settings.port, stop_seconds=STOP_SECONDS)
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
