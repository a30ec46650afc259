"""Tags are indexed with the commits: those that are new, moved or gone are followed, whatever they are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from builders import ADA, GitRepo, index

from storage import Store

TAGGED = {"GIT_COMMITTER_DATE": "2025-10-09 08:30 +0200", "GIT_COMMITTER_NAME": ADA[0], "GIT_COMMITTER_EMAIL": ADA[1]}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture(params=["path", "address"])
def where(request: pytest.FixtureRequest, repo: GitRepo) -> str:
    return {"path": str(repo.path), "address": f"file://{repo.path}"}[request.param]


def tagged(store: Store) -> dict[str, str]:
    return {one.name: one.sha for one in store.commits.tags()}


def annotate(repo: GitRepo, name: str, revision: str = "HEAD") -> None:
    repo.git("tag", "--annotate", "--message=Release", name, revision, env=TAGGED)


def test_tags_are_followed_though_no_commit_is_new(repo: GitRepo, where: str, store: Store) -> None:
    first, second = repo.commit("Add"), repo.commit("Change")
    index(store, where)
    assert tagged(store) == {}
    repo.git("tag", "v1", first)
    repo.git("tag", "v2", first)
    repo.git("tag", "a/b", first)
    index(store, where)
    assert tagged(store) == {"v1": first, "v2": first, "a/b": first}
    repo.git("tag", "--force", "v2", second)
    repo.git("tag", "--delete", "a/b")
    repo.git("tag", "a", second)
    index(store, where)
    assert tagged(store) == {"v1": first, "v2": second, "a": second}
    annotate(repo, "again", first)
    repo.git("tag", "--delete", "v1", "v2", "a")
    repo.commit("Another")
    index(store, where)
    assert tagged(store) == {"again": first}


def test_what_is_no_commit_is_passed_over(repo: GitRepo, where: str, store: Store) -> None:
    repo.commit("Add", files={"key.pub": "a key"})
    repo.git("tag", "the-key", repo.line("rev-parse", "HEAD:key.pub"))
    repo.git("tag", "the-tree", repo.tree)
    repo.git("tag", "v1")
    index(store, where)
    index(store, where)
    assert tagged(store) == {"v1": repo.tip}


def _packed(repo: GitRepo, *names: bytes) -> None:
    """Tags that git would not make, or no file could hold."""
    sha = repo.tip.encode()
    lines = b"".join(sha + b" refs/tags/" + name + b"\n" for name in sorted(names))
    (repo.path / ".git/packed-refs").write_bytes(b"# pack-refs with: peeled fully-peeled sorted \n" + lines)


HOSTILE: dict[str, Callable[[GitRepo], object]] = {
    "no UTF-8": lambda repo: _packed(repo, b"v1\xff", b"v2"),
    "longer than a file's name": lambda repo: _packed(repo, b"v1" + b"x" * 300, b"v2"),
    "huge": lambda repo: _packed(repo, b"/".join([b"v" * 200] * 15), b"v2"),
    "turns what is read around": lambda repo: _packed(repo, "v\u202e1".encode(), b"v2"),
    "separates lines": lambda repo: _packed(repo, "v1\u2028v3".encode(), "v1\x85".encode(), b"v2"),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_does_no_harm_to_others(hostile: str, repo: GitRepo, where: str, store: Store) -> None:
    repo.commit("Add")
    HOSTILE[hostile](repo)
    for _ in range(2):
        assert index(store, where).total == 1
        assert tagged(store) == {"v2": repo.tip}
