"""Several repositories brought up to date at the same time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from bot.errors import RepositoryUnavailable, StoreLocked
from bot.index.address import RepositoryLocation, place
from bot.index.concurrency import Concurrency
from bot.index.git import CancelToken
from bot.index.indexer import Indexed, Progress, index_repository
from bot.model import Audience
from storage.commits import Commits

log = logging.getLogger(__name__)

R = TypeVar("R")
WAIT_SECONDS = 0.5  # until it is looked again whether a repository is free


@dataclass(frozen=True, slots=True)
class RepositoryToIndex:
    """A repository as somebody names it: a path or an address, and what is to be said of it."""

    text: str
    name: str | None = None
    branch: str | None = None
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one repository, in how many seconds."""

    name: str
    result: Indexed | RepositoryUnavailable
    seconds: float = 0.0


class LoggedProgress:
    """Progress that nobody watches."""

    def start(self, repository: str, total: int | None) -> None:
        if total != 0:
            log.info("%s: reading %s", repository, "all of its commits" if total is None else f"{total:,} commits")

    def advance(self, repository: str, commits: int) -> None:
        pass


def log_result(done: Indexed | RepositoryUnavailable) -> None:
    """What came of a repository, where nobody watches."""
    if isinstance(done, RepositoryUnavailable):
        log.warning("%s", done)
        return
    if done.new or done.removed:
        log.info("%s: %d commits new, %d removed", done.repository, done.new, done.removed)
    if done.failure:
        log.warning("%s: %s", done.repository, done.failure)
    if done.shallow:
        log.warning("%s is a shallow clone, so its older commits are missing", done.repository)


def patiently(work: Callable[[], R], say: Callable[[str], object], cancel: CancelToken) -> R:
    """What `work` returns, once no other process is in its way; `say` is told so once."""
    is_said = False
    while True:
        try:
            return work()
        except StoreLocked as error:
            if not is_said:
                say(f"{error.public_text}; waiting until it has finished")
            is_said = True
        cancel.wait(WAIT_SECONDS)


def index_all(
    wanted: Sequence[RepositoryToIndex],
    store: Commits,
    mirrors: Path,
    now: datetime,
    progress: Progress,
    concurrency: Concurrency,
    *,
    contents: bool = True,
    say: Callable[[str], object] = log.info,
) -> Iterator[Outcome]:
    """An outcome for each repository, in their order. One that cannot be read does not stop the others. Where another
    process reads one, or keeps the database locked, it is waited for, and `say` is told so once."""

    def one(where: RepositoryLocation, branch: str | None) -> Outcome:
        began = time.monotonic()

        def read() -> Indexed:
            return index_repository(
                where, branch, store, mirrors, now, progress, concurrency=concurrency, contents=contents
            )

        try:
            done = patiently(read, say, concurrency.cancel)
        except RepositoryUnavailable as error:
            return Outcome(where.name, error)
        return Outcome(where.name, done, time.monotonic() - began)

    def job(same: Sequence[tuple[RepositoryLocation, str | None] | RepositoryUnavailable]) -> list[Outcome]:
        return [one(*each) if isinstance(each, tuple) else Outcome(each.repository, each) for each in same]

    for outcomes in concurrency.each(job, _by_name(wanted)):
        yield from outcomes


def _by_name(
    wanted: Sequence[RepositoryToIndex],
) -> list[list[tuple[RepositoryLocation, str | None] | RepositoryUnavailable]]:
    """What must not run at the same time stands together: of two with one name the first is indexed."""
    jobs: dict[object, list[tuple[RepositoryLocation, str | None] | RepositoryUnavailable]] = {}
    for number, asked in enumerate(wanted):
        try:
            where = replace(place(asked.text, asked.name), audience=asked.audience)
        except RepositoryUnavailable as error:
            jobs[number] = [RepositoryUnavailable(asked.name or error.repository, error.reason)]
        else:
            jobs.setdefault(where.name, []).append((where, asked.branch))
    return list(jobs.values())
