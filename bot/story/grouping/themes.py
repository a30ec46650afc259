"""A month's changes → the items that it is told in. Pure.

How two changes are compared is in `kinship`; why two stand together is told in docs/themes.md.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model import Change, Commit, Kind
from bot.story.grouping.kinship import CUT, similarities, ties
from bot.story.grouping.linkage import joined
from bot.story.grouping.traits import Traits, traits_of

MOST_SHOWN = 8  # items, the rest among them: what readers prefer at most (Alghamdi et al., 2020)
FEW, MANY = 3, 35  # changes: so few are each shown alone rather than as a rest, and of more one item more is shown
# How alike two groups must be to be told as one where they are more than are meant to be shown, and where a rest
# would be needed.
NEAR, LOWEST = 0.32, 0.2
HEAP = 12  # changes in one item, and half of the month: from here on it is no item but a busy week
LARGE = 6  # changes, or a quarter of the month: what is told as one for want of space only is not larger
MOST_COMPARED = 250  # each with each; of more, those of one component


@dataclass(frozen=True, slots=True)
class Theme:
    """Changes that are told as one item: first the one that speaks for them, then the others in order of writing."""

    changes: tuple[Change, ...]
    is_rest: bool = False  # the last one: what belongs to nothing else, of whatever kinds and repositories

    @property
    def lead(self) -> Change:
        return self.changes[0]


def themes(
    changes: Sequence[Change], merges: Sequence[Commit] = (), read: Callable[[Change], Traits] = traits_of
) -> list[Theme]:
    """The items of a month in order of weight, the rest last. Every change is in exactly one.

    `merges` are the person's own: what came by one of them is one item. The order in which changes are given makes
    no difference. There are at most MOST_SHOWN. Whoever compares the same changes several times gives what has `read`
    them.
    """
    ordered = _in_order(changes)
    if not ordered:
        return []
    traits = list(map(read, ordered))
    levels = _levels(ordered, merges, traits)
    if max(map(len, levels.groups(len(ordered), len(ordered)))) > max(HEAP, len(ordered) // 2):
        levels = _levels(ordered, merges, traits, by_time=False)  # all of it written in a few days, which tells nothing
    if len(ordered) <= FEW:  # alike or not, so few are told one by one, save what is one piece of work
        levels = replace(levels, joins=())
    most = shown(len(ordered))
    alone = most + (most < MOST_SHOWN)  # one item more than is meant to be shown is better than a rest
    groups = levels.groups(most, alone)
    weights = _weights(ordered, traits)
    ranked = sorted(groups, key=lambda group: (-weight_of(group, weights), group[0]))
    if len(ranked) > alone:
        head, tail = ranked[: most - 1], sorted(number for group in ranked[most - 1 :] for number in group)
    else:
        head, tail = ranked, []
    found = [_theme(group, ordered, traits) for group in head]
    if tail:
        found.append(replace(_theme(tail, ordered, traits), is_rest=True))
    return found


def clusters(changes: Sequence[Change], merges: Sequence[Commit] = ()) -> list[tuple[Change, ...]]:
    """What belongs together, before anything is left to the rest: each in order of writing, by their first."""
    ordered = _in_order(changes)
    return [
        tuple(ordered[number] for number in group)
        for group in _levels(ordered, merges, list(map(traits_of, ordered))).groups()
    ]


def shown(changes: int) -> int:
    """In how many items so many changes are told, the rest among them."""
    if changes <= FEW:
        return changes
    most = MOST_SHOWN if changes > MANY else MOST_SHOWN - 1
    return min(most, 3 + (changes > 6) + max(0, math.ceil((changes - 12) / 4)))


# --- groups


@dataclass(frozen=True, slots=True)
class _Levels:
    together: Sequence[int]
    joins: Sequence[tuple[float, int, int]]

    def groups(self, most: int | None = None, alone: int = 0) -> list[list[int]]:
        """Those that belong together; where they are more than `most`, the most alike of them joined on, and where
        they are more than `alone`, those too that are less alike."""
        first = list(self.together)

        def root(one: int) -> int:
            while first[one] != one:
                one = first[one]
            return one

        size = Counter(self.together)
        left = len(size)
        for value, one, other in self.joins:
            if value < CUT and (most is None or left <= (most if value >= NEAR else alone)):
                break
            low, high = sorted((root(one), root(other)))
            if value < NEAR and size[low] + size[high] > max(LARGE, len(first) // 4):
                continue
            first[high] = low
            size[low] += size[high]
            left -= 1
        found: dict[int, list[int]] = defaultdict(list)
        for number in range(len(first)):
            found[root(number)].append(number)
        return list(found.values())


def _levels(
    ordered: Sequence[Change], merges: Sequence[Commit], traits: Sequence[Traits], *, by_time: bool = True
) -> _Levels:
    branches = branches_of(ordered, merges) if merges else []
    together = list(range(len(ordered)))
    joins: list[tuple[float, int, int]] = []
    for block in _blocks(traits):
        place = {number: at for at, number in enumerate(block)}
        part = [traits[number] for number in block]
        inside = [[place[number] for number in branch if number in place] for branch in branches]
        apart = {number for branch in inside for number in branch} if by_time else range(len(part))
        matrix = similarities(part, apart)
        tied = ties(part, matrix, [branch for branch in inside if branch])
        for at, first in enumerate(tied):
            together[block[at]] = block[first]
        joins += [(value, block[one], block[other]) for value, one, other in joined(matrix, tied, LOWEST)]
    return _Levels(together, sorted(joins, key=lambda one: (-one[0], one[1], one[2])))


def _blocks(traits: Sequence[Traits]) -> Iterator[list[int]]:
    """The changes that are compared with each other: all of them, or those of one component, in order of writing."""
    if len(traits) <= MOST_COMPARED:
        yield list(range(len(traits)))
        return
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(traits):
        folders = [path for path in one.paths if path.endswith("/")]
        found[one.repository, min(folders, key=lambda path: (path.count("/"), path), default="")].append(number)
    half = MOST_COMPARED // 2
    for _, block in sorted(found.items()):
        for at in range(0, len(block), half):
            yield block[at : at + half]


def branches_of(changes: Sequence[Change], merges: Sequence[Commit]) -> list[list[int]]:
    """The changes that came by one merge, as far as the month's own commits lead from its second parent down."""
    owner = {(c.repository, c.sha): number for number, change in enumerate(changes) for c in change.commits}
    parents = {(c.repository, c.sha): c.parents for change in changes for c in change.commits}
    parents |= {(merge.repository, merge.sha): merge.parents for merge in merges}
    taken: set[tuple[str, str]] = set()
    found: list[list[int]] = []
    for merge in sorted(merges, key=lambda one: (one.committer.seconds, one.repository, one.sha)):
        before = _line(merge.repository, merge.parents[:1], parents)
        branch: dict[int, None] = {}
        waiting = [(merge.repository, parent) for parent in merge.parents[1:]]
        while waiting:
            key = waiting.pop()
            if key in taken or key in before or key not in parents:
                continue
            taken.add(key)
            if key in owner:
                branch[owner[key]] = None
            waiting += [(key[0], parent) for parent in parents[key]]
        found.append(sorted(branch))
    return found


