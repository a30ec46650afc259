"""The commands that have to do with workers: each trouble in one line."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo

from bot.database import PostgresAddress
from storage import Store

pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from index_workers import settings_of, working

from bot.queue.checks import workers
from bot.queue.job_queue import JobQueue
from storage.index_queue import SessionLocks

pytestmark = pytest.mark.postgres
Asked = Callable[[str], list[tuple[Any, ...]]]
Run = Callable[..., Any]


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "engine")
    repo.many(20)
    return repo


@pytest.fixture
def on_server(address: PostgresAddress, engine: GitRepo, monkeypatch: pytest.MonkeyPatch, own_place: Path) -> None:
    monkeypatch.setenv("ALMANAC_DB", address.url)
    (own_place / "almanac.toml").write_text(f'[[repositories]]\naddress = "{engine.path}"\nname = "engine"\n')


def test_a_worker_with_sqlite_is_told_what_it_needs(almanac: Run) -> None:
    ran = almanac("worker")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "PostgreSQL" in ran.err and "ALMANAC_DB" in ran.err


def test_a_worker_without_repositories_says_so(
    almanac: Run, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMANAC_DB", address.url)
    ran = almanac("worker")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "[[repositories]]" in ran.err


@pytest.mark.usefixtures("on_server")
@pytest.mark.parametrize("arguments", [("--name", "one"), ()])
def test_a_name_that_is_taken_is_refused(almanac: Run, address: PostgresAddress, arguments: tuple[str, ...]) -> None:
    name = arguments[-1] if arguments else socket.gethostname()
    locks = SessionLocks(address)
    with locks.tried("worker", name):
        ran = almanac("worker", *arguments)
    locks.close()
    assert ran.code == 1
    assert f"a worker named {name} runs already" in ran.err and "--name" in ran.err


# --- doctor


def test_doctor_says_where_no_worker_runs(address: PostgresAddress, store: Store) -> None:
    JobQueue(address, store).request(["engine", "mill"], urgent=False)
    (found,) = workers(store)
    assert found.state == "trouble"
    assert "almanac worker" in found.text and "2 jobs waiting" in found.text


def test_doctor_counts_workers_and_jobs(
    address: PostgresAddress, store: Store, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        (found,) = workers(store)
        assert (found.state, found.text) == ("ok", "1 running; 0 jobs waiting")
        asked("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 year'")
        (found,) = workers(store)
        assert found.state == "ok"


def test_doctor_tells_of_jobs_that_failed_and_of_those_that_wait_too_long(
    address: PostgresAddress, store: Store, tmp_path: Path, asked: Asked
) -> None:
    jobs = JobQueue(address, store)
    jobs.request(["engine"], urgent=False)
    asked("UPDATE procrastinate_jobs SET status = 'failed'")
    jobs.request(["mill"], urgent=False)
    asked("UPDATE procrastinate_events SET at = now() - interval '3 hours'")
    locks = SessionLocks(address)
    with locks.tried("worker", "busy"):
        late, failed = workers(store)
    locks.close()
    assert (late.state, failed.state) == ("trouble", "trouble")
    assert "3 h" in late.text and "start more" in late.text
    assert "1 job failed" in failed.text


def test_doctor_says_nothing_of_workers_where_the_bot_reads_itself(tmp_path: Path) -> None:
    assert list(workers(Store(tmp_path / "almanac.db"))) == []
