"""A history that can be read, wherever it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from bot.gc_pause import gc_paused
from bot.index.git import GitAt, GitFailed
from bot.index.gitlog import NAMES_OPTIONS, OPTIONS, LogParser, Part
from bot.model import Commit
from storage.commit_rows import CommitRow, commit_row

# So many commits are read with their lines at once. Of more, the names come first, so that months can be shown
# while the lines, which take ten times as long, are still counted.
AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Source:
    """The newest commit of the default branch, and git in the repository's folder. What git cannot read raises
    GitFailed."""

    git: GitAt
    tip: str
    web: str | None
    edge: frozenset[str] = frozenset()  # commits of a shallow clone whose parents are missing
    advice: str = ""  # what to do if git cannot read all of it
    has_contents: bool = True  # without the contents of files their lines cannot be counted
    tags: Mapping[str, str] = field(
        default_factory=dict
    )  # what each stands for, as `bot.index.tags.tag_objects` has it
    branch: str = ""  # by the name that people know

    def has(self, sha: str) -> bool:
        try:
            self.git.text("cat-file", "-e", f"{sha}^{{commit}}")
        except GitFailed:
            return False
        return True

    def reachable(self, *but: str) -> list[str]:
        """The commits that the tip leads to, children first."""
        return self.git.text("rev-list", "--topo-order", *but, self.tip).split()

    def options_for(self, commits: int | None) -> tuple[str, ...]:
        """What to ask `git log` of so many commits; None: of all of a long history."""
        return OPTIONS if commits is not None and commits <= AT_ONCE and self.has_contents else NAMES_OPTIONS

    def commits(
        self,
        name: str,
        shas: Sequence[str] | None,
        options: Sequence[str],
        oddities: Counter[str],
        seen: Callable[[Commit], object] = lambda _: None,
    ) -> Generator[CommitRow]:
        """The log of these commits in their order, or of all that the tip leads to, children first, ready to be stored
        for the repository of a name. Each is `seen` without its files; at the end `oddities` are counted."""
        if shas is not None and not shas:
            return
        parser = LogParser(name, without_files=self.edge)
        arguments = ["log", *options, "--no-ext-diff", "--no-textconv"]
        arguments += ["--topo-order", self.tip, "--"] if shas is None else ["--no-walk=unsorted", "--stdin"]

        def row(part: Part) -> CommitRow:
            seen(part[0])
            return commit_row(*part)

        try:
            with closing(self.git.blocks(arguments, shas)) as blocks:
                for block in blocks:
                    with gc_paused():
                        rows = list(map(row, parser.parts(block)))
                    yield from rows
            yield from map(row, parser.last_part())
        finally:
            oddities.update(parser.oddities)
