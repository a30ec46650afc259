"""The bot's own HTTP server: what it answers to whoever looks after it, and to forges."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator

from aiohttp import web
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from bot.errors import AlmanacError
from bot.hooks.receiving import Webhooks
from bot.http_server import body_in_time, listening
from bot.index.requests import IndexRequests
from bot.monitoring.health import HealthCheck, Looked
from bot.monitoring.metrics import DatabaseMetrics, Metrics
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

MOST_BYTES = 4 * 1024 * 1024  # of a body; the longest that Slack sends is a modal's, of a quarter of a megabyte
STOP_SECONDS = 1.0  # what those get who are being answered when the bot stops
# A proxy says for whom it asks; where it does not, its own address is all there is to see.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


class Endpoints:
    """/health, /ready, /metrics and, where there is a secret for them, /hooks/…. For one event loop."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        metrics: Metrics,
        requests: IndexRequests,
        faults: Callable[[], str] = lambda: "",
    ) -> None:
        """`faults` says what of this process is not as it should be."""
        self.health = HealthCheck(settings, store, faults)
        self._token = settings.metrics_token.get_secret_value() if settings.metrics_token else ""
        self._registry = metrics.registry
        self._database = DatabaseMetrics(settings, store, names=bool(self._token))
        self._registry.register(self._database)
        self._hooks = Webhooks(settings, store, requests, metrics.webhook)

    def routes(self) -> Iterator[web.RouteDef]:
        yield web.get("/health", self._get_health)
        yield web.get("/ready", self._get_ready)
        yield web.get("/metrics", self._get_metrics)
        yield from self._hooks.routes()

    async def close(self) -> None:
        """Returns when no thread of it runs any more."""
        ends = (self._hooks.close, self._database.close, self.health.close)
        await asyncio.gather(*(asyncio.to_thread(end) for end in ends))

    async def _get_health(self, _: web.Request) -> web.Response:
        return _verdict(await self.health.looked())

    async def _get_ready(self, _: web.Request) -> web.Response:
        return _verdict(Looked(await self.health.unready()))

    async def _get_metrics(self, request: web.Request) -> web.Response:
        if self._token:
            given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if not hmac.compare_digest(given, f"Bearer {self._token}".encode()):
                return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        elif not _is_near(request):
            return web.Response(status=403, text="set ALMANAC_METRICS_TOKEN to read metrics from here\n")
        said = await asyncio.to_thread(generate_latest, self._registry)
        return web.Response(body=said, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


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
