"""What the clock has done at each tick: the repositories are read, and the digests that are due are posted.

APScheduler is a metronome: it ticks, and what is due is asked each time. A cron on the first of the month that missed
its second while the bot was down would wait a whole month.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from apscheduler.schedulers.background import BackgroundScheduler

from bot.digest.service import DigestBroken, DigestService, first_key
from bot.digest.subscriptions import (
    DigestPost,
    DigestSubscription,
    SubscriptionId,
    Subscriptions,
    digest_keys,
    due,
)
from bot.errors import AlmanacError, RepositoryUnavailable, StoreBusy
from bot.http_server import ThrottledLog
from bot.index.git import CancelToken, Concurrency, Stopped
from bot.index.indexing import Indexing, IndexRequests, OwnIndexing, log_result
from bot.index.lines import Lines
from bot.index.places import located, name_of, tables_by_name
from bot.settings import PostgresAddress, Settings
from bot.slack.sender import CHANGE, Sender
from storage import Store
from storage.slack_state import EVENTS_REMEMBERED_FOR, REMEMBERED_FOR, Post

if TYPE_CHECKING:
    from bot.index.jobs import SharedIndex

log = logging.getLogger(__name__)

TICK_SECONDS = 30
READ_SECONDS = 120.0  # of a tick; a fetch itself may take an hour (bot/index/mirrors.py), and goes on
LOOK_SECONDS = 0.2  # until it is looked whether the bot is to end
SEND_EVERY = 1.0  # seconds: what is limited, or another process left, goes out soon after it may
AGAIN_AFTER = timedelta(hours=1)  # what Slack refused may be fixed by then
MADE_AGAIN_AFTER = timedelta(minutes=5)  # what could not be made
MOST_TRIES = 24


class Clock:
    """Calls `tick` every half minute and `refresh` every so many minutes, from the start on, each in a thread.

    Neither overlaps itself, and what one raises is logged and does not stop the clock.
    """

    def __init__(
        self,
        tick: Callable[[], None],
        refresh: Callable[[], None],
        refresh_minutes: int,
        tick_seconds: float = TICK_SECONDS,
    ) -> None:
        self._scheduler = BackgroundScheduler(
            timezone="UTC",
            # The default drops a job that starts a second late: https://github.com/agronholm/apscheduler/issues/146
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        at_once = datetime.now(UTC)
        self._scheduler.add_job(_safely(tick), "interval", seconds=tick_seconds, id="tick", next_run_time=at_once)
        self._scheduler.add_job(
            _safely(refresh), "interval", minutes=refresh_minutes, id="refresh", next_run_time=at_once
        )

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        """Waits until what runs at the moment has ended. Does nothing where it was not started."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)


