"""The database is ours or left alone; whatever is wrong with the file is reported in one line."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StoreUnavailable
from bot.model import Repository
from storage import Store
from storage.migrations import STEPS
from storage.sqlite import APPLICATION_ID, SQLiteEngine

pytestmark = pytest.mark.sqlite  # what is promised of its file
ENGINE = Repository("acme/engine", "/srv/engine")


def refused(path: Path, **more: float) -> str:
    with pytest.raises(StoreUnavailable) as error:
        Store(path, **more)  # type: ignore[arg-type]
    line = str(error.value)
    assert str(path) in line
    assert "\n" not in line
    return line


# --- making it


def test_a_new_database_is_marked_as_ours_and_has_every_migration(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folders" / "almanac.db"
    Store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        applied = connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
    assert applied == [(step,) for step in STEPS]


def test_a_new_database_is_its_owners_alone_and_so_is_its_log(tmp_path: Path) -> None:
    path, before = tmp_path / "new" / "almanac.db", os.umask(0)
    try:
        store = Store(path)
        with store.held_open():
            store.commits.register(ENGINE)
            made = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert made == {"almanac.db": 0o600, "almanac.db-wal": 0o600, "almanac.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o640)  # rights that somebody gives it stay
    Store(path).commits.register(ENGINE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_database_from_before_0_2_is_left_as_it_is_and_said_what_to_do_about(tmp_path: Path) -> None:
    path = tmp_path / "almanac.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE repositories (id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT)")
        connection.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('almanac', 'm001_history')")
        connection.commit()
    before = path.read_bytes()
    line = refused(path)
    assert "was made by an Almanac before 0.2.0" in line
    assert "move it away and run `almanac index` to make it anew" in line
    assert "links, corrections, who is hidden or forgotten" in line
    assert path.read_bytes() == before


# --- what is wrong with the file


def test_there_may_be_nothing_yet(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    assert Store(tmp_path / "empty.db", must_exist=True).commits.repositories() == []
    path = tmp_path / "none" / "almanac.db"
    assert refused(path, must_exist=True) == (
        f"nothing is indexed yet (no database at {path}): run `almanac index REPO` first"
    )
    assert not path.parent.exists()


@pytest.mark.parametrize(
    "content", [b"garbage " * 1000, b"SQLite format 3\0" + b"\xff" * 4096, b"x", b"x" * 511, b"x" * 512]
)
def test_garbage_is_told_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "almanac.db"
    path.write_bytes(content)
    assert refused(path) == (
        f"the database {path} is damaged or no database: move it away and run `almanac index` to make it anew"
    )
    assert path.read_bytes() == content


def test_a_read_only_database_can_be_read_and_is_told_to_whoever_writes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a read-only disk; works for root as well."""
    store.commits.register(ENGINE)
    connect = SQLiteEngine.connect
    monkeypatch.setattr(SQLiteEngine, "connect", lambda engine, mode="rw": connect(engine, "ro"))
    closed = Store(store.path)
    assert closed.commits.repositories() == [ENGINE]
    with pytest.raises(StoreUnavailable) as error:
        closed.commits.mark_failed("acme/engine", "never")
    assert str(error.value) == (
        f"the database {store.path} is read-only: make the file and its folder writable, or name another in ALMANAC_DB"
    )


def test_a_database_that_is_taken_away_is_not_replaced_by_an_empty_one(store: Store) -> None:
    store.path.unlink()
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        store.commits.repositories()
    assert not store.path.exists()
