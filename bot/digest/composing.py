"""A digest that is due → its document → the messages that tell it → rows of the outbox, and what became of those."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ask.material import Chosen
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.digest.subscriptions import PERIODS, DigestPost, DigestSubscription, due
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.month.calendar import AnyPeriod, Days, Month, parse_period
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import Block, Message, context_block
from bot.slack.render import post_messages
from bot.slack.sender import Sender
from bot.story.documents import DigestDocument
from bot.story.render import Templates
from bot.story.wording import capital, clean, count, listed, listed_few
from storage import Store
from storage.outbox import Post

LATE_LINE = "This digest is late"
MOST_NAMED = 5  # repositories of which there is nothing to tell


class DigestBroken(AlmanacError):
    """A digest that cannot be made until somebody changes it. Its text says why."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What a digest says of a period. `channel` is the id of the channel where Slack tells it, else as it was named;
    Slack's history is only found by the id. `covered` are the SHAs of all that it was made from, whosever they are and
    whether or not they are told."""

    channel: str
    document: DigestDocument
    messages: tuple[Message, ...]
    covered: tuple[str, ...]


class Composer:
    """Makes digests, each as its channel may read it."""

    def __init__(self, settings: Settings, store: Store, members: Members, templates: Templates) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._templates = templates

    def compose(self, post: DigestPost, unread: Sequence[RepositoryUnavailable] = ()) -> Composed:
        """The digest of a period: what came in it, and what came before it and became known only after the post of the
        period in which it came. `unread` are repositories that could not be read just now.

        Raises DigestBroken where its channel, team or user group is gone, and AlmanacError where it cannot be made
        at this moment, or may not be shown in its channel.
        """
        one = post.subscription
        place, seen = self._members.seen_in(one.channel)
        if place.kind == "absent":
            raise DigestBroken(NO_CHANNEL)
        if seen.refused:
            raise AlmanacError(seen.refused)
        if one.team and self._settings.team(one.team) is None:
            raise DigestBroken(f"there is no team {one.team!r} in almanac.toml any more")
        queries = Queries.of(self._store, self._settings, ZoneInfo(one.zone), seen.hidden)
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
        chosen, covered = self.chosen(post, wanted, seen.hidden)
        called = f"@{one.group.lstrip('@')}" if one.group else ""
        document = queries.digest(post.period, one.team, wanted, members=people, called=called, chosen=chosen)
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
        at_once = chosen.late if document.merged else ()
        notes += _of_nothing([name for name in wanted or sorted(indexed) if name not in at_once], document)
        document = replace(document, notes=(*notes, *document.notes))
        messages = post_messages(document, self._templates_of(one), queries.pages(), asking_again(one, post.period))
        return Composed(place.channel or one.channel, document, tuple(messages), covered)

    def chosen(
        self, post: DigestPost, repositories: Sequence[str], hidden: Collection[str]
    ) -> tuple[Chosen, tuple[str, ...]]:
        """What a post tells that no other one of its subscription does, and the SHAs of all that; of a post that is
        made again, the same. What is in `hidden` repositories alone is only counted: it may come to others later.

        A commit is late where it came in a period whose post is made, or will never be. Posts that did not note what
        they covered went by author dates: since the last of those, what was written before its period is late.
        """
        one, zone, store = post.subscription, ZoneInfo(post.subscription.zone), self._store
        prefix, workspace = f"{post.key.rpartition('|')[0]}|", post.key.split("|", 2)[1]
        planned, covered = set(store.outbox.keys(prefix)), store.digest_snapshots.covered(prefix)
        every = [each for each in store.digests.posts().values() if each.subscription.id == one.id and each.is_whole]
        posts = {each.key: str(each.period) for each in every if each.key in planned}
        skipped = {each.key for each in store.outbox.in_state("skipped", prefix)}  # what comes later may be told there
        own = None if post.key in skipped else covered.get(post.key)
        others = [key for key in posts if key != post.key]
        known = {key: covered.get(key) or set(store.digest_snapshots.known(key)) for key in others}
        older = [key for key in others if known[key] and key not in covered]
        seen = {sha for shas in known.values() for sha in shas}
        owed = {str(each.period) for each in due(self._settings.now(), [one], workspace, planned)}
        since = max((posts[key] for key in older), default="") or min([*posts.values(), str(one.first or post.period)])
        start, end = post.period.bounds(zone)
        begun = min(parse_period(since).bounds(zone)[0], start)
        shas, late = set[str](), dict[str, list[str]]()
        arrivals = store.came.arrivals(begun, end, list(repositories) or None)
        for repository, sha, came, written in arrivals:
            if (sha in seen) if own is None else (sha not in own and repository not in hidden):
                continue
            period = str(PERIODS[one.cadence].of(came, zone))
            is_over = period in posts.values() or (bool(one.first) and str(one.first) <= period and period not in owed)
            was_seen = bool(older) and period == since and written >= begun
            if came >= start:
                shas.add(sha)
            elif repository not in hidden and (own is not None or (is_over and not was_seen)):
                late.setdefault(repository, []).append(sha)
        of_it = shas.union(*late.values()).intersection(sha for name, sha, *_ in arrivals if name not in hidden)
        before = frozenset(sha for key in others if posts[key] < str(post.period) for sha in known[key])
        return Chosen(lambda one: one.is_merge or one.sha in shas, late, before=before), tuple(sorted(of_it))

    def _templates_of(self, one: DigestSubscription) -> Templates:
        if one.templates is None:
            return self._templates
        folder = Path(one.templates)
        if not folder.is_dir():
            raise DigestBroken(f"there is no folder {folder}, which its templates are to be taken from")
        return Templates(folder)


def asking_again(one: DigestSubscription, period: AnyPeriod) -> Question | None:
    """What asks for all that a digest tells of; nothing for one of a user group, which only Slack knows."""
    if one.group:
        return None
    return Question("what_shipped", span=Days.of(period), team=one.team, repositories=tuple(one.repositories))


def _of_nothing(read: Sequence[str], document: DigestDocument) -> list[str]:
    """The repositories that were looked through and are not in the headline, since nothing is shown of them."""
    names = [name for name in map(clean, read) if name not in document.repositories]
    return [f"Nothing to tell of in {listed_few(names, MOST_NAMED)}."] if names else []


NO_CHANNEL = (
    "channel_not_found: the channel was archived, deleted or renamed, or it is private and the app is not in it "
    "(/invite @Almanac)"
)
NOT_IN_TIME = "{} did not answer in time, so it is shown as of {}."
NEVER_READ = "{} could not be read, and nothing of it is indexed, so it is not shown."


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of it, in words, and whether it is well."""

    ok: bool
    text: str


