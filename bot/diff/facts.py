"""A commit's diff → what is known of it for good, small enough to be kept: tests that it ignores and removes, and the
lines of the product. Pure.

Each number is of what is certain and no more; what a diff was too long for is not said. Of tests only forms are read
that leave no doubt: Python (pytest, unittest), Rust, Go, JavaScript and TypeScript, GoogleTest, and JUnit. A condition
(`skipif`, `cfg_attr`, `@DisabledOnOs`) ignores nothing. When a rule here changes, so does RULES: diffs are read anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from bot.diff.patch import FilePatch, Hunk, Patch, bare
from bot.month.languages import HEADER, language_of

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
    if not patch.is_whole:
        return DiffFacts(product_lines=sum(one.lines for one in patch.files if one.place == "product"), in_part=True)
    removed, added = _Side(), _Side()
    hunks = [(file, hunk) for file in patch.files for hunk in file.hunks]
    for number, (file, hunk) in enumerate(hunks):
        removed.take(file, hunk, hunk.removed, number)
        added.take(file, hunk, hunk.added, number)
    gone, new = _unpaired(removed.tests, added.tests)
    is_gone, is_new = set(map(id, gone)), set(map(id, new))
    ignored = added.ignored + sum(one.ignored for one in added.tests if id(one) not in is_new)
    ignored -= removed.ignored + sum(one.ignored for one in removed.tests if id(one) not in is_gone)
    # Several may have become one that runs with several values, or have been written anew.
    may_be_there = added.many > removed.many or 2 * added.test_lines > removed.test_lines
    product_removed = (removed.product - added.product).total()  # but for what moved, however indented
    return DiffFacts(
        tests_ignored=max(0, ignored),
        tests_removed=0 if may_be_there else sum(one.is_test for one in gone),
        tests_added=sum(one.is_test for one in new),
        test_lines_removed=removed.test_lines,
        product_lines=product_removed + (added.product - removed.product).total(),
        product_removed=product_removed,
        in_part=patch.passed_over,
    )


# --- tests


class Form(NamedTuple):
    """How tests look in a language. The name of what is defined is the first group of `defined`; `attribute`, where
    there is one, stands before each test, whatever its name."""

    defined: re.Pattern[str]
    ignored: re.Pattern[str] | None = None  # on a line of its own before what it marks
    ignoring: re.Pattern[str] | None = None  # a statement inside of a test
    attribute: re.Pattern[str] | None = None


_PYTHON = Form(
    re.compile(r"\s*(?:async\s+)?(?:def (test\w*)|class (Test\w*|\w+Tests?))\s*[(:]"),
    re.compile(
        r"\s*@(?:pytest\.mark\.skip|unittest\.skip)(?:\(|\s*(?:#|$))|pytestmark\s*=\s*pytest\.mark\.skip\b(?!if)"
    ),
    re.compile(r" {8}self\.skipTest\("),  # as deep as a method's own lines: deeper ones may hang on a condition
)
_RUST = Form(
    re.compile(r"\s*(?:pub(?:\([^)]*\))? )?(?:async )?fn (\w+)"),
    re.compile(r"\s*#\[ignore\b(?!\]\s+(?!//|#\[|pub\b|async\b|fn\b))"),  # no line of a help text
    attribute=re.compile(r"\s*#\[(?:\w+::)*(?:\w+_)?(?:test|rstest|quickcheck|proptest)\b"),
)
_SCRIPT = Form(
    re.compile(r"\s*(?:it|test|describe|xit|xtest|xdescribe)(?:\.(?:skip|only|concurrent))?\(\s*([\"'`].+?[\"'`])\s*,"),
)
_SCRIPT_IGNORED = re.compile(r"\s*(?:xit|xtest|xdescribe|(?:it|test|describe)\.skip)\(\s*[\"'`]")
_GO = Form(re.compile(r"func ((?:Test|Fuzz)\w*)\("), ignoring=re.compile(r"\tt\.(?:Skip|Skipf|SkipNow)\("))
_GTEST = Form(re.compile(r"\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+\s*,\s*\w+)\s*\)"))
_OPEN = re.compile(r"\s*(?:TYPED_)?TEST(?:_[FP])?\([^)]*$")
_JUNIT = Form(
    re.compile(
        r"\s*(?:(?:public|private|protected|internal|final|static|suspend)\s+)*(?:void|fun|class)\s+(`[^`]+`|\w+)"
    ),
    re.compile(r"\s*@(?:Disabled|Ignore)(?![A-Za-z])"),
    attribute=re.compile(r"\s*@(?:Test|ParameterizedTest|RepeatedTest)(?![A-Za-z])"),
)
_FORMS = {
    "Python": _PYTHON, "Rust": _RUST, "Go": _GO, "C++": _GTEST, "CUDA": _GTEST, "C": _GTEST, "Java": _JUNIT,
    "Kotlin": _JUNIT, "JavaScript": _SCRIPT, "TypeScript": _SCRIPT,
}  # fmt: skip
# One of these may stand for many tests: what is counted by definitions then says nothing.
MANY = re.compile(r"parametri[zs]e|rstest|#\[case|subTest|INSTANTIATE_(?:TYPED_)?TEST|\bTEST_P\(|@given|\.each[(`]")
_RUST_TESTS = re.compile(r"(?:pub )?mod \w*tests?\b")
_NAMED_TEST = re.compile(r"test_|Test|[\"'`]")


@dataclass(slots=True)
class Defined:
    """A test (or a class of them) that is defined in lines of a diff, how often it is marked as ignored there, and the
    lines of it that are there."""

    path: str
    name: str
    hunk: int
    is_test: bool = True  # or a function of which that cannot be seen
    ignored: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Side:
    """What the removed, or the added, lines of a commit have of tests and of the product. `ignored` are marks of what
    is not defined in these lines, so of tests that are there before and after."""

    tests: list[Defined] = field(default_factory=list)
    ignored: int = 0
    many: int = 0
    test_lines: int = 0
    product: Counter[str] = field(default_factory=Counter)

    def take(self, file: FilePatch, hunk: Hunk, lines: Sequence[str], number: int) -> None:
        """Take in the lines of a hunk, which has a number."""
        in_tests = _test_lines(file, hunk, lines)
        self.test_lines += sum(in_tests)
        if file.place == "product":
            pairs = zip(lines, in_tests, strict=True)
            self.product.update(bare(line) for line, is_test in pairs if not is_test and line and not line.isspace())
        form = _form_of(file.path)
        if form is not None and (file.place == "test" or (form is _RUST and file.place == "product")):
            self._read(file.path, number, form, _joined(lines) if form is _GTEST else lines, in_tests)

    def _read(self, path: str, hunk: int, form: Form, lines: Sequence[str], in_tests: Sequence[bool]) -> None:
        marks = attributes = 0
        current: Defined | None = None
        first: Defined | None = None  # on the first line: what stands before it is not in these lines
        for number, (line, in_test) in enumerate(zip(lines, in_tests, strict=True)):
            if form is not _RUST and not in_test:
                continue
            self.many += bool(MANY.search(line))
            if form.ignored and form.ignored.match(line):
                marks += 1
            elif form.attribute and form.attribute.match(line):
                attributes += 1
            elif match := form.defined.match(line):
                current = _defined(path, hunk, form, match, has_attribute=bool(attributes), in_test=in_test)
                current.ignored += marks
                self.tests.append(current)
                marks = attributes = 0
                first = current if number == 0 else first
            elif form.ignoring and form.ignoring.match(line):
                (current or self).ignored += 1
            elif current is not None and len(line.strip()) > 7:
                current.lines.append(line.strip())
        # Where lines repeat, git may show a test from its second line on, with the first line of the next one.
        if first is not None and (marks or attributes):
            first.ignored += marks
            first.is_test = first.is_test or bool(attributes)
            marks = 0
        self.ignored += marks


def _unpaired(removed: Sequence[Defined], added: Sequence[Defined]) -> tuple[list[Defined], list[Defined]]:
    """Those that are on one side only: neither moved, nor renamed."""
    names = Counter(one.name for one in removed) & Counter(one.name for one in added)
    gone, new = list[Defined](), list[Defined]()
    for every, kept in ((removed, gone), (added, new)):
        left = Counter(names)
        for one in every:
            left[one.name] -= 1
            if left[one.name] < 0:
                kept.append(one)
    for one in list(gone[:_MOST_TESTS]):
        other = next((other for other in new[:_MOST_TESTS] if _is_same(one, other)), None)
        if other is not None:
            gone.remove(one)
            new.remove(other)
    return gone, new


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


def _test_lines(file: FilePatch, hunk: Hunk, lines: Sequence[str]) -> list[bool]:
    """Of lines of a hunk, which are a test's: all in a file of tests, and in Rust those of a module of tests."""
    if file.place == "test":
        return [True] * len(lines)
    if not file.path.endswith(".rs"):
        return [False] * len(lines)
    found: list[bool] = []
    inside = bool(_RUST_TESTS.match(hunk.within))
    for line in lines:
        inside = inside or line.startswith("#[cfg(test)]") or bool(_RUST_TESTS.match(line))
        found.append(inside)
        if line.startswith("}"):
            inside = False
    return found


