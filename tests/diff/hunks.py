"""Diffs for tests, as they are read: a file's lines with a + or a - before them, and @@ where a hunk begins."""

from __future__ import annotations

from bot.diff.patch import FilePatch, FileState, Hunk, Patch, file_place


def file(path: str, text: str, state: FileState = "modified", old_path: str | None = None) -> FilePatch:
    """A file's part of a diff. Behind @@ stands what the hunk is within."""
    place = file_place(path)
    assert place, f"git shows {path}, but nothing of it is held"
    made = FilePatch(path, old_path or path, state, place)
    for line in text.strip("\n").splitlines():
        if line.startswith("@@"):
            made.hunks.append(Hunk(line[2:].strip()))
            continue
        if not made.hunks:
            made.hunks.append(Hunk())
        (made.hunks[-1].added if line[:1] == "+" else made.hunks[-1].removed).append(line[1:])
    return made


def patch(*files: FilePatch) -> Patch:
    return Patch("a" * 40, list(files))
