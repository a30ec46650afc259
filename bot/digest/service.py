"""A digest that is due → its document → the messages that tell it → rows of the outbox; and what comes after: a note in
its thread for each revert of what it showed, once; the digest made anew in its place after somebody corrected what it
tells, never posted anew; and whoever can fix it told, once, that it cannot be posted.

What a digest's readers know is written down when it is posted (storage/slack_state.py); what they do not know is looked
for whenever the index has changed.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.people_directory import PeopleDirectory
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.readable_index import Chosen, readable_histories
from bot.digest.subscriptions import (
    DigestPost,
    DigestSubscription,
    SubscriptionId,
    Subscriptions,
    digest_keys,
    due,
)
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.model import Commit, Key, Person
from bot.month.calendar import CADENCES, AnyPeriod, Days, Month, parse_period
from bot.month.corrections import Corrections
from bot.month.facts import FactsContext, MonthFacts, month_facts
from bot.month.histories import History
from bot.month.message import heading_of
from bot.month.title import plain_title
from bot.settings import Settings
from bot.slack.audience import READERS_UNPOSTED
from bot.slack.directory import Members
from bot.slack.elements import Block, Message, context, words_message
from bot.slack.render import in_messages, post_messages
from bot.slack.sender import Sender, code_in
from bot.slack.web_api import CHANNEL, STOPS, what_to_do
from bot.story.documents import DigestDocument
from bot.story.lines import chain, events_of, ref_of, steps_of
from bot.story.render import Templates, Web, commit_link, markdown
from bot.wording import capital, clean, count, listed, listed_few
from storage import Store
from storage.slack_state import Post

log = logging.getLogger(__name__)

LATE_LINE = "This digest is late"
MOST_NAMED = 5  # repositories of which there is nothing to tell
NO_CHANNEL = (
    "channel_not_found: the channel was archived, deleted or renamed, or it is private and the app is not in it "
    "(/invite @Almanac)"
)
NOT_IN_TIME = "{} did not answer in time, so it is shown as of {}."
NEVER_READ = "{} could not be read, and nothing of it is indexed, so it is not shown."

FOR = timedelta(days=183)  # since it was posted
SECONDS = 60.0  # of one look; the rest is looked at next time
MOST_LINES = 10  # of one note
SINCE = "Since this was posted:"
NOTHING_HERE = "Nothing is shown here any more: this digest was corrected."
TOO_OLD = frozenset({"edit_window_closed", "cant_update_message"})
TOO_OLD_WORDS = "this digest is too old to be changed: Slack takes no change of its messages any more"
GONE = "its messages were deleted"
MORE = "{messages} of it would be new, and are not added: ask for the whole by “what shipped in {month}”."


REFUSED_LATELY = timedelta(days=1)  # what was refused before that may be fixed long since: it is tried again first
IN_TOML_TOO = "almanac.toml has this digest too, and what stands there holds"


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


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of it, in words, and whether it is well."""

    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class News:
    """What became of a change that a digest showed, in a sentence; `revert_events` are the commits of those
    that its readers do not know, the last of them the one that the sentence tells."""

    change: str
    revert_events: tuple[str, ...]
    repository: str
    sentence: str
    ref: str  # the last event's, as the sentence names it


