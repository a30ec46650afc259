"""The commands as a person types them: what is printed, where, and how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, Run, index

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
    def test_several_months_are_told_newest_first(self, almanac: Run) -> None:
        out = almanac("month", "ada", "since july").out
        assert out.index("Ada Lovelace, October 2025\n") < out.index("Ada Lovelace, August 2025\n")
        months = [one["month"] for one in json.loads(almanac("month", "ada", "since july", "--format", "json").out)]
        assert months == ["2025-10", "2025-08"]

    @pytest.mark.parametrize(
        "arguments", [["month"], ["month", "ada", "--format", "pdf"], ["month", "ada", "--zone", "Mars"], ["mouth"]]
    )
    def test_wrong_usage_ends_with_2(self, almanac: Run, arguments: list[str]) -> None:
        assert almanac(*arguments).code == 2


@pytest.mark.usefixtures("engine")
class TestAskAndDigest:
    def test_ask_prints_what_was_understood(self, almanac: Run) -> None:
        thread = json.dumps({"person": "Ada Lovelace", "from": "2025-10", "to": "2025-10", "repos": []})
        ran = almanac("ask", "and", "august?", "--parse", "--thread", thread)
        assert json.loads(ran.out) == {
            "intent": "month", "people": ["Ada Lovelace"], "from": "2025-08", "to": "2025-08",
            "repos": [], "topic": None, "kinds": [], "without": [], "release": None, "unread": [], "assumed": [],
        }  # fmt: skip

    def test_a_digest_is_of_one_month(self, almanac: Run) -> None:
        ran = almanac("digest", "since august")
        assert ran.code == 1 and "a digest is of one week, month or quarter" in ran.err

    def test_a_digest_without_a_channel_is_not_posted(self, almanac: Run) -> None:
        ran = almanac("digest", "--post")
        assert ran.code == 1 and "name a --channel, or list [[digests]] in almanac.toml" in ran.err

    def test_serve_without_tokens_says_which_to_set(self, almanac: Run) -> None:
        ran = almanac("serve")
        assert ran.code == 1 and ran.err.count("\n") == 1 and "SLACK_APP_TOKEN" in ran.err
