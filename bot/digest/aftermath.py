"""What comes after a digest is posted: a note in its thread for each revert of what it showed, once; and the digest
made anew in its place after somebody corrected what it tells, never posted anew.

What a digest's readers know is written down when it is posted (storage/digests.py); what they do not know is looked for
whenever the index has changed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.material import readable_histories
from bot.ask.people_directory import PeopleDirectory
from bot.digest.composing import Composed, Composer, below_line, late_line, planned_posts
from bot.digest.subscriptions import DigestPost, Subscriptions, digest_keys
from bot.errors import AlmanacError
from bot.model import Change, Commit, Key, Person, RevertEvent
from bot.month.corrections import Corrections
from bot.month.facts import FactsContext, MonthFacts, month_facts
from bot.month.histories import History
from bot.month.trailers import heading_of
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import Block, Message, prose, words_message
from bot.slack.render import NOTHING, Row, packed
from bot.slack.sender import Sender
from bot.slack.web_api import what_to_do
from bot.story.documents import DigestDocument
from bot.story.lines import chain
from bot.story.render import Web, commit_link, slack
from bot.story.states import ref_of, steps_of
from bot.story.wording import clean, count, plain_title
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

FOR = timedelta(days=183)  # since it was posted
SECONDS = 60.0  # of one look; the rest is looked at next time
MOST_LINES = 10  # of one note
SINCE = "Since this was posted:"
NOTHING_HERE = "Nothing is shown here any more: this digest was corrected."
TOO_OLD = frozenset({"edit_window_closed", "cant_update_message"})
TOO_OLD_WORDS = "this digest is too old to be changed: Slack takes no change of its messages any more"
GONE = "its messages were deleted"
MORE = "{messages} of it would be new, and are not added: ask for the whole by “what shipped in {month}”."


@dataclass(frozen=True, slots=True)
class News:
    """What became of a change that a digest showed, in a sentence; `revert_events` are the commits of those
    that its readers do not know, the last of them the one that the sentence tells."""

    change: str
    revert_events: tuple[str, ...]
    repository: str
    sentence: str
    ref: str  # the last event's, as the sentence names it


def events(change: Change) -> tuple[RevertEvent, ...]:
    """What happened to a change, in order."""
    return (*(event for event in (change.out, change.back) if event), *change.later)


def news(months: Iterable[MonthFacts], known: Mapping[str, frozenset[str]]) -> list[News]:
    """What became of the changes of some people's months, as far as it is not `known`, by change; each event once."""
    found: list[News] = []
    reported: set[str] = set()
    each = [(facts, change) for facts in months for change in facts.changes if change.id in known]
    # An event is shown of the work, and of a revert only where that is all there is; of its author, not of who helped.
    each.sort(key=lambda one: (one[1].kind == "revert", one[1].is_shared, one[1].lead.written))
    for facts, change in each:
        happened = events(change)
        new = tuple(event.commit.sha for event in happened if event.commit.sha not in known[change.id])
        is_again = change.kind == "revert" and reported.issuperset(new)
        if not new or is_again or any(one.change == change.id for one in found):
            continue
        reported.update(new)
        title = change.title or plain_title(heading_of(change.lead).line)
        steps = steps_of(replace(change, out=None, back=None, later=happened, fixes=()), facts)
        last = happened[-1].commit
        said = f"{clean(facts.person.name)}: “{clean(title)}”: {chain(steps, steps[0].on)}."
        revert_events = (*(one for one in new if one != last.sha), last.sha)
        found.append(News(change.id, revert_events, last.repository, said, ref_of(last)))
    return found


def note_message(every: Sequence[News], web: Web) -> Message:
    """All that is new of a digest, in one message: line by line as far as that fits."""
    for shown in range(min(len(every), MOST_LINES), -1, -1):
        rows = [Row("paragraph", tuple(prose(SINCE)), SINCE), *(_row(one, web) for one in every[:shown])]
        if more := len(every) - shown:
            said = f"And {count(more, 'more change')}" if shown else count(more, "change")
            said = f"{said} went out or came back."
            rows.append(Row("paragraph", ({"type": "text", "text": f"\n{said}"},), said))
        messages = packed(NOTHING, rows)
        if len(messages) == 1:
            break
    return messages[0]


def _row(one: News, web: Web) -> Row:
    sha = one.revert_events[-1]
    before, named, after = one.sentence.rpartition(one.ref)
    leaves: list[Block] = list(prose(before))
    if named:
        page = commit_link(sha, web.get(clean(one.repository)))
        target = {"type": "link", "url": page} if page else {"type": "text"}
        leaves += [{**target, "text": named, "style": {"code": True}}, *prose(after)]
    return Row("item", tuple(leaves), f"• {slack(one.sentence)}")


