"""While the file is held open, each read sees what it holds by then, and no connection is left behind."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from values import ENGINE

from bot.errors import StoreUnavailable
from bot.model import Repository
from storage import Store
from storage.sqlite import SQLiteEngine

pytestmark = pytest.mark.sqlite  # what is promised of its file


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


def names(store: Store) -> list[str]:
    return [one.name for one in store.commits.repositories()]


def test_who_reads_next_opens_no_other(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        before = len(opened)
        for _ in range(5):
            assert names(store) == []
    assert len(opened) == before + 1
    names(store)
    assert not [one for one in opened if _is_open(one)]


def test_readers_at_once_have_each_their_own(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    barrier, met = threading.Barrier(4), list[sqlite3.Connection]()

    def read() -> None:
        for _ in range(20):
            with store.transaction() as connection:
                barrier.wait(240)
                met.append(connection)
                assert connection.execute("SELECT count(*) FROM commits").fetchone()[0] == 0
                barrier.wait(240)

    with store.held_open():
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(len(set(map(id, met[at : at + 4]))) == 4 for at in range(0, 80, 4))
        assert sum(map(_is_open, opened)) <= 1 + 4  # the one that holds the file open, and who came back at once


def test_what_others_write_in_between_is_read(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        assert names(store) == []
        Store(store.path).commits.register(Repository(ENGINE, "/srv/engine"))
        assert names(store) == [ENGINE]
        store.commits.register(Repository("acme/other", "/srv/other"))
        assert names(store) == [ENGINE, "acme/other"]


def test_a_connection_that_met_an_error_is_closed(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        with pytest.raises(KeyError), store.transaction() as failed:
            raise KeyError
        assert not _is_open(failed)
        assert names(store) == []


def test_a_file_that_was_put_in_its_place_is_read(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store, other = Store(tmp_path / "almanac.db"), Store(tmp_path / "other.db")
    other.commits.register(Repository(ENGINE, "/srv/engine"))
    with store.held_open():
        assert names(store) == []
        shutil.move(other.database, store.path)
        assert names(store) == [ENGINE]


def test_a_copy_that_was_written_over_the_file_is_read(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store, other = Store(tmp_path / "almanac.db"), Store(tmp_path / "other.db")
    other.commits.register(Repository(ENGINE, "/srv/engine"))
    with store.held_open():
        store.sweep()
        assert names(store) == []
        shutil.copyfile(other.database, store.path)
        assert names(store) == [ENGINE]


def test_that_the_file_is_gone_is_said(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        assert names(store) == []
        store.path.unlink()
        with pytest.raises(StoreUnavailable, match="cannot be opened"):
            names(store)


def test_a_file_that_was_written_over_is_found_out_by_a_check(tmp_path: Path, opened: list[sqlite3.Connection]) -> None:
    store = Store(tmp_path / "almanac.db")
    with store.held_open():
        assert names(store) == []
        store.check()
        store.path.write_bytes(b"no database at all" * 1_000)
        with pytest.raises(StoreUnavailable, match="is damaged or no database"):
            store.check()
