"""Questions are written down before Slack is told that they were received, so that none is lost with the process.

Slack delivers again what was not acknowledged, and nothing else. A bot that is stopped, or killed, with questions in
its queue answers them when it starts again; that each is answered once is the conversation's care.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

from slack_bolt.async_app import AsyncApp, AsyncBoltRequest

from bot.errors import StoreUnavailable
from storage.events import PendingEvents

log = logging.getLogger(__name__)

KEEP_SECONDS = 1.5  # of the three that Slack waits
TRY_SECONDS = 2.0  # between two looks at a database that was too busy
_WRITTEN = (None, "thread_broadcast", "file_share")  # subtypes of messages that a person writes

Json = Mapping[str, Any]


def is_question(event: Json) -> bool:
    """Whether an event is something that somebody said to the bot: in a mention, or in a direct message."""
    if event.get("bot_id") or not event.get("user"):
        return False  # two bots that mention each other would never stop
    if event.get("type") == "app_mention":
        return True
    return event.get("type") == "message" and event.get("channel_type") == "im" and event.get("subtype") in _WRITTEN


def is_kept(body: Json) -> bool:
    """Whether what Slack delivered is a question that is written down."""
    event = body.get("event")
    return isinstance(event, Mapping) and bool(body.get("event_id")) and is_question(event)


class Inbox:
    """Writes questions down, those that come together in one go. For one event loop."""

    def __init__(self, asked: PendingEvents, now: Callable[[], datetime]) -> None:
        self._asked = asked
        self._now = now
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asked")  # not behind those that answer
        self._waiting: list[tuple[str, Json, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._pending: dict[str, Json] = {}  # what the database was too busy for, by event
        self._tried: set[str] = set()
        self._trying: asyncio.Task[None] | None = None

    async def keep(self, body: Json) -> None:
        """Return once a question is written down, or where that fails: whoever asks is then told by the answer."""
        if not is_kept(body):
            return
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((str(body["event_id"]), body, kept))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        try:
            await asyncio.wait_for(kept, KEEP_SECONDS)
        except TimeoutError:
            log.warning("a question could not be written down in time; it is answered all the same")

    async def _write(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting, []
            bodies = [(event, body) for event, body, _ in some]
            try:
                await asyncio.get_running_loop().run_in_executor(self._thread, self._asked.keep, bodies, self._now())
            except StoreUnavailable as error:
                log.warning("questions are not written down: %s", error)
            except Exception:
                log.exception("questions are not written down")
            for _, _, kept in some:
                if not kept.done():
                    kept.set_result(None)

    def later(self, app: AsyncApp, body: Json) -> bool:
        """Have a question heard again as soon as the database can be written to. False where it was tried before."""
        event = str(body["event_id"])
        self._pending[event] = body
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try(app))
        is_new = event not in self._tried
        self._tried.add(event)
        return is_new

    async def _try(self, app: AsyncApp) -> None:
        while self._pending:
            await asyncio.sleep(TRY_SECONDS)
            some = dict(self._pending)
            if await self._can_write(some):
                for event in some:
                    del self._pending[event]
                await asyncio.gather(*(_heard_again(app, body) for body in some.values()))

    async def _can_write(self, pending: Mapping[str, Json]) -> bool:
        """Whether the database can be written to: by what is to be written down in any case."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._asked.keep, list(pending.items()), self._now())
        except StoreUnavailable:
            return False
        return True

    async def again(self, app: AsyncApp) -> None:
        """Have what an earlier process was asked and did not answer heard again."""
        try:
            left = await asyncio.get_running_loop().run_in_executor(self._thread, self._asked.left, self._now())
        except StoreUnavailable as error:
            log.warning("what was asked before is not known: %s", error)
            return
        if left:
            log.info("%d questions of before are answered now", len(left))
        for body in left:
            await _heard_again(app, body)

    def close(self) -> None:
        """What is pending is answered at the next start."""
        if self._trying:
            self._trying.cancel()
        self._thread.shutdown(wait=True)


async def _heard_again(app: AsyncApp, body: Json) -> None:
    await app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=dict(body)))
