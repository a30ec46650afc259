"""Store → what somebody's months are made from: their commits, those they share, and all that is tied to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from bot.ask.people_directory import KnownPeople
from bot.diff.facts import DiffFacts
from bot.gc_pause import gc_paused
from bot.model import Commit, Credited, Identity, Person, Role, Signatures
from bot.month.addresses import noreply_login
from bot.month.facts import MonthFacts
from bot.month.histories import History, by_commit, histories_of
from bot.month.trailers import credits_of
from bot.story.lines import distinct_names
from bot.story.wording import clean, listed
from storage import Store
from storage.commits import Commits

FEW = 50  # people of whom each is looked for in trailers, rather than every trailer read
HUNK_SECONDS = 5.0  # for the diffs that a model is given
Whose = Sequence[Identity] | None  # None: everyone's


@dataclass(frozen=True, slots=True)
class Material:
    """The commits of a range of months, of a person or of many, and what became of them.

    `left_out` is one commit for each change that is only in repositories that the reader may not read of. `credited`
    are others' commits whose trailers name the person, and as what; those they wrote together are among `commits` too.
    `is_whole` says that nobody's commits are missing who asked not to be shown.
    """

    commits: tuple[Commit, ...]
    left_out: tuple[Commit, ...]
    histories: Mapping[tuple[str, str], History]  # by repository and SHA
    credited: tuple[tuple[Role, Commit], ...] = ()
    is_whole: bool = True


class Chosen(NamedTuple):
    """Which commits of a time are told; by repository, the SHAs of others that are told beside them; as whom those
    sign of whom nothing is; and SHAs of which no copy is told any more."""

    holds: Callable[[Commit], bool] = lambda _: True
    late: Mapping[str, Sequence[str]] = MappingProxyType({})
    without: Signatures = Signatures(())
    before: frozenset[str] = frozenset()


ALL = Chosen()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Whom and what somebody does not want to be shown: people, and repositories by name."""

    people: tuple[Person, ...] = ()
    repositories: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.people or self.repositories)

    @property
    def names(self) -> str:
        return listed([clean(one) for one in (*distinct_names(self.people), *sorted(self.repositories))])

    def titled(self, title: str) -> str:
        """A title of what is left: "everyone without Grace Hopper"."""
        return f"{title} without {self.names}" if self else title


NOTHING_SKIPPED = Skipped()


def readable_histories(
    store: Store, commits: Sequence[Commit], hidden: frozenset[str]
) -> Mapping[tuple[str, str], History]:
    """What commits belong to, with all that is tied to them, but for what is of the repositories in `hidden`."""
    with gc_paused():
        tied = store.commits.related(commits)
        shown = (one for one in tied.commits if one.repository not in hidden)
        return by_commit(histories_of(shown, tied.references))


