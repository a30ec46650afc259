"""Which commits are one piece of work: in several repositories, or landed a second time. Pure.

Tools of review export one diff to several repositories, forks and mirrors hold the same SHA, and fixes are picked
onto other lines. What no number tells is known by the same author, title and second of writing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from bot.model import Commit
from bot.month.commit_references import Reference, References, title_in

TWINNING = {"diff": "diff", "changeset": "changeset", "pull": "X-link"}  # references that twins share, and their names

Twin = tuple[int, int, str]  # two commits by their places in order of time, and the reference that tells


def duplicates(
    commits: Sequence[Commit],
    references: Sequence[References],
    owners: Mapping[Reference, Sequence[int]],
    target_of: Callable[[int, Reference], int | None],
) -> Iterator[Twin]:
    """Each pair, the later commit first, the strongest reference first.

    The commits are in order of time; `owners` are the places of those that own a reference of TWINNING. `target_of`
    finds a SHA that is named.
    """
    by_sha, written = defaultdict[str, list[int]](list), defaultdict[tuple[str, str, int], dict[str, int]](dict)
    for number, commit in enumerate(commits):
        by_sha[commit.sha].append(number)
        if title := title_in(references[number]):
            same_second = written[commit.author.address.casefold(), title, commit.author.seconds]
            same_second.setdefault(commit.repository, number)
    for same in by_sha.values():
        yield from ((other, same[0], "SHA") for other in same[1:])
    for kind, found_by in TWINNING.items():
        for reference, having in owners.items():
            if reference.kind != kind:
                continue
            if kind != "pull":
                for same in _generations(commits, references, having, kind):
                    yield from ((other, min(same), found_by) for other in same if other != min(same))
                continue
            # The commit of a pull request, and those of other repositories that say that they are of the same.
            own = next((one for one in having if reference not in references[one].copies), having[0])
            for one in having:
                if reference in references[one].copies and _may_be_one(commits, references, one, own):
                    yield max(one, own), min(one, own), found_by
    for number, each in enumerate(references):
        picked = [reference for reference in each.copies if reference.kind == "sha"]
        if len(picked) == 1 and (target := target_of(number, picked[0])) is not None:
            yield number, target, "cherry-pick"
    for by_repository in written.values():
        for one, other in pairwise(by_repository.values()):
            if _may_be_one(commits, references, one, other):
                yield other, one, "same patch"


def _generations(
    commits: Sequence[Commit], references: Sequence[References], having: Sequence[int], kind: str
) -> list[list[int]]:
    """Commits of one number: what was landed, with its exports, and what was landed once more, with those."""
    ranked = sorted(
        # A squash of a whole stack has the numbers of all of it, and is none of them.
        (one for one in having if sum(reference.kind == kind for reference in references[one].own) == 1),
        key=lambda one: (commits[one].author.seconds, one),
    )
    turns: Counter[str] = Counter()
    generations: dict[int, list[int]] = {}
    for one in ranked:
        generations.setdefault(turns[commits[one].repository], []).append(one)
        turns[commits[one].repository] += 1
    return list(generations.values())


def _may_be_one(commits: Sequence[Commit], references: Sequence[References], one: int, other: int) -> bool:
    """Whether two commits stand in different repositories, and no numbers say that they are two pieces of work."""
    diffs = [{reference for reference in references[each].own if reference.kind == "diff"} for each in (one, other)]
    return commits[one].repository != commits[other].repository and not (all(diffs) and diffs[0].isdisjoint(diffs[1]))