def planned_posts(
    digest: DigestPost, channel: str, messages: Sequence[Message], *, is_late: bool = False
) -> list[Post]:
    """A digest's messages as they are written down; of one that is late, below the line that says so."""
    messages = list(messages)
    if is_late:
        due = digest.due_at.astimezone(ZoneInfo(digest.subscription.zone))
        line = f"{LATE_LINE}: it was due on {due.day} {Month(due.year, due.month).title}."
        messages[0] = below_line(messages[0], context_block(line))
    return [
        Post(digest.message_key(part), channel, message.payload(), thread_key=digest.key if part else None)
        for part, message in enumerate(messages)
    ]


def late_line(root: Post) -> Block | None:
    """The line above a digest that was posted late."""
    blocks, text = root.payload.get("blocks") or [{}], str(root.payload.get("text") or "")
    return dict(blocks[0]) if blocks[0].get("type") == "context" and text.startswith(LATE_LINE) else None


def below_line(message: Message, line: Block) -> Message:
    """A message below a line of small print."""
    text = f"{line['elements'][0]['text']}\n{message.text}"
    return replace(message, text=text, blocks=(line, *message.blocks))


def first_key(post: Post) -> str:
    """The key of the first message of the digest that a message belongs to."""
    return post.thread_key or post.key


def deliver(
    digest: DigestPost, store: Store, sender: Sender, now: datetime, seconds: float, *, again: bool = False
) -> Delivered:
    """Post a digest that was written down (`Digests.plan`), unless that was done before. Waits until it is there, or
    cannot be, for some seconds at most. `again` sends what is not known to be there, since somebody looked and it is
    not."""
    store.outbox.revive(digest.key, now)  # what was refused may be fixed by now
    for post in store.outbox.in_state("unknown", digest.key) if again else ():
        if first_key(post) == digest.key:
            store.outbox.try_again(post, now)
    before = store.outbox.parts(digest.key)  # an earlier run may have got only so far
    sender.send_waiting(seconds, digest.key)
    return outcome(digest, store, before)


def outcome(digest: DigestPost, store: Store, before: Mapping[str, str]) -> Delivered:
    """What became of the messages of a digest; `before` are their states before they were sent."""
    title = capital(digest.period.title)
    posts = [post for key in before if (post := store.outbox.get(key))]
    states = [post.state for post in posts]
    errors = [post.error for post in posts if post.error]
    worst = next((bad for bad in ("unknown", "failed", "sending", "planned") if bad in states), None)
    reason = f" ({errors[0]})" if errors else ""
    if worst == "failed":
        return Delivered(False, f"{title} could not be posted{reason}")
    if worst == "unknown":
        return Delivered(
            False,
            f"{title}: not known whether Slack has it, so it is not sent again{reason}; if it is not, use --again",
        )
    if worst == "sending":
        return Delivered(True, f"{title} is being posted by another process")
    if worst == "planned":
        return Delivered(False, f"{title} is not posted yet{reason}; run this again, or leave it to the bot")
    if "planned" not in before.values():
        return Delivered(True, f"{title} was posted already, nothing sent")
    return Delivered(True, f"{title} posted ({count(len(states), 'message')})")
