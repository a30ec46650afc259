"""The paths of a year's changes → the parts of a product that its people would name. Pure.

An area is a folder, or in a flat repository what file names begin with. It is learnt from names alone, so that
commits whose lines are not counted give the same areas.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from bot.model import Commit
from bot.month.paths import is_of_product, lines_of, product_files

OPENED, SMALLEST = 1 / 8, 1 / 200  # of a year's changes: from which a folder is opened, below which it is no area
HELD, HALF = 4 / 5, 1 / 2
FLAT = 1 / 4  # of a year's changes that touch files of the root: then the first words of their names are areas
MOST_AREAS = 30
MOST_LINES = 500  # of a file, so that a generated or moved one does not decide
FEWEST = 3  # changes of a month, below which an area joins the one above
FEWEST_LETTERS = 5  # of a tag that names an area
NAMED, FEWEST_NAMED = 1 / 4, 3  # of an area's changes: how many titles name a folder that its people speak of
DEEPEST = 20  # folders of a path that are looked at: a hostile one has thousands
MANY = 3  # areas of one change, above which the largest must have half of its lines
_SAID = re.compile(r"[\w-]*\w")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")

Changed = tuple[str, Sequence[str]]  # a title, and the paths of its files


class NamedArea(NamedTuple):
    """An area that almanac.toml names, and the beginnings of the paths that are in it. Without a name, what is in it
    belongs to no area."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Areas:
    """The areas of one repository: the beginnings of paths, longest first, each with the heading it goes by. Some have
    none. `named` are those of the settings, which go before what was learnt."""

    headings: Mapping[str, str] = field(default_factory=dict)
    named: tuple[NamedArea, ...] = ()

    def of_path(self, path: str) -> str:
        """The area of a file; empty where it is in none."""
        for one in self.named:
            if any(path.startswith(begin) for begin in one.paths):
                return one.name
        for place in (path, *_folders(path)):
            if place in self.headings:
                return place
        if "/" not in path and (word := _first_word(path)) in self.headings:
            return word
        return "" if "." not in self.headings else "."

    def of(self, commit: Commit, labels: Sequence[str] = ()) -> str:
        """The area of a change: the one that a tag or prefix of its title names, if it touches that; else that of most
        of its lines. Empty where it is in none, or in many."""
        files = product_files(commit)
        lines = Counter[str]()
        for one in files:
            lines[self.of_path(one.path)] += min(MOST_LINES, max(1, lines_of([one])))
        if not files:
            words = (self.of_path(_without_test(one.path)) for one in commit.files)
            lines = Counter(one for one in words if one)
        for label in map(plain_name, labels):
            for area in lines:
                own = plain_name(area.rpartition("/")[2])
                if len(own) >= FEWEST_LETTERS and (own in label or label == plain_name(self.heading(area))):
                    return area
        if not lines:
            return ""
        area, most = min(lines.items(), key=lambda one: (-one[1], one[0]))
        return "" if len(lines) >= MANY and 2 * most <= lines.total() else area

    def heading(self, area: str) -> str:
        """What stands over an area; empty for what no name says."""
        return self.headings.get(area, area if any(area == one.name for one in self.named) else "")

    def fold(self, areas: Iterable[str]) -> dict[str, str]:
        """Of the areas of a month's changes, each with the one it is told under: one of few changes is told under the
        one above it, and those of one heading are one."""
        counted, above = Counter(areas), dict[str, str]()
        for one in sorted(counted, key=lambda each: (-len(each), each)):
            outer = next((each for each in _folders(one) if each in self.headings), "")
            if outer and counted[one] < FEWEST:
                above[one] = outer
                counted[outer] += counted[one]
        first: dict[str, str] = {}

        def place(one: str) -> str:
            while one in above:
                one = above[one]
            return first.setdefault(self.heading(one).casefold() or one, one)

        return {one: place(one) for one in counted}


