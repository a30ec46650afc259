"""Store and mirrors → which release is meant, what is in it, and in which release a commit is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from bot.ask.explain import ExplanationLine
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.index.git import GitAt, GitFailed
from bot.index.mirror import stored_at
from bot.index.releases import commits_between, tags_with
from bot.model import Commit, Repository, Tag
from bot.month.releases import before, first, meant, nearest, newest, releases
from bot.story.documents import ReleaseDocument
from bot.story.states import on
from bot.story.wording import clean, count
from storage import Store

T = TypeVar("T")
MOST_COMMITS = 5000  # of a release that is shown; what is longer is no release but a history


class ReleaseUnreadable(AlmanacError):
    """What is in a release cannot be found out now; its text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Released:
    """What a release holds: the commits, indexed or not, that the release before it does not. Where `tag` is None, it
    is what is not in any release yet, since `since`."""

    repository: str
    tag: Tag | None
    since: Tag | None
    shas: tuple[str, ...]


class Releases:
    """Knows the tags of the repositories that may be read of."""

    def __init__(
        self, store: Store, mirrors: Path, repositories: Callable[[Sequence[str]], list[Repository]], zone: ZoneInfo
    ) -> None:
        self._store = store
        self._mirrors = mirrors
        self._repositories = repositories
        self._zone = zone

    def tags(self, repositories: Sequence[str] = ()) -> list[Tag]:
        """Those of some repositories, or of all."""
        known = {one.name for one in self._repositories(repositories)}
        return [one for one in self._store.commits.tags() if one.repository in known]

    def meant(self, name: str, repositories: Sequence[str] = ()) -> list[Tag]:
        """The tags that somebody means by a name: one, several that may be meant, or none."""
        return meant(name, self.tags(repositories))

    def nearest(self, name: str, repositories: Sequence[str] = ()) -> list[Tag]:
        """Those that are written most like it."""
        return nearest(name, self.tags(repositories))

    def latest(self, repositories: Sequence[str] = ()) -> list[Tag]:
        """The last release of each repository that has one."""
        by_name: dict[str, list[Tag]] = {}
        for one in self.tags(repositories):
            by_name.setdefault(one.repository, []).append(one)
        return [tag for tags in by_name.values() if (tag := newest(tags))]

    def released(self, tag: Tag, since: Tag | None = None) -> Released:
        """What is in a release, and not in an earlier one: by default, in the one before. Raises ReleaseUnreadable."""

        def read(git: GitAt) -> Released:
            last = since or before(tag, self.tags([tag.repository]))
            shas = commits_between(git, tag.sha, last.sha if last else None, MOST_COMMITS + 1)
            return Released(tag.repository, tag, last, tuple(shas))

        return self._read(tag.repository, read)

    def since(self, tag: Tag) -> Released:
        """What is on the indexed branch and not in a release. Raises ReleaseUnreadable."""
        (repository,) = self._repositories([tag.repository])
        tip = repository.tip or tag.sha

        def read(git: GitAt) -> Released:
            return Released(tag.repository, None, tag, tuple(commits_between(git, tip, tag.sha, MOST_COMMITS + 1)))

        return self._read(tag.repository, read)

    def notes(self, released: Sequence[Released], lacking: int) -> list[str]:
        """What a reader must know of what is shown of releases; `lacking` of their commits are not in the index."""
        said = []
        for one in released:
            if one.since:
                said.append(f"This shows what is not in {self.named(one.since)}.")
            else:
                said.append("There is no earlier release of its kind, so all of it is shown.")
        if lacking:
            are = "is" if lacking == 1 else "are"
            said.append(f"{count(lacking, 'commit')} of it {are} not in the index, which has default branches only.")
        return list(dict.fromkeys(said))

    def document(self, released: Sequence[Released]) -> tuple[ReleaseDocument, ...]:
        """For the document of a digest."""
        return tuple(
            ReleaseDocument(
                repository=clean(one.repository),
                tag=clean(one.tag.name) if one.tag else None,
                on=one.tag.at.astimezone(self._zone).date().isoformat() if one.tag else None,
                sha=one.tag.sha if one.tag else None,
                since=clean(one.since.name) if one.since else None,
            )
            for one in released
        )

    def line(self, commits: Sequence[Commit]) -> ExplanationLine:
        """In which release a commit is, in each repository that has it."""
        several = len(commits) > 1
        said = [f"{clean(one.repository)}: {self.holding(one)}" if several else self.holding(one) for one in commits]
        return ExplanationLine("release", "; ".join(said), (commits[0].sha,))

    def holding(self, commit: Commit) -> str:
        """In which release a commit is, as a sentence without its end."""
        tags = self.tags([commit.repository])
        if not tags:
            return "in no release: no tag of it is known"
        try:
            there = self._read(commit.repository, lambda git: tags_with(git, commit.sha))
        except ReleaseUnreadable as error:
            return f"not known: {error}"
        earliest, final = first(one for one in releases(tags) if one.name in there)
        if earliest is None:
            return "in no release yet"
        said = f"first in {self.named(earliest)}"
        if final is None:
            return f"{said}, in no final release yet"
        return said if final == earliest else f"{said}, then in the release {self.named(final)}"

    def named(self, tag: Tag) -> str:
        """ "v2.1 (30 September 2025)"."""
        return f"{clean(tag.name)} ({on(tag.at, self._zone)})"

    def _read(self, name: str, read: Callable[[GitAt], T]) -> T:
        (repository,) = self._repositories([name])
        try:
            return read(GitAt(stored_at(repository.location, self._mirrors)))
        except (GitFailed, RepositoryUnavailable) as error:
            is_slow = isinstance(error, GitFailed) and error.text.startswith("Timeout:")
            why = "it took too long" if is_slow else "run almanac index, then ask again"
            raise ReleaseUnreadable(f"the history of {clean(name)} cannot be read here now: {why}") from error
