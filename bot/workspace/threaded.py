"""The workspace in a thread of its own, for callers without an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from bot.workspace.courier import Delivery, Kind
from bot.workspace.model import Call, Json
from bot.workspace.server import PATIENCE, WorkspaceServer
from bot.workspace.state import Workspace

T = TypeVar("T")


async def _cancel_the_rest() -> None:
    """End what still answers somebody who went away."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


class ThreadedWorkspace:
    """A WorkspaceServer behind plain methods, between `start` and `stop` or in `with`. It takes what
    WorkspaceServer takes; its methods do what those of the same name do there. Predicates and probes run
    in the server's thread, so they should only look."""

    def __init__(self, workspace: Workspace, **options: Any) -> None:
        self.workspace = workspace
        self.server = WorkspaceServer(workspace, **options)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen when this returns; OSError if the port is taken."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="workspace", daemon=True)
        thread.start()
        self._loop, self._thread = loop, thread
        try:
            self._run(self.server.start())
        except BaseException:
            self._end()
            raise

    def stop(self) -> None:
        """Leave no socket, task or thread behind; a second call does nothing."""
        if self._loop is not None:
            try:
                self._run(self.server.stop())
            finally:
                self._end()

    def _end(self) -> None:
        if self._loop and self._thread:
            self._run(_cancel_the_rest())
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

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            work.close()
            raise RuntimeError("the workspace is not running: call start(), or use it in a with statement")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _look(self, function: Callable[[], T]) -> T:
        if threading.current_thread() is self._thread:  # a probe that looks: waiting for itself would never end
            return function()

        async def look() -> T:
            return function()

        return self._run(look())

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def api_url(self) -> str:
        return self.server.api_url

    @property
    def calls(self) -> list[Call]:
        return self._look(lambda: list(self.workspace.calls))

    @property
    def deliveries(self) -> list[Delivery]:
        return self._look(lambda: list(self.server.deliveries))

    @property
    def home_views(self) -> dict[str, Json]:
        return self._look(lambda: dict(self.workspace.home_views))

    def say(self, user: str, channel: str, text: str, thread_ts: str | None = None) -> str:
        return self._run(self.server.say(user, channel, text, thread_ts))

    def press(self, user: str, channel: str, message_ts: str, action_id: str, value: str | None = None) -> None:
        self._run(self.server.press(user, channel, message_ts, action_id, value))

    def open_home(self, user: str) -> None:
        self._run(self.server.open_home(user))

    def press_home(self, user: str, action_id: str, value: str | None = None) -> None:
        self._run(self.server.press_home(user, action_id, value))

    def shortcut(self, user: str, callback_id: str) -> None:
        self._run(self.server.shortcut(user, callback_id))

    def message_shortcut(self, user: str, channel: str, message_ts: str, callback_id: str) -> None:
        self._run(self.server.message_shortcut(user, channel, message_ts, callback_id))

    def press_modal(self, user: str, action_id: str, value: str | None = None) -> None:
        self._run(self.server.press_modal(user, action_id, value))

    def submit(self, user: str, values: Mapping[str, Any] | None = None) -> None:
        self._run(self.server.submit(user, values))

    def close_modal(self, user: str, *, every: bool = False) -> None:
        self._run(self.server.close_modal(user, every=every))

    def happen(self, event: Json) -> None:
        self._look(lambda: self.server.happen(event))

    def modals(self, user: str) -> list[Json]:
        """The modals somebody has open, by login or id, the topmost last."""
        known = self.workspace.user(user)
        return self._look(lambda: self.workspace.modals.of(known.id if known else user))

    def redeliver_press(self, action_ts: str) -> None:
        self._run(self.server.redeliver_press(action_ts))

    def redeliver(self, event_id: str) -> None:
        self._run(self.server.redeliver(event_id))

    def deliver(self, kind: Kind, payload: Json) -> Delivery:
        return self._run(self.server.deliver(kind, payload))

    def disconnect_sockets(self, reason: str = "refresh_requested") -> None:
        self._run(self.server.disconnect_sockets(reason))

    def messages(self, channel: str, thread_ts: str | None = None, user: str | None = None) -> list[Json]:
        return self._look(lambda: self.server.messages(channel, thread_ts, user))

    def wait_for(
        self, predicate: Callable[[Json], bool], timeout: float = PATIENCE, channel: str | None = None
    ) -> Json:
        return self._run(self.server.wait_for(predicate, timeout, channel))

    def wait_until(self, probe: Callable[[], T | None], timeout: float = PATIENCE) -> T:
        return self._run(self.server.wait_until(probe, timeout))

    def wait_connected(self, timeout: float = PATIENCE) -> None:
        """Return when an app listens on a socket."""
        self._run(self.server.wait_until(lambda: self.server.socket_mode.open_count, timeout))
