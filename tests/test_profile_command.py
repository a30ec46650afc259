"""`almanac profile` and the question for a profile, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, index

from bot.workspace.block_kit import faults
from storage import Store


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the great mill (#1)", author=ADA, at="2023-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Fix the store", author=ADA, at="2025-09-30 17:12 -0700", files={"src/store.py": "store\n"})
    repo.commit(
        "Teach the mill to stop", author=ADA, at="2025-10-02 10:00 +0000", files={"src/mill.py": "mill\nstop\n"}
    )
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    repo.commit("Add a linker", author=ADA, at="2027-01-05 10:00 +0000", files={"src/linker.py": "l\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path) -> GitRepo:
    """Two people's work of two years, indexed."""
    copy_home(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.mark.usefixtures("engine")
class TestProfile:
    def test_a_profile_has_its_numbers_then_months_newest_first(self, almanac: Run) -> None:
        ran = almanac("profile", "Ada Lovelace")
        assert (ran.code, ran.err) == (0, "")
        heading, numbers, *_ = ran.out.splitlines()
        assert heading == "Ada Lovelace, August 2023 to October 2025"
        assert all(said in numbers for said in ("3 changes", "acme/engine", "2 active months"))
        assert ran.out.index("\n- October 2025") < ran.out.index("\n- August 2023")

    def test_what_is_dated_in_the_future_has_not_happened(self, almanac: Run) -> None:
        assert "linker" not in almanac("profile", "ada").out

    def test_another_repository_is_left_out(self, almanac: Run, tmp_path: Path) -> None:
        web = GitRepo(tmp_path / "acme" / "web")
        web.commit("Add a page", author=ADA, at="2025-07-05 10:00 +0000", files={"page.html": "p\n"})
        assert almanac("index", web.path).code == 0
        only = json.loads(almanac("profile", "ada", "--repo", "acme/web", "--format", "json").out)
        assert (only["counts"]["changes"], [one["name"] for one in only["repositories"]]) == (1, ["acme/web"])

    def test_slack_takes_the_message_with_the_months_in_it(self, almanac: Run) -> None:
        (message,) = json.loads(almanac("profile", "ada", "--format", "slack").out)
        assert faults(message) == []
        assert message["text"].index("• October 2025") < message["text"].index("• August 2023")

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ([], "almanac: whose profile? name somebody"),
            (["  "], "almanac: whose profile? name somebody"),
            (["Ada Lovelice"], "Did you mean Ada Lovelace"),
            (["ada", "--repo", "acme/none"], "acme/none: is not indexed"),
        ],
    )
    def test_what_a_person_can_mend_is_said_in_one_line(self, almanac: Run, arguments: list[str], said: str) -> None:
        ran = almanac("profile", *arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert said in ran.err

    def test_a_question_for_a_profile_is_answered_with_it(self, almanac: Run) -> None:
        told = json.loads(almanac("profile", "ada", "--format", "json").out)
        for question in ("profile of ada", "ada's profile", "ada's whole history"):
            said = json.loads(almanac("ask", question, "--format", "json").out)
            assert said.pop("reading")["query"] == "profile"
            assert (said.pop("unread"), said.pop("assumed"), said) == ([], [], told)


def test_of_many_months_the_latest_are_told_and_the_rest_counted(tmp_path: Path, almanac: Run) -> None:
    repo = GitRepo(tmp_path / "acme" / "engine")
    for number in range(60):
        at = f"{2020 + number // 12}-{number % 12 + 1:02}-04 10:00 +0000"
        subject = f"Add wheel {number} " + "of the great and many-toothed mill " * 3
        repo.commit(subject, author=ADA, at=at, files={f"src/{number}.py": "w\n"})
    assert almanac("index", repo.path).code == 0
    messages = json.loads(almanac("profile", "ada", "--format", "slack").out)
    assert [faults({key: one[key] for key in ("text", "blocks")}) for one in messages] == [[]] * len(messages)
    lines = [line for one in messages for line in one["text"].splitlines() if line.startswith("• ")]
    told = [int(line.split("wheel ")[1].split()[0]) for line in lines if "wheel " in line]
    assert told == sorted(told, reverse=True) and told[0] == 59
    assert lines[len(told) :] == [f"• {60 - len(told)} earlier active months: January 2020 to December 2023"]
