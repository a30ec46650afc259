"""Several repositories brought up to date at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.errors import RepositoryUnavailable
from bot.index.address import RepositoryLocation, place
from bot.index.concurrency import Concurrency
from bot.index.indexer import CommitStore, Indexed, Progress, index_repository


@dataclass(frozen=True, slots=True)
class RepositoryToIndex:
    """A repository as somebody names it: a path or an address, and what is to be said of it."""

    text: str
    name: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one repository, in how many seconds."""

    result: Indexed | RepositoryUnavailable
    seconds: float = 0.0


def index_all(
    wanted: Sequence[RepositoryToIndex],
    store: CommitStore,
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
            where = place(asked.text, asked.name)
        except RepositoryUnavailable as error:
            jobs[number] = [error]
        else:
            jobs.setdefault(where.name, []).append((where, asked.branch))
    return list(jobs.values())
