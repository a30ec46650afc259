"""Store → what somebody's months are told from: their commits, those they share, and all that is tied to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.ask.everybody import Everybody
from bot.index.lines import Lines
from bot.model import Commit, Credited, Identity, Person, Role, Signature
from bot.month.addresses import noreply_login
from bot.month.histories import History, by_commit, histories_of
from storage import Store


@dataclass(frozen=True, slots=True)
class Material:
    """The commits of a range of months, of a person or of many, and what became of them.

    `left_out` are those in repositories that the reader may not read of. `credited` are others' commits whose
    trailers name the person, and as what; those they wrote together are among `commits` as well.
    """

    commits: tuple[Commit, ...]
    left_out: tuple[Commit, ...]
    histories: Mapping[tuple[str, str], History]  # by repository and SHA
    credited: tuple[tuple[Role, Commit], ...] = ()


class Months:
    """Reads the material of months. Lines that are not counted yet are counted for what is asked for."""

    def __init__(self, store: Store, lines: Lines, everybody: Everybody, hidden: frozenset[str]) -> None:
        self._store = store
        self._lines = lines
        self._everybody = everybody
        self._hidden = hidden

    def of_person(self, person: Person, start: datetime, end: datetime, repositories: Sequence[str]) -> Material:
        """What a person wrote, alone or with others, dated from `start` up to but not at `end`."""
        own = self._with_lines(start, end, person.identities, repositories)
        credited = self._credited(person, start, end, repositories)
        mine = {(one.repository, one.sha) for one in own}
        shared = [commit for role, commit in credited if role == "coauthor"]
        commits = [*own, *(one for one in shared if (one.repository, one.sha) not in mine)]
        return self._material(commits, credited)

    def of_everyone(
        self, start: datetime, end: datetime, identities: Sequence[Identity] | None, repositories: Sequence[str]
    ) -> Material:
        """What everyone wrote, or some identities."""
        return self._material(self._with_lines(start, end, identities, repositories), [])

    def by_sha(self, beginning: str) -> list[Commit]:
        return [one for one in self._store.commits.by_sha(beginning) if one.repository not in self._hidden]

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        found = self._store.commits.by_pull(repository, number)
        return [one for one in found if one.repository not in self._hidden]

    def histories(self, commits: Sequence[Commit]) -> Mapping[tuple[str, str], History]:
        """What the commits belong to, with all that is tied to them and may be read of."""
        tied = self._store.commits.tied(commits)
        return by_commit(histories_of(one for one in tied if one.repository not in self._hidden))

    def name_of(self, author: Signature) -> str:
        """Who an author is, by the name that we call them."""
        person = self._everybody.author(author)
        return person.name if person else author.name

    def _material(self, commits: Sequence[Commit], credited: Sequence[tuple[Role, Commit]]) -> Material:
        shown = tuple(one for one in commits if one.repository not in self._hidden)
        told = {one.sha for one in shown}  # the same commit may be in a repository that is hidden, too
        return Material(
            shown,
            tuple(one for one in commits if one.repository in self._hidden and one.sha not in told),
            self.histories(shown),
            tuple(pair for pair in credited if pair[1].repository not in self._hidden),
        )

    def _credited(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str]
    ) -> list[tuple[Role, Commit]]:
        resolver = self._everybody.resolver()
        before_at = {address.partition("@")[0] for address in person.addresses if not noreply_login(address)}
        names = {*person.logins, *before_at, person.name, *(one.name for one in person.identities)}
        names |= {f"@{name}" for name in names}
        own = {(one.name, one.address) for one in person.identities}

        def is_theirs(one: Credited) -> bool:  # not by equality: an index that runs counts more commits of theirs
            named = resolver.person(one)
            return named is not None and any((it.name, it.address) in own for it in named.identities)

        found = self._store.commits.crediting(start, end, person.addresses, sorted(names - {""}), is_theirs)
        return [
            (role, commit)
            for role, commit in found
            if (commit.author.name, commit.author.address) not in own
            and not commit.is_merge
            and (not repositories or commit.repository in repositories)
        ]

    def _with_lines(
        self, start: datetime, end: datetime, identities: Sequence[Identity] | None, repositories: Sequence[str]
    ) -> list[Commit]:
        wanted = list(repositories) if repositories else None
        commits = self._store.commits.between(start, end, identities=identities, repositories=wanted)
        if all(commit.is_counted for commit in commits):
            return commits
        self._lines.count_these(commits)
        return self._store.commits.between(start, end, identities=identities, repositories=wanted)
