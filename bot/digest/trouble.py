"""Digests that cannot be posted: they are paused where their channel, team or group is gone, somebody who can fix it is
notified once, and `almanac doctor` and `almanac digest --list` say what is wrong."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.digest.composing import first_key
from bot.digest.subscriptions import DigestPost, DigestSubscription, SubscriptionId, digest_keys
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import words_message
from bot.slack.sender import code_in
from bot.slack.web_api import CHANNEL, STOPS, what_to_do
from bot.story.render import slack
from bot.story.wording import count
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

TOML_HAS_IT = "almanac.toml has this digest too, and what stands there holds"
FRESH = timedelta(days=1)  # what was refused before that may be fixed long since: it is tried again first


class Trouble:
    def __init__(self, settings: Settings, store: Store, members: Members, workspace: str) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._workspace = workspace

    def pause(self, one: DigestSubscription, why: str, now: datetime) -> None:
        if self._store.digests.pause(one.id, why, now):
            log.warning("%s is paused: %s", one.described, why)

    def pause_refused(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        """Pause each digest that Slack refused because of its channel, since it was last edited or resumed."""
        active = {one.id: one for one in wanted if not one.is_paused}
        for post, digest in self._posts("failed"):
            one = active.get(digest.subscription.id)
            if one is None or not post.changed_at or code_in(post.error) not in CHANNEL:
                continue
            if post.changed_at > max(one.changed_at or one.since or now, now - FRESH):
                self._store.outbox.hold(first_key(post), post.error or "", now)
                self.pause(one, post.error or "", now)

    def pause_doubles(self, wanted: Sequence[DigestSubscription], now: datetime) -> None:
        """Pause each digest made in Slack that almanac.toml has too, where one names the channel and the other its id:
        it would be posted twice."""
        in_file = [one for one in wanted if not one.is_made_in_slack]
        contents = {_content(one) for one in in_file}
        alike = [one for one in wanted if one.is_made_in_slack and not one.is_paused and _content(one) in contents]
        if not alike:  # most of the time, and Slack need not be asked for the names of channels
            return
        there = {(self._id_of(one), *_content(one)) for one in in_file}
        for one in alike:
            if (self._id_of(one), *_content(one)) in there:
                self.pause(one, TOML_HAS_IT, now)

    def _id_of(self, one: DigestSubscription) -> str:
        return self._members.id_of(one.channel).lstrip("#")

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
        by_id: dict[SubscriptionId, DigestSubscription] = {one.id: one for one in wanted}
        for post, digest in self._posts("unknown"):
            if post.is_unsearchable and (lost := by_id.get(digest.subscription.id)):
                text = (
                    f"{self._described(lost)}: it is not known whether Slack took {digest.title_of(post.key)}, since "
                    f"its answer was lost and the app may not read the channel's history. It is not posted again, lest "
                    f"it be there twice, and what follows it waits. Invite the app to the channel (/invite @Almanac), "
                    f"and it looks for itself."
                )
                self._plan(lost, f"lost|{post.key}", text, now)

    def _posts(self, state: str) -> list[tuple[Post, DigestPost]]:
        found = self._store.outbox.in_state(state, digest_keys(self._workspace))
        posts = self._store.digests.posts() if found else {}
        return [(post, digest) for post in found if (digest := posts.get(first_key(post)))]

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


def problems(store: Store) -> list[str]:
    """A sentence for each thing that somebody should know of, with what to do; none where all is well."""
    found = [
        f"A {one.cadence} digest is paused, for {one.key.partition('|')[0]}{f' of {one.whom}' if one.whom else ''}: "
        f"{one.paused_why}"
        for one in store.digests.all()
        if one.is_paused
    ]
    posts = store.digests.posts()

    def named(post: Post) -> str:
        digest = posts.get(first_key(post))
        return f"The digest for {post.channel}, {digest.title_of(post.key) if digest else post.key}"

    found += [
        f"{named(post)}: not known whether Slack has it ({post.error or 'its answer was lost'}). "
        + ("Look into the channel" if post.is_unsearchable else "It is looked for")
        for post in store.outbox.in_state("unknown", digest_keys())
    ]
    refused = dict[str, Post]()
    for post in store.outbox.in_state("failed", digest_keys()):
        refused.setdefault(first_key(post), post)
    found += [f"{named(post)}: Slack refused it ({post.error})" for post in refused.values()]
    planned = [post for post in store.outbox.in_state("planned") if post.thread_key not in refused]
    if stopped := Counter(code_in(post.error) for post in planned if code_in(post.error) in STOPS):
        code = stopped.most_common(1)[0][0]
        found.append(f"Slack does not let the app in ({code}), so nothing is sent: {what_to_do(code)}")
    if planned:
        found.append(f"{count(len(planned), 'message')} waiting to be sent, the oldest for {planned[0].channel}")
    return found
