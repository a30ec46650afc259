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
- `without=("Jerry Zhang", "bots", "pytorch/torchrec", "typing", "docs", "docs/")`: none of these people, repositories,
  topics, kinds or paths. What nobody and nothing is called is said in the notes, and stops nothing;
- `team="engine"`: what its people did;
- `bots=True`: of `changes` and `who` theirs as well, as for the last commit by anybody.

*Documents* are frozen values, `to_json` prints them. Notes say what was left out, or taken otherwise than was asked.

*Errors*, each with a sentence for whoever asked: PersonUnknown (nobody, or several, who are named in it), PersonHidden,
RepositoryUnavailable, CommitUnknown, and AlmanacError for a team, a tag or a time that there is not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Literal, Self, Unpack
from zoneinfo import ZoneInfo

from bot.ask.people_directory import PeopleDirectory
from bot.ask.readable_index import (
    ALL,
    NOT_SHOWN,
    Chosen,
    Material,
    ReadableIndex,
    helpers,
    identities_of,
    left_out,
)
from bot.ask.scope import MOST_CALLED, Default, Limits, Named, Scope, When, scoped, several, time_or_tags
from bot.ask.writer import Writer
from bot.errors import CommitUnknown, PersonUnknown, ReleaseUnreadable
from bot.model import Change, Commit, Key, Kind, Person, Role, Sentence, Signatures
from bot.month.addresses import plain
from bot.month.areas import Areas
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.credits import is_bot
from bot.month.facts import FactsContext, MonthFacts, all_changes, helped_with, month_facts, span_facts, whole_facts
from bot.month.histories import History
from bot.month.kinds import decided
from bot.month.paths import lines_of, places_of
from bot.month.people import by_author, by_whom, full_names, in_order
from bot.month.releases import LATEST, NEWEST, WHICH, ChangeLog, before, begins_line, is_final, is_of_whole, releases
from bot.settings import Settings
from bot.story.digest import Digest, TeamContext, month_digest, of_machines, with_late, with_names
from bot.story.documents import ChangesDocument, DigestDocument, NamedPerson, PeopleDocument, TopicDocument
from bot.story.lines import distinct_names, hidden_by_hand, in_span, on
from bot.story.lists import BY_TIME, ChangeState, Listing, Order, changes_document, releases_document, who_document
from bot.story.month import month_document, profile_document
from bot.story.things import Notes
from bot.wording import clean, count, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.explain import Corrector, Explanations
    from bot.ask.releases import Released
    from bot.story.documents import MonthDocument, ProfileDocument, ReleaseDocument

