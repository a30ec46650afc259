"""How well a month's commits are put together, on months whose work items are known.

    python -m benchmarks.groups BARE_REPOSITORY … [--half test|tuning|both] [--since 2012]

What reached the main line through one merge commit is one work item. Taken are an author's months of 3 to 60 commits
with at least two items; half of the authors, drawn by name, are for tuning and the others for the test. Groups are
made from neither merges nor parents. Nothing is written. See docs/months.md.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.report import table
from benchmarks.timing import machine
from bot.index.gitlog import NAMES_OPTIONS, LogParser
from bot.model import Commit
from bot.month.calendar import Month
from bot.month.credits import BOTS, is_machine
from bot.month.histories import month_changes
from bot.story.things import judged, themes_of, things_of

FEWEST, MOST = 3, 60  # commits of a month
UTC = ZoneInfo("UTC")

Groups = list[tuple[str, ...]]  # SHAs


@dataclass(frozen=True, slots=True)
class KnownMonth:
    """An author's month and the work items that it is known to consist of."""

    project: str
    author: str
    month: Month
    commits: tuple[Commit, ...]
    merges: tuple[Commit, ...]  # those that brought the items, by whoever
    items: tuple[tuple[str, ...], ...]

    @property
    def is_for_test(self) -> bool:
        return hashlib.sha256(self.author.encode()).digest()[0] % 2 == 1


def known_months(project: Path, since: int) -> list[KnownMonth]:
    """The months of a history with merges. What was committed to the main line itself is of no known item."""
    commits = {commit.sha: commit for commit in _commits(project, since)}
    brought = _brought(project)
    found: dict[tuple[str, Month], list[Commit]] = defaultdict(list)
    for commit in commits.values():
        if commit.sha in brought and not commit.is_merge and not _by_a_bot(commit):
            found[commit.author.address.lower(), Month.of(commit.author.at, UTC)].append(commit)
    months = []
    for (author, month), own in sorted(found.items()):
        items: dict[str, list[str]] = defaultdict(list)
        for commit in own:
            items[brought[commit.sha]].append(commit.sha)
        if FEWEST <= len(own) <= MOST and len(items) > 1:
            merges = tuple(commits[sha] for sha in items if sha in commits)
            by_item = tuple(tuple(shas) for shas in items.values())
            months.append(KnownMonth(_name(project), author, month, tuple(own), merges, by_item))
    return months


def _brought(project: Path) -> dict[str, str]:
    """Of each commit beside the main line, the merge on it that brought it."""
    listed = _git(project, "rev-list", "--parents", "--topo-order", "HEAD").decode().splitlines()
    parents = {line[:40]: line[41:].split() for line in listed}
    main: list[str] = []
    tip = next(iter(parents), "")
    while tip:
        main.append(tip)
        tip = next(iter(parents.get(tip, [])), "")
    found: dict[str, str] = {}
    seen = set(main)
    for merge in reversed(main):  # the oldest first: it brought what later ones can reach too
        waiting = list(parents[merge][1:])
        while waiting:
            sha = waiting.pop()
            if sha not in seen:
                seen.add(sha)
                found[sha] = merge
                waiting += parents.get(sha, [])
    return found


def _commits(project: Path, since: int) -> Iterator[Commit]:
    parser = LogParser(_name(project))
    yield from parser.commits([_git(project, "log", f"--since={since}-01-01", *NAMES_OPTIONS)])


def _by_a_bot(commit: Commit) -> bool:
    author = commit.author
    return is_machine(author.name, author.address, BOTS)


def _git(project: Path, *arguments: str) -> bytes:
    safe = ("--no-replace-objects", "-c", "core.attributesFile=/dev/null", "-c", "log.mailmap=false")
    return subprocess.run(["git", f"--git-dir={project}", *safe, *arguments], capture_output=True, check=True).stdout


def _name(project: Path) -> str:
    return (project.parent.name if project.name in ("repo", ".git") else project.name).replace("+", "/")


# --- ways to put commits together


def by_groups(month: KnownMonth) -> Groups:
    """As told, but of neither parents nor merges, which would give the answer away."""
    blind = [replace(commit, parents=(), via=None) for commit in month.commits]
    changes = month_changes(blind, (), None)
    themes = themes_of(things_of(changes, judged(changes), {}, {}))
    groups = [
        group for theme in themes for group in ([theme.things] if theme.name else [(one,) for one in theme.things])
    ]
    return [tuple(sha for one in group for change in one.changes for sha in change.shas) for group in groups]


