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


@pytest.fixture
def engine(store: Store) -> Store:
    store.commits.register(Repository(ENGINE, f"/srv/{ENGINE}"))
    store.commits.add(ENGINE, [commit("Cache the mill", body="Reviewed-by: Grace <grace@example.com>")])
    return store


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
