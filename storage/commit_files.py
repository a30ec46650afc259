"""The files of commits: one row a commit, packed, since they are only ever asked for by their commit.

A row a file took a quarter of a PostgreSQL database, and an eighth more of a SQLite file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from bot.model import FileChange, FileState
from storage.engine import Connection, batches, marks, new_ids, numbers

# Never to be changed: their places are stored.
_STATES: tuple[FileState, ...] = ("added", "modified", "deleted", "renamed", "copied", "retyped")
_PLACES: Mapping[str, int] = {state: place for place, state in enumerate(_STATES)}
_BINARY, _HAS_OLD = 0x40, 0x80  # beside the place of the state
_NONE = 0xFFFFFFFF  # of lines that are not counted
_PAGE = 2000  # commits in memory at a time


class _Packed(NamedTuple):
    """A file in numbers: of its path, its lines, its state with flags, and of its path before; 0 for none."""

    path: int
    additions: int | None
    deletions: int | None
    state: int  # its place in _STATES
    binary: bool
    old_path: int


def _pack(files: Sequence[_Packed]) -> bytes:
    """How many, then of each three numbers, then a byte of each, then the earlier paths of those that have one."""
    lines = [number for one in files for number in (one.path, _lines(one.additions), _lines(one.deletions))]
    flags = [one.state | (_BINARY if one.binary else 0) | (_HAS_OLD if one.old_path else 0) for one in files]
    old = [one.old_path for one in files if one.old_path]
    return struct.pack(f"<I{len(lines)}I{len(flags)}B{len(old)}I", len(files), *lines, *flags, *old)


def _lines(count: int | None) -> int:
    return _NONE if count is None else min(count, _NONE - 1)


def _unpack(packed: bytes) -> list[_Packed]:
    (count,) = struct.unpack_from("<I", packed)
    begin = 4 + 12 * count
    lines = struct.unpack_from(f"<{3 * count}I", packed, 4)
    flags = packed[begin : begin + count]
    old = iter(struct.unpack_from(f"<{(len(packed) - begin - count) // 4}I", packed, begin + count))
    return [
        _Packed(
            path,
            None if additions == _NONE else additions,
            None if deletions == _NONE else deletions,
            flag & 0x0F,
            bool(flag & _BINARY),
            next(old) if flag & _HAS_OLD else 0,
        )
        for path, additions, deletions, flag in zip(lines[::3], lines[1::3], lines[2::3], flags, strict=True)
    ]


def paths_of(packed: bytes) -> tuple[int, ...]:
    """The numbers of the paths of a commit's files."""
    (count,) = struct.unpack_from("<I", packed)
    return struct.unpack_from(f"<{3 * count}I", packed, 4)[::3]


def insert_files(connection: Connection, commits: Sequence[tuple[int, Sequence[FileChange]]]) -> None:
    """Store the files of commits that have none; of two with one path in a commit, the last."""
    wanted = {row[0] for _, files in commits for row in files}
    wanted.update(old for _, files in commits for row in files if (old := row[4]))
    paths = _numbered(connection, wanted)
    rows = []
    for number, files in commits:
        by_path = {
            path: _Packed(paths[path], additions, deletions, _PLACES[state], binary, paths[old] if old else 0)
            for path, state, additions, deletions, old, binary in files
        }
        if by_path:
            rows.append((number, _pack(list(by_path.values()))))
    connection.load("commit_files", "commit_id, files", rows)


def pack_files(connection: Connection) -> None:
    """Take over the table that had a row a file."""
    query = """SELECT commit_id, path_id, additions, deletions, state, "binary", coalesce(old_path_id, 0) FROM files
               WHERE commit_id >= ? AND commit_id < ? ORDER BY commit_id"""
    last = int(connection.execute("SELECT coalesce(max(commit_id), 0) FROM files").fetchone()[0])
    for first in range(0, last + 1, _PAGE):
        rows = connection.tuples(query, (first, first + _PAGE))
        files = (
            (number, _Packed(path, added, deleted, _PLACES[state], bool(binary), old))
            for number, path, added, deleted, state, binary, old in rows
        )
        packed = [(number, _pack([one for _, one in some])) for number, some in groupby(files, key=itemgetter(0))]
        connection.load("commit_files", "commit_id, files", packed)


def remove_files(connection: Connection, ids: str) -> None:
    """Remove the files of commits, whose numbers are written as `storage.engine.numbers` does."""
    connection.execute(f"DELETE FROM commit_files WHERE commit_id IN ({ids})")


def files_of(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[FileChange, ...]]:
    """The files of commits by their numbers, in order of their paths; those that have none are left out."""
    found: dict[int, list[_Packed]] = {}
    for some in batches(sorted(ids)):
        query = f"SELECT commit_id, files FROM commit_files WHERE commit_id IN ({numbers(some)})"
        found |= {number: _unpack(packed) for number, packed in connection.tuples(query)}
    used = {one.path for files in found.values() for one in files}
    used.update(one.old_path for files in found.values() for one in files if one.old_path)
    paths: dict[int, str] = {}
    for part in batches(sorted(used)):
        paths |= dict(connection.tuples(f"SELECT id, path FROM paths WHERE id IN ({numbers(part)})"))
    return {number: _changes(files, paths) for number, files in found.items()}


def _changes(files: Iterable[_Packed], paths: Mapping[int, str]) -> tuple[FileChange, ...]:
    return tuple(
        sorted(
            FileChange(
                paths[one.path], _STATES[one.state], one.additions, one.deletions,
                paths[one.old_path] if one.old_path else None, one.binary,
            )
            for one in files
        )
    )  # fmt: skip


def _numbered(connection: Connection, wanted: set[str]) -> dict[str, int]:
    """The number of each path; those that have none get one."""
    found: dict[str, int] = {}
    for some in batches(sorted(wanted)):
        rows = connection.execute(f"SELECT path, id FROM paths WHERE path IN ({marks(some)})", some)
        found |= {row["path"]: int(row["id"]) for row in rows}
    new = sorted(wanted.difference(found))
    first = new_ids(connection, "paths", len(new))
    connection.load("paths", "id, path", enumerate(new, first))
    return found | {path: number for number, path in enumerate(new, first)}
