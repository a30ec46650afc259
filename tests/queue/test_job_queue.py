"""Jobs wait in the database once each, and the queue's tables are made and brought up to date with the bot's own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.database import PostgresAddress
from bot.errors import StoreUnavailable
from bot.model import Repository
from storage import Store, index_queue
from storage.store import engine_of

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from postgres import Server  # noqa: E402

from bot.queue.job_queue import COMMON, IndexJob, JobQueue, queue_of  # noqa: E402

pytestmark = pytest.mark.postgres
REPOSITORY = Repository("acme/engine", "/srv/engine")
Asked = Callable[[str], list[tuple[Any, ...]]]
WAITING = "SELECT task_name, args->>'repository', queue_name FROM procrastinate_jobs ORDER BY priority DESC, id"


@pytest.fixture
def jobs(address: PostgresAddress, store: Store) -> JobQueue:
    return JobQueue(address, store)


def test_a_repository_waits_once_however_often_it_is_asked_for(jobs: JobQueue, asked: Asked) -> None:
    jobs.request(["acme/engine", "acme/mill"], urgent=False)
    jobs.request(["acme/mill", "acme/engine", "acme/loom"], urgent=False)
    assert asked(WAITING) == [("index", name, COMMON) for name in ("acme/engine", "acme/mill", "acme/loom")]


def test_what_is_urgent_does_not_wait_behind_the_same_that_is_not(jobs: JobQueue, asked: Asked) -> None:
    jobs.request(["acme/engine", "acme/mill"], urgent=False)
    jobs.request(["acme/mill", "acme/mill"], urgent=True)
    assert [row[1] for row in asked(WAITING)] == ["acme/mill", "acme/engine", "acme/mill"]


def test_one_that_another_process_asks_for_at_the_same_time_does_not_cost_the_others(
    jobs: JobQueue, store: Store, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.request(["acme/mill"], urgent=False)
    monkeypatch.setattr(store.index_queue, "waiting", lambda locks: set())
    jobs.request(["acme/engine", "acme/mill", "acme/loom"], urgent=False)
    assert sorted(row[1] for row in asked(WAITING)) == ["acme/engine", "acme/loom", "acme/mill"]


def test_names_come_before_lines_and_what_is_urgent_before_both(jobs: JobQueue, asked: Asked) -> None:
    jobs.defer([IndexJob("count", "a"), IndexJob("index", "a"), IndexJob("count", "b", urgent=True)])
    jobs.request(["c"], urgent=True)
    assert [row[:2] for row in asked(WAITING)] == [("index", "c"), ("count", "b"), ("index", "a"), ("count", "a")]


def test_a_database_that_is_gone_is_told_of_in_one_line(store: Store, postgres: Server) -> None:
    jobs = JobQueue(postgres.address("nowhere"), store)
    with pytest.raises(StoreUnavailable, match="nowhere"):
        jobs.request(["acme/engine"], urgent=True)


@pytest.mark.parametrize("worker", ["a", "almanac-worker-7d9c5b8f6d-x2x9q", "ä" * 60, "w" * 64])
def test_a_queue_of_any_workers_name_can_be_listened_to(worker: str, jobs: JobQueue, asked: Asked) -> None:
    jobs.defer([IndexJob("index", "acme/engine", queue=queue_of(worker))])
    assert asked(WAITING) == [("index", "acme/engine", queue_of(worker))]
    assert queue_of(worker) not in (queue_of(f"{worker}2"), COMMON)


# --- the tables


def test_a_database_from_before_the_queue_gets_it_and_loses_nothing(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.new_database()
    with monkeypatch.context() as before:
        before.setattr(index_queue, "missing_steps", lambda connection: ())
        before.setattr(index_queue, "migrate_queue", lambda connection: None)
        Store(address).commits.register(REPOSITORY)
    health = engine_of(address).health(1.0)
    assert health is not None and not health.is_current
    again = Store(address)
    JobQueue(address, again).request(["acme/engine"], urgent=False)
    assert again.index_queue.state().waiting == 1
    assert [one.name for one in again.commits.repositories()] == ["acme/engine"]
    health = engine_of(address).health(1.0)
    assert health is not None and health.is_current


def test_a_newer_queue_takes_only_the_migrations_that_are_missing(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address = postgres.new_database()
    Store(address)
    folder = tmp_path / "sql"
    shutil.copytree(index_queue.sql_folder(), folder)
    (folder / "migrations" / "99.00.00_01_pre_more.sql").write_text("ALTER TABLE procrastinate_jobs ADD more integer;")
    monkeypatch.setattr(index_queue, "sql_folder", lambda: folder)
    for _ in range(2):
        Store(address)
    with psycopg.connect(address.url) as connection:
        assert connection.execute("SELECT count(more) FROM procrastinate_jobs").fetchone() == (0,)
