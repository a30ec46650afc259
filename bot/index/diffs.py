"""The diffs of commits, read where somebody asks for them; nothing of them is kept.

One git for each repository prints all that is wanted, newest first, what is heavy last, for as long as an answer waits.
What it did not come to is left out.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from bot.diff import (
    ARGUMENTS,
    IgnoredTests,
    Patch,
    file_place,
    is_marked,
    may_hold_tests,
    notes_of,
    number_ignored,
    patches_of,
    shown,
    telling,
)
from bot.errors import RepositoryUnavailable
from bot.index.git import Concurrency, GitAt, GitFailed, Stopped
from bot.index.mirrors import has_contents, past_damage, stored_at
from bot.model import Commit, Key
from bot.month.releases import Entry, note_place
from storage.commits import Commits

log = logging.getLogger(__name__)

SECONDS = 2.0  # that an answer waits for diffs
HEAVY = 5000  # lines of what would be held; such a commit is read last
UNCOUNTED = 100  # lines that a file is taken to have before they are counted
MOST_PATHS = 100  # of a commit that ignores tests
MOST_PLACES, LONGEST_PLACES = 1_000, 100_000  # of notes, and their bytes, that git is given; of more it reads all files
EVERYWHERE = (".",)
FAILURES = 6  # of git, until no more of a repository is read
BIG_FILE = "2m"  # git shows no lines of a larger one, and needs no memory for it
# Of a change log, for git, which names it with what is below: "## Fixes", "Removals", "Version 2.0.5", "2.0.5 (May 1)"
HEADING = "^(#{1,6} .+|[A-Z][A-Za-z0-9. ,&/()_-]{1,40}[A-Za-z0-9)]:?|([A-Za-z_-]+ )?v?[0-9]+[.][0-9A-Za-z. ,()_-]*:?)$"
SINCE = (
    "-c", f"core.bigFileThreshold={BIG_FILE}", "diff-tree", "-r", "--patch", "--unified=0", "--no-ext-diff",
    "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


class Diffs:
    """Reads the repositories as they lie on this disk, and fetches nothing: what has no contents has no diffs.

    What `concurrency` ends raises Stopped.
    """

    def __init__(self, repositories: Commits, mirrors: Path, *, concurrency: Concurrency | None = None) -> None:
        self._repositories = repositories
        self._mirrors = mirrors
        self._concurrency = concurrency or Concurrency()

    def tests_ignored(self, commits: Iterable[Commit], seconds: float = SECONDS) -> dict[Key, IgnoredTests]:
        """The tests that commits ignored, of those that did, by repository and SHA. Left out are merges, and what could
        not be read in `seconds`."""
        wanted = [one for one in commits if not one.is_merge and any(may_hold_tests(file.path) for file in one.files)]
        end = time.monotonic() + seconds
        found = {key: number_ignored(patch) for key, patch in self._patches(wanted, end)}
        ignoring = [(one, number) for one in wanted if (number := found.get(one.key))]
        return {one.key: IgnoredTests(number, self._off(one, number, end)) for one, number in ignoring}

    def notes(
        self, commits: Iterable[Commit], merges: Mapping[Key, Commit], seconds: float = SECONDS
    ) -> dict[Key, tuple[Entry, ...]] | None:
        """What commits add to change logs, of those that do, by repository and SHA; of what one of the `merges`
        brought, what stood when it came. None where it takes longer than `seconds`: what is told of the same commits
        does not hang on how far it came."""
        wanted = {one: places for one in commits if (places := _places(one))}
        by_merge = dict[Commit, list[Commit]]()
        for one in wanted:
            if merge := merges.get((one.repository, one.via or "")):
                by_merge.setdefault(merge, []).append(one)
        only: Sequence[str] = sorted(set().union(*wanted.values()))
        if len(only) > MOST_PLACES or sum(len(os.fsencode(one)) for one in only) > LONGEST_PLACES:
            only = EVERYWHERE
        end = time.monotonic() + seconds
        found = {key: notes_of(patch) for key, patch in self._patches((*by_merge, *wanted), end, only)}
        if wanted and time.monotonic() >= end:
            return None
        for merge, some in by_merge.items():
            if (stood := found.pop(merge.key, None)) is None:
                continue
            kept, respelt = {entry.text for entry in stood}, list[Key]()
            for one in some:
                own = found.get(one.key, ())
                found[one.key] = tuple(entry for entry in own if entry.text in kept)
                kept = kept.difference(entry.text for entry in found[one.key])
                respelt += [one.key] * (len(own) - len(found[one.key]))
            if 0 < len(kept) <= len(respelt):  # by later commits; it is not what others wrote there, or a whole log
                found[respelt[-1]] += tuple(entry for entry in stood if entry.text in kept)
        return {key: notes for key, notes in found.items() if notes}

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
        """The lines of the diffs, in at most so many signs for all commits together, by repository and
        SHA."""
        wanted = [one for one in commits if not one.is_merge]
        found = {key: telling(patch) for key, patch in self._patches(wanted, time.monotonic() + seconds)}
        return shown({one.key: found[one.key] for one in commits if one.key in found}, most)

    def _patches(self, commits: Iterable[Commit], end: float, only: Sequence[str] = ()) -> Iterator[tuple[Key, Patch]]:
        """The diffs of commits, or what these change in some paths `only`, until `end`. One that cannot be read is left
        out."""
        every: dict[str, list[Commit]] = {}
        for commit in commits:
            every.setdefault(commit.repository, []).append(commit)
        for name, some in every.items():
            with closing(self._patches_of(name, some, end, only)) as patches:
                yield from (((name, patch.sha), patch) for patch in patches)

    def _patches_of(self, name: str, commits: Sequence[Commit], end: float, only: Sequence[str]) -> Generator[Patch]:
        place = self._place(name)
        if place is None:
            return
        # Of a commit at the edge of a shallow clone, which has no files here, git would show the whole tree.
        shown = (one for one in sorted(commits, key=_order) if one.files or not one.is_counted or one.is_merge)
        shas = [f"{one.sha} {one.parents[0]}" if one.is_merge else one.sha for one in shown]
        failed: list[str] = []

        def spoilt(sha: str, error: GitFailed) -> None:
            if error.is_too_large:
                return
            failed.append(sha)
            log.warning("%s: a diff could not be read (%s)", name, error.text)
            if len(failed) == FAILURES:
                raise error

        with suppress(GitFailed, Stopped), self._concurrency.cancel.within(end - time.monotonic()) as cancel:
            git = GitAt(place[0], cancel=cancel)
            with closing(past_damage(partial(_read, git, only), shas, spoilt)) as patches:
                for patch in patches:
                    yield patch
                    if time.monotonic() > end:
                        break
        self._concurrency.cancel.check()


def _places(commit: Commit) -> set[str]:
    """Where a commit changes notes, and where files of notes came from: without that git takes what is only moved for
    new."""
    notes = [file for file in commit.files if note_place(file.path)]
    return {note_place(path) or path for file in notes for path in (file.path, file.old_path) if path}


def _read(git: GitAt, only: Sequence[str], shas: Sequence[str]) -> Generator[Patch]:
    options = ("--literal-pathspecs", "-c", f"core.bigFileThreshold={BIG_FILE}")
    with_headings = ("-c", f"diff.default.xfuncname={HEADING}") if only else ()
    with closing(git.blocks([*options, *with_headings, *ARGUMENTS, "--", *only], shas)) as blocks:
        yield from patches_of(blocks, note_place if only else file_place)


def _order(commit: Commit) -> tuple[bool, int, str]:
    """Newest first, what is heavy last."""
    lines = (
        UNCOUNTED if file.additions is None or file.deletions is None else file.additions + file.deletions
        for file in commit.files
        if not file.binary and file_place(file.path)
    )
    return sum(lines) > HEAVY, -commit.author.seconds, commit.sha
