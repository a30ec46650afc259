"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.asking_back import nobody, which_one
from bot.ask.everybody import Everybody
from bot.ask.explain import Explanation, commits_meant, explained
from bot.ask.known import Known, Thread
from bot.ask.months import Months
from bot.errors import CommitUnknown, PersonUnknown, RepositoryUnavailable
from bot.index.lines import Lines
from bot.model import Commit, Identity, Person, Question, Repository
from bot.month.calendar import Month, MonthRange
from bot.month.facts import helped_with, month_facts
from bot.month.people import described, is_bot
from bot.settings import Settings
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.story import month_story
from bot.story.wording import clean, count, listed
from storage import Store

MOST_MONTHS = 12  # told in one answer; what is older is named
# What is understood and cannot be answered yet, with what can.
NOT_YET = {
    "compare": "I cannot compare yet. Ask for the one month, then for the other.",
    "profile": "I cannot tell a whole history yet. Ask for a month, or for several, such as “since june”.",
    "who": "I cannot say yet who worked on something. Ask what somebody did, or what shipped in a month.",
    "changes": "I cannot list changes of one kind yet. Ask for the whole month: it tells them kind by kind.",
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


class Almanac:
    """Answers from the index. Built once; each call reads the store anew.

    `zone` draws the line between months; it is the configured one unless another is given. Of the repositories
    in `hidden` nothing is told but how many changes were left out. Lines that are not counted yet are counted for
    the months that are asked for.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        zone: ZoneInfo | None = None,
        hidden: frozenset[str] = frozenset(),
        everybody: Everybody | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._hidden = hidden
        self._everybody = everybody or Everybody(store.identities, settings.people, settings.tools, settings.bots)
        self._months = Months(store, Lines(store.commits, settings.mirrors), self._everybody, hidden)
        self.zone = zone or settings.zone

    def without(self, hidden: frozenset[str]) -> Almanac:
        """The same, for readers who may not read of some repositories."""
        return Almanac(self._store, self._settings, self.zone, hidden, self._everybody)

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
        found = self.narrowed(match.people, months)
        if len(found) == 1:
            return found[0]
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml"
            )
        hint = "" if match.nearest else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody(name, directory) + hint, match.nearest)

    def narrowed(self, people: Sequence[Person], months: MonthRange | None) -> tuple[Person, ...]:
        """Of several people with one name, those with commits in the months, if there are any."""
        if len(people) < 2 or months is None or len({person.name.casefold() for person in people}) > 1:
            return tuple(people)
        start, end = months.bounds(self.zone)
        hidden = sorted(self._hidden)
        newest = [self._store.commits.latest(end, p.identities, without=hidden) for p in people]
        active = tuple(p for p, at in zip(people, newest, strict=True) if at and at >= start)
        return active or tuple(people)

    def months(self, person: Person, months: MonthRange, repositories: Sequence[str] = ()) -> list[Document]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones."""
        every = self._repositories(repositories)
        start, end = months.bounds(self.zone)
        material = self._months.of_person(person, start, end, repositories)
        by_month, left_out = self._by_month(material.commits), self._by_month(material.left_out)
        helped = self._by_month([commit for _, commit in material.credited])
        wanted = [months.first] if months.is_one else sorted({*by_month, *helped}, reverse=True)
        documents = []
        for month in wanted or [months.last]:
            notes = [*self._namesakes(person), *_left_out(left_out.get(month, []))]
            if not by_month.get(month):
                if not months.is_one:
                    notes.append(f"There are no commits from {months.title}.")
                notes += self._nearest_active(person, months)
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
                names=self._months.name_of,
                helped=helped_with(
                    person, [pair for pair in material.credited if pair[1].sha in of_month], self._months.name_of
                ),
            )
            documents.append(month_document(facts, month_story(facts)))
        return documents

    def _by_month(self, commits: Sequence[Commit]) -> dict[Month, list[Commit]]:
        found: dict[Month, list[Commit]] = {}
        for commit in commits:
            found.setdefault(Month.of(commit.author.at, self.zone), []).append(commit)
        return found

    def digest(self, month: Month, team: str | None = None, repositories: Sequence[str] = ()) -> Document:
        """The document of everyone's month, or a team's."""
        every = self._repositories(repositories)
        start, end = month.bounds(self.zone)
        people = self.people()
        table = self._settings.team(team) if team else None
        members = [p for p in people if p.name in table.people] if table else None
        whose = _identities(members) if members is not None else None
        material = self._months.of_everyone(start, end, whose, repositories)
        digest = month_digest(
            title=team or "everyone",
            month=month,
            zone=self.zone,
            people=people,
            commits=material.commits,
            histories=material.histories,
            names=self._months.name_of,
            repositories=every,
            now=self._settings.now(),
            bots=self._settings.bots,
            team=members,
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
            narrowed=self.narrowed,
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
            return Reply(
                question, words=str(error).rstrip(".?") + ("?" if str(error).endswith("?") else "."), thread=thread
            )
        words = ""
        if older:
            words = (
                f"{count(len(older), 'older month')} left out, back to {Month.parse(min(older)).title}; "
                f"ask for {'it' if len(older) == 1 else 'them'} by name."
            )
        person = question.people[-1] if question.people else None
        return Reply(question, tuple(documents), words, Thread(person, months, question.repositories))

    def explain(self, text: str) -> Explanation:
        """Why a commit is in whose month. Raises CommitUnknown where the text means none, or several."""
        commits = commits_meant(text, self._months)
        histories = self._months.histories(commits)
        of_it = histories.get((commits[0].repository, commits[0].sha))
        return explained(commits, of_it, self._everybody, self.zone, bots=self._settings.bots)

    def _explanation(self, question: Question, thread: Thread | None) -> Reply:
        try:
            words = self.explain(question.topic or "").text
        except CommitUnknown as error:
            words = f"{str(error)[:1].upper()}{str(error)[1:]}."
        return Reply(question, words=words, thread=thread)

    def last_active_month(self, people: Sequence[Person] | None = None) -> Month | None:
        """The newest month, not in the future, in which anybody, or one of some people, wrote a commit."""
        identities = _identities(people) if people is not None else None
        at = self._store.commits.latest(self._after_now(), identities, without=sorted(self._hidden))
        return Month.of(at, self.zone) if at else None

    def most_active(self, month: Month) -> list[Person]:
        """Who wrote commits in a month, most first, machines left out."""
        active = self._store.identities.active(*month.bounds(self.zone), without=sorted(self._hidden))
        written = {(one.name, one.address): one.commits for one in active}

        def total(person: Person) -> int:
            return sum(written.get((one.name, one.address), 0) for one in person.identities)

        people = [person for person in self.people() if total(person) and not is_bot(person, self._settings.bots)]
        return sorted(people, key=lambda person: (-total(person), person.name, person.addresses))

    def active_months(self, person: Person) -> list[Month]:
        """The months a person wrote commits in, oldest first."""
        times = self._store.commits.latest_of_each(
            lambda at: Month.of(at, self.zone).bounds(self.zone)[0],
            self._after_now(),
            person.identities,
            without=sorted(self._hidden),
        )
        return [Month.of(at, self.zone) for at in reversed(times)]

    # --- what all of these need

    def _after_now(self) -> datetime:
        """The end of what is not in the future, as ranges have it: without the end itself."""
        return self._settings.now() + timedelta.resolution

    def _repositories(self, names: Sequence[str]) -> list[Repository]:
        every = [one for one in self._store.commits.repositories() if one.name not in self._hidden]
        known = {repository.name for repository in every}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in every if not names or repository.name in names]

    def _nearest_active(self, person: Person, months: MonthRange) -> list[str]:
        start, end = months.bounds(self.zone)
        future, hidden = self._after_now(), sorted(self._hidden)
        latest = self._store.commits.latest(min(start, future), person.identities, without=hidden)
        earliest = self._store.commits.earliest(end, person.identities, without=hidden)
        before = [Month.of(latest, self.zone)] if latest else []
        after = [Month.of(earliest, self.zone)] if earliest and earliest < future else []
        near = listed([month.title for month in (*before, *after)])
        return (
            [f"The nearest active months are {near}." if before and after else f"The nearest active month is {near}."]
            if near
            else []
        )

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


def _left_out(commits: Sequence[Commit]) -> list[str]:
    """What is said of changes in repositories that may not be told here: how many, never which."""
    changes = {commit.sha for commit in commits if not commit.is_merge}
    if not changes:
        return []
    are = "is" if len(changes) == 1 else "are"
    return [f"{count(len(changes), 'change')} in repositories that are not for this channel {are} left out."]


def _identities(people: Sequence[Person]) -> list[Identity]:
    return [identity for person in people for identity in person.identities]
