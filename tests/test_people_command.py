"""`almanac people`, as a person types it, where nobody is joined by name: see test_people_by_name.py."""

from __future__ import annotations

import getpass
import io
import sys
from pathlib import Path

import pytest
from builders import Copy, GitRepo, Run, index

from bot.settings import load_settings
from storage import Store

LUCA = ("Luca Wehrstedt", "lcw@meta.example")


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    monkeypatch.setenv("ALMANAC_JOIN_PEOPLE", "addresses only")
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")


def _repositories(folder: Path) -> None:
    engine, web = GitRepo(folder / "acme" / "engine"), GitRepo(folder / "acme" / "web")
    engine.commit("Add a mill", author=LUCA, at="2025-10-01 10:00 +0000")
    engine.commit("Add a store", author=LUCA, at="2025-10-02 10:00 +0000")
    engine.commit("Fix the store", author=("Luca Wehrstedt", "lcw@fb.example"), at="2025-10-03 10:00 +0000")
    engine.commit("Add a light", author=("Dave", "dave@one.example"))
    web.commit("Add a page", author=("Luca Wehrstedt", "luca.wehrstedt@gmail.com"), at="2025-10-04 10:00 +0000")
    web.commit("Add a footer", author=("Dave", "dave@two.example"))
    store = Store(folder / "almanac.db")
    index(store, engine)
    index(store, web)


@pytest.fixture
def indexed(copy_home: Copy, tmp_path: Path) -> list[GitRepo]:
    """Luca's commits under three addresses in two repositories, and two Daves."""
    copy_home(_repositories)
    return [GitRepo(tmp_path / "acme" / "engine"), GitRepo(tmp_path / "acme" / "web")]


@pytest.mark.usefixtures("indexed")
class TestLink:
    def test_almanac_toml_holds_before_all_else(self, almanac: Run, own_place: Path) -> None:
        (own_place / "almanac.toml").write_text(
            '[[people]]\nname = "Luca"\naddresses = ["lcw@meta.example", "lcw@fb.example"]\n'
            '[[people]]\nname = "Dave One"\naddresses = ["dave@one.example"]\n'
        )
        ran = almanac("people", "link", "Luca", "dave@one.example")
        assert ran.code == 1
        assert "is Dave One's by almanac.toml" in ran.err
        ran = almanac("people", "unlink", "Luca", "lcw@fb.example")
        assert ran.code == 1
        assert "by almanac.toml" in ran.err
        assert almanac("people", "link", "Luca", "dave@two.example").code == 0


@pytest.mark.usefixtures("indexed")
class TestTakingBack:
    def test_undo_takes_back_what_was_said_last_or_under_a_number(self, almanac: Run) -> None:
        almanac("people", "link", "lcw@meta.example", "lcw@fb.example", "luca.wehrstedt@gmail.com")
        assert almanac("people", "undo").out == (
            "Undone: the link of luca.wehrstedt@gmail.com (number 2).\n"
            "Luca Wehrstedt: 3 commits; lcw@meta.example, lcw@fb.example\n"
            "Luca Wehrstedt: 1 commit; luca.wehrstedt@gmail.com\n"
        )
        assert almanac("people", "undo", "1").code == 0
        assert almanac("people", "list", "luca").out.count("\n") == 3
        for arguments in ((), ("2",), ("99",)):
            ran = almanac("people", "undo", *arguments)
            assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


class TestLogins:
    """What trailers name somebody by, where nothing else tells who that is."""

    @pytest.fixture(autouse=True)
    def reviewed(self, indexed: list[GitRepo], almanac: Run) -> None:
        engine, web = indexed
        for number in range(3):
            engine.commit(f"Review {number}", body="Reviewed By: lcw-meta, q10", author=("Ann Oak", "ann@oak.example"))
        web.commit("Review more", body="Reviewed By: q10", author=("Ann Oak", "ann@oak.example"))
        web.commit(
            "Write",
            body="Co-authored-by: octo <7+octo@users.noreply.github.com>",
            author=("Octo Cat", "7+octo@users.noreply.github.com"),
        )
        assert almanac("index", engine.path, web.path).code == 0

    def test_is_unlinked_undone_and_logged(self, almanac: Run) -> None:
        almanac("people", "link", "lcw@meta.example", "lcw-meta")
        assert almanac("people", "unlink", "lcw@meta.example", "lcw-meta").out == (
            "Unlinked the login lcw-meta (number 2).\nLuca Wehrstedt: 2 commits; lcw@meta.example\n"
        )
        assert almanac("people", "undo").out == (
            "Undone: the unlinking of the login lcw-meta (number 2).\n"
            "Luca Wehrstedt: 2 commits; lcw@meta.example; login lcw-meta\n"
        )
        assert almanac("people", "undo").out.startswith("Undone: the link of the login lcw-meta (number 1).\n")
        assert almanac("people", "log").out.splitlines()[0] == (
            "1  5 November 2025: grace linked the login lcw-meta to lcw@meta.example; "
            "undone by grace on 5 November 2025."
        )


def test_what_a_mailmap_gives_somebody_by_one_name_alone_can_be_linked_whole(
    indexed: list[GitRepo], almanac: Run
) -> None:
    for name, address in (("Joe Roe", "joe@y.example"), ("Joe Roe", "joe@y.example"), ("Joe", "joe@x.example")):
        indexed[0].commit("Add", author=(name, address))
    indexed[0].commit("Add more", author=("jr", "joe@x.example"))
    almanac("index", indexed[0].path)
    store = Store(load_settings().database)
    store.commits.put_mailmap(store.commits.repositories()[0].name, "Joe Roe <joe@y.example> Joe <joe@x.example>")
    assert "Joe Roe: 3 commits" in almanac("people", "list").out
    assert "Joe Roe: 4 commits" in almanac("people", "link", "Joe Roe", "joe@x.example").out
    assert "already" in almanac("people", "link", "Joe Roe", "joe@x.example").out


