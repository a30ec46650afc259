"""How much two changes of a month belong together, and which do in any case. Pure.

Where commits are those of branches, when they were written tells most. Where each is a pull request of its own,
that two were made on one day tells little: then files and rare words decide, and what one says of the other.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from bot.story.grouping.linkage import NEVER
from bot.story.grouping.traits import Traits

MOST_SHARED = 3  # subjects with a word by which a fix is known to be of something
COMMON = 40  # changes that have something in common which still tells something
DAY = 24 * 3600
FADES = 3  # days within which two commits come to be a third as near in time
FORGOTTEN = 20 * DAY  # from here on time tells nothing


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much for two changes. A term is between 0 and 1; the sum is divided by `whole`."""

    time: float
    paths: float
    words: float
    issue: float
    stack: float
    side: float  # both are tests, both documents, or both of the build
    whole: float


BRANCH = Weights(time=4, paths=2, words=1.5, issue=1, stack=0, side=0, whole=8.7)
PULLS = Weights(time=0.35, paths=1.8, words=2.4, issue=1.2, stack=1.2, side=1, whole=5)
OF_PULLS = 0.2  # of a repository's changes that are numbered: then its main line is made of pull requests
CUT = 0.45  # from here on two belong together, on the average of all pairs


# --- pairs


def similarities(traits: Sequence[Traits], merged: Container[int] = ()) -> list[list[float]]:
    """How alike each two are, between 0 and 1; NEVER where they may not stand together. Given in order of writing.

    Those in `merged` came by a merge that is known, and so are no less apart than pull requests are.
    """
    pulls = _of_pulls(traits)
    is_pull = [one.repository in pulls or number in merged for number, one in enumerate(traits)]
    compared = _Compared(traits)
    rows: list[list[float]] = []
    for one, own in enumerate(is_pull):
        row = compared.row(one, PULLS if own else BRANCH)
        if not own and any(is_pull[one + 1 :]):  # of two, the weights of the pull request count
            both = zip(is_pull[one + 1 :], compared.row(one, PULLS), row, strict=True)
            row = [as_pull if other else value for other, as_pull, value in both]
        rows.append([*itertools.repeat(0.0, one + 1), *row])
    columns = zip(*rows, strict=True)
    return [[*column[:one], *row[one:]] for one, (row, column) in enumerate(zip(rows, columns, strict=True))]


class _Compared:
    """Compares each change with those behind it: with all of them at once by what any two have, which are half a
    million in a month of a thousand changes, and then with the few that have something more in common."""

    def __init__(self, traits: Sequence[Traits]) -> None:
        self._traits = traits
        self._paths = _cosines(_paths(traits))
        self._words = _cosines([one.words for one in traits], power=0.5, lone_tags=False)
        self._seconds = [one.seconds for one in traits]
        self._several = len({one.repository for one in traits}) > 1
        self._diffs = [number for number, one in enumerate(traits) if one.diff]
        self._unlike = [number for number, one in enumerate(traits) if one.sort]
        self._holders: dict[str, list[int]] = defaultdict(list)  # of an issue, and of a side
        for number, one in enumerate(traits):
            for held in (*one.issues, *([one.side] if one.side else [])):
                self._holders[held].append(number)

    def row(self, one: int, weights: Weights) -> list[float]:
        """How alike a change is with each one behind it."""
        first, behind, whole = self._traits[one], slice(one + 1, None), weights.whole
        by_path, by_word, by_time, at = weights.paths / whole, weights.words / whole, weights.time, first.seconds
        paths, words = self._paths[one][behind], self._words[one][behind]
        later = bisect_left(self._seconds, at + FORGOTTEN, one + 1)
        more = [by_time * exp((at - then) / DAY / FADES) for then in self._seconds[one + 1 : later]]
        more += [0.0] * (len(self._seconds) - later)
        for other, term in self._more(one, weights):
            more[other - one - 1] += term
        row = [
            by_path * of_paths + by_word * of_words + term / whole
            for of_paths, of_words, term in zip(paths, words, more, strict=True)
        ]
        if self._several:
            elsewhere = (second.repository != first.repository for second in self._traits[behind])
            row = [value * 0.5 if is_other else value for value, is_other in zip(row, elsewhere, strict=True)]
        for other in range(one + 1, len(self._traits)) if first.sort else self._unlike:
            if other > one:
                place = other - one - 1
                alike = by_path * paths[place] + by_word * words[place]
                row[place] = _by_sort(first.sort, self._traits[other].sort, alike, row[place])
        return row

    def _more(self, one: int, weights: Weights) -> Iterator[tuple[int, float]]:
        """What some of those behind a change have in common with it, other than words, paths and time."""
        first = self._traits[one]
        same = {other for issue in first.issues for other in self._holders[issue]}
        yield from ((other, weights.issue) for other in same if other > one)
        if first.diff and weights.stack:
            for other in self._diffs:
                apart = abs(first.diff - self._traits[other].diff)
                if other > one and apart < 120:
                    yield other, weights.stack * exp(-apart / 30)
        if first.side and weights.side:
            yield from ((other, weights.side) for other in self._holders[first.side] if other > one)