class Aftermath:
    """Looks what became of what was shown, and updates it. Its methods block; any number of processes may look at the
    same time, and any thread may update."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        members: Members,
        composer: Composer,
        sender: Sender,
        workspace: str,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._composer = composer
        self._sender = sender
        self._workspace = workspace
        self._directory = PeopleDirectory.of(store, settings)
        self._seen: object = None  # the index as it was looked at
        self._left: list[DigestPost] = []  # that are to be looked at still

    def plan(self, digest: DigestPost, composed: Composed, now: datetime, *, is_late: bool = False) -> bool:
        """Write a digest down to be posted, with what its readers know by it. False if it was written down before."""
        posts = planned_posts(digest, composed.channel, composed.messages, is_late=is_late)
        known = self._known_by(digest, composed.document)
        return self._store.digests.plan(digest, known, posts, now, composed.covered)

    def _known_by(self, digest: DigestPost, document: DigestDocument) -> dict[str, list[str]]:
        """What a digest's readers know by its document: the changes, each with the commits that reverted it or brought
        it back. Nothing for one that will be posted again in full."""
        changes = document.changes
        if not changes or not digest.is_whole:
            return {}
        covered = {commit.sha for change in changes for commit in change.commits}
        revert_events = _revert_events(self._material(covered, frozenset())[1])
        known: dict[str, set[str]] = {}
        for change in changes:
            said = {sha for sha in (change.reverted_in, change.relanded_in) if sha}
            known.setdefault(change.id, set()).update(said, revert_events.get(change.id, ()))
        return {one: sorted(known[one]) for one in sorted(known)}

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
        for post in reversed(self._store.outbox.in_state("sent", digest_keys(self._workspace))):
            digest = posts.get(post.key)  # of a thread, only its first message has one
            is_recent = now - (post.tried_at or now) < FOR
            if digest and digest.is_whole and is_recent and digest.subscription.id not in paused:
                yield digest

    def _note(self, digest: DigestPost, now: datetime) -> bool:
        root = self._store.outbox.get(digest.key)
        if root is None or root.state != "sent":
            return False
        known = self._store.digest_snapshots.known(digest.key)
        if not known:  # it was posted before anything was noted of it
            return False
        _, seen = self._members.seen_in(root.channel)
        if seen.refused:
            return False
        covered = self._store.digest_snapshots.covered(digest.key).get(digest.key)
        commits, histories = self._material(covered or known, seen.hidden)
        turned = _revert_events(histories)
        moved = {one for one in known if not known[one].issuperset(turned.get(one, ()))}
        if not moved:
            return False
        every = news(self._months(digest, commits, histories, moved, seen.hidden), known)
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

    def _months(
        self,
        digest: DigestPost,
        commits: Sequence[Commit],
        histories: Mapping[Key, History],
        moved: set[str],
        hidden: frozenset[str],
    ) -> Iterator[MonthFacts]:
        """The months of those whose changes went out or came back since, with as much of them as tells that; of nobody
        who asked not to be shown."""
        people = self._directory.now(hidden)
        theirs: dict[Person, list[Commit]] = {}
        for one in commits:
            history = histories.get((one.repository, one.sha))
            person = None if one in people.unshown else people.author(one)
            if person and history and (history.id in moved or one.sha in moved):
                theirs.setdefault(person, []).append(one)
        context = FactsContext(
            ZoneInfo(digest.subscription.zone), (), self._settings.now(), histories,
            people.name_of, self._store.dates, Corrections(self._store.said.live("change")),
        )  # fmt: skip
        for person, own in theirs.items():
            yield month_facts(person, digest.period, own, context)

    # what is corrected

    def posts_showing(self, shas: Sequence[str]) -> list[tuple[DigestPost, str]]:
        """The posted digests that showed a change, which is known by these SHAs: each with the id of its channel, the
        newest first."""
        posts = [self._store.outbox.get(one) for one in self._store.digest_snapshots.posts_of(shas)]
        ours = digest_keys(self._workspace)
        sent = [one for one in posts if one and one.state == "sent" and one.key.startswith(ours)]
        found = [(one, post.channel) for post in sent if (one := self._store.digests.post(post.key))]
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
        composed = self._composer.compose(digest)
        outbox = self._store.outbox
        sent = [post for key in outbox.parts(digest.key) if (post := outbox.get(key)) and post.state == "sent"]
        posts = [post for post in sent if post.ts]
        if not posts:
            raise AlmanacError("it is not posted")
        messages = list(composed.messages)
        if late := late_line(posts[0]):
            messages[0] = below_line(messages[0], late)
        nothing = words_message(slack(NOTHING_HERE))
        channel = self._members.id_of(posts[0].channel)
        for number, post in enumerate(posts):
            message = messages[number] if number < len(messages) else nothing
            self._change(channel, str(post.ts), message)
        known = self._known_by(digest, composed.document)
        self._store.digest_snapshots.posted(digest.key, known, self._settings.now())
        title = digest.period.title
        said = f"The digest of {title} is updated in its place."
        if (more := len(messages) - len(posts)) > 0:
            said += " " + MORE.format(messages=count(more, "message"), month=title)
        log.info("%s is updated", digest.key)
        return said

    def _change(self, channel: str, ts: str, message: Message) -> None:
        refused = self._sender.change(channel, ts, message)
        if refused in TOO_OLD:
            raise AlmanacError(TOO_OLD_WORDS)
        if refused:
            raise AlmanacError(GONE if refused == "message_not_found" else f"{refused}: {what_to_do(refused)}")


def _revert_events(histories: Mapping[Key, History]) -> dict[str, frozenset[str]]:
    """The commits that reverted work or brought it back, by the SHA of each commit of it."""
    found: dict[str, frozenset[str]] = {}
    for (_, sha), history in histories.items():
        if history.revert_events:
            found[sha] = found.get(sha, frozenset()) | {event.commit.sha for event in history.revert_events}
    return found
