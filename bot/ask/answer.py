"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from bot.ask.activity import Activity, identities_of
from bot.ask.clarification import nobody_but, which_one
from bot.ask.everybody import Everybody
from bot.ask.known import Known, Thread, by_slack_id
from bot.ask.months import NOTHING_SKIPPED, Material, Months, Skipped
from bot.ask.people.proven import Proven
from bot.ask.reply import Reply
from bot.ask.untold import left_out, untold
from bot.ask.writer import Writer
from bot.collecting import uncollected
from bot.errors import CommitUnknown, PersonHidden, PersonUnknown, RepositoryUnavailable
from bot.model import Commit, Kind, MonthFacts, Person, Question, Repository
from bot.month.calendar import AnyPeriod, Days, Month, Span
from bot.month.corrections import Corrections
from bot.month.facts import helped_with, month_facts
from bot.month.people import described, is_bot
from bot.settings import Settings
from bot.story.diffs import from_diffs
from bot.story.digest import Digest, month_digest
from bot.story.documents import DigestDocument, MonthDocument, ReleaseDocument
from bot.story.lines import told_apart
from bot.story.list_documents import ChangesDocument
from bot.story.listing import Listing, changes_document
from bot.story.month import month_document
from bot.story.wording import clean, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.correcting import Corrector
    from bot.ask.explain import Explanation
    from bot.ask.lists import Lists
    from bot.ask.people.identity import WhoIsWho
    from bot.ask.releases import Released, Releases
    from bot.story.profile_documents import ProfileDocument

__all__ = ["Almanac", "Reply"]


LONGEST_RELEASE = timedelta(days=3650)  # whose weeks are counted; dates lie
P = ParamSpec("P")
T = TypeVar("T")


def of_one_moment(method: Callable[Concatenate[Almanac, P], T]) -> Callable[Concatenate[Almanac, P], T]:
    """All of an answer knows the same people, who are looked up once for it."""

    @wraps(method)
    def answered(self: Almanac, /, *arguments: P.args, **named: P.kwargs) -> T:
        with self._everybody.of_one_moment():
            return method(self, *arguments, **named)

    return answered


