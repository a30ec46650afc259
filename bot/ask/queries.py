"""The queries: plain values in, a document out, in the rights of one reader.

Whatever is answered comes from these: in Slack, at the command line, to a model and over MCP. No English is read here,
and nothing is of Slack. The docstrings are the manual for whoever calls them, a model among others.

*Names.* A person is named by a full name, an address, a login, a nickname, or a part of a name that one alone has; or
handed in as a `Person`. `team` is a table of almanac.toml, a repository the whole name or its last part.

*Spans* are days in the reader's zone, both ends included: "2026-03" (a month), "2026-03..2026-05",
"2026-03-01..2026-03-14", "2026-W12", "2026-Q1", "2026"; or tags: "v2.5" is what v2.5 holds and the release before it
does not, "v2.4..v2.5" what lies between, "v2.5.." what came since; "tags:2026-08-22" where one is called like a day or
a year. With None each query takes the time that its docstring names, and the document says which.

*Limits*, which every query takes by keyword:

- `repositories=("pytorch/ao",)`: only these;
- `topic="nvfp4 moe"`: all of these words, in whatever form, in the subject, else in the body, else in the paths of a
  third of the files; what has them in the subject comes first. "CVE OR GHSA OR advisory" are alternatives, and
  "security" stands for such. `topic_in="subject"` ("body", "path") looks there alone; else what only mentions it in
  the body, but for the number of an advisory, is left out where anything is about it, and counted in a note, unless it
  is somebody's;
- `paths=("torchao/quantization", "setup.py")`: what touches one of these files or folders, or what is in them;
- `only=True`: and nothing else: all files of a change are in `paths`, or of the sort that `kinds` names ("docs alone");
- `size=("more than 500 lines",)`, "at least", "fewer than", "at most", or of "files": how large each change is, within
  `paths` where given, as git counts;
- `without=("Jerry Zhang", "bots", "pytorch/torchrec", "typing", "docs", "docs/")`: none of these people, repositories,
  topics, kinds or paths. What nobody and nothing is called is said in the notes, and stops nothing;
- `team="engine"`: what its people did.

*Documents* are frozen values, `to_json` prints them. Notes say what was left out, or taken otherwise than was asked.

*Errors*, each with a sentence for whoever asked: PersonUnknown (nobody, or several, who are named in it), PersonHidden,
RepositoryUnavailable, CommitUnknown, and AlmanacError for a team, a tag or a time that there is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack
from zoneinfo import ZoneInfo

from bot.ask.people_directory import PeopleDirectory
from bot.ask.readable_index import (
    ALL,
    Chosen,
    Material,
    ReadableIndex,
    every_month,
    helpers,
    identities_of,
    left_out,
    unmatched_reviewers,
)
from bot.ask.sought import MOST_ALTERNATIVES, Sought, fits
from bot.ask.writer import Writer
from bot.errors import AlmanacError, CommitUnknown, PersonUnknown
from bot.model import Commit, Dates, Key, Kind, Person, Repository, Sentence, Signatures
from bot.month.addresses import plain
from bot.month.areas import Areas
from bot.month.calendar import AnyPeriod, Days, Month, MonthRange, Span, parse_any_period
from bot.month.credits import is_bot
from bot.month.facts import MonthFacts, all_changes, helped_with, month_facts, span_facts, whole_facts
from bot.month.histories import History
from bot.month.kinds import decided
from bot.month.paths import lines_of, places_of
from bot.month.people import by_author, by_whom, in_order, of_one_name
from bot.month.releases import LATEST, NEWEST, WHICH, is_final, is_of_whole, releases
from bot.settings import Settings
from bot.story.digest import Digest, TeamContext, month_digest, nothing_known, of_machines, with_merged, with_names
from bot.story.documents import (
    ChangesDocument,
    DigestDocument,
    MonthDocument,
    NamedPerson,
    PeopleDocument,
    ReleaseDocument,
    TopicDocument,
)
from bot.story.lines import distinct_names, hidden_by_hand, in_span, on
from bot.story.lists import (
    ChangeState,
    Listing,
    Order,
    Where,
    changes_document,
    releases_document,
    who_document,
)
from bot.story.month import month_document
from bot.wording import KINDS, clean, count, listed
from storage import Store
from storage.search import is_named, is_said, words_in

if TYPE_CHECKING:
    from bot.ask.correcting import Corrector
    from bot.ask.explain import Explanations
    from bot.ask.releases import Released
    from bot.story.documents import ProfileDocument
    from storage.commits import Commits

Named = str | Person
Default = Literal["last month", "if sought", "ever"]  # the time of a query that names none
When = AnyPeriod | Span | str | None
TAGS = "tags:"  # before what is a tag, whatever it looks like
MOST_MONTHS = 12  # of a person in one answer,
EVERY = 12_000  # and where all of them are wanted
RECENT = 30  # days
LONGEST = 366  # days of everyone in one answer, in repositories that hold more than
MOST_WHOLE = 20_000  # commits
LONGEST_WITH_DIFFS = 62  # days of a digest for which it is looked whether tests that were turned off still are
MOST_TEST_LINES = 30  # of a change of tests alone that may only turn some off
LONGEST_RELEASE = timedelta(days=3650)  # whose weeks are counted; dates lie
MOST_LATE = 15  # changes that a post tells one by one though they came before its period
MOST_EXPLAINED = 10  # changes on a topic, for which enough are looked at
MOST_FOUND = 1_000  # commits on a topic or a path at any time, the newest
MOST_CALLED, MOST_ACTIVE = 8, 50  # people whom a name may mean, and who were active
_KIND_CALLED: Mapping[str, Kind] = {
    word: kind for kind, words in KINDS.items() for word in (kind, f"{kind}s", *words[1:], words[0].casefold())
}
NOTHING_WANTED = Listing()
LANDED = "Counted by the day each came to the default branch."
WRITTEN = "Counted by the day each was written."
_YEAR = re.compile(r"(?:19|20)\d\d")
_SAID_AS: Mapping[str, Sequence[str]] = {  # how titles say it, too
    "security": ("CVE", "GHSA", "vulnerability"), "dependency": ("deps",), "dependencies": ("deps",),
}  # fmt: skip
_BOTS = ("bot", "bots", "machines")


class Limits(TypedDict, total=False):
    """What every query may be limited to; see above."""

    repositories: Sequence[str]
    topic: str | None
    topic_in: Literal["subject", "body", "path"] | None
    paths: Sequence[str]
    only: bool
    size: Sequence[str]
    without: Sequence[str]
    team: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    """What a query is limited to, looked up once. `index` reads nothing else. `span` is None of any time."""

    index: Queries
    repositories: tuple[str, ...]
    every: Sequence[Repository]
    span: Span | None
    released: tuple[Released, ...] = ()
    team: str | None = None
    members: Sequence[Person] | None = None
    notes: tuple[str, ...] = ()

    @property
    def sought(self) -> Sought:
        return self.index.sought

    @property
    def about(self) -> str:
        """What it is limited to, as it follows whose changes they are."""
        release = f" in {self.index.releases.title(self.released)}" if self.released else ""
        return f"{self.sought.in_words}{release}"

    @property
    def place(self) -> str:
        """Of whom, and where, it is, if not of everyone everywhere."""
        if not (self.team or self.repositories or self.sought.skipped):
            return ""
        where = listed(list(self.repositories))
        team = f"{self.team}, {where}" if self.team and where else self.team or where
        return clean(self.sought.titled(team or "everyone"))


@dataclass(eq=False, repr=False, kw_only=True)
class Queries(ReadableIndex):
    """The queries, over what one reader may read. `dataclasses.replace` makes them anew for another."""

    writer: Writer

    @classmethod
    def of(
        cls,
        store: Store,
        settings: Settings,
        zone: ZoneInfo | None = None,
        hidden: frozenset[str] = frozenset(),
        writer: Writer | None = None,
    ) -> Queries:
        """The index as the settings have it; in the configured zone unless another is given."""
        directory = PeopleDirectory(store, settings)
        return cls(
            store=store, settings=settings, zone=zone or settings.zone, directory=directory,
            writer=writer or Writer(settings, store), hidden=hidden,
        )  # fmt: skip

    # --- somebody's months

    def month(
        self, people: Named | Sequence[Named], span: When | Sequence[When] = None, *, recent: bool = False,
        most: int = MOST_MONTHS, **limits: Unpack[Limits],
    ) -> list[MonthDocument]:  # fmt: skip
        """What one or several people did: a document a person and month, newest first, at most twelve months each; of
        days that are no whole months, or of each of several spans, one of all of it. Each has counts, the changes with
        their state, reviews, and what was written before and came then.

        Default: last month. With `recent` and no span the last 30 days, or where somebody has nothing in them, the last
        month in which they have something; the notes say which. With a topic or paths it is that part of the month.

        month("Jerry Zhang", "2026-03", topic="mx formats", without=("docs",))
        """
        side_by_side = isinstance(span, Sequence) and not isinstance(span, str)
        spans: Sequence[When] = span if isinstance(span, Sequence) and not isinstance(span, str) else [span]
        found = []
        for one in _several(people):
            for each in spans:
                scope = self._scope(each, limits, mentions=True)
                person = scope.index._person(one, scope.span)
                notes = list[str]()
                if recent and each is None:
                    scope, notes = scope.index._recently(person, scope)
                found += scope.index._months(person, scope, notes, max(1, most), as_one=side_by_side)
        return found

    def _recently(self, person: Person, scope: _Scope) -> tuple[_Scope, list[str]]:
        """The last 30 days; or the last month in which somebody has something, and a note that says so."""
        today = self.settings.now().astimezone(self.zone).date()
        days = Days(today - timedelta(RECENT - 1), today + timedelta(1))
        start, end = days.bounds(self.zone)
        if scope.sought or scope.repositories:
            long = scope.index.of_person(person, start - timedelta(LONGEST), end, scope.repositories).commits
            newest = max((one.dated(self.store.dates).at for one in long), default=None)
        else:
            newest = self.store.commits.latest(end, person.identities, without=sorted(self.hidden))
        if newest is None or newest >= start:
            return replace(scope, span=days), [f"The last {RECENT} days."]
        month = Month.of(newest, self.zone)
        note = f"Nothing in the last {RECENT} days: this is the last month with anything, {month.title}."
        return replace(scope, span=MonthRange(month, month)), [note]

    def _months(
        self, person: Person, scope: _Scope, said: Sequence[str], most: int, *, as_one: bool
    ) -> list[MonthDocument]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones."""
        person, months, dates = self.called(person), scope.span or every_month(self.present()), self.store.dates
        whole = None
        if scope.released:
            whole, months, more = self._in_releases(scope)
            said = [*said, *more]
        if as_one and not (isinstance(months, Days) or months.is_one):
            months = Days.of(months)
        last: AnyPeriod = months if isinstance(months, Days) else months.last
        only = last if isinstance(months, Days) or months.is_one else None

        def by_month_of(commits: Iterable[Commit], date: Dates) -> dict[AnyPeriod, list[Commit]]:
            found: dict[AnyPeriod, list[Commit]] = {}
            for commit in commits:
                found.setdefault(only or Month.of(commit.dated(date).at, self.zone), []).append(commit)
            return found

        material, earlier = self._theirs(person, scope, months, whole)
        by_month, before = by_month_of(material.commits, dates), by_month_of(earlier.commits, "came")
        others = by_month_of(material.left_out, dates)
        material = replace(material, histories={**earlier.histories, **material.histories})
        context, until = self.facts_context(scope.every, material), self.writer.until()
        credited = [pair for pair in material.credited if not context.corrections.hides(pair[1], material.histories)]
        helped = by_month_of((commit for _, commit in credited), dates)
        active: list[AnyPeriod] = sorted({*by_month, *helped, *before}, key=str, reverse=True)
        wanted = [only] if only else active or [last]
        found = []
        for month in wanted[:most]:
            notes = [*said, *left_out(others.get(month, [])), *material.notes, *scope.notes]
            if self.sought.without_repositories:
                notes.append(f"Left out: {self.sought.skipped}.")
            if month not in active:
                if not only:
                    notes.append(f"There are no commits{scope.about} from {months.title}.")
                notes += [] if scope.sought else self.activity.nearest(person, months)
            of_month = {commit.sha for commit in helped.get(month, ())}
            facts = month_facts(
                person, month, by_month.get(month, []), context, notes, before=before.get(month, ()),
                helped=helped_with(person, [pair for pair in credited if pair[1].sha in of_month], context.names),
            )  # fmt: skip
            found.append(facts)
        if older := wanted[most:]:
            left = count(len(older), "older month")
            note = f"{left} left out, back to {older[-1].title}; ask for them by name."
            found[0] = replace(found[0], notes=(*found[0].notes, note))
        ignored = self.tests_ignored(change for facts in found for change in facts.changes)
        topics = self.topics(found, person)
        documents, about = [], clean(scope.about)
        for facts in found:
            document = replace(month_document(facts, ignored, topics), about=about or None)
            if not about:
                document = self.writer.written("month", [facts], document, until, hunks=self.hunks)
            documents.append(document)
        return documents

    def _theirs(self, person: Person, scope: _Scope, months: Span, whole: Material | None) -> tuple[Material, Material]:
        """What somebody wrote in a time, or of the whole of some releases; and what came in it, written before."""
        if whole:
            own, names = person.signatures, self.known.coauthors
            theirs = tuple(
                one for one in whole.commits if one in own or any(own.overlaps(who.signatures) for who in names(one))
            )
            return replace(whole, commits=theirs), Material((), (), {})
        written = scope.index.of_person(person, *months.bounds(self.zone), scope.repositories)
        return written, self._earlier(person, scope, months)

    def _earlier(self, person: Person, scope: _Scope, months: Span) -> Material:
        """What of somebody's came in a time and was written before it."""
        if self.store.dates != "author":  # nothing is in another month than that in which it came
            return Material((), (), {})
        (start, end), is_one = months.bounds(self.zone), isinstance(months, Days) or months.is_one

        def is_earlier(one: Commit) -> bool:
            begins = start if is_one else Month.of(one.came, self.zone).bounds(self.zone)[0]
            return not one.is_merge and one.author.at < begins

        places, came = scope.repositories, self.store.came
        chosen = Chosen(is_earlier, written_before=start if is_one else None)
        return scope.index.of_everyone(start, end, person.identities, places, by=came, chosen=chosen)

    def profile(self, person: Named, **limits: Unpack[Limits]) -> ProfileDocument:
        """A person's whole history: spans, counts, recurring work, repositories, and each month.

        profile("Grace Hopper")
        """
        from bot.story.profile import profile_document  # a month can do without

        scope = self._scope(None, limits, default="ever", mentions=True)
        who = scope.index.called(scope.index._person(person, None))
        start, end = every_month(self.present()).bounds(self.zone)
        material = scope.index.of_person(who, start, end, scope.repositories)
        context = scope.index.facts_context(scope.every, material)
        whole = whole_facts(who, material.commits, material.credited, context)
        notes = (*material.omissions, *hidden_by_hand([whole]), *scope.notes)
        return profile_document(replace(whole, notes=(*notes, *whole.notes)))

    # --- what came

    def team(self, span: When = None, **limits: Unpack[Limits]) -> DigestDocument:
        """What came to the default branches in a time: of everyone, of a team, of repositories, or of a release. Bots
        are counted, not listed. `notable` has the releases of the time, each with its day: when, and how often.

        Default: last month. At most a year.

        team("2026-03", repositories=("pytorch/ao",)); team("v2.4..v2.5"); team("2026-W12", team="engine")
        """
        scope = self._scope(span, limits)
        index, title, release, is_long = scope.index, scope.place or "everyone", None, False
        period: AnyPeriod
        if scope.released:
            material, days, notes = index._in_releases(scope)
            title = index.sought.titled(self.releases.title(scope.released))
            title += f": {scope.team}" if scope.team else ""
            period, release = days, self.releases.document(scope.released)
        else:
            when, notes = _within_a_year(scope.span or self._last_month)
            days = Days.of(when)
            period = when.last if isinstance(when, MonthRange) and when.is_one else days
            whose = identities_of(scope.members) if scope.members is not None else None
            bounds, came = days.bounds(self.zone), self.store.came
            material = scope.index.of_everyone(*bounds, whose, scope.repositories, scope.members or (), came)
            is_long = (days.end - days.first).days > LONGEST_WITH_DIFFS
        title = clean(f"{title}{scope.sought.in_words}")
        digest = index._digest(title, period, material, scope.every, scope.members, with_diffs=not is_long)
        named = replace(digest, document=with_names(digest))
        return index._digest_document(named, material, [*notes, *scope.notes], release)

    def _in_releases(self, scope: _Scope) -> tuple[Material, Days, list[str]]:
        """What releases hold, from when to when that is, and what must be said of it."""
        released = scope.released
        beside, lacking = self.releases.beside(released)
        material = scope.index.of_these([*self._of({one.repository: one.shas for one in released}), *beside])
        ends = [one.tag.at for one in released if one.tag]
        days, now = [commit.came for commit in material.commits], self.settings.now()
        last = min(max(ends or days, default=now), now).astimezone(self.zone).date()
        first = min(max(min(days, default=now).astimezone(self.zone).date(), last - LONGEST_RELEASE), last)
        return material, Days(first, last + timedelta(1)), self.releases.notes(released, lacking)

    def digest(
        self,
        month: AnyPeriod,
        team: str | None = None,
        repositories: Sequence[str] = (),
        *,
        members: Sequence[Person] | None = None,
        called: str = "",
        chosen: Chosen = ALL,
    ) -> DigestDocument:
        """The document of a post: of what came in a period, of everyone's, of a team's, or of some people's, who are
        `called` something, with what is late."""
        every = self.named(repositories)
        start, end = month.bounds(self.zone)
        members = self.members(team) if team and self.settings.team(team) else members
        whose = identities_of(members) if members is not None else None
        title = self.sought.titled(team or called or listed(list(repositories)) or "everyone")
        material = self.of_everyone(start, end, whose, repositories, members or (), self.store.came, chosen)
        shas = {sha for some in chosen.late.values() for sha in some}
        late = [one for one in material.commits if one.sha in shas]
        of_late = replace(material, commits=tuple(late))
        changes = all_changes(self._digest(title, month, of_late, every, members, briefly=True).months) if late else ()
        notes = list[str]()
        if len(changes) > MOST_LATE:
            material = replace(material, commits=tuple(one for one in material.commits if one.sha not in shas))
        elif changes:
            notes.append(f"Told late: {count(len(changes), 'change')} that came before {month.title}.")
        document = self._digest_document(self._digest(title, month, material, every, members), material, notes)
        if len(changes) <= MOST_LATE:
            return document
        since = self.store.came.between(min(one.came for one in late), end, repositories=list(repositories) or None)
        return with_merged(document, changes, start, since, self.zone)

    def _digest_document(
        self, digest: Digest, material: Material, notes: Sequence[str] = (),
        release: tuple[ReleaseDocument, ...] | None = None,
    ) -> DigestDocument:  # fmt: skip
        """The document of a digest of everyone or of a team; with further notes, or of releases."""
        notes = [clean(note) for note in (*material.omissions, *notes)]
        document = replace(digest.document, notes=(*digest.document.notes, *notes), release=release)
        if material.found:
            return document
        return self.writer.written("digest", digest.months, document, self.writer.until(), digest.document.digest)

    def _digest(
        self, title: str, period: AnyPeriod, material: Material, repositories: Sequence[Repository],
        team: Sequence[Person] | None, *, with_diffs: bool = True, briefly: bool = False,
    ) -> Digest:  # fmt: skip
        context = replace(self.facts_context(repositories, material), dates="came")
        people, bots = self.known.everyone, self.settings.bots

        def known(months: Sequence[MonthFacts]) -> TeamContext:
            return self._team_context(period, months, with_diffs=with_diffs)

        found = nothing_known if briefly else known
        return month_digest(title, period, people, material.commits, context, bots, team, found)

    def _team_context(self, period: AnyPeriod, months: Sequence[MonthFacts], *, with_diffs: bool) -> TeamContext:
        """What a team's post is made by: areas; the topic merges; the releases, and what they hold; which tests that
        were turned off still are; and what change files call breaking."""
        changes = all_changes(months)
        names = sorted({commit.repository for one in changes for commit in one.commits})
        start, end = period.bounds(self.zone)
        kept = self.store.commits.areas(names)
        areas = {name: Areas(kept[name], tuple(self.settings.areas_of(name))) for name in names}
        tags = [one for one in releases(self.releases.tags(names)) if start <= one.at < end] if names else []
        small = [
            one
            for one in changes
            if with_diffs and places_of(one.lead) == {"test"}
            and lines_of(one.lead.files) <= MOST_TEST_LINES
        ]  # fmt: skip
        off = frozenset(id for id, one in self.tests_ignored(small).items() if one.off)
        released = self.releases.first_with(tags) if with_diffs else None
        breaking = self.diffs.breaking(one.lead for one in changes) if with_diffs else ()
        return TeamContext(areas, self.topics(months), off, tags, released, frozenset(breaking))

    # --- lists

    def changes(
        self,
        people: Named | Sequence[Named] = (),
        span: When = None,
        *,
        kinds: Sequence[Kind] = (),
        states: Sequence[ChangeState] = (),
        order: Order | None = None,
        limit: int | None = None,
        first_time: bool = False,
        references: Sequence[str] = (),
        **limits: Unpack[Limits],
    ) -> ChangesDocument:
        """A list of changes, with how many there are, and how many of each kind, person and repository: of some people,
        a team or everyone. A row has 12 digits of the hash, day, author, title, kind, state, and of what was reverted
        the reason in the reverter's words; the 50 largest, those of one kind together, on a topic at any time the
        latest first.

        `kinds` are of feature, fix, performance, refactor, docs, test, build, ci, revert, release, chore; a revert is
        what reverts. `states`: reverted (taken out: of people at whatever time since, of everyone in the span, whenever
        it was written), partly, relanded, breaking (its author says so), unreleased (in no release; needs tags), tagged
        (the releases, without candidates: days, who made each, and how many days lie between them). `order`: "size"
        (changed lines, within `paths` where given, which each row then has), "latest" (by the day written), "landed"
        (by the day it came to the default branch), "first"; "files": no changes but the files that most of them touch,
        each with how many do. `limit` is of rows. `first_time`: of those alone whose
        first commit ever in these repositories is in the span. `references`: of these commits alone. Bots are counted
        in a note, but for what people wrote with them, which `without=("bots",)` leaves out too, and unless they are
        asked for by name.

        Somebody's are of the days on which they were written, those of everyone or a team of those on which they came
        to the default branch, unless an order by another is asked for.

        Default: last month; with a topic, paths, or an order by time, any time.

        changes("Grace Hopper", "2026-03", kinds=("fix",)); changes(paths=("torchao/float8",), order="landed", limit=1)
        """
        if "tagged" in states:
            return self._tagged(people, span, Listing(order=order, limit=limit), limits)
        by_time: Default = "ever" if order in ("latest", "landed", "first") else "if sought"
        wanted = Listing(kinds=tuple(kinds), states=tuple(states), order=order, limit=limit)
        default: Default = "last month" if first_time else by_time
        listing = self._listed(people, span, limits, wanted, default, first_time=first_time, references=references)
        about = f"{listing.about} by first-time contributors" if first_time else listing.about
        is_ever = listing.span is None and bool(listing.found) and not (isinstance(span, str) and span)
        return changes_document(replace(listing, about=about, is_ever=is_ever))

    def who(
        self, span: When = None, *, people: Named | Sequence[Named] = (), kinds: Sequence[Kind] = (),
        order: Order | None = None, limit: int | None = None, first_time: bool = False,
        references: Sequence[str] = (), **limits: Unpack[Limits],
    ) -> TopicDocument:  # fmt: skip
        """Who worked on a topic or on paths: people, those of most changes first, at any time who made one in the last
        year before others, each with how many, the first and the last day, and their latest changes.
        `order="most"`: by the number of changes alone; "landed": who touched it last comes first, by the day on which
        it came to the default branch; "latest": by the day written; "first": who began. `first_time`: who is new, whose
        first commit ever in these repositories is in the span; then a topic is not needed. Who worked at all in a time
        is told by the days of writing.
        `references`: who made these commits. No bots, but who wrote with one.

        Default: any time; with `first_time` or without a topic and paths last month.

        who(topic="flash attention"); who(paths=("torchao/float8/inference.py",), order="landed")
        """
        is_sought = any(limits.get(name) for name in ("topic", "paths")) or first_time or references
        wanted = Listing(kinds=tuple(kinds), order=order, limit=limit, is_written=not is_sought)
        default: Default = "last month" if first_time else "if sought"
        listing = self._listed(people, span, limits, wanted, default, first_time=first_time, references=references)
        return who_document(listing, limits.get("topic"), is_new=first_time)

    def _tagged(self, people: Named | Sequence[Named], span: When, wanted: Listing, limits: Limits) -> ChangesDocument:
        """The releases of a time, or those that are named, of anybody or of some people: of the whole of a repository,
        where it tags its parts as well."""
        named = _time_or_tags(span) if span else ""
        named = named if isinstance(named, str) else ""
        names = [one for one in named.split("..") if one not in ("", LATEST, NEWEST)]
        scope = self._scope(None if named else span, {"repositories": limits.get("repositories", ())}, default="ever")
        where, notes = [one.name for one in scope.every], list[str]()
        every = releases(self.releases.tags(where))
        tags = [one for name in names for one in self.releases.named(name, where)]
        if not names:
            whole = {one.repository for one in every if is_of_whole(one)}
            tags = [one for one in every if is_final(one) and (is_of_whole(one) or one.repository not in whole)]
        if scope.span:
            start, end = scope.span.bounds(self.zone)
            tags = [one for one in tags if start <= one.at < end]
            others = sum(start <= one.at < end and not is_final(one) for one in every)
            notes += [f"{count(others, 'candidate')} before a release not counted."] * bool(others)
        made = self.releases.made(sorted(tags, key=lambda one: (one.at, one.name), reverse=True))
        if len(made) < len(tags):
            notes.append(f"{count(len(tags) - len(made), 'more release')} cannot be read here now.")
        who = [self._person(one, scope.span) for one in _several(people)]
        theirs = Signatures(identities_of(who))
        made = [one for one in made if not who or one[1] in theirs]
        if not all(is_said for _, _, is_said in made):
            notes.append("Where a tag does not say who made it, it is who wrote the commit that it names.")
        listing = replace(
            wanted, span=scope.span, zone=self.zone.key, notes=(*scope.notes, *notes),
            to_date=scope.span is not None and not scope.span.is_over(self.settings.now(), self.zone),
            whose=clean(listed(distinct_names(who))), place="" if who else scope.place,
        )  # fmt: skip
        today = self.settings.now().astimezone(self.zone).date()
        return releases_document(listing, [(tag, one, self.known.name_of(one)) for tag, one, _ in made], today)

    def reviews(
        self,
        person: Named | None = None,
        role: Literal["by", "of"] = "by",
        reference: str | Sequence[str] | None = None,
        span: When = None,
        **limits: Unpack[Limits],
    ) -> ChangesDocument:
        """What trailers say of reviews: changes that a person reviewed (role "by"), or a person's changes with who
        reviewed them or wrote them with them ("of"), or without a person those of a `reference` (a hash, "ao#12").

        Default: last month; "of" with a topic or paths, any time.

        reviews("Grace Hopper", "of", span="2026-03"); reviews(reference="#4021")
        """
        scope = self._scope(span, limits, default="ever" if reference else "if sought")
        index, known = scope.index, scope.index.known
        if reference:
            return index._reviewers_of([reference] if isinstance(reference, str) else reference, scope)
        if person is None:
            raise PersonUnknown("Whose reviews do you mean? Name somebody", said="")
        who = index._person(person, scope.span)
        if role == "of":
            listing = index._filled(scope, [who], Listing(relation="helped"))
            (facts,) = listing.spans
            others = helpers(known, facts.changes, who.signatures)
            notes = (*listing.notes, *unmatched_reviewers(known, facts.commits))
            return changes_document(replace(listing, others=others, notes=notes))
        months = scope.span or every_month(self.present())
        bounds = months.bounds(self.zone)
        credited = index._credited(who, *bounds, scope.repositories, self.store.commits)
        material = index.of_these([commit for role, commit in credited if role == "reviewer"])
        theirs = by_author(known.everyone, material.commits)
        wanted = Listing(relation="reviewed", notes=tuple(material.omissions))
        return changes_document(index._list_of(scope, [who], wanted, theirs, material))

    def _reviewers_of(self, references: Sequence[str], scope: _Scope) -> ChangesDocument:
        from bot.ask.explain import commits_meant

        commits, known = [one for name in references for one in commits_meant(name, self)], self.known
        material = scope.index.of_these(commits)
        if not material.commits:
            raise CommitUnknown("whoever wrote this commit asked not to be shown, so I tell nothing of it")
        notes = (*material.omissions, *unmatched_reviewers(known, material.commits))
        theirs = by_author(known.everyone, material.commits)
        listing = self._list_of(scope, [], Listing(relation="helped", notes=notes), theirs, material)
        others = dict[str, dict[str, str]]()
        for one in listing.spans:
            author = known.author(one.commits[0]) if len(references) == 1 else None
            others |= helpers(known, one.changes, (author or one.person).signatures)
        place = clean(listed(list(references))) if len(references) < MOST_CALLED else f"these {len(references)} changes"
        return changes_document(replace(listing, others=others, place=place, span=None))

    # --- one change, and names

    def explain(
        self,
        references: Sequence[str] = (),
        span: When = None,
        *,
        people: Named | Sequence[Named] = (),
        kinds: Sequence[Kind] = (),
        reverted: bool = False,
        release: str | None = None,
        deed: str | None = None,
        **limits: Unpack[Limits],
    ) -> Explanations:
        """What a commit is, whose, when, why in its author's words, its fate, copies and release: of several references
        ("#4021", "ao#12", a hash), each briefly. By `topic` or a path, which it needs then, the best three, with
        their messages, and before them the first that named it; but with `reverted` ("why was X reverted"), `kinds`,
        `people` or `span` only those that fit. `release`: also whether each is in some releases ("v2.4",
        or "v2.4..v2.5" for both), and its copies there; "which" where only that is asked. `deed`: what was done
        to it ("remove OR drop"): what has that in its title comes first.

        explain(["#4021"]); explain(topic="blockwise fp8"); explain(topic="typing", reverted=True)
        """
        from bot.ask.explain import Explainer

        scope = self._scope(span, limits, default="ever", mentions=True)
        months, within = scope.span, frozenset(sha for one in scope.released for sha in one.shas)
        if scope.released:
            scope = replace(scope, index=self.about(replace(scope.sought, within=within)))
        index = scope.index
        names = tuple(filter(None, release.split(".."))) if release and release != WHICH else ()
        explainer = Explainer(index, names if release else None)
        if references:
            return explainer.of_each(references, scope.repositories)
        if not scope.sought.is_positive:
            raise CommitUnknown("name a commit: the first digits of its hash, or #12 of its subject")
        named = [index._person(one, months) for one in _several(people)]
        of_several = release and len(scope.sought.topic) > 1
        is_narrowed = named or kinds or reverted or deed or months or replace(scope.sought, topic=()) or of_several
        first = () if is_narrowed else index._oldest(scope)
        found, _ = index._ever(scope, Listing(order="latest", limit=MOST_EXPLAINED))
        return explainer.of_topic(found, first, named, reverted=reverted, kinds=kinds, deed=deed or "")

    def _oldest(self, scope: _Scope) -> list[Commit]:
        """The commits that came first, of those that name what is sought in their titles; where there are none, of
        those whose titles say its words, else of those that say them at all."""
        found, topics = self._ever(scope, Listing(order="first", limit=MOST_EXPLAINED))[0].commits, scope.sought.topic
        said = sorted(found, key=lambda one: (one.came, one.key))
        named = [one for one in said if any(is_named(topic, one.subject) for topic in topics)]
        return named or [one for one in said if any(is_said(topic, one.subject) for topic in topics)] or said

    def people(
        self, name: str, span: When = None, *, repositories: Sequence[str] = (), limit: int = MOST_ACTIVE
    ) -> PeopleDocument:
        """Whom a name may mean: each with addresses, commits in the span and in all, first and last month; bots too.
        Where nobody has it, the names most like it. An empty name: who is active in the span, those of most commits,
        merges not counted, with the months in which each came and was last there, unless repositories are named.

        Default: last month. "ever" is any time.

        people("sam"); people("", "2026-W12"); people("", "ever", limit=5)
        """
        every = every_month(self.present())
        months, _ = self._when(every if span == "ever" else span or self._last_month, ())
        when, directory = months or self._last_month, self.known.directory
        places = {one.name for one in self.named([self._repository(one) for one in repositories])}
        counted = {
            person: here
            for person, theirs in self.activity.counted(when).items()
            if (here := {where: many for where, many in theirs.items() if where in places})
        }
        if name.strip():
            levels = (directory.exactly(name, levels=(level,)) for level in range(5))  # who only has it in part as well
            named = dict.fromkeys([*(one for some in levels for one in some), *directory.begins(name)])
            people = [one for one in named if not self.known.is_hidden(one)]
        else:
            people = [one for one in counted if not is_bot(one, self.settings.bots)]
        ranked = sorted(people, key=lambda one: (-sum(counted.get(one, {}).values()), -one.commits, one.name))
        shown = ranked[: MOST_CALLED if name.strip() else max(1, min(limit, MOST_ACTIVE))]
        rows = []
        for person, called in zip(shown, distinct_names(shown), strict=True):
            theirs, active = counted.get(person, {}), self.activity.months(person) if not repositories else []
            rows.append(
                NamedPerson(
                    name=clean(person.name), addresses=tuple(map(clean, person.addresses)), called=clean(called),
                    commits=sum(theirs.values()), every=person.commits,
                    first=str(active[0]) if active else None, last=str(active[-1]) if active else None,
                    repositories=tuple(sorted(map(clean, theirs))),
                )
            )  # fmt: skip
        nearest = () if people or not name.strip() else tuple(map(clean, self.known.nearest(name)))
        first, last = when.ends if when != every else (None, None)
        who = count(len(people), "person", "people")
        at = f" in {clean(listed(sorted(places)))}" if repositories or len(places) == 1 else ""
        to_date = not when.is_over(self.settings.now(), self.zone)
        at += f" {in_span(when, to_date)}" if when != every else ""
        total = count(sum(many for one in people for many in counted.get(one, {}).values()), "commit")
        said = f"{who} wrote {total}{at}, merges not counted."
        said = f"{who} may be meant by “{clean(name)}”." if name.strip() else said
        more = len(ranked) - len(shown)
        return PeopleDocument(
            title=clean(name) or "Who is active", from_=first, to=last, zone=self.zone.key,
            to_date=to_date, headline=Sentence(said, ()), repositories=(),
            indexed_at=None, notes=(f"{count(more, 'other')} not shown.",) if more else (), people=tuple(rows),
            nearest=nearest,
        )  # fmt: skip

    # --- what they have in common

    @property
    def _last_month(self) -> MonthRange:
        return MonthRange(self.present() - 1, self.present() - 1)

    def _when(self, span: When, repositories: Sequence[str]) -> tuple[Span | None, tuple[Released, ...]]:
        """A time, months where it is whole ones, or what a tag names. Raises AlmanacError."""
        if span is None:
            return None, ()
        read = _time_or_tags(span)
        if isinstance(read, str):
            return None, tuple(self.releases.asked(read, repositories))
        return read.months or read, ()

    def _person(self, one: Named, span: Span | None) -> Person:
        if isinstance(one, Person):
            return self.shown(one)
        return self.person(one, span or MonthRange(self.present(), self.present()))

    def _scope(
        self, span: When, limits: Limits, wanted: Listing = NOTHING_WANTED, *,
        default: Default = "last month", mentions: bool = False,
    ) -> _Scope:  # fmt: skip
        """What a query is limited to. With nothing for a span it is last month, or any time where that is the
        `default`, always or if something is looked for."""
        repositories = tuple(self._repository(one) for one in limits.get("repositories", ()) or ())
        topics = [
            part for one in (limits.get("topic") or "").split(" OR ") if any(map(str.isalnum, part := one.strip()))
        ]
        paths = [part for one in limits.get("paths", ()) or () if (part := one.strip())]
        if limits.get("topic") and not topics and not paths:
            raise AlmanacError(f"“{clean(str(limits['topic']))[:80]}” has no word that could be looked for.")
        if paths and not limits.get("topic_in"):  # on the optimizer, in src/optimizer, is what is in there
            named = {word for one in paths for word in words_in(one.strip("/ ").rpartition("/")[2])}
            topics = [one for one in topics if not named.issuperset(words_in(one))]
        if topics and not paths and all(map(self.is_path, topics)):
            topics, paths = [], topics
        elif len(topics) == 1:
            topics += _SAID_AS.get(topics[0].casefold(), ())
        sought, notes = self._without(limits.get("without", ()) or ())
        sought = replace(
            sought,
            topic=tuple(topics[:MOST_ALTERNATIVES]),
            topic_in=limits.get("topic_in"),
            paths=tuple(paths),
            only=bool(limits.get("only")),
            kinds=wanted.kinds,
            size=tuple(limits.get("size", ()) or ()),
            mentions=mentions,
        )
        for one in sought.size:
            fits(one, ())
        every = [one for one in self.named(repositories) if one.name not in sought.without_repositories]
        when, released = self._when(span, [one.name for one in every] if sought.without_repositories else repositories)
        if released:
            repositories = tuple(one.repository for one in released)
        elif when is None and not (default == "ever" or (default == "if sought" and sought.is_positive)):
            when = self._last_month
        team, members = limits.get("team"), None
        if team:
            table = next((one for one in self.settings.teams if one.name.casefold() == team.casefold()), None)
            if table is None:
                there = listed([clean(name) for name in self.teams()])
                raise AlmanacError(f"There is no team called “{clean(team)}”{f'; there is {there}' if there else ''}.")
            team, members = table.name, self.members(table.name)
        return _Scope(
            index=self.about(sought), repositories=repositories, every=every, span=when,
            released=released, team=team, members=members, notes=tuple(notes),
        )  # fmt: skip

    def _repository(self, name: str) -> str:
        """A repository by its name, or by the last part of it that it alone has."""
        wanted = name.strip().casefold()
        known = [one.name for one in self.repositories]
        found = [one for one in known if one.casefold() == wanted]
        found = found or [one for one in known if one.casefold().rpartition("/")[2] == wanted]
        return found[0] if len(found) == 1 else name

    def _without(self, without: Sequence[str]) -> tuple[Sought, list[str]]:
        """What is left without some people, repositories, topics, paths and kinds; notes say of what there is
        nothing."""
        people, bots, places, notes = list[Person](), list[Person](), list[str](), list[str]()
        topics, paths, kinds = list[str](), list[str](), list[Kind]()
        known = {one.name for one in self.repositories}
        for one in filter(None, (text.strip() for text in without)):
            if _KIND_CALLED.get(one.casefold(), "chore") != "chore":
                kinds.append(_KIND_CALLED[one.casefold()])
            elif (place := self._repository(one)) in known:
                places.append(place)
            elif called := self.known.directory.exactly(one):
                if len(of_one_name(called)) > 1:
                    some = listed(distinct_names(called[:MOST_CALLED]), "or")
                    notes.append(f"“{clean(one)}” may be {clean(some)}: nobody was left out for it.")
                else:
                    people += [each for each in called if not self.known.is_hidden(each)]
            elif one.casefold() in _BOTS:
                bots = [each for each in self.known.everyone if is_bot(each, self.settings.bots)]
            elif self.is_path(one):
                paths.append(one)
            elif self.is_said(one):
                topics += [one, *_SAID_AS.get(one.casefold(), ())]
            elif self.hidden:  # of which it may be one
                notes.append("Not all that was to be left out is known here.")
            else:
                notes.append(f"Nobody and nothing is called “{clean(one)}”, so nothing was left out for it.")
        sought = Sought(
            without_topics=tuple(topics), without_paths=tuple(paths), without_kinds=tuple(kinds),
            without_people=tuple(people), without_bots=tuple(bots), without_repositories=frozenset(places),
        )  # fmt: skip
        return sought, notes

    def _reverting(
        self, commits: Sequence[Commit], histories: Mapping[Key, History]
    ) -> dict[Key, tuple[Commit, list[Commit]]]:
        """Those of some commits that revert something, by what they are linked with, or by themselves; and what."""
        outs = dict[Key, list[Commit]]()
        for history in {id(one): one for one in histories.values()}.values():
            for event in history.revert_events:
                if event.does == "reverts":
                    outs.setdefault(event.commit.key, []).append(history.originals[0])
        return {
            one.key: (one, outs.get(one.key, [])) for one in commits
            if one.key in outs or decided(one).kind == "revert"
        }  # fmt: skip

    def _listed(
        self, people: Named | Sequence[Named], span: When, limits: Limits, wanted: Listing, default: Default, *,
        first_time: bool = False, references: Sequence[str] = (),
    ) -> Listing:  # fmt: skip
        """What some people, a team or everyone did, or who made some commits, for a list as it is `wanted`."""
        from bot.ask.explain import commits_meant

        scope = self._scope(
            span, limits, wanted, default="ever" if references else default, mentions=bool(people or references)
        )
        index, places = scope.index, {one.name for one in scope.every}
        these, unknown = list[Commit](), list[CommitUnknown]()
        for name in references:
            try:
                these += [one for one in commits_meant(name, self) if one.repository in places]
            except CommitUnknown as error:  # of those of a thread some may be for other readers, or written anew since
                unknown.append(error)
        if unknown and len(unknown) == len(references):
            raise unknown[0]
        if unknown:
            note = f"{count(len(unknown), 'change')} of these cannot be found."
            wanted = replace(wanted, notes=(*wanted.notes, note))
        if "unreleased" in wanted.states:
            unreleased, notes = index._unreleased(scope)
            wanted = replace(wanted, unreleased=unreleased, notes=notes)
        named = [index._person(one, scope.span) for one in _several(people)]
        listing = index._filled(scope, named, wanted, these if references else None)
        if references and not listing.spans:
            listing = replace(listing, about=f"{listing.about} among these")
        if not first_time or not (scope.span or scope.released):
            return listing
        return replace(listing, spans=self._beginners(listing.spans, scope, None if people else "came"))

    def _beginners(self, spans: Sequence[MonthFacts], scope: _Scope, dates: Dates | None) -> tuple[MonthFacts, ...]:
        """What those did who have nothing before a time, by some date, or of a release before the one before it and the
        first that is told of them. Who are called alike are one: nobody is new whose namesake is not."""
        places, now = [one.name for one in scope.every], self.settings.now()
        if scope.span:
            new = self.activity.new([one.person for one in spans], scope.span.bounds(self.zone)[0], places, dates)
        else:
            before, new = [one.since.at + timedelta(seconds=1) for one in scope.released if one.since], []
            for one in spans:
                first = min([*before, *(commit.came for commit in one.commits)], default=now)
                new += self.activity.new([one.person], first, places, "came")
        found = dict[str, MonthFacts]()
        for one in (one for one in spans if one.person in new):
            same = found.setdefault(plain(one.person.name), one)
            if same is not one:
                found[plain(one.person.name)] = replace(same, changes=(*same.changes, *one.changes))
        return tuple(found.values())

    def _filled(
        self, scope: _Scope, people: Sequence[Person], wanted: Listing, these: Sequence[Commit] | None = None
    ) -> Listing:
        """What each of some people, of a team or of everyone did, as it stands now."""
        months = scope.span or every_month(self.present())
        by_day = wanted.order in ("latest", "first") and not (scope.span and scope.sought)
        is_written = wanted.is_written or by_day or (people and wanted.order != "landed")
        by = None if is_written else self.store.came
        if people and not scope.released and these is None:
            if scope.span or not wanted.limit or wanted.order not in ("latest", "landed"):
                return self._of_people(scope, people, wanted, months, by)
            before, out = months.bounds(self.zone)[1], sorted(self.hidden)
            end = (by or self.store.commits).latest(before, identities_of(people), without=out)
            last = (end or self.settings.now()).astimezone(self.zone).date()
            year = self._of_people(scope, people, wanted, Days(last - timedelta(LONGEST), last + timedelta(1)), by)
            if len(all_changes(year.spans)) >= wanted.limit:
                return replace(year, is_newest=True)
            return self._of_people(scope, people, wanted, months, by)
        if these is None:
            material, said = self._of_everyone(scope, wanted, months, by)
        else:
            (start, end), held = months.bounds(self.zone), {sha for one in scope.released for sha in one.shas}
            inside = [one for one in these if not scope.span or start <= (one.came if by else one.author.at) < end]
            material, said = self.of_these([one for one in inside if not scope.released or one.sha in held]), []
        if {*wanted.states} - {"breaking"}:
            material = self.with_reverted(material)
        known, bots, members = self.known, self.settings.bots, scope.members

        asked = Signatures(identities_of(people))

        def is_shown(one: Person) -> bool:
            if people:
                return asked.overlaps(one.signatures)
            return not is_bot(one, bots) and (members is None or one in members)

        # How much somebody did is what they wrote.
        with_them = known.coauthors if wanted.order != "most" else lambda commit: ()
        theirs, others = by_whom(known.everyone, material.commits, is_shown, with_them)
        machines = [one for one in others if is_bot(one, bots)]
        notes = (*material.omissions, *said)
        if members is None and not people and (line := of_machines(machines, others)):
            notes += (line,)
        return self._list_of(scope, people, replace(wanted, notes=(*wanted.notes, *notes)), theirs, material)

    def _of_everyone(
        self, scope: _Scope, wanted: Listing, months: Span, by: Commits | None
    ) -> tuple[Material, list[str]]:
        """What everyone did, or a team, in a time or in releases, for a list; and what must be said of it."""
        if scope.released:
            material, _, said = self._in_releases(scope)
            return material, said
        short, said = _within_a_year(months)
        if said and sum(self.store.commits.count(one.name) for one in scope.every) <= MOST_WHOLE:
            short, said = months, []
        if scope.span is None or (scope.sought and said):
            return self._ever(scope, wanted)
        whose = identities_of(scope.members) if scope.members is not None else None
        bounds = short.bounds(self.zone)
        material = self.of_everyone(*bounds, whose, scope.repositories, scope.members or (), by)
        return material, said + (_dated(material.commits, bounds, by is not None) if not wanted.states else [])

    def _of_people(
        self, scope: _Scope, people: Sequence[Person], wanted: Listing, months: Span, by: Commits | None
    ) -> Listing:
        """What each of some people did in a time; what is left out is said of each."""
        listing, every, found = wanted, list[MonthFacts](), dict[Key, Where]()
        for person in people:
            bounds = months.bounds(self.zone)
            material = scope.index.of_person(person, *bounds, scope.repositories, by)
            dated = _dated(material.commits, bounds, by is not None)
            is_empty = not (material.commits or scope.sought)
            notes = (*material.omissions, *(self.activity.nearest(person, months) if is_empty else ()), *dated)
            listing = self._list_of(scope, people, wanted, {person: material.commits}, material)
            every += [replace(one, notes=(*one.notes, *notes)) for one in listing.spans]
            found |= material.found
        about = found if scope.sought.topic else {}
        return replace(listing, spans=tuple(every), found=about, inside=scope.sought.holds_path(every))

    def _ever(self, scope: _Scope, wanted: Listing) -> tuple[Material, list[str]]:
        """What everyone did that is sought, at any time or in some years: the newest of it, or the oldest where that
        is wanted first."""
        sought, order = scope.sought, wanted.order
        if order not in ("latest", "landed", "first"):
            order = "landed" if scope.span else "latest"
        some = MOST_FOUND if wanted.order != order else min(MOST_FOUND, max(100, 20 * (wanted.limit or MOST_FOUND)))
        start, end = scope.span.bounds(self.zone) if scope.span else (None, self.present().bounds(self.zone)[1])
        about = self.store.topics.about
        places = scope.repositories or [one.name for one in scope.every]
        found = about(sought.topic, start, end, paths=sought.paths, repositories=places, order=order, limit=some)
        material = scope.index.of_these(found.commits)
        if some < MOST_FOUND and (found.since or len(found.commits) == some):
            return replace(material, is_newest=True), []
        if found.since:
            side = "newer" if order == "first" else "older"
            since = on(found.since, self.zone)
            return material, [f"There may be {side} ones than of {since}: ask for those months by name."]
        if found.files_since and sought.topic:
            return material, [f"Paths were looked at only since {on(found.files_since, self.zone)}."]
        return material, []

    def _unreleased(self, scope: _Scope) -> tuple[frozenset[str], tuple[str, ...]]:
        """The SHAs of what is in no release of each repository that has one, and what is said of the others."""
        tagged = {tag.repository for tag in self.releases.tags(scope.repositories)}
        released = [
            one for each in scope.every if each.name in tagged for one in self.releases.asked(LATEST, [each.name])
        ]
        notes = (f"{clean(one.name)} has no release that is known." for one in scope.every if one.name not in tagged)
        return frozenset(sha for one in released for sha in one.shas), tuple(notes)

    def _list_of(
        self, scope: _Scope, people: Sequence[Person], wanted: Listing, theirs: Mapping[Person, Sequence[Commit]],
        material: Material,
    ) -> Listing:  # fmt: skip
        """A list of some commits by whose they are, as they stand now."""
        span = scope.span
        months = span or every_month(self.present())
        last: AnyPeriod = months if isinstance(months, Days) else months.last
        context = self.facts_context(scope.every, material)

        def facts(who: Person, commits: Sequence[Commit]) -> MonthFacts:
            return span_facts(who, last, None, commits, context)

        def reverts(one: MonthFacts) -> MonthFacts:  # each by itself, also of what its author made in this time
            each = [pair[0] for pair in self._reverting(one.commits, material.histories).values()]
            changes = (change for commit in each for change in facts(one.person, [commit]).changes)
            return replace(one, changes=tuple(replace(change, kind="revert", is_sure=True) for change in changes))

        spans = tuple(facts(who, theirs[who]) for who in in_order(theirs))
        if wanted.kinds == ("revert",) or "reverted" in wanted.states:
            spans = tuple(map(reverts, spans)) if wanted.kinds == ("revert",) else spans
            pairs = self._reverting([one for each in spans for one in each.commits], material.histories)
            hides = (self.known.unshown.__contains__, scope.sought.skips)
            shown = {
                key: [one for one in what if not any(hide(one) for hide in hides)] for key, (_, what) in pairs.items()
            }
            wanted = replace(wanted, undone=shown)
        skipped = [f"Left out: {self.sought.skipped}."] if self.sought.skipped and people else []
        return replace(
            wanted, spans=spans, span=span, zone=self.zone.key,
            to_date=span is not None and not span.is_over(self.settings.now(), self.zone),
            whose=clean(listed(distinct_names(people))), place="" if people else scope.place,
            about=clean(f"x{scope.about}")[1:], found=material.found if scope.sought.topic else {},
            is_newest=material.is_newest, is_whole=bool(scope.sought.size), inside=scope.sought.holds_path(spans),
            notes=(*scope.notes, *wanted.notes, *skipped),
        )  # fmt: skip

    # --- corrections

    def corrector(self) -> Corrector:
        """What is said of changes by hand, and how to say it."""
        from bot.ask.correcting import Corrector

        return Corrector(self)


