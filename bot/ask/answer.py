"""Question + store → what is answered: documents of months or of a digest, or plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.ask.question import Known, Thread, nobody, parse_question, which_one
from bot.errors import PersonUnknown, RepositoryUnavailable
from bot.model import Commit, Identity, Person, Question, Repository
from bot.month.calendar import Month, MonthRange
from bot.month.facts import month_facts
from bot.month.people import described, everyone, find, is_bot
from bot.settings import Settings
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.story import month_story
from bot.story.wording import clean, count, listed
from storage import Store

MOST_MONTHS = 12  # told in one answer; what is older is named


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

    `zone` draws the line between months; it is the configured one unless another is given.
    """

    def __init__(self, store: Store, settings: Settings, zone: ZoneInfo | None = None) -> None:
        self._store = store
        self._settings = settings
        self.zone = zone or settings.zone

    def present(self) -> Month:
        return Month.of(self._settings.now(), self.zone)

    def people(self) -> list[Person]:
        return everyone(self._store.identities.authors(), self._settings.people)

    def person(self, name: str, months: MonthRange) -> Person:
        """Who is called that. Of several with one and the same name, the one who was active in the months.

        Raises PersonUnknown where it is nobody or several, with what to say.
        """
        people = self.people()
        found = self.narrowed(find(people, name).people, months)
        if len(found) == 1:
            return found[0]
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml"
            )
        near = find(people, name).nearest
        raise PersonUnknown(nobody(name, people), near)

    def narrowed(self, people: Sequence[Person], months: MonthRange | None) -> tuple[Person, ...]:
        """Of several people with one name, those with commits in the months, if there are any."""
        if len(people) < 2 or months is None or len({person.name.casefold() for person in people}) > 1:
            return tuple(people)
        start, end = months.bounds(self.zone)
        authors = {(c.author.name, c.author.address) for c in self._commits(start, end, _identities(people), None)}
        active = tuple(p for p in people if any((one.name, one.address) in authors for one in p.identities))
        return active or tuple(people)

    def months(self, person: Person, months: MonthRange, repositories: Sequence[str] = ()) -> list[Document]:
        """The documents of a person's months, newest first: of one month in any case, of several the active ones."""
        every = self._repositories(repositories)
        start, end = months.bounds(self.zone)
        commits = self._commits(start, end, person.identities, repositories)
        by_month: dict[Month, list[Commit]] = {}
        for commit in commits:
            by_month.setdefault(Month.of(commit.author.at, self.zone), []).append(commit)
        wanted = [months.first] if months.is_one else sorted(by_month, reverse=True)
        documents = []
        for month in wanted or [months.last]:
            notes = self._namesakes(person)
            if not by_month.get(month):
                notes += self._nearest_active(person, months)
            facts = month_facts(person, month, self.zone, by_month.get(month, []), every, self._settings.now(), notes)
            documents.append(month_document(facts, month_story(facts)))
        return documents

    def digest(self, month: Month, team: str | None = None, repositories: Sequence[str] = ()) -> Document:
        """The document of everyone's month, or a team's."""
        every = self._repositories(repositories)
        start, end = month.bounds(self.zone)
        people = self.people()
        table = self._settings.team(team) if team else None
        members = [p for p in people if p.name in table.people] if table else None
        digest = month_digest(
            title=team or "everyone",
            month=month,
            zone=self.zone,
            people=people,
            commits=self._commits(start, end, None, repositories),
            repositories=every,
            now=self._settings.now(),
            bots=self._settings.bots,
            team=members,
        )
        return digest_document(digest)

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
        known = Known(
            people=self.people(),
            repositories=[repository.name for repository in self._store.commits.repositories()],
            asker=asker,
            member=member,
            narrowed=self.narrowed,
        )
        return parse_question(text, known, present or self.present(), thread)

    def reply(self, question: Question, thread: Thread | None = None) -> Reply:
        """The answer to a question. What cannot be answered is said in words, never raised."""
        if question.intent in ("help", "unknown"):
            return Reply(question, words=question.missing or "", thread=thread, help=True)
        last = self.present() - 1
        months = MonthRange(question.first or last, question.last or question.first or last)
        if question.intent in ("digest", "what_shipped"):
            documents = [self.digest(months.last, repositories=question.repositories)]
            words = (
                "" if months.is_one else f"Of {months.title}, this is the last month; ask for the others one by one."
            )
            about = Thread(None, MonthRange(months.last, months.last), question.repositories)
            return Reply(question, tuple(documents), words, about)
        documents = []
        try:
            for name in question.people:
                documents += self.months(self.person(name, months), months, question.repositories)
        except PersonUnknown as error:
            return Reply(question, words=str(error), thread=thread)
        person = question.people[-1] if question.people else None
        words = ""
        if len(documents) > MOST_MONTHS:
            older = documents[MOST_MONTHS:]
            words = f"{count(len(older), 'older month')} left out, back to {Month.parse(older[-1]['month']).title}; ask for it by name."
        return Reply(question, tuple(documents[:MOST_MONTHS]), words, Thread(person, months, question.repositories))

    def last_active_month(self, people: Sequence[Person] | None = None) -> Month | None:
        """The newest month, not in the future, in which anybody, or one of some people, wrote a commit."""
        months = self._active(_identities(people) if people is not None else None)
        return months[-1] if months else None

    def most_active(self, month: Month) -> list[Person]:
        """Who wrote commits in a month, most first, machines left out."""
        start, end = month.bounds(self.zone)
        commits = self._commits(start, end, None, None)
        written: dict[tuple[str, str], int] = {}
        for commit in commits:
            key = (commit.author.name, commit.author.address)
            written[key] = written.get(key, 0) + 1

        def total(person: Person) -> int:
            return sum(written.get((one.name, one.address), 0) for one in person.identities)

        people = [person for person in self.people() if total(person) and not is_bot(person, self._settings.bots)]
        return sorted(people, key=lambda person: (-total(person), person.name, person.addresses))

    def active_months(self, person: Person) -> list[Month]:
        """The months a person wrote commits in, oldest first."""
        return self._active(person.identities)

    # --- what all of these need

    def _repositories(self, names: Sequence[str]) -> list[Repository]:
        every = self._store.commits.repositories()
        known = {repository.name for repository in every}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in every if not names or repository.name in names]

    def _commits(
        self,
        start: datetime,
        end: datetime,
        identities: Sequence[Identity] | None,
        repositories: Sequence[str] | None,
    ) -> list[Commit]:
        return self._store.commits.between(
            start, end, identities=identities, repositories=list(repositories) if repositories else None
        )

    def _active(self, identities: Sequence[Identity] | None) -> list[Month]:
        now = self._settings.now()
        times = self._store.commits.author_times(identities)
        return sorted({Month.of(at, self.zone) for at in times if at <= now})

    def _nearest_active(self, person: Person, months: MonthRange) -> list[str]:
        active = self._active(person.identities)
        before = [month for month in active if month < months.first][-1:]
        after = [month for month in active if month > months.last][:1]
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
        return [f"Not counted here: {names}, who may be somebody else (see [[people]] in almanac.toml)."]


def _identities(people: Sequence[Person]) -> list[Identity]:
    return [identity for person in people for identity in person.identities]
