"""Several repositories brought up to date at the same time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from bot.errors import RepositoryUnavailable
from bot.index.address import RepositoryLocation, place
from bot.index.concurrency import Concurrency
from bot.index.indexer import Indexed, Progress, index_repository
from bot.model import Audience
from storage.commits import Commits

log = logging.getLogger(__name__)


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


def index_all(
    wanted: Sequence[RepositoryToIndex],
    store: Commits,
    mirrors: Path,
    now: datetime,
    progress: Progress,
    concurrency: Concurrency,
    *,
    contents: bool = True,
    alone: Callable[[str], AbstractContextManager[object]] = nullcontext,
) -> Iterator[Outcome]:
    """An outcome for each repository, in their order. One that cannot be read does not stop the others. Inside `alone`
    with its name, nobody else reads it."""

    def one(where: RepositoryLocation, branch: str | None) -> Outcome:
        began = time.monotonic()
        try:
            with alone(where.name):
                done = index_repository(
                    where, branch, store, mirrors, now, progress, concurrency=concurrency, contents=contents
                )
        except RepositoryUnavailable as error:
            return Outcome(error)
        return Outcome(done, time.monotonic() - began)

    def job(same: Sequence[tuple[RepositoryLocation, str | None] | RepositoryUnavailable]) -> list[Outcome]:
        return [Outcome(each) if isinstance(each, RepositoryUnavailable) else one(*each) for each in same]

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
            jobs[number] = [error]
        else:
            jobs.setdefault(where.name, []).append((where, asked.branch))
    return list(jobs.values())
