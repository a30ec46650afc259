"""The commands as a person types them: what is printed, where, and how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Fix the store", author=ADA, at="2025-09-30 17:12 -0700", files={"src/store.py": "store\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path) -> GitRepo:
    """Two people's autumn, indexed."""
    copy_home(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


def test_how_far_an_index_has_come_stands_in_a_line_that_goes_away(tmp_path: Path) -> None:
    """On a terminal; what stays there is what came of it."""
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill", files={"src/mill.py": "mill\n"})
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "bot", "index", repo.path]
    ran = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode().split("\r\x1b[K")
    os.close(ours)
    assert "acme/engine: reading 0 of 1" in shown and set(shown[-2:]) == {""}
    assert ran.stdout.startswith("acme/engine: 1 commit, 1 new, ")


@pytest.mark.usefixtures("engine")
class TestMonth:
    def test_a_month_is_printed_as_text(self, almanac: Run) -> None:
        ran = almanac("month", "Ada Lovelace", "2025-10")
        assert (ran.code, ran.err) == (0, "")
        heading, numbers, *_ = ran.out.splitlines()
        assert heading == "Ada Lovelace, October 2025"
        assert "1 change" in numbers and "acme/engine" in numbers

    def test_without_when_it_is_last_month_and_else_as_people_say_it(self, almanac: Run) -> None:
        assert almanac("month", "grace").out.startswith("Grace Hopper, October 2025\n")
        assert almanac("month", "ada", "in", "august").out.startswith("Ada Lovelace, August 2025\n")

    def test_several_months_are_told_newest_first(self, almanac: Run) -> None:
        out = almanac("month", "ada", "since july").out
        assert out.index("Ada Lovelace, October 2025\n") < out.index("Ada Lovelace, August 2025\n")
        months = [one["month"] for one in json.loads(almanac("month", "ada", "since july", "--format", "json").out)]
        assert months == ["2025-10", "2025-08"]

    def test_the_zone_draws_the_line_between_months(self, almanac: Run) -> None:
        told = json.loads(almanac("month", "ada", "2025-09", "--zone", "America/Los_Angeles", "--format", "json").out)
        assert (told["zone"], told["counts"]["commits"]) == ("America/Los_Angeles", 1)
        assert told["changes"][0]["commits"][0]["author_date"] == "2025-09-30T17:12:00-07:00"

    def test_a_month_of_nothing_says_so_and_names_the_nearest(self, almanac: Run) -> None:
        ran = almanac("month", "ada", "2025-09")
        assert ran.code == 0
        assert ran.out.startswith("Ada Lovelace, September 2025\n") and "No commits." in ran.out
        assert "August 2025 and October 2025" in ran.out

    @pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "slack"])
    def test_every_form_is_complete_and_the_same_twice(self, almanac: Run, engine: GitRepo, form: str) -> None:
        ran = almanac("month", "ada", "2025-10", "--format", form)
        assert ran.code == 0
        assert "the store" in ran.out and (form == "text" or engine.shas()[1][:9] in ran.out)
        assert form != "slack" or [faults(message) for message in json.loads(ran.out)] == [[]]
        assert almanac("month", "ada", "2025-10", "--format", form) == ran

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["Ada Lovelice"], "Did you mean Ada Lovelace"),
            (["ada", "2025-13"], "There is no month 2025-13"),
            (
                ["ada", "smarch"],
                "'smarch' is no time I know; write it as 2025-10, 2025-10-14, october",
            ),
            (["ada", "lovelace", "2025-10"], "a name of several words goes into quotes"),
            (["Zaphod"], "I know nobody called “Zaphod”"),
            (["ada", "0000-01"], "0000-01"),
            (["ada", "99999-01"], "99999-01"),
            (["ada", "2026-01"], "January 2026 has not begun yet"),
            (["ada", "--repo", "acme/nowhere"], "acme/nowhere: is not indexed; there are acme/engine"),
        ],
    )
    def test_what_cannot_be_answered_ends_with_one_line_that_helps(
        self, almanac: Run, arguments: list[str], said: str
    ) -> None:
        ran = almanac("month", *arguments)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.count("\n") == 1 and ran.err.startswith("almanac: ") and said in ran.err

    @pytest.mark.parametrize(
        "arguments", [["month"], ["month", "ada", "--format", "pdf"], ["month", "ada", "--zone", "Mars"], ["mouth"]]
    )
    def test_wrong_usage_ends_with_2(self, almanac: Run, arguments: list[str]) -> None:
        assert almanac(*arguments).code == 2


