"""Real git repositories for tests, with nothing left to chance: who, when, in which zone, in which bytes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bot.ask.queries import Queries
from bot.index.indexing import Indexed, Indexing
from bot.index.places import place
from bot.model import Commit, Repository
from bot.settings import Settings
from storage import Store

ADA = ("Ada Lovelace", "ada@example.com")
GRACE = ("Grace Hopper", "grace@example.com")
NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
NOON = "2025-10-03 12:00 +0000"

Person = tuple[str, str]
Run = Callable[..., Any]  # the fixture `almanac`, see conftest.py
# For tests of what might depend on the engine that keeps the index, see the fixture `placed`.
both_engines = pytest.mark.parametrize("on_engine", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
Fill = Callable[[Path], object]  # fills a folder
Copy = Callable[[Fill], None]  # copies such a folder, see conftest.py

# What a test's own repository may be set to do is not done to the builder.
_CALM = [
    part
    for one in (
        "gc.auto=0", "maintenance.auto=false",  # a commit would start a process that looks whether there is work
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.file.allow=always", "core.fsync=none",
    )
    for part in ("-c", one)
]  # fmt: skip


class GitRepo:
    """A repository in `path`, made there unless there is one. Its branch is `main`.

    Methods that make a commit return its SHA and move the branch that is checked out.
    """

    def __init__(self, path: Path, *, bare: bool = False) -> None:
        self.path = path
        if not path.exists():
            path.mkdir(parents=True)
            for name, content in _new_repository(bare).items():
                file = path / name
                file.mkdir(parents=True) if content is None else file.write_bytes(content)

    def git(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """What git prints. A test whose git command fails is shown what git said."""
        ran = subprocess.run(
            ["git", *_CALM, *arguments],
            cwd=self.path,
            env={**_surroundings(), **(env or {})},
            input=stdin,
            capture_output=True,
        )
        if ran.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {ran.stderr.decode(errors='replace')}")
        return ran.stdout

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """What git prints, as one stripped text."""
        return self.git(*arguments, stdin=stdin).decode().strip()

    @property
    def tip(self) -> str:
        return self._loose_tip() or self.line("rev-parse", "HEAD")

    def _loose_tip(self) -> str:
        """The tip where it is in a file of its own, without a process that looks for it."""
        head = next((one for one in (self.path / ".git" / "HEAD", self.path / "HEAD") if one.is_file()), None)
        ref = head.read_text().removeprefix("ref: ").strip() if head else ""
        file = head.parent / ref if head and ref.startswith("refs/heads/") else None
        return file.read_text().strip() if file and file.is_file() else ""

    @property
    def tree(self) -> str:
        return self.line("rev-parse", "HEAD^{tree}") if self._has_commits() else self.line("mktree")

    def shas(self, revision: str = "HEAD") -> list[str]:
        """Every commit that is reachable, newest first."""
        return self.line("rev-list", revision).split()

    # --- commits

    def commit(
        self,
        subject: str,
        *,
        body: str = "",
        author: Person = ADA,
        committer: Person | None = None,
        at: str = NOON,
        committed_at: str | None = None,
        files: Mapping[str, str | bytes | None] | None = None,
        rename: Mapping[str, str] | None = None,
    ) -> str:
        """A commit. `files` are written (None removes one), then those in `rename` moved: {old: new}.

        Dates are written like "2025-10-03 12:00 +0200", with seconds if wanted; the committer and their
        date are the author's unless given. Without any files the commit is empty.
        """
        for name, content in (files or {}).items():
            self.write(name, content)
        for old, new in (rename or {}).items():
            (self.path / new).parent.mkdir(parents=True, exist_ok=True)
            (self.path / old).rename(self.path / new)
        self.git("add", "--all")
        message = f"{subject}\n\n{body}\n" if body else f"{subject}\n"
        return self._commit(("commit", "--quiet"), message, author, committer, at, committed_at)

    def write(self, name: str, content: str | bytes | None) -> None:
        """A file in the working tree; None removes it."""
        file = self.path / name
        if content is None:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def merge(self, branch: str, subject: str | None = None, **more: Any) -> str:
        """A merge commit of `branch` into the branch that is checked out; never a fast-forward. `more` is as in
        `commit`."""
        self.git("merge", "--quiet", "--no-ff", "--no-commit", "--strategy=ort", "-Xours", branch)
        return self.commit(subject or f"Merge {branch}", **more)

    def raw_commit(
        self,
        message: bytes,
        *,
        author: bytes = b"Ada Lovelace <ada@example.com> 1759492800 +0000",
        committer: bytes | None = None,
        headers: bytes = b"",
        parents: Sequence[str] | None = None,
    ) -> str:
        """A commit object written byte by byte: what porcelain refuses and yet is found in the world.

        `author` and `committer` are the header's whole value, `headers` further header lines with their
        line ends (`b"encoding ISO-8859-1\\n"`). Parents are the tip unless given.
        """
        if parents is None:
            parents = [self.tip] if self._has_commits() else []
        lines = [f"tree {self.tree}".encode(), *(f"parent {sha}".encode() for sha in parents)]
        lines += [b"author " + author, b"committer " + (author if committer is None else committer)]
        content = b"\n".join(lines) + b"\n" + headers + b"\n" + message
        sha = self.line("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=content)
        self.git("update-ref", "HEAD", sha)
        return sha

    def fast_import(self, stream: bytes) -> None:
        """Many commits at once, as `git fast-import` reads them."""
        self.git("fast-import", "--quiet", "--force", "--date-format=raw-permissive", stdin=stream)

    def many(self, count: int, *, author: Person = ADA, start: int = 1_759_492_800, branch: str = "main") -> None:
        """`count` commits a minute apart on `branch`, each changing src/<n % 7>.py; quick."""
        lines = [f"reset refs/heads/{branch}"]
        if self._has_commits():
            lines += [f"from {self.tip}"]
        who = f"{author[0]} <{author[1]}>"
        for number in range(count):
            subject = f"Change {number}"
            content = f"value = {number}\n" * (number % 5 + 1)
            lines += [
                f"commit refs/heads/{branch}",
                f"committer {who} {start + 60 * number} +0000",
                f"data {len(subject)}",
                subject,
                f"M 100644 inline src/{number % 7}.py",
                f"data {len(content)}",
                content,
            ]
        self.fast_import("\n".join([*lines, "done", ""]).encode())

    # --- branches and copies

    def branch(self, name: str, start: str = "HEAD") -> None:
        self.git("branch", "--force", name, start)

    def checkout(self, name: str, *, new: bool = False) -> None:
        self.git("checkout", "--quiet", "--force", *(["-b"] if new else []), name)

    def reset(self, revision: str) -> None:
        """Move the branch that is checked out, as before a force-push."""
        self.git("reset", "--quiet", "--hard", revision)

    def clone(self, path: Path, *options: str) -> GitRepo:
        """A clone of this repository through its file:// address, so that --depth counts."""
        self.git("clone", "--quiet", "--template=", *options, f"file://{self.path}", str(path))
        return GitRepo(path)

    def loose_object(self, sha: str) -> Path:
        """The file of an object that is in no pack."""
        inner = self.path / ".git"
        return (inner if inner.is_dir() else self.path) / "objects" / sha[:2] / sha[2:]

    def _commit(
        self,
        command: tuple[str, ...],
        message: str,
        author: Person,
        committer: Person | None,
        at: str,
        committed_at: str | None,
    ) -> str:
        name, address = committer or author
        env = {
            "GIT_AUTHOR_NAME": author[0],
            "GIT_AUTHOR_EMAIL": author[1],
            "GIT_AUTHOR_DATE": _git_date(at),
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": address,
            "GIT_COMMITTER_DATE": _git_date(committed_at or at),
        }
        self.git(
            *command, "--allow-empty", "--allow-empty-message", "--no-verify", "--cleanup=verbatim", "--file=-",
            stdin=message.encode(), env=env,
        )  # fmt: skip
        return self.tip

    def _has_commits(self) -> bool:
        return bool(self._loose_tip() or self.line("for-each-ref", "--count=1") or self._detached())

    def _detached(self) -> bool:
        head = Path(self.line("rev-parse", "--absolute-git-dir")) / "HEAD"
        return not head.read_text().startswith("ref:")