def _defined(path: str, hunk: int, form: Form, match: re.Match[str], *, has_attribute: bool, in_test: bool) -> Defined:
    """What a line defines, and how often that line marks it as ignored."""
    name = next(group for group in match.groups() if group)
    if form is _GTEST:
        plain = re.sub(r"\s+", " ", name.replace("DISABLED_", ""))
        return Defined(path, plain, hunk, ignored=name.count("DISABLED_"))
    if form is _SCRIPT:
        return Defined(path, name, hunk, ignored=int(bool(_SCRIPT_IGNORED.match(match.string))))
    is_class = form is _PYTHON and match[1] is None
    return Defined(path, name, hunk, not is_class and (has_attribute or (in_test and bool(_NAMED_TEST.match(name)))))


def _joined(lines: Sequence[str]) -> list[str]:
    """The lines, where the name of a test stands on several in the first of them, the others empty."""
    joined = list(lines)
    for number, line in enumerate(lines):
        if _OPEN.match(line):
            end = next((at for at in range(number + 1, min(number + 4, len(lines))) if ")" in lines[at]), None)
            if end is not None:
                joined[number : end + 1] = [" ".join(lines[number : end + 1]), *[""] * (end - number)]
    return joined


def is_marked(line: str, path: str) -> bool:
    """Whether a line marks a test as ignored."""
    form = _form_of(path)
    patterns = (_SCRIPT_IGNORED,) if form is _SCRIPT else (form.ignored, form.ignoring) if form else ()
    return any(pattern and pattern.match(line) for pattern in patterns)


def is_defined(line: str, path: str) -> bool:
    """Whether a line defines what may be a test."""
    form = _form_of(path)
    return bool(form and form.defined.match(line))


def _form_of(path: str) -> Form | None:
    language = language_of(path)
    return _FORMS.get("C++" if language == HEADER else language or "")
