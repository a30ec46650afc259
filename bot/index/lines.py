"""The lines of commits that were stored by name only: counted newest first, or when a month asks for them.

Counting lines is nearly all of the price of an index, since git must compare the contents of files; names,
people and dates come without it in a tenth of the time.
"""

from __future__ import annotations

import logging
import os
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from bot.errors import RepositoryUnavailable
from bot.index.git import GitAt, GitFailed
from bot.index.gitlog import LINES_OPTIONS, LinesParser
from bot.index.mirror import stored_at
from bot.model import Commit, FileChange, Repository

log = logging.getLogger(__name__)

Counted = tuple[str, tuple[FileChange, ...]]

BLOCK = 250  # commits dealt out to a git at a time, and stored at a time
PROCESSES = max(1, min(4, os.cpu_count() or 1))
ANSWER_SECONDS = 5.0  # what an answer waits for lines; then it is given without them


class LineStore(Protocol):
    """What counting needs of the store."""

    def repositories(self) -> list[Repository]: ...
    def to_count(self, name: str) -> list[str]: ...
    def put_lines(self, name: str, counted: Sequence[Counted]) -> None: ...


class Lines:
    """Counts what is missing in the store, from the repositories as they lie on this disk."""

    def __init__(self, store: LineStore, mirrors: Path) -> None:
        self._store = store
        self._mirrors = mirrors

    def count_all(
        self, name: str, told: Callable[[int], None] = lambda _: None, is_over: Callable[[], bool] = lambda: False
    ) -> int:
        """Count the lines of every commit of a repository that lacks them, until `is_over`.

        Returns how many were counted, `told` meanwhile. Raises RepositoryUnavailable if git cannot read on; what
        was counted stays.
        """
        shas = self._store.to_count(name)
        return self._count(name, shas, told, is_over) if shas else 0

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

    def _count(self, name: str, shas: Sequence[str], told: Callable[[int], None], is_over: Callable[[], bool]) -> int:
        repository = next(one for one in self._store.repositories() if one.name == name)
        git = GitAt(stored_at(repository.location, self._mirrors))
        done = 0
        try:
            for batch in counted(git, shas, is_over):
                self._store.put_lines(name, batch)
                done += len(batch)
                told(len(batch))
        except GitFailed as error:
            raise RepositoryUnavailable(
                repository.location, f"git could not count all lines ({error.text}); what was counted is kept"
            ) from error
        return done


def counted(git: GitAt, shas: Sequence[str], is_over: Callable[[], bool] = lambda: False) -> Iterator[list[Counted]]:
    """The files of commits with their line counts, in batches, until `is_over`.

    Blocks of commits are dealt out in turn to several gits: neighbours in a history cost alike, so that all of
    them end at about the same time, which two halves do not.
    """
    blocks = [shas[at : at + BLOCK] for at in range(0, len(shas), BLOCK)]
    hands = [[sha for block in blocks[number::PROCESSES] for sha in block] for number in range(PROCESSES)]
    results: queue.Queue[list[Counted] | Exception | None] = queue.Queue(maxsize=2 * PROCESSES)
    ended = threading.Event()
    readers = [threading.Thread(target=_read, args=(git, hand, results, ended)) for hand in hands if hand]
    for reader in readers:
        reader.start()
    try:
        running = len(readers)
        while running:
            result = results.get()
            if result is None:
                running -= 1
            elif isinstance(result, Exception):
                raise result
            else:
                yield result
                if is_over():
                    return
    finally:
        ended.set()
        while any(reader.is_alive() for reader in readers):
            try:
                results.get(timeout=0.05)  # whoever waits to hand on a result must be let go
            except queue.Empty:
                continue


def _read(
    git: GitAt, shas: Sequence[str], results: queue.Queue[list[Counted] | Exception | None], ended: threading.Event
) -> None:
    parser = LinesParser()
    batch: list[Counted] = []
    try:
        with tempfile.TemporaryFile() as listing:
            listing.write("".join(f"{sha}\n" for sha in shas).encode())
            listing.seek(0)
            arguments = ["log", *LINES_OPTIONS, "--no-ext-diff", "--no-textconv", "--no-walk=unsorted", "--stdin"]
            for block in git.blocks(arguments, listing):
                for one in parser.feed(block):
                    batch.append(one)
                    if len(batch) == BLOCK:
                        results.put(batch)
                        batch = []
                if ended.is_set():
                    return
        batch += parser.finish()
    except Exception as error:
        results.put(error)
    finally:
        if batch and not ended.is_set():
            results.put(batch)
        results.put(None)
