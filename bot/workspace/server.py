"""The local workspace: one aiohttp server that is Slack to the bot and a page to a person.

a person ──say, press──▶ WorkspaceServer ──Socket Mode or signed HTTP──▶ the bot
the page ◀──changes───── Workspace ◀──Web API, response_url───────────── the bot
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from bot.slack import limits
from bot.workspace import chat, conversations, directory, views  # noqa: F401 -- importing them registers the methods
from bot.workspace.api import Desk, Faults, WebApi
from bot.workspace.courier import Courier, Delivery, Kind, Reply
from bot.workspace.http_mode import HttpMode
from bot.workspace.model import SLACKBOT, Change, Json, WorkspaceChannel, WorkspaceUser
from bot.workspace.page import Page
from bot.workspace.payloads import (
    action_of,
    command_payload,
    event_payload,
    interaction,
    message_event,
    press_payload,
    typed,
)
from bot.workspace.response_url import ResponseUrls, show_answer
from bot.workspace.socket_mode import SocketMode
from bot.workspace.state import Workspace

T = TypeVar("T")
MAX_BODY = 4 * 1024 * 1024


@dataclass
class Switch:
    """Sends by HTTP once an address for it is known, by Socket Mode until then."""

    socket_mode: SocketMode
    http_mode: HttpMode | None = None

    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> Reply:
        return await (self.http_mode or self.socket_mode).send(kind, payload, attempt, reason)


class WorkspaceServer:
    """Serves a Workspace on 127.0.0.1 from the running event loop, between `start` and `stop` or in
    `async with`. `url` is its address, `api_url` what a bot takes for SLACK_API_URL.

    me            whose view the page shows (login or id; default: the first human)
    commands      the slash commands the app has; the page offers the first
    suggestions   example questions for the page
    events_url    where the app listens in HTTP mode, with its signing_secret; without one, Socket Mode
    ack_timeout   seconds the app has to acknowledge; Slack gives three
    retry_delays  seconds before each further attempt at an event nobody acknowledged
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        me: str | None = None,
        commands: Sequence[str] = ("/almanac",),
        suggestions: Sequence[str] = (),
        port: int = 0,
        events_url: str | None = None,
        signing_secret: str = "",
        ack_timeout: float = 3.0,
        retry_delays: Sequence[float] = (0.0, 60.0, 300.0),
        ping_interval: float = 10.0,
    ) -> None:
        self.workspace = workspace
        self.commands = tuple(commands)
        self.port = port
        self.faults = Faults()
        self.socket_mode = SocketMode(workspace, ack_timeout, ping_interval)
        self._switch = Switch(self.socket_mode)
        self._ack_timeout = ack_timeout
        self._courier = Courier(workspace, self._switch, retry_delays)
        self._responses = ResponseUrls(workspace, self.faults)
        humans = [user.id for user in workspace.users.values() if not user.is_bot]
        viewer = self._user(me).id if me else next(iter(humans), workspace.bot.id)
        self.page = Page(workspace, self, viewer, self.commands[0] if self.commands else "", suggestions)
        self._runner: web.AppRunner | None = None
        if events_url:
            self.use_http(events_url, signing_secret)

    # running

    async def start(self) -> None:
        """Begin to listen; OSError if the port is taken."""
        app = web.Application(client_max_size=MAX_BODY)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        # The address is known only when the port is, and the methods need the address.
        api: list[WebApi] = []

        async def web_api(request: web.Request) -> web.Response:
            return await api[0].handle(request)

        app.add_routes([web.route("*", "/api/{method}", web_api), web.get("/link/", self.socket_mode.handle)])
        app.add_routes([web.post("/response/{ticket}", self._responses.handle), *self.page.routes()])
        await runner.setup()
        self._runner = runner
        try:
            await web.TCPSite(runner, "127.0.0.1", self.port).start()
        except OSError:
            await self.stop()
            raise
        self.port = runner.addresses[0][1]
        host = f"127.0.0.1:{self.port}"
        desk = Desk(self.workspace, self.url, lambda: self.socket_mode.url(host), self._deliver_event)
        api.append(WebApi(desk, self.faults))

    async def stop(self) -> None:
        """Close every socket and end every delivery."""
        await self._courier.stop()
        await self.socket_mode.stop()
        await self.page.stop()
        if self._switch.http_mode:
            await self._switch.http_mode.stop()
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    def use_http(self, events_url: str, signing_secret: str) -> HttpMode:
        """Deliver by signed POSTs to this address from now on."""
        self._switch.http_mode = HttpMode(events_url, signing_secret, self._ack_timeout)
        return self._switch.http_mode

    @property
    def http_mode(self) -> HttpMode | None:
        return self._switch.http_mode

    @property
    def deliveries(self) -> list[Delivery]:
        """Every attempt to reach the app so far, oldest first."""
        return self._courier.deliveries

    # what a person does

    async def say(self, user: str, channel: str, text: str, thread_ts: str | None = None) -> str:
        """Let someone type into a channel (id, name, or a user's id for the direct messages with them) and
        return the message's ts at once; the app is told in the background. A command leaves no message."""
        person, place = self._user(user), self._channel(channel)
        if not place.has(person.id):
            raise LookupError(f"{person.name} is not in {place.name or place.id}")
        command, _, rest = text.strip().partition(" ")
        if command in self.commands:
            self._courier.background(self._command(person, place, command, rest.strip()))
            return self.workspace.next_ts()
        if thread_ts is not None and self.workspace.find(place.id, thread_ts) is None:
            raise LookupError(f"no message {thread_ts} in {place.name or place.id}")
        written = typed(self.workspace, text)
        message = self.workspace.post(place.id, user=person.id, text=written, thread_ts=thread_ts)
        if event := message_event(self.workspace, message, place):
            self._deliver_event(event)
        return message.ts

    async def press(self, user: str, channel: str, message_ts: str, action_id: str, value: str | None = None) -> None:
        """Let someone press a button of a message, or choose the option `value` of a menu."""
        person, place = self._user(user), self._channel(channel)
        message = self.workspace.find(place.id, message_ts)
        if message is None or message.only_for not in (None, person.id):
            raise LookupError(f"{person.name} sees no message {message_ts} in {place.name or place.id}")
        action = action_of(message.json.get("blocks", []), action_id, value)
        url = self._responses.issue(self.url, place.id, person.id, message)
        payload = press_payload(self.workspace, person, place, message, action, url)
        self._courier.background(self._interaction(payload))

    async def open_home(self, user: str) -> None:
        """Let someone open the app's home tab; `workspace.home_views` holds what the app publishes there."""
        person = self._user(user)
        ts = self.workspace.next_ts()
        direct = self._channel(person.id).id
        event: Json = {
            "type": "app_home_opened",
            "user": person.id,
            "channel": direct,
            "tab": "home",
            "event_ts": ts,
        }
        self._deliver_event(event | ({"view": view} if (view := self.workspace.home_views.get(person.id)) else {}))

    async def press_home(self, user: str, action_id: str, value: str | None = None) -> None:
        """Let someone press a button of their home tab."""
        person = self._user(user)
        view = self.workspace.home_views.get(person.id, {})
        action = {
            **action_of(view.get("blocks", []), action_id, value),
            "action_ts": self.workspace.next_ts(),
        }
        payload = interaction(self.workspace, person, "block_actions")
        payload |= {"container": {"type": "view", "view_id": view["id"]}, "view": view, "actions": [action]}
        self._courier.background(self._interaction(payload))

    async def redeliver(self, event_id: str) -> None:
        """Deliver an event that was delivered before once more, as Slack does when it lost the answer."""
        for delivery in self.deliveries:
            if delivery.payload.get("event_id") == event_id:
                await self._courier.deliver("events_api", delivery.payload, 1, "timeout")
                return
        raise LookupError(f"no event {event_id} was delivered")

    async def disconnect_sockets(self, reason: str = "refresh_requested") -> None:
        """Send every connected app away to a new socket."""
        await self.socket_mode.disconnect(reason)

    # what there is to see

    def messages(self, channel: str, thread_ts: str | None = None, user: str | None = None) -> list[Json]:
        """What stands in a channel; see Workspace.messages."""
        return self.workspace.messages(self._channel(channel).id, thread_ts, user)

    async def wait_for(
        self, predicate: Callable[[Json], bool], timeout: float = 10.0, channel: str | None = None
    ) -> Json:
        """The first message that fits, of those there, ephemeral ones too, and those to come. A message is
        Slack's JSON with `channel`. TimeoutError says what was there instead."""
        place = self._channel(channel).id if channel else None

        def seen() -> list[Json]:
            return [message.shown() for message in self.workspace if place in (None, message.channel)]

        try:
            return await self.wait_until(lambda: next(filter(predicate, seen()), None), timeout)
        except TimeoutError:
            there = "\n".join(f"  {m['channel']} {m['ts']} {m['user']}: {m['text']!r}" for m in seen())
            raise TimeoutError(f"no such message in {timeout} s; there was:\n{there or '  nothing'}") from None

    async def wait_until(self, probe: Callable[[], T | None], timeout: float = 10.0) -> T:
        """Ask `probe` at each change of the workspace, delivery and socket until it gives something true."""
        changed = asyncio.Event()

        def note(change: Change) -> None:
            changed.set()

        unwatch = self.workspace.watch(note)
        try:
            async with asyncio.timeout(timeout):
                while not (found := probe()):
                    changed.clear()
                    await changed.wait()
                return found
        finally:
            unwatch()

    # deliveries

    def _deliver_event(self, event: Json) -> None:
        self._courier.background(self._courier.event(event_payload(self.workspace, event)))

    async def _command(self, person: WorkspaceUser, place: WorkspaceChannel, command: str, text: str) -> None:
        url = self._responses.issue(self.url, place.id, person.id)
        written = typed(self.workspace, text, in_command=True)
        payload = command_payload(self.workspace, person, place, command, written, url)
        reply = await self._courier.deliver("slash_commands", payload)
        if reply.failure:
            said = f"{command} failed with the error “{failure_code(reply)}”"
        elif reply.payload and (reply.payload.get("text") or reply.payload.get("blocks")):
            found = limits.faults({key: reply.payload[key] for key in ("text", "blocks") if key in reply.payload})
            if not found:
                show_answer(self.workspace, place.id, person.id, reply.payload)
                return
            said = f"{command} failed with the error “invalid_command_response”: {found[0].message}"
        else:
            return
        self.workspace.post(place.id, user=SLACKBOT, text=said, only_for=person.id)

    async def _interaction(self, payload: Json) -> None:
        reply = await self._courier.deliver("interactive", payload)
        channel = payload.get("channel", {}).get("id")
        if reply.failure and channel:
            said = f"The app did not take this: “{failure_code(reply)}”"
            self.workspace.post(channel, user=SLACKBOT, text=said, only_for=payload["user"]["id"])

    def _user(self, wanted: str) -> WorkspaceUser:
        if user := self.workspace.user(wanted):
            return user
        raise LookupError(f"nobody is called {wanted!r} here")

    def _channel(self, wanted: str) -> WorkspaceChannel:
        if channel := self.workspace.channel(wanted):
            return channel
        raise LookupError(f"there is no channel {wanted!r}")


def failure_code(reply: Reply) -> str:
    """What Slack tells a person whose command or press the app did not acknowledge."""
    return "operation_timeout" if "timeout" in reply.failure else "dispatch_failed"
