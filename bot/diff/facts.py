"""A commit's diff → how many tests it ignores, and whether a file of its own for the changelog says that it breaks
something. Pure.

The number is of what is certain and no more. Only forms are read that leave no doubt: Python (pytest, unittest), Rust,
Go, JavaScript and TypeScript. A condition (`skipif`, `cfg_attr`) ignores nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.diff.patch import Patch, file_place
from bot.month.languages import language_of


class IgnoredTests(NamedTuple):
    """How many tests a commit ignores that were not ignored before it, and how many of these still are today."""

    number: int
    off: int


def number_ignored(patch: Patch) -> int:
    """How many tests a commit ignores that were not ignored before it; none of a diff that was too long to be held."""
    removed, added = _Side(), _Side()
    for file in patch.files:
        if (form := _form_of(file.path)) and may_hold_tests(file.path):
            for hunk in file.hunks:
                removed.take(form, hunk.removed)
                added.take(form, hunk.added)
    # A test that is new is not switched off by its mark, nor is one on again that went with it.
    moved = removed.defined & added.defined
    ignored = added.ignored - removed.ignored + sum(added.marked[one] - removed.marked[one] for one in moved)
    return max(0, ignored)


CHANGE_FILE = re.compile(r"(?:^|/)\.(?:chloggen|changeset)/[^/]+\.(?:ya?ml|md)$")
_BREAKS = re.compile(r"change_type: *[\"']?breaking\b|[\"']?[@\w/-]+[\"']?: *[\"']?major\b")


def says_breaking(patch: Patch) -> bool:
    """Whether a commit brings a change file of chloggen or changesets that calls it breaking, or a major change."""
    files = (one for one in patch.files if one.state == "added" and CHANGE_FILE.search(one.path))
    return any(_BREAKS.match(line) for one in files for hunk in one.hunks for line in hunk.added)


def may_hold_tests(path: str) -> bool:
    """Whether tests may stand in a file that can be read: in Rust they do so beside the product."""
    form, place = _form_of(path), file_place(path)
    return form is not None and (place == "test" or (form is _RUST and place == "product"))


class Form(NamedTuple):
    """How tests look in a language. The name of what is defined is the first group of `defined`."""

    defined: re.Pattern[str]
    ignored: re.Pattern[str] | None = None  # on a line before what it marks, or on the same
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
    re.compile(r"\s*(?:xit|xtest|xdescribe|(?:it|test|describe)\.skip)\(\s*[\"'`].+?[\"'`]\s*,"),
)
_GO = Form(re.compile(r"func ((?:Test|Fuzz)\w*)\("), ignoring=re.compile(r"\tt\.(?:Skip|Skipf|SkipNow)\("))
_FORMS = {"Python": _PYTHON, "Rust": _RUST, "Go": _GO, "JavaScript": _SCRIPT, "TypeScript": _SCRIPT}


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
        for number, line in enumerate(lines):
            if form.ignored and form.ignored.match(line):
                marks += 1
            if match := form.defined.match(line):
                name = next(filter(None, match.groups()))
                self.defined[name] += 1
                self.marked[name] += marks
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


def is_marked(line: str, path: str) -> bool:
    """Whether a line marks a test as ignored."""
    form = _form_of(path)
    return form is not None and any(one and one.match(line) for one in (form.ignored, form.ignoring))


def _form_of(path: str) -> Form | None:
    return _FORMS.get(language_of(path) or "")
