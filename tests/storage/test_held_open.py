"""While the file is held open, each read sees what it holds by then, and no connection is left behind."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from values import ENGINE as NAME

from bot.model import Repository
from storage import Store
from storage.sqlite import SQLiteEngine

pytestmark = pytest.mark.sqlite  # what is promised of its file
ENGINE, OTHER = Repository(NAME, "/srv/engine"), Repository("acme/other", "/srv/other")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[sqlite3.Connection]]:
    """Every connection that is opened, in order."""
    found: list[sqlite3.Connection] = []
    connect = SQLiteEngine.connect

    def noted(engine: SQLiteEngine, mode: str = "rw") -> sqlite3.Connection:
        found.append(connect(engine, mode))
        return found[-1]

    monkeypatch.setattr(SQLiteEngine, "connect", noted)
    yield found
    assert not [one for one in found if _is_open(one)]


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


def test_who_reads_next_opens_no_other(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        before = len(opened)
        for _ in range(5):
            assert store.commits.repositories() == []
    assert len(opened) == before + 1


def test_readers_at_once_have_each_their_own(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    barrier, met = threading.Barrier(4), list[object]()

    def read() -> None:
        for _ in range(20):
            with store.transaction() as connection:
                barrier.wait(60)
                met.append(connection)
                assert connection.execute("SELECT count(*) FROM commits").fetchone()[0] == 0
                barrier.wait(60)

    with store.held_open():
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(len(set(map(id, met[at : at + 4]))) == 4 for at in range(0, 80, 4))


def test_what_others_write_in_between_is_read(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        assert store.commits.repositories() == []
        Store(store.path).commits.register(ENGINE)
        assert store.commits.repositories() == [ENGINE]
        store.commits.register(OTHER)
        assert store.commits.repositories() == [ENGINE, OTHER]


def test_a_connection_that_met_an_error_is_closed(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        with pytest.raises(KeyError), store.transaction():
            raise KeyError
        assert sum(map(_is_open, opened)) == 1  # the one that holds it open
        assert store.commits.repositories() == []


@pytest.mark.parametrize("put", [shutil.move, shutil.copyfile])
def test_another_file_in_its_place_is_read(
    tmp_path: Path, opened: list[sqlite3.Connection], put: Callable[[Path, Path], object]
) -> None:
    store, other = Store(tmp_path / "almanac.db"), Store(tmp_path / "other.db")
    other.commits.register(ENGINE)
    with store.held_open():
        store.check()
        assert store.commits.repositories() == []
        put(other.path, store.path)
        assert store.commits.repositories() == [ENGINE]
