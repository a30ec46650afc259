"""How often the kinds agree with what developers said themselves, in a prefix that is taken away first.

    python -m benchmarks.kinds TUNED … --held-out OTHERS … [--commits 2000] [--seed 1]

Takes bare git repositories of projects that use Conventional Commits, and of each the same share of commits, drawn
by a fixed seed. The rules were made by looking at the first projects and never at the held-out ones. Nothing is
written. See docs/months.md.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from benchmarks.report import table
from benchmarks.timing import machine
from bot.index.gitlog import NAMES_OPTIONS, LogParser
from bot.model import Commit, Kind
from bot.month.credits import BOTS, is_machine
from bot.month.kinds import decided
from bot.month.paths import place_of, places_of

COMMITS, SEED = 2000, 1
KINDS: tuple[Kind, ...] = get_args(Kind)
MICROSECONDS = 200  # a commit, at most

_MEANT: dict[str, Kind] = {
    "feat": "feature", "feature": "feature", "fix": "fix", "perf": "performance", "refactor": "refactor",
    "style": "refactor", "docs": "docs", "doc": "docs", "test": "test", "tests": "test", "build": "build", "ci": "ci",
    "revert": "revert", "release": "release", "chore": "chore",
}  # fmt: skip
_DEPENDENCIES = re.compile(r"(?:.*\W)?(?:deps?|deps-dev|dependenc(?:y|ies))", re.IGNORECASE)  # a scope
_RELEASE = re.compile(r"(?:main|master|release)", re.IGNORECASE)  # likewise: "chore(main): release 2.1.0"
_PREFIX = re.compile(rf"(?P<word>{'|'.join(_MEANT)})(?:\((?P<scope>[^()]*)\))?!?:\s+(?=\S)", re.IGNORECASE)
_IN_A_BODY = re.compile(rf"^(?P<before>[\s*-]*){_PREFIX.pattern}", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A commit without its prefix, and what the prefix said. `by_paths` where its paths say better."""

    project: str
    commit: Commit
    kind: Kind
    by_paths: bool


def labelled(project: str, commit: Commit) -> Labelled | None:
    """None where the subject has no prefix. Lists of squashed commits in the body lose their prefixes, too."""
    prefix = _PREFIX.match(commit.subject)
    if not prefix:
        return None
    kind, subject = _meant(prefix["word"].lower(), prefix["scope"] or ""), commit.subject
    while match := _PREFIX.match(subject):
        subject = subject[match.end() :]
    body = _IN_A_BODY.sub(r"\g<before>", commit.body)
    only = places_of(commit)
    by_paths = kind not in ("revert", "release") and len(only) == 1 and only <= {"ci", "docs", "test"}
    for place in ("ci", "docs", "test"):
        if by_paths and place in only:
            kind = place
    return Labelled(project, replace(commit, subject=subject, body=body), kind, by_paths)


def _meant(word: str, scope: str) -> Kind:
    kind = _MEANT[word]
    if kind in ("chore", "fix", "build") and _DEPENDENCIES.fullmatch(scope):
        return "build"
    return "release" if kind == "chore" and _RELEASE.fullmatch(scope) else kind


def sample(projects: Sequence[Path], commits: int, seed: int) -> list[Labelled]:
    """So many commits, the same number of each project as far as it has them. Merges and bots are left out."""
    candidates = {project: _candidates(project) for project in projects}
    chosen: list[Labelled] = []
    left = sorted(projects, key=lambda project: len(candidates[project]))  # the smallest first: others fill up
    for number, project in enumerate(left):
        share = (commits - len(chosen)) // (len(left) - number)
        draw = random.Random(f"{seed} {_name(project)}")  # noqa: S311 - nothing secret is drawn
        shas = draw.sample(candidates[project], min(share, len(candidates[project])))
        chosen += [one for commit in _commits(project, shas) if (one := labelled(_name(project), commit))]
    return chosen


def _candidates(project: Path) -> list[str]:
    fields = "--format=%H%x00%an%x00%ae%x00%s"
    found = list[str]()
    for line in _git(project, "log", "--no-merges", "--encoding=UTF-8", fields).decode(errors="replace").splitlines():
        if line.count("\0") != 3:
            continue
        sha, name, address, subject = line.split("\0")
        if _PREFIX.match(subject) and not is_machine(name, address, BOTS):
            found.append(sha)
    return sorted(found)


def _commits(project: Path, shas: Sequence[str]) -> Iterator[Commit]:
    parser = LogParser(_name(project))
    given = "".join(f"{sha}\n" for sha in shas).encode()
    yield from parser.commits([_git(project, "log", "--no-walk=unsorted", "--stdin", *NAMES_OPTIONS, given=given)])


