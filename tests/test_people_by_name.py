"""`almanac people` where people of one full name are one by default."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from storage import Store

LUCA = "Luca Wehrstedt"


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    authors = [
        (LUCA, "lcw@meta.example"), ("Wehrstedt, Luca", "lcw@fb.example"), (LUCA, "luca@mail.example"),
        (LUCA, "lcw@meta.example"),
        ("Dave Kim", "1+dkim@users.noreply.github.com"), ("Dave Kim", "2+davek@users.noreply.github.com"),
        ("Dave Kim", "dave@acme.example"), ("Joan", "jclarke@acme.example"), ("joan", "jclarke@eng.acme.example"),
    ]  # fmt: skip
    for day, author in enumerate(authors, 1):
        repo.commit(f"Add part {day}", author=author, at=f"2025-10-{day:02} 10:00 +0000")
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy_home: Copy, tmp_path: Path) -> GitRepo:
    """Luca under three addresses, two Dave Kims with an account each, and Joan under one name of one word."""
    copy_home(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.mark.usefixtures("engine")
class TestLuca:
    def test_is_two_for_good_once_that_is_said(self, almanac: Run, engine: GitRepo) -> None:
        ran = almanac("people", "unlink", LUCA, "luca@mail.example")
        assert ran.out.splitlines()[0] == "Unlinked luca@mail.example (number 1)."
        engine.commit("Add more", author=(LUCA, "luca@mail.example"))
        engine.commit("Add yet more", author=(LUCA, "lcw@new.example"))
        almanac("index", engine.path)
        told = almanac("people", "list", "luca").out
        assert "; by name or login: lcw@fb.example, lcw@new.example\n" in told
        assert "Luca Wehrstedt: 2 commits; luca@mail.example\n" in told
        month = almanac("month", "luca@mail.example", "2025-10").out
        assert "luca@mail.example" in month, "the two are told apart by their address"
        almanac("people", "undo")
        assert almanac("people", "list", "luca").out.count("\n") == 1

    def test_has_not_the_only_address_of_somebody_else_once_that_is_said(self, almanac: Run) -> None:
        ran = almanac("people", "unlink", LUCA, "dave@acme.example")
        assert ran.out.startswith("Noted: dave@acme.example is not Luca Wehrstedt <lcw@meta.example>'s (number 1).")
        assert "unlinked dave@acme.example from lcw@meta.example" in almanac("people", "log").out

    def test_is_one_with_her_login_and_it_is_said_so(self, almanac: Run, engine: GitRepo) -> None:
        """Joan Clarke has the login that Joan signs with before her @: it is no name that they share."""
        engine.commit("Add a wheel", author=("Joan Clarke", "3+jclarke@users.noreply.github.com"))
        engine.commit("Add a cog", author=("jclarke", "joan@home.example"))
        almanac("index", engine.path)
        (joan,) = json.loads(almanac("people", "list", "jclarke@users", "--format", "json").out)
        assert {one["address"]: one["by"] for one in joan["identities"]} == {
            "3+jclarke@users.noreply.github.com": "the GitHub account jclarke",
            "joan@home.example": "its login, as that of 3+jclarke@users.noreply.github.com",
        }

    def test_is_forgotten_by_addresses_only(self, almanac: Run) -> None:
        """What cannot be undone rests on no name."""
        assert "Which luca" in almanac("people", "forget", "luca", "--yes").err
        assert almanac("people", "forget", "lcw@fb.example", "--yes").out.startswith("Forgotten: 1 commit")
