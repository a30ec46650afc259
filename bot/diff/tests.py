"""Tests in the lines of a diff: where one is defined, where one is marked as ignored, which lines are a test's. Pure.

Read are only forms that leave no doubt: Python (pytest, unittest), Rust, Go, JavaScript and TypeScript, GoogleTest, and
JUnit. A condition (`skipif`, `cfg_attr`, `@DisabledOnOs`) ignores nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.diff.patch import FilePatch, Hunk
from bot.month.languages import language_of


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
class Side:
    """What the removed, or the added, lines of a commit have of tests. `ignored` are marks of what is not defined in
    these lines, so of tests that are there before and after."""

    tests: list[Defined] = field(default_factory=list)
    ignored: int = 0
    many: int = 0


def sides(files: Iterable[FilePatch]) -> tuple[Side, Side]:
    """The tests in what a commit removed, and in what it added."""
    removed, added = Side(), Side()
    number = 0
    for file in files:
        language = language_of(file.path)
        form = _FORMS.get("C++" if language == "header" else language or "")
        if form is None or not (file.place == "test" or (form is _RUST and file.place == "product")):
            continue
        for hunk in file.hunks:
            number += 1
            for side, lines in ((removed, hunk.removed), (added, hunk.added)):
                in_tests = test_lines(file, hunk, lines)
                _read(side, file.path, number, form, lines, in_tests)
    return removed, added


def test_lines(file: FilePatch, hunk: Hunk, lines: Sequence[str]) -> list[bool]:
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


def _read(side: Side, path: str, hunk: int, form: Form, lines: Sequence[str], in_tests: Sequence[bool]) -> None:
    marks = attributes = 0
    if form is _GTEST:
        lines = _joined(lines)
    current: Defined | None = None
    first: Defined | None = None  # on the first line: what stands before it is not in these lines
    for number, (line, in_test) in enumerate(zip(lines, in_tests, strict=True)):
        if form is not _RUST and not in_test:
            continue
        side.many += bool(MANY.search(line))
        if form.ignored and form.ignored.match(line):
            marks += 1
        elif form.attribute and form.attribute.match(line):
            attributes += 1
        elif match := form.defined.match(line):
            current = _defined(path, hunk, form, match, has_attribute=bool(attributes), in_test=in_test)
            current.ignored += marks
            side.tests.append(current)
            marks = attributes = 0
            first = current if number == 0 else first
        elif form.ignoring and form.ignoring.match(line):
            (current or side).ignored += 1
        elif current is not None and len(line.strip()) > 7:
            current.lines.append(line.strip())
    # Where lines repeat, git may show a test from its second line on, with the first line of the next one.
    if first is not None and (marks or attributes):
        first.ignored += marks
        first.is_test = first.is_test or bool(attributes)
        marks = 0
    side.ignored += marks


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
    form = _FORMS.get(language_of(path) or "")
    if form is None:
        return False
    if form is _SCRIPT:
        return bool(_SCRIPT_IGNORED.match(line))
    return any(pattern and pattern.match(line) for pattern in (form.ignored, form.ignoring))


def is_defined(line: str, path: str) -> bool:
    """Whether a line defines what may be a test."""
    form = _FORMS.get(language_of(path) or "")
    return bool(form and form.defined.match(line))
