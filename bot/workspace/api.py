"""The Web API's counter: reads arguments, checks token and scopes, answers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.workspace.model import Call, Json, WorkspaceEvent
from bot.workspace.state import Workspace

# Arguments that are JSON text when they come in a form.
STRUCTURED = {
    "blocks": "invalid_blocks_format",
    "attachments": "invalid_attachments",
    "metadata": "invalid_metadata_format",
    "view": "invalid_arguments",
    "prompts": "invalid_arguments",
}


class Refused(Exception):
    """Ends a method with {"ok": false, "error": code} and whatever else Slack says beside it."""

    def __init__(self, code: str, **beside: Any) -> None:
        super().__init__(code)
        self.answer: Json = {"ok": False, "error": code, **beside}


@dataclass(frozen=True)
class Desk:
    """What a method works with: the state, this server's address, and how a socket is opened."""

    workspace: Workspace
    url: str
    socket_url: Callable[[], str]
    event: Callable[[Json], None]  # delivers an event to the app


Method = Callable[[Desk, Json], Json]
# What stands between a call, by its name, and doing it: an answer is given by the function, or something else instead.
Around = Callable[[str, web.Request, Callable[[], web.Response]], Awaitable[web.StreamResponse]]
METHODS: dict[str, tuple[Method, frozenset[str]]] = {}


def method(name: str, *scopes: str) -> Callable[[Method], Method]:
    """Register a Web API method; the app needs one of the scopes to call it."""

    def register(function: Method) -> Method:
        METHODS[name] = (function, frozenset(scopes))
        return function

    return register


async def arguments_of(request: web.Request) -> Json:
    """The arguments of a call: query, form and JSON body in one."""
    arguments: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        try:
            loaded = json.loads(body) if body.strip() else {}
        except json.JSONDecodeError as error:
            raise Refused("invalid_json") from error
        if not isinstance(loaded, dict):
            raise Refused("json_not_object")
        arguments |= loaded
    else:
        arguments |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    return arguments


def structured(arguments: Json) -> Json:
    """The arguments with those that are JSON in text read."""
    read = dict(arguments)
    for key, code in STRUCTURED.items():
        if isinstance(read.get(key), str):
            try:
                read[key] = json.loads(read[key])
            except json.JSONDecodeError as error:
                raise Refused(code) from error
    return read


def flag(arguments: Json, key: str) -> bool:
    """A yes or no as JSON or a form says it."""
    return arguments.get(key) in (True, 1, "1", "true", "True")


async def straight(name: str, request: web.Request, answer: Callable[[], web.Response]) -> web.StreamResponse:
    """Nothing stands between."""
    return answer()


class WebApi:
    """Answers `/api/<method>`. Every call is in `workspace.calls`, also one that failed."""

    def __init__(self, desk: Desk, around: Around) -> None:
        self.desk = desk
        self._around = around

    async def handle(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        workspace = self.desk.workspace
        try:
            arguments = await arguments_of(request)
        except Refused as refused:
            return web.json_response(refused.answer)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        token = str(arguments.pop("token", "")) or token
        workspace.calls.append(Call(name, arguments))
        workspace.tell(WorkspaceEvent("call"))
        return await self._around(name, request, lambda: self._answer(name, token, arguments))

    def _answer(self, name: str, token: str, arguments: Json) -> web.Response:
        workspace = self.desk.workspace
        headers = {"x-oauth-scopes": ",".join(workspace.scopes), "x-accepted-oauth-scopes": ""}
        try:
            function, scopes = METHODS[name] if name in METHODS else (None, frozenset[str]())
            headers["x-accepted-oauth-scopes"] = ",".join(sorted(scopes))
            if function is None:
                raise Refused("unknown_method", req_method=name)
            self._check(name, token, scopes)
            answer = {"ok": True, **function(self.desk, structured(arguments))}
        except Refused as refused:
            answer = refused.answer
        return web.json_response(answer, headers=headers)

    def _check(self, name: str, token: str, scopes: frozenset[str]) -> None:
        workspace = self.desk.workspace
        if not token:
            raise Refused("not_authed")
        if token not in (workspace.bot_token, workspace.app_token):
            raise Refused("invalid_auth")
        if (token == workspace.app_token) != (name == "apps.connections.open"):
            raise Refused("not_allowed_token_type")
        if scopes and not scopes & set(workspace.scopes):
            needed, provided = ",".join(sorted(scopes)), ",".join(workspace.scopes)
            raise Refused("missing_scope", needed=needed, provided=provided)
