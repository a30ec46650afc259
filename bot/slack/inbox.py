"""The way in: questions are written down before Slack is told that they were received, so that none is lost with the
process.

    delivery ─▶ keep ─▶ row, leased; many in one transaction ─▶ acknowledged
                         └─▶ answer ─▶ outbox, in place of the row
                              └ not renewed for 30 s: another process

Slack delivers again what was not acknowledged, and nothing else. The row is the queue: who answers a question leases
it, and renews that until it is answered; of several processes one does, and where that one is stopped, another does
soon, or the next that starts. That nothing is said twice is the conversation's care.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from bot.errors import AlmanacError, StoreBusy, StoreUnavailable
from bot.http_server import ThrottledLog
from storage.slack_state import PendingEvents

log = logging.getLogger(__name__)

T = TypeVar("T")

KEEP_SECONDS = 2.0  # of the three that Slack waits; then whoever asked is told that the database does not answer
TRY_SECONDS = 2.0  # between two looks at a database that could not be written to
# A process that has renewed nothing for so long is dead, and its questions are another's.
LEASE = timedelta(seconds=30)
RENEW_SECONDS = 10.0
APART_SECONDS = 0.02  # questions that others left: what is delivered meanwhile is to be acknowledged in time
_WRITTEN = (None, "thread_broadcast", "file_share")  # subtypes of messages that a person writes
_SILENT = StoreBusy("the database does not answer", "my database does not answer")

Json = Mapping[str, Any]
Answer = Callable[[Json], Awaitable[bool]]  # what Slack delivered; whether it is kept no more
Tell = Callable[[Json, Exception, bool], Awaitable[None]]  # that, why it is not answered, and whether it will be


def is_question(body: Json) -> bool:
    """Whether what Slack delivered is something that somebody said to the bot: in a mention, or in a direct message."""
    event = body.get("event")
    if not isinstance(event, Mapping) or event.get("bot_id") or not event.get("user"):
        return False  # two bots that mention each other would never stop
    if event.get("type") == "app_mention":
        return True
    return event.get("type") == "message" and event.get("channel_type") == "im" and event.get("subtype") in _WRITTEN


@dataclass(slots=True)
class _Asked:
    """A question that is not written down, or not answered, yet. `kept` is done once Slack need not wait for it."""

    body: Json
    again: bool = False
    kept: asyncio.Event = field(default_factory=asyncio.Event)


class Inbox:
    """Keeps questions until they are answered. For one event loop; one thread of its own writes. How one is answered,
    and how whoever asked it is told why it is not, is set before the start; `answer` raises StoreBusy where that is to
    be tried again.

    `shared` says that other processes may answer what is in the database; otherwise all that is there at the start is
    of one that died.
    """

    answer: Answer
    tell: Tell

    def __init__(self, events: PendingEvents, now: Callable[[], datetime], *, shared: bool = False) -> None:
        self._events = events
        self._now = now
        self._shared = shared
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asked")  # not behind those that answer
        self._new: dict[str, _Asked] = {}  # to be written down, by event
        self._leased: set[str] = set()
        self._notified: set[str] = set()
        self._busy: StoreBusy | None = None  # why nothing could be written down when it was tried last
        self._wake = asyncio.Event()
        self._looked_at = time.monotonic()  # after what others left
        self._lived = time.monotonic()  # when that was known last
        self._is_stopped = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._throttled = ThrottledLog(log)
        self.fault = ""  # why questions are not looked after, in words for everybody

    async def keep(self, body: Json) -> None:
        """Return once a question is written down; or cannot be just now, or that takes too long: then it is as soon as
        possible, and whoever asked is told so, once."""
        one = self._new.setdefault(event_id(body), _Asked(body))
        if self._busy is None:  # a moment ago
            self._wake.set()
            try:
                await asyncio.wait_for(one.kept.wait(), KEEP_SECONDS)
            except TimeoutError:
                log.warning("a question could not be written down in time; it waits")
            else:
                return
        self._spawn(self._apologize(body, self._busy or _SILENT))

    async def start(self) -> None:
        """Have what a process that died was asked answered, from now on until `stop`."""
        await self._take(None if self._shared else datetime.max.replace(tzinfo=UTC))
        self._spawn(self._run())

    def stop(self) -> None:
        """Take up nothing more of what others left."""
        self._is_stopped = True

    def close(self) -> None:
        """What is not answered is left to others, or to the next start."""
        for task in list(self._tasks):
            task.cancel()
        self._thread.submit(self._leave)
        self._thread.shutdown(wait=True)

    # what is written

    async def _run(self) -> None:
        while True:
            rest = RENEW_SECONDS if self._is_stopped else self._looked_at + RENEW_SECONDS - time.monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(0 if self._busy else rest):
                    await self._wake.wait()
            self._wake.clear()
            if self._busy:
                await asyncio.sleep(TRY_SECONDS)
            try:
                if self._new:
                    await self._write()
                if not self._is_stopped and time.monotonic() - self._looked_at >= RENEW_SECONDS:
                    await self._renew()
                self.fault = ""
            except Exception as error:  # whatever it is, the next time may go well
                unknown = "questions are not looked after"
                self.fault = error.public_text if isinstance(error, AlmanacError) else unknown
                self._throttled.warning(f"what is asked cannot be looked after: {type(error).__name__}: {error}")

    async def _write(self) -> None:
        """Write down what is asked, all that waits in one go; then have it answered."""
        some = dict(self._new)
        try:
            ours = await self._in_thread(self._written, some)
        except StoreBusy as error:
            if self._busy is None:
                log.warning("questions are answered later: %s", error)
            self._busy = error
            for one in list(self._new.values()):  # those too that came while it was tried
                one.kept.set()
                self._spawn(self._apologize(one.body, error))
            return
        except Exception as error:  # it will not pass, so the answer says so
            log.warning("questions are not written down: %s", error, exc_info=not isinstance(error, AlmanacError))
            ours = set(some)
        self._busy = None
        for event, one in some.items():
            del self._new[event]
            one.kept.set()
            if event in ours:  # else another process answers it at this moment
                self._spawn(self._hear(one.body))

    def _written(self, some: Mapping[str, _Asked]) -> set[str]:
        """The events that are to be answered here."""
        now = self._now()
        ours = self._events.keep([(event, one.body) for event, one in some.items()], now, now + LEASE)
        ours |= {event for event, one in some.items() if one.again and event in self._leased}
        self._leased |= ours
        return ours

    async def _renew(self) -> None:
        self._looked_at = time.monotonic()
        if leased := frozenset(self._leased):
            self._leased -= leased - await self._in_thread(self._events.renew, leased, self._now() + LEASE)
        # Where it was away for long, others could not renew theirs either: they get the time to.
        was_away = time.monotonic() - self._lived > 2 * RENEW_SECONDS
        await self._take(None if was_away else self._now())

    async def _take(self, leased: datetime | None) -> None:
        """Have what others left answered here, and what they leased until before that time."""
        now = self._now()
        try:
            left = await self._in_thread(self._events.take, now, now + LEASE, leased)
        except StoreUnavailable as error:
            log.warning("what was asked before is not known: %s", error)
            return
        self._lived = time.monotonic()
        left = [body for body in left if event_id(body) not in self._leased]  # it was late to renew
        if left:
            log.info("%d questions that a process left are answered now", len(left))
        self._leased |= {event_id(body) for body in left}
        self._spawn(self._hear_all(left))

    def _leave(self) -> None:
        try:
            if self._new:
                self._written(self._new)
            if self._leased:
                self._events.release(self._leased)
        except StoreUnavailable as error:
            log.warning("what is not answered is left to others only in %s: %s", LEASE, error)

    # what becomes of it

    async def _hear_all(self, bodies: Sequence[Json]) -> None:
        for body in bodies:
            self._spawn(self._hear(body))
            await asyncio.sleep(APART_SECONDS)

    async def _hear(self, body: Json) -> None:
        event, is_removed = event_id(body), False
        try:
            is_removed = await self.answer(body)
        except StoreBusy as error:
            self._busy = error
            self._new[event] = _Asked(body, again=True)
            self._wake.set()
            await self._apologize(body, error)
            return
        except WorkersStopped:
            log.info("a question is left to another process, or to the next start")
            return
        except StoreUnavailable as error:
            self._leased.discard(event)  # somebody may try once its lease has run out
            await self.tell(body, error, False)
            return
        except Exception as error:
            await self.tell(body, error, False)
        self._leased.discard(event)
        self._notified.discard(event)
        if not is_removed:
            with suppress(StoreUnavailable):  # whoever takes it once its lease has run out says nothing twice
                await self._in_thread(self._events.answered, [event])

    async def _apologize(self, body: Json, why: StoreBusy) -> None:
        event = event_id(body)
        if event not in self._notified:
            self._notified.add(event)
            await self.tell(body, why, True)

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def event_id(body: Json) -> str:
    return str(body.get("event_id") or body["event"]["ts"])


WORKERS = 8  # questions answered at the same time; more wait their turn, acknowledged all the same
LAST_WORDS_SECONDS = 0.5  # for those whose turn does not come any more to be told so


class WorkersStopped(AlmanacError):
    """The bot was stopped before it got to it."""

    def __init__(self) -> None:
        super().__init__("I was stopped before I got to it; ask again in a minute")


class Workers:
    """Runs what blocks in threads, for listeners that await it. A queue without an end: nothing is turned away."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="answer")
        self._listeners: set[asyncio.Task[Any]] = set()

    async def __call__(self, task: Callable[..., T], *arguments: Any) -> T:
        """What the task returns. Raises WorkersStopped where it was never begun."""
        listener = asyncio.current_task()
        if listener is not None:
            self._listeners.add(listener)
            listener.add_done_callback(self._listeners.discard)
        try:
            future = self._pool.submit(task, *arguments)
        except RuntimeError:  # it is closed already
            raise WorkersStopped from None
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if future.cancelled() and not (listener and listener.cancelling()):
                raise WorkersStopped from None
            raise

    async def finish(self, seconds: float) -> None:
        """Wait until the listeners that have something done here are through, and what they say is said. What was not
        begun by then is not begun any more, and its listeners get WorkersStopped."""
        await self._through(seconds)
        if self._listeners:
            log.warning("stopped with %d questions under way", len(self._listeners))
            self._pool.shutdown(wait=False, cancel_futures=True)
            await self._through(LAST_WORDS_SECONDS)

    async def _through(self, seconds: float) -> None:
        """Wait for the listeners, those too that begin meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._listeners:
                    await asyncio.wait(set(self._listeners))

    def close(self) -> None:
        """Returns when no thread runs any more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