def _line(
    repository: str, tips: Sequence[str], parents: Mapping[tuple[str, str], tuple[str, ...]]
) -> set[tuple[str, str]]:
    """The first parents from a commit down."""
    found: set[tuple[str, str]] = set()
    key = next(((repository, tip) for tip in tips), ("", ""))
    while key in parents and key not in found:
        found.add(key)
        key = next(((repository, parent) for parent in parents[key][:1]), ("", ""))
    return found


# --- weight and lead

_KIND: dict[Kind, float] = {
    "feature": 1.0, "performance": 1.0, "fix": 0.85, "refactor": 0.7, "revert": 0.55, "build": 0.45, "test": 0.45,
    "docs": 0.45, "chore": 0.55, "ci": 0.4, "release": 0.3,
}  # fmt: skip
UNDECIDED = 0.8


def weight_of(group: Iterable[int], weights: Sequence[float]) -> float:
    """The heaviest change counts whole, each further one a third of the one before."""
    ranked = sorted((weights[number] for number in group), reverse=True)
    return sum(weight * math.pow(0.35, place) for place, weight in enumerate(ranked[:12])) + 1.2 * math.log2(
        len(ranked)
    )


def _weights(changes: Sequence[Change], traits: Sequence[Traits]) -> list[float]:
    """What each change weighs: its size, its kind, and how many later ones touch what it added."""
    added: dict[tuple[str, str], int] = {}
    later: Counter[int] = Counter()
    for number, change in enumerate(changes):
        paths = {(c.repository, file.path): file.state for c in change.commits for file in c.files}
        for first in {added[path] for path in paths if path in added}:
            later[first] += 1
        for path, state in paths.items():
            if state == "added":
                added.setdefault(path, number)
    return [_weight(change, one, later[n]) for n, (change, one) in enumerate(zip(changes, traits, strict=True))]


def _weight(change: Change, one: Traits, later: int) -> float:
    size = 2 + min(math.log2(1 + one.lines), 11) + 0.7 * min(math.log2(1 + one.files_changed), 6)
    value = 10 * math.pow(size / 10, 1.5) * _kind_weight(change)
    value += 0.8 * min(math.log2(1 + later), 3) + (0.6 if len(change.lead.body) > 300 else 0)
    value += 1.5 if one.is_measured else 0
    if change.is_shared or one.is_trivial:
        value *= 0.6
    return value * (0.7 if change.state == "backed_out" else 1)


def _kind_weight(change: Change) -> float:
    """What nothing decided is mostly work on the source."""
    return UNDECIDED if change.kind == "chore" and not change.is_sure else _KIND[change.kind]


def _theme(group: Sequence[int], changes: Sequence[Change], traits: Sequence[Traits]) -> Theme:
    lead = max(group, key=lambda number: _speaks(changes[number], traits[number]))
    return Theme((changes[lead], *(changes[number] for number in group if number != lead)))


def _speaks(change: Change, one: Traits) -> tuple[float, int, str]:
    value = _kind_weight(change) * (
        4 + min(math.log2(1 + one.lines), 10) + 0.7 * min(math.log2(1 + one.files_changed), 5)
    )
    if one.is_trivial or len(change.lead.subject[:200].split()) < 2:
        value *= 0.6
    return round(value, 6), change.lead.author.seconds, change.id


def _in_order(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: (change.lead.author.seconds, change.id))
