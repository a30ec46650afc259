"""What can be read of a history in which git cannot read every object.

git ends at the first object that it cannot read, whatever it was asked for. So commits are asked for one by one, and
what git ends at is left out by beginning anew behind it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TypeVar

from bot.index.git import GitFailed
from bot.index.gitlog import NAMES_OPTIONS, WITHOUT_FILES
from bot.index.mirrors import Source
from bot.model import Commit
from storage.commits import Commits

NAMED = 3  # commits named in a line; of more, how many there are

T = TypeVar("T")


class DamagedHistory:
    """Reads past what is damaged, for one run over one repository, after git ended with `error`.

    `oddities` counts what was odd about the commits that were read. Everything raises GitFailed where nothing can be
    read any more, as of a disk that was taken away.
    """

    def __init__(self, source: Source, known: Commits, error: GitFailed) -> None:
        self.oddities: Counter[str] = Counter()
        self._source = source
        self._known = known
        self._error = error
        self._lost: list[str] = []

    def reachable(self) -> list[str]:
        """The commits that can be reached from the tip past those that cannot be read, in about their order."""
        try:
            # Where a commit-graph is kept, git knows the parents of a commit that it cannot read.
            return self._source.reachable()
        except GitFailed:
            return list(self._walked())

    def read(self, shas: Sequence[str]) -> Generator[Commit]:
        """The commits with all that can be read of them: files with their lines, else their names, else none."""
        source, failed = self._source, list[str]()

        def spoilt(sha: str, error: GitFailed) -> None:
            if not source.has(source.tip):
                raise error
            failed.append(sha)

        for asked in dict.fromkeys([source.options_for(len(shas)), NAMES_OPTIONS, WITHOUT_FILES]):  # less and less
            read = partial(source.commits, options=asked, oddities=self.oddities)
            with closing(past_damage(read, shas, spoilt)) as found:
                for one in found:
                    yield replace(one, is_counted=False) if asked is WITHOUT_FILES else one
            shas, failed = failed, []
        self._lost += shas

    def lost(self) -> str | None:
        """Which commits could not be read, so that others behind them may be missing too, in one line."""
        if not self._lost:
            return None
        only = "it" if len(self._lost) == 1 else "they"
        return (
            f"{named(self._lost)} cannot be read, nor what only {only} would lead to ({self._error.text}); what can be "
            f"read is kept: {self._source.advice}"
        )

    def _walked(self) -> Iterator[str]:
        """From the tip by way of parents; those of a commit that cannot be read may be known from an earlier run."""
        source = self._source
        every, rest = list[str](), b""
        listed = ("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")
        with closing(source.git.blocks(listed)) as blocks:  # a long history has millions that are no commits
            for block in blocks:
                *lines, rest = (rest + block).split(b"\n")
                every += [line[7:].decode() for line in lines if line.startswith(b"commit ")]
        read = partial(source.commits, options=WITHOUT_FILES, oddities=Counter())
        with closing(past_damage(read, every, lambda sha, error: None)) as found:
            known: dict[str, Sequence[str]] = {one.sha: one.parents for one in found}
        waiting, met = deque([source.tip]), {source.tip}
        while waiting:
            sha = waiting.popleft()
            if (parents := known.get(sha)) is None:
                stored = (one for one in self._known.by_sha(sha) if one.repository == source.place.name)
                parents = next((one.parents for one in stored), None)
            if parents is None:
                if sha == source.tip:
                    raise self._error
                self._lost.append(sha)
                continue
            yield sha
            for parent in parents if sha not in source.edge else ():
                if parent not in met:
                    met.add(parent)
                    waiting.append(parent)


def past_damage(
    read: Callable[[Sequence[str]], Generator[T]], shas: Sequence[str], spoilt: Callable[[str, GitFailed], None]
) -> Generator[T]:
    """What `read` gives of each commit, one for each and in their order, past those at which it raises GitFailed.

    `spoilt` is called with these, and may raise to end it. How far git came before it failed is known but for one,
    which may have been read in part: it is asked for alone.
    """
    at, alone = 0, False
    while at < len(shas):
        try:
            with closing(read(shas[at : at + 1] if alone else shas[at:])) as found:
                for one in found:
                    at += 1
                    yield one
            alone = False
        except GitFailed as error:
            if alone:
                spoilt(shas[at], error)
                at += 1
            alone = True


def named(shas: Sequence[str]) -> str:
    """The commits as they are named in a line."""
    some = ", ".join(sha[:12] for sha in shas[:NAMED])
    if len(shas) == 1:
        return f"commit {some}"
    return f"{len(shas):,} commits ({some}{', …' if len(shas) > NAMED else ''})"