def _git(project: Path, *arguments: str, given: bytes = b"") -> bytes:
    safe = ("--no-replace-objects", "-c", "core.attributesFile=/dev/null", "-c", "log.mailmap=false")
    return subprocess.run(["git", f"--git-dir={project}", *safe, *arguments], input=given, capture_output=True,
                          check=True).stdout  # fmt: skip


def _name(project: Path) -> str:
    """The folder's name; where all are called alike, that of the folder around it."""
    return (project.parent.name if project.name in ("repo", ".git") else project.name).replace("+", "/")


# --- what is told


def told(title: str, every: Sequence[Labelled]) -> str:
    """The tables of one group of commits."""
    pairs = Counter((one.kind, decided(one.commit).kind) for one in every)
    sure = [one for one in every if decided(one.commit).is_sure]
    agree = {
        "all": _agreement(every),
        "not decided by paths alone": _agreement([one for one in every if not one.by_paths]),
        "without what developers call a chore": _agreement([one for one in every if one.kind != "chore"]),
        "told as sure": _agreement(sure),
        "told as a sure fix": _agreement([one for one in sure if decided(one.commit).kind == "fix"]),
    }
    return "\n\n".join(
        [
            f"### {title}",
            table(("commits", "number", "agree"), [(name, *numbers) for name, numbers in agree.items()]),
            table(("project", "commits", "agree"), _by_project(every)),
            table(("kind", "meant", "said", "precision", "recall"), _by_kind(pairs)),
            table(("meant ↓ said →", *KINDS), _confusion(pairs)),
            table(("rule", "sure", "decided", "right"), _by_rule(every)),
        ]
    )


def _agreement(some: Sequence[Labelled]) -> tuple[str, str]:
    return f"{len(some):,}", _percent(sum(one.kind == decided(one.commit).kind for one in some), len(some))


def _by_project(every: Iterable[Labelled]) -> Iterator[tuple[str, ...]]:
    counted, right = Counter[str](), Counter[str]()
    for one in every:
        counted[one.project] += 1
        right[one.project] += one.kind == decided(one.commit).kind
    for project in sorted(counted):
        yield project, str(counted[project]), _percent(right[project], counted[project])


def _by_kind(pairs: Counter[tuple[Kind, Kind]]) -> Iterator[tuple[str, ...]]:
    for kind in KINDS:
        meant = sum(count for (one, _), count in pairs.items() if one == kind)
        said = sum(count for (_, one), count in pairs.items() if one == kind)
        right = pairs[kind, kind]
        yield kind, str(meant), str(said), _percent(right, said), _percent(right, meant)


def _confusion(pairs: Counter[tuple[Kind, Kind]]) -> Iterator[tuple[str, ...]]:
    for meant in KINDS:
        yield meant, *(str(pairs[meant, said] or "") for said in KINDS)


def _by_rule(every: Iterable[Labelled]) -> Iterator[tuple[str, ...]]:
    counted, right = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for one in every:
        said = decided(one.commit)
        counted[said.rule, said.is_sure] += 1
        right[said.rule, said.is_sure] += one.kind == said.kind
    for rule, count in counted.most_common():
        yield rule[0], "yes" if rule[1] else "", str(count), _percent(right[rule], count)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def microseconds(every: Sequence[Labelled], rounds: int = 5) -> float:
    """Processor time of one decision, with no path known from before: the median of the rounds."""
    taken = []
    for _ in range(rounds):
        place_of.cache_clear()
        began = time.process_time()
        for one in every:
            decided(one.commit)
        taken.append((time.process_time() - began) / len(every) * 1e6)
    return statistics.median(taken)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.kinds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", nargs="+", type=Path, help="bare repositories that the rules were made by")
    parser.add_argument("--held-out", nargs="*", type=Path, default=[], help="bare repositories that they were not")
    parser.add_argument("--commits", type=int, default=COMMITS, help="in all: %(default)s")
    parser.add_argument("--seed", type=int, default=SEED, help="of what is drawn: %(default)s")
    asked = parser.parse_args(given)

    every = sample([*asked.tuned, *asked.held_out], asked.commits, asked.seed)
    unseen = {_name(project) for project in asked.held_out}
    groups = {"All": every}
    if unseen:
        groups["Held-out projects"] = [one for one in every if one.project in unseen]
        groups["Projects the rules were made by"] = [one for one in every if one.project not in unseen]
    for title, group in groups.items():
        print(told(title, group), end="\n\n")
    print(f"{microseconds(every):.0f} µs a commit, of {MICROSECONDS} µs. {machine()}")


if __name__ == "__main__":
    main()
