"""The local workspace: one aiohttp server that is Slack to the bot and a page to a person.

a person ──say, press──▶ ThreadedWorkspace ──Socket Mode───────────────▶ the bot
the page ◀──changes───── Workspace ◀──Web API, response_url───────────── the bot

The page is one person's view of the workspace in a browser. It is answered only where the browser believes to be on
this machine: a page from elsewhere that resolves its name to 127.0.0.1 (DNS rebinding), or posts here across origins,
is refused.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from bot.http_server import body_in_time, held, listening
from bot.workspace.api import Around, WebApi, straight
from bot.workspace.delivery import Courier, ResponseUrls, SocketMode
from bot.workspace.people import COMMAND, People, in_loop
from bot.workspace.state import BOT_USER_ID, Json, Workspace, WorkspaceChannel, WorkspaceEvent, WorkspaceUser

T = TypeVar("T")
PATIENCE = 240.0  # seconds until what should come is given up: on a busy machine it may take minutes
PING_SECONDS = 10.0
MAX_BODY = 4 * 1024 * 1024
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Act = Callable[[str, Json], Awaitable[Json]]

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


@dataclass(frozen=True, slots=True)
class PageOffers:
    """What the page offers: `suggestions` are questions to click on, `shortcuts` those of the app, as its manifest has
    them, `subcommands` what may stand behind the command: each {"text", "arguments", "description"}."""

    suggestions: Sequence[str] = ()
    shortcuts: Sequence[Json] = ()
    subcommands: Sequence[Json] = ()


NOTHING_OFFERED = PageOffers()


@dataclass
class BrowserPage:
    """The page of the person `me`, or of whoever its address names with `?as=`."""

    workspace: Workspace
    actor: People
    me: str
    offered: PageOffers = NOTHING_OFFERED
    host: str = "127.0.0.1"

    def __post_init__(self) -> None:
        self._streams: set[web.WebSocketResponse] = set()

    def routes(self) -> list[web.RouteDef]:
        done = {
            "say": self._say,
            "press": self._press,
            "submit": self._submit,
            "close": self._close,
            "open": self._open,
            "shortcut": self._shortcut,
        }
        return [
            web.get("/", self.guarded(self._index)),
            web.get("/archives/{channel}/{message}", self.guarded(self._permalink)),
            web.get("/page/state", self.guarded(self._state)),
            web.get("/page/stream", self.guarded(self._stream)),
            *(web.post(f"/page/{name}", self.guarded(self.act(act))) for name, act in done.items()),
            web.get("/page/{file}", self.guarded(self._file)),
        ]

    def guarded(self, handler: Handler) -> Handler:
        """A handler that answers this machine only."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if not is_asked_for(request, self.host):
                return web.Response(status=403, text="This page is served to this machine only.\n")
            return await handler(request)

        return handle

    def act(self, act: Act) -> Handler:
        """Let the person do something. What cannot be done is answered with 400 and a reason; what the app did not
        take, with the reason as `trouble`."""

        async def handle(request: web.Request) -> web.StreamResponse:
            body = await body_of(request)
            if body is None:
                return problem("this is no JSON object of texts")
            try:
                return web.json_response({"ok": True, **await act(self.who(request), body)})
            except KeyError as error:
                return problem(f"{error.args[0]} is needed")
            except LookupError as error:
                return problem(str(error.args[0]))

        return handle

    def who(self, request: web.Request) -> str:
        """The id of the person whose page asks."""
        user = self.workspace.user(request.query.get("as", ""))
        return user.id if user and user.id in _people_of(self.workspace) else self.me

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
        return web.json_response(self.state(self.who(request)), headers={"Cache-Control": "no-store"})

    def state(self, me: str) -> Json:
        """All a person sees, and what the page offers them."""
        return {**_seen_by(self.workspace, me), "command": COMMAND, **asdict(self.offered)}

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        me = self.who(request)
        ws = web.WebSocketResponse(heartbeat=30)
        queue: asyncio.Queue[Json] = asyncio.Queue()
        last_view: Json = {"type": "view", **_views(self.workspace, me)}

        def note(change: WorkspaceEvent) -> None:
            nonlocal last_view
            if (event := _event_for(self.workspace, me, change)) is None or event == last_view:
                return
            if event["type"] == "view":
                last_view = event
            queue.put_nowait(event)

        async def pump() -> None:
            with suppress(ConnectionError):
                while True:
                    await ws.send_json(await queue.get())

        unwatch = self.workspace.watch(note)  # before the page knows that it is connected
        pumping: list[asyncio.Task[None]] = []
        try:
            await ws.prepare(request)
            pumping.append(asyncio.create_task(pump()))
            self._streams.add(ws)
            async for _ in ws:  # the page says nothing; this notices that it goes
                pass
        finally:
            unwatch()
            self._streams.discard(ws)
            for task in pumping:
                task.cancel()
            await asyncio.gather(*pumping, return_exceptions=True)
        return ws

    async def _say(self, me: str, body: Json) -> Json:
        if not body["text"].strip():
            raise KeyError("text")
        return {"ts": self.actor.say(me, body["channel"], body["text"], body.get("thread_ts"))}

    async def _press(self, me: str, body: Json) -> Json:
        action_id, value, place = body["action_id"], body.get("value"), body.get("view")
        if place == "modal":
            pressed = self.actor.press_modal(me, action_id, value, body.get("values"))
        elif place == "home":
            pressed = self.actor.press_home(me, action_id, value)
        else:
            pressed = self.actor.press(me, body["channel"], body["ts"], action_id, value)
        return {"trouble": await pressed}

    async def _submit(self, me: str, body: Json) -> Json:
        return {"trouble": await self.actor.submit(me, body.get("values"))}

    async def _close(self, me: str, body: Json) -> Json:
        self.actor.close_modal(me, every=body.get("every") == "every")
        return {}

    async def _open(self, me: str, body: Json) -> Json:
        self.actor.open_home(me, "home" if body["tab"] == "home" else "messages")
        return {}

    async def _shortcut(self, me: str, body: Json) -> Json:
        callback_id = body["callback_id"]
        if "ts" in body:
            run = self.actor.message_shortcut(me, body["channel"], body["ts"], callback_id)
        else:
            run = self.actor.shortcut(me, callback_id)
        return {"trouble": await run}

    async def stop(self) -> None:
        for ws in list(self._streams):
            await ws.close(code=WSCloseCode.GOING_AWAY)


