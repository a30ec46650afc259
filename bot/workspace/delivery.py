"""What happens in the workspace on its way to the app, and the app's answers: Socket Mode, attempts, response_url."""

from __future__ import annotations

import asyncio
import json
import secrets
import uuid
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from aiohttp import WSCloseCode, WSMsgType, web

from bot.workspace import block_kit
from bot.workspace.api import Around, flag
from bot.workspace.state import APP_ID, BOT_USER_ID, Call, Json, StoredMessage, Workspace, WorkspaceEvent

T = TypeVar("T")
Kind = Literal["events_api", "slash_commands", "interactive"]


@dataclass(frozen=True)
class DeliveryResult:
    """How the app took a delivery. `failure` is "" if it acknowledged, else Slack's x-slack-retry-reason."""

    failure: str = ""
    payload: Json | None = None
    no_retry: bool = False


@dataclass(frozen=True)
class Delivery:
    """One attempt at one delivery, and its reply."""

    kind: Kind
    payload: Json
    attempt: int
    reply: DeliveryResult

    @property
    def is_acknowledged(self) -> bool:
        return not self.reply.failure


class Transport(Protocol):
    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        """Hand the payload over and wait for the reply no longer than the app has time for one."""


class Courier:
    """Delivers over the transport in charge. Events that nobody acknowledged come again after each of
    `retry_delays` seconds; commands and presses never do: the person at the keyboard sees the failure."""

    def __init__(self, workspace: Workspace, transport: Transport, retry_delays: Sequence[float]) -> None:
        self.workspace = workspace
        self.transport = transport
        self.retry_delays = tuple(retry_delays)
        self.deliveries: list[Delivery] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    async def deliver(self, kind: Kind, payload: Json, attempt: int = 0, reason: str = "") -> DeliveryResult:
        reply = await self.transport.send(kind, payload, attempt, reason)
        self.deliveries.append(Delivery(kind, payload, attempt, reply))
        self.workspace.tell(WorkspaceEvent("delivery"))
        return reply

    async def event(self, payload: Json) -> None:
        """Deliver an event until it is acknowledged or the attempts are used up."""
        reply = await self.deliver("events_api", payload)
        for attempt, delay in enumerate(self.retry_delays, 1):
            if not reply.failure or reply.no_retry:
                return
            await asyncio.sleep(delay)
            reply = await self.deliver("events_api", payload, attempt, reply.failure)

    def background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let a delivery go on while the person types on; `stop` ends it. Nobody has to wait for what it comes to."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


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
        hello |= {"debug_info": {"host": "applink-local", "build_number": 10, "approximate_connection_time": 18060}}
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

    async def stop(self) -> None:
        for socket in list(self.sockets):
            await socket.ws.close(code=WSCloseCode.GOING_AWAY)


MAX_USES = 5
LIFETIME_SECONDS = 30 * 60


@dataclass
class Ticket:
    """Whom an answer goes to, and what it may replace."""

    channel: str
    user: str
    expires_at: float
    original: StoredMessage | None = None
    uses: int = 0


class ResponseUrls:
    """Issues addresses and takes what is posted to them; a post is in `workspace.calls` as "response_url"."""

    def __init__(self, workspace: Workspace, around: Around) -> None:
        self.workspace = workspace
        self._around = around
        self._tickets: dict[str, Ticket] = {}

    def issue(self, base_url: str, channel: str, user: str, original: StoredMessage | None = None) -> str:
        ticket_id = secrets.token_urlsafe(16)
        self._tickets[ticket_id] = Ticket(channel, user, self.workspace.clock() + LIFETIME_SECONDS, original)
        return f"{base_url}/response/{ticket_id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body: Json = json.loads(await request.text())
        self.workspace.calls.append(Call("response_url", body))
        self.workspace.tell(WorkspaceEvent("call"))
        ticket = request.match_info["ticket"]
        return await self._around("response_url", request, lambda: self._take(ticket, body))

    def _take(self, ticket_id: str, body: Json) -> web.Response:
        ticket = self._tickets.get(ticket_id)
        if ticket is None:
            return refused("invalid_url", 404)
        if ticket.uses >= MAX_USES:
            return refused("used_url", 404)
        if self.workspace.clock() > ticket.expires_at:
            return refused("expired_url", 404)
        if not flag(body, "delete_original"):
            if not body.get("text") and not body.get("blocks"):
                return refused("no_text", 400)
            if found := block_kit.faults({key: body[key] for key in MESSAGE_FIELDS if key in body}):
                said = [f"{fault.message} [json-pointer:{fault.pointer}]" for fault in found]
                return refused(found[0].code, 400, errors=said)
        ticket.uses += 1
        show_answer(self.workspace, ticket.channel, ticket.user, body, ticket.original)
        return web.Response(text="ok")


# What of a posted answer is the message itself; the rest says where it goes.
MESSAGE_FIELDS = ("text", "blocks", "attachments", "metadata", "mrkdwn", "unfurl_links", "unfurl_media")


def refused(code: str, status: int, **beside: object) -> web.Response:
    return web.json_response({"ok": False, "error": code, **beside}, status=status)


def show_answer(
    workspace: Workspace, channel: str, user: str, body: Json, original: StoredMessage | None = None
) -> None:
    """Show what an app answered to a command or a press, to `user` alone.

    After a press an answer without `replace_original` takes the original's place. Slack's documentation
    warns that this can happen; here it always does, so that nobody relies on luck.
    """
    there = original is not None and workspace.find(channel, original.ts) is original
    if flag(body, "delete_original"):
        if original and there:
            workspace.delete(original)
        return
    text, blocks = body.get("text") or "", body.get("blocks") or ()
    if original and there and (flag(body, "replace_original") or "replace_original" not in body):
        workspace.change(original, text=text, blocks=blocks)
        return
    workspace.post(channel, user=BOT_USER_ID, text=text, blocks=blocks, only_for=user)
