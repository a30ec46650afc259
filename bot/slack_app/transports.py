"""The two ways in which Slack reaches the bot. Both look at what arrives before Bolt does."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from http.client import HTTPException
from urllib.parse import parse_qs

from aiohttp import ClientError, web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.errors import SlackRefused
from bot.http_server import ThrottledLog, held
from bot.monitoring.metrics import Metrics
from bot.settings import Settings
from bot.slack.payloads import fault_of
from bot.slack.web_api import AnswerNotUnderstood, code_of

log = logging.getLogger(__name__)

# How often a connection is looked at, and one that failed is tried again: Slack delivers nothing meanwhile.
PING_SECONDS = 2.0


class SocketModeTransport(AsyncSocketModeHandler):
    """Bolt's, which hands on what is as Slack writes it, and acknowledges the rest: it would only come again."""

    def __init__(self, app: AsyncApp, token: str, metrics: Metrics) -> None:
        super().__init__(app, token, ping_interval=PING_SECONDS)
        self._metrics = metrics

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        if fault := fault_of(req.payload):
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
    except SlackApiError as error:
        code = code_of(error)
        raise SlackRefused(
            code, f"Slack refused SLACK_APP_TOKEN ({code}): generate one with connections:write"
        ) from error
    except AnswerNotUnderstood as error:
        raise SlackRefused("not_understood", f"{error}: try again later") from error
    except (OSError, HTTPException, SlackClientError, ClientError, TimeoutError) as error:
        raise SlackRefused(
            "unreachable", f"Slack cannot be reached at {settings.slack_api}: try again later"
        ) from error
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
        except (AttributeError, TypeError, KeyError, IndexError):  # Bolt looks for ids in whatever it is
            fault = "it is no object of Slack's"
        if fault:
            log.warning("what Slack sent cannot be read: %s", fault)
            return web.Response(status=400, headers={"x-slack-no-retry": "1"})
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return [web.post("/slack/events", receive)]


def _is_signed(verifier: SignatureVerifier, body: bytes, request: web.Request) -> bool:
    """Whether Slack wrote this within five minutes. Bolt looks at it too, but not before it has read the body, and it
    stumbles over what is no time and no signature at all."""
    try:
        return verifier.is_valid_request(body, dict(request.headers))
    except (ValueError, TypeError, OverflowError):
        return False


def _is_ssl_check(body: bytes) -> bool:
    """Whether somebody, most likely Slack, looks at the certificate of a command's address now and then, unsigned."""
    return len(body) < 1000 and parse_qs(body.decode("latin-1")).get("ssl_check") == ["1"]
