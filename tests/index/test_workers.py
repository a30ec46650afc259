"""Repositories are read by workers where the database is PostgreSQL: each once, by one at a time, whatever happens to a
worker or a forge; and who serves waits for them before a digest."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo, a_minute_later
from waiting import wait_until

from bot.commands.doctor import Doctor, Finding
from bot.errors import StoreUnavailable
from bot.index import mirrors
from bot.index.git import CancelToken, GitAt, GitFailed
from bot.model import Repository
from bot.settings import PostgresAddress, Settings
from storage import Store

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from index_workers import SOON, process, settings_of, stored, working  # noqa: E402
from postgres import Server  # noqa: E402

from bot.index.jobs import JobQueue, SharedIndex, Timing  # noqa: E402
from storage.postgres import WorkerSession  # noqa: E402

pytestmark = pytest.mark.postgres
Run = Callable[..., Any]
JOBS = "SELECT task_name, args->>'repository', status::text FROM procrastinate_jobs ORDER BY priority DESC, id"
LONG = 1200  # commits, which are stored in two transactions, and their lines after the names
CALM = replace(SOON, slice=30.0)
NOON = datetime(2025, 11, 5, 12, 0, tzinfo=UTC)


class Queue:
    """A database, its queue, and who works on it."""

    def __init__(self, address: PostgresAddress, home: Path) -> None:
        self.address, self.home = address, home
        self.store = Store(address)
        self.jobs = JobQueue(self.store)

    def asked(self, query: str) -> list[tuple[Any, ...]]:
        """What the database answers."""
        with psycopg.connect(self.address.url, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def settings(self, repositories: Mapping[str, str | Path]) -> Settings:
        return settings_of(self.address, self.home, repositories)

    def working(self, what: Settings | Mapping[str, str | Path], timing: Timing = SOON) -> AbstractContextManager[Any]:
        return working(what if isinstance(what, Settings) else self.settings(what), self.store, timing)

    def stored(self, names: Sequence[str]) -> dict[str, int]:
        return stored(self.store, names)

    def wait_until_stored(self, expected: dict[str, int]) -> None:
        wait_until(lambda: self.stored(list(expected)) == expected)

    def wait_until_done(self) -> None:
        wait_until(lambda: self.asked(JOBS) == [])

    def serving(self, settings: Settings, at: datetime = NOON, seconds: float = 60.0) -> SharedIndex:
        return SharedIndex(replace(settings, fixed_now=at), self.store, CancelToken(), seconds)

    def doctor(self) -> list[Finding]:
        return list(Doctor(Settings(db=self.address)).workers())


@pytest.fixture
def queue(postgres: Server, tmp_path: Path) -> Iterator[Queue]:
    address = postgres.database()
    yield Queue(address, tmp_path / "home")
    postgres.give_back(address)


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "engine")
    repo.many(20)
    return repo


def test_a_repository_waits_once_however_often_it_is_asked_for(queue: Queue) -> None:
    queue.jobs.request(["acme/engine", "acme/mill"], urgent=False)
    queue.jobs.request(["acme/mill", "acme/engine", "acme/loom", "acme/loom"], urgent=False)
    assert [row[1] for row in queue.asked(JOBS)] == ["acme/engine", "acme/mill", "acme/loom"]


def test_what_is_asked_for_is_read_and_its_lines_are_counted_after_the_names(queue: Queue, tmp_path: Path) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(1200)  # of fewer, lines are read with the names
    with queue.working({"long": long.path}):
        queue.jobs.request(["long"], urgent=False)
        queue.wait_until_stored({"long": 1200})
        wait_until(
            lambda: queue.store.commits.uncounted("long") == 0
        )  # whoever takes the job over where a worker is slow
        queue.wait_until_done()


def test_a_repository_that_a_worker_does_not_know_is_given_up_and_costs_no_other(queue: Queue, engine: GitRepo) -> None:
    with queue.working({"engine": engine.path}):
        queue.jobs.request(["nobody/knows", "engine"], urgent=False)
        queue.wait_until_stored({"engine": 20})
        wait_until(lambda: [row[1:] for row in queue.asked(JOBS)] == [("nobody/knows", "failed")])
    assert queue.jobs.state().failed == 1


def test_a_repository_is_left_alone_while_another_process_reads_it(queue: Queue, engine: GitRepo) -> None:
    queue.store.commits.register(Repository("engine", str(engine.path), None))
    with queue.working({"engine": engine.path, "mill": engine.path}):
        with queue.store.commits.taken("engine"):
            queue.jobs.request(["engine", "mill"], urgent=False)
            queue.wait_until_stored({"mill": 20})
            assert queue.stored(["engine"]) == {}
        queue.wait_until_stored({"engine": 20})
        queue.wait_until_done()


def test_two_workers_share_many_repositories_and_store_nothing_twice(queue: Queue, engine: GitRepo) -> None:
    names = [f"engine{number}" for number in range(12)]
    settings = queue.settings(dict.fromkeys(names, engine.path))
    with queue.working(settings), queue.working(settings):
        for _ in range(3):
            queue.jobs.request(names, urgent=False)
            queue.jobs.request(names[:6], urgent=True)
        queue.wait_until_done()
    assert queue.stored(names) == dict.fromkeys(names, 20)


def test_the_job_of_a_worker_that_is_killed_is_taken_over_and_nothing_is_stored_twice(
    queue: Queue, tmp_path: Path
) -> None:
    """It has stored the first commits of a long history."""
    long = GitRepo(tmp_path / "long")
    long.many(LONG)
    settings = queue.settings({"long": long.path})
    queue.jobs.request(["long"], urgent=False)
    with process(settings, pauses=True) as killed:
        wait_until(lambda: any(queue.store.commits.count(known.name) for known in queue.store.commits.repositories()))
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    assert [row[2] for row in queue.asked(JOBS)] == ["doing"]
    assert queue.stored(["long"]) == {}
    a_minute_later(queue.store)
    with queue.working(settings, replace(CALM, stalled=1.0)):
        queue.wait_until_stored({"long": LONG})
    assert queue.store.commits.count("long") == LONG


def test_a_worker_whose_signs_of_life_come_late_goes_on_with_its_own_job(queue: Queue, tmp_path: Path) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(LONG)
    with queue.working({"long": long.path}, replace(SOON, slice=0.0, heartbeat=60.0, stalled=0.01, look=0.01)):
        queue.jobs.request(["long"], urgent=False)
        queue.wait_until_stored({"long": LONG})


def test_a_forge_that_is_down_is_left_alone_with_all_its_repositories_until_it_is_back(
    queue: Queue, engine: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_down, called = True, list[str]()
    names = [f"engine{number}" for number in range(5)]
    ask, fetch = mirrors._ask, mirrors._fetch

    def answering(git: GitAt, address: str, branch: str | None) -> Any:
        called.append(address)
        if is_down:
            raise GitFailed("The requested URL returned error: 503")
        return ask(git, f"file://{engine.path}", branch)

    monkeypatch.setattr(mirrors, "ATTEMPTS", 1)
    monkeypatch.setattr(mirrors, "_ask", answering)
    monkeypatch.setattr(mirrors, "_fetch", lambda git, _, name: fetch(git, f"file://{engine.path}", name))
    settings = queue.settings({name: f"https://forge.example/{name}" for name in names})
    queue.jobs.request(names, urgent=False)
    with queue.working(settings, replace(CALM, first_back_off=90.0, longest_back_off=90.0)):
        wait_until(lambda: queue.jobs.state().put_off == 5)
    assert len(called) == 1
    queue.asked("UPDATE procrastinate_jobs SET scheduled_at = now()")
    with queue.working(settings):
        wait_until(lambda: len(called) > 1)
        is_down = False
        queue.wait_until_done()
    assert queue.stored(names) == dict.fromkeys(names, 20)


def test_a_worker_whose_connections_are_cut_goes_on_by_itself(queue: Queue, engine: GitRepo) -> None:
    with queue.working({"engine": engine.path}):
        wait_until(lambda: queue.jobs.state().workers == 1)
        queue.asked(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

        def requested() -> bool:
            with suppress(StoreUnavailable):  # on a busy machine the pool of this process has no new connection yet
                queue.jobs.request(["engine"], urgent=False)
                return True
            return False

        wait_until(requested)
        queue.wait_until_stored({"engine": 20})
        wait_until(lambda: queue.jobs.state().workers == 1)


# --- who serves


@pytest.fixture
def settings(queue: Queue, engine: GitRepo) -> Settings:
    repositories = {"engine": engine.path, "mill": engine.path}
    return replace(queue.settings(repositories), fixed_now=NOON)


def test_what_could_not_be_read_is_asked_for_again_only_when_it_is_due_again(queue: Queue, settings: Settings) -> None:
    one = queue.serving(settings)
    one.request_due()
    queue.asked("DELETE FROM procrastinate_jobs")  # as of jobs that are done: their servers know no such repository
    one.request_due()
    assert queue.asked(JOBS) == []
    one._settings = replace(settings, fixed_now=NOON + timedelta(minutes=settings.refresh_minutes))
    one.request_due()
    assert [row[1] for row in queue.asked(JOBS)] == ["engine", "mill"]


def test_where_no_worker_runs_a_digest_says_so_and_does_not_wait(queue: Queue, settings: Settings) -> None:
    unread = queue.serving(settings, seconds=3600.0).unread()
    assert [one.repository for one in unread] == ["engine", "mill"]
    assert all("almanac worker" in one.reason for one in unread)


# --- commands


def test_a_worker_with_sqlite_is_told_what_it_needs(almanac: Run) -> None:
    ran = almanac("worker")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "PostgreSQL" in ran.err and "ALMANAC_DB" in ran.err


def test_doctor_tells_of_jobs_that_failed_and_of_those_that_wait_too_long(queue: Queue) -> None:
    queue.jobs.request(["engine"], urgent=False)
    queue.asked("UPDATE procrastinate_jobs SET status = 'failed'")
    queue.jobs.request(["mill"], urgent=False)
    queue.asked("UPDATE procrastinate_jobs SET args = args || '{\"asked\": 1}' WHERE status = 'todo'")
    session = WorkerSession(queue.address)
    late, failed = queue.doctor()
    session.close()
    assert (late.state, failed.state) == ("trouble", "trouble")
    assert " h)" in late.text and "start more" in late.text
    assert "1 job failed" in failed.text
