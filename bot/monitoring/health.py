"""Whether the bot can answer: asked of the database as an answer would, and of the whole file besides."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace

from bot.ask.query_service import QueryService
from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from bot.month.calendar import MonthRange
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0  # anybody may ask, and to look through a large file takes a second
UNKNOWN = "an answer cannot be made, and why is in my log"


class HealthCheck:
    """For one event loop; one look at a time."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._queries = QueryService.of(store, settings)
        self._store = store
        self._lock = asyncio.Lock()
        self._throttled = ThrottledLog(log)
        self._looked = float("-inf")
        self._fault = ""

    async def fault(self) -> str:
        """Why nothing can be answered, in words for everybody; empty where it can."""
        async with self._lock:
            if time.monotonic() - self._looked >= KEPT_SECONDS:
                self._fault = await asyncio.to_thread(self._look)
                self._looked = time.monotonic()
        return self._fault

    def _look(self) -> str:
        try:
            self._store.check()
            self._answer()
        except AlmanacError as error:
            self._throttled.warning(f"the bot cannot answer: {error}")
            return error.public_text
        except Exception as error:  # whatever a damage leads to
            self._throttled.warning(f"the bot cannot answer: {type(error).__name__}: {error}")
            return UNKNOWN
        return ""

    def _answer(self) -> None:
        """Somebody's newest month, which nobody is shown."""
        queries = replace(self._queries)  # of this moment
        month = queries.activity.last_month()
        if month and (active := queries.activity.most(month)):
            queries.months(active[0], MonthRange(month, month))
