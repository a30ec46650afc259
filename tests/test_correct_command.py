"""`almanac correct`, as a person types it."""

from __future__ import annotations

import getpass
import json
from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from bot.settings import load_settings
from storage import Store

ADA, GRACE = ("Ada Lovelace", "ada@example.com"), ("Grace Hopper", "grace@example.com")


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")


def _engine(folder: Path) -> None:
    engine = GitRepo(folder / "acme" / "engine")
    engine.commit("Add a mill", author=ADA, at="2025-10-01 10:00 +0000")
    engine.commit("Add a lamp (#12)", author=ADA, at="2025-10-03 10:00 +0000")
    index(Store(folder / "almanac.db"), engine)


@pytest.fixture
def repository(copy_home: Copy, tmp_path: Path) -> GitRepo:
    copy_home(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


def sha_of(almanac: Run, subject: str) -> str:
    month = json.loads(almanac("month", "Ada", "2025-10", "--format", "json").out)
    return str(next(one["id"] for one in month["changes"] if one["subject"] == subject))


@pytest.mark.usefixtures("repository")
class TestCorrect:
    def test_what_is_said_counts_at_once_and_an_undo_restores_the_month(self, almanac: Run) -> None:
        before = almanac("month", "Ada", "2025-10", "--format", "json").out
        sha = sha_of(almanac, "Add a lamp (#12)")
        ran = almanac("correct", sha[:12], "--kind", "docs", "--title", "Light for readers")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.splitlines() == [
            f"Noted: {sha[:9]} “Add a lamp” is a documentation change (number 1).",
            f"Noted: {sha[:9]} “Add a lamp” is called “Light for readers” (number 2).",
            "It is shown as docs (said by hand; feature by the rule “begins with a verb "
            "of making”), called “Light for readers”, which is not proved.",
        ]
        assert "- Docs: Light for readers (#12)" in almanac("month", "Ada", "2025-10").out
        details = json.loads(almanac("month", "Ada", "2025-10", "--format", "json").out)["details"]
        assert [sha[:9] in one and "grace" in one for one in details] == [True, True]
        assert almanac("correct", sha, "--undo").out.splitlines() == [
            f"Undone: {sha[:9]} “Add a lamp” is called “Light for readers” (number 2).",
            "It is shown as docs (said by hand; feature by the rule “begins with a verb of making”).",
        ]
        assert almanac("correct", "#12", "--undo").code == 0
        assert almanac("month", "Ada", "2025-10", "--format", "json").out == before
        ran = almanac("correct", sha, "--undo")
        assert (ran.code, ran.out) == (1, "")
        assert ran.err == f"almanac: nothing that counts was said by hand of {sha[:9]} “Add a lamp”\n"

    @pytest.mark.parametrize("told", [("month", "Ada", "2025-10"), ("digest", "2025-10"), ("profile", "Ada")])
    def test_what_is_hidden_is_told_nowhere(self, almanac: Run, told: tuple[str, ...]) -> None:
        sha = sha_of(almanac, "Add a lamp (#12)")
        assert almanac("correct", sha, "--hide").out.splitlines() == [
            f"Noted: {sha[:9]} “Add a lamp” is left out of all months (number 1).",
            f"It is left out of all months; `almanac correct {sha[:9]} --undo` undoes that.",
        ]
        for form in ("text", "json", "html", "markdown"):
            out = almanac(*told, "--format", form).out
            assert "1 change is left out at the wish of " in out
            assert "lamp" not in out
            assert sha[:9] not in out


def test_whose_a_change_is_follows_who_began_it(tmp_path: Path, almanac: Run) -> None:
    """Who lands another's work once more may not hide it for them."""
    from bot.commands.house import House

    engine = GitRepo(tmp_path / "acme" / "engine")
    work = engine.commit("Add a mill", author=ADA, at="2025-10-01 10:00 +0000")
    undoing = 'Revert "Add a mill"'
    out = engine.commit(f"{undoing}\n\nThis reverts commit {work}.", author=GRACE, at="2025-10-02 10:00 +0000")
    again = f'Revert "{undoing}"\n\nThis reverts commit {out}.'
    back = engine.commit(again, author=GRACE, at="2025-10-03 10:00 +0000")
    assert almanac("index", engine.path).code == 0
    corrector = House(load_settings()).queries.corrector()
    whose = [(ADA[1] in one.addresses, one.shas) for one in map(corrector.of, (work, out, back))]
    assert whose == [(True, (work, back))] * 3
