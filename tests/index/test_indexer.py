"""What is reachable from the default branch is stored, once; whatever stops a run, the next completes it."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
from builders import NOW, GitRepo, Steps, everything, index

from bot.errors import RepositoryUnavailable
from bot.index import indexing, lines, mirrors
from bot.index.git import GitAt
from bot.index.indexing import Indexed
from bot.index.lines import Lines
from bot.index.places import place
from bot.model import Commit, Repository
from storage import Store
from storage.commits import Commits

NAME = "acme/engine"
Runs = list[tuple[list[str], list[str] | None]]


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "BATCH", 3)
    monkeypatch.setattr(indexing, "LARGEST", 3)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """What each git is asked, and the commits that it is given."""
    found: Runs = []
    blocks = GitAt.blocks

    def recorded(
        self: GitAt, arguments: Sequence[str], lines: Sequence[str] | None = None, seconds: float | None = None
    ) -> Generator[bytes]:
        found.append(([*arguments], None if lines is None else [*lines]))
        return blocks(self, arguments, lines, seconds)

    monkeypatch.setattr(GitAt, "blocks", recorded)
    return found


def given(runs: Runs) -> list[list[str]]:
    return [lines for _, lines in runs if lines is not None]


def shas(store: Store) -> set[str]:
    return {commit.sha for commit in everything(store)}


def test_only_new_commits_are_read(repo: GitRepo, store: Store, runs: Runs) -> None:
    repo.many(20)
    index(store, repo)
    new = [repo.commit("Later"), repo.commit("Earlier", at="1999-01-01 00:00 +0000")]
    steps = Steps()
    assert index(store, repo, steps=steps) == Indexed(NAME, new=2, removed=0, total=22, shallow=False, branch="main")
    assert given(runs)[1:] == [new[::-1]]
    assert (steps.starts, steps.advances) == ([(NAME, 2)], [(NAME, 2)])


class Stopping(Commits):
    """A store that ends the run at its `after`th batch."""

    def __init__(self, store: Store, after: int) -> None:
        super().__init__(store.transaction)
        self._left = after

    def add(self, name: str, commits: Sequence[Commit]) -> int:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        return super().add(name, commits)


def stopped(store: Store, repo: GitRepo, after: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        indexing.Indexing(Stopping(store, after), store.path.parent, NOW).repository(place(str(repo.path)))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("many", [3000, 10], ids=["", "of a long history"])
def test_a_run_that_was_stopped_anywhere_is_completed_by_the_next(
    repo: GitRepo, store: Store, tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(mirrors, "AT_ONCE", 0)  # names only, as of a long history
    repo.many(10)
    index(store, repo)
    monkeypatch.setattr(indexing, "MANY", many)
    for after in range(4):
        other = Store(tmp_path / f"stopped-{after}.db")
        stopped(other, repo, after)
        assert len(shas(other)) == 3 * after
        assert other.commits.repository(NAME) == Repository(NAME, str(repo.path))
        assert index(other, repo) == Indexed(
            NAME, new=10 - 3 * after, removed=0, total=10, shallow=False, branch="main"
        )
        assert after == 0 or len(given(runs)[-1]) == 10 - 3 * after
        assert everything(other) == everything(store)
        assert other.commits.repository(NAME) == store.commits.repository(NAME)


# --- which branch

DEV = "commit Begin;checkout -q -b dev;commit Go on"
TRUNK = "checkout -q -b trunk;commit On trunk;branch main;clone;checkout -q main;commit On main"
STABLE = "commit Begin;checkout -q -b stable;commit On stable;checkout -q main"
DETACHED = "commit Begin;checkout -q --detach;branch -q -D main;commit On nothing"
UNBORN = "symbolic-ref HEAD refs/heads/unborn"
BRANCHES: dict[tuple[str, str | None], set[str]] = {  # what was done there, which branch is asked for, what it holds
    ("commit Begin;clone;checkout -q -b feature;commit Not landed", None): {"Begin"},
    (DEV, None): {"Begin", "Go on"},
    (f"{DEV};checkout -q --orphan empty", None): {"Begin"},
    (TRUNK, None): {"On trunk"},
    (f"{TRUNK};branch -q -D trunk", None): {"On trunk"},
    (STABLE, None): {"Begin"},
    (STABLE, "stable"): {"Begin", "On stable"},
    (f"{STABLE};clone", "stable"): {"Begin", "On stable"},
    (DETACHED, None): {"Begin", "On nothing"},
    (f"commit Begin;{UNBORN}", None): {"Begin"},
    (f"{DEV};branch -q -D main;{UNBORN}", "dev"): {"Begin", "Go on"},
}
NO_BRANCH = {  # as it is told of a path, and of an address
    (STABLE, "gone"): [r"has no branch gone: check `branch` in almanac\.toml"] * 2,
    (f"{DEV};branch -q -m main other;{UNBORN}", None): [
        "HEAD names a branch without commits: name the `branch`", "HEAD names a branch without commits; name the `br",
    ],
    ("config a.b c", None): ["has no commits yet: make one, then", "has no commits yet: push one, then"],
}  # fmt: skip


def done(repo: GitRepo, script: str) -> GitRepo:
    """The repository, or the clone of it, in which the last of the commands ran."""
    for command in script.split(";"):
        if command.startswith("commit "):
            repo.commit(command.removeprefix("commit "))
        elif command == "clone":
            repo = repo.clone(repo.path.parent / "clone")
        else:
            repo.git(*command.split())
    return repo


@pytest.mark.parametrize(("script", "branch"), BRANCHES)
def test_the_branch_is_the_one_that_is_named_or_the_default_one(
    repo: GitRepo, store: Store, script: str, branch: str | None
) -> None:
    """A clone has it of where it is from, whatever is checked out; all others by HEAD, or a usual name."""
    repo = done(repo, script)
    for number, where in enumerate([str(repo.path)] + ([] if "clone" in script else [f"file://{repo.path}"])):
        index(store, where, f"acme/{number}", branch=branch)
        found = {store.commits.by_sha(sha)[0].subject for sha in store.commits.stored(f"acme/{number}")}
        assert found == BRANCHES[script, branch]


@pytest.mark.parametrize(("script", "branch"), NO_BRANCH)
def test_where_there_is_no_branch_it_is_told(repo: GitRepo, store: Store, script: str, branch: str | None) -> None:
    repo = done(repo, script)
    for where, said in zip([str(repo.path), f"file://{repo.path}"], NO_BRANCH[script, branch], strict=True):
        with pytest.raises(RepositoryUnavailable, match=said):
            index(store, where, branch=branch)


def test_a_path_that_is_no_utf_8_is_read(repo: GitRepo, store: Store, tmp_path: Path) -> None:
    repo.many(4)
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    clone = repo.clone(odd, "--depth=2")
    assert index(store, clone, NAME) == Indexed(NAME, new=2, removed=0, total=2, shallow=True, branch="main")
    assert store.commits.repository(NAME).location == f"{tmp_path}/\\xff\\xfe"  # type: ignore[union-attr]


# --- shallow clones


def test_a_shallow_clone_gives_what_it_has_and_its_edge_has_no_files(
    repo: GitRepo, store: Store, tmp_path: Path
) -> None:
    """At the edge the whole tree would seem to be added."""
    repo.many(6)
    clone = repo.clone(tmp_path / "clone", "--depth=3")
    assert index(store, clone, NAME) == Indexed(NAME, new=3, removed=0, total=3, shallow=True, branch="main")
    assert [len(commit.files) for commit in everything(store)] == [0, 1, 1]
    assert store.commits.repository(NAME).shallow  # type: ignore[union-attr]
    assert index(store, clone, NAME) == Indexed(NAME, new=0, removed=0, total=3, shallow=True, branch="main")


@pytest.mark.parametrize("options", [["--unshallow"], ["--deepen=2"], ["--deepen=1"]])
def test_a_clone_made_deeper_is_read_again_from_its_old_edge(
    repo: GitRepo, store: Store, tmp_path: Path, options: list[str]
) -> None:
    """Though its newest commit is the same."""
    repo.many(6)
    clone = repo.clone(tmp_path / "clone", "--depth=3")
    index(store, clone, NAME)
    clone.git("fetch", "--quiet", *options)
    left = len(clone.shas())
    assert index(store, clone, NAME) == Indexed(
        NAME, new=left - 3, removed=0, total=left, shallow=left < 6, branch="main"
    )
    fresh = Store(tmp_path / "fresh.db")
    index(fresh, clone, NAME)
    assert everything(store) == everything(fresh)


def test_a_shallow_clone_takes_nothing_away(repo: GitRepo, store: Store, tmp_path: Path) -> None:
    """A machine that clones anew each time, one commit deep, must not forget the history."""
    repo.many(6)
    clone = repo.clone(tmp_path / "clone")
    index(store, clone, NAME)
    full = everything(store)
    clone.path.rename(tmp_path / "old")
    repo.commit("Newer")
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    assert index(store, clone, NAME) == Indexed(NAME, new=1, removed=0, total=7, shallow=True, branch="main")
    assert [commit for commit in everything(store) if commit.subject != "Newer"] == full
    repo.many(2, start=1_770_000_000)
    clone.git("fetch", "--quiet", "--depth=1")
    clone.reset("origin/main")
    assert index(store, clone, NAME) == Indexed(NAME, new=1, removed=0, total=8, shallow=True, branch="main")
    clone.git("fetch", "--quiet", "--unshallow")
    assert index(store, clone, NAME) == Indexed(NAME, new=1, removed=0, total=9, shallow=False, branch="main")
    fresh = Store(tmp_path / "fresh.db")
    index(fresh, repo, NAME)
    assert everything(store) == everything(fresh)


def test_a_partial_clone_is_told_and_fetches_nothing(repo: GitRepo, store: Store, tmp_path: Path) -> None:
    repo.many(3)
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    before = clone.line("count-objects", "-v")
    assert index(store, clone).total == 3
    with pytest.raises(RepositoryUnavailable, match="it is a partial clone: index its address, or a full clone"):
        Lines(store.commits, store.path.parent / "mirrors").count_all(store.commits.repositories()[0].name)
    assert clone.line("count-objects", "-v") == before


def test_lines_that_were_not_read_with_the_names_are_counted_where_a_month_wants_them(
    repo: GitRepo, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a long history; what is stored then is what one pass over it stores."""
    text = "".join(f"line {number}\n" for number in range(40))
    repo.commit("Add", files={"a.py": text, "b.py": text * 2, "image": b"\0\1\2"})
    repo.commit("Rename and change", rename={"a.py": "c.py"}, files={"b.py": text.replace("line 7\n", "seven\n")})
    repo.commit("Remove", files={"c.py": None, "image": b"\0\2\3"})
    repo.commit("Nothing")
    index(whole := Store(tmp_path / "whole.db"), repo)
    monkeypatch.setattr(mirrors, "AT_ONCE", 0)
    monkeypatch.setattr(lines, "BLOCK", 2)
    index(store, repo)
    Lines(store.commits, store.path.parent / "mirrors").count_these(everything(store)[:3])
    assert everything(store)[:3] == everything(whole)[:3]
    assert not everything(store)[3].is_counted


