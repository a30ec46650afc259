"""The lines of commits that were stored by name only: counted newest first, or when a month asks for them.

Counting lines is nearly all of the price of an index, since git must compare the contents of files; names,
people and dates come without it in a tenth of the time.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.errors import RepositoryUnavailable, StoreLocked
from bot.index.git import PATIENCE, CancelToken, Concurrency, GitAt, GitFailed, Stopped
from bot.index.gitlog import LINES_OPTIONS, counted_files
from bot.index.mirrors import advice, has_contents, named, past_damage, stored_at
from bot.model import Commit, FileChange
from storage.commit_rows import not_indexed
from storage.commits import Commits

log = logging.getLogger(__name__)

Counted = tuple[str, list[FileChange]]
Faults = dict[str, str]  # why git could not count the lines of some commits

PAGE = 20_000  # commits whose SHAs are held in memory
MANY_FILES = 20_000  # held in memory before they are stored, and more only of a single commit
BLOCK = 250  # commits dealt out to a git at a time, and stored at a time
MOST_FAULTS = 100  # commits that cannot be counted, after which a run gives up: each costs a git or two
# Of a commit that is too large for git: the lines of small files, and renames without looking into files.
SPARING = ("-c", "core.bigFileThreshold=1m", "log", *LINES_OPTIONS, "--find-renames=100%")
PROCESSES = max(1, min(4, os.cpu_count() or 1))
ANSWER_SECONDS = 5.0  # what an answer waits for lines; then it is given without them


class Lines:
    """Counts what is missing in the store, from the repositories as they lie on this disk.

    Where nobody waits for an answer, git leaves the machine to others. What `concurrency` ends raises Stopped; what was
    counted stays.
    """

    def __init__(self, store: Commits, mirrors: Path, *, concurrency: Concurrency | None = None) -> None:
        self._store = store
        self._mirrors = mirrors
        self._concurrency = concurrency or Concurrency()

    def lacking(self, name: str) -> int:
        """How many commits of a repository can be counted and are not."""
        count = self._store.uncounted(name)
        return count if count and has_contents(self._place(name)[1]) else 0

    def count_all(self, name: str, on_counted: Callable[[int], object] = lambda _: None) -> int:
        """Count the lines of every commit of a repository that lacks them, newest first.

        Returns how many were counted, and calls `on_counted` meanwhile. Raises RepositoryUnavailable if git cannot read
        some of them, after all others were counted; the next run tries them again.
        """
        done, faults = 0, Faults()
        while shas := [sha for sha in self._store.to_count(name, PAGE + len(faults)) if sha not in faults]:
            before = done + len(faults)
            done += self._count(name, shas, faults, on_counted)
            if done + len(faults) == before:  # there is nothing here to count them by
                break
        self._raise(name, faults)
        return done

    def count_these(self, commits: Sequence[Commit]) -> None:
        """Count the lines of those commits that lack them, as far as an answer's patience goes.

        A repository that cannot be read is left as it is: what is shown then leaves lines out.
        """
        end = time.monotonic() + ANSWER_SECONDS
        lacking = dict.fromkeys(one.key for one in commits if not one.is_counted)
        for name in dict.fromkeys(name for name, _ in lacking):
            faults = Faults()
            try:
                shas = [sha for repository, sha in lacking if repository == name]
                self._count(name, shas, faults, seconds=end - time.monotonic())
                self._raise(name, faults)
            except RepositoryUnavailable as error:
                log.warning("%s", error)

    def _place(self, name: str) -> tuple[str, Path]:
        """Where a repository is from, and where it lies."""
        if (repository := self._store.repository(name)) is None:
            raise not_indexed(name)
        return repository.location, stored_at(repository.location, self._mirrors)

    def _raise(self, name: str, faults: Faults) -> None:
        if not faults:
            return
        location, folder = self._place(name)
        is_ours = self._mirrors in folder.parents
        todo = f"delete its mirror {folder} and index it again" if is_ours else advice(folder, location)
        some, why = named(list(faults)), next(iter(faults.values()))
        raise RepositoryUnavailable(
            location, f"the lines of {some} cannot be counted ({why}); those of all others are: {todo}"
        )

    def _count(
        self,
        name: str,
        shas: Sequence[str],
        faults: Faults,
        on_counted: Callable[[int], object] = lambda _: None,
        seconds: float | None = None,
    ) -> int:
        """Count the lines of commits by several gits, until `seconds` are over; `faults` gets those that git cannot
        read.

        Blocks of commits are dealt out to them in turn: neighbours in a history cost alike, so that all of them end at
        about the same time, which two halves do not.
        """
        location, folder = self._place(name)
        if not has_contents(folder):
            return 0
        done, ours = 0, threading.Lock()
        with self._concurrency.cancel.within(seconds) as cancel:
            git = GitAt(folder, cancel=cancel, calm=seconds is None)

            def store(batch: list[Counted]) -> None:
                nonlocal done
                self._put(name, batch, cancel)
                with ours:
                    done += len(batch)
                    on_counted(len(batch))
                cancel.check()

            blocks = [shas[at : at + BLOCK] for at in range(0, len(shas), BLOCK)]
            hands = [[sha for block in blocks[number::PROCESSES] for sha in block] for number in range(PROCESSES)]
            try:
                list(Concurrency(cancel).each(lambda hand: _read(git, hand, store, faults), filter(None, hands)))
            except Stopped:
                pass
            except GitFailed as error:
                reason = f"git could not count all lines ({error.text}); what was counted is kept"
                raise RepositoryUnavailable(location, reason) from error
        self._concurrency.cancel.check()
        return done

    def _put(self, name: str, batch: list[Counted], cancel: CancelToken) -> None:
        """Store what is counted, also where others write for long."""
        while True:
            try:
                with self._concurrency.writing:
                    return self._store.put_lines(name, batch)
            except StoreLocked:
                cancel.check()


@dataclass(frozen=True, slots=True)
class LinesCounted:
    """What came of one repository: how many commits were counted, in how many seconds, and why no more were."""

    repository: str
    commits: int
    seconds: float
    failure: RepositoryUnavailable | None = None


class Counting:
    """Counts the lines of what others store beside them, repository by repository, newest commits first.

    Whoever stores says `found` when commits of a repository have come; `finish` waits for the rest. Whoever
    closes it before that has cancelled the token of `lines`.
    """

    def __init__(self, lines: Lines, on_counted: Callable[[str, int], None]) -> None:
        self.lines = lines
        self._on_counted = on_counted
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lines")
        self._waiting: set[str] = set()  # repositories with something to count
        self._begun: list[Future[None]] = []
        self._counted: dict[str, LinesCounted] = {}

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    def found(self, name: str) -> None:
        """Some commits of a repository are stored, or its lines were not all counted before."""
        if name not in self._waiting:
            self._waiting.add(name)
            self._begun.append(self._thread.submit(self._count, name))

    def finish(self) -> list[LinesCounted]:
        """What came of each repository in which there was something to count, once there is nothing left."""
        for one in self._begun:
            while not wait([one], timeout=PATIENCE).done:  # as in Concurrency.each
                pass
            one.result()
        return list(self._counted.values())

    def _count(self, name: str) -> None:
        self._waiting.discard(name)  # what is found from now on is counted by another
        before = self._counted.get(name) or LinesCounted(name, 0, 0.0)
        began = time.monotonic()
        failure, counted = None, 0
        try:
            counted = self.lines.count_all(name, lambda commits: self._on_counted(name, commits))
        except RepositoryUnavailable as error:
            failure = error
        if counted or failure:
            seconds = before.seconds + time.monotonic() - began
            self._counted[name] = LinesCounted(name, before.commits + counted, seconds, failure)


def _read(git: GitAt, shas: Sequence[str], store: Callable[[list[Counted]], None], faults: Faults) -> None:
    """Have the files of commits with their line counts stored, in batches."""
    batch: list[Counted] = []
    files = 0

    def spoilt(sha: str, error: GitFailed) -> None:
        if len(faults) >= MOST_FAULTS:
            raise error
        faults[sha] = error.text

    try:
        with closing(past_damage(partial(_lines_of, git), shas, spoilt)) as found:
            for one in found:
                batch.append(one)
                files += len(one[1])
                if len(batch) == BLOCK or files > MANY_FILES:
                    whole, batch, files = batch, [], 0
                    store(whole)
    finally:
        if batch:
            store(batch)


def _lines_of(git: GitAt, shas: Sequence[str], log: Sequence[str] = ("log", *LINES_OPTIONS)) -> Generator[Counted]:
    arguments = [*log, "--no-ext-diff", "--no-textconv", "--no-walk=unsorted", "--stdin"]
    try:
        with closing(git.blocks(arguments, shas)) as blocks:
            yield from counted_files(blocks)
    except GitFailed as error:
        if log is SPARING or len(shas) > 1 or not error.is_too_large:
            raise
        yield from _lines_of(git, shas, SPARING)
