"""A digest that is due → its document and the messages that tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ask.answer import Almanac
from bot.digest.preview_replies import digest_with
from bot.digest.previews import NO_REPLIES, PreviewReplies, with_mentions
from bot.digest.schedule import Schedule
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.month.calendar import Month, Period
from bot.settings import Settings
from bot.slack.blocks import Message, digest_messages
from bot.slack.members import Members
from bot.slack.user_groups import UserGroups
from bot.story.document import Document
from bot.story.render import Templates
from bot.story.wording import clean, count, listed
from storage import Store

MOST_NAMED = 5  # repositories of which there is nothing to tell


class DigestBroken(AlmanacError):
    """A digest that cannot be made until somebody changes it. Its text says why."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What a digest says of a period. `channel` is the id of the channel where Slack tells it, else as it was named;
    Slack's history is only found by the id."""

    channel: str
    document: Document
    messages: tuple[Message, ...]

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all was done."""
        return not self.document["counts"]["commits"]


class Composer:
    """Makes digests, each as its channel may read it."""

    def __init__(
        self, settings: Settings, store: Store, members: Members, templates: Templates, groups: UserGroups | None = None
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._templates = templates
        self._groups = groups or UserGroups.of(settings, members)

    def compose(
        self,
        schedule: Schedule,
        period: Period,
        unread: Sequence[RepositoryUnavailable] = (),
        zone: ZoneInfo | None = None,
        replies: PreviewReplies = NO_REPLIES,
    ) -> Composed:
        """The digest of a period. `unread` are repositories that could not be read just now, and `replies` is what its
        people said of their parts.

        Raises DigestBroken where its channel, team or user group is gone, and AlmanacError where it cannot be made
        at this moment, or may not be told in its channel.
        """
        place = self._members.place_named(schedule.channel)
        if place.kind == "absent":
            raise DigestBroken(NO_CHANNEL)
        seen = self._members.seen_in(schedule.channel)
        if seen.refused:
            raise AlmanacError(seen.refused)
        if schedule.team and self._settings.team(schedule.team) is None:
            raise DigestBroken(f"there is no team {schedule.team!r} in almanac.toml any more")
        almanac = Almanac(self._store, self._settings, zone or ZoneInfo(schedule.zone), seen.hidden)
        people = None
        if schedule.group:
            people = self._groups.people(schedule.group, almanac.people())
            if people is None:
                raise DigestBroken(f"there is no user group @{schedule.group.lstrip('@')} in Slack any more")
        stored = {one.name: one for one in self._store.commits.repositories() if one.name not in seen.hidden}
        indexed = set(stored)
        wanted = [name for name in schedule.repositories if name in indexed]
        if schedule.repositories and not wanted:
            named = listed(list(schedule.repositories))
            raise AlmanacError(f"nothing of {named} is indexed, or may be told in this channel")
        called = f"@{schedule.group.lstrip('@')}" if schedule.group else ""
        document = digest_with(
            replies, almanac, self._settings, self._store, schedule, period, wanted, people, called, seen.hidden
        )
        missing = [
            one.repository
            for one in unread
            if one.repository not in indexed | seen.hidden
            and (not schedule.repositories or one.repository in schedule.repositories)
        ]
        missing += [name for name in schedule.repositories if name not in indexed and name not in missing]
        notes = [NEVER_READ.format(clean(name)) for name in missing if name not in seen.hidden]
        for name in dict.fromkeys(one.repository for one in unread):
            known = stored.get(name) if not wanted or name in wanted else None
            if known and known.indexed_at and not known.failure:  # what failed is noted in the document
                day = Month(known.indexed_at.year, known.indexed_at.month).title
                notes.append(NOT_IN_TIME.format(clean(name), f"{known.indexed_at.day} {day}"))
        notes += _of_nothing(wanted or sorted(indexed), document)
        document = {**document, "notes": [*notes, *document["notes"]]}
        messages = digest_messages(
            document, self._templates_of(schedule), almanac.pages(), charts=self._settings.slack.charts
        )
        messages = with_mentions(messages, document, replies)
        return Composed(place.channel or schedule.channel, document, tuple(messages))

    def _templates_of(self, schedule: Schedule) -> Templates:
        if schedule.templates is None:
            return self._templates
        folder = Path(schedule.templates)
        if not folder.is_dir():
            raise DigestBroken(f"there is no folder {folder}, which its templates are to be taken from")
        return Templates(folder)


def _of_nothing(read: Sequence[str], document: Document) -> list[str]:
    """The repositories that were looked through and are not in the headline, since nothing is told of them."""
    told = {one["name"] for one in document["repositories"]}
    names = [name for name in map(clean, read) if name not in told]
    if not names:
        return []
    more = [count(len(names) - MOST_NAMED, "other")] if len(names) > MOST_NAMED else []
    return [f"Nothing to tell of in {listed([*names[:MOST_NAMED], *more])}."]


NO_CHANNEL = (
    "channel_not_found: the channel was archived, deleted or renamed, or it is private and the app is not in it "
    "(/invite @Almanac)"
)
NOT_IN_TIME = "{} did not answer in time, so it is told as of {}."
NEVER_READ = "{} could not be read, and nothing of it is indexed, so it is not told."


def late(schedule: Schedule, period: Period) -> str:
    """What is said before a digest that is posted after its day."""
    due = schedule.due_at(period).astimezone(ZoneInfo(schedule.zone))
    return f"This digest is late: it was due on {due.day} {Month(due.year, due.month).title}."
