"""Whether the bot can answer, and what waits: said soon, whatever the database does, and without saying where it is."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import Copy, GitRepo, index
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot import monitoring
from bot.index.places import keep_audiences
from bot.model import Repository
from bot.monitoring import DatabaseMetrics, HealthCheck, Metrics
from bot.settings import RepositorySettings, Settings
from storage import Store
from storage.slack_state import Post

if TYPE_CHECKING:
    from postgres import Server

NOW = datetime(2025, 11, 5, 12, tzinfo=UTC)


def asked(store: Store, ask: Callable[[HealthCheck], Awaitable[str]], faults: Callable[[], str] = lambda: "") -> str:
    async def main() -> str:
        with closing(HealthCheck(Settings(db=store.path), store, faults)) as check:
            return await ask(check)

    return asyncio.run(main())


def test_one_that_is_stopped_or_not_connected_or_stands_still_is_not_ready(store: Store) -> None:
    connected, fault = [True, False, True, True], [""]

    async def main(check: HealthCheck) -> str:
        async def is_connected() -> bool:
            return connected.pop(0)

        check.is_connected = is_connected
        assert await check.unready() == ""
        assert "connection to Slack" in await check.unready()
        fault[0] = "questions are not looked after"
        assert await check.unready() == fault[0]
        fault[0] = ""
        assert await check.unready() == ""
        check.stop()
        return await check.unready()

    assert "stopped" in asked(store, main, lambda: fault[0])


# A database that is damaged while the bot has it open


def _many(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.many(300, start=1_751_328_000)
    index(Store(folder / "almanac.db"), repo.path)
    run(folder / "almanac.db", "PRAGMA wal_checkpoint(TRUNCATE)")  # all of it in the file itself


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for one in statements:
            connection.execute(one)


def overwrite(path: Path, begin: float, size: int, byte: bytes = b"\0") -> None:
    length = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(int(length * begin) // 4096 * 4096)
        file.write(byte * size)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"no database at all" * 1000),
    "its beginning overwritten": lambda path: overwrite(path, 0.0, 100),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a page of zeros": lambda path: overwrite(path, 0.5, 4096),
    "pages of noise": lambda path: overwrite(path, 0.6, 8192, b"\xa5"),
    "a table dropped": lambda path: run(path, "PRAGMA foreign_keys = OFF", "DROP TABLE commits"),
    "a table renamed": lambda path: run(path, "ALTER TABLE said RENAME TO elsewhere"),
    "of a newer program": lambda path: run(path, "UPDATE _sqlite_migrations SET name = 'm999' WHERE name LIKE 'm001%'"),
    "another program's": lambda path: run(path, "PRAGMA application_id = 7"),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_one_whose_database_is_damaged_is_not_healthy(copy: Copy, tmp_path: Path, damage: str) -> None:
    async def looked(check: HealthCheck) -> str:
        return (await check.looked()).fault

    copy(_many)
    run(tmp_path / "almanac.db", "PRAGMA wal_checkpoint(TRUNCATE)")
    store = Store(tmp_path / "almanac.db")
    with store.held_open():  # as the running bot does, with connections that have read it before
        store.commits.repositories()
        DAMAGES[damage](store.path)
        said = asked(store, looked)
    assert said and "\n" not in said and str(tmp_path) not in said


# Metrics


def settings(store: Store) -> Settings:
    secret = RepositorySettings(address="https://example.com/acme/secret", audience=["#leads"])
    return Settings(db=store.database, fixed_now=NOW, repositories=[secret])


def values(store: Store, then: Callable[[], object] = lambda: None) -> dict[str, float]:
    """Each sample that tells of the database, with what its labels say."""
    counted = Metrics()
    with closing(DatabaseMetrics(settings(store), store)) as stored:
        counted.registry.register(stored)
        text = generate_latest(counted.registry).decode()
        then()
    return {
        " ".join([one.name.removeprefix("almanac_"), *one.labels.values()]): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
        if one.name.startswith(OF_DATABASE)
    }


OF_DATABASE = tuple(
    f"almanac_{name}" for name in ("database", "pending", "outbox", "repositories", "index", "jobs", "workers")
)


def test_the_database_tells_what_waits_and_how_old_the_index_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that hangs is not waited for."""
    for name, hours in (("acme/engine", 1), ("acme/secret", 5), ("acme/mill", 2), ("acme/unread", 0)):
        store.commits.register(Repository(name, f"https://example.com/{name}"))
        if hours:
            store.commits.mark_indexed(name, f"{hours}" * 40, NOW - timedelta(hours=hours), shallow=False)
    keep_audiences(settings(store), store)  # as a bot does when it starts
    store.commits.mark_failed("acme/mill", "it is gone")
    store.outbox.plan([Post(f"digest|T1|{number}", "#shipped", {}) for number in range(3)], NOW)
    store.outbox.claim("digest|T1|0", NOW)
    store.pending_events.keep([("Ev1", {}), ("Ev2", {})], NOW, NOW)
    assert values(store) == {
        "database_up": 1,
        "pending_events": 2,
        "outbox_posts planned": 2,
        "outbox_posts sending": 1,
        "repositories": 4,
        "repositories_failed": 1,
        "index_age_max_seconds": 5 * 3600,
    }
    ends = threading.Event()
    monkeypatch.setattr(store, "snapshot", ends.wait)
    monkeypatch.setattr(monitoring, "WAIT_SECONDS", 0.01)
    assert values(store, ends.set)["database_up"] == 0


@pytest.mark.postgres
def test_a_server_tells_of_the_queue_too(postgres: Server) -> None:
    from bot.index.jobs import JobQueue

    address = postgres.database()
    one = Store(address)
    JobQueue(one).request(["acme/engine", "acme/mill"], urgent=True)
    found = values(one)
    assert found.pop("jobs_oldest_seconds") >= 0
    states = {"jobs waiting": 2, "jobs running": 0, "jobs put_off": 0, "jobs failed": 0, "workers": 0}
    assert {key: value for key, value in found.items() if key.startswith(("jobs", "workers"))} == states
    postgres.give_back(address)
