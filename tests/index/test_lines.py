"""Names first, lines later: what is stored in the end is the same, whatever happened in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Copy, GitRepo, everything, index

from bot.index import lines, mirrors
from bot.index.git import Concurrency
from bot.index.lines import Lines
from bot.model import Commit
from storage import Store

NAME = "acme/engine"


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    text = "".join(f"line {number}\n" for number in range(40))
    repo.commit("Add", files={"a.py": text, "b.py": text * 2, "image": b"\0\1\2"})
    repo.commit("Change", files={"a.py": text + "more\n"})
    repo.commit("Rename and change", rename={"a.py": "c.py"}, files={})
    repo.write("b.py", (text * 2).replace("line 7\n", "seven\n"))
    repo.commit("Rename much like it", rename={"b.py": "d.py"})
    repo.checkout("side", new=True)
    repo.commit("Beside", files={"side.py": "s\n", "image": b"\0\2\3"})
    repo.checkout("main")
    repo.commit("Remove", files={"c.py": None})
    repo.merge("side")
    repo.commit("Nothing")


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    """Additions, a change, a rename with a change, a pure rename, a binary file, a removal, a merge and nothing."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def whole(engine: GitRepo, tmp_path: Path) -> list[Commit]:
    """What one pass over the history stores."""
    store = Store(tmp_path / "whole" / "almanac.db")
    index(store, engine, NAME)
    return everything(store)


@pytest.fixture
def names(store: Store, engine: GitRepo, whole: list[Commit], monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that has the names only."""
    monkeypatch.setattr(mirrors, "AT_ONCE", 0)
    monkeypatch.setattr(lines, "BLOCK", 2)
    index(store, engine, NAME)
    return store


def counter(store: Store, concurrency: Concurrency | None = None) -> Lines:
    return Lines(store.commits, store.path.parent / "mirrors", concurrency=concurrency)


def test_a_month_that_is_asked_for_has_its_lines(
    names: Store, whole: list[Commit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "ANSWER_SECONDS", 600.0)
    wanted = everything(names)[:3]
    counter(names).count_these(wanted)
    assert everything(names)[:3] == whole[:3]
    assert not all(one.is_counted for one in everything(names))
