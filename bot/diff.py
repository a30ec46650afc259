"""The bytes of one `git diff-tree -p` → a Patch for each commit, and what that tells: how many tests a commit ignores,
what it adds to a change log, and the lines that a model is given.

Pure: needs no git (bot/index/diffs.py reads diffs). Hunks come without the lines around them, and say how many lines
they have, so that no content can pass for a header. Of files whose content tells nothing (generated, vendored, locked,
data, documents) no line is held.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from bot.month.paths import is_by_hand, is_markup, language_of, place_of
from bot.month.releases import Entry, added_entries, fragment_entries, note_place

# With `--format=%x01%H` a commit begins with a byte 1; each line of a patch begins with another one.
ARGUMENTS = (
    "diff-tree", "--stdin", "-r", "--root", "--always", "--format=tformat:%x01%H", "--patch", "--unified=0",
    "--inter-hunk-context=0", "--find-renames", "--find-copies", "--no-ext-diff", "--no-textconv",
    "--no-color", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
MOST_HELD = 4 << 20  # bytes of lines of a commit
LONG = 400  # signs of a line that are read
K = TypeVar("K", bound=Hashable)


@lru_cache(maxsize=16_384)
def file_place(path: str) -> Literal["product", "test", "settings"] | None:
    """What a file's lines count as, by its path alone; None where they tell nothing."""
    place = place_of(path)
    if not is_by_hand(path) or place == "docs" or path.endswith((".ipynb", ".pyi")):
        return None
    if place == "test":
        return "test"
    language = language_of(path)
    if language is not None and not is_markup(language) and place in ("source", "build"):
        return "product"  # build scripts in a language are, their settings are not
    return "settings" if language is not None or place != "source" else None


@dataclass(slots=True)
class Hunk:
    """Lines that went and lines that came in their place, as they stand in the file, without their ends. `within` is
    what git found above them that begins at the margin: a function, a class, a module; it may be empty."""

    within: str = ""
    removed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FilePatch:
    """A file's part of a diff. Its path is where it is now, or was; a file that was only moved has no part, nor has one
    whose lines tell nothing."""

    path: str
    state: str = "modified"  # or as in `_STATES`
    hunks: list[Hunk] = field(default_factory=list)


@dataclass(slots=True)
class Patch:
    """A commit's diff. Where it was too long to be held it is not `is_whole`, and its files have no hunks."""

    sha: str
    files: list[FilePatch] = field(default_factory=list)
    is_whole: bool = True


_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)")
_QUOTED = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_SIGNS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_STATES = {b"new": "added", b"deleted": "deleted", b"rename": "renamed", b"copy": "copied"}  # by a header's first word


def patches_of(blocks: Iterable[bytes], is_held: Callable[[str], object] = file_place) -> Iterator[Patch]:
    """What git prints, in blocks of any size, as a Patch for each commit, one after the other, with the files whose
    paths are held. The last one is given once git has ended well, and not where it ended inside a hunk."""
    lines, patch, held = _lines(blocks), Patch(""), 0
    file: FilePatch | None = None
    old, state = "", "modified"
    for line in lines:
        if line.startswith(b"\x01"):
            if patch.sha:
                yield patch
            patch, file, held = Patch(line[1:].decode("ascii", "replace")), None, 0
        elif line.startswith(b"diff --git "):
            file, old, state = None, "", "modified"
        elif line.startswith(b"--- "):
            old = _path(line[4:])
        elif line.startswith(b"+++ "):
            path = _path(line[4:]) or old
            file = FilePatch(path, state) if is_held(path) else None
            patch.files += [file] if file else []
        elif match := _HUNK.match(line):
            if (hunk := _hunk(match, lines, MOST_HELD if file and patch.is_whole else -1)) is None:
                return
            if file and patch.is_whole:
                held += sum(map(len, (*hunk.removed, *hunk.added)))
                patch.is_whole = held <= MOST_HELD
                file.hunks.append(hunk)
                for one in () if patch.is_whole else patch.files:
                    one.hunks.clear()
        else:
            state = _STATES.get(line.partition(b" ")[0], state)
    if patch.sha:
        yield patch


def _lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        yield from lines


def _hunk(match: re.Match[bytes], lines: Iterator[bytes], room: int) -> Hunk | None:
    """A hunk, as far as there is room for it; nothing where it is not all there. Between its lines may stand that there
    is no newline at the end of a file."""
    hunk = Hunk(_text(match[3]))
    due = {b"-": int(match[1] or 1), b"+": int(match[2] or 1)}
    held = {b"-": hunk.removed, b"+": hunk.added}
    while any(due.values()):
        if (line := next(lines, None)) is None:
            return None
        if due.get(sign := line[:1]):
            due[sign] -= 1
            if room >= 0:
                held[sign].append(_text(line[1:]))
                room -= len(held[sign][-1])
    return hunk


def _text(line: bytes) -> str:
    return line[:LONG].decode(errors="replace").rstrip("\r")


def _path(written: bytes) -> str:
    """The path of a line `--- a/…` or `+++ b/…`; empty for /dev/null."""
    written = written.rstrip(b"\r\t")  # git puts a tab behind a name with spaces
    if written.startswith(b'"') and written.endswith(b'"'):
        written = _QUOTED.sub(
            lambda match: bytes([_SIGNS[match[1]] if match[1] in _SIGNS else int(match[1], 8)]), written[1:-1]
        )
    return "" if written == b"/dev/null" else written[2:].decode(errors="replace")