def alone(month: KnownMonth) -> Groups:
    return [(commit.sha,) for commit in month.commits]


def in_one(month: KnownMonth) -> Groups:
    return [tuple(commit.sha for commit in month.commits)]


def by_day(month: KnownMonth) -> Groups:
    found: dict[int, list[str]] = defaultdict(list)
    for commit in month.commits:
        found[commit.author.seconds // 86_400].append(commit.sha)
    return [tuple(shas) for shas in found.values()]


def by_gap(month: KnownMonth) -> Groups:
    """A new item wherever nothing was written for 16 hours."""
    found: list[list[str]] = []
    last = 0
    for commit in sorted(month.commits, key=lambda one: (one.author.seconds, one.sha)):
        if not found or commit.author.seconds - last > 16 * 3600:
            found.append([])
        found[-1].append(commit.sha)
        last = commit.author.seconds
    return [tuple(shas) for shas in found]


WAYS: dict[str, Callable[[KnownMonth], Groups]] = {
    "each alone": alone,
    "all in one": in_one,
    "by day": by_day,
    "by gaps of 16 hours": by_gap,
    "groups": by_groups,
}


# --- how right they are


def b_cubed(items: Iterable[Sequence[str]], groups: Iterable[Sequence[str]]) -> tuple[float, float, float]:
    """Precision, recall and F1: of each commit, how much of its group is of its item, and of its item in its group."""
    item_of = {sha: number for number, item in enumerate(items) for sha in item}
    group_of = {sha: number for number, group in enumerate(groups) for sha in group}
    both = Counter((item_of[sha], group_of[sha]) for sha in item_of)
    of_item, of_group = Counter(item_of.values()), Counter(group_of.values())
    precision = sum(number * number / of_group[group] for (_, group), number in both.items()) / len(item_of)
    recall = sum(number * number / of_item[item] for (item, _), number in both.items()) / len(item_of)
    return precision, recall, 2 * precision * recall / (precision + recall)


def pairs(items: Iterable[Sequence[str]], groups: Iterable[Sequence[str]]) -> tuple[int, int]:
    """Of the pairs of commits that were put together, how many are of one item, and how many there are."""
    item_of = {sha: number for number, item in enumerate(items) for sha in item}
    every = [pair for group in groups for pair in combinations(group, 2)]
    return sum(item_of[one] == item_of[other] for one, other in every), len(every)


def told(months: Sequence[KnownMonth]) -> str:
    """The table of a set of months."""
    rows = []
    for name, way in WAYS.items():
        began = time.process_time()
        found = [way(month) for month in months]
        spent = (time.process_time() - began) / len(months) * 1000
        scores = [b_cubed(month.items, groups) for month, groups in zip(months, found, strict=True)]
        ratio = statistics.median(len(groups) / len(month.items) for month, groups in zip(months, found, strict=True))
        precision, recall, f1 = (statistics.fmean(column) for column in zip(*scores, strict=True))
        counted = [pairs(month.items, groups) for month, groups in zip(months, found, strict=True)]
        right, every = sum(one for one, _ in counted), sum(one for _, one in counted)
        share = f"{right / every:.3f} of {every:,}" if every else "none"
        rows.append((name, share, f"{f1:.3f}", f"{precision:.2f}", f"{recall:.2f}", f"{ratio:.2f}", f"{spent:.1f} ms"))
    return table(("way", "pairs right", "B-cubed F1", "precision", "recall", "groups/items, median", "a month"), rows)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.groups", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("projects", nargs="+", type=Path, metavar="BARE_REPOSITORY")
    parser.add_argument("--half", choices=("test", "tuning", "both"), default="both")
    parser.add_argument("--since", type=int, default=2010, metavar="YEAR")
    asked = parser.parse_args(given)
    months = [month for project in asked.projects for month in known_months(project, asked.since)]
    print(machine())
    for half in ("tuning", "test"):
        chosen = [month for month in months if month.is_for_test == (half == "test")]
        if not chosen or asked.half not in (half, "both"):
            continue
        size = statistics.fmean(len(month.commits) for month in chosen)
        items = statistics.fmean(len(month.items) for month in chosen)
        by_project = ", ".join(f"{name} {count}" for name, count in Counter(m.project for m in chosen).most_common())
        print(f"\n### {half}: {len(chosen)} months of {by_project}; mean {size:.0f} commits, {items:.1f} items\n")
        print(told(chosen))


if __name__ == "__main__":
    main()