def learn(year: Iterable[Changed]) -> Areas:
    """The areas of a repository, from its changes of a year. Where this learns otherwise, a step of
    storage/migrations.py has all repositories learn anew."""
    changes = list(year)
    at, flat = _touched([paths for _, paths in changes])
    every = len(at.pop(".", ()))
    children: dict[str, list[str]] = defaultdict(list)
    for folder in sorted(at):
        children[folder.rpartition("/")[0]].append(folder)
    found: dict[str, set[int]] = {}

    def is_large(numbers: set[int]) -> bool:
        return len(numbers) >= max(2, SMALLEST * every)

    def look(folder: str) -> None:
        own, large = at[folder], [one for one in children[folder] if is_large(at[one])]
        if folder and (len(own) <= OPENED * every or not large):
            found[folder] = own
            return
        for one in large:
            look(one)
        rest = own - set().union(*(at[one] for one in large))
        most = max((len(at[one]) for one in large), default=0)
        if folder and is_large(rest) and most < HELD * len(own) and len(own) < HALF * every:
            found[folder] = rest

    look("")
    if sum(map(len, flat.values())) >= FLAT * every:
        found |= {word: numbers for word, numbers in flat.items() if is_large(numbers)}
    largest = sorted(found, key=lambda one: (-len(found[one]), one))[:MOST_AREAS]
    titles = [(title, plain_name(title)) for title, _ in changes] if largest else []
    headings = {one: _heading(one, [titles[number] for number in found[one]]) for one in largest}
    return Areas(headings)


def _touched(changes: Iterable[Sequence[str]]) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Which changes touch each folder, the root as "."; and which files of the root, by the first word of a name."""
    at: dict[str, set[int]] = defaultdict(set)
    flat: dict[str, set[int]] = defaultdict(set)
    touching: dict[str, list[int]] = defaultdict(list)  # most paths are touched again and again
    for number, paths in enumerate(changes):
        for path in paths:
            touching[path].append(number)
    for path, numbers in touching.items():
        if is_of_product(path):
            for folder in (*_folders(path), "."):
                at[folder].update(numbers)
            if "/" not in path and (word := _first_word(path)):
                flat[word].update(numbers)
    return at, flat


def _folders(path: str) -> Iterator[str]:
    """The outermost folders that a file is in, the innermost of them first."""
    return reversed(list(accumulate(path.split("/")[:-1][:DEEPEST], "{}/{}".format)))


def _heading(area: str, titles: Sequence[tuple[str, str]]) -> str:
    """The name of an area's folder, or of one above it, that a quarter of the area's own titles say, as they mostly
    write it; of what its people do not speak of, none. Each title is with its `plain_name`."""
    for folder in reversed(area.split("/")):
        own = plain_name(folder)
        forms = [form for title, plain in titles if own in plain and (form := _spoken(title, own))]
        if len(forms) >= max(FEWEST_NAMED, NAMED * len(titles)):
            counted = Counter(forms)
            return min(counted, key=lambda one: (-counted[one], one))
    return ""


def _spoken(title: str, name: str) -> str:
    """As which word of a title, or else two in a row, a name stands there, the last of several; empty if it does
    not."""
    words = _SAID.findall(title)[::-1]
    two_in_a_row = (f"{one} {other}" for other, one in pairwise(words))
    return next((one for one in chain(words, two_in_a_row) if plain_name(one) == name), "")


@lru_cache(maxsize=16_384)
def plain_name(text: str) -> str:
    """A name as it is compared: "moe_training" and "MoE training" are one."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _first_word(name: str) -> str:
    found = _WORD.match(name.partition(".")[0])
    return found[0].casefold() if found and len(found[0]) > 1 else ""


def _without_test(path: str) -> str:
    """The path a test or a page would have beside what it is of."""
    path = re.sub(r"(?:^|/)(?:tests?|specs?|docs?)/", "/", path).lstrip("/")
    return re.sub(r"(?:^|(?<=/))test_|_test(?=\.)|Tests?(?=\.)", "", path)
