"""An address is read through our own mirror, which may be lost or damaged at any time; no token is kept."""

from __future__ import annotations

import os
import socket
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo, index

from bot.errors import RepositoryUnavailable
from bot.index import mirrors as reached
from bot.index.git import GitAt, GitFailed
from bot.index.indexing import Indexed
from bot.index.mirrors import UNUSED_SECONDS, remove_unused
from storage import Store

NAME = "acme/engine"


@pytest.fixture(autouse=True)
def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "BACK_OFF_SECONDS", 0.0)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(4)
    return repo


@pytest.fixture
def address(repo: GitRepo) -> str:
    return f"file://{repo.path}"


def mirrors(store: Store) -> list[Path]:
    return [path for path in (store.path.parent / "mirrors").iterdir() if path.suffix != ".lock"]


def the_mirror(store: Store) -> GitRepo:
    (path,) = mirrors(store)
    return GitRepo(path)


def test_a_mirror_is_its_owners_alone(address: str, store: Store) -> None:
    before = os.umask(0)
    try:
        index(store, address)
    finally:
        os.umask(before)
    folder = store.path.parent / "mirrors"
    assert [stat.S_IMODE(one.stat().st_mode) for one in (folder, the_mirror(store).path)] == [0o700, 0o700]


def test_a_default_branch_that_was_renamed_is_followed(repo: GitRepo, address: str, store: Store) -> None:
    """Even where the old name stands in the way of the new one."""
    index(store, address)
    repo.git("branch", "--move", "main", "elsewhere")
    repo.git("branch", "--move", "elsewhere", "main/new")
    repo.commit("Later")
    assert index(store, address) == Indexed(NAME, new=1, removed=0, total=5, shallow=False, branch="main/new")
    assert the_mirror(store).line("symbolic-ref", "HEAD") == "refs/heads/main/new"


def test_a_mirror_is_whole_or_not_there(
    repo: GitRepo, address: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone that fails leaves nothing, and one that fails to be made anew leaves the old mirror."""

    def fails(*_: object, **__: object) -> None:
        raise GitFailed("the line is dead")

    with monkeypatch.context() as broken:
        broken.setattr(reached, "_fetch", fails)
        with pytest.raises(RepositoryUnavailable, match=r"cannot be reached \(the line is dead\)"):
            index(store, address)
        assert mirrors(store) == []
    index(store, address)
    repo.commit("Later")
    with monkeypatch.context() as broken:
        broken.setattr(reached, "_fetch", fails)
        with pytest.raises(RepositoryUnavailable, match=r"cannot be reached \(the line is dead\)"):
            index(store, address)
    assert len(the_mirror(store).shas()) == 4
    known = store.commits.repository(NAME)
    assert known and known.failure and known.failure.startswith("cannot be reached (the line is dead)")
    assert store.commits.count(NAME) == 4


def test_ssh_is_asked_without_a_terminal_and_its_reason_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\necho "Host key verification failed." >&2\nexit 255\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    for address in ("git@example.com:acme/engine.git", "ssh://git@example.com:22/~/acme/engine.git"):
        with pytest.raises(RepositoryUnavailable, match=r"cannot be reached \(Host key verification failed\.\)"):
            index(store, address)
        asked = (tmp_path / "asked").read_text()
        assert "-oBatchMode=yes" in asked
        assert "acme/engine.git" in asked


# --- what cannot be reached


def test_an_address_that_never_answers_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "ASK_SECONDS", 0.3)
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as silent,
        pytest.raises(RepositoryUnavailable) as error,
    ):
        index(store, f"https://S3cr3t@127.0.0.1:{silent.getsockname()[1]}/acme/engine")
    assert "cannot be reached (it did not answer in time)" in str(error.value)
    assert "S3cr3t" not in str(error.value) + str(error.value.__cause__)


@pytest.mark.parametrize(
    "name", ["refs/heads/*", "refs/heads/a:refs/heads/b", "refs/heads/a b", "refs/notes/x", "--all"]
)
def test_a_server_cannot_make_us_fetch_what_is_no_branch(
    address: str, store: Store, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text = GitAt.text

    def lying(self: GitAt, *said: str, **more: float) -> str:
        answer = f"ref: {name}\tHEAD\n{'1' * 40}\tHEAD"
        return answer if said[0] == "ls-remote" else text(self, *said, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(GitAt, "text", lying)
    with pytest.raises(RepositoryUnavailable, match="it names a default branch that can be none"):
        index(store, address)


# --- what mirrors take of the disk


@pytest.fixture
def larger(repo: GitRepo) -> GitRepo:
    repo.checkout("main")
    repo.commit("Rename", rename={"src/1.py": "src/one.py"})
    return repo


def test_a_mirror_that_nobody_used_for_long_is_removed(larger: GitRepo, store: Store) -> None:
    index(store, f"file://{larger.path}")
    mirrors = store.path.parent / "mirrors"
    location = f"file://{larger.path}"
    mirror = mirrors / reached.folder_name(location)
    soon, late = time.time(), time.time() + UNUSED_SECONDS + 1
    assert remove_unused(mirrors, [location], late) == 0
    assert remove_unused(mirrors, [], soon) == 0
    with reached.alone(mirror):
        assert remove_unused(mirrors, [], late) == 0
    assert mirror.is_dir()
    assert remove_unused(mirrors, [], late) == 1
    assert not mirror.exists()
    assert index(store, location).total == 5


def test_what_may_pass_is_tried_again_and_what_may_not_is_told(
    larger: GitRepo, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, fetch, faults = reached._ask, reached._fetch, ["early EOF", "The requested URL returned error: 503"]

    def weak(do: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*said: Any) -> Any:
            if faults:
                raise GitFailed(faults.pop())
            return do(*said)

        return tried

    monkeypatch.setattr(reached, "_ask", weak(ask))
    monkeypatch.setattr(reached, "_fetch", weak(fetch))
    assert index(store, f"file://{larger.path}").total == 5
    larger.commit("Later")
    faults += ["early EOF"] * 3
    with pytest.raises(RepositoryUnavailable, match="early EOF"):
        index(store, f"file://{larger.path}")
    faults += ["repository not found"]
    with pytest.raises(RepositoryUnavailable, match="repository not found"):
        index(store, f"file://{larger.path}")
    assert (faults, store.commits.count(NAME)) == ([], 5)
    assert index(store, f"file://{larger.path}").total == 6
