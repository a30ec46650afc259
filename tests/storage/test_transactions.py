"""What is written is there as a whole or not at all; who reads in a snapshot sees one state; steps are transactions,
and whoever starts waits for them."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import wait_until

from bot.errors import StoreUnavailable
from bot.model import Repository
from bot.workspace.server import PATIENCE
from storage import Store, migrations
from storage.engine import Connection

ENGINE, WEB = Repository("acme/engine", "/srv/engine"), Repository("acme/web", "/srv/web")


def names(store: Store) -> list[str]:
    return [one.name for one in store.commits.repositories()]


def test_a_step_that_fails_leaves_the_database_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def m999_fails(connection: Connection) -> None:
        connection.script("DROP TABLE outbox;")
        raise RuntimeError("power cut")

    with monkeypatch.context() as broken:
        broken.setattr(migrations, "STEPS", {**migrations.STEPS, "m999_fails": m999_fails})
        with pytest.raises(RuntimeError, match="power cut"):
            Store(store.path)
    assert Store(store.path).outbox.counts() == {}


def test_a_database_of_a_newer_almanac_is_told_and_left_alone(store: Store) -> None:
    with store.transaction(write=True) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999_later', '')"
        )
    with pytest.raises(StoreUnavailable) as error:
        Store(store.path)
    assert "was made by a newer Almanac: upgrade this one, or name another in ALMANAC_DB" in str(error.value)


def test_inside_a_snapshot_nothing_is_seen_that_others_write(store: Store) -> None:
    with store.snapshot(), store.snapshot():
        assert names(store) == []
        Store(store.path).commits.register(ENGINE)
        assert names(store) == []
        with ThreadPoolExecutor(1) as other:  # it is the thread's own
            assert other.submit(names, store).result() == [ENGINE.name]
    assert names(store) == [ENGINE.name]


def test_inside_a_snapshot_is_seen_what_the_thread_writes_itself(store: Store) -> None:
    with store.snapshot():
        assert names(store) == []
        store.commits.register(ENGINE)
        assert names(store) == [ENGINE.name]


def test_what_is_written_together_is_written_as_a_whole_or_not_at_all(store: Store) -> None:
    """And seen inside, but by nobody else before it is done."""
    with store.transaction(write=True):
        store.commits.register(ENGINE)
        store.commits.register(WEB)
        assert names(store) == [ENGINE.name, WEB.name]
    for trouble in (ValueError, KeyboardInterrupt):
        with pytest.raises(trouble), store.transaction(write=True):
            store.commits.register(Repository("acme/lost", "/srv/lost"))
            raise trouble
    assert names(store) == [ENGINE.name, WEB.name]
    store.commits.register(Repository("acme/third", "/srv/third"))
    assert names(Store(store.database)) == [ENGINE.name, "acme/third", WEB.name]


def test_who_starts_while_tables_are_brought_up_to_date_waits_and_says_so_in_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on, opened = threading.Event(), threading.Event(), list[Store]()

    def m999_slow(connection: Connection) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(migrations, "STEPS", {**migrations.STEPS, "m999_slow": m999_slow})
    for engine in ("sqlite", "postgres"):
        monkeypatch.setattr(f"storage.{engine}.START_SECONDS", 0.05)
    first, second = (threading.Thread(target=lambda: opened.append(Store(store.path))) for _ in range(2))
    first.start()
    assert begun.wait(PATIENCE)
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
    assert len(opened) == 2


def test_who_starts_does_not_wait_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def m999_later(connection: Connection) -> None:
        raise AssertionError

    monkeypatch.setattr(migrations, "STEPS", {**migrations.STEPS, "m999_later": m999_later})
    with store.transaction(write=True), pytest.raises(StoreUnavailable, match="is locked by another process"):
        Store(store.path, busy_seconds=0.01)
