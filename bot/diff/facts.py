"""A commit's diff → what is known of it for good, small enough to be kept. Pure.

Each number is of what is certain and no more; what a diff was too long for is not said. When a rule here or beside it
changes, so does RULES, and diffs are read anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from bot.diff.patch import FilePatch, Hunk, Patch
from bot.diff.tests import Defined, Side, sides, test_lines

T = TypeVar("T")
RULES = 3
_REMOVING = re.compile(
    r"\b(?:remov|delet|drop|deprecat|revert|back(?:ed|ing)?[ -]?out|clean|duplicat|kill|mov|stop|disabl|retir|strip|"
    r"prun)",
    re.IGNORECASE,
)
FEW_REMOVED = 5  # tests: fewer are everyday work
_MOST_TESTS = 200  # that are compared with each other
_ALIKE = 75  # of 100: names of one test, before and after


@dataclass(frozen=True, slots=True)
class DiffFacts:
    """What the diff of one commit tells. `tests_off` is no part of that, and not kept: how many of the ignored ones
    still are today."""

    tests_ignored: int = 0  # tests that were not ignored before
    tests_removed: int = 0  # neither moved nor renamed
    tests_added: int = 0
    test_lines_removed: int = 0
    product_lines: int = 0  # changed, moved ones left out
    product_removed: int = 0  # those of them that went
    tests_off: int = 0
    in_part: bool = False  # not all of it was read, since it is too large

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "tests_off"}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DiffFacts:
        return cls(**value)


def has_fewer_tests(facts: DiffFacts, subject: str) -> bool:
    """Whether a commit removed tests and its subject does not let one expect that: many of them, with few in their
    place, and without what they tested."""
    if facts.tests_removed < FEW_REMOVED or 3 * facts.tests_added >= facts.tests_removed or takes_away(facts):
        return False
    return 2 * facts.product_removed < facts.test_lines_removed and not _REMOVING.search(subject)


def takes_away(facts: DiffFacts) -> bool:
    """Whether a commit deletes more of the product than it adds, so that tests may have gone with what they tested."""
    return 2 * facts.product_removed > facts.product_lines


def facts_of(patch: Patch) -> DiffFacts:
    """The facts of one commit."""
    product = [file for file in patch.files if file.place == "product"]
    if not patch.is_whole:
        return DiffFacts(product_lines=sum(file.lines for file in product), in_part=True)
    removed, added = sides(patch.files)
    tests_removed, tests_added, ignored = _tests(removed, added)
    test_lines_removed, test_lines_added = _test_lines(patch.files)
    if 2 * test_lines_added > test_lines_removed:  # they may have been written anew
        tests_removed = 0
    lines_removed, lines_added = without_moved(*product_lines(product))
    return DiffFacts(
        tests_ignored=ignored,
        tests_removed=tests_removed,
        tests_added=tests_added,
        test_lines_removed=test_lines_removed,
        product_lines=len(lines_removed) + len(lines_added),
        product_removed=len(lines_removed),
        in_part=patch.passed_over,
    )


# --- tests


def _tests(removed: Side, added: Side) -> tuple[int, int, int]:
    """Tests that were removed, added, and ignored."""
    gone, new = _unpaired(removed.tests, added.tests)
    is_gone, is_new = set(map(id, gone)), set(map(id, new))
    ignored = added.ignored + sum(one.ignored for one in added.tests if id(one) not in is_new)
    ignored -= removed.ignored + sum(one.ignored for one in removed.tests if id(one) not in is_gone)
    removed_count = sum(one.is_test for one in gone)
    if added.many > removed.many:  # several may have become one that runs with several values
        removed_count = 0
    return removed_count, sum(one.is_test for one in new), max(0, ignored)


def _unpaired(removed: Sequence[Defined], added: Sequence[Defined]) -> tuple[list[Defined], list[Defined]]:
    """Those that are on one side only: neither moved, nor renamed."""
    names = Counter(one.name for one in removed) & Counter(one.name for one in added)
    gone, new = (_without(tests, names, lambda one: one.name) for tests in (removed, added))
    for one in list(gone[:_MOST_TESTS]):
        other = next((other for other in new[:_MOST_TESTS] if _is_same(one, other)), None)
        if other is not None:
            gone.remove(one)
            new.remove(other)
    return gone, new


def _without(every: Sequence[T], names: Counter[str], name: Callable[[T], str]) -> list[T]:
    left, kept = Counter(names), []
    for one in every:
        if left[key := name(one)] > 0:
            left[key] -= 1
        else:
            kept.append(one)
    return kept


def _is_same(one: Defined, other: Defined) -> bool:
    """Whether a test became another one: its first line alone changed, or its body is the same, or its name nearly."""
    if not one.lines and not other.lines:
        return one.hunk == other.hunk
    if one.lines and other.lines:
        same = (Counter(one.lines) & Counter(other.lines)).total()
        if same >= 3 and 2 * same >= min(len(one.lines), len(other.lines)):
            return True
    from rapidfuzz import fuzz  # late: few commits change a test's name

    return one.path == other.path and fuzz.ratio(one.name, other.name) >= _ALIKE


def _test_lines(files: Iterable[FilePatch]) -> tuple[int, int]:
    """The changed lines in files of tests, removed and added."""
    removed = added = 0
    for file in files:
        for hunk in file.hunks:
            removed += sum(test_lines(file, hunk, hunk.removed))
            added += sum(test_lines(file, hunk, hunk.added))
    return removed, added


# --- the product

Line = tuple[str, str]  # a path, and a line as it stands there


def product_lines(files: Iterable[FilePatch]) -> tuple[list[Line], list[Line]]:
    """The lines of the product that a commit removed and added, without empty ones and those of tests."""
    removed: list[Line] = []
    added: list[Line] = []
    for file in files:
        for hunk in file.hunks:
            removed += [(file.old_path, line) for line in _own(file, hunk, hunk.removed)]
            added += [(file.path, line) for line in _own(file, hunk, hunk.added)]
    return removed, added


def _own(file: FilePatch, hunk: Hunk, lines: Sequence[str]) -> Iterable[str]:
    of_tests = test_lines(file, hunk, lines)
    return (line for line, is_test in zip(lines, of_tests, strict=True) if not is_test and line and not line.isspace())


def without_moved(removed: Sequence[Line], added: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """What is left where a line that went came again, wherever and however indented."""
    moved = Counter(bare(line) for _, line in removed) & Counter(bare(line) for _, line in added)
    return _without(removed, moved, lambda one: bare(one[1])), _without(added, moved, lambda one: bare(one[1]))


def bare(line: str) -> str:
    return "".join(line.split())