def is_asked_for(request: web.Request, listens_on: str) -> bool:
    """Whether the browser asked for this machine or the address it listens on, and no other site's page asked."""
    try:
        host = urlsplit(f"//{request.headers.get('Host', '')}").hostname
    except ValueError:
        return False
    origin = request.headers.get("Origin")
    same_origin = origin is None or origin == f"http://{request.headers.get('Host')}"
    return host in (*LOOPBACK, listens_on) and same_origin


async def body_of(request: web.Request) -> Json | None:
    """The JSON object posted, without what is empty in it: texts, but for the `value` that was chosen, which may be a
    list of texts, and the `values` that were filled in, which may hold either."""
    try:
        body = await request.json()
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    value, values = body.pop("value", None), body.pop("values", None)
    body = {key: text for key, text in body.items() if text not in (None, "")}
    filled = values if isinstance(values, dict) else {} if values is None else {"": 0}
    if not all(isinstance(text, str) for text in body.values()) or not all(map(_is_value, [value, *filled.values()])):
        return None
    return {**body, "value": value, "values": None if values is None else filled}


def _is_value(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str)


def problem(text: str) -> web.Response:
    return web.json_response({"ok": False, "error": text}, status=400)


def _people_of(workspace: Workspace) -> list[str]:
    """The ids of all whose view can be seen: humans, in the order they came."""
    return [user.id for user in workspace.users.values() if not user.is_bot and not user.deleted]


def _seen_by(workspace: Workspace, me: str) -> Json:
    """All a person sees: team, people, the channels they are in, the messages there, and the app's views."""
    seen = [_channel(one) for one in workspace.channels.values() if one.has(me) and one.user in (None, me)]
    channels = sorted(seen, key=lambda one: bool(one["is_im"]))
    return {
        "team": {"id": workspace.team_id, "name": workspace.name},
        "me": me,
        "bot": BOT_USER_ID,
        "people": _people_of(workspace),
        "users": {user.id: _user(user) for user in workspace.users.values()},
        "channels": channels,
        "messages": {one["id"]: workspace.messages(one["id"], user=me) for one in channels},
        "statuses": [
            {"channel": channel, "thread_ts": thread, "status": status}
            for (channel, thread), status in workspace.statuses.items()
            if status and channel in {one["id"] for one in channels}
        ],
        "view": _views(workspace, me),
    }


def _views(workspace: Workspace, me: str) -> Json:
    """What the app shows a person beside messages: their home tab, their modals with the errors beside their fields,
    and the questions it suggests in their direct messages."""
    direct = workspace.channel(me)
    return {
        "home": workspace.home_views.get(me),
        "modals": workspace.modals.of(me),
        "errors": workspace.modals.errors.get(me, {}),
        "prompts": workspace.prompts.get(direct.id) if direct else None,
    }


def _event_for(workspace: Workspace, me: str, change: WorkspaceEvent) -> Json | None:
    """A change as a person's page is told of it; None if it is nothing to them."""
    if change.type == "view":
        return {"type": "view", **_views(workspace, me)}
    channel = workspace.channels.get(change.channel)
    if channel is None or not channel.has(me):
        return None
    if change.type == "status":
        return {"type": "status", "channel": channel.id, "thread_ts": change.thread_ts, "status": change.status}
    if change.type not in ("message", "changed", "deleted") or change.only_for not in (None, me):
        return None
    return {"type": change.type, "channel": channel.id, "message": change.message}


def _user(user: WorkspaceUser) -> Json:
    flags = {"is_bot": user.is_bot, "is_admin": user.is_admin, "is_restricted": user.is_restricted}
    return {"id": user.id, "name": user.name, "real_name": user.real_name, **flags}


def _channel(channel: WorkspaceChannel) -> Json:
    if channel.is_im:
        return {"id": channel.id, "is_im": True, "user": BOT_USER_ID}
    known: Json = {"id": channel.id, "name": channel.name, "is_im": False, "topic": channel.topic}
    return known | {"is_private": channel.is_private, "is_ext_shared": channel.is_ext_shared}


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

    offered       what the page offers
    ack_timeout   seconds the app has to acknowledge; Slack gives three
    retry_delays  seconds before each further attempt at an event nobody acknowledged
    around        what stands between the app's calls and doing them; tests put faults there
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
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
        self.page = BrowserPage(workspace, self, next(iter(humans), BOT_USER_ID), offered, host)
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
