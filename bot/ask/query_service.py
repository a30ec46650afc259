"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.ask.activity import identities_of
from bot.ask.known import Known, Thread, by_slack_id
from bot.ask.month_material import ALL, Chosen, Material
from bot.ask.omissions import left_out, omissions
from bot.ask.people_directory import PeopleDirectory
from bot.ask.question import Question
from bot.ask.readable_index import ReadableIndex
from bot.ask.reply import Reply
from bot.ask.writer import Writer
from bot.gc_pause import gc_paused
from bot.model import Commit, Dates, Kind, Person, Repository
from bot.month.calendar import AnyPeriod, Days, Month, Span
from bot.month.facts import MonthFacts, all_changes, helped_with, month_facts
from bot.settings import Settings
from bot.story.diffs import from_diffs
from bot.story.digest import Digest, Tell, briefly, merged_at_once, month_digest
from bot.story.documents import DigestDocument, MonthDocument, ReleaseDocument
from bot.story.list_documents import ChangesDocument
from bot.story.listing import Listing, changes_document
from bot.story.month import month_document
from bot.story.wording import clean, count, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.correcting import Corrector
    from bot.ask.explain import Explanation
    from bot.ask.lists import Lists
    from bot.ask.releases import Released
    from bot.story.profile_documents import ProfileDocument

__all__ = ["QueryService", "Reply"]


LONGEST_RELEASE = timedelta(days=3650)  # whose weeks are counted; dates lie
MOST_LATE = 15  # changes that a post tells one by one though they came before its period


