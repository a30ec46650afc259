"""How much two changes of a month belong together, and which do in any case. Pure.

Where commits are those of branches, when they were written tells most. Where each is a pull request of its own,
that two were made on one day tells little: then files and rare words decide, and what one says of the other.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.story.grouping.linkage import NEVER
from bot.story.grouping.traits import Traits

MOST_SHARED = 3  # subjects with a word by which a fix is known to be of something
COMMON = 40  # changes that have something in common which still tells something
DAY = 24 * 3600
FADES = 3  # days within which two commits come to be a third as near in time


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
    """How alike each two are, between 0 and 1; NEVER where they may not stand together.

    Those in `merged` came by a merge that is known, and so are no less apart than pull requests are.
    """
    number = len(traits)
    pulls = _of_pulls(traits)
    weights = [PULLS if one.repository in pulls or n in merged else BRANCH for n, one in enumerate(traits)]
    matrix = [[0.0] * number for _ in range(number)]
    paths = _cosines([_weighed(t.paths, t.repository) for t in traits])
    words = _cosines([t.words for t in traits], power=0.5)
    shares = [(one.paths / one.whole, one.words / one.whole) for one in (BRANCH, PULLS)]
    seconds, sorts = [one.seconds for one in traits], [one.sort for one in traits]
    exp = math.exp
    for one in range(number):  # half a million pairs in a month of a thousand changes
        first, row, at, sort, own = traits[one], matrix[one], seconds[one], sorts[one], weights[one]
        repository, issues, diff, side = first.repository, first.issues, first.diff, first.side
        of_paths, of_words = paths[one], words[one]
        for other in range(one + 1, number):
            second = traits[other]
            weight = own if weights[other] is BRANCH else PULLS
            by_path, by_word = shares[weight is PULLS]
            value = by_path * of_paths[other] + by_word * of_words[other]
            if sort != sorts[other]:
                value = _across(first, second, value)
            elif sort == "revert" and value <= CUT:
                value = NEVER  # two that undo different things, however near in time
            else:
                days = abs(seconds[other] - at) / DAY
                more = weight.time * exp(-days / FADES) if days < 20 else 0.0
                if issues and not issues.isdisjoint(second.issues):
                    more += weight.issue
                if diff and second.diff and weight.stack and (apart := abs(diff - second.diff)) < 120:
                    more += weight.stack * exp(-apart / 30)
                if side and side == second.side:
                    more += weight.side
                value += more / weight.whole
                if repository != second.repository:
                    value *= 0.5
            row[other] = matrix[other][one] = value
    return matrix


def _of_pulls(traits: Sequence[Traits]) -> set[str]:
    """The repositories whose main line is made of pull requests."""
    every = Counter(one.repository for one in traits)
    numbered = Counter(one.repository for one in traits if one.is_pull)
    return {repository for repository, count in numbered.items() if count >= OF_PULLS * every[repository]}


def _across(one: Traits, other: Traits, value: float) -> float:
    """Of two sorts: a revert may stand with what stayed and is on the same thing, nothing else with anything."""
    return value if {one.sort, other.sort} == {"revert", ""} and value > CUT else NEVER


def _weighed(paths: Mapping[str, float], repository: str) -> Mapping[str, float]:
    return {f"{repository}:{path}": weight for path, weight in paths.items()}


def _cosines(rows: Sequence[Mapping[str, float]], power: float = 1) -> list[list[float]]:
    """The cosine of each two, the smaller place first, what is rare among all weighing more."""
    frequency = Counter(part for row in rows for part in row)
    most = max(COMMON, len(rows) // 8)
    rows = [
        {
            part: weight
            for part, weight in row.items()
            if frequency[part] <= most and (part[0] != "[" or frequency[part] > 1)
        }
        for row in rows
    ]
    rare = {part: math.log(1 + len(rows) / max(count, 2)) ** power for part, count in frequency.items()}
    where: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, row in enumerate(rows):
        weighed = {part: weight * rare[part] for part, weight in row.items()}
        norm = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
        for part, weight in weighed.items():
            if frequency[part] > 1:
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
