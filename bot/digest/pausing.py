"""Digests whose channel, team or group is gone are paused, and somebody who can mend it is told once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.digest.keys import first_of, identity_of, part_of, period_of, prefix_of
from bot.digest.schedule import Schedule
from bot.digest.subscriptions import Wanted
from bot.settings import Settings
from bot.slack.admins import admins
from bot.slack.blocks import words_message
from bot.slack.members import Members
from bot.slack.refusals import CHANNEL
from bot.story.render import slack
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

TOML_HAS_IT = "almanac.toml has this digest too, and what stands there holds"
FRESH = timedelta(days=1)  # what was refused before that may be mended long since: it is tried again first


class Pausing:
    def __init__(self, settings: Settings, store: Store, members: Members, workspace: str) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._workspace = workspace

    def of_broken_channels(self, wanted: Sequence[Wanted], now: datetime) -> None:
        """Pause each digest that Slack refused because of its channel, since it was last edited or resumed."""
        digests = {(one.stored.key, one.stored.cadence): one for one in wanted}
        for post in self._store.outbox.in_state("failed", prefix_of(self._workspace)):
            first, known = first_of(post.key), digests.get(identity_of(post.key))
            if known is None or known.schedule.paused or code_in(post.error) not in CHANNEL:
                continue
            since = max(known.stored.changed_at or known.stored.since, now - FRESH)
            if post.changed_at and post.changed_at > since:
                self._store.outbox.hold(first, post.error or "", now)
                self.pause(known, post.error or "", now)

    def of_doubles(self, wanted: Sequence[Wanted], now: datetime) -> bool:
        """Pause each digest made in Slack that almanac.toml has too, where one names the channel and the other its id:
        it would be posted twice. Returns whether there was one."""
        whose = {_whose(one) for one in wanted if not one.is_ours}
        alike = [one for one in wanted if one.is_ours and not one.schedule.paused and _whose(one) in whose]
        if not alike:  # most of the time, and Slack need not be asked for the names of channels
            return False
        in_file = {(self._id_of(one), *_whose(one)) for one in wanted if not one.is_ours}
        doubles = [one for one in alike if (self._id_of(one), *_whose(one)) in in_file]
        for one in doubles:
            self.pause(one, TOML_HAS_IT, now)
        return bool(doubles)

    def _id_of(self, one: Wanted) -> str:
        return self._members.place_named(one.table.channel).channel or one.table.channel.lstrip("#")

    def pause(self, one: Wanted, why: str, now: datetime) -> None:
        if self._store.digests.pause(one.stored.key, one.stored.cadence, why, now):
            log.warning("%s is paused: %s", described(one.schedule), why)

    def tell(self, wanted: Iterable[Wanted], now: datetime) -> None:
        """Tell of each pause that nobody was told of, and of each digest of which it is not known whether Slack has
        it, by direct message; each once."""
        for one in wanted:
            stored = one.stored
            if stored.paused_at is None or stored.told_at is not None:
                continue
            how = "edit or resume it in Slack" if one.is_ours else "change it in almanac.toml"
            text = (
                f"{self._described(one)} is paused: {stored.paused_why.rstrip('.')}. "
                f"To have it again, mend that, then {how} or run: "
                f"almanac digest --resume --channel {one.schedule.channel}"
            )
            self._plan(
                one, f"pause|{self._workspace}|{stored.key}|{stored.cadence}|{stored.paused_at:%Y%m%d%H%M%S}", text, now
            )
            self._store.digests.told(stored.key, stored.cadence, now)
        self._tell_of_lost(wanted, now)

    def _tell_of_lost(self, wanted: Iterable[Wanted], now: datetime) -> None:
        digests = {(one.stored.key, one.stored.cadence): one for one in wanted}
        for post in self._store.outbox.in_state("unknown", prefix_of(self._workspace)):
            one = digests.get(identity_of(post.key))
            if one is None or not post.is_unsearchable:
                continue
            text = (
                f"{self._described(one)}: it is not known whether Slack took {told_as(post)}, since its answer was "
                f"lost and the app may not read the channel's history. It is not posted again, lest it be there twice, "
                f"and what follows it waits. Invite the app to the channel (/invite @Almanac), and it looks for itself."
            )
            self._plan(one, f"lost|{post.key}", text, now)

    def _described(self, one: Wanted) -> str:
        """With the name of its channel, where Slack knows it."""
        name = self._members.place_named(one.table.channel).name
        return described(replace(one.schedule, channel=f"#{name}") if name else one.schedule)

    def _plan(self, one: Wanted, key: str, text: str, now: datetime) -> None:
        for user in self._who(one):
            message = words_message(slack(text))
            self._store.outbox.plan([Post(f"{key}|{user}", user, message.payload())], now)

    def _who(self, one: Wanted) -> list[str]:
        """The ids of those who are told: the digest's owner, or else the admins of [privacy]."""
        if one.stored.owner:
            return [one.stored.owner]
        return admins(self._settings, self._members)


def _whose(one: Wanted) -> tuple[str, str, frozenset[str], str]:
    """Whom a digest is of, in which repositories, and how often, however it is written."""
    of = one.schedule
    return of.team or "", (of.group or "").lstrip("@").casefold(), frozenset(of.repositories), of.cadence


def code_in(error: str | None) -> str:
    """Slack's word in what is noted of a refusal."""
    return (error or "").partition(":")[0]


def described(schedule: Schedule) -> str:
    """A digest in words: "The weekly digest of engine for #shipped"."""
    _, _, whom = schedule.key.partition("|")
    return f"The {schedule.cadence} digest{f' of {whom}' if whom else ''} for {schedule.channel}"


def told_as(post: Post) -> str:
    title, part = period_of(post.key).title, part_of(post.key)
    return f"part {part + 1} of {title}" if part else title
