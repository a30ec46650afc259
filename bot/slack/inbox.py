"""Questions are written down before Slack is told that they were received, so that none is lost with the process.

Slack delivers again what was not acknowledged, and nothing else. Who answers a question leases it, and renews that
until it is answered: of several processes one answers it, and where that one is stopped or killed, another does soon,
or the next that starts. That nothing is said twice is the conversation's care.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar

from slack_bolt.async_app import AsyncApp, AsyncBoltRequest

from bot.errors import AlmanacError, StoreBusy, StoreUnavailable
from bot.http_server import ThrottledLog
from storage.conversations import Free, PendingEvents

log = logging.getLogger(__name__)

T = TypeVar("T")

KEEP_SECONDS = 1.5  # of the three that Slack waits
TELL_SECONDS = 2.0  # after which whoever asked is told that the database does not answer
TRY_SECONDS = 2.0  # between two looks at a database that could not be written to
# A process that has renewed nothing for so long is dead, and its questions are another's.
LEASE = timedelta(seconds=30)
RENEW_SECONDS = 10.0
APART_SECONDS = 0.02  # questions that are answered later
_WRITTEN = (None, "thread_broadcast", "file_share")  # subtypes of messages that a person writes
_AGAIN = "almanac_again"  # in the context of a request that the inbox makes itself

Json = Mapping[str, Any]
# ours: to be answered here; another's: some process answers it at this moment; later: here, once that can be done.
Kept = Literal["ours", "another's", "later"]
_SILENT = StoreBusy("the database does not answer", "my database does not answer")
Step = Callable[[AsyncApp], Awaitable[None]]
TellWhy = Callable[[Json, StoreBusy], Awaitable[None]]


async def _tell_nobody(body: Json, why: StoreBusy) -> None:
    pass


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


def is_redispatched(context: Mapping[str, Any]) -> bool:
    """Whether a question was begun before, here or by a process that died."""
    return bool(context.get(_AGAIN))


class Inbox:
    """Writes questions down, those that come together in one go. For one event loop.

    `shared` says that other processes may answer what is in the database; otherwise all that is there at the start is
    of one that died. `tell_why` is called, once, with a question whose answer has to wait, and with why.
    """

    def __init__(self, asked: PendingEvents, now: Callable[[], datetime], *, shared: bool = False) -> None:
        self._asked = asked
        self._now = now
        self._shared = shared
        self.tell_why: TellWhy = _tell_nobody
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asked")  # not behind those that answer
        self._waiting: list[tuple[str, Json, asyncio.Future[Kept]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._leased: set[str] = set()
        self._answered: set[str] = set()  # and not removed from the database yet
        self._pending: dict[str, Json] = {}  # what could not be written down, or not be answered, by event,
        self._why = StoreBusy("nothing was tried yet")  # and why not
        self._began: float | None = None  # to write something down
        self._notified: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._lived = time.monotonic()  # when the database was reached last
        self._faults: dict[float, str] = {}
        self._throttled = ThrottledLog(log)

    # --- what Slack delivers

    async def keep(self, body: Json, context: Mapping[str, Any]) -> Kept:
        """Return once a question is written down, or where that takes too long: then it is answered all the same."""
        if not is_kept(body) or is_redispatched(context):
            return "ours"
        if self._pending or self._is_silent():  # so it was a moment ago
            self.later(body, self._why if self._pending else _SILENT)
            return "later"
        kept: asyncio.Future[Kept] = asyncio.get_running_loop().create_future()
        self._waiting.append((str(body["event_id"]), body, kept))
        self._write_soon()
        try:
            return await asyncio.wait_for(asyncio.shield(kept), KEEP_SECONDS)
        except TimeoutError:
            log.warning("a question could not be written down in time; it is answered all the same")
            self._spawn(self._tell_of_silence(body, kept))
            return "ours"

    async def _tell_of_silence(self, body: Json, kept: asyncio.Future[Kept]) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(kept), TELL_SECONDS - KEEP_SECONDS)
        if not kept.done():
            await self._tell(body, _SILENT)

    def _is_silent(self) -> bool:
        """Whether the database has let what is being written down wait for longer than anybody asked should."""
        return self._began is not None and time.monotonic() - self._began > TELL_SECONDS

    def _write_soon(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._waiting or self._answered:
            some, self._waiting = self._waiting, []
            ours = {event for event, _, _ in some}
            is_broken = True
            try:
                ours = await self._written({event: body for event, body, _ in some})
                is_broken = False
            except StoreBusy as error:
                some, self._waiting = [*some, *self._waiting], []
                for _, body, kept in some:
                    self.later(body, error)
                    _settle(kept, "later")
            except StoreUnavailable as error:  # that will not pass: the answer says so
                log.warning("questions are not written down: %s", error)
            except Exception:
                log.exception("questions are not written down")
            for event, _, kept in some:
                _settle(kept, "ours" if event in ours else "another's")
            if is_broken and not self._waiting:
                return  # what is answered is noted with what comes next

    async def _written(self, bodies: Mapping[str, Json]) -> set[str]:
        """Remove what is answered, and write down what is asked. Returns the events that are to be answered here."""
        answered, now = set(self._answered), self._now()

        def write() -> set[str]:
            if answered:
                self._asked.answered(answered)
            return self._asked.keep(bodies.items(), now, now + LEASE) if bodies else set()

        self._began = time.monotonic()
        try:
            ours = await self._in_thread(write)
        finally:
            self._began = None
        self._answered -= answered
        self._leased |= ours
        return ours

    # --- what became of it

    def answered(self, body: Json) -> None:
        """It needs no answer any more. Where that cannot be written down now, it is later."""
        if is_kept(body):
            event = str(body["event_id"])
            self._leased.discard(event)
            self._notified.discard(event)
            self._answered.add(event)
            self._write_soon()

    def let_go(self, body: Json) -> None:
        """It cannot be answered here: somebody may try once its lease has run out."""
        self._leased.discard(str(body["event_id"]))

    def later(self, body: Json, why: StoreBusy) -> None:
        """Have a question heard again as soon as the database can be written to; whoever asked is told so, once."""
        if not self._pending:
            log.warning("questions are answered later: %s", why)
        self._why = why
        self._pending[str(body["event_id"])] = body
        self._spawn(self._tell(body, why))

    async def _tell(self, body: Json, why: StoreBusy) -> None:
        event = str(body["event_id"])
        if event not in self._notified:
            self._notified.add(event)
            await self.tell_why(body, why)

    # --- what waits, and what others left

    async def start(self, app: AsyncApp) -> None:
        """Have what a process that died was asked heard again, from now on until `stop`."""
        await self._take(app, "released" if self._shared else "all")
        self._loops = [
            asyncio.create_task(self._again_and_again(step, seconds, app))
            for step, seconds in ((self._renew, RENEW_SECONDS), (self._try, TRY_SECONDS))
        ]

    def stop(self) -> None:
        """Take nothing up any more."""
        for loop in self._loops:
            loop.cancel()

    @property
    def fault(self) -> str:
        """Why questions are not looked after, in words for everybody; empty where they are."""
        return next(iter(self._faults.values()), "")

    async def _again_and_again(self, step: Step, seconds: float, app: AsyncApp) -> None:
        """Whatever goes wrong, the next time may go well."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await step(app)
                self._faults.pop(seconds, None)
            except Exception as error:
                unknown = "questions are not looked after"
                self._faults[seconds] = error.public_text if isinstance(error, AlmanacError) else unknown
                self._throttled.warning(f"what is asked cannot be looked after: {type(error).__name__}: {error}")

    async def _renew(self, app: AsyncApp) -> None:
        until = self._now() + LEASE
        leased = frozenset(self._leased)
        if leased:
            self._leased -= leased - await self._in_thread(self._asked.renew, leased, until)
        if self._answered:
            await self._written({})
        # Where it was away for long, others could not renew theirs either: they get the time to.
        was_away = time.monotonic() - self._lived > 2 * RENEW_SECONDS
        if await self._take(app, "released" if was_away else "abandoned"):
            self._lived = time.monotonic()

    async def _take(self, app: AsyncApp, which: Free) -> bool:
        """False where the database is away."""
        now = self._now()
        try:
            left = await self._in_thread(self._asked.take, now, now + LEASE, which)
        except StoreUnavailable as error:
            log.warning("what was asked before is not known: %s", error)
            return False
        left = [body for body in left if str(body.get("event_id")) not in self._leased]  # it was late to renew
        if left:
            log.info("%d questions that a process left are answered now", len(left))
        for body in left:
            self._leased.add(str(body.get("event_id")))
        self._spawn(self._redispatch(app, left))
        return True

    async def _redispatch(self, app: AsyncApp, bodies: Sequence[Json]) -> None:
        """Not all at once: what Slack delivers meanwhile is to be acknowledged in time."""
        for body in bodies:
            request = AsyncBoltRequest(mode="socket_mode", body=dict(body), context={_AGAIN: True})
            try:
                await app.async_dispatch(request)
            except Exception:
                log.exception("a question is left to another process")
                self.let_go(body)
            await asyncio.sleep(APART_SECONDS)

    async def _try(self, app: AsyncApp) -> None:
        some = dict(self._pending)
        if not some:
            return
        with suppress(StoreUnavailable):  # then the next time
            ours = await self._written(some)
            for event in some:
                del self._pending[event]
            here = [body for event, body in some.items() if event in ours or event in self._leased]
            await self._redispatch(app, here)

    def close(self) -> None:
        """What is not answered is left to others, or to the next start."""
        for task in (*self._tasks, self._writing):
            if task:
                task.cancel()
        self._thread.submit(self._leave, frozenset(self._answered), frozenset(self._leased), dict(self._pending))
        self._thread.shutdown(wait=True)

    def _leave(self, answered: frozenset[str], leased: frozenset[str], pending: Mapping[str, Json]) -> None:
        try:
            if answered:
                self._asked.answered(answered)
            if pending:
                now = self._now()
                leased |= self._asked.keep(pending.items(), now, now + LEASE)
            if leased:
                self._asked.release(leased)
        except StoreUnavailable as error:
            log.warning("what is not answered is left to others only in %s: %s", LEASE, error)

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _settle(kept: asyncio.Future[Kept], what: Kept) -> None:
    if not kept.done():
        kept.set_result(what)


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