MOST_MONTHS = 12  # of a person in one answer,
EVERY = 12_000  # and where all of them are wanted
RECENT = 30  # days
LONGEST = 366  # days of everyone in one answer, in repositories that hold more than
MOST_WHOLE = 20_000  # commits
LONGEST_WITH_DIFFS = 62  # days of a digest for which it is looked whether tests that were turned off still are
MOST_TEST_LINES = 30  # of a change of tests alone that may only turn some off
LONGEST_RELEASE = timedelta(days=3650)  # whose weeks are counted; dates lie
MOST_LATE = 15  # changes that a post tells one by one though they came before its period
ENOUGH_ENTRIES = 5  # of a change log that speaks for a release, or one for three of its commits where that is fewer
MOST_LOGS = 4  # releases of a time whose change logs are looked at, the newest
UNSAID = "…"  # in place of what a change says of itself and may not be told: no line, by which nothing is called
MOST_EXPLAINED = 10  # changes on a topic, for which enough are looked at
MOST_FOUND = 1_000  # commits on a topic or a path at any time, the newest
MOST_ACTIVE = 50  # people who were active
LANDED = "Counted by the day each came to the default branch."
WRITTEN = "Counted by the day each was written."
UNREAD = "What changes add to change logs is left out: it took too long to read."


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
        return cls(
            store=store, settings=settings, zone=zone or settings.zone, directory=PeopleDirectory(store, settings),
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
        spans: Sequence[When] = span if isinstance(span, Sequence) and not isinstance(span, str) else [span]
        found, are_several = [], spans is span
        for one, each in product(several(people), spans):
            index = scoped(self, each, limits, mentions=True)
            person = index._person(one)
            if recent and each is None:
                index = index._recently(person)
            found += index._months(person, max(1, most), as_one=are_several)
        return found

    def _person(self, one: Named) -> Person:
        """Who is meant, of several the one who was active in the time. Raises PersonUnknown and PersonHidden."""
        return self.shown(one) if isinstance(one, Person) else self.person(one, self.scope.span or self.present())

    def _recently(self, person: Person) -> Self:
        """Limited to the last 30 days; or to the last month in which somebody has something. A note says which."""
        scope, today = self.scope, self.settings.now().astimezone(self.zone).date()
        days = Days(today - timedelta(RECENT - 1), today + timedelta(1))
        start, end = days.bounds(self.zone)
        if scope.is_selective or scope.repositories:
            year = self.of_person(person, start - timedelta(LONGEST), end, scope.repositories).commits
            newest = max((one.dated(self.store.dates).at for one in year), default=None)
        else:
            newest = self.activity.around([person], Days(days.end, days.end + timedelta(1)))[0]
        if newest is None or newest >= start:
            return self.about(replace(scope, span=days, notes=(f"The last {RECENT} days.", *scope.notes)))
        month = Month.of(newest, self.zone)
        note = f"Nothing in the last {RECENT} days: this is the last month with anything, {month.title}."
        return self.about(replace(scope, span=Days.of(month), notes=(note, *scope.notes)))

    def _months(self, person: Person, most: int, *, as_one: bool) -> list[MonthDocument]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones."""
        person, dates = self.called(person), self.store.dates
        material, earlier, time, said = self._gathered(person)
        only = time.month or (None if time.months and not as_one else time)
        context = self.facts_context(self.every, material)
        own, before, others = (defaultdict[AnyPeriod, list[Commit]](list) for _ in range(3))
        helped = defaultdict[AnyPeriod, list[tuple[Role, Commit]]](list)
        for by_month, commits in ((own, material.commits), (others, material.left_out)):
            for one in commits:
                by_month[only or Month.of(one.dated(dates).at, self.zone)].append(one)
        for one in earlier:
            before[only or Month.of(one.came, self.zone)].append(one)
        for role, one in material.credited:
            if not context.corrections.hides(one, material.histories):
                helped[only or Month.of(one.dated(dates).at, self.zone)].append((role, one))
        active: list[AnyPeriod] = sorted({*own, *helped, *before}, key=str, reverse=True)
        wanted: list[AnyPeriod] = [only] if only else active or [time]
        said += self.activity.nearest([person], time) if not (active or self.scope.is_selective) else []
        found = []
        for month in wanted[:most]:
            notes = [*left_out(others[month]), *material.notes, *said]
            by_role = helped_with(person, helped[month], context.names)
            found.append(month_facts(person, month, own[month], context, notes, helped=by_role, before=before[month]))
        if older := wanted[most:]:
            note = f"{count(len(older), 'older month')} left out, back to {older[-1].title}; ask for them by name."
            found[0] = replace(found[0], notes=(*found[0].notes, note))
        ignored = self.tests_ignored(change for facts in found for change in facts.changes)
        topics, about, until = self.topics(found, person), clean(self._about) or None, self.writer.until()
        of_users = self._notes((commit for facts in found for commit in facts.commits), topics)
        if of_users is None:
            found[0] = replace(found[0], notes=(*found[0].notes, UNREAD))
        documents = [replace(month_document(facts, ignored, topics, of_users or {}), about=about) for facts in found]
        if about:
            return documents
        pairs = zip(found, documents, strict=True)
        return [self.writer.written("month", [facts], one, until, hunks=self.hunks) for facts, one in pairs]

    @property
    def _about(self) -> str:
        """What it is limited to, as it follows whose changes they are."""
        release = f" in {self.releases.title(self.scope.released)}" if self.scope.released else ""
        return f"{self.scope.in_words}{release}"

    def _gathered(self, person: Person) -> tuple[Material, Sequence[Commit], Days, list[str]]:
        """What somebody wrote in a time or of releases, what of theirs came in it and was written before, when that is,
        and what must be said of it."""
        said = [*self.scope.notes, *([f"Left out: {self.scope.skipped}."] if self.scope.skipped else [])]
        if self.scope.released:
            whole, days, more = self._in_releases()
            return replace(whole, commits=self._wrote(person, whole.commits)), (), days, [*said, *more]
        material = self.of_person(person, *self.time.bounds(self.zone), self.scope.repositories)
        earlier = self._earlier(person)
        histories = {**earlier.histories, **material.histories}
        return replace(material, histories=histories), earlier.commits, self.time, said

    def _wrote(self, person: Person, commits: Iterable[Commit]) -> tuple[Commit, ...]:
        """Those of some commits that somebody wrote, alone or with others."""
        own, coauthors = person.signatures, self.known.coauthors
        return tuple(c for c in commits if c in own or any(own.overlaps(one.signatures) for one in coauthors(c)))

    def _earlier(self, person: Person) -> Material:
        """What of somebody's came in a time and was written before it."""
        if self.store.dates != "author":  # nothing is in another month than that in which it came
            return Material()
        start, end = self.time.bounds(self.zone)
        is_one = bool(self.time.month or not self.time.months)
        found = self.store.came.between(
            start, end, identities=person.identities, repositories=list(self.scope.repositories) or None,
            written_before=start if is_one else None,
        )  # fmt: skip

        def begins(one: Commit) -> datetime:
            return start if is_one else Month.of(one.came, self.zone).bounds(self.zone)[0]

        def is_new(one: Commit) -> bool:  # and no copy of what was there before
            history = material.histories[one.key]
            again = any(event.commit == one for event in history.revert_events)
            return again or history.originals[0].came >= begins(one)

        material = self.of_these([one for one in found if not one.is_merge and one.author.at < begins(one)])
        return replace(material, commits=tuple(filter(is_new, material.commits)))

    def profile(self, person: Named, **limits: Unpack[Limits]) -> ProfileDocument:
        """A person's whole history: spans, counts, recurring work, repositories, and each month.

        profile("Grace Hopper")
        """
        index = scoped(self, None, limits, default="ever", mentions=True)
        who = self.called(index._person(person))
        material = index.of_person(who, *index.time.bounds(self.zone), index.scope.repositories)
        whole = whole_facts(who, material.commits, material.credited, index.facts_context(index.every, material))
        notes = (*material.omissions, *hidden_by_hand([whole]), *index.scope.notes)
        return profile_document(replace(whole, notes=(*notes, *whole.notes)))

    # --- what came

    def team(self, span: When = None, **limits: Unpack[Limits]) -> DigestDocument:
        """What came to the default branches in a time: of everyone, of a team, of repositories, or of a release. Bots
        are counted, not listed. `notable` has the releases of the time, each with its day: when, and how often.

        Default: last month. At most a year.

        team("2026-03", repositories=("pytorch/ao",)); team("v2.4..v2.5"); team("2026-W12", team="engine")
        """
        index, release, is_long = scoped(self, span, limits), None, False
        scope = index.scope
        title, members = scope.place or "everyone", scope.members
        period: AnyPeriod
        if scope.released:
            material, period, notes = index._in_releases()
            title = scope.titled(self.releases.title(scope.released))
            title += f": {scope.team}" if scope.team else ""
            release = self.releases.document(scope.released)
        else:
            when, notes = _within_a_year(index.time)
            period = when.month or when
            bounds, is_long = when.bounds(self.zone), (when.end - when.first).days > LONGEST_WITH_DIFFS
            material = index.of_everyone(*bounds, scope.repositories, members, self.store.came)
            if not (material.commits or scope.is_selective):
                notes = [*notes, *self.activity.nearest(members, when, came=True, only=scope.repositories)]
        title, notes = clean(f"{title}{scope.in_words}"), [*notes, *scope.notes]
        log = None
        if not scope.is_selective and members is None and len(scope.released) < 2:
            log = self._change_log(scope.released or ([] if is_long else self._released_in(period, material)))
            log = replace(log, tag="") if log and scope.released else log
        digest = index._digest(title, period, material, log, with_diffs=not is_long)
        return self._written(replace(digest, document=with_names(digest)), material, notes, release)

    def _released_in(self, period: AnyPeriod, material: Material) -> list[Released]:
        """The last releases of the whole of a repository in a time that begin a line, where what is told is of one."""
        names, (start, end) = {one.repository for one in material.commits}, period.bounds(self.zone)
        tags = self.releases.tags(sorted(names)) if len(names) == 1 else []
        found: list[Released] = []
        whole = (one for one in releases(tags) if start <= one.at < end and is_final(one) and is_of_whole(one))
        for tag in [one for one in whole if begins_line(one, before(one, tags))][-MOST_LOGS:]:
            with suppress(ReleaseUnreadable):
                found.append(self.releases.released(tag))
        return found

    def _change_log(self, released: Sequence[Released]) -> ChangeLog | None:
        """What a change log says of that one of some releases of which it says most."""
        logs = [log for one in released if (log := self._log_of(one))]
        return max(logs, key=lambda one: len(one.entries), default=None)

    def _log_of(self, one: Released) -> ChangeLog | None:
        """What the change log says of a release, where all of it may be told: where somebody asked not to be shown or
        to be forgotten, it would tell more. Nor is anybody named who asked not to be shown."""
        is_usual = one.tag is not None and one.since == before(one.tag, self.releases.tags([one.repository]))
        log = self.releases.change_log(one) if is_usual and not self.releases.is_forgotten(one) else None
        if log is None:
            return None
        beside, _ = self.releases.beside([one])
        every = [*self.stored({one.repository: (*one.shas, *one.copied)}), *beside]
        if any(each in self.known.unshown for each in every):
            return None
        unnamed = self._unnamed()
        entries = tuple(each for each in log.entries if not unnamed.search(each.text))
        enough = min(ENOUGH_ENTRIES, sum(not each.is_merge for each in every) / 3)  # "Bug fixes" tells of nothing
        return replace(log, entries=entries) if entries and len(entries) >= enough else None

    def _notes(self, commits: Iterable[Commit], merges: Mapping[Key, Commit]) -> Notes | None:
        """What commits say of themselves in change logs, None where not all could be read. Where that names somebody
        who asked not to be shown, only that there is an item stays, and below which heading."""
        if not (notes := self.diffs.notes(commits, merges)):  # as where no change log is kept
            return notes
        unnamed = self._unnamed()
        return {
            key: [replace(each, text=UNSAID) if unnamed.search(each.text) else each for each in entries]
            for key, entries in notes.items()
        }

    def _unnamed(self) -> re.Pattern[str]:
        """What names those who asked not to be shown: their names, also former ones of several words, and logins."""
        names = set[str]()
        for who in self.known.everyone:
            if self.known.is_hidden(who):
                names |= {who.name, *who.logins, *(one for one in full_names(who) if " " in one)}
        said = sorted(re.escape(name) for name in names if name)
        return re.compile(rf"(?<!\w)(?:{'|'.join(said)})(?!\w)" if said else "(?!)", re.IGNORECASE)

    def _in_releases(self) -> tuple[Material, Days, list[str]]:
        """What releases hold, from when to when that is, and what must be said of it."""
        released, now = self.scope.released, self.settings.now()
        beside, lacking = self.releases.beside(released)
        material = self.of_these([*self.stored({one.repository: one.shas for one in released}), *beside])
        days = [commit.came for commit in material.commits]
        last = min(max([one.tag.at for one in released if one.tag] or days, default=now), now)
        until = last.astimezone(self.zone).date()
        first = min(max(min(days, default=now), last - LONGEST_RELEASE), last).astimezone(self.zone).date()
        return material, Days(first, until + timedelta(1)), self.releases.notes(released, lacking)

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
        members = self.members(team) if team and self.settings.team(team) else members
        scope = Scope(repositories=tuple(repositories), members=None if members is None else tuple(members))
        return self.about(scope)._post(team or called or listed(list(repositories)) or "everyone", month, chosen)

    def _post(self, title: str, month: AnyPeriod, chosen: Chosen) -> DigestDocument:
        """The same, of the scope. Of a few late changes each is told, of many only how many there are."""
        members, where = self.scope.members, self.scope.repositories
        material = self.of_everyone(*month.bounds(self.zone), where, members, self.store.came, chosen)
        notes = [] if material.commits else self.activity.nearest(members, month, came=True, only=where)
        log = self._change_log(self._released_in(month, material)) if members is None else None
        digest, shas = self._digest(title, month, material, log), {sha for some in chosen.late.values() for sha in some}
        late = [one for one in all_changes(digest.months) if shas.issuperset(one.shas)]
        if 0 < len(late) <= MOST_LATE:
            notes = [f"Told late: {count(len(late), 'change')} that came before {month.title}."]
        if len(late) <= MOST_LATE:
            return self._written(digest, material, notes)
        material = replace(material, commits=tuple(one for one in material.commits if one.sha not in shas))
        document = self._written(self._digest(title, month, material, log), material, notes)
        return with_late(document, late, self.zone)

    def _written(
        self,
        digest: Digest,
        material: Material,
        notes: Sequence[str],
        release: tuple[ReleaseDocument, ...] | None = None,
    ) -> DigestDocument:
        """The document of a digest with further notes, or of releases; in a model's words if it is of all that came."""
        more = map(clean, (*material.omissions, *notes))
        document = replace(digest.document, notes=(*digest.document.notes, *more), release=release)
        if material.found:
            return document
        return self.writer.written("digest", digest.months, document, self.writer.until(), document.digest)

    def _digest(
        self, title: str, period: AnyPeriod, material: Material, log: ChangeLog | None, *, with_diffs: bool = True
    ) -> Digest:
        context = replace(self.facts_context(self.every, material), dates="came")
        unread = list[str]()

        def known(months: Sequence[MonthFacts]) -> TeamContext:
            """Areas; topic merges; the releases of the time, and what they hold; which tests that were turned off still
            are; and what commits say of themselves in change logs."""
            changes, (start, end) = all_changes(months), period.bounds(self.zone)
            names = sorted({commit.repository for one in changes for commit in one.commits})
            kept = self.store.commits.areas(names)
            areas = {name: Areas(kept[name], tuple(self.settings.areas_of(name))) for name in names}
            tags = [one for one in releases(self.releases.tags(names)) if start <= one.at < end] if names else []
            if not with_diffs:
                return TeamContext(areas, self.topics(months), tags=tags, log=log)
            of_tests = (one for one in changes if places_of(one.lead) == {"test"})
            small = (one for one in of_tests if lines_of(one.lead.files) <= MOST_TEST_LINES)
            off = frozenset(id for id, one in self.tests_ignored(small).items() if one.off)
            commits = [commit for one in changes for commit in one.commits]
            topics, first = self.topics(months), self.releases.first_with(tags, commits)
            notes = self._notes(commits, topics)
            unread.extend([UNREAD] if notes is None else [])
            return TeamContext(areas, topics, off, tags, first, notes or {}, log)

        people, bots = self.known.everyone, self.settings.bots
        digest = month_digest(title, period, people, material.commits, context, bots, self.scope.members, known)
        return replace(digest, document=replace(digest.document, notes=(*digest.document.notes, *unread)))

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
        in a note, but for what people wrote with them, which `without=("bots",)` leaves out too, unless they are asked
        for by name or by `bots`.

        Somebody's are of the days on which they were written, those of everyone or a team of those on which they came
        to the default branch, unless an order by another is asked for.

        Default: last month; with a topic, paths, or an order by time, any time.

        changes("Grace Hopper", "2026-03", kinds=("fix",)); changes(paths=("torchao/float8",), order="landed", limit=1)
        """
        wanted = Listing(kinds=tuple(kinds), states=tuple(states), order=order, limit=limit)
        if "tagged" in states:
            return self._tagged(people, span, wanted, limits)
        default: Default = "last month" if first_time else "ever" if order in BY_TIME else "if sought"
        listing = self._listed(people, span, limits, wanted, default, references, first_time=first_time)
        about = f"{listing.about} by first-time contributors" if first_time else listing.about
        is_ever = listing.span is None and bool(listing.found) and not (isinstance(span, str) and span)
        return changes_document(replace(listing, about=about, is_ever=is_ever))

    def who(
        self, span: When = None, *, people: Named | Sequence[Named] = (), kinds: Sequence[Kind] = (),
        order: Order | None = None, limit: int | None = None, first_time: bool = False,
        references: Sequence[str] = (), **limits: Unpack[Limits],
    ) -> TopicDocument:  # fmt: skip
        """Who worked on a topic or on paths: people, those of most changes first, at any time of most in the last two
        years, each with how many, the first and the last day, and their latest changes.
        `order="most"`: by the number of changes alone; "landed": who touched it last comes first, by the day on which
        it came to the default branch; "latest": by the day written; "first": who began comes first. `first_time`: who
        is new, whose first commit ever in these repositories is in the span; then a topic is not needed. Who worked at
        all in a time is told by the days of writing.
        `references`: who made these commits, bots too. Else no bots, but who wrote with one, unless `bots`.

        Default: any time; with `first_time` or without a topic and paths last month.

        who(topic="flash attention"); who(paths=("torchao/float8/inference.py",), order="landed")
        """
        is_sought = any(limits.get(name) for name in ("topic", "paths")) or first_time or references
        wanted = Listing(kinds=tuple(kinds), order=order, limit=limit, is_written=not is_sought)
        default: Default = "last month" if first_time else "if sought"
        listing = self._listed(people, span, limits, wanted, default, references, first_time=first_time)
        return who_document(listing, limits.get("topic"), is_new=first_time)

    def _listed(
        self, people: Named | Sequence[Named], span: When, limits: Limits, wanted: Listing, default: Default,
        references: Sequence[str], *, first_time: bool,
    ) -> Listing:  # fmt: skip
        """What some people, a team or everyone did, or who made some commits, for a list as it is `wanted`."""
        default = "ever" if references else default
        mentions = bool(people or wanted.order == "latest")  # the news of it may only mention it
        index = scoped(self, span, limits, wanted.kinds, default=default, mentions=mentions)
        scope = index.scope
        wanted = replace(wanted, with_bots=bool(limits.get("bots")))
        if "unreleased" in wanted.states:
            wanted = index._unreleased(wanted)
        those, notes = index._meant(references)
        named = [index._person(one) for one in several(people)]
        listing = index._filled(named, replace(wanted, notes=(*wanted.notes, *notes)), those)
        if out := scope.without_people:  # nor what they are named in, which others wrote
            listing = replace(listing, spans=tuple(one for one in listing.spans if one.person not in out))
        if first_time and (scope.span or scope.released):
            listing = replace(listing, spans=index._beginners(listing.spans, is_written=bool(people)))
        return listing

    def _meant(self, references: Sequence[str]) -> tuple[list[Commit] | None, list[str]]:
        """The commits that are meant, as far as they are in the scope, with a note of what is not found: of those of a
        thread some may be for other readers, or written anew since. None without references."""
        from bot.ask.explain import commits_meant

        found, unknown, places = list[Commit](), list[CommitUnknown](), {one.name for one in self.every}
        for name in references:
            try:
                found += commits_meant(name, self)
            except CommitUnknown as error:
                unknown.append(error)
        if unknown and not found:
            raise unknown[0]
        scope = self.scope
        found = [one for one in found if one.repository in places and (not scope.released or one.sha in scope.shas)]
        note = [f"{count(len(unknown), 'change')} of these cannot be found."] if unknown else []
        return found if references else None, note

    def _beginners(self, spans: Sequence[MonthFacts], *, is_written: bool) -> tuple[MonthFacts, ...]:
        """What those did who have nothing before a time, by the day of writing or of landing, or before what is told of
        them of a release. Who are called alike are one: nobody is new whose namesake is not."""
        scope, places, new = self.scope, [one.name for one in self.every], list[Person]()
        if scope.span:
            people, start = [one.person for one in spans], scope.span.bounds(self.zone)[0]
            new = self.activity.new(people, start, places, None if is_written else "came")
        else:
            before = [one.since.at + timedelta(seconds=1) for one in scope.released if one.since]
            for one in spans:
                first = min([*before, *(commit.came for commit in one.commits)], default=self.settings.now())
                new += self.activity.new([one.person], first, places, "came")
        found = dict[str, MonthFacts]()
        for one in (one for one in spans if one.person in new):
            same = found.get(plain(one.person.name))
            found[plain(one.person.name)] = replace(same, changes=(*same.changes, *one.changes)) if same else one
        return tuple(found.values())

    def _filled(self, people: Sequence[Person], wanted: Listing, these: Sequence[Commit] | None = None) -> Listing:
        """What each of some people, of a team or of everyone did, as it stands now."""
        scope = self.scope
        by_day = wanted.order in ("latest", "first") and not (scope.span and scope.is_selective)
        is_written = wanted.is_written or by_day or (bool(people) and wanted.order != "landed")
        bounds, is_listed = self.time.bounds(self.zone), these is not None
        notes: list[str] = []
        theirs: Mapping[Person, Sequence[Commit]] = {}
        if these is not None:
            inside = (
                c for c in these if not scope.span or bounds[0] <= (c.author.at if is_written else c.came) < bounds[1]
            )
            material = self.of_these(list(inside))
        elif scope.released:
            material, _, notes = self._in_releases()
        elif people:
            material, theirs, notes = self._of_people(people, wanted, is_written=is_written)
        else:
            material, notes = self._of_everyone(wanted, is_written=is_written)
        if {*wanted.states} - {"breaking"} and not theirs:
            material = self.with_reverted(material)
        notes = [*material.omissions, *notes]
        if people:
            theirs = theirs or {one: self._wrote(one, material.commits) for one in people}
        else:
            known, bots, members = self.known, self.settings.bots, scope.members
            # What a person took out of a machine's is of interest.
            every = is_listed or wanted.with_bots or "reverted" in wanted.states
            # How much somebody did is what they wrote.
            coauthors = known.coauthors if wanted.order != "most" else lambda _: ()
            theirs, others = by_whom(
                known.everyone,
                material.commits,
                lambda one: (every or not is_bot(one, bots)) and (members is None or one in members),
                coauthors,
            )
            line = of_machines([one for one in others if is_bot(one, bots)], others) if members is None else ""
            notes += [line] if line else []
        listing = self._list_of(people, replace(wanted, notes=(*wanted.notes, *notes)), theirs, material)
        is_none = is_listed and not any(theirs.values())
        return replace(listing, about=f"{listing.about} among these") if is_none else listing

    def _of_people(
        self, people: Sequence[Person], wanted: Listing, *, is_written: bool
    ) -> tuple[Material, dict[Person, Sequence[Commit]], list[str]]:
        """What each of some people did in a time; where the last or the first few at any time are wanted, in the year
        that has enough of them."""
        by, few = self.store.commits if is_written else self.store.came, 2 * (wanted.limit or 0)  # a change has several
        scope, windows, year = self.scope, [self.time.bounds(self.zone)], timedelta(LONGEST)
        is_limited = few and wanted.order in BY_TIME and not (scope.span or wanted.kinds or wanted.states)
        begin, find = (0, by.earliest) if wanted.order == "first" else (1, by.latest)
        if is_limited and (at := find(windows[0][begin], identities_of(people), without=sorted(self.hidden))):
            windows.insert(0, (at - year, windows[0][1]) if begin else (at, at + year))
        each, start, end = dict[Person, Material](), *windows[0]
        for start, end in windows:
            each = {one: self.of_person(one, start, end, scope.repositories, by) for one in people}
            if sum(not one.is_merge for some in each.values() for one in some.commits) >= few:
                break
        notes = list[str]()
        for person, one in each.items():
            is_idle = not (one.commits or scope.is_selective)
            notes += [*one.omissions, *(self.activity.nearest([person], self.time) if is_idle else ())]
            notes += _dated(one.commits, windows[-1], is_written=is_written)
        material = Material(
            tuple(commit for one in each.values() for commit in one.commits),
            histories={key: held for one in each.values() for key, held in one.histories.items()},
            found={key: place for one in each.values() for key, place in one.found.items()},
            is_newest=(start, end) != windows[-1],
        )
        return material, {one: of.commits for one, of in each.items()}, notes

    def _of_everyone(self, wanted: Listing, *, is_written: bool) -> tuple[Material, list[str]]:
        """What everyone did, or a team, in a time, for a list; and what must be said of it."""
        scope, (short, said) = self.scope, _within_a_year(self.time)
        if said and sum(self.store.commits.count(one.name) for one in self.every) <= MOST_WHOLE:
            short, said = self.time, []
        if scope.span is None or (scope.is_selective and said):
            return self._ever(wanted.order, wanted.limit)
        bounds, by = short.bounds(self.zone), self.store.commits if is_written else self.store.came
        material = self.of_everyone(*bounds, scope.repositories, scope.members, by)
        dated = _dated(material.commits, bounds, is_written=is_written) if not wanted.states else []
        return material, said + dated

    def _ever(self, order: Order | None, limit: int | None) -> tuple[Material, list[str]]:
        """What everyone did that is sought, at any time or in some years: the newest of it, or the oldest where that
        is wanted first."""
        scope, some, by = self.scope, MOST_FOUND, order
        if by not in ("latest", "landed", "first"):
            by = "landed" if scope.span else "latest"
        else:
            some = min(MOST_FOUND, max(100, 20 * (limit or MOST_FOUND)))
        start, end = None, self.present().bounds(self.zone)[1]
        if scope.span:
            start, end = scope.span.bounds(self.zone)
        found = self.store.topics.about(
            scope.topic, start, end, paths=scope.paths, repositories=[one.name for one in self.every],
            order=by, limit=some,
        )  # fmt: skip
        material = self.of_these(found.commits)
        if some < MOST_FOUND and (found.since or len(found.commits) == some):
            return replace(material, is_newest=True), []
        if found.since:
            side, since = "newer" if order == "first" else "older", on(found.since, self.zone)
            return material, [f"There may be {side} ones than of {since}: ask for those months by name."]
        if found.files_since and scope.topic:
            return material, [f"Paths were looked at only since {on(found.files_since, self.zone)}."]
        return material, []

    def _unreleased(self, wanted: Listing) -> Listing:
        """With the SHAs of what is in no release of each repository that has one, and what is said of the others."""
        tagged = {tag.repository for tag in self.releases.tags(self.scope.repositories)}
        released = [one for name in sorted(tagged) for one in self.releases.asked(LATEST, [name])]
        notes = [f"{clean(one.name)} has no release that is known." for one in self.every if one.name not in tagged]
        return replace(wanted, unreleased={sha for one in released for sha in one.shas}, notes=tuple(notes))

    def _list_of(
        self, people: Sequence[Person], wanted: Listing, theirs: Mapping[Person, Sequence[Commit]],
        material: Material,
    ) -> Listing:  # fmt: skip
        """A list of some commits by whose they are, as they stand now."""
        scope, span, context = self.scope, self.scope.span, self.facts_context(self.every, material)
        spans = tuple(span_facts(who, self.time, None, theirs[who], context) for who in in_order(theirs))
        commits = [one for each in spans for one in each.commits]
        if wanted.kinds == ("revert",) or "reverted" in wanted.states:
            wanted = replace(wanted, undone=self._undone(commits, material.histories))
        if wanted.kinds == ("revert",):  # each by itself, also of what its author made in this time
            spans = tuple(replace(one, changes=tuple(_alone(one, wanted.undone, context))) for one in spans)
        skipped = [f"Left out: {scope.skipped}."] if scope.skipped and (people or not commits) else []
        return replace(
            wanted, spans=spans, span=span, zone=self.zone.key,
            to_date=span is not None and not span.is_over(self.settings.now(), self.zone),
            whose=clean(listed(distinct_names(people))), place="" if people else scope.place,
            about=clean(f"x{self._about}")[1:], found=material.found if scope.topic else {},
            is_newest=material.is_newest, inside=scope.inside(commits),
            notes=(*scope.notes, *wanted.notes, *skipped),
        )  # fmt: skip

    def _undone(self, commits: Sequence[Commit], histories: Mapping[Key, History]) -> dict[Key, list[Commit]]:
        """What each of some commits reverts, as far as it is known and may be shown; of what only says that it reverts
        something nothing."""
        found = {one.key: list[Commit]() for one in commits if decided(one).kind == "revert"}
        own, unshown = {one.key for one in commits}, self.known.unshown
        for history in {id(one): one for one in histories.values()}.values():
            for key in (one.commit.key for one in history.revert_events if one.does == "reverts"):
                if key in own:
                    begun = history.originals[0]
                    is_shown = not (begun in unshown or self.scope.skips(begun))
                    found.setdefault(key, []).extend([begun] if is_shown else [])
        return found

    def _tagged(self, people: Named | Sequence[Named], span: When, wanted: Listing, limits: Limits) -> ChangesDocument:
        """The releases of a time, or those that are named, of anybody or of some people: of the whole of a repository,
        where it tags its parts as well."""
        named = time_or_tags(span) if span else ""
        named = named if isinstance(named, str) else ""
        names = [one for one in named.split("..") if one not in ("", LATEST, NEWEST)]
        index = scoped(self, None if named else span, {"repositories": limits.get("repositories", ())}, default="ever")
        where, notes = [one.name for one in index.every], list[str]()
        every = releases(self.releases.tags(where))
        tags = [one for name in names for one in self.releases.named(name, where)]
        if not names:
            whole = {one.repository for one in every if is_of_whole(one)}
            tags = [one for one in every if is_final(one) and (is_of_whole(one) or one.repository not in whole)]
        if index.scope.span:
            start, end = index.scope.span.bounds(self.zone)
            tags = [one for one in tags if start <= one.at < end]
        made = self.releases.made(sorted(tags, key=lambda one: (one.at, one.name), reverse=True))
        if len(made) < len(tags):
            notes.append(f"{count(len(tags) - len(made), 'more release')} cannot be read here now.")
        who = [index._person(one) for one in several(people)]
        made = [one for one in made if not who or one[1] in Signatures(identities_of(who))]
        if not all(is_said for _, _, is_said in made):
            notes.append("Where a tag does not say who made it, it is who wrote the commit that it names.")
        listing = index._list_of(who, replace(wanted, notes=tuple(notes)), {}, Material())
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
        reviewed them or wrote them with them ("of"), or without a person everyone's, or those of a `reference` (a hash,
        "ao#12").

        Default: last month; "of" with a topic or paths, any time.

        reviews("Grace Hopper", "of", span="2026-03"); reviews(reference="#4021")
        """
        references = (reference,) if isinstance(reference, str) else reference or ()
        index = scoped(self, span, limits, default="ever" if references else "if sought")
        if person is None and not references and role == "by":
            raise PersonUnknown("Whose reviews do you mean? Name somebody", said="")
        who = [index._person(person)] if person is not None and not references else []
        known, (those, lost) = self.known, index._meant(references)
        if role == "by" and who:
            bounds, where = index.time.bounds(self.zone), index.scope.repositories
            credited = index.credited(who[0], *bounds, where, self.store.commits)
            material = index.of_these([commit for role, commit in credited if role == "reviewer"])
            theirs, notes = by_author(known.everyone, material.commits), tuple(material.omissions)
            wanted = Listing(relation="reviewed", notes=notes)
            return changes_document(index._list_of(who, wanted, theirs, material))
        listing, others = index._filled(who, Listing(relation="helped"), those), dict[str, dict[str, str]]()
        if those and not listing.spans:
            is_hidden = all(one in known.unshown for one in those)
            raise CommitUnknown(NOT_SHOWN if is_hidden else "None of these changes is in what was asked about")
        for one in listing.spans:
            others |= helpers(known, one.changes, one.person.signatures)
        listing = replace(listing, others=others, place="", notes=(*listing.notes, *lost))
        if references:
            is_named = not lost and len(references) < MOST_CALLED
            named = listed(list(references)) if is_named else f"these {len(references)} changes"
            listing = replace(listing, place=clean(named), span=None)
        return changes_document(listing)

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

        index = scoped(self, span, limits, default="ever", mentions=True)
        scope = index.scope
        names = tuple(filter(None, release.split(".."))) if release and release != WHICH else ()
        explainer = Explainer(index, names if release else None)
        if references:
            return explainer.of_each(references, scope.repositories)
        if not scope.is_sought:
            raise CommitUnknown("name a commit: the first digits of its hash, or #12 of its subject")
        named, of_several = [index._person(one) for one in several(people)], release and len(scope.topic) > 1
        is_limited = scope.span or scope.released or replace(scope, topic=()).is_selective
        is_narrowed = named or kinds or reverted or deed or is_limited or of_several
        first = () if is_narrowed else index._ever("first", MOST_EXPLAINED)[0].commits
        found, _ = index._ever("latest", MOST_EXPLAINED)
        return explainer.of_topic(found, first, named, reverted=reverted, kinds=kinds, deed=deed or "")

    def people(
        self, name: str, span: When = None, *, repositories: Sequence[str] = (), limit: int = MOST_ACTIVE
    ) -> PeopleDocument:
        """Whom a name may mean: each with addresses, commits in the span and in all, first and last month; bots too.
        Where nobody has it, the names most like it. An empty name: who is active in the span, those of most commits,
        merges not counted, with the months in which each came and was last there, unless repositories are named.

        Default: last month. "ever" is any time.

        people("sam"); people("", "2026-W12"); people("", "ever", limit=5)
        """
        name, directory = name.strip(), self.known.directory
        default: Default = "ever" if span == "ever" else "last month"
        index = scoped(self, None if span == "ever" else span, {"repositories": repositories}, default=default)
        when, is_ever, places = index.time, index.scope.span is None, {one.name for one in index.every}
        counted = dict[Person, dict[str, int]]()
        for person, theirs in self.activity.counted(when).items():
            if here := {clean(where): many for where, many in theirs.items() if where in places}:
                counted[person] = here
        people = [one for one in counted if not is_bot(one, self.settings.bots)]
        if name:
            levels = (directory.exactly(name, levels=(level,)) for level in range(5))  # who only has it in part as well
            each = dict.fromkeys([*(one for some in levels for one in some), *directory.begins(name)])
            people = [one for one in each if not self.known.is_hidden(one)]
        commits = {one: sum(counted.get(one, {}).values()) for one in people}
        ranked = sorted(people, key=lambda one: (-commits[one], -one.commits, one.name))
        shown, rows = ranked[: MOST_CALLED if name else max(1, min(limit, MOST_ACTIVE))], []
        for person, called in zip(shown, distinct_names(shown), strict=True):
            active = [str(one) for one in self.activity.months(person)] if not repositories else []
            first, last = (active[0], active[-1]) if active else (None, None)
            rows.append(
                NamedPerson(
                    name=clean(person.name), addresses=tuple(map(clean, person.addresses)), called=clean(called),
                    commits=commits[person], every=person.commits, first=first, last=last,
                    repositories=tuple(sorted(counted.get(person, {}))),
                )
            )  # fmt: skip
        first, last = (None, None) if is_ever else when.ends
        to_date, who = not when.is_over(self.settings.now(), self.zone), count(len(people), "person", "people")
        at = f" in {clean(listed(sorted(places)))}" if repositories or len(places) == 1 else ""
        at += "" if is_ever else f" {in_span(when, to_date)}"
        said = f"{who} wrote {count(sum(commits.values()), 'commit')}{at}, merges not counted."
        said = f"{who} may be meant by “{clean(name)}”." if name else said
        return PeopleDocument(
            title=clean(name) or "Who is active", from_=first, to=last, zone=self.zone.key, to_date=to_date,
            headline=Sentence(said, ()), repositories=(), indexed_at=None, notes=(), people=tuple(rows),
            more=len(ranked) - len(shown),
            nearest=() if people or not name else tuple(map(clean, self.known.nearest(name))),
        )  # fmt: skip

    def corrector(self) -> Corrector:
        """What is said of changes by hand, and how to say it."""
        from bot.ask.explain import Corrector

        return Corrector(self)


def _dated(commits: Iterable[Commit], bounds: tuple[datetime, datetime], *, is_written: bool) -> list[str]:
    """A note on which days count, where others would leave out one of these commits."""
    other = (one.came if is_written else one.author.at for one in commits)
    is_said = any(not bounds[0] <= at < bounds[1] for at in other)
    return [WRITTEN if is_written else LANDED] if is_said else []


def _alone(facts: MonthFacts, keys: Container[Key], context: FactsContext) -> Iterator[Change]:
    """Some of somebody's commits, each as a change by itself that reverts something."""
    for commit in (one for one in facts.commits if one.key in keys):
        for change in span_facts(facts.person, facts.month, None, [commit], context).changes:
            yield replace(change, kind="revert", is_sure=True)


def _within_a_year(span: Days) -> tuple[Days, list[str]]:
    """The last year of a longer time, and a note that says so."""
    if (span.end - span.first).days <= LONGEST:
        return span, []
    short = Days(span.end - timedelta(LONGEST), span.end)
    if months := span.months:
        short = Days.of(months.last - 11, months.last)
    return short, [f"This is the last year of {span.title}; ask for what was before by name."]
