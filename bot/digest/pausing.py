"""Digests whose channel, team or group is gone are paused, and somebody who can fix it is notified once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.digest.delivery import first_key
from bot.digest.subscription import DigestSubscription, digest_keys
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import words_message
from bot.slack.web_api import CHANNEL
from bot.story.render import slack
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

TOML_HAS_IT = "almanac.toml has this digest too, and what stands there holds"
FRESH = timedelta(days=1)  # what was refused before that may be fixed long since: it is tried again first


class Pausing:
    def __init__(self, settings: Settings, store: Store, members: Members, workspace: str) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._workspace = workspace

    def of_broken_channels(self, wanted: Sequence[DigestSubscription], now: datetime) -> bool:
        """Pause each digest that Slack refused because of its channel, since it was last edited or resumed. Returns
        whether there was one."""
        failed = self._store.outbox.in_state("failed", digest_keys(self._workspace))
        refused = [post for post in failed if code_in(post.error) in CHANNEL]
        posts = self._store.digests.posts() if refused else {}
        active = {one.id: one for one in wanted if not one.is_paused}
        found = False
        for post in refused:
            digest = posts.get(first_key(post))
            one = active.get(digest.subscription.id) if digest else None
            if one is None or not post.changed_at:
                continue
            if post.changed_at > max(one.changed_at or one.since or now, now - FRESH):
                self._store.outbox.hold(first_key(post), post.error or "", now)
                self.pause(one, post.error or "", now)
                found = True
        return found

    def of_doubles(self, wanted: Sequence[DigestSubscription], now: datetime) -> bool:
        """Pause each digest made in Slack that almanac.toml has too, where one names the channel and the other its id:
        it would be posted twice. Returns whether there was one."""
        in_file = [one for one in wanted if not one.is_made_in_slack]
        contents = {_content(one) for one in in_file}
        alike = [one for one in wanted if one.is_made_in_slack and not one.is_paused and _content(one) in contents]
        if not alike:  # most of the time, and Slack need not be asked for the names of channels
            return False
        there = {(self._id_of(one), *_content(one)) for one in in_file}
        doubles = [one for one in alike if (self._id_of(one), *_content(one)) in there]
        for one in doubles:
            self.pause(one, TOML_HAS_IT, now)
        return bool(doubles)

    def _id_of(self, one: DigestSubscription) -> str:
        return self._members.place_named(one.channel).channel or one.channel.lstrip("#")

    def pause(self, one: DigestSubscription, why: str, now: datetime) -> None:
        if self._store.digests.pause(one.id, why, now):
            log.warning("%s is paused: %s", one.described, why)

    def report(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        """Tell of each pause that nobody was notified of, and of each digest of which it is not known whether Slack has
        it, by direct message; each once."""
        for one in wanted:
            if one.paused_at is None or one.reported_at is not None:
                continue
            how = "edit or resume it in Slack" if one.is_made_in_slack else "change it in almanac.toml"
            text = (
                f"{self._described(one)} is paused: {one.paused_why.rstrip('.')}. "
                f"To have it again, fix that, then {how} or run: almanac digest --resume --channel {one.channel}"
            )
            key = f"pause|{self._workspace}|{one.key}|{one.cadence}|{one.paused_at:%Y%m%d%H%M%S}"
            self._plan(one, key, text, now)
            self._store.digests.reported(one.id, now)
        self._report_lost(wanted, now)

    def _report_lost(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        unknown = self._store.outbox.in_state("unknown", digest_keys(self._workspace))
        lost = [post for post in unknown if post.is_unsearchable]
        posts = self._store.digests.posts() if lost else {}
        by_id = {one.id: one for one in wanted}
        for post in lost:
            digest = posts.get(first_key(post))
            one = by_id.get(digest.subscription.id) if digest else None
            if digest is None or one is None:
                continue
            text = (
                f"{self._described(one)}: it is not known whether Slack took {digest.title_of(post.key)}, since its "
                f"answer was lost and the app may not read the channel's history. It is not posted again, lest it be "
                f"there twice, and what follows it waits. Invite the app to the channel (/invite @Almanac), and it "
                f"looks for itself."
            )
            self._plan(one, f"lost|{post.key}", text, now)

    def _described(self, one: DigestSubscription) -> str:
        """With the name of its channel, where Slack knows it."""
        name = self._members.place_named(one.channel).name
        return (replace(one, channel=f"#{name}") if name else one).described

    def _plan(self, one: DigestSubscription, key: str, text: str, now: datetime) -> None:
        """Write a message down for its owner, or else for the admins of [privacy]."""
        message = words_message(slack(text))
        for user in [one.owner] if one.owner else self._members.admins():
            self._store.outbox.plan([Post(f"{key}|{user}", user, message.payload())], now)


def _content(one: DigestSubscription) -> tuple[str, str, frozenset[str], str]:
    """Whom a digest is of, in which repositories, and how often, however it is written."""
    return one.team or "", (one.group or "").lstrip("@").casefold(), frozenset(one.repositories), one.cadence


def code_in(error: str | None) -> str:
    """Slack's word in what is noted of a refusal."""
    return (error or "").partition(":")[0]