# --- .mailmap


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (b"Zo\xeb <zoe@x> <z@x>\r\n", "Zo\ufffd <zoe@x> <z@x>\r\n"),
        (b"Ada Lovelace <ada@x> <a@x>\n" * 40_000, "Ada Lovelace <ada@x> <a@x>\n" * ((1 << 20) // 27)),
        (None, ""),
    ],
    ids=["bytes", "large", "link"],
)
def test_the_mailmap_is_that_of_the_newest_commit(
    repo: GitRepo, store: Store, written: bytes | None, stored: str
) -> None:
    """Not that of the folder, nor what a link names; of a large one, whole lines that fit."""
    repo.commit("Add", files={"real": "Ada <ada@x>\n", "src/.mailmap": "no"})
    if written is None:
        (repo.path / ".mailmap").symlink_to("real")
        repo.git("add", ".mailmap")
        repo.commit("Add a link")
    else:
        repo.commit("Change", files={".mailmap": written})
        (repo.path / ".mailmap").write_text("not committed")
    index(store, repo)
    assert store.commits.mailmaps().get(NAME, "").strip("\n") == stored.strip("\n")


# --- damage


def unreadable(store: Store, repo: GitRepo) -> str:
    with pytest.raises(RepositoryUnavailable) as error:
        index(store, repo)
    line = str(error.value)
    assert line.startswith(f"{repo.path}: ") and "\n" not in line
    return error.value.reason


@pytest.mark.parametrize("content", ["", "garbage\n"])
def test_a_damaged_branch_is_told_and_no_other_taken_for_it(repo: GitRepo, store: Store, content: str) -> None:
    repo.commit("One")
    repo.branch("master")
    index(store, repo)
    (repo.path / ".git/refs/heads/main").write_text(content)
    assert unreadable(store, repo) == f"its branch refs/heads/main is damaged: see `git -C {repo.path} fsck`"
    assert store.commits.count(NAME) == 1
