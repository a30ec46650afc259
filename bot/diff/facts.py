"""A commit's diff → what is known of it for good, small enough to be kept. Pure.

Each number is of what is certain and no more; what a diff was too long for is not said. When a rule here or beside it
changes, so does RULES, and diffs are read anew.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any

from bot.diff.patch import FilePatch, Hunk, Patch
from bot.diff.tests import Defined, Side, sides, test_lines

RULES = 1
SMALL = 20  # changed lines of the product of a commit that may belong to an earlier one
MOST_PRINTS = 3000  # lines of a commit that it may be known again by
_REMOVING = re.compile(
    r"\b(?:remov|delet|drop|deprecat|revert|back(?:ed|ing)?[ -]?out|clean|duplicat|kill|mov|stop|disabl|retir|strip|"
    r"prun)",
    re.IGNORECASE,
)
FEW_REMOVED = 5  # tests: fewer are everyday work
_MOST_TESTS = 200  # that are compared with each other
_ALIKE = 75  # of 100: names of one test, before and after
_PRINT = 6  # bytes


@dataclass(frozen=True, slots=True)
class DiffFacts:
    """What the diff of one commit tells. `prints_added` and `prints_removed` are hashes of path and line, of lines of
    the product that stand once in their part of the diff; the removed ones only of a small commit."""

    tests_ignored: int = 0  # tests that were not ignored before
    tests_removed: int = 0  # neither moved nor renamed
    tests_added: int = 0
    test_lines_removed: int = 0
    raises_only: int = 0  # more than before: places that only say that something is not implemented
    product_lines: int = 0  # changed, moved ones left out
    product_removed: int = 0  # those of them that went
    prints_added: frozenset[int] = frozenset()
    prints_removed: frozenset[int] = frozenset()

    def as_json(self) -> dict[str, Any]:
        counts = {each.name: getattr(self, each.name) for each in fields(self) if not each.name.startswith("prints")}
        return {**counts, "added": _packed(self.prints_added), "removed": _packed(self.prints_removed)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DiffFacts:
        counts = {name: count for name, count in value.items() if name not in ("added", "removed")}
        return cls(**counts, prints_added=_unpacked(value["added"]), prints_removed=_unpacked(value["removed"]))


def has_fewer_tests(facts: DiffFacts, subject: str) -> bool:
    """Whether a commit removed tests and its subject does not let one expect that: many of them, with few in their
    place, and without what they tested."""
    if facts.tests_removed < FEW_REMOVED or 3 * facts.tests_added >= facts.tests_removed:
        return False
    return 2 * facts.product_removed < facts.test_lines_removed and not _REMOVING.search(subject)


def has_unfinished_parts(facts: DiffFacts) -> bool:
    """Whether so much of a commit only raises that whoever reads its subject must know."""
    if facts.raises_only < 3 or 3 * facts.raises_only > facts.product_lines:  # or it is all that the commit does
        return False
    return 200 * facts.raises_only >= facts.product_lines


def rewritten(later: DiffFacts, earlier: DiffFacts) -> int:
    """How many lines that `earlier` added a small `later` commit removes again, where that is most of what it does;
    else 0. Both are to be of one repository, and the same person's within a month."""
    count = len(later.prints_removed & earlier.prints_added)
    return count if 2 * count >= len(later.prints_removed) and 5 * count >= later.product_lines else 0


