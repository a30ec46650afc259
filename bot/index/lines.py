"""The lines of commits that were stored by name only: counted newest first, or when a month asks for them.

Counting lines is nearly all of the price of an index, since git must compare the contents of files; names,
people and dates come without it in a tenth of the time.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol

from bot.errors import RepositoryUnavailable
from bot.index.git import GitAt, GitFailed
from bot.index.gitlog import LINES_OPTIONS, FileRow, LinesParser
from bot.index.mirror import has_contents, stored_at
from bot.index.shas import Shas
from bot.index.together import PATIENCE, Together
from bot.model import Commit, Repository

log = logging.getLogger(__name__)

Counted = tuple[str, list[FileRow]]

PAGE = 20_000  # commits whose SHAs are held in memory
MANY_FILES = 20_000  # held in memory before they are stored, and more only of a single commit
BLOCK = 250  # commits dealt out to a git at a time, and stored at a time
PROCESSES = max(1, min(4, os.cpu_count() or 1))
ANSWER_SECONDS = 5.0  # what an answer waits for lines; then it is given without them


class LineStore(Protocol):
    """What counting needs of the store."""

    def repositories(self) -> list[Repository]: ...
    def uncounted(self, name: str) -> int: ...
    def to_count(self, name: str, limit: int) -> list[str]: ...
    def put_lines(self, name: str, counted: Sequence[Counted]) -> None: ...


class Lines:
    """Counts what is missing in the store, from the repositories as they lie on this disk.

    `calm` gits leave the machine to others. What `together` ends raises Stopped; what was counted stays.
    """

    def __init__(
        self, store: LineStore, mirrors: Path, *, together: Together | None = None, calm: bool = False
    ) -> None:
        self._store = store
        self._mirrors = mirrors
        self._together = together or Together()
        self._calm = calm

    def has_room(self) -> bool:
        """Whether there is a core to spare: names that are read with help keep two busy, and are wanted sooner."""
        return not self._together.is_helping()

    def lacking(self, name: str) -> int:
        """How many commits of a repository can be counted and are not."""
        count = self._store.uncounted(name)
        return count if count and has_contents(self._folder(name)[1]) else 0

    def count_all(
        self, name: str, told: Callable[[int], None] = lambda _: None, is_over: Callable[[], bool] = lambda: False
    ) -> int:
        """Count the lines of every commit of a repository that lacks them, newest first, until `is_over`.

        Returns how many were counted, `told` meanwhile. Raises RepositoryUnavailable if git cannot read on; what
        was counted stays.
        """
        done = 0
        while shas := self._store.to_count(name, PAGE):
            counted_now = self._count(name, shas, told, is_over)
            done += counted_now
            if counted_now < len(shas):  # it is over, or there is nothing to count them by
                break
        return done

    def count_these(self, commits: Sequence[Commit]) -> None:
        """Count the lines of those commits that lack them, as far as an answer's patience goes.

        A repository that cannot be read is left as it is: what is told then leaves lines out.
        """
        end = time.monotonic() + ANSWER_SECONDS
        lacking: dict[str, list[str]] = {}
        for commit in commits:
            if not commit.is_counted:
                lacking.setdefault(commit.repository, []).append(commit.sha)
        for name, shas in lacking.items():
            try:
                self._count(name, shas, lambda _: None, lambda: time.monotonic() > end)
            except RepositoryUnavailable as error:
                log.warning("%s", error)

    def _folder(self, name: str) -> tuple[Repository, Path]:
        repository = next(one for one in self._store.repositories() if one.name == name)
        return repository, stored_at(repository.location, self._mirrors)

    def _count(self, name: str, shas: Sequence[str], told: Callable[[int], None], is_over: Callable[[], bool]) -> int:
        repository, folder = self._folder(name)
        if not has_contents(folder):
            return 0
        git = GitAt(folder, halt=self._together.halt, calm=self._calm)
        done = 0
        try:
            with closing(counted(git, shas, is_over)) as batches:
                for batch in batches:
                    with self._together.writing:
                        self._store.put_lines(name, batch)
                    done += len(batch)
                    told(len(batch))
        except GitFailed as error:
            raise RepositoryUnavailable(
                repository.location, f"git could not count all lines ({error.text}); what was counted is kept"
            ) from error
        return done


def counted(git: GitAt, shas: Sequence[str], is_over: Callable[[], bool] = lambda: False) -> Generator[list[Counted]]:
    """The files of commits with their line counts, in batches, until `is_over`.

    Blocks of commits are dealt out in turn to several gits: neighbours in a history cost alike, so that all of
    them end at about the same time, which two halves do not.
    """
    blocks = [shas[at : at + BLOCK] for at in range(0, len(shas), BLOCK)]
    hands = [[sha for block in blocks[number::PROCESSES] for sha in block] for number in range(PROCESSES)]
    results: queue.Queue[list[Counted] | Exception | None] = queue.Queue(maxsize=2 * PROCESSES)
    with git.halt.within() as halt:
        mine = git.under(halt)
        readers = [threading.Thread(target=_read, args=(mine, hand, results)) for hand in hands if hand]
        for reader in readers:
            reader.start()
        try:
            running = len(readers)
            while running:
                try:
                    result = results.get(timeout=PATIENCE)
                except queue.Empty:
                    result = []
                if result is None:
                    running -= 1
                elif isinstance(result, Exception):
                    raise result
                elif result:
                    yield result
                if is_over():
                    return
        finally:
            halt.stop()
            while any(reader.is_alive() for reader in readers):
                with suppress(queue.Empty):  # whoever waits to hand on a result must be let go
                    results.get(timeout=0.01)


def _read(git: GitAt, shas: Sequence[str], results: queue.Queue[list[Counted] | Exception | None]) -> None:
    parser = LinesParser()
    batch: list[Counted] = []
    files = 0
    try:
        arguments = ["log", *LINES_OPTIONS, "--no-ext-diff", "--no-textconv", "--no-walk=unsorted", "--stdin"]
        listing = Shas.of(shas)
        for block in git.blocks(arguments, listing.open()):
            for one in parser.feed(block):
                batch.append(one)
                files += len(one[1])
                if len(batch) == BLOCK or files > MANY_FILES:
                    results.put(batch)
                    batch, files = [], 0
        batch += parser.finish()
    except Exception as error:
        if batch:
            results.put(batch)
        batch = []
        results.put(error)
    finally:
        if batch:
            results.put(batch)
        results.put(None)
