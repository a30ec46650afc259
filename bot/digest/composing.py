"""A digest that is due → its document and the messages that tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ask.activity import identities_of
from bot.ask.query_service import QueryService
from bot.digest.due import due_at
from bot.digest.preview_rules import NO_REPLIES, PreviewReplies, with_mentions, with_replies
from bot.digest.subscription import DigestPost, DigestSubscription
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.model import Person, Signatures
from bot.month.calendar import Month, Period
from bot.month.machines import is_bot
from bot.settings import Settings
from bot.slack.blocks import Message, digest_messages
from bot.slack.members import Members
from bot.story.digest import of_machines
from bot.story.documents import DigestDocument
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
    document: DigestDocument
    messages: tuple[Message, ...]


class Composer:
    """Makes digests, each as its channel may read it."""

    def __init__(self, settings: Settings, store: Store, members: Members, templates: Templates) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._templates = templates

    def compose(
        self,
        one: DigestSubscription,
        period: Period,
        unread: Sequence[RepositoryUnavailable] = (),
        replies: PreviewReplies = NO_REPLIES,
    ) -> Composed:
        """The digest of a period. `unread` are repositories that could not be read just now, and `replies` is what its
        people said of their parts.

        Raises DigestBroken where its channel, team or user group is gone, and AlmanacError where it cannot be made
        at this moment, or may not be shown in its channel.
        """
        place, seen = self._members.seen_in(one.channel)
        if place.kind == "absent":
            raise DigestBroken(NO_CHANNEL)
        if seen.refused:
            raise AlmanacError(seen.refused)
        if one.team and self._settings.team(one.team) is None:
            raise DigestBroken(f"there is no team {one.team!r} in almanac.toml any more")
        queries = QueryService.of(self._store, self._settings, ZoneInfo(one.zone), seen.hidden)
        people = None
        if one.group:
            people = self._members.in_group(one.group, queries.known.everyone)
            if people is None:
                raise DigestBroken(f"there is no user group @{one.group.lstrip('@')} in Slack any more")
        stored = {each.name: each for each in queries.repositories}
        indexed = set(stored)
        wanted = [name for name in one.repositories if name in indexed]
        if one.repositories and not wanted:
            named = listed(list(one.repositories))
            raise AlmanacError(f"nothing of {named} is indexed, or may be shown in this channel")
        document = self._document(queries, one, period, wanted, people, replies, seen.hidden)
        missing = [
            each.repository
            for each in unread
            if each.repository not in indexed | seen.hidden
            and (not one.repositories or each.repository in one.repositories)
        ]
        missing += [name for name in one.repositories if name not in indexed and name not in missing]
        notes = [NEVER_READ.format(clean(name)) for name in missing if name not in seen.hidden]
        for name in dict.fromkeys(each.repository for each in unread):
            known = stored.get(name) if not wanted or name in wanted else None
            if known and known.indexed_at and not known.failure:  # what failed is noted in the document
                day = Month(known.indexed_at.year, known.indexed_at.month).title
                notes.append(NOT_IN_TIME.format(clean(name), f"{known.indexed_at.day} {day}"))
        notes += _of_nothing(wanted or sorted(indexed), document)
        document = replace(document, notes=(*notes, *document.notes))
        messages = digest_messages(
            document, self._templates_of(one), queries.pages(), charts=self._settings.slack.charts
        )
        messages = with_mentions(messages, document, replies)
        return Composed(place.channel or one.channel, document, tuple(messages))

    def _document(
        self,
        queries: QueryService,
        one: DigestSubscription,
        period: Period,
        repositories: Sequence[str],
        members: Sequence[Person] | None,
        replies: PreviewReplies,
        hidden: frozenset[str],
    ) -> DigestDocument:
        """The document of a digest with what people said of it: without those who are left out, whose commits are
        counted in a note. `members` are those of a user group."""
        called = f"@{one.group.lstrip('@')}" if one.group else ""
        if replies.users:
            queries = replace(queries, apart=tuple(replies.users))
            if members is not None:  # who they are now that some are set apart
                theirs = Signatures(identity for each in members for identity in each.identities)
                members = [each for each in queries.known.everyone if each.signatures.overlaps(theirs)]
        if not replies.left_out:
            document = queries.digest(period, one.team, repositories, members=members, called=called)
            return with_replies(document, replies, 0)
        table = self._settings.team(one.team) if one.team else None
        people = queries.known.everyone
        base = [each for each in people if each.name in table.people] if table else people
        base = base if members is None else list(members)
        gone = [each for each in base if any(user.touches(each) for user in replies.left_out)]
        start, end = period.bounds(queries.zone)

        def commits_of(some: Sequence[Person]) -> int:
            identities, named = identities_of(some), list(repositories) or None
            theirs = self._store.commits.between(start, end, identities=identities, repositories=named)
            return len({commit.sha for commit in theirs if commit.repository not in hidden})

        shown = [each for each in base if each not in gone]
        document = queries.digest(period, None, repositories, members=shown, called=one.team or called)
        if table is None and members is None:  # of everyone, as which it is no longer made
            bots = self._settings.bots
            machines = {each: number for each in people if is_bot(each, bots) and (number := commits_of([each]))}
            sentence = of_machines(machines, sum(machines.values())) if machines else ""
            document = replace(document, machines=sentence)
        left_out = tuple(user for user in replies.left_out if any(map(user.touches, gone)))
        return with_replies(document, replace(replies, left_out=left_out), commits_of(gone) if gone else 0)

    def _templates_of(self, one: DigestSubscription) -> Templates:
        if one.templates is None:
            return self._templates
        folder = Path(one.templates)
        if not folder.is_dir():
            raise DigestBroken(f"there is no folder {folder}, which its templates are to be taken from")
        return Templates(folder)


def _of_nothing(read: Sequence[str], document: DigestDocument) -> list[str]:
    """The repositories that were looked through and are not in the headline, since nothing is shown of them."""
    shown = {one.name for one in document.repositories}
    names = [name for name in map(clean, read) if name not in shown]
    if not names:
        return []
    more = [count(len(names) - MOST_NAMED, "other")] if len(names) > MOST_NAMED else []
    return [f"Nothing to tell of in {listed([*names[:MOST_NAMED], *more])}."]


NO_CHANNEL = (
    "channel_not_found: the channel was archived, deleted or renamed, or it is private and the app is not in it "
    "(/invite @Almanac)"
)
NOT_IN_TIME = "{} did not answer in time, so it is shown as of {}."
NEVER_READ = "{} could not be read, and nothing of it is indexed, so it is not shown."


def late(digest: DigestPost) -> str:
    """What is said before a digest that is posted after its day."""
    due = due_at(digest).astimezone(ZoneInfo(digest.subscription.zone))
    return f"This digest is late: it was due on {due.day} {Month(due.year, due.month).title}."