class MaterialReader:
    """Reads the material of months, without what is `skipped`. Lines that are not counted yet are counted for what is
    asked for."""

    def __init__(
        self,
        store: Store,
        mirrors: Path,
        people: KnownPeople,
        hidden: frozenset[str],
        skipped: Skipped = NOTHING_SKIPPED,
    ) -> None:
        self._store = store
        self._mirrors = mirrors
        self._people = people
        self._hidden = hidden
        self._skipped = skipped

    def of_person(self, person: Person, start: datetime, end: datetime, repositories: Sequence[str]) -> Material:
        """What a person wrote, alone or with others, dated from `start` up to but not at `end`."""
        with gc_paused():
            own = self._with_lines(self._store.commits, start, end, person.identities, repositories)
        credited = self._credited(person, start, end, repositories)
        if lacking := [one for role, one in credited if role == "coauthor" and not one.is_counted]:
            self._count(lacking)
            credited = self._credited(person, start, end, repositories)
        mine = {(one.repository, one.sha) for one in own}
        shared = [commit for role, commit in credited if role == "coauthor"]
        commits = [*own, *(one for one in shared if (one.repository, one.sha) not in mine)]
        return self._material(commits, credited)

    def of_everyone(
        self, start: datetime, end: datetime, identities: Whose, repositories: Sequence[str],
        members: Sequence[Person] = (), by: Commits | None = None, chosen: Chosen = ALL,
    ) -> Material:  # fmt: skip
        """What everyone wrote, or some identities, but for those who asked not to be shown; what some `members` wrote
        with others; and what is late, whosever it is. With `store.came` for `by` it is what came to the default branch
        then."""
        with gc_paused():
            commits = self._with_lines(by or self._store.commits, start, end, identities, repositories)
            commits += self._written_with(members, start, end, repositories, by or self._store.commits)
        every = (*filter(chosen.holds, commits), *self._of(chosen.late))
        material = self._everyones(list({one.key: one for one in every if one not in chosen.without}.values()))
        # What was reverted may have been picked again to bring it back.
        changes = [history.originals for history in material.histories.values() if not history.revert_events]
        repeated = {one.key for each in changes if any(one.sha in chosen.before for one in each) for one in each}
        return replace(material, commits=tuple(one for one in material.commits if one.key not in repeated))

    def _written_with(
        self, members: Sequence[Person], start: datetime, end: datetime, repositories: Sequence[str], by: Commits
    ) -> list[Commit]:
        """What some people wrote with others. Of few, each is looked for."""
        if len(members) <= FEW:
            credited = (pair for one in members for pair in self._credited(one, start, end, repositories, by))
            return [commit for role, commit in credited if role == "coauthor"]
        theirs, every = set(members), by.between(start, end, repositories=list(repositories) or None)
        return [one for one in every if not one.is_merge and not theirs.isdisjoint(self._people.coauthors(one))]

    def of_commits(self, shas: Mapping[str, Sequence[str]]) -> Material:
        """Those of some SHAs of repositories that are indexed, but for those of people who asked not to be shown."""
        with gc_paused():
            commits = self._of(shas)
        return self._everyones(commits)

    def _of(self, shas: Mapping[str, Sequence[str]]) -> list[Commit]:
        return self._counted(lambda: [one for name in shas for one in self._store.commits.of(name, shas[name])])

    def reviewed_by(self, person: Person, start: datetime, end: datetime, repositories: Sequence[str]) -> Material:
        """Others' commits whose trailers name a person as reviewer."""
        credited = self._credited(person, start, end, repositories)
        return self._everyones([commit for role, commit in credited if role == "reviewer"])

    def _everyones(self, commits: Sequence[Commit]) -> Material:
        unshown = self._people.unshown
        shown = [one for one in commits if one not in unshown]
        wanted = [one for one in shown if not self.is_skipped(one)]
        return replace(self._material(wanted, []), is_whole=len(shown) == len(commits))

    def commits_of_everyone(self, start: datetime, end: datetime, repositories: Sequence[str]) -> list[Commit]:
        """The commits of `of_everyone` alone: no lines are counted, and nothing that is tied to them is read."""
        unshown = self._people.unshown
        with gc_paused():
            found = self._store.commits.between(start, end, repositories=list(repositories) or None)
        return [
            one for one in found
            if one.repository not in self._hidden and one not in unshown and not self.is_skipped(one)
        ]  # fmt: skip

    def is_skipped(self, commit: Commit) -> bool:
        """Whether a commit is of somebody, or of a repository, that is not to be shown."""
        return commit.repository in self._skipped.repositories or any(
            commit in person.signatures for person in self._skipped.people
        )

    def by_sha(self, beginning: str) -> list[Commit]:
        return [one for one in self._store.commits.by_sha(beginning) if one.repository not in self._hidden]

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        found = self._store.commits.by_pull(repository, number)
        return [one for one in found if one.repository not in self._hidden]

    def histories(self, commits: Sequence[Commit]) -> Mapping[tuple[str, str], History]:
        return readable_histories(self._store, commits, self._hidden)

    def from_diffs(self, months: Sequence[MonthFacts]) -> Mapping[tuple[str, str], DiffFacts]:
        """What the diffs of the months' commits tell, as far as an answer's patience goes."""
        from bot.index.diffs import Diffs

        commits = [one for facts in months for one in facts.commits]
        return Diffs(self._store.commits, self._store.diff_cache, self._mirrors).facts(commits) if commits else {}

    def hunks(self, commits: Sequence[Commit], most: int) -> Mapping[tuple[str, str], str]:
        """What is telling of the diffs of commits, in so many characters."""
        from bot.index.diffs import Diffs

        return Diffs(self._store.commits, self._store.diff_cache, self._mirrors).hunks(commits, most, HUNK_SECONDS)

    def _material(self, commits: Sequence[Commit], credited: Sequence[tuple[Role, Commit]]) -> Material:
        shown = tuple(one for one in commits if one.repository not in self._hidden)
        return Material(
            shown,
            self._left_out(shown, [one for one in commits if one.repository in self._hidden]),
            readable_histories(self._store, shown, self._hidden),
            tuple(pair for pair in credited if pair[1].repository not in self._hidden),
        )

    def _left_out(self, shown: Sequence[Commit], hidden: Sequence[Commit]) -> tuple[Commit, ...]:
        """One commit for each change of which nothing is shown, since it is only where the reader may not read."""
        if not hidden:
            return ()
        whole = by_commit(histories_of(self._store.commits.related([*shown, *hidden]).commits))

        def work(commit: Commit) -> str:  # the same for exports of one change
            history = whole[commit.repository, commit.sha]
            return history.id if commit in history.originals else commit.sha

        shown_ids = {work(one) for one in shown if not one.is_merge}
        found: dict[str, Commit] = {}
        for commit in (one for one in hidden if not one.is_merge):
            found.setdefault(work(commit), commit)
        return tuple(commit for change, commit in found.items() if change not in shown_ids)

    def _count(self, commits: Sequence[Commit]) -> None:
        """Count the lines of commits that lack them, as far as an answer's patience goes."""
        from bot.index.lines import Lines  # with all of git's reading, which an answer seldom needs

        Lines(self._store.commits, self._mirrors).count_these(commits)

    def _credited(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str], by: Commits | None = None
    ) -> list[tuple[Role, Commit]]:
        resolver = self._people.resolver
        before_at = {address.partition("@")[0] for address in person.addresses if not noreply_login(address)}
        names = {*person.logins, *before_at, person.name, *(one.name for one in person.identities)}
        names |= {f"@{name}" for name in names}
        own = person.signatures
        # Whom trailers alone name is whoever they write so.
        signed = {(one.name, one.address) for one in person.identities if not one.commits}

        def may_be_theirs(one: Credited) -> bool:  # not by equality: an index that runs counts more commits of theirs
            return (one.name, one.address) in signed or any(
                own.overlaps(who.signatures) for who in resolver.may_be(one)
            )

        def is_theirs(role: Role, commit: Commit) -> bool:
            credited = [one for one in credits_of(commit.body) if one.role == role]
            named = resolver.credited(credited, repository=commit.repository)
            return any(own.overlaps(who.signatures) for _, who in named) or any(
                (one.name, one.address) in signed for one in credited
            )

        by = by or self._store.commits
        found = by.crediting(start, end, person.addresses, sorted(names - {""}), may_be_theirs)
        if resolver.by_repository:
            found = [pair for pair in found if is_theirs(*pair)]
        return [
            (role, commit)
            for role, commit in found
            if commit not in own and not commit.is_merge and (not repositories or commit.repository in repositories)
            if commit.repository not in self._skipped.repositories
        ]

    def _with_lines(
        self, by: Commits, start: datetime, end: datetime, identities: Whose, repositories: Sequence[str]
    ) -> list[Commit]:
        def read() -> list[Commit]:
            found = by.between(start, end, identities=identities, repositories=list(repositories) or None)
            return [one for one in found if one.repository not in self._skipped.repositories]

        return self._counted(read)

    def _counted(self, read: Callable[[], list[Commit]]) -> list[Commit]:
        """What is read, again once the lines that are lacking are counted."""
        commits = read()
        if lacking := [one for one in commits if not one.is_counted]:
            self._count(lacking)
            commits = read()
        return commits
