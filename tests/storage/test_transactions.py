"""What is written is there as a whole or not at all; who reads in a snapshot sees one state; steps are transactions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.errors import StoreUnavailable
from bot.model import Repository
from storage import Store, migrations
from storage.engine import Connection

ENGINE, WEB = Repository("acme/engine", "/srv/engine"), Repository("acme/web", "/srv/web")


def names(store: Store) -> list[str]:
    return [one.name for one in store.commits.repositories()]


def test_an_exception_undoes_what_was_written(store: Store) -> None:
    with pytest.raises(KeyboardInterrupt), store.transaction(write=True) as connection:
        connection.execute("INSERT INTO repositories (id, name, location) VALUES (1, 'a', 'b')")
        raise KeyboardInterrupt
    assert names(store) == []


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
    with pytest.raises(ValueError, match="a mistake"), store.transaction(write=True):
        store.commits.register(Repository("acme/lost", "/srv/lost"))
        raise ValueError("a mistake")
    assert names(store) == [ENGINE.name, WEB.name]
    store.commits.register(Repository("acme/third", "/srv/third"))
    assert names(Store(store.database)) == [ENGINE.name, "acme/third", WEB.name]
