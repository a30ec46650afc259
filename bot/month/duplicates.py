"""Which commits are one piece of work: in several repositories, or landed a second time. Pure.

Tools of review export one diff to several repositories, forks and mirrors hold the same SHA, and fixes are picked
onto other lines. What no number tells is known by the same author, title and patch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from bot.model import Commit
from bot.month.commit_references import Reference, References, patches, title_in

MUCH = 20  # lines from which on equal counts in equal files are no accident
TWINNING = {"diff": "diff", "changeset": "changeset", "pull": "X-link"}  # references that twins share, and their names

Twin = tuple[int, int, str]  # two commits by their places in order of time, and the reference that tells


class Duplicates:
    """The commits in order of time, with their references, and for each of TWINNING the places of those that own it."""

    def __init__(
        self, commits: Sequence[Commit], references: Sequence[References], owners: Mapping[Reference, Sequence[int]]
    ) -> None:
        self._commits = commits
        self._references = references
        self._owners = owners

    def found(self, target_of: Callable[[int, Reference], int | None]) -> Iterator[Twin]:
        """Each pair, the later commit first, the strongest reference first. `target_of` finds a SHA that is named."""
        for same in self._exactly():
            yield from ((other, same[0], "SHA") for other in same[1:])
        for kind, found_by in TWINNING.items():
            for reference, owners in self._owners.items():
                if reference.kind != kind:
                    continue
                if kind == "pull":
                    yield from self._linked(reference, owners)
                    continue
                for same in self._generations(owners, kind):
                    yield from ((other, min(same), found_by) for other in same if other != min(same))
        for number, references in enumerate(self._references):
            picked = [reference for reference in references.copies if reference.kind == "sha"]
            if len(picked) == 1 and (target := target_of(number, picked[0])) is not None:
                yield number, target, "cherry-pick"
        yield from self._of_one_patch()

    def _exactly(self) -> Iterator[list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for number, commit in enumerate(self._commits):
            places[commit.sha].append(number)
        return (same for same in places.values() if len(same) > 1)

    def _linked(self, reference: Reference, owners: Sequence[int]) -> Iterator[Twin]:
        """The commit of a pull request, and those of other repositories that say that they are of the same."""
        own = next((owner for owner in owners if reference not in self._references[owner].copies), owners[0])
        for owner in owners:
            if reference in self._references[owner].copies and self._may_be(owner, own):
                yield max(owner, own), min(owner, own), "X-link"

    def _generations(self, owners: Sequence[int], kind: str) -> Iterator[list[int]]:
        """Commits of one number: what was landed, with its exports, and what was landed once more, with those."""
        ranked = sorted(
            # A squash of a whole stack has the numbers of all of it, and is none of them.
            (one for one in owners if sum(reference.kind == kind for reference in self._references[one].own) == 1),
            key=lambda one: (self._commits[one].author.seconds, one),
        )
        turns: dict[str, int] = defaultdict(int)
        generations: list[list[int]] = []
        for one in ranked:
            turn = turns[self._commits[one].repository]
            turns[self._commits[one].repository] += 1
            if turn == len(generations):
                generations.append([])
            generations[turn].append(one)
        yield from generations

    def _of_one_patch(self) -> Iterator[Twin]:
        if len({commit.repository for commit in self._commits}) < 2:
            return
        where: dict[str, set[str]] = defaultdict(set)  # the repositories in which there is something of a title
        titles = [title_in(references) for references in self._references]
        for title, commit in zip(titles, self._commits, strict=True):
            where[title].add(commit.repository)
        by_patch: dict[str, list[int]] = defaultdict(list)
        for number, commit in enumerate(self._commits):
            for patch in patches(commit, self._references[number]) if len(where[titles[number]]) > 1 else ():
                by_patch[patch].append(number)
        for numbers in by_patch.values():
            first: dict[str, int] = {}
            for number in numbers:
                first.setdefault(self._commits[number].repository, number)
            for one, other in pairwise(first.values()):
                if self._may_be(other, one) and is_same_patch(self._commits[one], self._commits[other]):
                    yield other, one, "same patch"

    def _may_be(self, number: int, other: int) -> bool:
        """Whether they stand in different repositories, and no numbers say that they are two pieces of work."""
        if self._commits[number].repository == self._commits[other].repository:
            return False
        diffs = [
            {reference for reference in self._references[one].own if reference.kind == "diff"}
            for one in (number, other)
        ]
        return not (diffs[0] and diffs[1] and not diffs[0] & diffs[1])


def is_same_patch(one: Commit, other: Commit) -> bool:
    """Whether commits of one author and title are one patch: written in the same second, or alike file by file."""
    if one.author.seconds == other.author.seconds:
        return True
    if not (one.is_counted and other.is_counted and one.files):
        return False
    told = [sorted((file.path, file.additions, file.deletions) for file in two.files) for two in (one, other)]
    lines = sum((file.additions or 0) + (file.deletions or 0) for file in one.files)
    return told[0] == told[1] and lines >= MUCH