class Almanac:
    """Answers from the index. Built once; each call reads the store anew.

    `zone` draws the line between months; it is the configured one unless another is given. By which date
    commits belong to them, the store says. Of the repositories in `hidden` nothing is told but how many changes were
    left out. Lines that are not counted yet are counted for the months that are asked for.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        zone: ZoneInfo | None = None,
        hidden: frozenset[str] = frozenset(),
        everybody: Everybody | None = None,
        writer: Writer | None = None,
        told: Callable[[MonthDocument], None] = lambda _: None,
        skipped: Skipped = NOTHING_SKIPPED,
    ) -> None:
        self._store = store
        self._settings = settings
        self._hidden = hidden
        every = everybody or Everybody.of(store, settings)
        self._every = every
        self._everybody = every.without(hidden)
        self._months = Months(store, settings.mirrors, self._everybody, hidden, skipped)
        self._skipped = skipped
        self._writer = writer or Writer(settings, store)
        self._told = told
        self.zone = zone or settings.zone
        self.activity = Activity(store, self._everybody, self.zone, settings.now, settings.bots, hidden)

    def without(self, hidden: frozenset[str]) -> Almanac:
        """The same, for readers who may not read of some repositories."""
        return self._again(self._every, hidden)

    def _again(self, every: Everybody, hidden: frozenset[str]) -> Almanac:
        return Almanac(self._store, self._settings, self.zone, hidden, every, self._writer)

    def telling(self, told: Callable[[MonthDocument], None]) -> Almanac:
        """The same, which hands each month of an answer to `told` as soon as it is ready."""
        return Almanac(self._store, self._settings, self.zone, self._hidden, self._every, self._writer, told)

    def leaving_out(self, people: Sequence[Person], repositories: Sequence[str]) -> Almanac:
        """The same, which tells nothing of some people and some repositories; those that may not be read of are left
        out anyhow, and stay unnamed."""
        known = frozenset(one.name for one in self._repositories(()))
        skipped = Skipped(tuple(people), known.intersection(repositories))
        writer, every = self._writer, self._every
        return Almanac(self._store, self._settings, self.zone, self._hidden, every, writer, self._told, skipped)

    def shown_to(self, reader: Proven) -> Almanac:
        """The same, for an answer that somebody alone will read: who asked not to be shown sees their own months."""
        every = self._every.shown_to(reader)
        return self if every is self._every else self._again(every, self._hidden)

    def set_apart(self, *users: Proven) -> Almanac:
        """The same, with each of some users of Slack told as what is proven to be theirs, and no more."""
        return self._again(self._every.set_apart(*users), self._hidden)

    def author(self, commit: Commit) -> Person | None:
        """Whose a commit is told to be."""
        return self._everybody.author(commit)

    @cached_property
    def lists(self) -> Lists:
        """What is answered but months, digests and profiles: lists of changes, comparisons, who worked on what."""
        from bot.ask.lists import Lists  # a plain `almanac month` can do without
        from bot.ask.ranges import Ranges

        ranges = Ranges(
            self._store,
            self._settings,
            self._months,
            self._everybody,
            self.zone,
            self._hidden,
            self._repositories,
            self._said,
            self._skipped,
        )
        return Lists(ranges, self.activity, self._shown, self.zone, self._settings.now, self._skipped)

    def present(self) -> Month:
        return Month.of(self._settings.now(), self.zone)

    def today(self) -> date:
        return self._settings.now().astimezone(self.zone).date()

    def teams(self) -> list[str]:
        """The names of the teams of almanac.toml."""
        return [team.name for team in self._settings.teams]

    def people(self) -> list[Person]:
        return self._everybody.people()

    @of_one_moment
    def person(self, name: str, months: Span) -> Person:
        """Who is called that. Of several with one and the same name, the one who was active in the months.

        Raises PersonUnknown where it is nobody or several, with what to say; and PersonHidden.
        """
        directory = self._everybody.directory()
        member = by_slack_id(self.people()).get(name.strip().strip("<@>").upper())
        if member is not None:
            return self._shown(member)
        match = directory.find(name)
        found = self.activity.narrowed(match.people, months)
        if len(found) == 1:
            return self._shown(found[0])
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml",
                fitting=told_apart(found),
                said=name,
            )
        offered = (directory.exactly(one, levels=(1,)) for one in match.nearest)
        near = tuple(
            one
            for one, people in zip(match.nearest, offered, strict=True)
            if not all(map(self._is_not_offered, people))
        )
        hint = "" if near else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody_but(name, near) + hint, near, said=name)

    def _is_not_offered(self, person: Person) -> bool:
        """Whether somebody is never offered where a name is nobody's: a machine, or who asked not to be shown."""
        return is_bot(person, self._settings.bots) or self._everybody.is_hidden(person)

    def _shown(self, person: Person) -> Person:
        """The person again, unless they asked not to be shown."""
        if self._everybody.is_hidden(person):
            raise PersonHidden(clean(person.name))
        return person

    def _called(self, person: Person) -> Person:
        """A person who is shown, with their address as part of the name where others have the same name."""
        others = self._everybody.directory().namesakes(self._shown(person)) > 1
        return replace(person, name=described(person)) if others else person

    @of_one_moment
    @uncollected()
    def months(self, person: Person, months: Span, repositories: Sequence[str] = ()) -> list[MonthDocument]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones; of
        days that are not whole months, one of all of them.

        Raises PersonHidden.
        """
        person = self._called(person)
        every = self._repositories(repositories)
        start, end = months.bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        by_month, others = self._by_period(material.commits, months), self._by_period(material.left_out, months)
        names, until, said = self._months.names(), self._writer.until(), self._said()
        credited = [pair for pair in material.credited if not said.hides(pair[1], material.histories)]
        helped = self._by_period([commit for _, commit in credited], months)
        wanted: list[AnyPeriod] = sorted({*by_month, *helped}, key=str, reverse=True)
        is_one = isinstance(months, Days) or months.is_one
        if is_one or not wanted:
            wanted = [months if isinstance(months, Days) else months.last]
        every_month = []
        for month in wanted:
            notes = left_out(others.get(month, []))
            if self._skipped.repositories:
                notes.append(f"Left out: {self._skipped.names}.")
            if not by_month.get(month) and not helped.get(month):
                if not is_one:
                    notes.append(f"There are no commits from {months.title}.")
                notes += self.activity.nearest(person, months)
            of_month = {commit.sha for commit in helped.get(month, ())}
            facts = month_facts(
                person,
                month,
                self.zone,
                by_month.get(month, []),
                every,
                self._settings.now(),
                notes,
                histories=material.histories,
                names=names,
                helped=helped_with(person, [pair for pair in credited if pair[1].sha in of_month], names),
                dates=self._store.dates,
                corrections=said,
            )
            every_month.append(facts)
        diffs = self._months.from_diffs(every_month)
        documents = []
        for facts in every_month:
            told = month_document(facts, from_diffs(facts.changes, diffs))
            documents.append(self._writer.written("month", [facts], told, until, hunks=self._months.hunks))
            self._told(documents[-1])
        return documents

    def repositories(self) -> list[str]:
        """The names of the repositories that may be read of."""
        return [one.name for one in self._repositories(())]

    def pages(self) -> dict[str, str | None]:
        """The page under which each repository's commits open, by the name it is told by; None for one without."""
        return {clean(one.name): one.web for one in self._repositories(())}

    @of_one_moment
    def profile(self, person: Person, repositories: Sequence[str] = ()) -> ProfileDocument:
        """The document of a person's whole history, of all months until now. Raises PersonHidden."""
        from bot.ask.profiles import every_month, whole_facts  # a month can do without
        from bot.story.profile import profile_document

        person = self._called(person)
        every = self._repositories(repositories)
        start, end = every_month(self.present()).bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        whole = whole_facts(
            person,
            material,
            every,
            self.zone,
            self._settings.now(),
            notes=left_out(material.left_out),
            names=self._months.names(),
            dates=self._store.dates,
            corrections=self._said(),
        )
        told = profile_document(whole)
        return self._writer.written("profile", whole.months, told, self._writer.until(), whole.person.name)

    def _tell(self, months: Sequence[MonthFacts]) -> list[MonthDocument]:
        """The documents of several people's months, whose diffs are read together."""
        diffs = self._months.from_diffs(months)
        return [month_document(facts, from_diffs(facts.changes, diffs)) for facts in months]

    def _by_period(self, commits: Sequence[Commit], span: Span) -> dict[AnyPeriod, list[Commit]]:
        """The commits of a span by month; of days, all of them."""
        found: dict[AnyPeriod, list[Commit]] = {}
        for commit in commits:
            at = commit.dated(self._store.dates).at
            found.setdefault(span if isinstance(span, Days) else Month.of(at, self.zone), []).append(commit)
        return found

    @of_one_moment
    @uncollected()
    def digest(
        self,
        month: AnyPeriod,
        team: str | None = None,
        repositories: Sequence[str] = (),
        *,
        members: Sequence[Person] | None = None,
        called: str = "",
    ) -> DigestDocument:
        """The document of everyone's month, of a team's, or of some people's, who are `called` something."""
        every = self._repositories(repositories)
        start, end = month.bounds(self.zone)
        people = self._everybody.people()
        table = self._settings.team(team) if team else None
        members = [p for p in people if p.name in table.people] if table else members
        whose = identities_of(members) if members is not None else None
        material = self._months.of_everyone(start, end, whose, repositories)
        title = self._skipped.titled(team or called or listed(list(repositories)) or "everyone")
        return self._told_as_digest(title, month, material, every, members)

    def _told_as_digest(
        self,
        title: str,
        period: AnyPeriod,
        material: Material,
        repositories: Sequence[Repository],
        team: Sequence[Person] | None,
        notes: Sequence[str] = (),
        release: tuple[ReleaseDocument, ...] | None = None,
    ) -> DigestDocument:
        """Some commits as the digest of a period, of everyone or of a team; with further notes, or of releases."""
        digest = self._digest(title, period, material, repositories, team)
        notes = [clean(note) for note in (*untold(material), *notes)]
        told = replace(digest.document, notes=(*digest.document.notes, *notes), release=release)
        return self._writer.written("digest", digest.months, told, self._writer.until(), title)

    def _digest(
        self,
        title: str,
        period: AnyPeriod,
        material: Material,
        repositories: Sequence[Repository],
        team: Sequence[Person] | None,
    ) -> Digest:
        return month_digest(
            title=title,
            month=period,
            zone=self.zone,
            people=self._everybody.people(),
            commits=material.commits,
            histories=material.histories,
            names=self._months.names(),
            repositories=repositories,
            now=self._settings.now(),
            bots=self._settings.bots,
            team=team,
            dates=self._store.dates,
            corrections=self._said(),
            tell=self._tell,
        )

    @cached_property
    def releases(self) -> Releases:
        """Which tags there are, and what is in them."""
        from bot.ask.releases import Releases  # with all of git's reading, which most answers do without

        return Releases(self._store, self._settings.mirrors, self._repositories, self.zone)

    @of_one_moment
    @uncollected()
    def release(
        self,
        title: str,
        released: Sequence[Released],
        people: Sequence[Person] | None = None,
        kinds: Sequence[Kind] | None = None,
    ) -> DigestDocument | ChangesDocument:
        """The document of what releases hold, told like everyone's month, or like that of some people; with `kinds`,
        as the list of their changes of these, or of all kinds."""
        names = [one.repository for one in released]
        material = self._months.of_commits({one.repository: one.shas for one in released})
        lacking = sum(len(self._store.commits.lacking(one.repository, one.shas)) for one in released)
        ends = [one.tag.at for one in released if one.tag]
        days = [commit.dated(self._store.dates).at for commit in material.commits]
        now = self._settings.now()
        last = min(max(ends or days, default=now), now).astimezone(self.zone).date()
        first = min(max(min(days, default=now).astimezone(self.zone).date(), last - LONGEST_RELEASE), last)
        period, every = Days(first, last + timedelta(1)), self._repositories(names)
        notes = self.releases.notes(released, lacking)
        if kinds is None:
            release = self.releases.document(released)
            return self._told_as_digest(title, period, material, every, people, notes, release)
        digest = self._digest(title, period, material, every, people)
        notes = [*digest.notes, *untold(material), *notes]
        listing = Listing(digest.months, period, self.zone.key, False, tuple(kinds), place=title, notes=tuple(notes))
        return changes_document(listing)

    @of_one_moment
    def question(
        self,
        text: str,
        *,
        asker: Person | None = None,
        member: Callable[[str], Person | None] | None = None,
        today: date | None = None,
        thread: Thread | None = None,
    ) -> Question:
        """What a text asks; `today` is the asker's day where that may be another than ours.

        `member` finds the person behind a Slack user's id; by almanac.toml alone unless it is given.
        """
        from bot.ask.reading.choices import NOT_UNDERSTOOD  # which a plain `almanac month` can do without
        from bot.ask.reading.question import parse_question

        people, sprint = self.people(), self._settings.sprint
        known = Known(
            people=people,
            repositories=[repository.name for repository in self._repositories(())],
            asker=asker,
            member=member or by_slack_id(people).get,
            narrowed=self.activity.narrowed,
            directory=self._everybody.directory(),
            teams=self.teams(),
            tags=self._tags(),
            tagged_in=self._tagged_in,
            sprint=(sprint.first, sprint.days) if sprint else None,
            not_offered=self._is_not_offered,
        )
        day = today or self.today()
        question = parse_question(text, known, day, thread)
        if question.missing != NOT_UNDERSTOOD:
            return question
        shown = replace(known, people=self._everybody.shown())  # no other name is sent
        return self._writer.question(text, shown, day, thread or Thread()) or question

    @of_one_moment
    def reply(self, question: Question, thread: Thread | None = None) -> Reply:
        """The answer to a question. What cannot be answered is said in words.

        Raises RepositoryUnavailable where the question names a repository that is not indexed; one that was
        made by `question` does not.
        """
        from bot.ask.replies import answered

        return answered(self, question, thread)

    def explain(self, text: str) -> Explanation:
        """Why a commit is in whose month. Raises CommitUnknown where the text means none, or several."""
        from bot.ask.explain import commits_meant, explained

        commits = commits_meant(text, self._months)
        if commits[0] in self._everybody.unshown():
            raise CommitUnknown("whoever wrote this commit asked not to be shown, so I tell nothing of it")
        beside = self._beside(commits[0])
        commits = commits_meant(commits[0].sha, self._months)  # whose lines may have been counted just now
        month = [*commits, *beside]
        histories, now = self._months.histories(month), self._settings.now()
        told = explained(
            commits,
            month,
            histories,
            self._everybody,
            self.zone,
            now,
            bots=self._settings.bots,
            dates=self._store.dates,
            corrections=self._said(),
        )
        return replace(told, lines=(*told.lines, self.releases.line(commits)))

    def corrector(self) -> Corrector:
        """What is said of changes by hand, and how to say it."""
        from bot.ask.correcting import Corrector

        return Corrector(self._store, self._months, self._everybody, self.zone, self._settings, self._beside)

    def who_is_who(self) -> WhoIsWho:
        """What is said of addresses by hand, and how to say it."""
        from bot.ask.people.identity import WhoIsWho

        return WhoIsWho(self._store, self._everybody, self._settings.now, self._settings.bots)

    def _said(self) -> Corrections:
        return Corrections(self._store.corrections.live())

    def _beside(self, commit: Commit) -> list[Commit]:
        """What else its author wrote in the month of a commit, in its repository."""
        person = self._everybody.author(commit)
        if person is None:
            return []
        month = Month.of(commit.dated(self._store.dates).at, self.zone)
        return list(self._months.of_person(person, *month.bounds(self.zone), [commit.repository]).commits)

    def _tags(self) -> dict[str, list[str]]:
        """The names of the tags of each repository that may be read of."""
        found: dict[str, list[str]] = {one.name: [] for one in self._repositories(())}
        for repository, name in self._store.commits.tag_names():
            if repository in found:
                found[repository].append(name)
        return {repository: names for repository, names in found.items() if names}

    def _tagged_in(self, repositories: Sequence[str], days: Days) -> list[str]:
        """The tags that were made in some days, in the zone."""
        tags = self.releases.tags(repositories)
        return [tag.name for tag in tags if days.first <= tag.at.astimezone(self.zone).date() < days.end]

    def _repositories(self, names: Sequence[str]) -> list[Repository]:
        without = self._hidden | self._skipped.repositories
        every = [one for one in self._store.commits.repositories() if one.name not in without]
        known = {repository.name for repository in every}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in every if not names or repository.name in names]
