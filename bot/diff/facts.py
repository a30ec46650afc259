"""A commit's diff → what is known of it for good, small enough to be kept: how many tests it ignores. Pure.

The number is of what is certain and no more; what a diff was too long for is not said. Of tests only forms are read
that leave no doubt: Python (pytest, unittest), Rust, Go, JavaScript and TypeScript, GoogleTest, and JUnit. A condition
(`skipif`, `cfg_attr`, `@DisabledOnOs`) ignores nothing. When a rule here changes, so does RULES: diffs are read anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from bot.diff.patch import Patch
from bot.month.languages import HEADER, language_of

RULES = 4


@dataclass(frozen=True, slots=True)
class DiffFacts:
    """What the diff of one commit tells. `tests_off` is no part of that, and not kept: how many of the ignored ones
    still are today."""

    tests_ignored: int = 0  # tests that were not ignored before
    tests_off: int = 0
    in_part: bool = False  # not all of it was read, since it is too large

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "tests_off"}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DiffFacts:
        return cls(**value)


def facts_of(patch: Patch) -> DiffFacts:
    """The facts of one commit."""
    if not patch.is_whole:
        return DiffFacts(in_part=True)
    removed, added = _Side(), _Side()
    for file in patch.files:
        form = _form_of(file.path)
        if form is not None and (file.place == "test" or (form is _RUST and file.place == "product")):
            for hunk in file.hunks:
                removed.take(form, hunk.removed)
                added.take(form, hunk.added)
    # A test that is new is not switched off by its mark, nor is one on again that went with it.
    moved = removed.defined & added.defined
    ignored = added.ignored - removed.ignored + sum(added.marked[one] - removed.marked[one] for one in moved)
    return DiffFacts(tests_ignored=max(0, ignored), in_part=patch.passed_over)


class Form(NamedTuple):
    """How tests look in a language. The name of what is defined is the first group of `defined`."""

    defined: re.Pattern[str]
    ignored: re.Pattern[str] | None = None  # on a line of its own before what it marks
    ignoring: re.Pattern[str] | None = None  # a statement inside of a test


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
)
_FORMS = {
    "Python": _PYTHON, "Rust": _RUST, "Go": _GO, "C++": _GTEST, "CUDA": _GTEST, "C": _GTEST, "Java": _JUNIT,
    "Kotlin": _JUNIT, "JavaScript": _SCRIPT, "TypeScript": _SCRIPT,
}  # fmt: skip


@dataclass(slots=True)
class _Side:
    """What the removed, or the added, lines of a commit have of tests: those that are defined there, and the marks that
    they bear by name. `ignored` are marks of what is not defined in these lines, so of tests that are there before and
    after."""

    defined: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    ignored: int = 0

    def take(self, form: Form, lines: Sequence[str]) -> None:
        """Take in the lines of a hunk."""
        marks = 0
        name = first = ""  # on the first line: what stands before it is not in these lines
        for number, line in enumerate(_joined(lines) if form is _GTEST else lines):
            if form.ignored and form.ignored.match(line):
                marks += 1
            elif match := form.defined.match(line):
                name, own = _defined(form, match)
                self.defined[name] += 1
                self.marked[name] += own + marks
                marks = 0
                first = name if number == 0 else first
            elif form.ignoring and form.ignoring.match(line):
                if name:
                    self.marked[name] += 1
                else:
                    self.ignored += 1
        if first:  # where lines repeat, git may show a test from its second line on, with the first one of the next
            self.marked[first] += marks
        else:
            self.ignored += marks


def _joined(lines: Sequence[str]) -> list[str]:
    """The lines, where the name of a test stands on several those as one."""
    joined: list[str] = []
    for line in lines:
        if joined and _OPEN.match(joined[-1]) and joined[-1].count("\n") < 3:
            joined[-1] += f"\n{line}"
        else:
            joined.append(line)
    return joined


def _defined(form: Form, match: re.Match[str]) -> tuple[str, int]:
    """What a line defines, and how often that line marks it as ignored."""
    name = next(group for group in match.groups() if group)
    if form is _GTEST:
        return re.sub(r"\s", "", name.replace("DISABLED_", "")), name.count("DISABLED_")
    return name, int(form is _SCRIPT and bool(_SCRIPT_IGNORED.match(match.string)))


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
