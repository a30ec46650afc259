"""The index as one reader may read it, at one moment: who is who, which repositories there are, what was committed,
what is tied to it, and who was active when.

What is not the reader's is dropped in one place, `_material`, and so is what a query is not about: each is looked at as
commits, before anything that is tied to them is read. Nothing is worded here but notes on what is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Self
from zoneinfo import ZoneInfo

from bot.ask.known import Known, by_slack_id
from bot.ask.people_directory import KnownPeople, PeopleDirectory
from bot.ask.proven import NOTHING_PROVEN, Proven
from bot.ask.question import Question, addressed
from bot.ask.scope import Scope
from bot.diff import IgnoredTests
from bot.errors import PersonHidden, RepositoryUnavailable
from bot.model import Change, Commit, Credited, Dates, Identity, Key, Kind, Person, Repository, Role, Signatures
from bot.month.addresses import noreply_login
from bot.month.calendar import FIRST, AnyPeriod, Days, Month
from bot.month.corrections import Corrections
from bot.month.credits import credits_of, is_bot
from bot.month.facts import FactsContext, MonthFacts
from bot.month.histories import History, by_commit, histories_of
from bot.month.kinds import decided
from bot.month.paths import lines_of
from bot.month.people import described, full_names
from bot.month.title import title_of
from bot.settings import Settings
from bot.story.lines import on
from bot.story.lists import Where
from bot.wording import KINDS, clean, count, listed
from storage import Store
from storage.commits import Commits
from storage.search import words_of

if TYPE_CHECKING:
    from bot.ask.releases import Releases
    from bot.index.diffs import Diffs

MOST_READ = 3_000  # characters of a question
MOST_ALIKE = 3  # words of a text for which others are looked for that are spelt nearly so
LONGEST_SLIP = 24  # letters of such a word
COMMON = 3  # messages that a word is in which is no slip
HUNK_SECONDS = 5.0  # for the diffs that a model is given
NOT_SHOWN = "whoever wrote this commit asked not to be shown, so I tell nothing of it"
UNSHOWN = "Changes of people who asked not to be shown are left out."
# How many changes on a topic there are where the reader may not read would tell what is written there.
ELSEWHERE = "Repositories that are not for this channel were not looked at."
EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Material:
    """The commits of a time, of a person or of many, and what became of them.

    `left_out` are those that are only in repositories that the reader may not read of. `credited`
    are others' commits whose trailers name the person, and as what; those they wrote together are among `commits` too.
    `is_whole` says that nobody's commits are missing who asked not to be shown, `is_newest` that older ones are: only
    the newest were looked for. `found` says where a topic stands.
    """

    commits: tuple[Commit, ...] = ()
    left_out: tuple[Commit, ...] = ()
    histories: Mapping[Key, History] = field(default_factory=dict)
    credited: tuple[tuple[Role, Commit], ...] = ()
    is_whole: bool = True
    is_newest: bool = False
    found: Mapping[Key, Where] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def omissions(self) -> list[str]:
        """Notes on what it lacks, since it is not for the reader: how many commits, never which."""
        return [*([] if self.is_whole else [UNSHOWN]), *left_out(self.left_out), *self.notes]


def left_out(commits: Iterable[Commit]) -> list[str]:
    """What is said of commits in repositories that may not be shown here."""
    shas = {commit.sha for commit in commits if not commit.is_merge}
    are = "is" if len(shas) == 1 else "are"
    left = f"{count(len(shas), 'commit')} in repositories that are not for this channel {are} left out."
    return [left] if shas else []


class Chosen(NamedTuple):
    """Which commits of a time are told; by repository, the SHAs of others that are told beside them; and SHAs of which
    no copy is told any more."""

    holds: Callable[[Commit], bool] = lambda _: True
    late: Mapping[str, Sequence[str]] = MappingProxyType({})
    before: frozenset[str] = frozenset()


ALL = Chosen()


def readable_histories(store: Store, commits: Sequence[Commit], hidden: frozenset[str]) -> Mapping[Key, History]:
    """What commits belong to, with all that is tied to them, but for what is of the repositories in `hidden`."""
    tied = store.commits.related(commits)
    shown = (one for one in tied.commits if one.repository not in hidden)
    return by_commit(histories_of(shown, tied.alone))


@dataclass(eq=False, repr=False, kw_only=True)
class ReadableIndex:
    """What one reader may read, at one moment: who is who and which repositories there are is read once, when it is
    first needed. `dataclasses.replace` makes it anew, for another reader.

    `zone` draws the line between months; by which date commits belong to them, the store says. Of the repositories in
    `hidden` nothing is shown but how many changes were left out. Only what is in `scope` is read of months and lists;
    lines that are not counted yet are counted for what is asked for.

    Where `reader` alone will read the answer and asked not to be shown, they are shown. The users in `apart` are shown
    as what is proven to be theirs, and no more.
    """

    store: Store
    settings: Settings
    zone: ZoneInfo
    directory: PeopleDirectory
    hidden: frozenset[str] = frozenset()
    scope: Scope = EVERYTHING
    reader: Proven = NOTHING_PROVEN
    apart: tuple[Proven, ...] = ()

    def about(self, scope: Scope) -> Self:
        """The same, limited to a scope."""
        rest = replace(self, scope=scope)
        rest.known, rest.indexed = self.known, self.indexed
        return rest

    # --- who and what there is

    @cached_property
    def known(self) -> KnownPeople:
        """Who is who, as the reader may know it."""
        return self.directory.view(self.hidden, *self.apart, reader=self.reader)()

    @cached_property
    def indexed(self) -> list[Repository]:
        """All repositories, those in `hidden` too."""
        return self.store.commits.repositories()

    @cached_property
    def repositories(self) -> list[Repository]:
        """Those that may be read of."""
        return [one for one in self.indexed if one.name not in self.hidden]

    def named(self, names: Sequence[str]) -> list[Repository]:
        """The repositories of some names, of none all that may be read of. Raises RepositoryUnavailable."""
        known = {repository.name for repository in self.repositories}
        if unknown := next((name for name in names if name not in known), None):
            there = listed(sorted(known)) or "none"
            raise RepositoryUnavailable(unknown, f"is not indexed; there are {there}: check the name")
        return [repository for repository in self.repositories if not names or repository.name in names]

    @property
    def every(self) -> list[Repository]:
        """Those of the scope."""
        return [one for one in self.named(self.scope.repositories) if one.name not in self.scope.without_repositories]

    def pages(self) -> dict[str, str | None]:
        """The page under which each repository's commits open, by the name it is shown by; None for one without."""
        return {clean(one.name): one.web for one in self.repositories}

    def present(self) -> Month:
        return Month.of(self.settings.now(), self.zone)

    @property
    def always(self) -> Days:
        """All the months there can be commits in: what is dated later has not happened."""
        return Days.of(FIRST, self.present())

    @property
    def time(self) -> Days:
        """That of the scope."""
        return self.scope.span or self.always

    def teams(self) -> list[str]:
        """The names of the teams of almanac.toml."""
        return [team.name for team in self.settings.teams]

    def members(self, team: str) -> list[Person]:
        """The people of a team of almanac.toml."""
        table = self.settings.team(team)
        return [one for one in self.known.everyone if table and one.name in table.people]

    def person(self, name: str, time: AnyPeriod) -> Person:
        """Who is called that. Of several with one and the same name, the one who was active in a time.

        Raises PersonUnknown where it is nobody or several, with what to say; and PersonHidden.
        """
        return self.shown(self.found(name, time))

    def found(self, name: str, time: AnyPeriod) -> Person:
        """The same, of those too who asked not to be shown: for what is not about to be told."""
        member = by_slack_id(self.known.everyone).get(name.strip().strip("<@>").upper())
        return member or self.known.meant(name, lambda found: self.activity.narrowed(found, time))

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
        return Activity(self)

    @cached_property
    def releases(self) -> Releases:
        """Which tags there are, and what is in them."""
        from bot.ask.releases import Releases  # with all of git's reading, which most answers do without

        return Releases(self.store, self.settings.mirrors, self.named, self.zone)

    @property
    def diffs(self) -> Diffs:
        """What reads diffs."""
        from bot.index.diffs import Diffs

        return Diffs(self.store.commits, self.settings.mirrors)

    def known_for(
        self, text: str, asker: Person | None = None, member: Callable[[str], Person | None] | None = None
    ) -> Known:
        """What a text can be about. `member` finds the person behind a Slack user's id; by almanac.toml alone unless it
        is given. Which of its words stand in messages is looked up once, when it is first asked."""
        from bot.ask.places import IDLE  # which, and words, a plain `almanac month` can do without
        from bot.ask.words import classes_of, cleaned, one_letter_off, respelled, split_words

        people, sprint, topics = self.known.everyone, self.settings.sprint, self.store.topics
        without, exactly = sorted(self.hidden), self.known.directory.exactly
        tags = {one.name: list[str]() for one in self.repositories}
        for tag in self.store.commits.tags(without=without):
            tags[tag.repository].append(tag.name)

        @cache
        def held() -> set[str]:
            said = {low for word in split_words(cleaned(text[:MOST_READ])) for low in (word.low, word.raw.casefold())}
            return topics.held(sorted(low for low in said if not classes_of(low) - IDLE), without=without)

        holds, looked_for = cache(self.is_said), iter(range(MOST_ALIKE))

        @cache
        def alike(word: str) -> str:
            if next(looked_for, None) is None or holds(word):
                return ""
            if (other := respelled(word)) != word and holds(other):
                return other
            if not word.isalpha() or len(word) > LONGEST_SLIP:
                return ""
            there = topics.held(one_letter_off(word), without=without, least=COMMON)
            stems = {tuple(stem) for stem in words_of(enumerate(there)).values()}
            return min(there, key=lambda one: (len(one), one)) if len(stems) == 1 else ""

        def near(question: Question) -> tuple[list[str], set[str]]:
            from bot.ask.nearest import nearest

            those = [person for name in question.people for person in exactly(addressed(name))]
            words = (question.topic or "").split()
            found, held = nearest(words, self, those, question.span, question.repositories)
            return [one.sha for one in found], held

        return Known(
            people=people, repositories=[one.name for one in self.repositories], asker=asker,
            member=member or by_slack_id(people).get, written=self.activity.written, teams=self.teams(),
            own_teams=[one.name for one in self.settings.teams if asker is not None and asker.name in one.people],
            tags={name: some for name, some in tags.items() if some},
            sprint=(sprint.first, sprint.days) if sprint else None,
            may_be_offered=self.known.may_be_offered, bots=lambda span: self.activity.most(span, machines=True),
            knows_word=lambda word: word in held(), knows_path=cache(self.is_path),
            is_common=lambda word: bool(topics.held([word], without=without, least=COMMON)),
            holds=holds, nearest=near, alike=alike, directory=self.known.directory,
        )  # fmt: skip

    def is_said(self, text: str) -> bool:
        """Whether a message that the reader may read says a text, or a path has its words."""
        known = sorted(one.name for one in self.repositories)
        return bool(self.store.topics.about([text], repositories=known, limit=1).commits)

    def is_path(self, text: str) -> bool:
        """Whether a text is the path of a file or a folder that the reader may know of, or the end of one."""
        return self.store.topics.is_path(text, without=sorted(self.hidden))

    def corrections(self) -> Corrections:
        """What was said of changes by hand."""
        return Corrections(self.store.said.live("change"))

    def facts_context(self, repositories: Sequence[Repository], material: Material) -> FactsContext:
        return FactsContext(
            self.zone, repositories, self.settings.now(), material.histories,
            self.known.name_of, self.store.dates, self.corrections(), self.known.coauthors,
        )  # fmt: skip

    # --- commits, and what is tied to them

    def of_person(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str], by: Commits | None = None
    ) -> Material:
        """What a person wrote, alone or with others, dated from `start` up to but not at `end`."""
        by, where = by or self.store.commits, list(repositories) or None
        credited = self.credited(person, start, end, repositories, by)
        own = by.between(start, end, identities=person.identities, repositories=where)
        shared = (commit for role, commit in credited if role == "coauthor")
        return self._material(list({one.key: one for one in (*own, *shared)}.values()), credited)

    def of_everyone(
        self, start: datetime, end: datetime, repositories: Sequence[str],
        members: Sequence[Person] | None = None, by: Commits | None = None, chosen: Chosen = ALL,
    ) -> Material:  # fmt: skip
        """What everyone wrote but for those who asked not to be shown, or what some `members` wrote, alone or with
        others; and what is late, whosever it is. With `store.came` for `by` it is what came to the default branch."""
        found = (by or self.store.commits).between(start, end, repositories=list(repositories) or None)
        if members is not None:
            own, theirs = Signatures(identities_of(members)), set(members)

            def is_theirs(one: Commit) -> bool:
                return one in own or not (one.is_merge or theirs.isdisjoint(self.known.coauthors(one)))

            found = list(filter(is_theirs, found))
        found = list({one.key: one for one in (*filter(chosen.holds, found), *self.stored(chosen.late))}.values())
        material = self.of_these(found)
        # What was reverted may have been picked again to bring it back.
        changes = (history.originals for history in material.histories.values() if not history.revert_events)
        again = (each for each in changes if not chosen.before.isdisjoint(one.sha for one in each))
        repeated = {one.key for each in again for one in each}
        return replace(material, commits=tuple(one for one in material.commits if one.key not in repeated))

    def stored(self, shas: Mapping[str, Sequence[str]]) -> list[Commit]:
        """Commits by their SHAs, by repository."""
        return [one for name in shas for one in self.store.commits.of(name, shas[name])]

    def of_these(self, commits: Sequence[Commit]) -> Material:
        """Commits at hand, but for those of people who asked not to be shown."""
        unshown = self.known.unshown
        shown = [one for one in commits if one not in unshown]
        return replace(self._material(shown, []), is_whole=len(shown) == len(commits))

    def _material(self, commits: Sequence[Commit], credited: Sequence[tuple[Role, Commit]]) -> Material:
        """What of some commits is the reader's and is sought, with what is tied to it."""
        wanted = [one for one in commits if not self.scope.skips(one)]
        shown = self._counted([one for one in wanted if one.repository not in self.hidden])
        theirs = [pair for pair in credited if pair[1].repository not in self.hidden]
        places, notes, missing = dict[Key, Where](), list[str](), list[Commit]()
        if self.scope.is_selective:
            every = list({one.key: one for one in (*shown, *(one for _, one in theirs))}.values())
            places, notes = self.scope.holding(every, self.store, self.kind_of)
            notes += [ELSEWHERE] if self.hidden else []
            shown = [one for one in shown if one.key in places]
            theirs = [pair for pair in theirs if pair[1].key in places]
        elif len(shown) < len(wanted):
            known = {one.sha for one in shown}
            missing = [one for one in wanted if one.repository in self.hidden and one.sha not in known]
        held = self.histories(shown)
        return Material(tuple(shown), tuple(missing), held, tuple(theirs), found=places, notes=tuple(notes))

    def _counted(self, commits: list[Commit]) -> list[Commit]:
        """The commits with their lines, which are counted where they are lacking, as far as patience goes."""
        lacking = [one for one in commits if not one.is_counted]
        if not lacking:
            return commits
        from bot.index.lines import Lines  # with all of git's reading, which an answer seldom needs

        Lines(self.store.commits, self.settings.mirrors).count_these(lacking)
        shas = {
            name: [one.sha for one in lacking if one.repository == name] for name in {c.repository for c in lacking}
        }
        counted = {one.key: one for one in self.stored(shas)}
        return [counted.get(one.key, one) for one in commits]

    def credited(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str], by: Commits
    ) -> list[tuple[Role, Commit]]:
        """Others' commits whose trailers name a person, and as what."""
        resolver = self.known.resolver
        before_at = {address.partition("@")[0] for address in person.addresses if not noreply_login(address)}
        names = {*person.logins, *before_at, person.name, *(one.name for one in person.identities)}
        names |= {f"@{name}" for name in names}
        own = person.signatures
        # Whom trailers alone name is whoever they write so.
        signed = {(one.name, one.address) for one in person.identities if not one.commits}

        def may_be_theirs(one: Credited) -> bool:  # not by equality: an index that runs counts more commits of theirs
            is_signed = (one.name, one.address) in signed
            return is_signed or any(own.overlaps(who.signatures) for who in resolver.may_be(one))

        def is_theirs(role: Role, commit: Commit) -> bool:
            credited = [one for one in credits_of(commit.body) if one.role == role]
            named = resolver.credited(credited, repository=commit.repository)
            is_signed = any((one.name, one.address) in signed for one in credited)
            return is_signed or any(own.overlaps(who.signatures) for _, who in named)

        found = by.crediting(start, end, person.addresses, sorted(names - {""}), may_be_theirs)
        if resolver.by_repository:
            found = [pair for pair in found if is_theirs(*pair)]
        return [
            (role, commit)
            for role, commit in found
            if commit not in own and not commit.is_merge and (not repositories or commit.repository in repositories)
            if not self.scope.skips(commit)
        ]

    def kind_of(self, commit: Commit) -> Kind:
        """The kind of a commit by itself: as said by hand, else by the rules."""
        said = {one.action: one.value for one in self.corrections().standing((commit.sha,))}
        return next((kind for kind in KINDS if kind == said.get("kind")), decided(commit).kind)

    def by_sha(self, beginning: str) -> list[Commit]:
        """The commits whose SHA begins so."""
        return [one for one in self.store.commits.by_sha(beginning) if one.repository not in self.hidden]

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        """The commits of a pull request."""
        return [one for one in self.store.commits.by_pull(repository, number) if one.repository not in self.hidden]

    def beside(self, commit: Commit) -> list[Commit]:
        """What else its author wrote in the month of a commit, in its repository."""
        person = self.known.author(commit)
        if person is None:
            return []
        month = Month.of(commit.dated(self.store.dates).at, self.zone)
        return list(self.about(EVERYTHING).of_person(person, *month.bounds(self.zone), [commit.repository]).commits)

    def histories(self, commits: Sequence[Commit]) -> Mapping[Key, History]:
        return readable_histories(self.store, commits, self.hidden)

    def with_reverted(self, material: Material) -> Material:
        """The same with what its commits revert, whenever that was written, as far as it may be shown."""
        known, unshown, more = {one.key for one in material.commits}, self.known.unshown, dict[Key, Commit]()
        for history in material.histories.values():
            if any(event.does == "reverts" and event.commit.key in known for event in history.revert_events):
                more |= {one.key: one for one in history.originals[:1] if one.key not in known}
        shown = [one for one in more.values() if one not in unshown and not self.scope.skips(one)]
        return replace(material, commits=(*material.commits, *shown))

    def tests_ignored(self, changes: Iterable[Change]) -> dict[str, IgnoredTests]:
        """The tests that changes ignored, as far as an answer's patience goes."""
        own = {one.id: one.lead for one in changes if one.kind != "revert" and not one.is_shared}
        found = self.diffs.tests_ignored(own.values())
        return {id: found[lead.key] for id, lead in own.items() if lead.key in found}

    def topics(self, months: Sequence[MonthFacts], person: Person | None = None) -> Mapping[Key, Commit]:
        """The merges that brought the changes of months to the default branch; those of which a person wrote most, and
        none that is called as what somebody else wrote."""
        wanted, unshown = dict[str, set[str]](), self.known.unshown
        for commit in (commit for facts in months for commit in facts.commits if commit.via):
            wanted.setdefault(commit.repository, set()).add(commit.via or "")
        merges = self.stored({name: sorted(shas) for name, shas in wanted.items()})
        shown = {one.key: one for one in merges if not (one in unshown or self.scope.skips(one))}
        if not person:
            return shown
        own, brought = person.signatures, ((one, self.store.commits.brought(one)) for one in shown.values())

        def lines(commits: Iterable[Commit]) -> int:  # one more each, for those that are not counted yet
            return sum(1 + lines_of(commit.files) for commit in commits)

        return {
            merge.key: merge
            for merge, some in brought
            if lines(some) < 2 * lines(c for c in some if c in own)
            and not any(title_of(c).words == title_of(merge).words for c in some if c not in own)
        }

    def hunks(self, commits: Sequence[Commit], most: int) -> Mapping[Key, str]:
        """What is telling of the diffs of commits, in so many characters."""
        return self.diffs.hunks(commits, most, HUNK_SECONDS)