def _by_sort(first: str, second: str, alike: float, value: float) -> float:
    """What two of these sorts may come to. A revert may stand with what stayed and is on the same thing, nothing else
    with anything of another sort; and two that undo different things do not, however near in time."""
    if first != second:
        return alike if {first, second} == {"revert", ""} and alike > CUT else NEVER
    return NEVER if first == "revert" and alike <= CUT else value


def _of_pulls(traits: Sequence[Traits]) -> set[str]:
    """The repositories whose main line is made of pull requests."""
    every = Counter(one.repository for one in traits)
    numbered = Counter(one.repository for one in traits if one.is_pull)
    return {repository for repository, count in numbered.items() if count >= OF_PULLS * every[repository]}


def _paths(traits: Sequence[Traits]) -> list[Mapping[str, float]]:
    """The paths of each; those of another repository are others."""
    if len({one.repository for one in traits}) == 1:
        return [one.paths for one in traits]
    return [{f"{one.repository}:{path}": weight for path, weight in one.paths.items()} for one in traits]


def _cosines(rows: Sequence[Mapping[str, float]], power: float = 1, *, lone_tags: bool = True) -> list[list[float]]:
    """The cosine of each two, the smaller place first, what is rare among all weighing more; of tags that only one
    has, those of words, nothing is counted."""
    frequency = Counter(itertools.chain.from_iterable(rows))
    most = max(COMMON, len(rows) // 8)
    rarity = {count: math.log(1 + len(rows) / max(count, 2)) ** power for count in set(frequency.values())}
    rare = {
        part: rarity[count]
        for part, count in frequency.items()
        if count <= most and (count > 1 or lone_tags or part[0] != "[")
    }
    where: dict[str, list[tuple[int, float]]] = {part: [] for part in rare if frequency[part] > 1}
    for number, row in enumerate(rows):
        weighed = [(part, weight * rare[part]) for part, weight in row.items() if part in rare]
        norm = math.sqrt(sum([weight * weight for _, weight in weighed])) or 1.0
        for part, weight in weighed:
            if part in where:
                where[part].append((number, weight / norm))
    found = [[0.0] * len(rows) for _ in rows]
    for holders in where.values():
        for at, (one, weight) in enumerate(holders, 1):
            likenesses = found[one]
            for other, another in holders[at:]:
                likenesses[other] += weight * another
    return found


# --- what belongs together in any case


def ties(traits: Sequence[Traits], matrix: Sequence[Sequence[float]], branches: Iterable[Sequence[int]]) -> list[int]:
    """For each change the first one it belongs with in any case, at least itself."""
    first = list(range(len(traits)))

    def root(one: int) -> int:
        while first[one] != one:
            first[one] = one = first[first[one]]
        return one

    def tie(one: int, other: int) -> None:
        if traits[one].sort == traits[other].sort:
            low, high = sorted((root(one), root(other)))
            first[high] = low

    for branch in branches:
        for other in branch[1:]:
            tie(branch[0], other)
    for one, other in _said(traits):
        if matrix[one][other] > 0.05:
            tie(one, other)
    for one, other in _repaired(traits):
        tie(one, other)
    releases = [number for number, one in enumerate(traits) if one.sort == "release"]
    for other in releases[1:]:
        tie(releases[0], other)
    return [root(one) for one in range(len(traits))]


def _repaired(traits: Sequence[Traits]) -> Iterator[tuple[int, int]]:
    """Each fix with the last change before it that it repairs by all we see: it touches only files of that, and their
    subjects share a word that hardly any other has."""
    fixes = [number for number, one in enumerate(traits) if one.is_fix and one.files]
    if not fixes:
        return
    topics = [one.topic for one in traits]
    frequency = Counter(word for topic in topics for word in topic)
    for fix in fixes:
        one = traits[fix]
        rare = {word for word in topics[fix] if frequency[word] <= MOST_SHARED}
        before = [
            number
            for number, other in enumerate(traits)
            if not other.is_fix
            and other.seconds < one.seconds
            and other.repository == one.repository
            and not rare.isdisjoint(topics[number])
            and one.files <= other.files
        ]
        if before:
            yield max(before, key=lambda number: traits[number].seconds), fix


def _said(traits: Sequence[Traits]) -> Iterator[tuple[int, int]]:
    """Pairs of which one names the other, is in a stack with it, or has the same number or a tag of few."""
    owner: dict[str, int] = {}
    for number, one in enumerate(traits):
        for name in one.own:
            key = name if name[0] == "D" or len(name) == 40 else f"{one.repository}{name}"
            if key in owner:
                yield owner[key], number
            owner.setdefault(key, number)
            if len(name) == 40:
                owner.setdefault(name[:9], number)
                owner.setdefault(name[:8], number)
    tagged: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(traits):
        for name in (*one.named, *one.stacks):
            keys = (f"{one.repository}{name}",) if name[0] == "#" else (name, name[:9], name[:8])
            found = next((owner[key] for key in keys if key in owner), None)
            if found is not None and found != number:
                yield min(found, number), max(found, number)
        for tag in one.tags:
            tagged[one.repository, tag].append(number)
    for (_, tag), holders in tagged.items():
        if " " in tag and 1 < len(holders) <= max(3, len(traits) * 3 // 5):
            yield from itertools.pairwise(holders)
