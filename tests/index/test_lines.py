"""Names first, lines later: what is stored in the end is the same, whatever happened in between."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from builders import ADA, Copy, GitRepo, everything, index
from waiting import no_thread_left

from bot.errors import RepositoryUnavailable
from bot.index import lines, mirrors
from bot.index.git import Concurrency, Stopped
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


def test_counted_later_they_are_the_same_as_at_once(names: Store, whole: list[Commit]) -> None:
    told: list[int] = []
    assert counter(names).count_all(NAME, told.append) == sum(told) == len(whole) - 2
    assert everything(names) == whole
    assert counter(names).count_all(NAME) == 0


def test_stopped_at_any_batch_the_next_run_completes_it(names: Store, whole: list[Commit]) -> None:
    runs = 0
    with no_thread_left():
        while names.commits.uncounted(NAME):
            concurrency = Concurrency()
            with suppress(Stopped):
                counter(names, concurrency).count_all(NAME, lambda _: concurrency.cancel.stop())  # noqa: B023
            runs += 1
    assert runs > 1
    assert everything(names) == whole


def test_a_month_that_is_asked_for_has_its_lines(
    names: Store, whole: list[Commit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "ANSWER_SECONDS", 600.0)
    wanted = everything(names)[:3]
    counter(names).count_these(wanted)
    assert everything(names)[:3] == whole[:3]
    assert not all(one.is_counted for one in everything(names))


def test_a_repository_that_is_gone_leaves_lines_out(names: Store, engine: GitRepo) -> None:
    before = everything(names)
    engine.path.rename(engine.path.parent / "moved")
    counter(names).count_these(before)
    assert everything(names) == before
    with pytest.raises(RepositoryUnavailable, match="does not exist"):
        counter(names).count_all(NAME)


def test_a_long_history_is_told_before_its_lines_are_counted(tmp_path: Path, store: Store) -> None:
    repo = GitRepo(tmp_path / "acme" / "long")
    repo.many(mirrors.AT_ONCE + 1, author=ADA)
    assert index(store, repo, NAME).new == mirrors.AT_ONCE + 1
    assert len(store.commits.to_count(NAME)) == mirrors.AT_ONCE + 1
    assert counter(store).count_all(NAME) == mirrors.AT_ONCE + 1
    assert all(one.is_counted for one in everything(store))