@dataclass(eq=False, repr=False, kw_only=True)
class QueryService(ReadableIndex):
    """Answers from the index. Lines that are not counted yet are counted for the months that are asked for."""

    writer: Writer

    @classmethod
    def of(
        cls,
        store: Store,
        settings: Settings,
        zone: ZoneInfo | None = None,
        hidden: frozenset[str] = frozenset(),
        writer: Writer | None = None,
    ) -> QueryService:
        """The index as the settings have it; in the configured zone unless another is given."""
        return cls(
            store=store,
            settings=settings,
            zone=zone or settings.zone,
            directory=PeopleDirectory.of(store, settings),
            writer=writer or Writer(settings, store),
            hidden=hidden,
        )

    @cached_property
    def lists(self) -> Lists:
        """What is answered but months, digests and profiles: lists of changes, comparisons, who worked on what."""
        from bot.ask.lists import Lists  # a plain `almanac month` can do without
        from bot.ask.ranges import Ranges

        return Lists(self, Ranges(self))

    @gc_paused()
    def months(self, person: Person, months: Span, repositories: Sequence[str] = ()) -> list[MonthDocument]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones; of
        days that are not whole months, one of all of them.

        Raises PersonHidden.
        """
        person = self.called(person)
        every = self.named(repositories)
        start, end = months.bounds(self.zone)
        material = self.material.of_person(person, start, end, repositories)
        dates, is_one = self.store.dates, isinstance(months, Days) or months.is_one
        by_month = self._by_period(material.commits, months, dates)
        others = self._by_period(material.left_out, months, dates)

        def is_earlier(one: Commit) -> bool:
            begins = start if is_one else Month.of(one.came, self.zone).bounds(self.zone)[0]
            return not one.is_merge and one.dated(dates).at < begins

        earlier = self.material.of_everyone(
            start, end, person.identities, repositories, by=self.store.came, chosen=Chosen(is_earlier)
        )
        before = self._by_period(earlier.commits, months, "came")
        material = replace(material, histories={**earlier.histories, **material.histories})
        context, until = self.facts_context(every, material), self.writer.until()
        credited = [pair for pair in material.credited if not context.corrections.hides(pair[1], material.histories)]
        helped = self._by_period([commit for _, commit in credited], months, dates)
        wanted: list[AnyPeriod] = sorted({*by_month, *helped, *before}, key=str, reverse=True)
        if is_one or not wanted:
            wanted = [months if isinstance(months, Days) else months.last]
        every_month = []
        for month in wanted:
            notes = left_out(others.get(month, []))
            if self.skipped.repositories:
                notes.append(f"Left out: {self.skipped.names}.")
            if month not in by_month and month not in helped and month not in before:
                if not is_one:
                    notes.append(f"There are no commits from {months.title}.")
                notes += self.activity.nearest(person, months)
            of_month = {commit.sha for commit in helped.get(month, ())}
            facts = month_facts(
                person, month, by_month.get(month, []), context, notes, before=before.get(month, ()),
                helped=helped_with(person, [pair for pair in credited if pair[1].sha in of_month], context.names),
            )  # fmt: skip
            every_month.append(facts)
        diffs = self.material.from_diffs(every_month)
        documents = []
        for facts in every_month:
            document = month_document(facts, from_diffs(facts.changes, diffs))
            documents.append(self.writer.written("month", [facts], document, until, hunks=self.material.hunks))
        return documents

    def profile(self, person: Person, repositories: Sequence[str] = ()) -> ProfileDocument:
        """The document of a person's whole history, of all months until now. Raises PersonHidden."""
        from bot.ask.profiles import every_month, whole_facts  # a month can do without
        from bot.story.profile import profile_document

        person = self.called(person)
        every = self.named(repositories)
        start, end = every_month(self.present()).bounds(self.zone)
        material = self.material.of_person(person, start, end, repositories)
        whole = whole_facts(person, material, self.facts_context(every, material))
        document = profile_document(whole)
        return self.writer.written("profile", whole.months, document, self.writer.until(), whole.person.name)

    def _tell(self, months: Sequence[MonthFacts]) -> list[MonthDocument]:
        """The documents of several people's months, whose diffs are read together."""
        diffs = self.material.from_diffs(months)
        return [month_document(facts, from_diffs(facts.changes, diffs)) for facts in months]

    def _by_period(self, commits: Sequence[Commit], span: Span, dates: Dates) -> dict[AnyPeriod, list[Commit]]:
        """The commits of a span by month; of days, all of them."""
        if isinstance(span, Days) or span.is_one:
            return {span if isinstance(span, Days) else span.last: list(commits)} if commits else {}
        found: dict[AnyPeriod, list[Commit]] = {}
        for commit in commits:
            found.setdefault(Month.of(commit.dated(dates).at, self.zone), []).append(commit)
        return found

    @gc_paused()
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
        """The document of everyone's month, of a team's, or of some people's, who are `called` something: of what came
        in it, or as a post tells it, with what is late."""
        every = self.named(repositories)
        start, end = month.bounds(self.zone)
        members = self.members(team) if team and self.settings.team(team) else members
        whose = identities_of(members) if members is not None else None
        title = self.skipped.titled(team or called or listed(list(repositories)) or "everyone")
        material = self.material.of_everyone(start, end, whose, repositories, members or (), self.store.came, chosen)
        shas = {sha for some in chosen.late.values() for sha in some}
        late = [one for one in material.commits if one.sha in shas]
        of_late = replace(material, commits=tuple(late))
        changes = all_changes(self._digest(title, month, of_late, every, members, briefly).months) if late else ()
        notes = list[str]()
        if len(changes) > MOST_LATE:
            material = replace(material, commits=tuple(one for one in material.commits if one.sha not in shas))
        elif changes:
            notes.append(f"Told late: {count(len(changes), 'change')} that came before {month.title}.")
        document = self._digest_document(title, month, material, every, members, notes)
        if len(changes) <= MOST_LATE:
            return document
        since = self.store.came.between(min(one.came for one in late), end, repositories=list(repositories) or None)
        return replace(document, merged=merged_at_once(changes, start, since, self.zone))

    def _digest_document(
        self, title: str, period: AnyPeriod, material: Material, repositories: Sequence[Repository],
        team: Sequence[Person] | None, notes: Sequence[str] = (), release: tuple[ReleaseDocument, ...] | None = None,
    ) -> DigestDocument:  # fmt: skip
        """Some commits as the digest of a period, of everyone or of a team; with further notes, or of releases."""
        digest = self._digest(title, period, material, repositories, team)
        notes = [clean(note) for note in (*omissions(material), *notes)]
        document = replace(digest.document, notes=(*digest.document.notes, *notes), release=release)
        return self.writer.written("digest", digest.months, document, self.writer.until(), title)

    def _digest(
        self, title: str, period: AnyPeriod, material: Material, repositories: Sequence[Repository],
        team: Sequence[Person] | None, tell: Tell | None = None,
    ) -> Digest:  # fmt: skip
        context = replace(self.facts_context(repositories, material), dates="came")
        people, bots = self.known.everyone, self.settings.bots
        return month_digest(title, period, people, material.commits, context, bots, team, tell or self._tell)

    @gc_paused()
    def release(
        self,
        title: str,
        released: Sequence[Released],
        people: Sequence[Person] | None = None,
        kinds: Sequence[Kind] | None = None,
    ) -> DigestDocument | ChangesDocument:
        """The document of what releases hold, shown like everyone's month, or like that of some people; with `kinds`,
        as the list of their changes of these, or of all kinds."""
        names = [one.repository for one in released]
        material = self.material.of_commits({one.repository: one.shas for one in released})
        lacking = sum(len(self.store.commits.lacking(one.repository, one.shas)) for one in released)
        ends = [one.tag.at for one in released if one.tag]
        days = [commit.came for commit in material.commits]
        now = self.settings.now()
        last = min(max(ends or days, default=now), now).astimezone(self.zone).date()
        first = min(max(min(days, default=now).astimezone(self.zone).date(), last - LONGEST_RELEASE), last)
        period, every = Days(first, last + timedelta(1)), self.named(names)
        notes = self.releases.notes(released, lacking)
        if kinds is None:
            release = self.releases.document(released)
            return self._digest_document(title, period, material, every, people, notes, release)
        digest = self._digest(title, period, material, every, people)
        notes = [*digest.notes, *omissions(material), *notes]
        listing = Listing(digest.months, period, self.zone.key, False, tuple(kinds), place=title, notes=tuple(notes))
        return changes_document(listing)

    def question(
        self,
        text: str,
        *,
        asker: Person | None = None,
        member: Callable[[str], Person | None] | None = None,
        today: date | None = None,
        thread: Thread | None = None,
        mine: bool = False,
    ) -> Question:
        """What a text asks; `today` is the asker's day where that may be another than ours. With `mine`, what names
        nothing but a time is about the asker.

        `member` finds the person behind a Slack user's id; by almanac.toml alone unless it is given.
        """
        from bot.ask.reading.question import parse_question  # which a plain `almanac month` can do without

        people, sprint = self.known.everyone, self.settings.sprint
        known = Known(
            people=people,
            repositories=[repository.name for repository in self.repositories],
            asker=asker,
            member=member or by_slack_id(people).get,
            narrowed=self.activity.narrowed,
            directory=self.known.directory,
            teams=self.teams(),
            tags=self.tags(),
            tagged_in=self.tagged_in,
            sprint=(sprint.first, sprint.days) if sprint else None,
            may_be_offered=self.known.may_be_offered,
            bots=lambda span: self.activity.most(span, machines=True),
        )
        day = today or self.settings.now().astimezone(self.zone).date()
        return parse_question(text, known, day, thread, mine=mine)

    def reply(self, question: Question, thread: Thread | None = None) -> Reply:
        """The answer to a question. What cannot be answered is said in words.

        Raises RepositoryUnavailable where the question names a repository that is not indexed; one that was
        made by `question` does not.
        """
        from bot.ask.replies import answered

        return answered(self, question, thread)

    def explain(self, text: str) -> Explanation:
        """Why a commit is in whose month. Raises CommitUnknown where the text means none, or several."""
        from bot.ask.explain import Explainer

        return Explainer(self).explain(text)

    def corrector(self) -> Corrector:
        """What is said of changes by hand, and how to say it."""
        from bot.ask.correcting import Corrector

        return Corrector(self)
