"""The index as one reader may read it, at one moment: who is who, which repositories there are, who was active when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Self
from zoneinfo import ZoneInfo

from bot.ask.clarification import nobody, which_one
from bot.ask.known import Known, by_slack_id
from bot.ask.material import NOTHING_SKIPPED, Activity, Material, MaterialReader, Skipped
from bot.ask.people.proven import NOTHING_PROVEN, Proven
from bot.ask.people_directory import KnownPeople, PeopleDirectory
from bot.errors import PersonHidden, PersonUnknown, RepositoryUnavailable
from bot.model import Commit, Person, Repository
from bot.month.calendar import Month, Span
from bot.month.corrections import Corrections
from bot.month.facts import FactsContext
from bot.month.people import described
from bot.settings import Settings
from bot.story.lines import distinct_names
from bot.story.wording import clean, listed
from storage import Store

if TYPE_CHECKING:
    from bot.ask.releases import Releases


MOST_READ = 3_000  # characters of a question


@dataclass(eq=False, repr=False, kw_only=True)
class ReadableIndex:
    """What one reader may read, at one moment: who is who and which repositories there are is read once, when it is
    first needed. `dataclasses.replace` makes it anew, for another reader.

    `zone` draws the line between months; by which date commits belong to them, the store says. Of the repositories in
    `hidden` nothing is shown but how many changes were left out, and of what is `skipped` nothing.

    Where `reader` alone will read the answer and asked not to be shown, they are shown. The users in `apart` are shown
    as what is proven to be theirs, and no more.
    """

    store: Store
    settings: Settings
    zone: ZoneInfo
    directory: PeopleDirectory
    hidden: frozenset[str] = frozenset()
    skipped: Skipped = NOTHING_SKIPPED
    reader: Proven = NOTHING_PROVEN
    apart: tuple[Proven, ...] = ()

    def leaving_out(self, people: Sequence[Person], repositories: Sequence[str]) -> Self:
        """The same, which tells nothing of some people and some repositories; those that may not be read of are left
        out anyhow, and stay unnamed."""
        known = frozenset(one.name for one in self.repositories)
        rest = replace(self, skipped=Skipped(tuple(people), known.intersection(repositories)))
        rest.known, rest.indexed = self.known, self.indexed
        return rest

    @cached_property
    def known(self) -> KnownPeople:
        """Who is who, as the reader may know it."""
        people = self.directory.now(self.hidden)
        people = people.set_apart(*self.apart) if self.apart else people
        return people.shown_to(self.reader) if self.reader else people

    @cached_property
    def indexed(self) -> list[Repository]:
        """All repositories, those in `hidden` too."""
        return self.store.commits.repositories()

    @cached_property
    def repositories(self) -> list[Repository]:
        """Those that may be read of."""
        without = self.hidden | self.skipped.repositories
        return [one for one in self.indexed if one.name not in without]

    def named(self, names: Sequence[str]) -> list[Repository]:
        """The repositories of some names, of none all that may be read of. Raises RepositoryUnavailable."""
        known = {repository.name for repository in self.repositories}
        for name in names:
            if name not in known:
                raise RepositoryUnavailable(
                    name, f"is not indexed; there are {listed(sorted(known)) or 'none'}: check the name"
                )
        return [repository for repository in self.repositories if not names or repository.name in names]

    def pages(self) -> dict[str, str | None]:
        """The page under which each repository's commits open, by the name it is shown by; None for one without."""
        return {clean(one.name): one.web for one in self.repositories}

    def present(self) -> Month:
        return Month.of(self.settings.now(), self.zone)

    def teams(self) -> list[str]:
        """The names of the teams of almanac.toml."""
        return [team.name for team in self.settings.teams]

    def members(self, team: str) -> list[Person]:
        """The people of a team of almanac.toml."""
        table = self.settings.team(team)
        return [one for one in self.known.everyone if table and one.name in table.people]

    def person(self, name: str, months: Span) -> Person:
        """Who is called that. Of several with one and the same name, the one who was active in the months.

        Raises PersonUnknown where it is nobody or several, with what to say; and PersonHidden.
        """
        return self.shown(self.found(name, months))

    def found(self, name: str, months: Span) -> Person:
        """The same, of those too who asked not to be shown: for what is not about to be told."""
        directory = self.known.directory
        member = by_slack_id(self.known.everyone).get(name.strip().strip("<@>").upper())
        if member is not None:
            return member
        match = directory.find(name)
        found = self.activity.narrowed(match.people, months)
        if len(found) == 1:
            return found[0]
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml",
                fitting=distinct_names(found),
                said=name,
            )
        near = self.known.nearest(name)
        hint = "" if near else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody(name, near) + hint, near, said=name)

    def shown(self, person: Person) -> Person:
        """The person again, unless they asked not to be shown."""
        if self.known.is_hidden(person):
            raise PersonHidden(clean(person.name))
        return person

    def called(self, person: Person) -> Person:
        """A person who is shown, with their address as part of the name where others have the same name."""
        others = self.known.directory.namesakes(self.shown(person)) > 1
        return replace(person, name=described(person)) if others else person

    @cached_property
    def activity(self) -> Activity:
        """When people were active."""
        return Activity(self.store, self.known, self.zone, self.settings.now(), self.settings.bots, self.hidden)

    @cached_property
    def material(self) -> MaterialReader:
        """What months are made from."""
        return MaterialReader(self.store, self.settings.mirrors, self.known, self.hidden, self.skipped)

    @cached_property
    def releases(self) -> Releases:
        """Which tags there are, and what is in them."""
        from bot.ask.releases import Releases  # with all of git's reading, which most answers do without

        return Releases(self.store, self.settings.mirrors, self.named, self.zone)

    def tags(self) -> dict[str, list[str]]:
        """The names of the tags of each repository that may be read of."""
        found: dict[str, list[str]] = {one.name: [] for one in self.repositories}
        for tag in self.store.commits.tags():
            if tag.repository in found:
                found[tag.repository].append(tag.name)
        return {repository: names for repository, names in found.items() if names}

    def known_for(
        self, text: str, asker: Person | None = None, member: Callable[[str], Person | None] | None = None
    ) -> Known:
        """What a text can be about. `member` finds the person behind a Slack user's id; by almanac.toml alone unless it
        is given. Which of its words stand in messages is looked up once, when it is first asked."""
        from bot.ask.words import cleaned, is_classed, split_words  # which a plain `almanac month` can do without

        people, sprint = self.known.everyone, self.settings.sprint
        without, topics = sorted(self.hidden | self.skipped.repositories), self.store.topics

        @cache
        def held() -> set[str]:
            words = {word.low for word in split_words(cleaned(text[:MOST_READ])) if not is_classed(word.low)}
            return topics.held(sorted(words), without=without)

        return Known(
            people=people, repositories=[one.name for one in self.repositories], asker=asker,
            member=member or by_slack_id(people).get, written=self.activity.written, teams=self.teams(),
            tags=self.tags(), sprint=(sprint.first, sprint.days) if sprint else None,
            may_be_offered=self.known.may_be_offered, bots=lambda span: self.activity.most(span, machines=True),
            knows_word=lambda word: word in held(), knows_path=cache(topics.is_path),
            holds=cache(lambda topic, in_message: topics.holds(topic, in_message=in_message, without=without)),
            directory=self.known.directory,
        )  # fmt: skip

    def corrections(self) -> Corrections:
        """What was said of changes by hand."""
        return Corrections(self.store.said.live("change"))

    def facts_context(self, repositories: Sequence[Repository], material: Material) -> FactsContext:
        return FactsContext(
            self.zone, repositories, self.settings.now(), material.histories,
            self.known.name_of, self.store.dates, self.corrections(), self.known.coauthors,
        )  # fmt: skip

    def beside(self, commit: Commit) -> list[Commit]:
        """What else its author wrote in the month of a commit, in its repository."""
        person = self.known.author(commit)
        if person is None:
            return []
        month = Month.of(commit.dated(self.store.dates).at, self.zone)
        return list(self.material.of_person(person, *month.bounds(self.zone), [commit.repository]).commits)