class Steps:
    """A progress with a memory: its calls, as (repository, number); where nobody counted, a start has None."""

    def __init__(self) -> None:
        self.starts: list[tuple[str, int | None]] = []
        self.advances: list[tuple[str, int]] = []

    def start(self, repository: str, total: int | None) -> None:
        self.starts.append((repository, total))

    def advance(self, repository: str, commits: int) -> None:
        self.advances.append((repository, commits))


def a_minute_later(store: Store) -> None:
    """Whoever was killed while they read a repository is taken for dead."""
    with store.transaction(write=True) as connection:
        connection.execute("UPDATE repositories SET token_until = 0")


def index(
    store: Store,
    where: GitRepo | Path | str,
    name: str | None = None,
    *,
    branch: str | None = None,
    now: datetime = NOW,
    steps: Steps | None = None,
) -> Indexed:
    """Index a repository, a path or an address into the store; mirrors are kept beside its file, or beside the
    repository."""
    text = str(where.path if isinstance(where, GitRepo) else where)
    beside = store.path if isinstance(store.database, Path) else Path(text)
    there = replace(place(text, name), branch=branch)
    return Indexing(store.commits, beside.parent / "mirrors", now, steps or Steps()).repository(there)


def query_service(path: Path, commits: Sequence[Commit], **settings: Any) -> Queries:
    """What answers questions about some commits, which come from no git; at NOW unless `settings` say otherwise."""
    store = Store(path / "almanac.db")
    for name in ("acme/engine", "acme/web"):
        store.commits.register(Repository(name, f"https://github.com/{name}", f"https://github.com/{name}"))
        store.commits.add(name, [one for one in commits if one.repository == name])
        store.commits.mark_indexed(name, "f" * 40, NOW, shallow=False)
    return Queries.of(store, Settings(**{"fixed_now": NOW, **settings}))


