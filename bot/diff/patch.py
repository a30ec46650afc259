"""The bytes of one `git diff-tree -p` → a Patch for each commit. Pure: needs no git.

Hunks come without the lines around them, and say how many lines they have, so that no content can pass for a header.
Of files whose content tells nothing (generated, vendored, locked, data, documents) no line is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from bot.month.languages import is_by_hand, is_markup, language_of
from bot.month.paths import place_of

# With `--format=%x01%H` a commit begins with a byte 1; each line of a patch begins with another one.
ARGUMENTS = (
    "diff-tree", "--stdin", "-r", "--root", "--always", "--format=tformat:%x01%H", "--patch", "--unified=0",
    "--inter-hunk-context=0", "--find-renames", "--find-copies", "--no-ext-diff", "--no-textconv",
    "--no-color", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
FilePlace = Literal["product", "test", "settings"]  # build scripts in a language are product, their settings are not
MOST_HELD = 4 << 20  # bytes of lines of a commit
LONG = 400  # signs of a line that are read

FileState = Literal["added", "modified", "deleted", "renamed", "copied"]


@lru_cache(maxsize=16_384)
def file_place(path: str) -> FilePlace | None:
    """What a file's lines count as, by its path alone; None where they tell nothing."""
    place = place_of(path)
    if not is_by_hand(path) or place == "docs" or path.endswith((".ipynb", ".pyi")):
        return None
    if place == "test":
        return "test"
    language = language_of(path)
    if language is not None and not is_markup(language) and place in ("source", "build"):
        return "product"
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
    old_path: str
    state: FileState
    place: FilePlace
    hunks: list[Hunk] = field(default_factory=list)


@dataclass(slots=True)
class Patch:
    """A commit's diff. Where it was too long to be held it is not `is_whole`, and its files have no hunks."""

    sha: str
    files: list[FilePatch] = field(default_factory=list)
    is_whole: bool = True


def bare(line: str) -> str:
    """A line without its spaces: the same, however it is indented."""
    return "".join(line.split())


_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)")
_QUOTED = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_SIGNS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_STATES: tuple[tuple[bytes, FileState], ...] = (
    (b"new file mode", "added"),
    (b"deleted file mode", "deleted"),
    (b"rename from ", "renamed"),
    (b"copy from ", "copied"),
)


class PatchParser:
    """Takes what git prints in blocks of any size and gives a Patch for each commit, one after the other."""

    def __init__(self) -> None:
        self._rest = b""
        self._patch: Patch | None = None
        self._held = 0
        self._begin_file()

    def feed(self, block: bytes) -> Iterator[Patch]:
        """The commits that are complete with this block."""
        lines = (self._rest + block).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            if (done := self._take(line)) is not None:
                yield done

    def finish(self) -> Iterator[Patch]:
        """The last commit, once git has ended well."""
        if self._patch is not None and not self._due_removed and not self._due_added:
            yield self._patch
        self._patch = None

    def _begin_file(self) -> None:
        self._old = ""
        self._state: FileState = "modified"
        self._file: FilePatch | None = None
        self._hunk: Hunk | None = None
        self._due_removed = self._due_added = 0

    def _take(self, line: bytes) -> Patch | None:
        first = line[:1]
        if first == b"-" and self._due_removed:
            self._due_removed -= 1
            if self._hunk is not None:
                self._hold(line, self._hunk.removed)
        elif first == b"+" and self._due_added:
            self._due_added -= 1
            if self._hunk is not None:
                self._hold(line, self._hunk.added)
        elif first == b"\x01":
            done, self._patch, self._held = self._patch, Patch(line[1:].decode("ascii", "replace")), 0
            self._begin_file()
            return done
        elif first == b"@":
            self._begin_hunk(line)
        elif first != b"\\":
            self._take_header(line)
        return None

    def _take_header(self, line: bytes) -> None:
        if line.startswith(b"diff --git "):
            self._begin_file()
        elif line.startswith(b"--- "):
            self._old = _path(line[4:])
        elif line.startswith(b"+++ ") and self._patch is not None:
            old, path = self._old, _path(line[4:])
            path = path or old
            if place := file_place(path):
                self._file = FilePatch(path, old or path, self._state, place)
                self._patch.files.append(self._file)
        else:
            self._state = next((state for begin, state in _STATES if line.startswith(begin)), self._state)

    def _begin_hunk(self, line: bytes) -> None:
        match = _HUNK.match(line)
        if match is None or self._patch is None:
            return
        self._due_removed = int(match[1] or 1)
        self._due_added = int(match[2] or 1)
        self._hunk = None
        if self._file is not None and self._patch.is_whole:
            self._hunk = Hunk(_text(match[3]))
            self._file.hunks.append(self._hunk)

    def _hold(self, line: bytes, lines: list[str]) -> None:
        self._held += min(len(line), LONG)
        if self._held <= MOST_HELD:
            lines.append(_text(line[1:]))
        elif self._patch is not None:
            self._patch.is_whole, self._hunk = False, None
            for file in self._patch.files:
                file.hunks.clear()


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