class DigestService:
    """Makes digests, each as its channel may read it, posts them, and looks after them. Its methods block; any number
    of threads and processes may call them."""

    def __init__(
        self, settings: Settings, store: Store, members: Members, templates: Templates, sender: Sender, workspace: str
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._templates = templates
        self._sender = sender
        self.workspace = workspace
        self._directory = PeopleDirectory(store, settings)
        self._seen: object = None  # the index as it was looked at
        self._left: list[DigestPost] = []  # that are to be looked at still

    # what is made

    def compose(self, post: DigestPost, unread: Sequence[RepositoryUnavailable] = ()) -> Composed:
        """The digest of a period: what came in it, and what came before it and became known only after the post of the
        period in which it came. `unread` are repositories that could not be read just now.

        Raises DigestBroken where its channel, team or user group is gone, or nothing may be shown in its channel, and
        AlmanacError where it cannot be made at this moment.
        """
        one = post.subscription
        place, seen = self._members.seen_in(one.channel)
        if place.kind == "absent":
            raise DigestBroken(NO_CHANNEL)
        if seen.refused:  # but for what Slack does not say just now, until somebody changes who reads there
            raise (AlmanacError if seen.refused == READERS_UNPOSTED else DigestBroken)(seen.refused)
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
            every = listed(list(one.repositories))
            raise AlmanacError(f"nothing of {every} is indexed, or may be shown in this channel")
        chosen, covered = self.chosen(post, wanted, seen.hidden)
        called = f"@{one.group.lstrip('@')}" if one.group else ""
        document = queries.digest(post.period, one.team, wanted, members=people, called=called, chosen=chosen)
        named = dict.fromkeys(one.repositories or [each.repository for each in unread])
        notes = [NEVER_READ.format(clean(name)) for name in named if name not in indexed | seen.hidden]
        for name in dict.fromkeys(each.repository for each in unread):
            known = stored.get(name) if not wanted or name in wanted else None
            if known and known.indexed_at and not known.failure:  # what failed is noted in the document
                day = Month(known.indexed_at.year, known.indexed_at.month).title
                notes.append(NOT_IN_TIME.format(clean(name), f"{known.indexed_at.day} {day}"))
        shown = {*document.repositories, *(map(clean, chosen.late) if document.merged else ())}
        if in_vain := [name for name in map(clean, wanted or sorted(indexed)) if name not in shown]:
            notes.append(f"Nothing to tell of in {listed_few(in_vain, MOST_NAMED)}.")
        document = replace(document, notes=(*notes, *document.notes))
        messages = post_messages(document, self._templates, queries.pages(), asking_again(one, post.period))
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
            period = str(CADENCES[one.cadence].of(came, zone))
            is_over = period in posts.values() or (bool(one.first) and str(one.first) <= period and period not in owed)
            was_seen = bool(older) and period == since and written >= begun
            if came >= start:
                shas.add(sha)
            elif repository not in hidden and (own is not None or (is_over and not was_seen)):
                late.setdefault(repository, []).append(sha)
        of_it = shas.union(*late.values()).intersection(sha for name, sha, *_ in arrivals if name not in hidden)
        before = frozenset(sha for key in others if posts[key] < str(post.period) for sha in known[key])
        return Chosen(lambda one: one.is_merge or one.sha in shas, late, before=before), tuple(sorted(of_it))

    # what is posted, and what became of it

    def plan(self, digest: DigestPost, composed: Composed, now: datetime, *, is_late: bool = False) -> bool:
        """Write a digest down to be posted, with what its readers know by it; of one that is late, below the line that
        says so. False if it was written down before."""
        messages, channel = list(composed.messages), composed.channel
        if is_late:
            at = digest.due_at.astimezone(ZoneInfo(digest.subscription.zone))
            late = f"{LATE_LINE}: it was due on {at.day} {Month(at.year, at.month).title}."
            messages[0] = below_line(messages[0], context(late))
        posts = [
            Post(digest.message_key(part), channel, message.payload(), thread_key=digest.key if part else None)
            for part, message in enumerate(messages)
        ]
        known = self._known_by(digest, composed.document)
        return self._store.digests.plan(digest, known, posts, now, composed.covered)

    def deliver(self, digest: DigestPost, seconds: float, *, again: bool = False) -> Delivered:
        """Post a digest that was written down (`plan`), unless that was done before. Waits until it is there, or cannot
        be, for some seconds at most. `again` sends what is not known to be there, since somebody looked and it is not.
        """
        outbox, now, title = self._store.outbox, self._settings.now(), capital(digest.period.title)
        outbox.revive(digest.key, now)  # what was refused may be fixed by now
        for lost in outbox.in_state("unknown", digest.key) if again else ():
            if first_key(lost) == digest.key:
                outbox.resolve(lost, "planned", now)
        before = outbox.parts(digest.key)  # an earlier run may have got only so far
        self._sender.send_waiting(seconds, digest.key)
        posts = [post for key in before if (post := outbox.get(key))]
        errors = [post.error for post in posts if post.error]
        reason = f" ({errors[0]})" if errors else ""
        said = {
            "unknown": f": not known whether Slack has it, so it is not sent again{reason}; if it is not, use --again",
            "failed": f" could not be posted{reason}",
            "sending": " is being posted by another process",
            "planned": f" is not posted yet{reason}; run this again, or leave it to the bot",
        }
        states = {post.state for post in posts}
        if worst := next((state for state in said if state in states), None):
            return Delivered(worst == "sending", f"{title}{said[worst]}")
        if "planned" not in before.values():
            return Delivered(True, f"{title} was posted already, nothing sent")
        return Delivered(True, f"{title} posted ({count(len(posts), 'message')})")

    def _known_by(self, digest: DigestPost, document: DigestDocument) -> dict[str, list[str]]:
        """What a digest's readers know by its document: the changes, each with the commits that reverted it or brought
        it back. Nothing for one that will be posted again in full."""
        changes = document.changes
        if not changes or not digest.is_whole:
            return {}
        covered = {commit.sha for change in changes for commit in change.commits}
        revert_events = _revert_events(self._material(covered, frozenset())[1])
        return {one: sorted(revert_events.get(one, ())) for one in sorted({change.id for change in changes})}

    def look(self, seconds: float = SECONDS) -> int:
        """Write notes down for what is new since the index was last looked at, for some seconds at most; the clock
        sends them. Returns how many."""
        now, end = self._settings.now(), time.monotonic() + seconds
        index = [(one.name, one.tip) for one in self._store.commits.repositories()]
        if index != self._seen:
            self._seen, self._left = index, list(self._posted(now))
        written = 0
        while self._left and time.monotonic() < end:
            digest = self._left.pop(0)
            try:
                written += self._note(digest, now)
            except AlmanacError as error:
                log.warning("%s: what became of it is not noted: %s", digest.key, error)
            except Exception:  # our own mistake in one digest must not cost others their notes
                log.exception("%s: what became of it is not noted", digest.key)
        return written

    def _posted(self, now: datetime) -> Iterator[DigestPost]:
        """The digests whose readers are shown what becomes of it, newest first."""
        wanted = Subscriptions.of(self._settings, self._store).known(now)
        paused = {one.id for one in wanted if one.is_paused}
        posts = self._store.digests.posts()
        for post in reversed(self._store.outbox.in_state("sent", digest_keys(self.workspace))):
            digest = posts.get(post.key)  # of a thread, only its first message has one
            is_recent = now - (post.tried_at or now) < FOR
            if digest and digest.is_whole and is_recent and digest.subscription.id not in paused:
                yield digest

    def _note(self, digest: DigestPost, now: datetime) -> bool:
        root, known = self._store.outbox.get(digest.key), self._store.digest_snapshots.known(digest.key)
        if root is None or root.state != "sent" or not known:  # it was posted before anything was noted of it
            return False
        _, seen = self._members.seen_in(root.channel)
        if seen.refused:
            return False
        covered = self._store.digest_snapshots.covered(digest.key).get(digest.key)
        every = self._news(digest, covered or known, known, seen.hidden)
        if not every:
            return False
        web = {clean(one.name): one.web for one in self._store.commits.repositories() if one.name not in seen.hidden}
        first = every[0]  # by which a note is known
        key = f"note|{digest.key.partition('|')[2]}|{first.change}|{first.revert_events[-1]}"
        post = Post(key, root.channel, note_message(every, web).payload(), thread_key=digest.key)
        revert_events = [(one.change, event) for one in every for event in one.revert_events]
        if not self._store.digest_snapshots.note(digest.key, revert_events, post, now):
            return False
        log.info("%s: %s noted in its thread", digest.key, count(len(every), "change"))
        return True

    def _material(self, shas: Iterable[str], hidden: frozenset[str]) -> tuple[Sequence[Commit], Mapping[Key, History]]:
        """The commits from which a digest was made, and all that is tied to them."""
        names, some = [one.name for one in self._store.commits.repositories() if one.name not in hidden], sorted(shas)
        commits = [commit for name in names for commit in self._store.commits.of(name, some)]
        return commits, readable_histories(self._store, commits, hidden)

    def _news(
        self, digest: DigestPost, shas: Iterable[str], known: Mapping[str, frozenset[str]], hidden: frozenset[str]
    ) -> list[News]:
        """What became of the changes that a digest showed, made from commits with these SHAs, as far as it is not
        `known`, by change; each event once; of nobody who asked not to be shown."""
        commits, histories = self._material(shas, hidden)
        turned = _revert_events(histories)
        moved = {one for one in known if not known[one].issuperset(turned.get(one, ()))}
        people, theirs = self._directory.now(hidden), dict[Person, list[Commit]]()
        for one in commits if moved else ():
            history = histories.get(one.key)
            person = None if one in people.unshown else people.author(one)
            if person and history and (history.id in moved or one.sha in moved):
                theirs.setdefault(person, []).append(one)
        context = FactsContext(
            ZoneInfo(digest.subscription.zone), (), self._settings.now(), histories,
            people.name_of, self._store.dates, Corrections(self._store.said.live("change")),
        )  # fmt: skip
        return news((month_facts(person, digest.period, own, context) for person, own in theirs.items()), known)

    # what is corrected

    def posts_showing(self, shas: Sequence[str]) -> list[tuple[DigestPost, str]]:
        """The posted digests that showed a change, which is known by these SHAs: each with the id of its channel, the
        newest first."""
        showing = [self._store.outbox.get(one) for one in self._store.digest_snapshots.posts_of(shas)]
        ours = digest_keys(self.workspace)
        sent = [one for one in showing if one and one.state == "sent" and one.key.startswith(ours)]
        posts = self._store.digests.posts() if sent else {}
        found = [(posts[post.key], post.channel) for post in sent if post.key in posts]
        found.sort(key=lambda pair: (pair[0].period.bounds(self._settings.zone)[1], pair[0].key), reverse=True)
        return [(one, self._members.id_of(channel)) for one, channel in found]

    def update(self, digest: DigestPost) -> str:
        """Update a digest in its place, as it is wanted now or else as it was; and say what was done. May be done
        twice.

        Raises AlmanacError where it cannot be made or changed.
        """
        wanted = Subscriptions.of(self._settings, self._store)
        live = (one for one in wanted.known(self._settings.now()) if one.id == digest.subscription.id)
        digest = replace(digest, subscription=next(live, digest.subscription))
        composed = self.compose(digest)
        outbox = self._store.outbox
        sent = [post for key in outbox.parts(digest.key) if (post := outbox.get(key)) and post.state == "sent"]
        posts = [post for post in sent if post.ts]
        if not posts:
            raise AlmanacError("it is not posted")
        messages, more = list(composed.messages), len(composed.messages) - len(posts)
        if late := late_line(posts[0]):
            messages[0] = below_line(messages[0], late)
        messages += [words_message(NOTHING_HERE)] * -more
        channel = self._members.id_of(posts[0].channel)
        for post, message in zip(posts, messages, strict=False):
            if refused := self._sender.change(channel, str(post.ts), message):
                gone = GONE if refused == "message_not_found" else f"{refused}: {what_to_do(refused)}"
                raise AlmanacError(TOO_OLD_WORDS if refused in TOO_OLD else gone)
        known = self._known_by(digest, composed.document)
        self._store.digest_snapshots.posted(digest.key, known, self._settings.now())
        title = digest.period.title
        said = f"The digest of {title} is updated in its place."
        if more > 0:
            said += " " + MORE.format(messages=count(more, "message"), month=title)
        log.info("%s is updated", digest.key)
        return said

    # what cannot be posted

    def pause(self, one: DigestSubscription, why: str, now: datetime) -> None:
        if self._store.digests.pause(one.id, why, now):
            log.warning("%s is paused: %s", one.described, why)

    def without_refused(self, wanted: Sequence[DigestSubscription], now: datetime) -> list[DigestSubscription]:
        """Pause each digest that Slack refused because of its channel, since it was last edited or resumed. Returns
        the others that are not paused."""
        active = {one.id: one for one in wanted if not one.is_paused}
        for post, digest in self._in_state("failed"):
            one = active.get(digest.subscription.id)
            if one is None or not post.changed_at or code_in(post.error) not in CHANNEL:
                continue
            if post.changed_at > max(one.changed_at or one.since or now, now - REFUSED_LATELY):
                self._store.outbox.hold(first_key(post), post.error or "", now)
                self.pause(one, post.error or "", now)
                del active[one.id]
        return list(active.values())

    def without_doubles(self, wanted: Sequence[DigestSubscription], now: datetime) -> list[DigestSubscription]:
        """Pause each digest made in Slack that almanac.toml has too, where one names the channel and the other its id:
        it would be posted twice. Returns the others."""
        in_file = [one for one in wanted if not one.is_made_in_slack]
        contents = {_content(one) for one in in_file}
        alike = [one for one in wanted if one.is_made_in_slack and not one.is_paused and _content(one) in contents]
        doubles = set[SubscriptionId]()
        for one in alike:  # none most of the time, and Slack need not be asked for the names of channels
            same = [each.channel for each in in_file if _content(each) == _content(one)]
            if self._members.id_of(one.channel) in {self._members.id_of(channel) for channel in same}:
                self.pause(one, IN_TOML_TOO, now)
                doubles.add(one.id)
        return [one for one in wanted if one.id not in doubles]

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
            key = f"pause|{self.workspace}|{one.key}|{one.cadence}|{one.paused_at:%Y%m%d%H%M%S}"
            self._tell(one, key, text, now)
            self._store.digests.reported(one.id, now)
        by_id: dict[SubscriptionId, DigestSubscription] = {one.id: one for one in wanted}
        for post, digest in self._in_state("unknown"):
            if post.is_unsearchable and (lost := by_id.get(digest.subscription.id)):
                text = (
                    f"{self._described(lost)}: it is not known whether Slack took {digest.title_of(post.key)}, since "
                    f"its answer was lost and the app may not read the channel's history. It is not posted again, lest "
                    f"it be there twice, and what follows it waits. Invite the app to the channel (/invite @Almanac), "
                    f"and it looks for itself."
                )
                self._tell(lost, f"lost|{post.key}", text, now)

    def _in_state(self, state: str) -> list[tuple[Post, DigestPost]]:
        found = self._store.outbox.in_state(state, digest_keys(self.workspace))
        posts = self._store.digests.posts() if found else {}
        return [(post, digest) for post in found if (digest := posts.get(first_key(post)))]

    def _described(self, one: DigestSubscription) -> str:
        """With the name of its channel, where Slack knows it."""
        name = self._members.place_named(one.channel).name
        return (replace(one, channel=f"#{name}") if name else one).described

    def _tell(self, one: DigestSubscription, key: str, text: str, now: datetime) -> None:
        """Write a message down for its owner, or else for the admins of [privacy]."""
        message = words_message(text)
        for user in [one.owner] if one.owner else self._members.admins():
            self._store.outbox.plan([Post(f"{key}|{user}", user, message.payload())], now)


def asking_again(one: DigestSubscription, period: AnyPeriod) -> Question | None:
    """What asks for all that a digest tells of; nothing for one of a user group, which only Slack knows."""
    if one.group:
        return None
    return Question("what_shipped", span=Days.of(period), team=one.team, repositories=tuple(one.repositories))


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


def news(months: Iterable[MonthFacts], known: Mapping[str, frozenset[str]]) -> list[News]:
    """What became of the changes of some people's months, as far as it is not `known`, by change; each event once."""
    found: list[News] = []
    reported: set[str] = set()
    each = [(facts, change) for facts in months for change in facts.changes if change.id in known]
    # An event is shown of the work, and of a revert only where that is all there is; of its author, not of who helped.
    each.sort(key=lambda one: (one[1].kind == "revert", one[1].is_shared, one[1].lead.written))
    for facts, change in each:
        happened = events_of(change)
        new = tuple(event.commit.sha for event in happened if event.commit.sha not in known[change.id])
        is_again = change.kind == "revert" and reported.issuperset(new)
        if not new or is_again or any(one.change == change.id for one in found):
            continue
        reported.update(new)
        title = change.title or plain_title(heading_of(change.lead).line)
        steps = steps_of(replace(change, fixes=()), facts)
        last = happened[-1].commit
        said = f"{clean(facts.person.name)}: “{clean(title)}”: {chain(steps, steps[0].on)}."
        revert_events = (*(one for one in new if one != last.sha), last.sha)
        found.append(News(change.id, revert_events, last.repository, said, ref_of(last)))
    return found


def note_message(every: Sequence[News], web: Web) -> Message:
    """All that is new of a digest, in one message: line by line as far as that fits."""
    for shown in range(min(len(every), MOST_LINES), -1, -1):
        lines = [SINCE, "", *(_line(one, web) for one in every[:shown])]
        if more := len(every) - shown:
            said = f"And {count(more, 'more change')}" if shown else count(more, "change")
            lines += ["", f"{said} went out or came back."]
        messages = in_messages("\n".join(lines))
        if len(messages) == 1:
            break
    return messages[0]


def _line(one: News, web: Web) -> str:
    before, named, after = one.sentence.rpartition(one.ref)
    page = commit_link(one.revert_events[-1], web.get(clean(one.repository)))
    ref = f"[{markdown(named)}]({page})" if named and page else markdown(named)
    return f"- {markdown(before)}{ref}{markdown(after)}"


def _revert_events(histories: Mapping[Key, History]) -> dict[str, frozenset[str]]:
    """The commits that reverted work or brought it back, by the SHA of each commit of it."""
    found: dict[str, frozenset[str]] = {}
    for (_, sha), history in histories.items():
        if history.revert_events:
            found[sha] = found.get(sha, frozenset()) | {event.commit.sha for event in history.revert_events}
    return found


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
