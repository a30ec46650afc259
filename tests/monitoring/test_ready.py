"""Whether requests may come is said soon, whatever the database does, and without saying where it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StoreUnavailable
from bot.monitoring import ready
from bot.monitoring.ready import NO_ANSWER, ReadyCheck
from storage import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "almanac.db")


def asked(store: Store, ask: Callable[[ReadyCheck], Awaitable[str]]) -> str:
    async def main() -> str:
        with closing(ReadyCheck(store)) as check:
            return await ask(check)

    return asyncio.run(main())


def fault(store: Store) -> str:
    return asked(store, ReadyCheck.fault)


def test_one_that_can_work_is_ready(store: Store) -> None:
    assert fault(store) == ""


def test_one_whose_database_is_gone_is_not(store: Store) -> None:
    store.path.unlink()
    said = fault(store)
    assert said and "\n" not in said and str(store.path.parent) not in said


def test_one_that_is_older_or_newer_than_its_tables_is_not(store: Store) -> None:
    for change in ("UPDATE {} SET name = 'm999_later' WHERE id = 1", "DELETE FROM {}"):
        with store.transaction(write=True) as connection:
            connection.execute(change.format("_sqlite_migrations"))
        said = fault(store)
        assert said and str(store.path.parent) not in said


def test_one_that_waits_for_a_writer_is_ready(store: Store) -> None:
    """It reads, as most answers do."""
    with store.transaction(write=True):
        assert fault(store) == ""


def test_one_that_is_stopped_or_not_connected_is_not(store: Store) -> None:
    async def main(check: ReadyCheck) -> str:
        connected = [True, False, True]

        async def is_connected() -> bool:
            return connected.pop(0)

        check.is_connected = is_connected
        assert await check.fault() == ""
        assert "connection to Slack" in await check.fault()
        assert await check.fault() == ""
        check.stop()
        return await check.fault()

    assert "stopped" in asked(store, main)


def test_a_database_that_hangs_is_not_waited_for_and_asked_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, ends = list[None](), threading.Event()

    def check_schema(_: Store) -> None:
        looks.append(None)
        ends.wait()

    monkeypatch.setattr(Store, "check_schema", check_schema)
    monkeypatch.setattr(ready, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "KEPT_SECONDS", 0.0)

    async def main(check: ReadyCheck) -> str:
        assert await asyncio.gather(*(check.fault() for _ in range(20))) == [NO_ANSWER] * 20
        assert len(looks) == 1
        ends.set()
        monkeypatch.setattr(ready, "WAIT_SECONDS", 20.0)
        return await check.fault()

    assert asked(store, main) == ""


def test_it_is_not_looked_at_for_each_who_asks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[None]()

    def check_schema(_: Store) -> None:
        looks.append(None)
        raise StoreUnavailable("it is at /somewhere", "my database is away")

    monkeypatch.setattr(Store, "check_schema", check_schema)
    monkeypatch.setattr(ready, "KEPT_SECONDS", 60.0)

    async def main(check: ReadyCheck) -> str:
        return " ".join({await check.fault() for _ in range(50)})

    assert (asked(store, main), len(looks)) == ("my database is away", 1)
