"""The threads that answer, and what becomes of what waits for one of them when the bot is stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from bot.errors import AlmanacError

log = logging.getLogger(__name__)

T = TypeVar("T")

WORKERS = 8  # questions answered at the same time; more wait their turn, acknowledged all the same
LAST_WORDS_SECONDS = 0.5  # for those whose turn does not come any more to be told so


class WorkersStopped(AlmanacError):
    """The bot was stopped before it got to it."""

    def __init__(self) -> None:
        super().__init__("I was stopped before I got to it; ask again in a minute")


class Workers:
    """Runs what blocks in threads, for listeners that await it. A queue without an end: nothing is turned away."""

    def __init__(self, count: int = WORKERS) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="answer")
        self._futures: set[Future[Any]] = set()
        self._listeners: set[asyncio.Task[Any]] = set()

    async def __call__(self, task: Callable[..., T], *arguments: Any) -> T:
        """What the task returns. Raises Stopped where it was never begun."""
        listener = asyncio.current_task()
        if listener is not None and listener not in self._listeners:
            self._listeners.add(listener)
            listener.add_done_callback(self._listeners.discard)
        try:
            future = self._pool.submit(task, *arguments)
        except RuntimeError:  # it is closed already
            raise WorkersStopped from None
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if future.cancelled() and not (listener and listener.cancelling()):
                raise WorkersStopped from None
            raise

    async def finish(self, seconds: float) -> None:
        """Wait until the listeners that have something done here are through, and what they say is said. What was not
        begun by then is not begun any more, and its listeners get Stopped."""
        slow = await self._through(seconds)
        if not slow:
            return
        dropped = sum(future.cancel() for future in list(self._futures))
        log.warning("stopped with %d questions under way and %d not begun", len(slow) - dropped, dropped)
        await self._through(LAST_WORDS_SECONDS)

    async def _through(self, seconds: float) -> set[asyncio.Task[Any]]:
        """The listeners that are not through in this time; one may begin meanwhile."""
        end = asyncio.get_running_loop().time() + seconds
        while self._listeners:
            left = end - asyncio.get_running_loop().time()
            if left <= 0:
                break
            await asyncio.wait(set(self._listeners), timeout=left)
        return set(self._listeners)

    def close(self) -> None:
        """Returns when no thread runs any more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
