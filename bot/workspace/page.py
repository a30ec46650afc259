"""The page's own API: one person's view of the workspace in a browser.

It answers only where the browser believes to be on this machine: a page from elsewhere that resolves its
name to 127.0.0.1 (DNS rebinding), or posts here across origins, is refused.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from bot.workspace.model import BOT_USER_ID, Change, Json
from bot.workspace.state import Workspace

FOLDER = Path(__file__).parent / "page"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
FILE = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.(js|css|svg|png|ico)")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Actor(Protocol):
    """Who carries out what the person at the page does."""

    async def say(self, user: str, channel: str, text: str, thread_ts: str | None = None) -> str: ...
    async def press(
        self, user: str, channel: str, message_ts: str, action_id: str, value: str | None = None
    ) -> None: ...


@dataclass
class Page:
    """The page of the person `me`, who may type `command`; `suggestions` are questions to click on."""

    workspace: Workspace
    actor: Actor
    me: str
    command: str
    suggestions: Sequence[str]

    def __post_init__(self) -> None:
        self._streams: set[web.WebSocketResponse] = set()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self._guarded(self._index)),
            web.get("/archives/{channel}/{message}", self._guarded(self._permalink)),
            web.get("/page/state", self._guarded(self._state)),
            web.get("/page/stream", self._guarded(self._stream)),
            web.post("/page/say", self._guarded(self._say)),
            web.post("/page/press", self._guarded(self._press)),
            web.get("/page/{file}", self._guarded(self._file)),
        ]

    def _guarded(
        self, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            if not is_local(request):
                return web.Response(status=403, text="This page is served to this machine only.\n")
            return await handler(request)

        return handle

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return await self._served("index.html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["file"]
        return await self._served(name) if FILE.fullmatch(name) else web.Response(status=404)

    async def _served(self, name: str) -> web.StreamResponse:
        path = FOLDER / name
        if not path.is_file():
            return web.Response(status=404, text=f"{name} is not there\n")
        return web.FileResponse(path, headers=HEADERS)

    async def _permalink(self, request: web.Request) -> web.StreamResponse:
        raise web.HTTPFound(f"/#{request.match_info['channel']}/{request.match_info['message']}")

    async def _state(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self.state(), headers={"Cache-Control": "no-store"})

    def state(self) -> Json:
        """All the person sees: team, people, the channels they are in, and the messages there."""
        workspace = self.workspace
        users = {u.id: {"id": u.id, "name": u.name, "real_name": u.real_name} for u in workspace.users.values()}
        channels: list[Json] = []
        for channel in workspace.channels.values():
            if channel.is_im and channel.user == self.me:
                channels.append({"id": channel.id, "is_im": True, "user": BOT_USER_ID})
            elif not channel.is_im and channel.has(self.me):
                known: Json = {"id": channel.id, "name": channel.name, "is_im": False, "topic": channel.topic}
                channels.append(known)
        channels.sort(key=lambda channel: channel["is_im"])
        return {
            "team": {"id": workspace.team_id, "name": workspace.name},
            "me": self.me,
            "bot": BOT_USER_ID,
            "command": self.command,
            "users": {id: {**user, "is_bot": workspace.users[id].is_bot} for id, user in users.items()},
            "channels": channels,
            "messages": {c["id"]: workspace.messages(c["id"], user=self.me) for c in channels},
            "suggestions": list(self.suggestions),
        }

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(heartbeat=30)
        await ws.prepare(request)
        queue: asyncio.Queue[Json] = asyncio.Queue()

        def note(change: Change) -> None:
            if told := self._told(change):
                queue.put_nowait(told)

        async def pump() -> None:
            with suppress(ConnectionError):
                while True:
                    await ws.send_json(await queue.get())

        unwatch = self.workspace.watch(note)
        pumping = asyncio.create_task(pump())
        self._streams.add(ws)
        try:
            async for _ in ws:  # the page says nothing; this notices that it goes
                pass
        finally:
            unwatch()
            self._streams.discard(ws)
            pumping.cancel()
            await asyncio.gather(pumping, return_exceptions=True)
        return ws

    def _told(self, change: Change) -> Json | None:
        """A change as the page is told of it; None if it is nothing to this person."""
        channel = self.workspace.channels.get(change.channel)
        if channel is None or not channel.has(self.me):
            return None
        if change.type == "status":
            return {
                "type": "status",
                "channel": channel.id,
                "thread_ts": change.thread_ts,
                "status": change.status,
            }
        if change.type not in ("message", "changed", "deleted") or change.only_for not in (None, self.me):
            return None
        return {"type": change.type, "channel": channel.id, "message": change.message}

    async def _say(self, request: web.Request) -> web.StreamResponse:
        body = await body_of(request, "channel", "text")
        if body is None or not body["text"].strip():
            return problem("channel and text are needed")
        try:
            ts = await self.actor.say(self.me, body["channel"], body["text"], body.get("thread_ts") or None)
        except LookupError as error:
            return problem(str(error.args[0]))
        return web.json_response({"ok": True, "ts": ts})

    async def _press(self, request: web.Request) -> web.StreamResponse:
        body = await body_of(request, "channel", "ts", "action_id")
        if body is None:
            return problem("channel, ts and action_id are needed")
        try:
            await self.actor.press(self.me, body["channel"], body["ts"], body["action_id"], body.get("value") or None)
        except LookupError as error:
            return problem(str(error.args[0]))
        return web.json_response({"ok": True})

    async def stop(self) -> None:
        for ws in list(self._streams):
            await ws.close(code=WSCloseCode.GOING_AWAY)


def is_local(request: web.Request) -> bool:
    """Whether the browser asked for this machine by name, and no other site's page asked for it."""
    try:
        host = urlsplit(f"//{request.headers.get('Host', '')}").hostname
    except ValueError:
        return False
    origin = request.headers.get("Origin")
    same_origin = origin is None or origin == f"http://{request.headers.get('Host')}"
    return host in LOOPBACK and same_origin


async def body_of(request: web.Request, *required: str) -> dict[str, str] | None:
    """The JSON object posted, if all its values are strings and the required ones are there."""
    try:
        body = await request.json()
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    body = {key: value for key, value in body.items() if value is not None}
    if not all(isinstance(value, str) for value in body.values()):
        return None
    return body if all(body.get(key) for key in required) else None


def problem(text: str) -> web.Response:
    return web.json_response({"ok": False, "error": text}, status=400)
