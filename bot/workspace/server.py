"""The local workspace: one aiohttp server that is Slack to the bot and a page to a person.

a person ──say, press──▶ ThreadedWorkspace ──Socket Mode───────────────▶ the bot
the page ◀──changes───── Workspace ◀──Web API, response_url───────────── the bot
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.http_server import body_in_time, held, listening
from bot.workspace.api import Around, WebApi, straight
from bot.workspace.delivery import Courier, ResponseUrls, SocketMode
from bot.workspace.page import NOTHING_OFFERED, BrowserPage, PageOffers
from bot.workspace.people import People, in_loop
from bot.workspace.state import BOT_USER_ID, Json, Workspace, WorkspaceEvent

T = TypeVar("T")
PATIENCE = 240.0  # seconds until what should come is given up: on a busy machine it may take minutes
PING_SECONDS = 10.0
MAX_BODY = 4 * 1024 * 1024
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on


@web.middleware
async def _at_work(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever has asked something keeps its connection: the page and the app stay connected for long."""
    with held(request):
        return await handler(request)


async def _cancel_the_rest() -> None:
    """End what still answers somebody who went away."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


class ThreadedWorkspace(People):
    """Serves a Workspace on `host` from a thread of its own, between `start` and `stop` or in `with`. `url` is its
    address, `api_url` what a bot takes for SLACK_API_URL. Predicates and probes run in that thread, so they should only
    look.

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
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self.host = host
        self.port = port
        self.socket_mode = SocketMode(workspace, ack_timeout, PING_SECONDS)
        self._around = around
        courier = Courier(workspace, self.socket_mode, retry_delays)
        super().__init__(workspace, courier, ResponseUrls(workspace, around))
        humans = [user.id for user in workspace.users.values() if not user.is_bot]
        viewer = self._user(me).id if me else next(iter(humans), BOT_USER_ID)
        self.page = BrowserPage(workspace, self, viewer, offered, host)
        self._listening = AsyncExitStack()

    # running

    def start(self) -> None:
        """Listen when this returns; OSError if the port is taken."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="workspace", daemon=True)
        thread.start()
        self._loop, self._thread = loop, thread
        try:
            self.run(self._open())
        except BaseException:
            self._end()
            raise

    def stop(self) -> None:
        """Leave no socket, task or thread behind; a second call does nothing."""
        if self._loop is not None:
            try:
                self.run(self._close())
            finally:
                self._end()

    def _end(self) -> None:
        if self._loop and self._thread:
            self.run(_cancel_the_rest())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the workspace's event loop, and wait for it."""
        if self._loop is None:
            work.close()
            raise RuntimeError("the workspace is not running: call start(), or use it in a with statement")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def in_thread(self, function: Callable[[], T]) -> T:
        """What a function gives in the workspace's thread."""
        if threading.current_thread() is self._thread:  # a probe that looks: waiting for itself would never end
            return function()

        async def look() -> T:
            return function()

        return self.run(look())

    async def _open(self) -> None:
        app = web.Application(client_max_size=MAX_BODY, middlewares=[body_in_time, _at_work])
        api = WebApi(self.workspace, self._around)
        app.add_routes([web.route("*", "/api/{method}", api.handle), web.get("/link/", self.socket_mode.handle)])
        app.add_routes([web.post("/response/{ticket}", self._responses.handle)])
        app.add_routes(self.page.routes())
        try:
            self.port = await self._listening.enter_async_context(
                listening(app, self.host, self.port, stop_seconds=1.0)
            )
        except OSError:
            await self._close()
            raise
        self.workspace.url, self.workspace.notify = self.url, self.happen
        self.workspace.new_socket = lambda: self.socket_mode.url(urlsplit(self.url).netloc)

    async def _close(self) -> None:
        await self._courier.stop()
        await self.socket_mode.stop()
        await self.page.stop()
        await self._listening.aclose()

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    # what there is to see

    @in_loop
    def messages(self, channel: str, thread_ts: str | None = None, user: str | None = None) -> list[Json]:
        """What stands in a channel; see Workspace.messages."""
        return self.workspace.messages(self._channel(channel).id, thread_ts, user)

    def wait_connected(self, timeout: float = PATIENCE) -> None:
        """Return when an app listens on a socket."""
        self.wait_until(lambda: self.socket_mode.open_count, timeout)

    def wait_until(self, probe: Callable[[], T | None], timeout: float = PATIENCE) -> T:
        """Ask `probe` at each change of the workspace, delivery and socket until it gives something true."""
        return self.run(self._seen_at_last(probe, timeout))

    async def _seen_at_last(self, probe: Callable[[], T | None], timeout: float) -> T:
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