def _several(people: Named | Sequence[Named]) -> Sequence[Named]:
    return [people] if isinstance(people, str | Person) else people


def _time_or_tags(span: AnyPeriod | Span | str) -> Days | str:
    """A time, or the name of a tag or two. Raises AlmanacError where it can be neither."""
    if not isinstance(span, str):
        return Days.of(span)
    if span.startswith(TAGS):
        return span.removeprefix(TAGS)
    with suppress(ValueError):
        return Days.of(parse_any_period(f"{span}-01..{span}-12" if _YEAR.fullmatch(span) else span))
    if not any(map(str.isdigit, span)) and span not in (LATEST, NEWEST):
        words = "write 2026-03, 2026-03-01..2026-03-14, or a tag such as v2.5"
        raise AlmanacError(f"“{clean(span)}” is no time: {words}")
    return span


def _dated(commits: Iterable[Commit], bounds: tuple[datetime, datetime], by_landing: bool) -> list[str]:
    """A note on which days count, where others would leave out one of these commits."""
    other = ((one.author.at if by_landing else one.came) for one in commits)
    return [LANDED if by_landing else WRITTEN] if any(not bounds[0] <= at < bounds[1] for at in other) else []


def _within_a_year(span: Span) -> tuple[Span, list[str]]:
    """The last year of a longer time, and a note that says so."""
    days = Days.of(span)
    if (days.end - days.first).days <= LONGEST:
        return span, []
    short = Days(days.end - timedelta(LONGEST), days.end)
    if months := days.months:
        short = Days.of(MonthRange(months.last - 11, months.last))
    return short.months or short, [f"This is the last year of {span.title}; ask for what was before by name."]