def _safely(job: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except AlmanacError as error:
            log.warning("%s is tried again at the next tick: %s", job.__name__, error)
        except Exception:  # a clock that stops is worse than any one failure; the log has it in full
            log.exception("%s failed; it is tried again at the next tick", job.__name__)

    return run


class IndexRefresh:
    """Reads before digests are made. `read` returns what could not be read; it never runs twice at the same time."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        read: Callable[[], list[RepositoryUnavailable]],
        cancel: CancelToken,
        seconds: float = READ_SECONDS,
    ) -> None:
        self._settings = settings
        self._store = store
        self._read = read
        self._cancel = cancel
        self._seconds = seconds
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._running: Future[list[RepositoryUnavailable]] | None = None
        self._began = settings.now()

    def unread(self) -> list[RepositoryUnavailable]:
        """What could not be read, or not in time, each by its name. What takes longer goes on meanwhile."""
        if self._running is None or self._running.done():
            self._began = self._settings.now()
            self._running = self._reader.submit(self._read)
        end = time.monotonic() + self._seconds
        while not (self._running.done() or self._cancel.is_stopped()) and time.monotonic() < end:
            wait([self._running], LOOK_SECONDS)
        if self._running.done():
            return self._running.result()
        stored = {one.name: one.indexed_at for one in self._store.commits.repositories() if not one.failure}
        names = sorted(tables_by_name(self._settings))
        late = [name for name in names if (read_at := stored.get(name)) is None or read_at < self._began]
        for name in late:
            log.warning("%s is not read within %.0f s: digests tell what is known of it", name, self._seconds)
        return [RepositoryUnavailable(name, "it did not answer in time") for name in late]


class Jobs:
    """Both jobs block, and may run at the same time as answers and as other bots on the same database.

    What a tick does is written down before and after it is done, so one that ends anywhere is completed by the next.
    """

    def __init__(self, settings: Settings, store: Store, sender: Sender, service: DigestService) -> None:
        self._settings = settings
        self._store = store
        self._sender = sender
        self._service = service
        self._cancel = CancelToken()
        self._shared: SharedIndex | None = None  # with PostgreSQL, the index that workers keep
        if isinstance(store.database, PostgresAddress):
            from bot.index.jobs import SharedIndex  # procrastinate takes a third of a second to load

            self._shared = SharedIndex(settings, store, self._cancel)
        self._unread = (self._shared or IndexRefresh(settings, store, self.refresh, self._cancel)).unread
        # For whoever learns of a push.
        self.requests: IndexRequests = self._shared.requests if self._shared else OwnIndexing(self.refresh)
        self._subscriptions = Subscriptions.of(settings, store)
        self.unsent = ""  # why nothing is sent
        self._unmade: dict[str, tuple[datetime, str]] = {}  # what could not be made: when to try again, and why

    def tick(self) -> None:
        """Look for what may be lost, and write down every digest that is due, which `send` then sends. One channel's
        trouble stays its own. With PostgreSQL, ask for what is to be read first."""
        if self._shared:
            self._shared.request_due()
        if not self._sender.is_let_in():
            return
        now = self._settings.now()
        with self._store.snapshot():
            self._sender.give_up_on_lost()
            self._sender.reconcile()
            wanted = self._service.without_doubles(self._subscriptions.all(now), now)
            self._revive(wanted, now)
            owed = self._owed(self._service.without_refused(wanted, now), now)
        self._plan_due(owed, now)
        with self._store.snapshot():
            self._service.report(self._subscriptions.all(now), now)

    def refresh(self, only: Sequence[str] | None = None) -> list[RepositoryUnavailable]:
        """Read what is new in the repositories of almanac.toml, or in those with the names in `only`, until `stop`.
        Returns what could not be read, each by its name. With PostgreSQL workers do that."""
        if self._shared:
            return []
        settings, unread = self._settings, list[RepositoryUnavailable]()
        tables = [one for one in settings.repositories if only is None or name_of(one) in only]
        with suppress(Stopped), self._cancel.within() as cancel, self._store.held_open():
            indexing = Indexing(self._store.commits, settings.mirrors, settings.now(), concurrency=Concurrency(cancel))
            for outcome in indexing.all(located(one.address, one) for one in tables):
                done = outcome.result
                log_result(done)
                if isinstance(done, RepositoryUnavailable):
                    unread.append(RepositoryUnavailable(outcome.name, done.reason))
                elif done.failure:
                    unread.append(RepositoryUnavailable(done.repository, done.failure))
        return unread

    def look_back(self) -> None:
        """Note below the digests that are posted what became of their changes since; the next tick sends it. Answers
        that Slack will not ask for again are forgotten."""
        if not self._cancel.is_stopped():
            self._store.outbox.forget("answer|", self._settings.now() - REMEMBERED_FOR)
            for settled in ("whisper|", "direct|", CHANGE):
                self._store.outbox.forget(settled, self._sender.now() - EVENTS_REMEMBERED_FOR)
            self._service.look()

    def count_lines(self) -> None:
        """Count the lines that are missing, newest first, behind everything else the machine does, until `stop`. With
        PostgreSQL workers do that."""
        if self._shared:
            return
        with suppress(Stopped), self._cancel.within() as cancel, self._store.held_open():
            lines = Lines(self._store.commits, self._settings.mirrors, concurrency=Concurrency(cancel))
            for repository in self._store.commits.repositories():
                try:
                    lines.count_all(repository.name)
                except RepositoryUnavailable as error:
                    log.warning("%s", error)

    def send(self) -> None:
        """Send what is due, every second and whatever goes wrong, until `stop`."""
        throttled = ThrottledLog(log)
        while not self._pause(SEND_EVERY):
            try:
                self._sender.send_waiting(SEND_EVERY, pause=self._pause)
                self.unsent = ""
            except Exception as error:
                self.unsent = error.public_text if isinstance(error, AlmanacError) else "what waits cannot be sent"
                throttled.warning(f"what waits is not sent: {type(error).__name__}: {error}")

    def stop(self) -> None:
        """Have what runs long end at once; what it did is kept."""
        self._cancel.stop()

    def _pause(self, seconds: float) -> bool:
        with suppress(Stopped):
            self._cancel.wait(seconds)
        return self._cancel.is_stopped()

    def _owed(self, wanted: Sequence[DigestSubscription], now: datetime) -> list[DigestPost]:
        posted = set(self._store.outbox.keys(digest_keys(self._service.workspace)))
        owed = due(now, wanted, self._service.workspace, posted)
        return [one for one in owed if one.key not in self._unmade or self._unmade[one.key][0] <= now]

    def _plan_due(self, owed: Sequence[DigestPost], now: datetime) -> None:
        """Write down the messages of every digest that is due, once the repositories are read. Why one cannot be made
        is logged once, not at each try."""
        unread = self._unread() if owed else []
        paused = set[SubscriptionId]()
        for one in owed:
            if self._cancel.is_stopped():
                break
            if one.subscription.id in paused:
                continue
            try:
                with self._store.snapshot():
                    self._plan(one, unread, now)
            except DigestBroken as error:
                self._service.pause(one.subscription, str(error), now)
                paused.add(one.subscription.id)
            except StoreBusy:
                raise  # nothing can be made at this moment, and all of it at the next tick
            except Exception as error:  # our own mistake in one digest must not cost others theirs
                if self._unmade.get(one.key, (now, ""))[1] != str(error):
                    unknown = None if isinstance(error, AlmanacError) else error
                    log.warning("digest for %s not posted: %s", one.subscription.channel, error, exc_info=unknown)
                self._unmade[one.key] = now + MADE_AGAIN_AFTER, str(error)

    def _plan(self, one: DigestPost, unread: list[RepositoryUnavailable], now: datetime) -> None:
        composed = self._service.compose(one, unread)
        where = f"digest for {one.subscription.channel}"
        is_quiet = not composed.document.counts["commits"] and not composed.document.merged
        if is_quiet and one.subscription.quiet == "skip":
            nothing = [Post(one.key, composed.channel, {})]
            if self._store.digests.plan(one, {}, nothing, now, composed.covered, "skipped"):
                log.info("%s: nothing was done in %s, so nothing is posted", where, one.period.title)
        elif self._service.plan(one, composed, now, is_late=one.is_late(now)):
            log.info("%s: %s is made, and sent now", where, one.period.title)

    def _revive(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        """Let what Slack refused an hour ago or longer be sent again, for its reason may be fixed; but for what
        was missed in a pause."""
        failed = [
            post
            for post in self._store.outbox.in_state("failed", digest_keys(self._service.workspace))
            if post.changed_at is not None and now - post.changed_at >= AGAIN_AFTER and post.attempts < MOST_TRIES
        ]
        posts = self._store.digests.posts() if failed else {}
        first = {one.id: one.first for one in wanted if not one.is_paused}
        for key in dict.fromkeys(map(first_key, failed)):
            digest = posts.get(key)
            begins = first.get(digest.subscription.id) if digest else None
            if digest and begins and str(digest.period) >= str(begins):
                self._store.outbox.revive(key, now)
