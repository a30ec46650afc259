"""What diffs tell is kept by commit and by the rules it was read by, and goes with its commit."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import GRACE, GitRepo, everything, index

from storage import Store
from storage.erasure import PersonToErase

NAME = "acme/engine"


@pytest.fixture
def repo(tmp_path: Path, store: Store) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("One", files={"a.py": "1\n"})
    repo.commit("Two", author=GRACE, files={"a.py": "2\n"})
    index(store, repo)
    return repo


def test_what_is_kept_is_found_by_the_rules_it_was_read_by(store: Store, repo: GitRepo) -> None:
    two, one = repo.shas()
    store.diff_cache.put(NAME, {one: {"lines": 1}, two: {"lines": 2}, "f" * 40: {"lines": 3}}, 1)
    wanted = [(NAME, one), (NAME, two), (NAME, "f" * 40)]
    assert store.diff_cache.get(wanted, 1) == {(NAME, one): {"lines": 1}, (NAME, two): {"lines": 2}}
    assert store.diff_cache.get(wanted[:1], 1) == {(NAME, one): {"lines": 1}}
    store.diff_cache.put(NAME, {one: {"lines": 9}}, 2)
    assert store.diff_cache.get(wanted, 2) == {(NAME, one): {"lines": 9}}
    assert store.diff_cache.get(wanted, 1) == {(NAME, two): {"lines": 2}}


def test_it_goes_with_its_commit_and_with_whoever_is_forgotten(store: Store, repo: GitRepo) -> None:
    two, one = repo.shas()
    store.diff_cache.put(NAME, {one: {"lines": 1}, two: {"lines": 2}}, 1)
    store.erasure.erase(PersonToErase((GRACE[1],)), datetime(2025, 11, 5, tzinfo=UTC))
    assert [commit.sha for commit in everything(store)] == [one]
    with store.transaction() as connection:
        assert [row[0] for row in connection.execute("SELECT facts FROM diff_cache")] == ['{"lines": 1}']
    store.commits.forget(NAME, [one])
    with store.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM diff_cache").fetchone()[0] == 0
