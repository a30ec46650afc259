"""Socket Mode: the WebSocket over which an app without a public address receives what happens."""

from __future__ import annotations

import asyncio
import json
import secrets
import uuid
from contextlib import suppress
from dataclasses import dataclass

from aiohttp import WSCloseCode, WSMsgType, web

from bot.workspace.courier import DeliveryResult, Kind
from bot.workspace.model import APP_ID, Json, WorkspaceEvent
from bot.workspace.state import Workspace

HOST = "applink-local"


@dataclass(eq=False)
class Socket:
    ws: web.WebSocketResponse
    is_retired: bool = False


class SocketMode:
    """Hands out tickets, greets those who connect with one, and sends each envelope down one socket.

    An app has `ack_timeout` seconds to acknowledge. With no socket open, that is also how long an
    envelope waits for one.
    """

    def __init__(self, workspace: Workspace, ack_timeout: float, ping_interval: float) -> None:
        self.workspace = workspace
        self.ack_timeout = ack_timeout
        self.ping_interval = ping_interval
        self.sockets: list[Socket] = []
        # Clients acknowledge on whichever socket is their newest, so what is awaited belongs to none.
        self._awaited: dict[str, asyncio.Future[DeliveryResult]] = {}
        self._tickets: set[str] = set()
        self._opened = asyncio.Event()
        self._turn = 0

    def url(self, host: str) -> str:
        """A WebSocket address that works once."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return f"ws://{host}/link/?ticket={ticket}&app_id={APP_ID}"

    @property
    def open_count(self) -> int:
        return len(self._usable())

    def _usable(self) -> list[Socket]:
        return [socket for socket in self.sockets if not socket.is_retired]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=403, text="the ticket is unknown or was used before")
        self._tickets.discard(ticket)
        ws = web.WebSocketResponse(heartbeat=self.ping_interval)  # answers pings, and sends its own
        await ws.prepare(request)
        socket = Socket(ws)
        self.sockets.append(socket)
        hello: Json = {"type": "hello", "num_connections": len(self.sockets)}
        hello |= {"debug_info": {"host": HOST, "build_number": 10, "approximate_connection_time": 18060}}
        try:
            await ws.send_json({**hello, "connection_info": {"app_id": APP_ID}})
            self._opened.set()
            self.workspace.tell(WorkspaceEvent("socket"))
            async for frame in ws:
                if frame.type is WSMsgType.TEXT:
                    self._acknowledged(frame.data)
        except ConnectionError:  # the app went away in the middle of the greeting
            pass
        finally:
            self.sockets.remove(socket)
            self.workspace.tell(WorkspaceEvent("socket"))
        return ws

    def _acknowledged(self, data: str) -> None:
        try:
            frame = json.loads(data)
            future = self._awaited.get(frame["envelope_id"])
        except (ValueError, TypeError, KeyError):  # not an acknowledgement; Slack ignores it too
            return
        if future is not None and not future.done():
            payload = frame.get("payload")
            future.set_result(DeliveryResult(payload=payload if isinstance(payload, dict) else None))

    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        envelope_id = str(uuid.uuid4())
        envelope: Json = {"envelope_id": envelope_id, "type": kind, "payload": payload}
        envelope["accepts_response_payload"] = kind != "events_api"
        if kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        answer: asyncio.Future[DeliveryResult] = asyncio.get_running_loop().create_future()
        self._awaited[envelope_id] = answer
        is_sent = False
        try:
            async with asyncio.timeout(self.ack_timeout):
                socket = await self._next_socket()
                await socket.ws.send_json(envelope)
                is_sent = True
                return await answer
        except TimeoutError:
            return DeliveryResult("timeout" if is_sent else "connection_failed")
        except ConnectionError:
            return DeliveryResult("connection_failed")
        finally:
            del self._awaited[envelope_id]

    async def _next_socket(self) -> Socket:
        """The sockets take turns; with none open, wait for one."""
        while not (usable := self._usable()):
            self._opened.clear()
            await self._opened.wait()
        self._turn += 1
        return usable[self._turn % len(usable)]

    async def disconnect(self, reason: str) -> None:
        """Ask every connected app to come back on a new socket, as Slack does about hourly. "warning" only
        announces; after any other reason nothing more comes down the old socket."""
        for socket in self._usable():
            frame = {"type": "disconnect", "reason": reason, "debug_info": {"host": HOST}}
            if reason != "warning":
                socket.is_retired = True
            with suppress(ConnectionError):
                await socket.ws.send_json(frame)

    async def stop(self) -> None:
        for socket in list(self.sockets):
            await socket.ws.close(code=WSCloseCode.GOING_AWAY)
