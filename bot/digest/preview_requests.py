"""The people of a digest are shown their part before it is posted, each once; and what they said is told with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.answer import Almanac
from bot.ask.everybody import Everybody
from bot.ask.people.identity import WhoIsWho
from bot.ask.people.proven import Proven
from bot.digest.composing import Composer
from bot.digest.keys import first_key, identity_of, period_of
from bot.digest.preview_messages import Part, part_messages
from bot.digest.previews import NO_REPLIES, PreviewReplies, replies, to_ask
from bot.digest.schedule import Schedule
from bot.digest.subscriptions import Wanted, WantedDigests
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.calendar import Period
from bot.settings import Settings
from bot.slack.audience import HOME, About, sight
from bot.slack.blocks import Message
from bot.slack.members import Members
from bot.story.document import Document
from bot.story.render import Templates
from bot.story.wording import clean
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

AGAIN_AFTER = timedelta(hours=1)  # what could not be made may be by then


@dataclass(frozen=True, slots=True)
class Shown:
    """Somebody's part of a digest as it is now: the messages that show it, and the document of their period."""

    messages: list[Message]
    document: Document
    person: Person


@dataclass(frozen=True, slots=True)
class OwnPart:
    """What a digest tells of somebody: the document of their period, and that of a digest of nobody else."""

    person: Person
    part: Document
    document: Document
    pages: Mapping[str, str | None]


