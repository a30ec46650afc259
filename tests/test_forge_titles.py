"""A commit whose first line a forge wrote is told under its author's title, and found by its number, wherever it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from storage import Store

NORA = ("Nora Quist", "nora@example.org")
MESSAGES = {
    "Add lighthouse ranges (!15)": (
        "Merge branch 'lighthouse' into 'main'\n\nAdd lighthouse ranges\n\nSee merge request sea/tides!15"
    ),
    "SEA-7 Show buoys on the map (#13)": "Merged in feature/SEA-7 (pull request #13)\n\nSEA-7 Show buoys on the map",
    "Round tide heights (!12)": "Merged PR 12: Round tide heights\n\nRelated work items: #3",
    "Draw wrecks (#101)": "Draw wrecks (#101)",
}


def _repositories(folder: Path) -> None:
    repo = GitRepo(folder / "sea" / "tides")
    for day, message in enumerate(MESSAGES.values(), 1):
        at = f"2025-10-{day:02} 10:00 +0000"
        repo.commit(message, author=NORA, at=at, files={f"{day}.py": "1\n" * 99 + f"{day}\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture(autouse=True)
def indexed(copy_home: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-10T12:00:00Z")
    copy_home(_repositories)


@pytest.mark.parametrize("command", [("month", "nora", "2025-10"), ("ask", "list nora's changes in october")])
def test_months_and_lists_call_it_by_its_title(almanac: Run, command: tuple[str, ...]) -> None:
    out = almanac(*command).out
    assert [title for title in MESSAGES if f"- {title}" not in out] == []


def test_digests_call_it_so_too(almanac: Run) -> None:
    out = almanac("digest", "2025-10").out
    assert [title for title in MESSAGES if f"- {title[:-1]}, Nora Quist)" not in out] == []


def test_documents_name_it_and_its_number(almanac: Run) -> None:
    changes = json.loads(almanac("month", "nora", "2025-10", "--format", "json").out)["changes"]
    assert [(one["subject"].removesuffix(" (#101)"), one["refs"]) for one in changes] == [
        (title.rpartition(" (")[0], [title.rpartition(" (")[2][:-1]]) for title in MESSAGES
    ]


@pytest.mark.parametrize("number", ["!15", "#15", "#13", "!12", "#12", "#101", "tides#101", "sea/tides!15"])
def test_its_number_finds_it(almanac: Run, number: str) -> None:
    ran = almanac("ask", f"what does {number} do?")
    assert ran.code == 0 and "Nora Quist's" in ran.out
