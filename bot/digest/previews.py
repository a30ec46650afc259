"""The people of a digest are shown their part before it is posted, each once; and what they said is shown with it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.people.identity import IdentityService
from bot.ask.people_directory import PeopleDirectory
from bot.ask.queries import Queries
from bot.digest.composing import Composed, Composer
from bot.digest.preview_messages import PreviewContext, part_messages
from bot.digest.preview_rules import NO_REPLIES, PreviewReplies, replies_that_count, to_ask
from bot.digest.subscription import DigestPost, DigestSubscription
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError, RepositoryUnavailable, StoreBusy
from bot.model import Person
from bot.settings import Settings
from bot.slack.audience import HOME, About, sight
from bot.slack.blocks import Message
from bot.slack.members import Members
from bot.story.documents import MonthDocument
from bot.story.render import Templates
from bot.story.wording import clean
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

AGAIN_AFTER = timedelta(hours=1)  # what could not be made may be by then
NO_DIGEST = "there is no such digest any more"


class PreviewRequests:
    """Asks people, and reads what they said. Its methods block; any number of processes may ask at the same time."""

    def __init__(
        self, settings: Settings, store: Store, members: Members, templates: Templates, workspace: str
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._composer = Composer(settings, store, members, templates)
        self._templates = templates
        self.workspace = workspace
        self._not_before: dict[str, datetime] = {}  # when to try again what could not be made
        self._directory = PeopleDirectory.of(store, settings)

    # before

    def ask(self, wanted: Sequence[DigestSubscription], now: datetime) -> int:
        """Write down the messages to everybody who is to be asked by now; the clock sends them. Returns to how many
        people. One digest's trouble stays its own."""
        asked = 0
        for one, period in to_ask(now, wanted):
            digest = DigestPost.of(self.workspace, one, period)
            if self._not_before.get(digest.key, now) > now or self._store.previews.is_asked(digest.key):
                continue
            try:
                asked += self._ask(digest, now) if self.is_open(digest.key) else 0
            except StoreBusy:
                raise  # as it is for all others
            except AlmanacError as error:
                self._not_before[digest.key] = now + AGAIN_AFTER
                log.warning("nobody is asked before the digest for %s: %s", one.channel, error)
            except Exception:  # our own mistake in one digest must not cost others theirs
                self._not_before[digest.key] = now + AGAIN_AFTER
                log.exception("nobody is asked before the digest for %s", one.channel)
        return asked

    def _ask(self, digest: DigestPost, now: datetime) -> int:
        composed = self._composer.compose(digest)
        self._store.digests.posting(digest)
        owners = {clean(address): person for person in self._directory.now().shown for address in person.addresses}
        who = IdentityService(self._store, self._directory.now, self._settings.now, self._settings.bots)
        unasked, asked = self._store.preview_optouts.users(), 0
        for part in composed.document.people:
            person = next((owners[each] for each in part.person.addresses if each in owners), None)
            user = who.user_of(person) if person else None
            if user and user not in unasked and (shown := self._part(digest, user, only_if_read=True)):
                asked += self._store.previews.ask(digest.key, user, _posts(digest.key, user, shown), now)
        self._store.previews.everybody_asked(digest.key, now)
        return asked

    def _may_be_shown(self, user: str, person: Person, part: MonthDocument) -> bool:
        """Whether somebody may read what the channel will read of them, and is still there."""
        member, rules = self._members.member(user), self._members.rules()
        reader = replace(
            self._members.reader(member, rules),
            person=self._members.person_of(member, self._directory.now().everyone),
        )
        seen = sight(reader, HOME, rules, About((person,)), alone=True)
        touched = {one.name for one in part.repositories}
        return not member.deleted and not seen.refused and touched.isdisjoint(map(clean, seen.hidden))

    # what is asked for again

    def digest(self, key: str) -> DigestPost:
        """The digest that a key is of, as it is wanted now. Raises AlmanacError where it is wanted no more."""
        digest = self._store.digests.post(key)
        one = self._live(digest) if digest else None
        if digest is None or one is None:
            raise AlmanacError(NO_DIGEST)
        return replace(digest, subscription=one)

    def as_wanted(self, digest: DigestPost) -> DigestPost:
        """A digest as it is wanted now; one that nobody wants any more, as it was posted."""
        return replace(digest, subscription=self._live(digest) or digest.subscription)

    def _live(self, digest: DigestPost) -> DigestSubscription | None:
        subscriptions = Subscriptions(self._store.digests, self._settings.digests, self._settings.zone.key)
        wanted = subscriptions.known(self._settings.now())
        return next((one for one in wanted if one.id == digest.subscription.id), None)

    def is_open(self, key: str) -> bool:
        """Whether what is said counts still: the digest is not written down to be posted."""
        post = self._store.outbox.get(key)
        return post is None or post.state == "skipped"

    def part(self, key: str, user: str) -> list[Message]:
        """The messages that show somebody their part as it is now. Raises AlmanacError where there is none any more."""
        digest = self.digest(key)
        if self._store.previews.one(key, user) is None:
            raise AlmanacError(NO_DIGEST)
        if not (shown := self._part(digest, user)):
            raise AlmanacError("nothing of you is shown in this digest now")
        return shown

    def _part(self, digest: DigestPost, user: str, *, only_if_read: bool = False) -> list[Message]:
        """What a digest tells of what is proven to be somebody's, by neither a name nor a link of their own; none where
        that is nothing or, `only_if_read`, where they may not read what the channel will."""
        one, theirs = digest.subscription, self._members.proven(user)
        place, seen = self._members.seen_in(one.channel)
        if seen.refused:
            raise AlmanacError(seen.refused)
        queries = Queries.of(self._store, self._settings, ZoneInfo(one.zone), seen.hidden)
        queries = replace(queries, apart=(theirs,))
        person = next((each for each in queries.known.everyone if theirs.touches(each)), None)
        if person is None:
            return []
        indexed = {each.name for each in self._store.commits.repositories()}
        repositories = [name for name in one.repositories if name in indexed]
        chosen, _ = self._composer.chosen(digest, repositories, seen.hidden)
        document = queries.digest(digest.period, None, repositories, members=[person], chosen=chosen)
        part = next(iter(document.people), None)
        if part is None or (only_if_read and not self._may_be_shown(user, person, part)):
            return []
        channel = f"#{place.name}" if place.name else one.channel
        said = self._store.previews.one(digest.key, user)
        return part_messages(document, PreviewContext(digest, channel, said), self._templates, queries.pages())

    # when it is posted

    def composed(self, digest: DigestPost, unread: Sequence[RepositoryUnavailable] = ()) -> Composed:
        """A digest with what counts of what people said of it, as of now. Raises as `Composer.compose`."""
        return self._composer.compose(digest, unread, self.replies(digest))

    def replies(self, digest: DigestPost) -> PreviewReplies:
        """What counts of what people said of a digest, as of now."""
        answers, mentioned = self._store.previews.of(digest.key), self._store.mention_optins.users()
        if not answers and not mentioned:
            return NO_REPLIES
        users = {one.user for one in answers} | mentioned
        people = {user: theirs for user in sorted(users) if (theirs := self._members.proven(user))}
        return replies_that_count(
            answers,
            {user for user in users if self._reached(digest.key, user)},
            digest.subscription.unanswered,
            people,
            {user: theirs for user, theirs in people.items() if user in mentioned},
        )

    def _reached(self, digest: str, user: str) -> bool:
        post = self._store.outbox.get(preview_key(digest, user))
        return post is not None and post.state == "sent"


def preview_key(digest: str, user: str) -> str:
    """By what the message is known that asks a user of their part of a digest."""
    return f"preview|{digest.partition('|')[2]}|{user}"


def _posts(digest: str, user: str, messages: Sequence[Message]) -> list[Post]:
    key = preview_key(digest, user)
    return [
        Post(f"{key}|{number}" if number else key, user, one.payload(), thread_key=key if number else None)
        for number, one in enumerate(messages)
    ]
