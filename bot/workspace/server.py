"""The local workspace: one aiohttp server that is Slack to the bot and a page to a person.

a person ──say, press──▶ WorkspaceServer ──Socket Mode─────────────────▶ the bot
the page ◀──changes───── Workspace ◀──Web API, response_url───────────── the bot
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.http_server import body_in_time, held, listening
from bot.workspace import chat, conversations, directory, views  # noqa: F401 -- importing them registers the methods
from bot.workspace.api import Around, Desk, WebApi, straight
from bot.workspace.courier import Courier, Delivery, Kind, Transport
from bot.workspace.model import Json, WorkspaceEvent
from bot.workspace.page import NOTHING_OFFERED, Page, PageOffers
from bot.workspace.people import People
from bot.workspace.response_url import ResponseUrls
from bot.workspace.socket_mode import SocketMode
from bot.workspace.state import Workspace

T = TypeVar("T")
PATIENCE = 240.0  # seconds until what should come is given up: on a busy machine it may take minutes
PING_SECONDS = 10.0
COMMAND = "/almanac"
MAX_BODY = 4 * 1024 * 1024
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on


@web.middleware
async def _at_work(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever has asked something keeps its connection: the page and the app stay connected for long."""
    with held(request):
        return await handler(request)


class WorkspaceServer(People):
    """Serves a Workspace on `host` from the running event loop, between `start` and `stop` or in
    `async with`. `url` is its address, `api_url` what a bot takes for SLACK_API_URL.

    me            whose view the page shows (login or id; default: the first human)
    offered       what the page offers
    ack_timeout   seconds the app has to acknowledge; Slack gives three
    retry_delays  seconds before each further attempt at an event nobody acknowledged
    around        what stands between the app's calls and doing them; tests put faults there
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        me: str | None = None,
        offered: PageOffers = NOTHING_OFFERED,
        host: str = "127.0.0.1",
        port: int = 0,
        ack_timeout: float = 3.0,
        retry_delays: Sequence[float] = (0.0, 60.0, 300.0),
        around: Around = straight,
    ) -> None:
        self.host = host
        self.port = port
        self.socket_mode = SocketMode(workspace, ack_timeout, PING_SECONDS)
        self._around = around
        courier = Courier(workspace, self.socket_mode, retry_delays)
        super().__init__(workspace, courier, ResponseUrls(workspace, around), (COMMAND,))
        humans = [user.id for user in workspace.users.values() if not user.is_bot]
        viewer = self._user(me).id if me else next(iter(humans), workspace.bot.id)
        self.page = Page(workspace, self, viewer, COMMAND, offered, host)
        self._listening = AsyncExitStack()

    # running

    async def start(self) -> None:
        """Begin to listen; OSError if the port is taken."""
        app = web.Application(client_max_size=MAX_BODY, middlewares=[body_in_time, _at_work])
        # The address is known only when the port is, and the methods need the address.
        api: list[WebApi] = []

        async def web_api(request: web.Request) -> web.StreamResponse:
            return await api[0].handle(request)

        app.add_routes([web.route("*", "/api/{method}", web_api), web.get("/link/", self.socket_mode.handle)])
        app.add_routes([web.post("/response/{ticket}", self._responses.handle)])
        app.add_routes(self.page.routes())
        try:
            self.port = await self._listening.enter_async_context(
                listening(app, self.host, self.port, stop_seconds=1.0)
            )
        except OSError:
            await self.stop()
            raise
        host = urlsplit(self.url).netloc
        desk = Desk(self.workspace, self.url, lambda: self.socket_mode.url(host), self.happen)
        self.screens.desk = desk
        api.append(WebApi(desk, self._around))

    async def stop(self) -> None:
        """Close every socket and end every delivery."""
        await self._courier.stop()
        await self.socket_mode.stop()
        await self.page.stop()
        await self._listening.aclose()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    def deliver_by(self, transport: Transport) -> None:
        """Deliver by another way than Socket Mode from now on."""
        self._courier.transport = transport

    async def deliver(self, kind: Kind, payload: Json) -> Delivery:
        """Hand the app a payload as it is, whatever Slack would never send; once."""
        await self._courier.deliver(kind, payload)
        return next(one for one in reversed(self.deliveries) if one.payload is payload)

    async def disconnect_sockets(self, reason: str = "refresh_requested") -> None:
        """Send every connected app away to a new socket."""
        await self.socket_mode.disconnect(reason)

    # what there is to see

    def messages(self, channel: str, thread_ts: str | None = None, user: str | None = None) -> list[Json]:
        """What stands in a channel; see Workspace.messages."""
        return self.workspace.messages(self._channel(channel).id, thread_ts, user)

    async def wait_for(
        self, predicate: Callable[[Json], bool], timeout: float = PATIENCE, channel: str | None = None
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

    async def wait_until(self, probe: Callable[[], T | None], timeout: float = PATIENCE) -> T:
        """Ask `probe` at each change of the workspace, delivery and socket until it gives something true."""
        changed = asyncio.Event()

        def note(change: WorkspaceEvent) -> None:
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
