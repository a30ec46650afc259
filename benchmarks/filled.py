"""A store filled with a synthetic history through its own write path, without git."""

from __future__ import annotations

import hashlib
import itertools
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import connect

from benchmarks.history import Edit, Made, made_up
from benchmarks.timing import ROOT, say
from bot.model import Commit, FileChange, FileState, Repository, Signature
from storage import Store

NAME = "made/up"
BATCH = 2000
NOW = "2025-01-15T00:00:00+00:00"  # the history ends with the year 2024


def filled_home(cache: Path, commits: int) -> Path:
    """A home whose database holds so many commits with counted lines; made once for each shape of the store."""
    home = cache / f"filled-{commits}-{_shape()}"
    if (home / "whole").exists():
        return home
    for old in cache.glob(f"filled-{commits}-*"):
        shutil.rmtree(old)
    home.mkdir(parents=True)
    say(f"filling a store with {commits:,} commits (kept in {cache})")
    began = time.monotonic()
    fill(home / "almanac.db", commits)
    (home / "whole").write_text(str(time.monotonic() - began))
    return home


def fill(database: Path, commits: int) -> None:
    store = Store(database)
    store.commits.register(Repository(NAME, "/made/up"))
    made = map(_commit, made_up(commits))
    while batch := list(itertools.islice(made, BATCH)):
        store.commits.add(NAME, batch)
    tip = _sha(commits)
    store.commits.mark_indexed(NAME, tip, datetime.fromisoformat(NOW).astimezone(UTC), shallow=False)
    size_of(database)


def size_of(database: Path) -> int:
    """The bytes of a database that nobody has open, its write-ahead log taken in."""
    with closing(connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size


def _shape() -> str:
    """Changes when the store's code or the histories do."""
    files = [*sorted((ROOT / "storage").glob("*.py")), *sorted((ROOT / "benchmarks").glob("[hwf]*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:10]


def _sha(number: int) -> str:
    return hashlib.sha1(b"%d" % number, usedforsecurity=False).hexdigest()


def _commit(made: Made) -> Commit:
    who = Signature(made.author.name, made.author.address, made.seconds, made.author.offset)
    body = f"This reverts commit {_sha(made.reverts)}.\n{made.body}" if made.reverts else made.body
    parents = tuple(map(_sha, made.parents))
    files = tuple(_files(made)) if len(parents) < 2 else ()
    return Commit(NAME, _sha(made.number), parents, who, who, made.subject, body, files)


def _files(made: Made) -> Iterator[FileChange]:
    for edit in made.edits:
        yield FileChange(edit.path, _state(edit), 1 + edit.version % 40, edit.version % 25, edit.old_path)


def _state(edit: Edit) -> FileState:
    return "renamed" if edit.old_path else "added" if edit.version == 1 else "modified"