def facts_of(patch: Patch) -> DiffFacts:
    """The facts of one commit."""
    product = [file for file in patch.files if file.place == "product"]
    if not patch.is_whole:
        return DiffFacts(product_lines=sum(file.lines for file in product))
    removed, added = sides(patch.files)
    tests_removed, tests_added, ignored = _tests(removed, added)
    test_lines_removed, test_lines_added = _test_lines(patch.files)
    if 2 * test_lines_added > test_lines_removed:  # they may have been written anew
        tests_removed = 0
    all_removed, all_added = product_lines(product)
    lines_removed, lines_added = without_moved(all_removed, all_added)
    count = len(lines_removed) + len(lines_added)
    prints_removed: frozenset[int] = frozenset()
    if 0 < count <= SMALL and len(all_removed) <= 3 * SMALL:
        # Here a line that came to stand under a condition counts as well, which shows in its indentation alone.
        again = Counter(line for _, line in all_added)
        prints_removed = _prints(_without_lines(all_removed, again, str))
    return DiffFacts(
        tests_ignored=ignored,
        tests_removed=tests_removed,
        tests_added=tests_added,
        test_lines_removed=test_lines_removed,
        raises_only=max(0, _raising(product)),
        product_lines=count,
        product_removed=len(lines_removed),
        prints_added=_prints(lines_added),
        prints_removed=prints_removed,
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
    gone, new = _without(removed, names), _without(added, names)
    for one in list(gone[:_MOST_TESTS]):
        other = next((other for other in new[:_MOST_TESTS] if _is_same(one, other)), None)
        if other is not None:
            gone.remove(one)
            new.remove(other)
    return gone, new


def _without(tests: Sequence[Defined], names: Counter[str]) -> list[Defined]:
    left = Counter(names)
    kept = []
    for one in tests:
        if left[one.name]:
            left[one.name] -= 1
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

_RAISING = {
    # Without a message of its own, or with one about subclasses or wrong values, nothing is left to be implemented.
    "py": re.compile(
        r"\s*raise NotImplementedError\(\s*f?[\"'](?!\{\w+\}|.*(?:subclass|inherit|\bmust\b|overrid|abstract|requires|"
        r"__class__|\{func\}|in class))",
        re.IGNORECASE,
    ),
    "rs": re.compile(r"[^\"/]*\b(?:todo|unimplemented)!\s*[(;]"),
    "cs": re.compile(r"\s*throw new NotImplementedException\b"),
    "kt": re.compile(r"[^\"/]*\bTODO\("),
    "ts": re.compile(r"\s*throw new Error\([\"'`][^\"'`]*not (?:yet )?implemented", re.IGNORECASE),
    "go": re.compile(r"\s*panic\(\"[^\"]*(?:not implemented|unimplemented)", re.IGNORECASE),
}
_RAISING |= {"pyx": _RAISING["py"], "js": _RAISING["ts"], "tsx": _RAISING["ts"], "jsx": _RAISING["ts"]}


def _raising(files: Iterable[FilePatch]) -> int:
    count = 0
    for file in files:
        pattern = _RAISING.get(file.path.rpartition(".")[2])
        if pattern is None or file.state == "copied":
            continue
        for hunk in file.hunks:
            for lines, sign in ((hunk.added, 1), (hunk.removed, -1)):
                of_tests = test_lines(file, hunk, lines)
                for number, (line, is_test) in enumerate(zip(lines, of_tests, strict=True)):
                    if not is_test:
                        is_open = line.count("(") > line.count(")")
                        whole = " ".join(lines[number : number + 4]) if is_open else line
                        count += sign * bool(pattern.match(whole))
    return count


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
    return _without_lines(removed, moved, bare), _without_lines(added, moved, bare)


def bare(line: str) -> str:
    return "".join(line.split())


def _without_lines(lines: Sequence[Line], moved: Counter[str], seen_as: Callable[[str], str]) -> list[Line]:
    left = Counter(moved)
    kept = []
    for path, line in lines:
        if left[seen_as(line)] > 0:
            left[seen_as(line)] -= 1
        else:
            kept.append((path, line))
    return kept


# --- by what a line is known again

_WORDS = re.compile(r"[A-Za-z_]\w+")
_COMMON = re.compile(r"(?:from|import|use|pub use|using|#|//|/?\*|--|\"\"\"|return None|else)")


def _prints(lines: Sequence[Line]) -> frozenset[int]:
    """Of lines that are hardly written twice: code of some length with names in it."""
    counted = Counter((path, line.strip()) for path, line in lines)
    telling = (key for key, count in counted.items() if count == 1 and _is_distinctive(key[1]))
    return frozenset(_print(*key) for key in islice(telling, MOST_PRINTS))


def _is_distinctive(line: str) -> bool:
    return len(line) >= 15 and len(_WORDS.findall(line)) >= 2 and not _COMMON.match(line)


def _print(path: str, line: str) -> int:
    said = f"{path}\0{bare(line)}".encode(errors="replace")
    return int.from_bytes(hashlib.blake2b(said, digest_size=_PRINT).digest(), "big")


def _packed(prints: frozenset[int]) -> str:
    return base64.b64encode(b"".join(one.to_bytes(_PRINT, "big") for one in sorted(prints))).decode()


def _unpacked(text: str) -> frozenset[int]:
    data = base64.b64decode(text)
    return frozenset(int.from_bytes(data[at : at + _PRINT], "big") for at in range(0, len(data), _PRINT))