def notes_of(patch: Patch) -> tuple[Entry, ...]:
    """What a commit says of itself to users, each item once: what it adds to change logs, and in fragments of one."""
    found = list[Entry]()
    for file in patch.files:
        if note_place(file.path) == file.path:
            found += added_entries([(one.within, one.removed, one.added) for one in file.hunks])
        elif file.state == "added":
            found += fragment_entries(file.path, [line for hunk in file.hunks for line in hunk.added])
    return tuple({one.text: one for one in found}.values())


# --- ignored tests: the number is of what is certain and no more. Only forms are read that leave no doubt: Python
# (pytest, unittest), Rust, Go, JavaScript and TypeScript. A condition (`skipif`, `cfg_attr`) ignores nothing.


class IgnoredTests(NamedTuple):
    """How many tests a commit ignores that were not ignored before it, and how many of these still are today."""

    number: int
    off: int


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


def _form_of(path: str) -> Form | None:
    return _FORMS.get(language_of(path) or "")


def may_hold_tests(path: str) -> bool:
    """Whether tests may stand in a file that can be read: in Rust they do so beside the product."""
    form, place = _form_of(path), file_place(path)
    return form is not None and (place == "test" or (form is _RUST and place == "product"))


def is_marked(line: str, path: str) -> bool:
    """Whether a line marks a test as ignored."""
    form = _form_of(path)
    return form is not None and any(one and one.match(line) for one in (form.ignored, form.ignoring))


def number_ignored(patch: Patch) -> int:
    """How many tests a commit ignores that were not ignored before it; none of a diff that was too long to be held."""
    removed, added = Counter[str](), Counter[str]()
    for file in patch.files:
        if (form := _form_of(file.path)) and may_hold_tests(file.path):
            for hunk in file.hunks:
                for side, lines in ((removed, hunk.removed), (added, hunk.added)):
                    for name, marks in _tests(form, lines):
                        side[name] += marks
    # A test that is new is not switched off by its mark, nor is one on again that went with it.
    return max(0, sum(added[name] - removed[name] for name in {"", *(added.keys() & removed.keys())}))


def _tests(form: Form, lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The tests that are defined in lines that went, or came, each with its marks; without a name, the marks of tests
    that are there before and after."""
    marks, name, first = 0, "", ""
    for number, line in enumerate(lines):
        if form.ignored and form.ignored.match(line):
            marks += 1
        if match := form.defined.match(line):
            name = next(filter(None, match.groups()))
            yield name, marks
            marks, first = 0, name if number == 0 else first
        elif form.ignoring and form.ignoring.match(line):
            yield name, 1
    # Where lines repeat, git may show a test from its second line on, with the first one of the next.
    yield first, marks


# --- what a model is given that is to tell what a commit did. Each gets its share of the signs that there are: those
# that need less than others leave the rest to them. Where a diff does not fit into its share, each hunk is given with
# as many of its first lines as fit.


MOST = 60_000  # signs of a commit
WIDEST = 160  # signs of a line


FileLines = tuple[str, list[list[str]]]  # a file's heading, and the lines of its hunks


def telling(patch: Patch) -> list[FileLines]:
    """What may be shown of a commit: all lines that went or came but for those that only moved, of a long diff the
    first of each hunk; nothing of one that was too long to be held."""
    hunks = [hunk for file in patch.files for hunk in file.hunks]
    moved = Counter(_bare(line) for hunk in hunks for line in hunk.removed)
    moved &= Counter(_bare(line) for hunk in hunks for line in hunk.added)
    left = {"-": Counter(moved), "+": moved}

    def stays(sign: str, line: str) -> bool:
        left[sign][key := _bare(line)] -= 1
        return left[sign][key] < 0

    found = list[FileLines]()
    for file in patch.files:
        of_file = list[list[str]]()
        for hunk in file.hunks:
            signed = [*(("-", line) for line in hunk.removed), *(("+", line) for line in hunk.added)]
            lines = [f"{sign} {line.rstrip()}"[:WIDEST] for sign, line in signed if stays(sign, line)]
            of_file += [[*([f"@@ {hunk.within}"[:WIDEST]] if hunk.within else []), *lines]] if lines else []
        state = "" if file.state == "modified" else f" ({file.state})"
        found += [(f"{file.path}{state}", of_file)] if of_file else []
    return _within(found, MOST)


def _bare(line: str) -> str:
    """A line without its spaces: the same, however it is indented."""
    return "".join(line.split())


def shown(commits: Mapping[K, list[FileLines]], most: int) -> dict[K, str]:
    """The text of each commit that has any, all of them together in at most so many signs."""
    texts: dict[K, str] = {}
    by_need = sorted(commits, key=lambda key: _length(commits[key]))
    for number, key in enumerate(by_need):
        files = _within(commits[key], most // (len(by_need) - number))
        texts[key] = "\n".join(line for heading, hunks in files for some in ([heading], *hunks) for line in some)
        most -= len(texts[key])
    return {key: texts[key] for key in commits if texts[key]}


def _within(files: list[FileLines], most: int) -> list[FileLines]:
    """The first lines of each hunk, as many as fit; where not even one of each does, the first files."""
    longest = max((len(hunk) for _, hunks in files for hunk in hunks), default=0)
    lines = bisect_right(range(1, longest + 1), most, key=lambda lines: _length(files, lines))
    found = [(heading, [hunk[: max(1, lines)] for hunk in hunks]) for heading, hunks in files]
    while _length(found) > most:
        found.pop()
    return found


def _length(files: list[FileLines], lines: int | None = None) -> int:
    """Signs of the first lines of each hunk, or of all of it."""
    return sum(
        len(heading) + 1 + sum(len(line) + 1 for hunk in hunks for line in hunk[:lines]) for heading, hunks in files
    )
