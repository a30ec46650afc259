"""A commit's diff → what of it a model is given that is to tell what the commit did. Pure.

A commit gets its share of the signs that there are: those that need less than others leave the rest to them, so that
the largest change does not take the room of all. Where a diff does not fit into its share, each hunk is given with as
many of its first lines as fit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

from bot.diff.patch import FilePatch, Patch, bare

MOST = 60_000  # signs of a commit
LONG = 160  # signs of a line
K = TypeVar("K", bound=Hashable)


class FileLines(NamedTuple):
    """A file's heading, and the lines of its hunks."""

    heading: str
    hunks: list[list[str]]


def telling(patch: Patch) -> list[FileLines]:
    """What may be shown of a commit: all lines that went or came but for those that only moved, of a long diff the
    first of each hunk; nothing of one that was too long to be held."""
    hunks = [hunk for file in patch.files for hunk in file.hunks]
    moved = Counter(bare(line) for hunk in hunks for line in hunk.removed)
    moved &= Counter(bare(line) for hunk in hunks for line in hunk.added)
    left = {"-": Counter(moved), "+": moved}
    found: list[FileLines] = []
    for file in patch.files:
        of_file: list[list[str]] = []
        for hunk in file.hunks:
            lines = [f"@@ {hunk.within}"[:LONG]] if hunk.within else []
            above = len(lines)
            for sign, some in (("-", hunk.removed), ("+", hunk.added)):
                for text in some:
                    if left[sign][key := bare(text)] > 0:
                        left[sign][key] -= 1
                    else:
                        lines.append(f"{sign} {text.rstrip()}"[:LONG])
            if len(lines) > above:
                of_file.append(lines)
        if of_file:
            found.append(FileLines(_heading(file), of_file))
    return _within(found, MOST)


def shown(commits: Mapping[K, list[FileLines]], most: int) -> dict[K, str]:
    """The text of each commit that has any, all of them together in at most so many signs."""
    texts: dict[K, str] = {}
    by_need = sorted(commits, key=lambda key: _length(commits[key]))
    for number, key in enumerate(by_need):
        files = _within(commits[key], most // (len(by_need) - number))
        lines = [line for one in files for some in ([one.heading], *one.hunks) for line in some]
        text = "\n".join(lines)
        most -= len(text)
        if text:
            texts[key] = text
    return {key: texts[key] for key in commits if key in texts}


def _within(files: list[FileLines], most: int) -> list[FileLines]:
    """The first lines of each hunk, as many as fit; where not even one of each does, the first files."""
    longest = max((len(hunk) for file in files for hunk in file.hunks), default=0)
    lines = bisect_right(range(1, longest + 1), most, key=lambda lines: _length(files, lines))
    found = [FileLines(one.heading, [hunk[: max(1, lines)] for hunk in one.hunks]) for one in files]
    length = _length(found)
    while length > most:
        length -= _length([found.pop()])
    return found


def _length(files: list[FileLines], lines: int | None = None) -> int:
    """Signs of the first lines of each hunk, or of all of it."""
    return sum(
        len(file.heading) + 1 + sum(len(line) + 1 for hunk in file.hunks for line in hunk[:lines]) for file in files
    )


def _heading(file: FilePatch) -> str:
    if file.state in ("renamed", "copied"):
        return f"{file.path} ({file.state} from {file.old_path})"
    return file.path if file.state == "modified" else f"{file.path} ({file.state})"
