"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from bot.ask.activity import Activity, identities_of
from bot.ask.everybody import Everybody
from bot.ask.months import Months
from bot.ask.people.proven import Proven
from bot.ask.reading.asking_back import nobody, which_one
from bot.ask.reading.known import Known, Thread, by_slack_id
from bot.ask.reply import Reply
from bot.ask.untold import left_out, untold
from bot.ask.writer import Writer
from bot.collecting import uncollected
from bot.errors import CommitUnknown, PersonHidden, PersonUnknown, RepositoryUnavailable
from bot.model import Commit, MonthFacts, Person, Question, Repository
from bot.month.calendar import Month, MonthRange, Period
from bot.month.corrections import Corrections
from bot.month.facts import helped_with, month_facts
from bot.month.people import is_bot
from bot.settings import Settings
from bot.story.diffs import from_diffs
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.lines import told_apart
from bot.story.month import month_story
from bot.story.parts import Story
from bot.story.wording import clean, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.correcting import Corrector
    from bot.ask.explain import Explanation
    from bot.ask.lists import Lists
    from bot.ask.people.identity import WhoIsWho

__all__ = ["Almanac", "Reply"]


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
        told: Callable[[Document], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._hidden = hidden
        every = everybody or Everybody.of(store, settings)
        self._every = every
        self._everybody = every.without(hidden)
        self._months = Months(store, settings.mirrors, self._everybody, hidden)
        self._writer = writer or Writer(settings, store)
        self._told = told
        self.zone = zone or settings.zone
        self.activity = Activity(store, self._everybody, self.zone, settings.now, settings.bots, hidden)

    def without(self, hidden: frozenset[str]) -> Almanac:
        """The same, for readers who may not read of some repositories."""
        return self._again(self._every, hidden)

    def _again(self, every: Everybody, hidden: frozenset[str]) -> Almanac:
        return Almanac(self._store, self._settings, self.zone, hidden, every, self._writer)

    def telling(self, told: Callable[[Document], None]) -> Almanac:
        """The same, which hands each month of an answer to `told` as soon as it is ready."""
        return Almanac(self._store, self._settings, self.zone, self._hidden, self._every, self._writer, told)

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
        )
        return Lists(ranges, self.activity, self._shown, self.zone, self._settings.now)

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
    def person(self, name: str, months: MonthRange) -> Person:
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
        hint = "" if match.nearest else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody(name, directory) + hint, match.nearest, said=name)

    def _shown(self, person: Person) -> Person:
        """The person again, unless they asked not to be shown."""
        if self._everybody.is_hidden(person):
            raise PersonHidden(clean(person.name))
        return person

    @of_one_moment
    @uncollected()
    def months(self, person: Person, months: MonthRange, repositories: Sequence[str] = ()) -> list[Document]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones.

        Raises PersonHidden.
        """
        self._shown(person)
        every = self._repositories(repositories)
        start, end = months.bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        by_month, others = self._by_month(material.commits), self._by_month(material.left_out)
        names, until, said = self._months.names(), self._writer.until(), self._said()
        credited = [pair for pair in material.credited if not said.hides(pair[1], material.histories)]
        helped = self._by_month([commit for _, commit in credited])
        wanted = [months.first] if months.is_one else sorted({*by_month, *helped}, reverse=True)
        every_month = []
        for month in wanted or [months.last]:
            notes = left_out(others.get(month, []))
            if not by_month.get(month) and not helped.get(month):
                if not months.is_one:
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
            told = month_document(facts, month_story(facts, from_diffs(facts.changes, diffs)))
            documents.append(self._writer.written("month", [facts], told, until, hunks=self._months.hunks))
            self._told(documents[-1])
        return documents

    def pages(self) -> dict[str, str | None]:
        """The page under which each repository's commits open, by the name it is told by; None for one without."""
        return {clean(one.name): one.web for one in self._repositories(())}

    @of_one_moment
    def profile(self, person: Person, repositories: Sequence[str] = ()) -> Document:
        """The document of a person's whole history, of all months until now. Raises PersonHidden."""
        from bot.ask.profiles import every_month, whole_facts  # a month can do without
        from bot.story.profile import profile_document

        self._shown(person)
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
        told = profile_document(whole, {facts.month: month_story(facts) for facts in whole.months})
        return self._writer.written("profile", whole.months, told, self._writer.until(), whole.person.name)

    def _tell(self, months: Sequence[MonthFacts]) -> list[Story]:
        """The stories of several people's months, whose diffs are read together."""
        diffs = self._months.from_diffs(months)
        return [month_story(facts, from_diffs(facts.changes, diffs)) for facts in months]

    def _by_month(self, commits: Sequence[Commit]) -> dict[Month, list[Commit]]:
        found: dict[Month, list[Commit]] = {}
        for commit in commits:
            found.setdefault(Month.of(commit.dated(self._store.dates).at, self.zone), []).append(commit)
        return found

    @of_one_moment
    @uncollected()
    def digest(
        self,
        month: Period,
        team: str | None = None,
        repositories: Sequence[str] = (),
        *,
        members: Sequence[Person] | None = None,
        called: str = "",
    ) -> Document:
        """The document of everyone's month, of a team's, or of some people's, who are `called` something."""
        every = self._repositories(repositories)
        start, end = month.bounds(self.zone)
        people = self._everybody.people()
        table = self._settings.team(team) if team else None
        members = [p for p in people if p.name in table.people] if table else members
        whose = identities_of(members) if members is not None else None
        material = self._months.of_everyone(start, end, whose, repositories)
        digest = month_digest(
            title=team or called or listed(list(repositories)) or "everyone",
            month=month,
            zone=self.zone,
            people=people,
            commits=material.commits,
            histories=material.histories,
            names=self._months.names(),
            repositories=every,
            now=self._settings.now(),
            bots=self._settings.bots,
            team=members,
            dates=self._store.dates,
            corrections=self._said(),
            tell=self._tell,
        )
        told = digest_document(replace(digest, notes=(*digest.notes, *untold(material))))
        months = [facts for facts, _ in digest.months]
        return self._writer.written("digest", months, told, self._writer.until(), digest.title)

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
        from bot.ask.reading.question import parse_question  # which a plain `almanac month` can do without

        people = self.people()
        known = Known(
            people=people,
            repositories=[repository.name for repository in self._repositories(())],
            asker=asker,
            member=member or by_slack_id(people).get,
            narrowed=self.activity.narrowed,
            directory=self._everybody.directory(),
            teams=self.teams(),
            machine=lambda person: is_bot(person, self._settings.bots),
        )
        return parse_question(text, known, today or self.today(), thread)

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
        month = [*commits, *self._beside(commits[0])]
        histories, now = self._months.histories(month), self._settings.now()
        return explained(
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

    def _repositories(self, names: Sequence[str]) -> list[Repository]:
        every = [one for one in self._store.commits.repositories() if one.name not in self._hidden]
        known = {repository.name for repository in every}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in every if not names or repository.name in names]
