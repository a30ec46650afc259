"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.ask.activity import Activity, identities_of
from bot.ask.asking_back import nobody, which_one
from bot.ask.everybody import Everybody
from bot.ask.known import Known, Thread
from bot.ask.months import Months
from bot.ask.writer import Writer
from bot.collecting import uncollected
from bot.errors import CommitUnknown, PersonUnknown, RepositoryUnavailable
from bot.model import Commit, Person, Question, Repository
from bot.month.calendar import Month, MonthRange
from bot.month.facts import helped_with, month_facts
from bot.month.people import described
from bot.settings import Settings
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.story import month_story
from bot.story.wording import clean, count, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.explain import Explanation

MOST_MONTHS = 12  # told in one answer; what is older is named
# What is understood and cannot be answered yet, with what can.
NOT_YET = {
    "compare": "I cannot compare yet. Ask for the one month, then for the other.",
    "who": "I cannot say yet who worked on something. Ask what somebody did, or what shipped in a month.",
    "changes": "I cannot list changes of one kind yet. Ask for the whole month.",
    "schedule": "I cannot set a schedule here. Digests are set in almanac.toml, under [[digests]].",
    "link": "I cannot link addresses here. Use `almanac people link`, or [[people]] in almanac.toml.",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered: documents, newest month first, or words. `thread` is to be remembered."""

    question: Question
    documents: tuple[Document, ...] = ()
    words: str = ""
    thread: Thread | None = None
    help: bool = False
    explanation: Explanation | None = None  # whose text the words are


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
    ) -> None:
        self._store = store
        self._settings = settings
        self._hidden = hidden
        every = everybody or Everybody(store.identities, settings.people, settings.tools, settings.bots)
        self._every = every
        self._everybody = every.without(hidden)
        self._months = Months(store, settings.mirrors, self._everybody, hidden)
        self._writer = writer or Writer(settings, store)
        self.zone = zone or settings.zone
        self.activity = Activity(store, self._everybody, self.zone, settings.now, settings.bots, hidden)

    def without(self, hidden: frozenset[str]) -> Almanac:
        """The same, for readers who may not read of some repositories."""
        return Almanac(self._store, self._settings, self.zone, hidden, self._every, self._writer)

    def present(self) -> Month:
        return Month.of(self._settings.now(), self.zone)

    def people(self) -> list[Person]:
        return self._everybody.people()

    def person(self, name: str, months: MonthRange) -> Person:
        """Who is called that. Of several with one and the same name, the one who was active in the months.

        Raises PersonUnknown where it is nobody or several, with what to say.
        """
        directory = self._everybody.directory()
        match = directory.find(name)
        found = self.activity.narrowed(match.people, months)
        if len(found) == 1:
            return found[0]
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml"
            )
        hint = "" if match.nearest else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody(name, directory) + hint, match.nearest)

    @uncollected()
    def months(self, person: Person, months: MonthRange, repositories: Sequence[str] = ()) -> list[Document]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones."""
        every = self._repositories(repositories)
        start, end = months.bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        by_month, left_out = self._by_month(material.commits), self._by_month(material.left_out)
        helped = self._by_month([commit for _, commit in material.credited])
        names, until = self._months.names(), self._writer.until()
        wanted = [months.first] if months.is_one else sorted({*by_month, *helped}, reverse=True)
        documents = []
        for month in wanted or [months.last]:
            notes = [*self._namesakes(person), *_left_out(left_out.get(month, []))]
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
                helped=helped_with(person, [pair for pair in material.credited if pair[1].sha in of_month], names),
                dates=self._store.dates,
            )
            documents.append(month_document(facts, self._writer.written(facts, month_story(facts), until)))
        return documents

    def pages(self) -> dict[str, str | None]:
        """The page under which each repository's commits open, by the name it is told by; None for one without."""
        return {clean(one.name): one.web for one in self._repositories(())}

    def profile(self, person: Person, repositories: Sequence[str] = ()) -> Document:
        """The document of a person's whole history, of all months until now."""
        from bot.ask.profiles import every_month, whole_facts  # a month can do without
        from bot.story.profile.document import profile_document

        every = self._repositories(repositories)
        start, end = every_month(self.present()).bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        whole = whole_facts(
            person,
            material,
            every,
            self.zone,
            self._settings.now(),
            notes=[*self._namesakes(person), *_left_out(material.left_out)],
            names=self._months.names(),
            dates=self._store.dates,
        )
        return profile_document(whole, {facts.month: month_story(facts) for facts in whole.months})

    def _by_month(self, commits: Sequence[Commit]) -> dict[Month, list[Commit]]:
        found: dict[Month, list[Commit]] = {}
        for commit in commits:
            found.setdefault(Month.of(commit.dated(self._store.dates).at, self.zone), []).append(commit)
        return found

    @uncollected()
    def digest(self, month: Month, team: str | None = None, repositories: Sequence[str] = ()) -> Document:
        """The document of everyone's month, or a team's."""
        every = self._repositories(repositories)
        start, end = month.bounds(self.zone)
        people = self.people()
        table = self._settings.team(team) if team else None
        members = [p for p in people if p.name in table.people] if table else None
        whose = identities_of(members) if members is not None else None
        material = self._months.of_everyone(start, end, whose, repositories)
        digest = month_digest(
            title=team or "everyone",
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
        )
        notes = _left_out(material.left_out)
        return digest_document(replace(digest, notes=(*digest.notes, *notes)))

    def question(
        self,
        text: str,
        *,
        asker: Person | None = None,
        member: Callable[[str], Person | None] = lambda _: None,
        present: Month | None = None,
        thread: Thread | None = None,
    ) -> Question:
        """What a text asks; `present` is the asker's month where that is another than ours."""
        from bot.ask.question import parse_question  # the grammar, which a plain `almanac month` can do without

        known = Known(
            people=self.people(),
            repositories=[repository.name for repository in self._repositories(())],
            asker=asker,
            member=member,
            narrowed=self.activity.narrowed,
            directory=self._everybody.directory(),
        )
        return parse_question(text, known, present or self.present(), thread)

    def reply(self, question: Question, thread: Thread | None = None) -> Reply:
        """The answer to a question. What cannot be answered is said in words.

        Raises RepositoryUnavailable where the question names a repository that is not indexed; one that was
        made by `question` does not.
        """
        if question.intent in ("help", "unknown", *NOT_YET):
            words = question.missing or NOT_YET.get(question.intent, "")
            return Reply(question, words=words, thread=thread, help=True)
        if question.intent == "explain":
            return self._explanation(question, thread)
        if question.intent == "profile":
            return self._profiles(question, thread)
        last = self.present() - 1
        months = MonthRange(question.first or last, question.last or question.first or last)
        if question.intent in ("digest", "what_shipped"):
            documents = [self.digest(months.last, repositories=question.repositories)]
            words = (
                "" if months.is_one else f"Of {months.title}, this is the last month; ask for the others one by one."
            )
            about = Thread(None, MonthRange(months.last, months.last), question.repositories)
            return Reply(question, tuple(documents), words, about)
        documents, older = [], list[str]()
        each = max(1, MOST_MONTHS // max(1, len(question.people)))
        try:
            for name in question.people:
                told = self.months(self.person(name, months), months, question.repositories)
                documents += told[:each]
                older += [document["month"] for document in told[each:]]
        except PersonUnknown as error:
            return Reply(question, words=_ended(error), thread=thread)
        words = ""
        if older:
            words = (
                f"{count(len(older), 'older month')} left out, back to {Month.parse(min(older)).title}; "
                f"ask for {'it' if len(older) == 1 else 'them'} by name."
            )
        person = question.people[-1] if question.people else None
        return Reply(question, tuple(documents), words, Thread(person, months, question.repositories))

    def _profiles(self, question: Question, thread: Thread | None) -> Reply:
        """Whole histories, whatever months were asked for. The months that a conversation is about stay the same."""
        from bot.ask.profiles import every_month

        every = every_month(self.present())
        try:
            people = [self.person(name, every) for name in question.people]
        except PersonUnknown as error:
            return Reply(question, words=_ended(error), thread=thread)
        about = Thread(question.people[-1], thread.months if thread else None, question.repositories)
        return Reply(question, tuple(self.profile(one, question.repositories) for one in people), thread=about)

    def explain(self, text: str) -> Explanation:
        """Why a commit is in whose month. Raises CommitUnknown where the text means none, or several."""
        from bot.ask.explain import commits_meant, explained

        commits = commits_meant(text, self._months)
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
        )

    def _beside(self, commit: Commit) -> list[Commit]:
        """What else its author wrote in the month of a commit, in its repository."""
        person = self._everybody.author(commit.author)
        if person is None:
            return []
        month = Month.of(commit.dated(self._store.dates).at, self.zone)
        return list(self._months.of_person(person, *month.bounds(self.zone), [commit.repository]).commits)

    def _explanation(self, question: Question, thread: Thread | None) -> Reply:
        try:
            told = self.explain(question.topic or "")
            return Reply(question, words=told.text, thread=thread, explanation=told)
        except CommitUnknown as error:
            words = f"{str(error)[:1].upper()}{str(error)[1:]}."
        return Reply(question, words=words, thread=thread)

    def _repositories(self, names: Sequence[str]) -> list[Repository]:
        every = [one for one in self._store.commits.repositories() if one.name not in self._hidden]
        known = {repository.name for repository in every}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in every if not names or repository.name in names]

    def _namesakes(self, person: Person) -> list[str]:
        others = [
            other
            for other in self.people()
            if other.name.casefold() == person.name.casefold() and other.addresses != person.addresses
        ]
        if not others:
            return []
        names = clean(listed([described(other) for other in others]))
        return [f"Not counted here: {names}, who may be somebody else; “almanac people link” puts addresses together."]


def _ended(error: PersonUnknown) -> str:
    """What to say of an unknown person, as a sentence."""
    return str(error).rstrip(".?") + ("?" if str(error).endswith("?") else ".")


def _left_out(commits: Sequence[Commit]) -> list[str]:
    """What is said of changes in repositories that may not be told here: how many, never which."""
    changes = {commit.sha for commit in commits if not commit.is_merge}
    if not changes:
        return []
    are = "is" if len(changes) == 1 else "are"
    return [f"{count(len(changes), 'change')} in repositories that are not for this channel {are} left out."]