# --- who reviewed what


def helpers(known: KnownPeople, changes: Iterable[Change], own: Signatures) -> dict[str, dict[str, str]]:
    """By change, the names of those who reviewed it or wrote it with somebody who signs as `own`, each with what is
    said of its role, which of reviewers is nothing. Of one that somebody else wrote, with the person as co-author, its
    author is among them."""
    found: dict[str, dict[str, str]] = {}
    marks = {"reviewer": "", "coauthor": " (co-author)", "author": " (author)"}
    for change, commit in ((one, commit) for one in changes for commit in one.commits):
        author = known.author(commit)
        named = known.resolver.credited(credits_of(commit.body), author, commit.repository)
        roles = (("author", author), *((role, one) for role, one in named if role in marks))
        for role, other in sorted(roles, key=lambda one: one[0] != "reviewer"):
            if other and not own.overlaps(other.signatures) and not known.is_hidden(other):
                found.setdefault(change.id, {}).setdefault(other.name, marks[role])
    return found


# --- when people were active


class Activity:
    """When people were active, by looks into the index, never at a commit. What is dated after now counts for
    nothing."""

    def __init__(self, index: ReadableIndex) -> None:
        self._index, self._store, self._zone = index, index.store, index.zone
        self._hidden, self._future = sorted(index.hidden), index.settings.now() + timedelta.resolution

    def last_month(self, people: Sequence[Person] | None = None) -> Month | None:
        """The newest month in which anybody, or one of some people, has a commit."""
        identities = identities_of(people) if people is not None else None
        at = self._store.commits.latest(self._future, identities, without=self._hidden)
        return Month.of(at, self._zone) if at else None

    def months(self, person: Person) -> list[Month]:
        """The months a person has commits in, oldest first."""
        months, before = list[Month](), self._future
        while at := self._store.commits.latest(before, person.identities, without=self._hidden):
            months.insert(0, Month.of(at, self._zone))
            before = months[0].bounds(self._zone)[0]
        return months

    def counted(self, time: AnyPeriod) -> dict[Person, dict[str, int]]:
        """How many commits each person who is shown has in a time, by repository, merges not counted; without those who
        have none."""
        written = self._store.identities.active(*time.bounds(self._zone), without=self._hidden, merges=False)
        found: dict[Person, dict[str, int]] = {}
        for person in self._index.known.shown:
            for one in person.identities:
                for name, commits in written.get((one.name, one.address), {}).items():
                    if one.is_of(name):
                        theirs = found.setdefault(person, {})
                        theirs[name] = theirs.get(name, 0) + commits
        return found

    def most(self, time: AnyPeriod, *, machines: bool = False) -> list[Person]:
        """Who has commits in a month or another time, most first: people, or machines."""
        total = {one: sum(theirs.values()) for one, theirs in self.counted(time).items()}
        people = [one for one in total if is_bot(one, self._index.settings.bots) == machines]
        return sorted(people, key=lambda person: (-total[person], person.name, person.addresses))

    def new(
        self, people: Sequence[Person], before: datetime, repositories: Sequence[str], dates: Dates | None = None
    ) -> list[Person]:
        """Those who have no commit in some repositories dated before an instant, by another date if it is given: nor
        has anybody else who is called as they are."""
        exactly = self._index.known.directory.exactly
        alike = {one: [p for name in full_names(one) for p in exactly(name, levels=(1,))] for one in people}
        same = {one: identities_of({one, *others}) for one, others in alike.items()}
        every = list(dict.fromkeys(one for some in same.values() for one in some))
        earlier = self._store.identities.earlier(every, before, repositories, dates)

        def was_there(one: Identity) -> bool:
            return any(map(one.is_of, earlier.get((one.name, one.address), ())))

        return [person for person in people if not any(map(was_there, same[person]))]

    def written(self, span: Days, repositories: Sequence[str]) -> Callable[[Identity], int]:
        """How many commits an identity has in a time; `repositories` empty: in all of them."""
        found = self._store.identities.active(*span.bounds(self._zone), without=self._hidden)
        return lambda one: sum(
            commits for name, commits in found.get((one.name, one.address), {}).items()
            if one.is_of(name) and name in (repositories or (name,))
        )  # fmt: skip

    def narrowed(self, people: Sequence[Person], time: AnyPeriod | None) -> tuple[Person, ...]:
        """Of several people with one name, those with commits in a time, if there are any."""
        if len(people) < 2 or time is None or len({person.name.casefold() for person in people}) > 1:
            return tuple(people)
        start, end = time.bounds(self._zone)
        newest = [self._store.commits.latest(end, person.identities, without=self._hidden) for person in people]
        active = tuple(person for person, at in zip(people, newest, strict=True) if at and at >= start)
        return active or tuple(people)

    def nearest(
        self, people: Sequence[Person] | None, time: AnyPeriod, *, came: bool = False, only: Collection[str] = ()
    ) -> list[str]:
        """A sentence on the nearest times in which some people, or everybody, have commits, as `around`; none has
        none."""
        there = [at for at in self.around(people, time, came=came, only=only) if at]
        if not there:
            return []
        is_month = time.months is not None
        near = [Month.of(at, self._zone).title if is_month else on(at, self._zone) for at in there]
        what = "month" if is_month else "day"
        return [f"The nearest active {what}{'s are' if len(near) > 1 else ' is'} {listed(near)}."]

    def around(
        self, people: Sequence[Person] | None, time: AnyPeriod, *, came: bool = False, only: Collection[str] = ()
    ) -> tuple[datetime | None, datetime | None]:
        """When some people, or anybody, were active last before a time, and first after it; or when their work came.
        In some repositories `only`, if any. A look into the index for each identity, or repository."""
        (start, end), who = time.bounds(self._zone), None if people is None else identities_of(people)
        by, others = self._store.came if came else self._store.commits, set(self._hidden)
        others |= {one.name for one in by.repositories() if one.name not in only} if only else set()
        latest = by.latest(min(start, self._future), who, without=sorted(others))
        earliest = by.earliest(end, who, without=sorted(others))
        return latest, earliest if earliest and earliest < self._future else None


def identities_of(people: Iterable[Person]) -> list[Identity]:
    return [identity for person in people for identity in person.identities]
