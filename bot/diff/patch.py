"""The bytes of one `git diff-tree -p` → a Patch for each commit. Pure: needs no git.

Hunks come without the lines around them, and say how many lines they have, so that no content can pass for a header.
Of files whose content tells nothing (generated, vendored, locked, data, documents) no line is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
_MODIFIED: FileState = "modified"
_STATES: tuple[tuple[bytes, FileState], ...] = (
    (b"new file mode", "added"),
    (b"deleted file mode", "deleted"),
    (b"rename from ", "renamed"),
    (b"copy from ", "copied"),
)


def patches_of(blocks: Iterable[bytes]) -> Iterator[Patch]:
    """What git prints, in blocks of any size, as a Patch for each commit, one after the other. The last one is given
    once git has ended well, and not where it ended inside a hunk."""
    lines = _lines(blocks)
    patch, file, held = None, None, 0
    old, state = "", _MODIFIED
    for line in lines:
        if line.startswith(b"\x01"):
            if patch is not None:
                yield patch
            patch, file, held = Patch(line[1:].decode("ascii", "replace")), None, 0
        elif line.startswith(b"diff --git "):
            file, old, state = None, "", _MODIFIED
        elif line.startswith(b"--- "):
            old = _path(line[4:])
        elif line.startswith(b"+++ "):
            file = _file(old, _path(line[4:]), state)
            if patch is not None and file is not None:
                patch.files.append(file)
        elif match := _HUNK.match(line):
            hunk, length = _hunk(match, lines, MOST_HELD - held if patch and patch.is_whole and file else 0)
            if hunk is None:
                return
            held += length if patch and file else 0
            if patch is not None and file is not None:
                _hold(patch, file, hunk, fits=held <= MOST_HELD)
        else:
            state = next((state for begin, state in _STATES if line.startswith(begin)), state)
    if patch is not None:
        yield patch


def _lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        yield from lines


def _file(old: str, new: str, state: FileState) -> FilePatch | None:
    path = new or old
    place = file_place(path)
    return FilePatch(path, old or path, state, place) if place else None


def _hunk(match: re.Match[bytes], lines: Iterator[bytes], room: int) -> tuple[Hunk | None, int]:
    """A hunk with the lines that there is room for, and the length of all; nothing where it is not all there. Between
    them may stand that a file has no newline at its end."""
    hunk, length = Hunk(_text(match[3])), 0
    due = {b"-": int(match[1] or 1), b"+": int(match[2] or 1)}
    held = {b"-": hunk.removed, b"+": hunk.added}
    while any(due.values()):
        if (line := next(lines, None)) is None:
            return None, 0
        if due.get(sign := line[:1]):
            due[sign] -= 1
            length += min(len(line), LONG)
            if length <= room:
                held[sign].append(_text(line[1:]))
    return hunk, length


def _hold(patch: Patch, file: FilePatch, hunk: Hunk, *, fits: bool) -> None:
    if patch.is_whole and fits:
        file.hunks.append(hunk)
    elif patch.is_whole:
        patch.is_whole = False
        for one in patch.files:
            one.hunks.clear()


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
