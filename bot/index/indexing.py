"""Repositories → store: what is new is read, children before their parents, in batches that each stand on their own.

Which commits belong to a branch is asked by what is reachable, never by date: clocks lie. What is
missing in the store is read, what is no longer reachable is removed, and only then is the new tip
recorded, so that an interruption at any point leaves less to do for the next run and nothing wrong.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from bot.errors import RepositoryUnavailable, StoreLocked
from bot.index.git import CancelToken, Concurrency, GitFailed, read_mailmap, read_tags
from bot.index.gitlog import WITHOUT_FILES, Arrivals
from bot.index.mirrors import DamagedHistory, Source, open_source
from bot.index.places import RepositoryLocation, Where
from bot.model import Commit, Repository, narrower
from bot.month.joining import Mailmap
from storage.commits import Commits, IndexState, being_read

log = logging.getLogger(__name__)

R = TypeVar("R")

MANY = 3000  # commits of a new history from which on they are not listed first
BATCH = 500  # commits in the first transaction, so that the first month can be shown soon; then twice as many,
LARGEST = 4000  # and so on up to these, half a second's work: each writes the same pages of the indexes once more
HEAVY = 8 << 20  # bytes in one transaction, roughly: what is held in memory at a time
_A_COMMIT, _A_FILE = 1000, 200  # of them
REQUESTED = 4  # repositories that are read on request at the same time
WAIT_SECONDS = 0.5  # until it is looked again whether a repository is free


class Progress(Protocol):
    """Is called with how far an index has come."""

    def start(self, repository: str, total: int | None) -> None: ...  # None: many, which nobody has counted
    def advance(self, repository: str, commits: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Indexed:
    """What one run over a repository did. `oddities` are counted by a reason written for people.

    `branch` is the one that was read, as people call it. Of its commits, `kept_out` are not stored since their authors
    asked to be forgotten. Lines may be left to be counted: see `bot.index.lines`. `failure` says which commits git
    could not read, in one line; the next run tries them again.
    """

    repository: str
    new: int
    removed: int
    total: int
    shallow: bool
    oddities: tuple[tuple[str, int], ...] = ()
    kept_out: int = 0
    failure: str | None = None
    branch: str = ""


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


@dataclass(frozen=True, slots=True)
class Indexing:
    """Brings a store up to date with repositories."""

    store: Commits
    mirrors: Path
    now: datetime
    progress: Progress = field(default_factory=LoggedProgress)
    concurrency: Concurrency = field(default_factory=Concurrency)

    def all(self, wanted: Iterable[Where], say: Callable[[str], object] = log.info) -> Iterator[Outcome]:
        """An outcome for each repository, in their order. One that cannot be read does not stop the others. Where
        another process reads one, or keeps the database locked, it is waited for, and `say` is told so once."""

        def one(where: Where) -> Outcome:
            if isinstance(where, RepositoryUnavailable):
                return Outcome(where.repository, where)
            began = time.monotonic()
            try:
                done = patiently(lambda: self.repository(where), say, self.concurrency.cancel)
            except RepositoryUnavailable as error:
                return Outcome(where.name, error)
            return Outcome(where.name, done, time.monotonic() - began)

        # Of two with one name the first is indexed: they do not run at the same time.
        same: dict[object, list[Where]] = {}
        for where in wanted:
            same.setdefault(where if isinstance(where, RepositoryUnavailable) else where.name, []).append(where)
        for outcomes in self.concurrency.each(lambda some: [one(each) for each in some], same.values()):
            yield from outcomes

    def repository(self, place: RepositoryLocation) -> Indexed:
        """Of a history that is damaged, all is stored that git can read. Raises RepositoryUnavailable if it cannot be
        read at all; what was indexed before, and what this run read until then, stays. Raises StoreLocked where
        somebody else reads it."""
        known = self.store.index_state(place.name)
        if known and known.is_taken:
            raise being_read(place.name)  # before its server is asked
        try:
            return self._done(place, known)
        except RepositoryUnavailable as error:
            if known and known.repository.location == place.location:
                self.store.mark_failed(place.name, error.reason)
            raise

    def _done(self, place: RepositoryLocation, known: IndexState | None) -> Indexed:
        store = self.store
        source = self._opened(place, known)
        with self.concurrency.cores:
            audience = known.repository.audience if known else None
            has_moved = not known or (known.repository.location, known.repository.web) != (place.location, source.web)
            if has_moved:
                _refuse_another(source, store)
                with self.concurrency.writing:
                    store.register(Repository(place.name, place.location, source.web, audience=place.audience))
            if narrower(audience, place.audience) != audience:
                with self.concurrency.writing:
                    store.keep_audiences({place.name: place.audience})
            if known and not has_moved and self._is_unchanged(source, known):
                self._read_beside(source, known)
                return Indexed(
                    place.name, 0, 0, known.commits, shallow=False, kept_out=known.kept_out, branch=source.branch
                )
            with store.taken(place.name) as mine:
                now = mine.index_state(place.name)
                if now and now.repository.tip != (known.repository.tip if known else None):
                    source = self._opened(place, now)  # somebody else read it meanwhile, and may have read more
                return replace(self, store=mine)._read(source, now)

    def _opened(self, place: RepositoryLocation, known: IndexState | None, *, anew: bool = False) -> Source:
        tip = known.repository.tip if known else None
        return open_source(place, self.mirrors, concurrency=self.concurrency, known=tip, anew=anew)

    def _read(self, source: Source, known: IndexState | None) -> Indexed:
        place, may_be_mended = source.place, source.place.path is None
        try:
            while True:
                try:
                    return self._index(source, known)
                except GitFailed as error:
                    if not may_be_mended or error.is_too_large:
                        return self._salvage(source, error, known)
                    # The mirror is damaged, which what it mirrors need not be.
                    source, may_be_mended = self._opened(place, known, anew=True), False
        except GitFailed as error:
            reason = f"git could not read all of it ({error.text}); what was read is kept: {source.advice}"
            self.store.mark_failed(place.name, reason)
            raise RepositoryUnavailable(place.location, reason) from error

    def _index(self, source: Source, known: IndexState | None) -> Indexed:
        name, store = source.place.name, self.store
        before = known.repository if known else None
        shallow = bool(source.edge)
        # Of a clone that lacked history, having its newest commit does not mean having all before it.
        old = before.tip if before and not before.shallow else None
        renewed = _forget_old_edge(source, store) if before and before.shallow else 0
        wanted, gone, every = _difference(source, store, old)
        oddities: Counter[str] = Counter()
        arrivals = Arrivals(source.tip, source.branch)
        count = len(wanted) if wanted is not None else None
        self.progress.start(name, count)
        read, new = self._stored(name, source.commits(wanted, source.options_for(count), oddities, arrivals.see))
        every = read if wanted is None else every or int(source.git.text("rev-list", "--count", source.tip))
        kept_out = (known.kept_out if known else 0) + read - new
        if not shallow and store.count(name) + kept_out - len(gone) != every:
            # An earlier run was interrupted on its way to a tip that has been replaced since.
            gone = _gone(name, store, source.reachable())
        is_renamed = self._read_beside(source, known, is_new=source.tip != old)
        since = known.arrived if known and not shallow and not is_renamed else None
        had = known.commits + known.kept_out if known and since else 0
        # Not all that is new was read now where a run was interrupted, and clocks that lie mix it with what is old.
        if (arrivals.line, arrivals.count) != (since, every - had):
            arrivals, since = _arrivals(source), None
        removed = self._finish(source, every, gone, arrivals, anew=since is None)
        total = store.count(name)
        counted, kept_out = tuple(sorted(oddities.items())), max(0, every - total)
        return Indexed(name, new - renewed, removed, total, shallow, counted, kept_out, branch=source.branch)

    def _salvage(self, source: Source, error: GitFailed, known: IndexState | None) -> Indexed:
        """Store what can be read of a damaged history. Nothing stored is given up while commits are missing, and the
        tip is not recorded, so that the next run looks at all of it again."""
        name, store = source.place.name, self.store
        shallow = bool(source.edge)
        damaged = DamagedHistory(source, store, error)
        every = damaged.reachable()
        wanted = store.lacking(name, every)
        self.progress.start(name, len(wanted))
        self._stored(name, damaged.read(wanted))
        self._read_beside(source, known, is_new=True)
        lost, removed = damaged.lost(), 0
        if lost:
            with self.concurrency.writing:
                store.mark_failed(name, lost)
                store.keep_audiences({name: None})  # of what was read it may be known by now whose history it is
        else:
            gone = [] if shallow else _gone(name, store, every)
            try:
                arrivals = _arrivals(source)
            except GitFailed:  # only the store still has some commit of it
                arrivals = None
            removed = self._finish(source, len(every), gone, arrivals, anew=arrivals is not None)
        had, total = known.commits if known else 0, store.count(name)
        kept_out = 0 if lost else max(0, len(every) - total)
        oddities = tuple(sorted(damaged.oddities.items()))
        new = total - had + removed
        return Indexed(name, new, removed, total, shallow, oddities, kept_out, lost, source.branch)

    def _stored(self, name: str, reading: Generator[Commit]) -> tuple[int, int]:
        """How many commits were read and stored, and how many of them were new."""
        read = new = 0
        with closing(reading) as rows:
            batches = _batches(rows)
            while True:
                batch = next(batches, None)
                if batch is None:
                    return read, new
                with self.concurrency.writing:
                    new += self.store.add(name, batch)
                read += len(batch)
                self.progress.advance(name, len(batch))

    def _finish(self, source: Source, every: int, gone: Sequence[str], arrivals: Arrivals | None, *, anew: bool) -> int:
        name, store, brought = source.place.name, self.store, None
        if arrivals:
            brought = arrivals.brought(name.rpartition("/")[0], Mailmap(store.mailmaps().get(name, "")))
        with self.concurrency.writing:
            return store.mark_indexed(
                name, source.tip, self.now, every, shallow=bool(source.edge), gone=gone, brought=brought, anew=anew
            )

    def _is_unchanged(self, source: Source, known: IndexState) -> bool:
        """Record that nothing is new, where that is so. Somebody else may have indexed it since `known` was read."""
        if source.edge or not known.repository.tip == known.arrived == source.tip:
            return False
        with self.concurrency.writing:
            return self.store.mark_unchanged(known.repository.name, source.tip, self.now)

    def _read_beside(self, source: Source, known: IndexState | None, *, is_new: bool = False) -> bool:
        """Store what goes with commits: tags, where any is new, moved or gone, and the .mailmap of a tip that `is_new`.
        Returns whether that is another than before. What git cannot show stays as it is stored."""
        name, store = source.place.name, self.store
        with suppress(GitFailed):
            if source.tags != (known.tags if known else {}):
                tags = read_tags(source.git)
                with self.concurrency.writing:
                    store.put_tags(name, tags)
        with suppress(GitFailed):
            if is_new:
                text = read_mailmap(source.git, source.tip)
                with self.concurrency.writing:
                    return store.put_mailmap(name, text)
        return False


def _arrivals(source: Source) -> Arrivals:
    """Of the whole branch, read once more."""
    arrivals = Arrivals(source.tip, source.branch)
    for _ in source.commits(None, WITHOUT_FILES, Counter(), arrivals.see):
        pass
    return arrivals


def _batches(commits: Iterable[Commit]) -> Iterator[list[Commit]]:
    """Commits in lists of BATCH, then twice as many and so on, or fewer heavy ones. What has come before an error is
    given before it is raised."""
    batch: list[Commit] = []
    size, weight = BATCH, 0
    try:
        for one in commits:
            batch.append(one)
            weight += _A_COMMIT + len(one.subject) + len(one.body) + _A_FILE * len(one.files)
            if len(batch) == size or weight > HEAVY:
                yield batch
                batch, weight = [], 0
                size = max(size, min(2 * size, LARGEST))
    except GitFailed:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _refuse_another(source: Source, store: Commits) -> None:
    """Two repositories must not share a name. One that has moved shares its history with what is stored."""
    place = source.place
    known = store.repository(place.name)
    if known is None or known.location == place.location:
        return
    of_it = known.tip or next(iter(store.stored(place.name)), None)
    if of_it and not source.has(of_it):
        raise RepositoryUnavailable(
            place.location,
            f"another repository is indexed as {place.name} ({known.location}): give this one a name of its "
            f"own in almanac.toml",
        )


def _difference(source: Source, store: Commits, old: str | None) -> tuple[list[str] | None, list[str], int]:
    """The commits to read, children first, those that are no longer part of the branch, and how many the branch has,
    or 0 where that was not asked. To be read is None where it is all of a long history: to list that first would take
    as long as many a first month."""
    name = source.place.name
    if not store.count(name) and old is None and not source.edge:
        if int(source.git.text("rev-list", "--count", f"--max-count={MANY}", source.tip)) == MANY:
            return None, [], 0
        every = source.reachable()
        return every, [], len(every)
    if old is not None and not source.edge and source.has(old):
        gone = source.git.text("rev-list", old, f"^{source.tip}").split()
        return store.lacking(name, source.reachable(f"^{old}")), gone, 0
    every = source.reachable()
    # What a shallow clone lacks may be part of the branch or not: nothing stored is given up for it.
    return store.lacking(name, every), [] if source.edge else _gone(name, store, every), len(every)


def _gone(name: str, store: Commits, reachable: Sequence[str]) -> list[str]:
    """The stored commits that are not among those, which are compared by their first digit to take little memory."""
    return [sha for digit in "0123456789abcdef" for sha in sorted(store.stored(name, digit).difference(reachable))]


def _forget_old_edge(source: Source, store: Commits) -> int:
    """Forget commits that were the edge of a shallow clone, and so without files, and can now be read in full."""
    first = source.git.text("rev-list", "--max-parents=0", source.tip).split()
    renewed = store.parentless(source.place.name).difference(first).intersection(source.reachable())
    store.forget(source.place.name, sorted(renewed))
    return len(renewed)


class IndexRequests(Protocol):
    """Who wants repositories to be read soon says so here. Any thread may, also for the same repository again: it is
    read once more after the last request. With PostgreSQL a worker reads it (bot/index/jobs.py)."""

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        """Have the repositories of almanac.toml with these names read soon; what is urgent is read before the rest.
        Returns at once. Raises StoreUnavailable where the request cannot be kept."""


class OwnIndexing:
    """The same of SQLite, whose file only this machine has: `read` brings repositories up to date, in threads of this
    object's own. One that takes long, or is just being read by somebody else, does not hold up the others."""

    def __init__(self, read: Callable[[Sequence[str]], object]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._under_way: dict[str, bool] = {}  # whether it was asked for again meanwhile
        self._readers = ThreadPoolExecutor(REQUESTED, thread_name_prefix="requested")

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        with self._lock:
            new = set(names).difference(self._under_way)
            self._under_way |= {name: name not in new for name in names}
        for name in sorted(new):
            self._readers.submit(self._read_one, name)

    def _read_one(self, name: str) -> None:
        is_wanted = True
        while is_wanted:
            try:
                self._read([name])
            except Exception:  # the next request must be answered all the same
                log.exception("%s could not be read; that is tried again at the next refresh", name)
            with self._lock:
                if is_wanted := self._under_way.pop(name):
                    self._under_way[name] = False