@pytest.mark.parametrize("group", [[], ["people"]])
def test_each_command_is_listed_with_a_whole_sentence(almanac: Run, group: list[str]) -> None:
    listed = almanac(*group, "--help").out.partition("Commands:\n")[2].splitlines()
    assert len(listed) > 8
    assert [line for line in listed if not line.endswith(".") or line.endswith("...")] == []


class TestNames:
    def test_a_name_that_fits_two_people_is_asked_back(self, almanac: Run, tmp_path: Path) -> None:
        repo = GitRepo(tmp_path / "repo")
        for name in ("Dave Kim", "Dave Okafor"):
            repo.commit("Work", author=(name, f"{name[5:].lower()}@example.com"), at="2025-10-01 10:00 +0000")
        almanac("index", repo.path)
        ran = almanac("month", "Dave")
        assert (ran.code, ran.out) == (1, "")
        assert "Which Dave: Dave Kim or Dave Okafor?" in ran.err and ran.err.count("\n") == 1

    def test_two_active_people_with_one_name_are_told_apart_by_address(
        self, almanac: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ALMANAC_JOIN_PEOPLE", "addresses only")
        repo = GitRepo(tmp_path / "repo")
        for host in ("one", "two"):
            repo.commit(f"Work at {host}", author=("Sam Lee", f"sam@{host}.example"), at="2025-10-01 10:00 +0000")
        Path("almanac.toml").write_text('join_people = "addresses only"\n')
        almanac("index", repo.path)
        ran = almanac("month", "Sam Lee", "2025-10")
        assert ran.code == 1 and "Sam Lee <sam@one.example> or Sam Lee <sam@two.example>" in ran.err
        assert "Work at two" in almanac("month", "sam@two.example", "2025-10").out
        Path("almanac.toml").write_text(
            '[[people]]\nname = "Sam Lee"\naddresses = ["sam@one.example", "SAM@two.example"]\n'
        )
        told = json.loads(almanac("month", "Sam Lee", "2025-10", "--format", "json").out)
        assert told["counts"]["commits"] == 2 and told["notes"] == []


@pytest.mark.usefixtures("engine")
class TestAskAndDigest:
    def test_ask_answers_as_the_bot_would(self, almanac: Run) -> None:
        assert "Add the mill" in almanac("ask", "what did I do in august?", "--as", "Ada Lovelace").out

    def test_ask_prints_what_was_understood(self, almanac: Run) -> None:
        thread = json.dumps({"person": "Ada Lovelace", "from": "2025-10", "to": "2025-10", "repos": []})
        ran = almanac("ask", "and", "august?", "--parse", "--thread", thread)
        assert json.loads(ran.out) == {
            "intent": "month", "people": ["Ada Lovelace"], "from": "2025-08", "to": "2025-08",
            "repos": [], "topic": None, "kinds": [], "without": [], "release": None, "unread": [], "assumed": [],
        }  # fmt: skip

    def test_what_ends_too_early_within_is_not_called_a_stop(
        self, almanac: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def short(*_: object, **__: object) -> None:
            raise EOFError("marshal data too short")

        monkeypatch.setattr("bot.commands.asking.understood", short)
        with pytest.raises(EOFError, match="too short"):
            almanac("ask", "what did ada do in october")

    def test_a_digest_is_of_one_month(self, almanac: Run) -> None:
        ran = almanac("digest", "since august")
        assert ran.code == 1 and "a digest is of one month" in ran.err

    def test_a_digest_without_a_channel_is_not_posted(self, almanac: Run) -> None:
        ran = almanac("digest", "--post")
        assert ran.code == 1 and "name a --channel, or list [[digests]] in almanac.toml" in ran.err

    def test_serve_without_tokens_says_which_to_set(self, almanac: Run) -> None:
        ran = almanac("serve")
        assert ran.code == 1 and ran.err.count("\n") == 1 and "SLACK_APP_TOKEN" in ran.err
