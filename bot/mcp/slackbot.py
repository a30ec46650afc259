"""`POST /mcp`: the tools for Slackbot, by Slack's identity auth. Slack signs each request and writes into it who asks,
of which workspace; that user is the reader. Whatever is not signed, or was asked before, or is of another workspace,
gets nothing.

https://docs.slack.dev/ai/slackbot-mcp-client, and what it says of Block Kit in …/returning-rich-responses
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import CallToolResult
from slack_sdk.signature import SignatureVerifier

from bot.http_server import ThrottledLog, held
from bot.mcp.server import called, refusal, result_of, tool_server
from bot.slack.answering import Answering
from bot.slack.messages import document_messages
from bot.slack.request import AccessRefused, Request
from bot.story.render import Templates, Web

log = logging.getLogger(__name__)

FRESH_SECONDS = 300  # for which Slack's signature holds: a call that comes again meanwhile is a copy
MOST_BLOCKS = 50  # of a message
SUPPORTS_BLOCKS = {"slack": {"supportsBlockKit": True}}
OF_PEOPLE = {"month": "people", "changes": "people", "files": "people", "profile": "person"}  # and the argument's name


class SlackbotTools:
    """The endpoint, for one event loop: `secret` is what Slack signs with, `workspace` all that is answered."""

    def __init__(self, answering: Answering, templates: Templates, secret: str, workspace: str) -> None:
        self._answering, self._templates, self._workspace = answering, templates, workspace
        self._signed = SignatureVerifier(secret)
        self._manager = StreamableHTTPSessionManager(
            tool_server(self.answer, SUPPORTS_BLOCKS), json_response=True, stateless=True
        )
        self._calls: dict[str, float] = {}  # by signature, when it was made
        self._throttled = ThrottledLog(log)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """In a task of its own: what fails inside the block would come out of the manager's as a group of errors."""
        begun, ended = asyncio.Event(), asyncio.Event()

        async def run() -> None:
            async with self._manager.run():
                begun.set()
                await ended.wait()

        running = asyncio.create_task(run())
        await begun.wait()
        try:
            yield
        finally:
            ended.set()
            await running

    async def post(self, request: web.Request) -> web.Response:
        body = await request.read()
        if not self._is_slacks(request.headers, body):
            self._throttled.warning("a call of /mcp that Slack did not sign, or not now, was refused")
            return web.Response(status=401)
        with held(request):
            return await _answered(self._manager, request, body)

    def _is_slacks(self, headers: Mapping[str, str], body: bytes) -> bool:
        """Whether Slack signed it within five minutes, for this workspace, and it is no copy. Which tools there are is
        the same for everybody, so that alone may be asked by nobody in particular."""
        try:
            if not self._signed.is_valid_request(body, dict(headers)):
                return False
            asked = json.loads(body)
            slack = ((asked.get("params") or {}).get("_meta") or {}).get("slack") or {}
            user, team = slack.get("user_id"), slack.get("team_id")
        except (ValueError, TypeError, OverflowError, AttributeError, RecursionError):
            return False
        if asked.get("method") != "tools/call":
            return team in (None, self._workspace)
        now, signature = time.monotonic(), headers["X-Slack-Signature"]
        self._calls = {one: at for one, at in self._calls.items() if now - at < 2 * FRESH_SECONDS}
        is_copy = self._calls.setdefault(signature, now) != now
        return isinstance(user, str) and team == self._workspace and not is_copy

    def answer(self, name: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> CallToolResult:
        """What a tool answers to whom Slack says is asking, where they alone will read it."""
        user = str(meta["slack"]["user_id"])
        with self._answering.snapshot():
            try:
                names, references = _whom(name, arguments)
                span = str(arguments.get("span") or "")
                queries = self._answering.queries(Request(user, "", alone=True), names, references, span)
            except AccessRefused as refused:
                return refusal(str(refused))
            said, web = called(queries, name, arguments), queries.pages()
            return result_of(said, web, self._templates, self._blocks(said.documents, web))

    def _blocks(self, documents: Sequence[Any], web: Web) -> list[Any]:
        """The blocks of the first message; what of it may be shown is decided already."""
        shown = [one for one in documents if hasattr(one, "template")]
        messages = document_messages(shown, self._templates, web, charts=False)
        return [dict(one) for message in messages[:1] for one in message.blocks[:MOST_BLOCKS]]


def _whom(name: str, arguments: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    """The names of all whose work a call asks for, or the commits; neither where it asks for others' too."""
    given = arguments.get("references" if name == "explain" else OF_PEOPLE.get(name, "")) or ()
    values = (given,) if isinstance(given, str) else given
    if arguments.get("team") or not isinstance(values, Sequence) or not all(isinstance(one, str) for one in values):
        return (), ()
    return ((), values) if name == "explain" else (values, ())


async def _answered(manager: StreamableHTTPSessionManager, request: web.Request, body: bytes) -> web.Response:
    """What the SDK, which speaks ASGI, answers to a request that was read."""
    begun: dict[str, Any] = {}
    said = bytearray()
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        return unread.pop() if unread else await asyncio.Event().wait()  # whoever asks stays until they are answered

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            begun.update(message)
        else:
            said.extend(message.get("body", b""))

    scope = {
        "type": "http", "method": "POST", "path": request.path, "query_string": b"", "scheme": "http",
        "http_version": "1.1", "headers": [(name.lower(), value) for name, value in request.raw_headers],
    }  # fmt: skip
    await manager.handle_request(scope, receive, send)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in begun["headers"]}
    headers.pop("content-length", None)
    return web.Response(status=begun["status"], body=bytes(said), headers=headers)
