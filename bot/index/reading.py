"""Commits of a repository → values ready to be stored, in batches that are worth a transaction each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing

from bot.index.git import GitFailed
from bot.index.gitlog import NAMES_OPTIONS, OPTIONS, LogParser, Part
from bot.index.parallel_parsing import Log, parsed_in_worker
from bot.index.shas import Shas
from bot.index.source import Source
from storage.commit_rows import CommitRow, commit_row

BATCH = 500  # commits in the first transaction, so that the first month can be shown soon; then twice as many,
LARGEST = 4000  # and so on up to these, half a second's work: each writes the same pages of the indexes once more
HEAVY = 8 << 20  # bytes in one transaction, roughly: what is held in memory at a time
_A_COMMIT, _A_FILE = 1000, 200  # of them
# So many commits are read with their lines at once. Of more, the names come first, so that months can be shown
# while the lines, which take ten times as long, are still counted.
AT_ONCE = 1000

Weighed = tuple[CommitRow, int]  # a commit and the bytes it takes, roughly


def options_for(commits: int | None, source: Source) -> tuple[str, ...]:
    """What to ask `git log` of so many commits; None: of all of a long history."""
    is_few = commits is not None and commits <= AT_ONCE and source.has_contents
    return OPTIONS if is_few else NAMES_OPTIONS


def log_of(name: str, source: Source, shas: Shas | None, options: tuple[str, ...]) -> Log:
    """The log of these commits in their order; None: of all that the tip leads to."""
    arguments = ["log", *options, "--no-ext-diff", "--no-textconv"]
    arguments += [source.tip, "--"] if shas is None else ["--no-walk=unsorted", "--stdin"]
    return Log(source.git, arguments, shas, name, source.edge)


def made_there(log: Log, oddities: Counter[str]) -> Generator[Weighed]:
    """The commits of a log, made ready by another process."""
    with closing(parsed_in_worker(log, oddities)) as chunks:
        for chunk, weight in chunks:
            for one in chunk:
                yield one, weight // len(chunk)


def parsed_here(log: Log, oddities: Counter[str]) -> Generator[Weighed]:
    """The same, made ready by this one."""
    parser = LogParser(log.repository, without_files=log.without_files)
    try:
        with closing(log.blocks(log.git)) as blocks:
            for block in blocks:
                yield from map(_weighed, parser.parts(block))
        yield from map(_weighed, parser.last_part())
    finally:
        oddities.update(parser.oddities)


def _weighed(part: Part) -> Weighed:
    commit, files = part
    return commit_row(commit, files), _A_COMMIT + len(commit.body) + len(commit.subject) + _A_FILE * len(files)


def batches(commits: Iterator[Weighed]) -> Iterator[list[CommitRow]]:
    """Commits in lists of BATCH, then twice as many and so on, or fewer heavy ones. What has come before an error is
    given before it is raised."""
    batch: list[CommitRow] = []
    size, weight = BATCH, 0
    try:
        for commit, heavy in commits:
            batch.append(commit)
            weight += heavy
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
