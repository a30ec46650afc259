"""Commits on a topic are found by their words and their paths, the newest first, and never by more work than bounds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from values import ENGINE, WEB, another_commit, commit

from bot.model import Commit, Repository
from storage import Store
from storage import search as topics

CACHE = commit("Add a cache", at="2025-10-03 12:00", paths=["src/engine.py"])
BODY = commit("Tidy", at="2025-10-04 12:00", body="No more caches", paths=["src/other.py"])
PATH = commit("Tidy again", at="2025-10-05 12:00", paths=["src/caching/keys.py", "README.md", "CHANGES"])
MERGE = commit("Merge the cache", at="2025-10-06 12:00", merge=True)
ELSEWHERE = commit("Cache pages", at="2025-10-07 12:00", repository=WEB, paths=["page.ts"])
COMMITS = [CACHE, BODY, PATH, MERGE, ELSEWHERE]


def store_of(path: Path, commits: Sequence[Commit]) -> Store:
    store = Store(path / "almanac.db")
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/{name}"))
        store.commits.add(name, [one for one in commits if one.repository == name])
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(tmp_path, COMMITS)


def subjects(found: topics.Found) -> list[str]:
    return [one.subject for one in found.commits]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/caching/keys.py", ["Sweep", "Tidy again"]),
        ("SRC/caching/", ["Sweep", "Tidy again"]),
        ("keys.py", ["Sweep", "Tidy again"]),
        ("my_keys.py", ["Other"]),  # an underscore is one
        ("ys.py", []),
        ("keys", []),  # a word
        ("caching/missing.py", []),
    ],
)
def test_of_a_path_each_commit_counts_that_touches_it(tmp_path: Path, path: str, expected: list[str]) -> None:
    sweep = commit("Sweep", at="2025-10-08 12:00", paths=["src/caching/keys.py", *(f"{n}.md" for n in range(9))])
    other = commit("Other", at="2025-10-01 12:00", paths=["my_keys.py", "my-keys.pyi"])
    found = store_of(tmp_path, [*COMMITS, sweep, other]).topics.about([], paths=[path])
    assert subjects(found) == expected


def test_a_common_word_is_looked_for_in_the_newest_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "FEW", 2)
    monkeypatch.setattr(topics, "WALKED", 6)
    commits = [another_commit(f"Add {n}", at=f"2025-10-{n + 1:02} 12:00") for n in range(10)]
    store = store_of(tmp_path, commits)
    found = store.topics.about(["add"], limit=3)
    assert (subjects(found), found.since) == (["Add 9", "Add 8", "Add 7"], datetime(2025, 10, 8, 12, tzinfo=UTC))
    found = store.topics.about(["add"])
    assert (subjects(found), found.since) == (
        ["Add 9", "Add 8", "Add 7", "Add 6", "Add 5", "Add 4"], datetime(2025, 10, 5, 12, tzinfo=UTC),
    )  # fmt: skip
    monkeypatch.setattr(topics, "WALKED", 10)
    assert store.topics.about(["add"]).since is None
