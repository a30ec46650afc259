"""An index leaves the machine to others, as far as it may."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill", files={"mill.py": "1\n"})
    return repo


@pytest.mark.parametrize(("found", "then"), [(0, 10), (19, 19)])
def test_an_index_stands_back_behind_others_and_never_comes_forward(
    almanac: Callable[..., Any], repo: GitRepo, monkeypatch: pytest.MonkeyPatch, found: int, then: int
) -> None:
    own = list[int]()
    monkeypatch.setattr(os, "getpriority", lambda which, who: found)
    monkeypatch.setattr(os, "setpriority", lambda which, who, priority: own.append(priority) if not who else None)
    assert almanac("index", repo.path).code == 0
    assert own == [then]


def test_where_that_is_not_allowed_it_indexes_all_the_same(
    almanac: Callable[..., Any], repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(which: int, who: int, priority: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refused)
    ran = almanac("index", repo.path)
    assert ran.code == 0
    assert "acme/engine: 1 commit, 1 new" in ran.out
