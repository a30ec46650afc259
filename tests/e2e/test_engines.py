"""Whatever is asked, PostgreSQL answers byte for byte as SQLite does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import ADA, GRACE, GitRepo

from storage.migrations import STEPS

if TYPE_CHECKING:
    from postgres import Server

ZOE = ("Zoë Ångström", "zoe@example.com")
QUESTIONS = (
    "what did grace hopper do in october?",
    "what shipped in october 2025?",
    "who worked on caching in october 2025?",
    "who reviewed most in october 2025?",
    "compare september and october 2025",
    "show the fixes of ada in october",
    "was the cache reverted?",
)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """Fixes, a revert and a re-land, reviews, co-authors, a merge, a tag, and names that are not ASCII."""
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add a mill", files={"mill.py": "1\n", ".mailmap": f"Grace Hopper <{GRACE[1]}> <g@old>\n"},
                at="2025-09-04 12:00 +0000")  # fmt: skip
    cache = repo.commit("Add a cache of pages (#12)", author=GRACE, files={"src/cache.py": "1\n2\n"},
                        body="Caching pages halves the time: 200 ms before, 100 ms after.\n\n"
                        "Co-authored-by: Zoë Ångström <zoe@example.com>\nReviewed-by: ada <ADA@example.com>",
                        at="2025-10-04 12:00 +0200")  # fmt: skip
    repo.commit('Revert "Add a cache of pages (#12)"', body=f"This reverts commit {cache}.\n\nIt leaks.",
                files={"src/cache.py": None}, at="2025-10-06 23:30 -0700")  # fmt: skip
    repo.commit("Add a cache of pages (#12)", author=GRACE, body="Reland, without the leak.",
                files={"src/cache.py": "1\n2\n3\n"}, at="2025-10-09 12:00 +0000")  # fmt: skip
    repo.commit("Fix the mill's wheels", author=ZOE, body="Reviewed-by: Grace Hopper",
                files={"mill.py": "2\n", "tests/test_mill.py": "assert 1\n"}, at="2025-10-12 12:00 +0000")  # fmt: skip
    repo.commit("Write Überblick of caches", author=("Grace H", "g@old"), files={"docs/Cache.md": "x\n"},
                at="2025-10-15 12:00 +0000")  # fmt: skip
    repo.git("tag", "v1.0")
    repo.commit("Speed up caching", author=ADA, files={"src/cache.py": "1\n"}, at="2025-10-20 12:00 +0000")
    return repo


@pytest.mark.postgres
def test_postgresql_answers_as_sqlite_does(
    tmp_path: Path, repo: GitRepo, almanac: Callable[..., Any], postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    commands: list[tuple[object, ...]] = [("index", repo.path), ("people", "list"), ("explain", repo.tip)]
    commands += [("month", who, "2025-10", "--format", form) for who in ("grace", "zoë") for form in ("json", "slack")]
    commands += [("profile", "grace", "--format", "json"), ("people", "link", "Ada Lovelace", "zoe@example.com")]
    commands += [("people", "log"), ("people", "hide", "Ada Lovelace"), ("people", "show", "Ada Lovelace")]
    commands += [("digest", "2025-10", "--format", form) for form in ("text", "slack", "json")]
    commands += [("ask", question, "--format", form) for question in QUESTIONS for form in ("text", "json")]
    address = postgres.database()
    said = []
    for database in (str(tmp_path / "almanac.db"), address.url):
        monkeypatch.setenv("ALMANAC_DB", database)
        said.append([almanac(*command) for command in commands])
    for command, one, other in zip(commands, *said, strict=True):
        if command[0] != "index":  # which says how long it took
            assert (command, other) == (command, one)
    failed = [(command, one.err) for command, one in zip(commands, said[0], strict=True) if one.code]
    assert failed == []
    doctor = almanac("doctor").out
    assert f"{address}: " in doctor
    assert [*STEPS][-1] in doctor
    postgres.give_back(address)
