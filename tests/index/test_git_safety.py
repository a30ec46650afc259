"""A repository is other people's data: nothing in it is started, nothing of it is written to."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import GitRepo, everything, index
from traps import Trap, set_traps

from bot.errors import RepositoryUnavailable
from bot.index.git import GitAt, GitFailed
from bot.index.indexing import Indexed
from bot.index.lines import Lines
from storage import Store

NAME = "acme/engine"


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "traps")


@pytest.fixture
def hostile(tmp_path: Path, trap: Trap) -> GitRepo:
    """A repository that starts a program at every turn it can think of."""
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Begin", files={"a.txt": "1\n", ".gitattributes": "* diff=trap filter=trap merge=trap\n"})
    repo.commit("Change", files={"a.txt": "1\n2\n"})
    signature = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"
    repo.raw_commit(b"Sign\n", headers=signature)
    set_traps(repo, trap)
    (repo.path / "a.txt").write_text("not committed\n")
    return repo


def test_indexing_a_path_starts_none_of_its_programs(hostile: GitRepo, store: Store, trap: Trap) -> None:
    assert index(store, hostile) == Indexed(NAME, new=3, removed=0, total=3, shallow=False, branch="main")
    assert trap.sprung == []
    assert [len(commit.files) for commit in everything(store)].count(0) == 1  # the raw one


def test_indexing_its_address_starts_none_of_its_programs(hostile: GitRepo, store: Store, trap: Trap) -> None:
    assert index(store, f"file://{hostile.path}").total == 3
    hostile.raw_commit(b"More\n")
    assert index(store, f"file://{hostile.path}").new == 1
    assert trap.sprung == []


def test_what_is_missing_is_not_fetched_from_where_the_repository_says(
    hostile: GitRepo, store: Store, trap: Trap
) -> None:
    hostile.loose_object(hostile.line("rev-parse", "HEAD:a.txt")).unlink()
    assert index(store, hostile).total == 3
    with pytest.raises(RepositoryUnavailable):
        Lines(store.commits, store.path.parent).count_all(NAME)
    assert trap.sprung == []


def test_an_address_never_becomes_an_option_or_a_program(
    store: Store, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if `place` had let it through, git would not be led astray."""
    marker = trap("program")
    git = GitAt(store.path.parent, remote=True)
    for address in (f"ext::{marker}", "fd::17", f"--upload-pack={marker}", "git://127.0.0.1/a", "http://127.0.0.1/a/b"):
        with pytest.raises(GitFailed):
            git.text("ls-remote", "--", address, "HEAD")
    assert trap.sprung == []


def test_a_git_that_cannot_be_started_has_failed(hostile: GitRepo) -> None:
    """As with more arguments than the system takes."""
    with pytest.raises(GitFailed, match="could not be started"):
        GitAt(hostile.path / ".git").text("log", "--", *(f"{n}{'p' * 10_000}" for n in range(1000)))


def listing(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything below a folder: kind and mode, owner, when it was changed, and a hash of what it holds."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *folder.rglob("*")]:
        about = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        found[str(path)] = (about.st_mode, about.st_uid, about.st_mtime_ns, about.st_ctime_ns, about.st_ino, content)
    return found


@pytest.mark.parametrize("by", ["path", "address"])
def test_a_repository_is_never_written_to(tmp_path: Path, store: Store, by: str) -> None:
    """Nor anything beside it: its index is out of date, its objects are loose, its gc is overdue."""
    repo = GitRepo(tmp_path / "there" / "engine")
    repo.many(20)
    repo.checkout("main")
    repo.git("config", "gc.auto", "1")
    repo.git("config", "core.commitGraph", "true")
    repo.git("config", "gc.writeCommitGraph", "true")
    repo.git("config", "core.untrackedCache", "true")
    os.utime(repo.path / "src/1.py", (1, 1))
    before = listing(tmp_path / "there")
    where = repo.path if by == "path" else f"file://{repo.path}"
    for name in ("one", "two"):
        index(store, where, name)
        with pytest.raises(RepositoryUnavailable):
            index(store, where, name, branch="gone")
    assert listing(tmp_path / "there") == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user_is_read(tmp_path: Path, store: Store) -> None:
    repo = GitRepo(tmp_path / "engine")
    repo.many(3)
    for path in [repo.path, *repo.path.rglob("*")]:
        os.chown(path, 65_534, 65_534)
    assert index(store, repo).total == 3


def test_the_environment_points_git_nowhere_else(
    tmp_path: Path, store: Store, trap: Trap, almanac: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a hook, where git has set half of these, or with a careless profile."""
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(5)
    other = GitRepo(tmp_path / "acme" / "other")
    other.many(2)
    (tmp_path / "grafts").write_text(f"{repo.shas()[1]}\n")
    for name, value in {
        "GIT_DIR": f"{other.path}/.git",
        "GIT_WORK_TREE": str(other.path),
        "GIT_COMMON_DIR": f"{other.path}/.git",
        "GIT_OBJECT_DIRECTORY": f"{other.path}/.git/objects",
        "GIT_INDEX_FILE": f"{other.path}/.git/index",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_GRAFT_FILE": str(tmp_path / "grafts"),
        "GIT_SHALLOW_FILE": str(tmp_path / "grafts"),
        "GIT_EXTERNAL_DIFF": trap("external-diff"),
        "GIT_PAGER": trap("pager"),
        "GIT_TRACE": str(trap.sprung_in / "trace"),
        "GIT_ASKPASS": trap("askpass"),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "log.showRoot",
        "GIT_CONFIG_VALUE_0": "false",
        "GIT_CONFIG_KEY_1": "diff.external",
        "GIT_CONFIG_VALUE_1": trap("diff"),
        "GIT_CONFIG_PARAMETERS": "'log.showroot=false'",
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_LITERAL_PATHSPECS": "0",
        "GIT_NO_REPLACE_OBJECTS": "0",
        "ALMANAC_DB": str(store.path),
    }.items():
        monkeypatch.setenv(name, value)
    almanac("index", repo.path)
    assert {commit.sha for commit in everything(store)} == set(repo.shas())
    assert all(commit.files for commit in everything(store))
    assert trap.sprung == []


def test_grafts_and_replacements_do_not_change_history(tmp_path: Path, store: Store) -> None:
    """They are one person's view of a repository; a clone would not have them."""
    repo = GitRepo(tmp_path / "engine")
    repo.many(6)
    shas = repo.shas()
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/grafts").write_text(f"{shas[1]}\n")
    repo.git("replace", shas[0], shas[3])
    index(store, repo)
    assert {commit.sha for commit in everything(store)} == set(shas)
    assert len({commit.subject for commit in everything(store)}) == 6


def test_what_a_server_says_cannot_steer_a_terminal(store: Store, tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(b"\x1b[2Jfatal: \x1b]0;owned\x07 no\r\n")
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\ncat {tmp_path}/said >&2\nexit 1\n")
    ssh.chmod(0o755)
    os.environ["GIT_SSH_COMMAND"] = str(ssh)
    try:
        with pytest.raises(RepositoryUnavailable) as error:
            index(store, "git@example.com:acme/engine")
    finally:
        del os.environ["GIT_SSH_COMMAND"]
    assert str(error.value).isprintable()
