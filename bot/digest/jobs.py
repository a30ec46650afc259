"""What the clock has done at each tick: post the digests that are due, and keep the index fresh."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.database import PostgresAddress
from bot.digest.clock import Watch
from bot.digest.composing import Composed, Composer, DigestBroken, late
from bot.digest.delivery import first_key, outcome, planned_posts
from bot.digest.due import due, is_late
from bot.digest.follow_ups import FollowUps
from bot.digest.index_refresh import IndexRefresh
from bot.digest.pausing import Pausing
from bot.digest.subscription import DigestPost, DigestSubscription, SubscriptionId, digest_keys
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError, RepositoryUnavailable, StoreBusy
from bot.http_server import ThrottledLog
from bot.index.git import CancelToken, Concurrency, Stopped
from bot.index.indexing import LoggedProgress, index_all, log_result
from bot.index.lines import Lines
from bot.index.places import as_listed, name_of
from bot.index.requests import IndexRequests, OwnIndexing
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.sender import CHANGE, Sender
from bot.story.render import Templates
from storage import Store
from storage.conversations import EVENTS_REMEMBERED_FOR, REMEMBERED_FOR
from storage.outbox import Post

if TYPE_CHECKING:
    from bot.index.jobs import SharedIndex

log = logging.getLogger(__name__)

# Twice in a tick, which so ends before the next: what is longer goes on then, so that nothing that comes due, and
# nothing that has to be looked for, is held up.
SEND_SECONDS = 12.0
SEND_EVERY = 1.0  # seconds: what is limited, or another process left, goes out soon after it may
AGAIN_AFTER = timedelta(hours=1)  # what Slack refused may be fixed by then
MADE_AGAIN_AFTER = timedelta(minutes=5)  # what could not be made
MOST_TRIES = 24


def _shared_index(settings: Settings, store: Store, cancel: CancelToken) -> SharedIndex | None:
    """With PostgreSQL, the index that workers keep."""
    if not isinstance(store.database, PostgresAddress):
        return None
    from bot.index.jobs import SharedIndex  # procrastinate takes a third of a second to load

    return SharedIndex(settings, store, store.database, cancel)


class Jobs:
    """Both jobs block, and may run at the same time as answers and as other bots on the same database.

    What a tick does is written down before and after it is done, so one that ends anywhere is completed by the next.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        poster: Sender,
        templates: Templates,
        workspace: str,
        members: Members | None = None,
    ) -> None:
        self._settings = settings
        self._store = store
        self._poster = poster
        self._workspace = workspace
        self._members = members or Members.of(settings, store, workspace)
        self._composer = Composer(settings, store, self._members, templates)
        self._follow_ups = FollowUps(settings, store, self._members, workspace)
        self._cancel = CancelToken()
        self._shared = _shared_index(settings, store, self._cancel)
        self._unread = (self._shared or IndexRefresh(settings, store, self.refresh, self._cancel)).unread
        # For whoever learns of a push.
        self.requests: IndexRequests = self._shared.requests if self._shared else OwnIndexing(self.refresh)
        self._subscriptions = Subscriptions(store.digests, settings.digests, settings.zone.key)
        self._pausing = Pausing(settings, store, self._members, workspace)
        self.unsent = ""  # why nothing is sent
        self._watch = Watch(settings.now, time.monotonic)
        self._unposted: dict[str, str] = {}  # why, by channel, as it was last said
        self._not_before: dict[str, datetime] = {}  # when to try again what could not be made, by its first key
        self._awaited: dict[str, DigestPost] = {}  # those that are being posted

    def tick(self) -> None:
        """Send what waits, then every digest that is due. One channel's trouble stays its own. With PostgreSQL, ask for
        what is to be read first."""
        if self._shared:
            self._shared.request_due()
        if not self._poster.is_let_in():
            return
        now = self._settings.now()
        with self._store.snapshot():
            self._poster.give_up_on_lost()
            self._poster.reconcile()
            wanted = self._subscriptions.all(now)
            if self._pausing.of_doubles(wanted, now):
                wanted = self._subscriptions.all(now)
            self._revive(wanted, now)
            if self._pausing.of_broken_channels(wanted, now):
                wanted = self._subscriptions.all(now)
            self._poster.send_waiting(SEND_SECONDS, pause=self._pause)
            owed = self._owed(wanted, now) if self._watch.is_steady() else None
        if owed is not None and self._plan_due(owed, now):
            wanted = self._subscriptions.all(now)
        with self._store.snapshot():
            self._pausing.report(wanted, now)
            self._poster.send_waiting(SEND_SECONDS, pause=self._pause)
            self._log_outcomes()

    def refresh(self, only: Sequence[str] | None = None) -> list[RepositoryUnavailable]:
        """Read what is new in the repositories of almanac.toml, or in those with the names in `only`, until `stop`.
        Returns what could not be read, each by its name. With PostgreSQL workers do that."""
        if self._shared:
            return []
        settings, unread = self._settings, list[RepositoryUnavailable]()
        tables = [as_listed(table) for table in settings.repositories if only is None or name_of(table) in only]
        with suppress(Stopped), self._cancel.within() as cancel, self._store.held_open():
            for outcome in index_all(
                tables, self._store.commits, settings.mirrors, settings.now(), LoggedProgress(), Concurrency(cancel),
                contents=settings.mirror_contents,
            ):  # fmt: skip
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
                self._store.outbox.forget(settled, self._poster.now() - EVENTS_REMEMBERED_FOR)
            self._follow_ups.look()

    def count_lines(self) -> None:
        """Count the lines that are missing, newest first, behind everything else the machine does, until `stop`. With
        PostgreSQL workers do that."""
        if self._shared:
            return
        with suppress(Stopped), self._cancel.within() as cancel, self._store.held_open():
            lines = Lines(self._store.commits, self._settings.mirrors, concurrency=Concurrency(cancel), calm=True)
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
                self._poster.send_waiting(SEND_EVERY, pause=self._pause)
                self.unsent = ""
            except Exception as error:
                self.unsent = error.public_text if isinstance(error, AlmanacError) else "what waits cannot be sent"
                throttled.warning(f"what waits is not sent: {type(error).__name__}: {error}")

    def stop(self) -> None:
        """Have what runs long end at once; what it did is kept."""
        self._cancel.stop()

    def _pause(self, seconds: float) -> bool:
        """Wait, and say whether to stop."""
        with suppress(Stopped):
            self._cancel.wait(seconds)
        return self._cancel.is_stopped()

    def _owed(self, wanted: Sequence[DigestSubscription], now: datetime) -> list[DigestPost]:
        """The digests that are due and may be posted."""
        posted = set(self._store.outbox.keys(digest_keys(self._workspace)))
        owed = due(now, wanted, self._workspace, posted)
        owed = [one for one in owed if self._not_before.get(one.key, now) <= now]
        return [one for one in owed if self._may_be_posted(one.subscription.channel)]

    def _plan_due(self, owed: Sequence[DigestPost], now: datetime) -> bool:
        """Write down the messages of every digest that is due, once the repositories are read. Returns whether one was
        paused since it is broken."""
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
                self._pausing.pause(one.subscription, str(error), now)
                paused.add(one.subscription.id)
            except StoreBusy:
                raise  # nothing can be made at this moment, and all of it at the next tick
            except AlmanacError as error:
                self._not_before[one.key] = now + MADE_AGAIN_AFTER
                log.warning("digest for %s not posted: %s", one.subscription.channel, error)
            except Exception:  # our own mistake in one digest must not cost others theirs
                self._not_before[one.key] = now + MADE_AGAIN_AFTER
                log.exception("digest for %s not posted", one.subscription.channel)
        return bool(paused)

    def _plan(self, one: DigestPost, unread: list[RepositoryUnavailable], now: datetime) -> None:
        channel = one.subscription.channel
        composed = self.compose(one, unread)
        is_quiet = not composed.document.counts["commits"] and not composed.document.merged
        if is_quiet and one.subscription.quiet == "skip":
            nothing = [Post(one.key, composed.channel, {})]
            if self._store.digests.plan(one, {}, nothing, now, composed.covered, "skipped"):
                log.info("digest for %s: nothing was done in %s, so nothing is posted", channel, one.period.title)
            return
        known = self._follow_ups.known_by(one, composed.document)
        prefix = late(one) if is_late(one, now) else ""
        posts = planned_posts(one, composed.channel, composed.messages, prefix)
        if self._store.digests.plan(one, known, posts, now, composed.covered):
            self._awaited[one.key] = one

    def compose(self, one: DigestPost, unread: list[RepositoryUnavailable]) -> Composed:
        return self._composer.compose(one, unread)

    def _may_be_posted(self, channel: str) -> bool:
        """Whether anything may be shown in a channel. Why not is said once, not at each tick."""
        why = self._members.seen_in(channel)[1].refused or ""
        if why and why != self._unposted.get(channel):
            log.warning("digest for %s not posted: %s", channel, why)
        self._unposted[channel] = why
        return not why

    def _revive(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        """Let what Slack refused an hour ago or longer be sent again, for its reason may be fixed; but for what
        was missed in a pause."""
        failed = [
            post
            for post in self._store.outbox.in_state("failed", digest_keys(self._workspace))
            if post.changed_at is not None and now - post.changed_at >= AGAIN_AFTER and post.attempts < MOST_TRIES
        ]
        posts = self._store.digests.posts() if failed else {}
        first = {one.id: one.first for one in wanted if not one.is_paused}
        for key in dict.fromkeys(map(first_key, failed)):
            digest = posts.get(key)
            begins = first.get(digest.subscription.id) if digest else None
            if digest and begins and str(digest.period) >= str(begins):
                self._store.outbox.revive(key, now)

    def _log_outcomes(self) -> None:
        for key, digest in list(self._awaited.items()):
            parts = self._store.outbox.parts(key)
            states = set(parts.values())
            if states & {"planned", "sending"} and not states & {"failed", "unknown"}:
                continue  # it goes on at the next tick
            done = outcome(digest, self._store, dict.fromkeys(parts, "planned"))
            level = logging.INFO if done.ok else logging.WARNING
            log.log(level, "digest for %s: %s", digest.subscription.channel, done.text)
            del self._awaited[key]