class PreviewRequests:
    """Asks people, and reads what they said. Its methods block; any number of processes may ask at the same time."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        members: Members,
        composer: Composer,
        templates: Templates,
        workspace: str,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._composer = composer
        self._templates = templates
        self._workspace = workspace
        self._not_before: dict[str, datetime] = {}  # when to try again what could not be made
        self._everybody = Everybody.of(store, settings)

    # before

    def ask(self, wanted: Sequence[Wanted], now: datetime) -> int:
        """Write down the messages to everybody who is to be asked by now; the clock sends them. Returns to how many
        people. One digest's trouble stays its own."""
        asked = 0
        for one, period in to_ask(now, wanted):
            first = self.first(one.schedule, period)
            if self._store.previews.is_asked(first) or self._is_posted(first) or self._not_before.get(first, now) > now:
                continue
            try:
                asked += self._ask(one, period, first, now)
            except AlmanacError as error:
                self._not_before[first] = now + AGAIN_AFTER
                log.warning("nobody is asked before the digest for %s: %s", one.schedule.channel, error)
            except Exception:  # our own mistake in one digest must not cost others theirs
                self._not_before[first] = now + AGAIN_AFTER
                log.exception("nobody is asked before the digest for %s", one.schedule.channel)
        return asked

    def first(self, schedule: Schedule, period: Period) -> str:
        """The key that a digest's first message will have."""
        return first_key(self._workspace, schedule.key, str(period))

    def _is_posted(self, first: str) -> bool:
        post = self._store.outbox.get(first)
        return post is not None and post.state != "skipped"

    def _ask(self, one: Wanted, period: Period, first: str, now: datetime) -> int:
        composed = self._composer.compose(one.schedule, period)
        owners = {clean(address): person for person in self._everybody.shown() for address in person.addresses}
        unasked, asked = self._store.previews.unasked(), 0
        for part in composed.document["people"]:
            person = next((owners[each] for each in part["person"]["addresses"] if each in owners), None)
            user = self._who().user_of(person) if person else None
            if not person or not user or user in unasked:
                continue
            theirs = self._proven(user)
            if not theirs.covers(person):  # what is told as theirs, but not proven to be, is not theirs to say
                own = self._own_part(one.schedule, period, theirs)
                if own is None:
                    continue
                person, part = own.person, own.part
            if not self._may_be_shown(user, person, part):
                continue
            shown = part_messages(composed.document, part, self._about(one, period, first, user), self._templates)
            asked += self._store.previews.ask(first, user, self._posts(first, user, shown), now)
        self._store.previews.everybody_asked(first, now)
        return asked

    def _posts(self, first: str, user: str, messages: Sequence[Message]) -> list[Post]:
        key = preview_key(first, user)
        return [
            Post(f"{key}|{number}" if number else key, user, one.payload(), thread_key=key if number else None)
            for number, one in enumerate(messages)
        ]

    def _may_be_shown(self, user: str, person: Person, part: Document) -> bool:
        """Whether somebody may read what the channel will read of them, and is still there."""
        if self._members.member(user).deleted:
            return False
        rules, reader = self._members.rules(), self._members.reader(user, self._everybody.people())
        seen = sight(reader, HOME, rules, About((person,)), alone=True)
        touched = {one["name"] for one in part["repositories"]}
        return not seen.refused and touched.isdisjoint(map(clean, seen.hidden))

    def _about(self, one: Wanted, period: Period, first: str, user: str) -> Part:
        due = one.schedule.due_at(period)
        said = self._store.previews.one(first, user)
        return Part(
            first,
            period.title,
            self._channel(one.schedule.channel),
            due,
            one.schedule.zone,
            leaves_out=one.table.unanswered == "leave out",
            note=said.note if said else "",
            answer=said.answer if said else "asked",
            is_mentioned=user in self._store.previews.mentioned(),
        )

    def _channel(self, channel: str) -> str:
        place = self._members.place_named(channel)
        return f"#{place.name}" if place.name else channel

    def _who(self) -> WhoIsWho:
        return WhoIsWho(self._store, self._everybody, self._settings.now, self._settings.bots)

    # what is asked for again

    def wanted(self, first: str) -> Wanted | None:
        """The digest that a key is of, as it is wanted now."""
        digests = WantedDigests(self._store.digests, self._settings.digests, self._settings.zone_name)
        every = digests.known(self._settings.now())
        return next((one for one in every if (one.stored.key, one.stored.cadence) == identity_of(first)), None)

    def is_open(self, first: str) -> bool:
        """Whether what is said counts still: the digest is not written down to be posted."""
        return not self._is_posted(first)

    def part(self, first: str, user: str) -> Shown:
        """Somebody's part as it is now. Raises AlmanacError where there is none any more."""
        one, theirs = self.wanted(first), self._proven(user)
        if one is None or not theirs or self._store.previews.one(first, user) is None:
            raise AlmanacError("there is no such digest any more")
        period = period_of(first)
        own = self._own_part(one.schedule, period, theirs)
        if own is None:
            raise AlmanacError("nothing of you is told in this digest now")
        about = self._about(one, period, first, user)
        messages = part_messages(own.document, own.part, about, self._templates, own.pages)
        return Shown(messages, own.part, own.person)

    def _proven(self, user: str) -> Proven:
        """What is proven to be a user's: neither a name nor a link of their own is enough."""
        return self._members.proven(user)

    def _own_part(self, schedule: Schedule, period: Period, theirs: Proven) -> OwnPart | None:
        """What a digest tells of what is proven to be somebody's; None where that is nothing."""
        almanac = self._almanac(schedule).set_apart(theirs)
        person = next((one for one in almanac.people() if theirs.touches(one)), None)
        if person is None:
            return None
        indexed = {each.name for each in self._store.commits.repositories()}
        repositories = [name for name in schedule.repositories if name in indexed]
        document = almanac.digest(period, None, repositories, members=[person])
        part = next(iter(document["people"]), None)
        return OwnPart(person, part, document, almanac.pages()) if part else None

    def _almanac(self, schedule: Schedule) -> Almanac:
        seen = self._members.seen_in(schedule.channel)
        if seen.refused:
            raise AlmanacError(seen.refused)
        return Almanac(self._store, self._settings, ZoneInfo(schedule.zone), seen.hidden)

    # when it is posted

    def replies(self, first: str) -> PreviewReplies:
        """What counts of what people said of the digest with a key, as of now."""
        previews = self._store.previews
        answers, mentioned = previews.of(first), previews.mentioned()
        if not answers and not mentioned:
            return NO_REPLIES
        users = {one.user for one in answers} | mentioned
        people = {user: theirs for user in sorted(users) if (theirs := self._proven(user))}
        one = self.wanted(first)
        return replies(
            answers,
            {user for user in users if self._reached(first, user)},
            one.table.unanswered if one else "post",
            people,
            {user: theirs for user, theirs in people.items() if user in mentioned},
        )

    def _reached(self, first: str, user: str) -> bool:
        post = self._store.outbox.get(preview_key(first, user))
        return post is not None and post.state == "sent"


def preview_key(first: str, user: str) -> str:
    """By what the message is known that asks a user of their part of a digest."""
    return f"preview|{first.partition('|')[2]}|{user}"
