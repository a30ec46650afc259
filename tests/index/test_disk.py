"""Mirrors without contents, and what mirrors take of the disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import NOW, GitRepo, Steps, everything, index

from bot.errors import RepositoryUnavailable
from bot.index import mirrors as reached
from bot.index.git import GitAt, GitFailed
from bot.index.indexing import Indexed, Indexing
from bot.index.lines import Lines
from bot.index.mirrors import UNUSED_SECONDS, disk_use, remove_unused
from bot.index.places import place
from storage import Store

NAME = "acme/engine"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(4)
    repo.checkout("main")
    repo.commit("Rename", rename={"src/1.py": "src/one.py"})
    return repo


@pytest.fixture(autouse=True)
def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "BACK_OFF_SECONDS", 0.0)


def folder(store: Store) -> Path:
    return store.path.parent / "mirrors"


def the_mirror(store: Store) -> GitRepo:
    (path,) = (path for path in folder(store).iterdir() if path.suffix == ".git")
    return GitRepo(path)


def index_names(store: Store, repo: GitRepo) -> Indexed:
    where = place(f"file://{repo.path}")
    return Indexing(store.commits, folder(store), NOW, Steps(), contents=False).repository(where)


def blobs(store: Store) -> int:
    objects = the_mirror(store).line("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)")
    return objects.split().count("blob")


@pytest.mark.parametrize("filters", [True, False])
def test_a_mirror_without_contents_gives_everything_but_lines(repo: GitRepo, store: Store, filters: bool) -> None:
    repo.git("config", "uploadpack.allowFilter", str(filters).lower())
    assert index_names(store, repo) == Indexed(NAME, new=5, removed=0, total=5, shallow=False)
    assert bool(blobs(store)) is not filters
    stored = everything(store)
    assert stored[0].files and all(file.additions is None for one in stored for file in one.files)
    (renamed,) = (one for one in stored if one.subject == "Rename")
    assert [(file.path, file.old_path, file.state) for file in renamed.files] == [("src/one.py", "src/1.py", "renamed")]
    counter = Lines(store.commits, folder(store))
    assert (counter.lacking(NAME), counter.count_all(NAME)) == (0, 0)
    counter.count_these(stored)
    repo.commit("Later", files={"x": "1\n"})
    assert index_names(store, repo) == Indexed(NAME, new=1, removed=0, total=6, shallow=False)
    repo.reset("HEAD~2")
    assert index_names(store, repo) == Indexed(NAME, new=0, removed=2, total=4, shallow=False)
    assert "file://" not in the_mirror(store).line("config", "--list")


def test_contents_that_are_wanted_after_all_are_fetched_and_counted(repo: GitRepo, store: Store) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    index_names(store, repo)
    before = blobs(store)
    address = f"file://{repo.path}"
    assert index(store, address) == Indexed(NAME, new=0, removed=0, total=5, shallow=False)
    assert (before, blobs(store) > 0) == (0, True)
    Lines(store.commits, folder(store)).count_all(NAME)
    whole = Store(store.path.parent / "whole.db")
    index(whole, address)
    assert everything(store) == everything(whole)
    index_names(store, repo)
    assert blobs(store) == 0


def test_a_setting_leaves_contents_out(
    repo: GitRepo, almanac: Callable[..., Any], own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    monkeypatch.setattr(reached, "AT_ONCE", 0)
    (own_place / "almanac.toml").write_text("mirror_contents = false\n")
    for new in ("5 new", "0 new"):
        ran = almanac("index", f"file://{repo.path}")
        assert (ran.code, new in ran.out, "lines of" in ran.out) == (0, True, False)
        assert ran.out.splitlines()[-1].startswith("mirrors: 1, 0 MB in ")
    assert "Change 3" in almanac("month", "Ada Lovelace", "2025-10").out


def test_a_mirror_that_nobody_used_for_long_is_removed(repo: GitRepo, store: Store) -> None:
    index(store, f"file://{repo.path}")
    mirrors = folder(store)
    count, size = disk_use(mirrors)
    assert count == 1 and size > 0
    location = f"file://{repo.path}"
    soon, late = time.time(), time.time() + UNUSED_SECONDS + 1
    assert remove_unused(mirrors, [location], late) == 0
    assert remove_unused(mirrors, [], soon) == 0
    with reached.alone(mirrors / reached.folder_name(location)):
        assert remove_unused(mirrors, [], late) == 0
    assert disk_use(mirrors)[0] == 1
    assert remove_unused(mirrors, [], late) == 1
    assert disk_use(mirrors) == (0, 0)
    assert index(store, location).total == 5


def test_what_may_pass_is_tried_again_and_what_may_not_is_told(
    repo: GitRepo, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, fetch, faults = reached._ask, reached._fetch, ["early EOF", "The requested URL returned error: 503"]

    def weak(*said: Any, **more: Any) -> Any:
        if faults:
            raise GitFailed(faults.pop())
        return (fetch if more else ask)(*said, **more)

    monkeypatch.setattr(reached, "_ask", weak)
    monkeypatch.setattr(reached, "_fetch", weak)
    assert index(store, f"file://{repo.path}").total == 5
    repo.commit("Later")
    faults += ["early EOF"] * 3
    with pytest.raises(RepositoryUnavailable, match="early EOF"):
        index(store, f"file://{repo.path}")
    faults += ["repository not found"]
    with pytest.raises(RepositoryUnavailable, match="repository not found"):
        index(store, f"file://{repo.path}")
    assert (faults, store.commits.count(NAME)) == ([], 5)
    assert index(store, f"file://{repo.path}").total == 6


def test_what_a_killed_fetch_left_is_removed(repo: GitRepo, store: Store) -> None:
    index(store, f"file://{repo.path}")
    left = the_mirror(store).path / "objects/pack/tmp_pack_x"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"half")
    repo.commit("Later")
    index(store, f"file://{repo.path}")
    assert not left.exists()


def test_a_repository_of_sha_256_is_mirrored(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "acme" / "long"
    path.mkdir(parents=True)
    GitRepo(path).git("init", "--quiet", "--initial-branch=main", "--template=", "--object-format=sha256")
    repo = GitRepo(path)
    repo.many(5)
    assert index(store, f"file://{path}").total == 5
    assert GitAt(the_mirror(store).path).text("rev-parse", "HEAD") == repo.tip
    assert len(repo.tip) == 64
