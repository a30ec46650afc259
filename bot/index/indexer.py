"""Repositories → store: what is new is read, newest first, in batches that each stand on their own.

Which commits belong to a branch is asked by what is reachable, never by date: clocks lie. What is
missing in the store is read, what is no longer reachable is removed, and only then is the new tip
recorded, so that an interruption at any point leaves less to do for the next run and nothing wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.errors import RepositoryUnavailable
from bot.index.address import RepositoryLocation
from bot.index.arrival import arrivals
from bot.index.concurrency import Concurrency
from bot.index.damaged_history import DamagedHistory
from bot.index.git import GitFailed
from bot.index.gitlog import ARRIVAL_OPTIONS, arrival_records
from bot.index.mailmap import read_mailmap
from bot.index.mirror import open_source
from bot.index.reading import Weighed, batches, log_of, made_there, options_for, parsed_here
from bot.index.shas import Shas
from bot.index.source import Source
from bot.index.tags import read_tags
from bot.model import Repository, narrower
from bot.month.mailmap import Mailmap
from storage.commit_rows import Brought
from storage.commits import Commits
from storage.repositories import IndexState, being_read

MANY = 3000  # commits from which on a second process pays


class Progress(Protocol):
    """Is called with how far an index has come."""

    def start(self, repository: str, total: int | None) -> None: ...  # None: many, which nobody has counted
    def advance(self, repository: str, commits: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Indexed:
    """What one run over a repository did. `oddities` are counted by a reason written for people.

    Of the branch's commits, `kept_out` are not stored since their authors asked to be forgotten. Lines may be left to
    be counted: see `bot.index.lines`. `failure` says which commits git could not read, in one line; the next run tries
    them again. `is_counted` is whether it is known that no lines are left.
    """

    repository: str
    new: int
    removed: int
    total: int
    shallow: bool
    oddities: tuple[tuple[str, int], ...] = ()
    kept_out: int = 0
    failure: str | None = None
    is_counted: bool = False


def index_repository(
    place: RepositoryLocation,
    branch: str | None,
    store: Commits,
    mirrors: Path,
    now: datetime,
    progress: Progress,
    *,
    concurrency: Concurrency | None = None,
    contents: bool = True,
) -> Indexed:
    """Bring the store up to date with the repository at `place`; without `contents`, a mirror of it has names only.

    Of a history that is damaged, all is stored that git can read. Raises RepositoryUnavailable if it cannot be read
    at all; what was indexed before, and what this run read until then, stays. Raises StoreLocked where somebody else
    reads it.
    """
    known = store.index_state(place.name)
    if known and known.is_taken:
        raise being_read(place.name)  # before its server is asked
    try:
        done = _Run(place, branch, store, mirrors, now, progress, concurrency or Concurrency(), contents).done(known)
        audience = known.repository.audience if known else None
        if done.failure or narrower(audience, place.audience) != audience:
            store.keep_audiences({place.name: place.audience})
        return done
    except RepositoryUnavailable as error:
        if known and known.repository.location == place.location:
            store.mark_failed(place.name, error.reason)
        raise


@dataclass(frozen=True, slots=True)
class _Run:
    """One run over one repository."""

    place: RepositoryLocation
    branch: str | None
    store: Commits
    mirrors: Path
    now: datetime
    progress: Progress
    concurrency: Concurrency
    contents: bool

    def done(self, known: IndexState | None) -> Indexed:
        place, store = self.place, self.store
        source = self._opened(known)
        with self.concurrency.core_slot():
            if not known or (known.repository.location, known.repository.web) != (place.location, source.web):
                _refuse_another(place, source, store)
                with self.concurrency.writing:
                    store.register(Repository(place.name, place.location, source.web, audience=place.audience))
            elif self._is_unchanged(source, known):
                return self._unchanged(source, known)
            with store.taken(place.name) as mine:
                now = mine.index_state(place.name)
                if now and now.repository.tip != (known.repository.tip if known else None):
                    source = self._opened(now)  # somebody else read it meanwhile, and may have read more
                return replace(self, store=mine)._read(source, now)

    def _read(self, source: Source, known: IndexState | None) -> Indexed:
        place = self.place
        try:
            try:
                return self._index(source, known)
            except GitFailed as error:
                if place.path is not None or error.is_too_large:
                    return self._salvage(source, error, known)
                # The mirror is damaged, which what it mirrors need not be.
                source = self._opened(known, anew=True)
            try:
                return self._index(source, known)
            except GitFailed as error:
                return self._salvage(source, error, known)
        except GitFailed as error:
            reason = f"git could not read all of it ({error.text}); what was read is kept: {source.advice}"
            self.store.mark_failed(place.name, reason)
            raise RepositoryUnavailable(place.location, reason) from error

    def _opened(self, known: IndexState | None, *, anew: bool = False) -> Source:
        return open_source(
            self.place, self.mirrors, self.branch, concurrency=self.concurrency,
            known=known.repository.tip if known else None, contents=self.contents, anew=anew,
        )  # fmt: skip

    def _index(self, source: Source, known: IndexState | None) -> Indexed:
        name, store = self.place.name, self.store
        before = known.repository if known else None
        shallow = bool(source.edge)
        # Of a clone that lacked history, having its newest commit does not mean having all before it.
        old = before.tip if before and not before.shallow else None
        renewed = _forget_old_edge(name, source, store) if before and before.shallow else 0
        wanted, gone, every = _difference(name, source, store, old)
        oddities: Counter[str] = Counter()
        read = new = 0
        self.progress.start(name, len(wanted) if wanted is not None else None)
        with self.concurrency.worker_slot(wanted is None or len(wanted) >= MANY) as is_helped:
            log = log_of(name, source, wanted, options_for(len(wanted) if wanted is not None else None, source))
            if wanted is None or wanted:
                read, new = self._stored((made_there if is_helped else parsed_here)(log, oddities))
        every = read if wanted is None else every or _count(source)
        kept_out = (known.kept_out if known else 0) + read - new
        if not shallow and store.count(name) + kept_out - len(gone) != every:
            # An earlier run was interrupted on its way to a tip that has been replaced since.
            gone = _gone(name, store, _reachable(source))
        is_renamed = self._read_mailmap(source, anew=source.tip != old or not (known and known.has_mailmap))
        self._read_tags(source, known)
        since = known.arrived if known and not shallow and not is_renamed else None
        since = since if since and source.has(since) else None
        brought = self._brought(source, since, every - (known.commits + known.kept_out if known else 0))
        removed = self._finish(source, every, gone, *brought)
        total = store.count(name)
        return Indexed(name, new - renewed, removed, total, shallow, _sorted(oddities), max(0, every - total))

    def _finish(
        self, source: Source, every: int, gone: Sequence[str], brought: Sequence[Brought] | None, anew: bool
    ) -> int:
        edge, name = bool(source.edge), self.place.name
        with self.concurrency.writing:
            # Whose history it shares is known now that all of it is stored, and before it is shown.
            self.store.keep_audiences({name: self.place.audience})
            return self.store.mark_indexed(
                name, source.tip, self.now, every, shallow=edge, gone=gone, brought=brought, anew=anew
            )

    def _brought(self, source: Source, since: str | None = None, new: int = 0) -> tuple[list[Brought], bool]:
        """What topic merges brought with the `new` commits since a tip, and False, if the line goes on from there; else
        what they ever did, and True."""
        commits = [source.tip, f"^{since}"] if since else [source.tip]
        with closing(source.git.blocks(["log", *ARRIVAL_OPTIONS, *commits, "--"])) as blocks:
            brought, base, count = arrivals(
                arrival_records(blocks), source.tip, self.place.name.rpartition("/")[0], Mailmap(self._mailmap())
            )
        # Where clocks lie, git may tell of commits that lead to the old tip too.
        is_right = since is None or (base, count) == (since, new)
        return (brought, since is None) if is_right else self._brought(source)

    def _unchanged(self, source: Source, known: IndexState) -> Indexed:
        self._read_mailmap(source, anew=not known.has_mailmap)
        self._read_tags(source, known)
        counted = known.is_counted
        return Indexed(self.place.name, 0, 0, known.commits, shallow=False, kept_out=known.kept_out, is_counted=counted)

    def _is_unchanged(self, source: Source, known: IndexState) -> bool:
        """Record that nothing is new, where that is so. Somebody else may have indexed it since `known` was read."""
        if source.edge or not known.repository.tip == known.arrived == source.tip:
            return False
        with self.concurrency.writing:
            return self.store.mark_unchanged(known.repository.name, source.tip, self.now)

    def _salvage(self, source: Source, error: GitFailed, known: IndexState | None) -> Indexed:
        """Store what can be read of a damaged history. Nothing stored is given up while commits are missing, and the
        tip is not recorded, so that the next run looks at all of it again."""
        name, store = self.place.name, self.store
        shallow = bool(source.edge)
        damaged = DamagedHistory(name, source, store, error)
        reachable = damaged.reachable()
        wanted = _lacking(name, store, reachable)
        self.progress.start(name, len(wanted))
        self._stored(damaged.read(wanted))
        self._read_mailmap(source, anew=True)
        self._read_tags(source, known)
        lost = damaged.lost()
        gone, every, removed = Shas() if lost or shallow else _gone(name, store, reachable), len(reachable), 0
        if lost:
            with self.concurrency.writing:
                store.mark_failed(name, lost)
        else:
            try:
                removed = self._finish(source, every, gone, *self._brought(source))
            except GitFailed:  # only the store still has some commit of it
                removed = self._finish(source, every, gone, None, anew=False)
        had, total = known.commits if known else 0, store.count(name)
        kept_out = 0 if lost else max(0, every - total)
        return Indexed(name, total - had + removed, removed, total, shallow, _sorted(damaged.oddities), kept_out, lost)

    def _stored(self, reading: Generator[Weighed]) -> tuple[int, int]:
        """How many commits were read and stored, and how many of them were new."""
        read = new = 0
        with closing(reading) as commits:
            for batch in batches(commits):
                with self.concurrency.writing:
                    new += self.store.add_rows(self.place.name, batch)
                read += len(batch)
                self.progress.advance(self.place.name, len(batch))
        return read, new

    def _mailmap(self) -> str:
        return self.store.mailmaps().get(self.place.name, "")

    def _read_mailmap(self, source: Source, *, anew: bool) -> bool:
        """Store the .mailmap of the tip, and say whether it is another than before. Where git cannot show it (a mirror
        of names only), what is stored stays."""
        before = self._mailmap() if anew else ""
        if anew:
            with suppress(GitFailed):
                text = read_mailmap(source.git, source.tip)
                with self.concurrency.writing:
                    self.store.put_mailmap(self.place.name, text)
        return anew and self._mailmap() != before

    def _read_tags(self, source: Source, known: IndexState | None) -> None:
        """Store the tags, where any is new, moved or gone. Where git cannot read them all, what is stored stays."""
        with suppress(GitFailed):
            if source.tags != (known.tags if known else {}):
                tags = read_tags(source.git)
                with self.concurrency.writing:
                    self.store.put_tags(self.place.name, tags)


def _refuse_another(place: RepositoryLocation, source: Source, store: Commits) -> None:
    """Two repositories must not share a name. One that has moved shares its history with what is stored."""
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


def _difference(name: str, source: Source, store: Commits, old: str | None) -> tuple[Shas | None, Shas, int]:
    """The commits to read, newest first, those that are no longer part of the branch, and how many the branch has,
    or 0 where that was not asked. To be read is None where it is all of a long history: to list that first would take
    as long as many a first month."""
    if not store.count(name) and old is None and not source.edge:
        newest = _reachable(source, f"--max-count={MANY}")
        return (newest, Shas(), len(newest)) if len(newest) < MANY else (None, Shas(), 0)
    gone, every = Shas(), 0
    if source.edge:
        # What a shallow clone lacks may be part of the branch or not: nothing stored is given up for it.
        reachable = _reachable(source)
        every = len(reachable)
    elif old is not None and source.has(old):
        reachable = _reachable(source, f"^{old}")
        gone = Shas.printed(source.git.blocks(["rev-list", old, f"^{source.tip}"]))
    else:
        reachable = _reachable(source)
        every = len(reachable)
        gone = _gone(name, store, reachable)
    return _lacking(name, store, reachable), gone, every


def _lacking(name: str, store: Commits, shas: Shas) -> Shas:
    if not store.count(name):
        return shas
    return Shas.of(sha for page in shas.pages() for sha in store.lacking(name, page))


def _count(source: Source) -> int:
    return int(source.git.text("rev-list", "--count", source.tip))


def _reachable(source: Source, *but: str) -> Shas:
    return Shas.printed(source.git.blocks(["rev-list", *but, source.tip]))


def _gone(name: str, store: Commits, reachable: Shas) -> Shas:
    """The stored commits that are not among those, which are compared by their first digit to take little memory."""
    if not store.count(name):
        return Shas()
    return Shas.of(
        sha
        for digit in "0123456789abcdef"
        for sha in sorted(store.stored(name, digit).difference(_beginning(digit, reachable)))
    )


def _beginning(digit: str, shas: Iterable[str]) -> Iterator[str]:
    return (sha for sha in shas if sha.startswith(digit))


def _forget_old_edge(name: str, source: Source, store: Commits) -> int:
    """Forget commits that were the edge of a shallow clone, and so without files, and can now be read in full."""
    first = source.git.text("rev-list", "--max-parents=0", source.tip).split()
    edge = store.parentless(name).difference(first)
    renewed = {sha for page in _reachable(source).pages() for sha in edge.intersection(page)}
    store.forget(name, sorted(renewed))
    return len(renewed)


def _sorted(oddities: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(oddities.items()))
