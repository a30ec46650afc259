"""The Web API's counter: reads arguments, checks token and scopes, misbehaves when told to, answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.workspace.journal import JournalEntry
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
METHODS: dict[str, tuple[Method, frozenset[str]]] = {}


def method(name: str, *scopes: str) -> Callable[[Method], Method]:
    """Register a Web API method; the app needs one of the scopes to call it."""

    def register(function: Method) -> Method:
        METHODS[name] = (function, frozenset(scopes))
        return function

    return register


ANY = "*"  # stands for whichever method is called next


@dataclass(frozen=True)
class Fault:
    kind: str
    retry_after: int | str = 1
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_after(self) -> bool:
        """Whether the call has its effect although the caller never learns so."""
        return self.kind.partition(":")[0] in ("drop_after", "invalid_json", "half", "answer_after")


@dataclass
class InjectedFaults:
    """What goes wrong next. A method's faults are used up in the order they were asked for."""

    _waiting: dict[str, list[Fault]] = field(default_factory=dict)
    _held: list[Fault] = field(default_factory=list)

    def next(self, method: str, kind: str, times: int = 1, *, retry_after: int | str = 1) -> None:
        """Let the next `times` calls of `method` ("response_url" for those, ANY for whichever) meet with
        trouble. Kinds:

        ratelimited      429 with Retry-After; nothing is done
        http_500         500 with JSON; nothing is done
        error:<code>     {"ok": false, "error": code}; nothing is done
        drop_before      the connection closes; nothing is done
        drop_after       it is done, then the connection closes without an answer
        invalid_json     it is done, then the answer is a page of a proxy's
        half             it is done, then the connection closes in the middle of the answer
        answer_after:<…> it is done, then this is the answer, a byte for each character, said to be JSON
        answer_before:<…> the same answer, but nothing is done
        delay:<seconds>  it is done after that time
        hold             it is done once `release` was called
        """
        if kind.partition(":")[0] not in KINDS:
            raise ValueError(f"no such fault: {kind}; there are {', '.join(KINDS)}")
        faults = [Fault(kind, retry_after) for _ in range(times)]
        self._waiting.setdefault(method, []).extend(faults)
        self._held += [fault for fault in faults if fault.kind == "hold"]

    def release(self) -> None:
        """Have all calls done that are held, and those to come that were to be."""
        while self._held:
            self._held.pop().released.set()

    def take(self, method: str) -> Fault | None:
        waiting = self._waiting.get(method) or self._waiting.get(ANY)
        return waiting.pop(0) if waiting else None

    def waiting(self) -> list[tuple[str, Fault]]:
        """What is still to go wrong, with its method."""
        return [(method, fault) for method, faults in self._waiting.items() for fault in faults]


KINDS = (
    "ratelimited", "http_500", "error", "drop_before", "drop_after", "invalid_json", "half", "answer_after",
    "answer_before", "delay", "hold",
)  # fmt: skip


async def meet(fault: Fault | None, request: web.Request) -> web.StreamResponse | None:
    """Wait, or give the answer that a fault puts in place of the real one."""
    if fault is None:
        return None
    kind, _, detail = fault.kind.partition(":")
    if kind == "delay":
        await asyncio.sleep(float(detail))
        return None
    if kind == "hold":
        await fault.released.wait()
        return None
    if kind in ("drop_before", "drop_after"):
        if request.transport is not None:
            request.transport.abort()
        return web.Response()
    if kind == "half":
        return await _half(request)
    if kind in ("answer_after", "answer_before"):
        return web.Response(body=detail.encode("latin-1"), content_type="application/json", charset="utf-8")
    if kind == "invalid_json":
        return web.Response(text="<html>upstream connect error</html>", content_type="text/html")
    if kind == "ratelimited":
        answer: Json = {"ok": False, "error": "ratelimited"}
        return web.json_response(answer, status=429, headers={"Retry-After": str(fault.retry_after)})
    if kind == "http_500":
        return web.json_response({"ok": False, "error": "internal_error"}, status=500)
    return web.json_response({"ok": False, "error": detail})


async def _half(request: web.Request) -> web.StreamResponse:
    """Begin an answer that promises more than comes."""
    answer = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "100"})
    answer.force_close()
    await answer.prepare(request)
    await answer.write(b'{"ok":true,"channel":"C0')
    return answer


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


class WebApi:
    """Answers `/api/<method>`. Every call is in `workspace.calls`, also one that failed."""

    def __init__(self, desk: Desk, faults: InjectedFaults) -> None:
        self.desk = desk
        self.faults = faults

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
        with workspace.journal.entry("call", name, arguments) as entry:
            return await self._answer(request, token, entry)

    async def _answer(self, request: web.Request, token: str, entry: JournalEntry) -> web.StreamResponse:
        name, workspace = entry.name, self.desk.workspace
        fault = self.faults.take(name)
        entry.outcome = fault.kind if fault else ""
        if not (fault and fault.is_after) and (instead := await meet(fault, request)):
            return instead
        headers = {"x-oauth-scopes": ",".join(workspace.scopes), "x-accepted-oauth-scopes": ""}
        try:
            function, scopes = METHODS[name] if name in METHODS else (None, frozenset[str]())
            headers["x-accepted-oauth-scopes"] = ",".join(sorted(scopes))
            if function is None:
                raise Refused("unknown_method", req_method=name)
            self._check(name, token, scopes)
            with workspace.journal.writing(entry):
                answer = {"ok": True, **function(self.desk, structured(entry.sent))}
        except Refused as refused:
            answer = refused.answer
        entry.answer = answer
        entry.outcome = ": ".join(filter(None, (entry.outcome, "ok" if answer["ok"] else answer["error"])))
        if fault and fault.is_after and (instead := await meet(fault, request)):
            return instead
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
