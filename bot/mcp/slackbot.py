"""`POST /mcp`: the tools for Slackbot, by Slack's identity auth. Slack signs each request and writes into it who asks,
of which workspace; that user is the reader. Whatever is not signed, or was asked before, or is of another workspace,
gets nothing.

https://docs.slack.dev/ai/slackbot-mcp-client, and what it says of Block Kit in …/returning-rich-responses
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
from aiohttp import web
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import CallToolResult
from slack_sdk.signature import SignatureVerifier

from bot.http_server import ThrottledLog, held
from bot.mcp.server import called, refusal, result_of, tool_server
from bot.slack.answering import Answering
from bot.slack.audience import AccessRefused, Request
from bot.slack.render import document_messages
from bot.story.render import Templates, Web

log = logging.getLogger(__name__)

FRESH_SECONDS = 300  # for which Slack's signature holds: a call that comes again meanwhile is a copy
MOST_BLOCKS = 50  # of a message
SUPPORTS_BLOCKS = {"slack": {"supportsBlockKit": True}}
OF_PEOPLE = {"month": "people", "changes": "people", "profile": "person"}  # and the argument's name


class SlackbotTools:
    """The endpoint, for one event loop: `secret` is what Slack signs with, `workspace` all that is answered."""

    def __init__(self, answering: Answering, templates: Templates, secret: str, workspace: str) -> None:
        self._answering, self._templates, self._workspace = answering, templates, workspace
        self._signed = SignatureVerifier(secret)
        self._server = tool_server(self.answer, SUPPORTS_BLOCKS)
        self._calls: dict[str, float] = {}  # by signature, when it was made
        self._throttled = ThrottledLog(log)

    async def post(self, request: web.Request) -> web.Response:
        body = await request.read()
        if not self._is_slacks(request.headers, body):
            self._throttled.warning("a call of /mcp that Slack did not sign, or not now, was refused")
            return web.Response(status=401)
        # The SDK's server speaks ASGI. It keeps nothing from one request to the next, so each has one of its own.
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        with held(request):
            async with manager.run(), httpx2.AsyncClient(transport=httpx2.ASGITransport(manager.handle_request)) as sdk:
                said = await sdk.post("http://almanac/mcp", content=body, headers=_passed_on(request.headers))
        return web.Response(status=said.status_code, body=said.content, headers=_passed_on(said.headers))

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
        with self._answering.index.store.snapshot():
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
        messages = document_messages(shown, self._templates, web)
        return [dict(one) for message in messages[:1] for one in message.blocks[:MOST_BLOCKS]]


def _passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    """What of a head concerns the protocol."""
    kept = ("accept", "content-type", "mcp-")
    return {name: value for name, value in headers.items() if name.lower().startswith(kept)}


def _whom(name: str, arguments: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    """The names of all whose work a call asks for, or the commits; neither where it asks for others' too."""
    given = arguments.get("references" if name == "explain" else OF_PEOPLE.get(name, "")) or ()
    values = (given,) if isinstance(given, str) else given
    if arguments.get("team") or not isinstance(values, Sequence) or not all(isinstance(one, str) for one in values):
        return (), ()
    return ((), values) if name == "explain" else (values, ())