def everything(store: Store) -> list[Commit]:
    """All commits that are stored, with their files."""
    return store.commits.between(datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))


@cache
def _new_repository(bare: bool) -> dict[str, bytes | None]:
    """The files of a repository as `git init` makes it, and with None its folders: to write them takes a tenth of the
    time of a process."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        subprocess.run(
            ["git", "init", "--quiet", "--initial-branch=main", "--template=", *(["--bare"] if bare else []), folder],
            env=_surroundings(), check=True,
        )  # fmt: skip
        found = sorted(path.rglob("*"))
        return {str(one.relative_to(path)): one.read_bytes() if one.is_file() else None for one in found}


def _surroundings() -> dict[str, str]:
    """The environment of the builder's own git: the test's, without what it may have set to trouble the bot's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {
        "GIT_AUTHOR_NAME": ADA[0],
        "GIT_AUTHOR_EMAIL": ADA[1],
        "GIT_COMMITTER_NAME": ADA[0],
        "GIT_COMMITTER_EMAIL": ADA[1],
        "GIT_AUTHOR_DATE": _git_date(NOON),
        "GIT_COMMITTER_DATE": _git_date(NOON),
    }
    return kept | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}


def _git_date(text: str) -> str:
    """A date such as "2025-10-03 12:00 +0200" as git takes it in whatever year: @seconds offset."""
    day, time, offset = text.split()
    seconds = datetime.fromisoformat(f"{day}T{time}{offset}").timestamp()
    return f"@{int(seconds)} {offset}"
