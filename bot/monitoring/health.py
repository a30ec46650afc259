"""Whether the bot can answer: asked of the database as an answer would, which reads and writes, and of the whole file
besides."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from bot.ask.queries import Queries
from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0  # anybody may ask, and to look through a large file takes a second
WAIT_SECONDS = 4.0
UNKNOWN = "an answer cannot be made, and why is in my log"
NO_ANSWER = "the database does not answer"


@dataclass(frozen=True, slots=True)
class Looked:
    """Why nothing can be answered, in words for everybody, empty where it can; and how many messages wait for Slack,
    and since when."""

    fault: str = ""
    waiting: int = 0
    since: datetime | None = None


class HealthCheck:
    """For one event loop; one look at a time, which nobody waits for longer than some seconds. `faults` says what else
    of this process is not as it should be."""

    def __init__(self, settings: Settings, store: Store, faults: Callable[[], str] = lambda: "") -> None:
        self._queries = Queries.of(store, settings)
        self._store = store
        self._faults = faults
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")  # one that hangs holds up nobody else
        self._looking: asyncio.Future[Looked] | None = None
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

    async def looked(self) -> Looked:
        """Whether anything can be answered."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._looked >= KEPT_SECONDS):
            self._looking = asyncio.get_running_loop().run_in_executor(self._thread, self._look)
            self._looking.add_done_callback(lambda _: setattr(self, "_looked", time.monotonic()))
        done, _ = await asyncio.wait({self._looking}, timeout=WAIT_SECONDS)
        found = self._looking.result() if done else Looked(NO_ANSWER)
        return found if found.fault else replace(found, fault=self._faults())

    async def unready(self) -> str:
        """Why requests should go elsewhere, in words for everybody; empty where they may come."""
        if self._is_stopping:
            return "this process is being stopped"
        if self.is_connected and not await self.is_connected():
            return "there is no connection to Slack"
        return (await self.looked()).fault

    def _look(self) -> Looked:
        try:
            self._store.check_schema()
            self._store.check()
            self._answer()
            return Looked("", *self._store.outbox.held())
        except AlmanacError as error:
            self._throttled.warning(f"the bot cannot answer: {error}")
            return Looked(error.public_text)
        except Exception as error:  # whatever a damage leads to
            self._throttled.warning(f"the bot cannot answer: {type(error).__name__}: {error}")
            return Looked(UNKNOWN)

    def _answer(self) -> None:
        """Somebody's newest month, which nobody is shown; and a row, as an answer is written down."""
        queries = replace(self._queries)  # of this moment
        month = queries.activity.last_month()
        if month and (active := queries.activity.most(month)):
            queries.month(active[0], month)
        key = f"health|{uuid4()}"
        self._store.processed_events.claim(key, queries.settings.now())
        self._store.processed_events.release(key)