def test_who_shares_an_address_is_not_linked_by_it(indexed: list[GitRepo], almanac: Run) -> None:
    indexed[0].commit("Add", author=("Joe", "bugs@x.example"))
    indexed[0].commit("Add more", author=("Jane", "bugs@x.example"))
    almanac("index", indexed[0].path)
    store = Store(load_settings().database)
    text = "Joe Roe <joe@x.example> Joe <bugs@x.example>\nJane Doe <jane@x.example> Jane <bugs@x.example>"
    store.commits.put_mailmap(store.commits.repositories()[0].name, text)
    ran = almanac("people", "link", "joe@x.example", "bugs@x.example")
    assert ran.out == "bugs@x.example is Joe Roe's already.\n" or ran.code == 1
    ran = almanac("people", "link", "lcw@fb.example", "bugs@x.example")
    assert (ran.code, ran.err) == (
        1, "almanac: bugs@x.example is shared by Jane Doe and Joe Roe, as .mailmap tells by their names\n"
    )  # fmt: skip


@pytest.mark.usefixtures("indexed")
class TestHide:
    def test_is_marked_in_the_list_and_holds_for_every_command(self, almanac: Run) -> None:
        ran = almanac("people", "hide", "lcw@meta.example")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out == (
            "Luca Wehrstedt <lcw@meta.example> is not shown any more: their months, their profile, and their part in "
            "lists and digests.\n"
        )
        assert "Luca Wehrstedt: 2 commits; lcw@meta.example (hidden)" in almanac("people", "list").out.splitlines()
        assert almanac("people", "hide", "lcw@meta.example").out.endswith("is not shown already.\n")
        month = almanac("month", "lcw@meta.example", "2025-10")
        assert (month.code, month.out) == (1, "")
        assert month.err == "almanac: Luca Wehrstedt asked not to be shown, so I tell nothing of their work\n"
        digest = almanac("digest", "2025-10")
        assert "Changes of people who asked not to be shown are left out." in digest.out
        assert "mill" not in digest.out


class TestForget:
    def test_says_what_will_go_and_asks(self, almanac: Run, indexed: list[GitRepo]) -> None:
        ran = almanac("people", "forget", "lcw@meta.example")
        assert (ran.code, ran.out) == (1, "")
        first, others, what, *asked = ran.err.splitlines()
        assert first == "Luca Wehrstedt: 2 commits; lcw@meta.example"
        assert others.startswith("Not among it: Luca Wehrstedt <lcw@fb.example> and Luca Wehrstedt <luca.wehrstedt@")
        assert "It cannot be undone." in what
        assert asked == ["almanac: nothing was removed: where nobody can be asked, add --yes"]
        assert almanac("people", "list", "lcw@meta").code == 0
        assert len(indexed) == 2

    def test_is_done_only_once_that_is_confirmed(
        self, almanac: Run, indexed: list[GitRepo], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        terminal = io.StringIO("n\ny\n")
        terminal.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stdin", terminal)
        ran = almanac("people", "forget", "lcw@meta.example")
        assert (ran.code, ran.out, ran.err.splitlines()[-1]) == (
            1,
            "",
            "Forget Luca Wehrstedt <lcw@meta.example>? [y/N]: almanac: nothing was removed",
        )
        ran = almanac("people", "forget", "lcw@meta.example")
        assert (ran.code, ran.out) == (0, "Forgotten: 2 commits of acme/engine.\n")
        assert "Forget Luca Wehrstedt <lcw@meta.example>? [y/N]" in ran.err
        assert len(indexed) == 2

    def test_removes_them_and_keeps_them_out(self, almanac: Run, indexed: list[GitRepo]) -> None:
        almanac("people", "link", "lcw@meta.example", "lcw@fb.example", "luca.wehrstedt@gmail.com")
        ran = almanac("people", "forget", "luca", "--yes")
        assert (ran.code, ran.out) == (0, "Forgotten: 3 commits of acme/engine and 1 commit of acme/web.\n")
        assert almanac("people", "list").out.splitlines() == [
            "Dave: 1 commit; dave@one.example",
            "Dave: 1 commit; dave@two.example",
        ]
        assert almanac("people", "log").out == "Nothing was linked by hand.\n"
        assert almanac("month", "luca wehrstedt").code == 1
        indexed[0].commit("Add a wheel", author=LUCA)
        again = almanac("index", indexed[0].path)
        assert again.out.startswith("acme/engine: 1 commit, 0 new, 4 commits of people who are forgotten kept out, ")
        database = load_settings().database
        on_disk = b"".join(one.read_bytes() for one in database.parent.glob(f"{database.name}*"))
        assert b"lcw@" not in on_disk
        assert b"Wehrstedt" not in on_disk
        twice = almanac("people", "forget", "lcw@meta.example", "--yes")
        assert (twice.code, twice.out) == (0, "lcw@meta.example is forgotten already.\n")

    def test_can_be_ended_for_an_address(self, almanac: Run, indexed: list[GitRepo]) -> None:
        almanac("people", "forget", "lcw@meta.example", "--yes")
        ran = almanac("people", "remember", "lcw@meta.example")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("lcw@meta.example will be let in again: run `almanac index`")
        assert almanac("index", indexed[0].path).code == 0
        assert almanac("people", "list", "lcw@meta").out == "Luca Wehrstedt: 2 commits; lcw@meta.example\n"
        wrong = almanac("people", "remember", "lcw@meta.example")
        assert (wrong.code, wrong.err) == (
            1,
            "almanac: lcw@meta.example is not among what was forgotten: write it as it stood in git\n",
        )
