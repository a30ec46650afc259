"""A long history is made ready by a second process, and nobody can tell but by the clock."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import GitRepo, everything, index
from hypothesis import given
from hypothesis import strategies as st
from waiting import no_thread_left

from bot.errors import AlmanacError
from bot.gc_pause import gc_paused
from bot.index import indexer, parallel_parsing, reading
from bot.index.concurrency import Concurrency
from bot.index.git import CancelToken, GitAt, Stopped
from bot.index.gitlog import NAMES_OPTIONS
from bot.index.parallel_parsing import Log, parsed_in_worker
from bot.index.shas import Shas
from bot.model import Commit, FileChange, Signature
from storage import Store
from storage.commit_rows import as_bytes, commit_row, from_bytes


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers of the processes that were started. However short a history is, one helps."""
    started: list[int] = []
    begin = parallel_parsing._started

    def noted() -> object:
        process = begin()
        started.append(process.pid)
        return process

    monkeypatch.setattr(parallel_parsing, "_started", noted)
    monkeypatch.setattr(indexer, "MANY", 1)
    monkeypatch.setattr("bot.index.concurrency.CORES", 2)
    monkeypatch.setattr(Concurrency.__init__, "__defaults__", (None, 2))
    yield started
    assert not [number for number in started if _runs(number)]


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(40)
    repo.commit("Ümlaut\n\nReviewed-by: Grace <grace@example.com>", files={"ä b.py": "1"})
    return repo


def rows(store: Store) -> list[tuple[object, ...]]:
    with store.transaction() as connection:
        return [
            tuple(row)
            for table in ("commits", "identities", "paths", "commit_files", "commit_references", "credited", "credits")
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608
        ]


def test_with_help_the_rows_are_the_same(
    repo: GitRepo, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int]
) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", 0)  # names only, as of a long history
    helped = Store(tmp_path / "helped.db")
    index(helped, repo)
    assert len(helpers) == 1
    monkeypatch.setattr(indexer, "MANY", 1_000)
    index(store, repo)
    assert len(helpers) == 1
    assert len(everything(helped)) == 41
    assert rows(helped) == rows(store)


def test_what_is_odd_is_counted_there_too(repo: GitRepo, store: Store, helpers: list[int]) -> None:
    repo.fast_import(
        b"commit refs/heads/main\ncommitter A <a@x> 1759492800 +0000\ndata 3\na\xffb\nfrom refs/heads/main^0\ndone\n"
    )
    assert index(store, repo).oddities == (("text that is not UTF-8 (what cannot be read is shown as \ufffd)", 1),)
    assert helpers


def test_what_comes_behind_a_damaged_commit_is_kept_with_help(repo: GitRepo, store: Store, helpers: list[int]) -> None:
    made = [repo.commit(f"Commit {number}", files={"a": "x\n" * number}) for number in range(10)]
    repo.loose_object(repo.line("rev-parse", f"{made[2]}^{{tree}}")).unlink()
    index(store, repo)
    assert {one.sha for one in everything(store)} == {*repo.shas("main")}
    assert helpers


def _log(repo: GitRepo, cancel: CancelToken | None = None) -> Log:
    git = GitAt(repo.path / ".git", cancel=cancel)
    arguments = ["log", *NAMES_OPTIONS, "--no-walk=unsorted", "--stdin"]
    return Log(git, arguments, Shas.of(repo.shas("main")), "acme/engine", frozenset())


@pytest.mark.usefixtures("helpers")
def test_whoever_takes_no_more_leaves_no_process_and_no_thread(repo: GitRepo) -> None:
    with no_thread_left():
        commits = parsed_in_worker(_log(repo), Counter())
        next(commits)
        commits.close()


@pytest.mark.usefixtures("helpers")
def test_what_is_halted_ends_at_once_with_its_helper(repo: GitRepo) -> None:
    cancel = CancelToken()
    commits = parsed_in_worker(_log(repo, cancel), Counter())
    cancel.stop()
    with pytest.raises(Stopped):
        list(commits)


def test_a_helper_that_is_killed_is_told(repo: GitRepo, helpers: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    begin = parallel_parsing._started

    def doomed() -> object:
        process = begin()
        os.kill(process.pid, signal.SIGKILL)
        return process

    monkeypatch.setattr(parallel_parsing, "_started", doomed)
    with pytest.raises(AlmanacError, match="has ended early"):
        list(parsed_in_worker(_log(repo), Counter()))
    assert helpers


def test_only_one_repository_at_a_time_has_a_helper() -> None:
    concurrency = Concurrency(cores=2)
    with concurrency.worker_slot(True) as first, concurrency.worker_slot(True) as second:
        assert (first, second) == (True, False)
    with concurrency.worker_slot(True) as again, concurrency.worker_slot(False) as never:
        assert (again, never) == (True, False)
    with Concurrency(cores=1).worker_slot(True) as alone:
        assert not alone


def test_what_is_put_off_is_taken_up_again() -> None:
    import gc

    assert gc.isenabled()
    with gc_paused():
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


TEXT = st.text(st.characters(codec="utf-8"), max_size=80)
SHA = st.binary(min_size=20, max_size=20).map(bytes.hex)
SIGNED = st.builds(Signature, TEXT, TEXT, st.integers(0, 2**63 - 1), st.integers(-(2**31), 2**31))


@given(
    st.lists(
        st.builds(
            Commit, st.just("acme/engine"), SHA, st.lists(SHA, max_size=3).map(tuple), SIGNED, SIGNED, TEXT, TEXT,
            st.lists(st.builds(FileChange, TEXT, st.just("renamed"), st.none() | st.integers(0), st.none(), TEXT),
                     max_size=3).map(tuple),
            st.booleans(),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_any_commit_reaches_the_other_process_as_it_is(commits: list[Commit]) -> None:
    ready = [commit_row(one) for one in commits]
    assert from_bytes(as_bytes(ready)) == ready
