"""What the clock has done at each tick: post the digests that are due, and keep the index fresh."""

from __future__ import annotations

import logging
from contextlib import suppress
from zoneinfo import ZoneInfo

from bot.ask.answer import Almanac
from bot.digest.delivery import Wanted, deliver, posted_periods
from bot.digest.due import Due, due
from bot.digest.schedule import Schedule
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.index.git import Halt, Stopped
from bot.index.lines import Lines
from bot.index.several import Wanted as WantedRepository
from bot.index.several import index_all
from bot.index.together import Together
from bot.settings import Settings
from bot.slack.audience import hidden_from
from bot.slack.blocks import digest_messages
from bot.slack.poster import Poster
from bot.story.render import Templates
from storage import Store
from storage.conversations import REMEMBERED_FOR

log = logging.getLogger(__name__)


class Silent:
    """Progress that nobody watches."""

    def start(self, repository: str, total: int) -> None:
        if total:
            log.info("%s: reading %d commits", repository, total)

    def advance(self, repository: str, commits: int) -> None:
        pass


class Rounds:
    """Both rounds block, and may run at the same time as answers."""

    def __init__(self, settings: Settings, store: Store, poster: Poster, templates: Templates, workspace: str) -> None:
        self._settings = settings
        self._store = store
        self._poster = poster
        self._templates = templates
        self._workspace = workspace
        self._halt = Halt()
        self._schedules = [
            Schedule(one.channel, one.team, day=one.day, hour=one.hour, zone=one.zone or settings.zone_name)
            for one in settings.digests
        ]

    def tick(self) -> None:
        """Send what waits, then every digest that is due. One channel's trouble stays its own."""
        self._poster.send_waiting()
        now = self._settings.now()
        self._store.outbox.forget("answer|", now - REMEMBERED_FOR)  # Slack delivers nothing again after so long
        first_seen = self._store.schedules.seen([one.key for one in self._schedules], now)
        schedules = [one.begun(first_seen[one.key]) for one in self._schedules]
        wanted = due(now, schedules, posted_periods(self._store, self._workspace, now))
        if wanted:
            self.refresh()
        for one in wanted if not self._halt.is_stopped() else ():
            try:
                self._post(one)
            except AlmanacError as error:
                log.warning("digest for %s not posted: %s", one.schedule.channel, error)

    def refresh(self) -> None:
        """Read what is new in the repositories of almanac.toml, until `stop`."""
        settings = self._settings
        tables = [WantedRepository(table.address, table.name, table.branch) for table in settings.repositories]
        with suppress(Stopped), self._halt.within() as halt, self._store.held_open():
            for outcome in index_all(
                tables, self._store.commits, settings.mirrors, settings.now(), Silent(), Together(halt),
                contents=settings.mirror_contents,
            ):  # fmt: skip
                done = outcome.result
                if isinstance(done, RepositoryUnavailable):
                    log.warning("%s", done)
                    continue
                if done.new or done.removed:
                    log.info("%s: %d commits new, %d removed", done.repository, done.new, done.removed)
                if done.shallow:
                    log.warning("%s is a shallow clone, so its older commits are missing", done.repository)

    def count_lines(self) -> None:
        """Count the lines that are missing, newest first, behind everything else the machine does, until `stop`."""
        with suppress(Stopped), self._halt.within() as halt, self._store.held_open():
            lines = Lines(self._store.commits, self._settings.mirrors, together=Together(halt), calm=True)
            for repository in self._store.commits.repositories():
                try:
                    lines.count_all(repository.name)
                except RepositoryUnavailable as error:
                    log.warning("%s", error)

    def stop(self) -> None:
        """Have what runs long end at once; what it did is kept."""
        self._halt.stop()

    def _post(self, one: Due) -> None:
        schedule = one.schedule
        hidden = hidden_from({schedule.channel}, self._settings.repositories)
        almanac = Almanac(self._store, self._settings, ZoneInfo(schedule.zone), hidden)
        document = almanac.digest(one.period, schedule.team)
        prefix = f"This digest is late: it was due on {schedule.due_at(one.period):%-d %B %Y}." if one.late else ""
        outcome = deliver(
            Wanted(schedule.channel, schedule.team, schedule.zone),
            document,
            digest_messages(document, self._templates, almanac.pages()),
            self._workspace,
            self._store,
            self._poster,
            self._settings.now(),
            prefix,
        )
        log.log(logging.INFO if outcome.ok else logging.WARNING, "digest for %s: %s", schedule.channel, outcome.text)
