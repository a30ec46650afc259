"""The diffs of commits, read where somebody asks for them: what they tell is kept, their lines are not.

One git for each repository prints all that is wanted, newest first, what is heavy last, for as long as an answer waits.
What it did not come to is left out, and read when it is asked for again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from bot.diff.facts import RULES, DiffFacts, facts_of, is_marked
from bot.diff.patch import ARGUMENTS, Patch, PatchParser, file_place
from bot.diff.telling import Telling, shown, telling
from bot.errors import RepositoryUnavailable, StoreUnavailable
from bot.index.damage import past_damage
from bot.index.git import Concurrency, GitAt, GitFailed, Stopped
from bot.index.mirrors import has_contents, stored_at
from bot.model import Commit, Key
from storage.commits import Commits, DiffCache

log = logging.getLogger(__name__)

SECONDS = 2.0  # that an answer waits for diffs
HEAVY = 5000  # lines of what would be held; such a commit is read last
UNCOUNTED = 100  # lines that a file is taken to have before they are counted
MOST_PATHS = 100  # of a commit that ignores tests
FAILURES = 6  # of git, until no more of a repository is read
BIG_FILE = "2m"  # git shows no lines of a larger one, and needs no memory for it
SINCE = (
    "-c", f"core.bigFileThreshold={BIG_FILE}", "diff-tree", "-r", "--patch", "--unified=0", "--no-ext-diff",
    "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


class Diffs:
    """Reads the repositories as they lie on this disk, and fetches nothing: what has no contents has no diffs.

    What `concurrency` ends raises Stopped; what was read stays.
    """

    def __init__(
        self, repositories: Commits, kept: DiffCache, mirrors: Path, *, concurrency: Concurrency | None = None
    ) -> None:
        self._repositories = repositories
        self._kept = kept
        self._mirrors = mirrors
        self._concurrency = concurrency or Concurrency()

    def facts(self, commits: Sequence[Commit], seconds: float = SECONDS) -> dict[Key, DiffFacts]:
        """What the diffs tell, by repository and SHA: of commits that were asked for before from the store. Left out
        are merges, and what could not be read in `seconds`."""
        wanted = [commit for commit in commits if not commit.is_merge]
        kept = self._kept.get((one.key for one in wanted), RULES)
        found = {key: DiffFacts.from_json(said) for key, said in kept.items()}
        end = time.monotonic() + seconds
        for name, some in _by_repository(one for one in wanted if one.key not in found):
            new: dict[str, DiffFacts] = {}
            try:
                with closing(self._patches(name, some, end)) as patches:
                    for patch in patches:
                        new[patch.sha] = facts_of(patch)
            finally:
                self._keep(name, new)
            found |= {(name, sha): facts for sha, facts in new.items()}
        for one in wanted:
            if (facts := found.get(one.key)) and facts.tests_ignored and time.monotonic() < end:
                found[one.key] = replace(facts, tests_off=self._off(one, facts.tests_ignored, end))
        return found

    def _off(self, commit: Commit, ignored: int, end: float) -> int:
        """How many of the tests that a commit ignored still are: of the marks in its files, none went since."""
        place = self._place(commit.repository)
        if place is None or place[1] is None:
            return 0
        paths = [file.path for file in commit.files if file_place(file.path)][:MOST_PATHS]
        path, on = "", 0
        with suppress(GitFailed, Stopped), self._concurrency.cancel.within(end - time.monotonic()) as cancel:
            since = GitAt(place[0], cancel=cancel).text(*SINCE, commit.sha, place[1], "--", *paths)
            for line in since.splitlines():
                if line.startswith("--- a/"):
                    path = line.removeprefix("--- a/")
                elif line.startswith("-"):
                    on += is_marked(line[1:], path)
            return max(0, ignored - on)
        self._concurrency.cancel.check()
        return 0

    def _place(self, name: str) -> tuple[Path, str | None] | None:
        """Where a repository lies with contents, and its newest commit."""
        try:
            repository = self._repositories.repository(name)
            folder = stored_at(repository.location, self._mirrors) if repository else None
        except RepositoryUnavailable as error:
            log.warning("%s", error)
            return None
        return (folder, repository.tip) if repository and folder and has_contents(folder) else None

    def hunks(self, commits: Sequence[Commit], most: int, seconds: float = SECONDS) -> dict[Key, str]:
        """The lines of the diffs that say most, in at most so many signs for all commits together, by repository and
        SHA. Nothing of them is kept."""
        end = time.monotonic() + seconds
        found: dict[Key, Telling] = {}
        for name, some in _by_repository(one for one in commits if not one.is_merge):
            with closing(self._patches(name, some, end)) as patches:
                found |= {(name, patch.sha): telling(patch) for patch in patches}
        return shown({one.key: found[one.key] for one in commits if one.key in found}, most)

    def _keep(self, name: str, facts: Mapping[str, DiffFacts]) -> None:
        """An answer does not fail because what it found cannot be kept."""
        if not facts:
            return
        try:
            with self._concurrency.writing:
                self._kept.put(name, {sha: one.as_json() for sha, one in facts.items()}, RULES)
        except StoreUnavailable as error:
            log.warning("%s", error)

    def _patches(self, name: str, commits: Sequence[Commit], end: float) -> Generator[Patch]:
        """The diffs of one repository's commits, until `end`. One that cannot be read is left out."""
        # Of a commit at the edge of a shallow clone git would show the whole tree.
        without = [one.sha for one in commits if one.is_counted and not one.files]
        yield from map(Patch, without)
        place = self._place(name)
        if place is None:
            return
        shas = [one.sha for one in sorted(commits, key=_order) if not (one.is_counted and not one.files)]
        too_large: list[str] = []
        failed: list[str] = []

        def spoilt(sha: str, error: GitFailed) -> None:
            (too_large if error.is_too_large else failed).append(sha)
            if not error.is_too_large:
                log.warning("%s: a diff could not be read (%s)", name, error.text)
            if len(failed) == FAILURES:
                raise error

        with suppress(GitFailed, Stopped), self._concurrency.cancel.within(end - time.monotonic()) as cancel:
            git = GitAt(place[0], cancel=cancel)
            with closing(past_damage(partial(_read, git), shas, spoilt)) as patches:
                for patch in patches:
                    yield patch
                    if time.monotonic() > end:
                        break
        self._concurrency.cancel.check()
        yield from (Patch(sha, is_whole=False) for sha in too_large)


def _read(git: GitAt, shas: Sequence[str]) -> Generator[Patch]:
    with closing(git.blocks(["-c", f"core.bigFileThreshold={BIG_FILE}", *ARGUMENTS], shas)) as blocks:
        parser = PatchParser()
        yield from chain.from_iterable(map(parser.feed, blocks))
        yield from parser.finish()


def _by_repository(commits: Iterable[Commit]) -> list[tuple[str, list[Commit]]]:
    found: dict[str, list[Commit]] = {}
    for commit in commits:
        found.setdefault(commit.repository, []).append(commit)
    return list(found.items())


def _order(commit: Commit) -> tuple[bool, int, str]:
    """Newest first, what is heavy last."""
    lines = (
        UNCOUNTED if file.additions is None or file.deletions is None else file.additions + file.deletions
        for file in commit.files
        if not file.binary and file_place(file.path)
    )
    return sum(lines) > HEAVY, -commit.author.seconds, commit.sha
