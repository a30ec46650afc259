"""Whether this process may be sent requests just now: for balancers, which ask every few seconds."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from storage import Store

log = logging.getLogger(__name__)

WAIT_SECONDS = 2.0
KEPT_SECONDS = 1.0
NO_ANSWER = "the database does not answer"


class ReadyCheck:
    """For one event loop. The database is looked at once at a time, and not more often than every second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ready")  # one that hangs holds up nobody else
        self._looking: asyncio.Future[str] | None = None
        self._looked = float("-inf")
        self._throttled = ThrottledLog(log)
        self._is_stopping = False
        self.is_connected: Callable[[], Awaitable[bool]] | None = None  # to Slack, in Socket Mode

    def stop(self) -> None:
        """From now on requests should go elsewhere."""
        self._is_stopping = True

    def close(self) -> None:
        """Blocks until the database has answered, or was given up."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def fault(self) -> str:
        """Why requests should go elsewhere, in words for everybody; empty where they may come."""
        if self._is_stopping:
            return "this process is being stopped"
        if self.is_connected and not await self.is_connected():
            return "there is no connection to Slack"
        if self._looking is None or (self._looking.done() and time.monotonic() - self._looked >= KEPT_SECONDS):
            self._looked = time.monotonic()
            self._looking = asyncio.get_running_loop().run_in_executor(self._thread, self._look)
        done, _ = await asyncio.wait({self._looking}, timeout=WAIT_SECONDS)
        return self._looking.result() if done else NO_ANSWER

    def _look(self) -> str:
        try:
            self._store.check_schema()
        except AlmanacError as error:
            self._throttled.warning(f"the bot is not ready: {error}")
            return error.public_text
        except Exception as error:
            self._throttled.warning(f"the bot is not ready: {type(error).__name__}: {error}")
            return NO_ANSWER
        return ""
