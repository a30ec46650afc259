"""Neither engine takes a row twice, nor one that refers to nothing; who starts waits for who changes the tables."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest
from values import ENGINE, commit
from waiting import wait_until

from bot.errors import StoreUnavailable
from bot.model import Repository
from storage import Store, migrations
from storage.engine import Connection

LONG = "n" * 30_000
TWICE = {
    "identities": "INSERT INTO identities (id, name, address) VALUES (?, ?, 'a@x.example')",
    "credited": "INSERT INTO credited (id, name, address) VALUES (?, ?, '')",
    "paths": "INSERT INTO paths (id, path) VALUES (?, ?)",
    "tags": "INSERT INTO tags (repository_id, at, name, object) SELECT repository_id, ?, ?, sha FROM commits",
}
OF_NOTHING = {
    "commits": "UPDATE commits SET author_id = 900",
    "committers": "UPDATE commits SET committer_id = 900",
    "repositories": "UPDATE commits SET repository_id = 900",
    "credits": "INSERT INTO credits VALUES (900, 1, 1, 1)",
    "mailmaps": "INSERT INTO mailmaps (repository_id, text) VALUES (900, '')",
    "files": "INSERT INTO commit_files SELECT 900, parents FROM commits",
}


@pytest.fixture
def engine(store: Store) -> Store:
    store.commits.register(Repository(ENGINE, f"/srv/{ENGINE}"))
    store.commits.add(ENGINE, [commit("Cache the mill", body="Reviewed-by: Grace <grace@example.com>")])
    return store


@pytest.mark.parametrize("table", TWICE)
def test_nothing_is_there_twice_however_long_its_name(engine: Store, table: str) -> None:
    with engine.transaction(write=True) as connection:
        connection.execute(TWICE[table], (901, LONG))
    with pytest.raises(Exception, match=r"(?i)unique|conflicting key"), engine.transaction(write=True) as connection:
        connection.execute(TWICE[table], (902, LONG))


@pytest.mark.parametrize("what", OF_NOTHING)
def test_nothing_refers_to_what_is_not_there(engine: Store, what: str) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"), engine.transaction(write=True) as connection:
        connection.execute(OF_NOTHING[what])


@pytest.mark.server
def test_whom_a_batch_credits_is_found_by_an_index(engine: Store) -> None:
    with engine.transaction() as connection:
        connection.execute("SET LOCAL enable_seqscan = off")
        plan = connection.tuples("EXPLAIN SELECT name, address, id FROM credited WHERE name IN ('a', 'b')")
    assert any("credited_by_name" in row[0] for row in plan)


def test_who_starts_while_tables_are_brought_up_to_date_waits_and_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on, steps = threading.Event(), threading.Event(), migrations.STEPS

    def m999_slow(connection: Connection) -> None:
        begun.set()
        assert go_on.wait(120)

    place = tmp_path / "almanac.db"
    Store(place)
    monkeypatch.setattr(migrations, "STEPS", {**steps, "m999_slow": m999_slow})
    monkeypatch.setattr("storage.sqlite.START_SECONDS", 0.05)
    monkeypatch.setattr("storage.postgres.START_SECONDS", 0.05)
    first = threading.Thread(target=Store, args=(place,))
    first.start()
    assert begun.wait(120)
    opened = list[Store]()
    second = threading.Thread(target=lambda: opened.append(Store(place)))
    with caplog.at_level(logging.WARNING):
        second.start()
        wait_until(lambda: bool(caplog.records))
        assert opened == []
        go_on.set()
        second.join()
        first.join()
    assert [record.getMessage().partition(" of ")[0] for record in caplog.records] == ["the tables"]
    assert "waiting until that is done" in caplog.text
    with opened[0].transaction(write=True) as connection:
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm999_slow'")  # others get the database
    assert len(opened) == 1


def test_who_starts_does_not_wait_for_ever(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def m999_later(connection: Connection) -> None:
        raise AssertionError

    monkeypatch.setattr(migrations, "STEPS", {**migrations.STEPS, "m999_later": m999_later})
    with store.transaction(write=True), pytest.raises(StoreUnavailable, match="is locked by another process"):
        Store(tmp_path / "almanac.db", busy_seconds=0.01)
