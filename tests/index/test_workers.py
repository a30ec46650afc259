"""Repositories are read by workers where the database is PostgreSQL: each once, by one at a time, whatever happens to a
worker or a forge; and who serves waits for them before a digest."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo, a_minute_later
from waiting import wait_until

from bot.commands.doctor import Doctor, Finding
from bot.database import PostgresAddress
from bot.errors import SchemaNewer, StoreUnavailable
from bot.index import mirrors
from bot.index.diffs import Diffs
from bot.index.git import CancelToken, GitAt, GitFailed
from bot.index.lines import Lines
from bot.model import Repository
from bot.settings import Settings
from storage import Store

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from index_workers import SOON, process, settings_of, stored, working  # noqa: E402
from postgres import Server  # noqa: E402
from procrastinate.manager import JobManager  # noqa: E402

from bot.index.jobs import JobQueue, SharedIndex  # noqa: E402
from storage.postgres import WorkerSession  # noqa: E402

pytestmark = pytest.mark.postgres
Asked = Callable[[str], list[tuple[Any, ...]]]
Run = Callable[..., Any]
JOBS = "SELECT task_name, args->>'repository', status::text FROM procrastinate_jobs ORDER BY priority DESC, id"
LONG = 1200  # commits, which are stored in two transactions, and their lines after the names
MANY = 3500  # commits, of which nobody asks first how many there are
CALM = replace(SOON, slice=30.0)
NOON = datetime(2025, 11, 5, 12, 0, tzinfo=UTC)


@pytest.fixture
def address(postgres: Server) -> Iterator[PostgresAddress]:
    one = postgres.database()
    yield one
    postgres.give_back(one)


@pytest.fixture(name="store")
def queue_store(address: PostgresAddress) -> Store:
    return Store(address)


@pytest.fixture
def asked(address: PostgresAddress) -> Callable[[str], list[tuple[Any, ...]]]:
    """What the database answers to a query."""
    import psycopg

    def asked(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(address.url, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    return asked


@pytest.fixture
def jobs(address: PostgresAddress, store: Store) -> JobQueue:
    return JobQueue(store)


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "engine")
    repo.many(20)
    return repo


def nothing_left(asked: Asked) -> Callable[[], bool]:
    return lambda: asked(JOBS) == []


def test_a_repository_waits_once_however_often_it_is_asked_for(jobs: JobQueue, asked: Asked) -> None:
    jobs.request(["acme/engine", "acme/mill"], urgent=False)
    jobs.request(["acme/mill", "acme/engine", "acme/loom", "acme/loom"], urgent=False)
    assert [row[1] for row in asked(JOBS)] == ["acme/engine", "acme/mill", "acme/loom"]


def test_what_is_urgent_does_not_wait_behind_the_same_that_is_not(jobs: JobQueue, asked: Asked) -> None:
    jobs.request(["acme/engine", "acme/mill"], urgent=False)
    jobs.request(["acme/mill", "acme/mill"], urgent=True)
    assert [row[1] for row in asked(JOBS)] == ["acme/mill", "acme/engine", "acme/mill"]


def test_a_database_that_is_gone_is_told_of_in_one_line(postgres: Server) -> None:
    gone = postgres.new_database()
    jobs = JobQueue(Store(gone))
    name = str(gone).rpartition("/")[2]
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")
    with pytest.raises(StoreUnavailable, match=name):
        jobs.request(["acme/engine"], urgent=True)


def test_what_is_asked_for_is_read_and_its_lines_are_counted_after_the_names(
    address: PostgresAddress, store: Store, jobs: JobQueue, tmp_path: Path, asked: Asked
) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(1200)  # of fewer, lines are read with the names
    with working(settings_of(address, tmp_path / "home", {"long": long.path}), store):
        jobs.request(["long"], urgent=False)
        wait_until(lambda: stored(store, ["long"]) == {"long": 1200})
        wait_until(lambda: store.commits.uncounted("long") == 0)  # whoever takes the job over where a worker is slow
        wait_until(nothing_left(asked))


def test_a_repository_that_a_worker_does_not_know_is_given_up_and_costs_no_other(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        jobs.request(["nobody/knows", "engine"], urgent=False)
        wait_until(lambda: stored(store, ["engine"]) == {"engine": 20})
        wait_until(lambda: [row[1:] for row in asked(JOBS)] == [("nobody/knows", "failed")])
    assert jobs.state().failed == 1


def test_a_repository_is_left_alone_while_another_process_reads_it(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    store.commits.register(Repository("engine", str(engine.path), None))
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path, "mill": engine.path}), store):
        with store.commits.taken("engine"):
            jobs.request(["engine", "mill"], urgent=False)
            wait_until(lambda: stored(store, ["mill"]) == {"mill": 20})
            assert stored(store, ["engine"]) == {}
        wait_until(lambda: stored(store, ["engine"]) == {"engine": 20})
        wait_until(nothing_left(asked))


def test_two_workers_share_many_repositories_and_store_nothing_twice(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    names = [f"engine{number}" for number in range(12)]
    settings = settings_of(address, tmp_path / "home", dict.fromkeys(names, engine.path))
    with working(settings, store), working(settings, store):
        for _ in range(3):
            jobs.request(names, urgent=False)
            jobs.request(names[:6], urgent=True)
        wait_until(nothing_left(asked))
    assert stored(store, names) == dict.fromkeys(names, 20)


def test_a_long_history_gives_way_to_others_and_goes_on_where_it_was(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(MANY)
    waiting = [f"engine{number}" for number in range(4)]
    settings = settings_of(address, tmp_path / "home", {"long": long.path, **dict.fromkeys(waiting, engine.path)})
    jobs.request(["long", *waiting], urgent=False)
    with working(settings, store, replace(SOON, slice=0.0)):
        wait_until(lambda: stored(store, waiting) == dict.fromkeys(waiting, 20))
        assert stored(store, ["long"]) == {}  # it was begun first, and is not done yet
        wait_until(nothing_left(asked))
    assert stored(store, ["long"]) == {"long": MANY}
    assert store.commits.uncounted("long") == 0


def test_what_an_older_bot_put_into_its_queues_is_done(
    address: PostgresAddress, store: Store, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    """Until 0.2.0 lines were jobs of their own, and workers had queues of their own."""
    asked(
        """INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
           SELECT queue, task, 0, task || ' engine', task || ' engine', '{"repository": "engine"}'
           FROM (VALUES ('index one', 'index'), ('index', 'count')) AS old (queue, task)"""
    )
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        wait_until(nothing_left(asked))
    assert stored(store, ["engine"]) == {"engine": 20}


@pytest.fixture
def half_read(address: PostgresAddress, store: Store, jobs: JobQueue, tmp_path: Path) -> Iterator[Any]:
    """A worker in a process of its own, which has stored the first commits of a long history, and no others until it
    is told to end."""
    long = GitRepo(tmp_path / "long")
    long.many(LONG)
    settings = settings_of(address, tmp_path / "home", {"long": long.path})
    jobs.request(["long"], urgent=False)
    with process(settings, pauses=True) as one:
        wait_until(lambda: any(store.commits.count(known.name) for known in store.commits.repositories()))
        yield one, settings
    assert store.commits.count("long") == LONG


def test_the_job_of_a_worker_that_is_killed_is_taken_over_and_nothing_is_stored_twice(
    half_read: Any, store: Store, asked: Asked
) -> None:
    killed, settings = half_read
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert [row[2] for row in asked(JOBS)] == ["doing"]
    assert stored(store, ["long"]) == {}
    a_minute_later(store)
    with working(settings, store, CALM):
        wait_until(lambda: stored(store, ["long"]) == {"long": LONG})


def test_a_worker_that_is_ended_keeps_what_it_did_and_queues_the_rest(
    half_read: Any, store: Store, asked: Asked
) -> None:
    ended, settings = half_read
    ended.send_signal(signal.SIGTERM)
    assert ended.wait(240) == 0
    assert asked(JOBS) == [("index", "long", "todo")]
    assert 0 < store.commits.count("long") < LONG
    with working(settings, store, CALM):
        wait_until(lambda: stored(store, ["long"]) == {"long": LONG})


def test_a_job_that_was_left_while_the_same_is_queued_is_done_once(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    jobs.request(["engine"], urgent=False)
    asked("UPDATE procrastinate_jobs SET status = 'doing'")  # by a worker that nobody knows any more
    jobs.request(["engine"], urgent=False)
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        wait_until(nothing_left(asked))
    assert stored(store, ["engine"]) == {"engine": 20}


def test_a_forge_that_is_down_is_left_alone_with_all_its_repositories_until_it_is_back(
    address: PostgresAddress,
    store: Store,
    jobs: JobQueue,
    engine: GitRepo,
    tmp_path: Path,
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
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
    settings = settings_of(address, tmp_path / "home", {name: f"https://forge.example/{name}" for name in names})
    jobs.request(names, urgent=False)
    with working(settings, store, replace(CALM, first_back_off=90.0, longest_back_off=90.0)):
        wait_until(lambda: jobs.state().put_off == 5)
    assert len(called) == 1
    asked("UPDATE procrastinate_jobs SET scheduled_at = now()")
    with working(settings, store):
        wait_until(lambda: len(called) > 1)
        is_down = False
        wait_until(nothing_left(asked))
    assert stored(store, names) == dict.fromkeys(names, 20)


def test_a_worker_whose_connections_are_cut_goes_on_by_itself(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        wait_until(lambda: JobQueue(store).state().workers == 1)
        asked(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

        def requested() -> bool:
            with suppress(StoreUnavailable):  # on a busy machine the pool of this process has no new connection yet
                jobs.request(["engine"], urgent=False)
                return True
            return False

        wait_until(requested)
        wait_until(lambda: stored(store, ["engine"]) == {"engine": 20})
        wait_until(lambda: JobQueue(store).state().workers == 1)


def test_a_worker_ends_though_the_first_word_of_it_is_lost(
    address: PostgresAddress, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 loses a cancellation that comes in the same moment as what was waited for."""
    registered, lost = JobManager.register_worker, threading.Event()

    async def losing(manager: JobManager) -> int:
        waits.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            lost.set()
        return await registered(manager)

    waits = threading.Event()
    monkeypatch.setattr(JobManager, "register_worker", losing)
    with working(settings_of(address, tmp_path / "home", {}), store):
        assert waits.wait(240)
    assert lost.is_set()


def test_a_worker_ends_when_a_newer_almanac_has_changed_the_tables(
    address: PostgresAddress, store: Store, tmp_path: Path, asked: Asked
) -> None:
    later = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999_later', '')"
    try:
        with (
            pytest.raises(SchemaNewer, match="was made by a newer Almanac: upgrade this one"),
            working(settings_of(address, tmp_path / "home", {}), store),
        ):
            wait_until(lambda: JobQueue(store).state().workers == 1)
            asked(later)
            wait_until(lambda: JobQueue(store).state().workers == 0)
    finally:
        asked("DELETE FROM _sqlite_migrations WHERE name = 'm999_later'")


# --- who serves


@pytest.fixture
def settings(address: PostgresAddress, engine: GitRepo, tmp_path: Path) -> Settings:
    repositories = {"engine": engine.path, "mill": engine.path}
    return replace(settings_of(address, tmp_path / "home", repositories), fixed_now=NOON)


def waiting(asked: Asked) -> list[str]:
    return [name for _, name, status in asked(JOBS) if status == "todo"]


def serving(settings: Settings, store: Store, at: datetime = NOON, seconds: float = 60.0) -> SharedIndex:
    assert isinstance(settings.database, PostgresAddress)
    return SharedIndex(replace(settings, fixed_now=at), store, CancelToken(), seconds)


def test_what_is_due_is_asked_for_once_by_all_who_serve(settings: Settings, store: Store, asked: Asked) -> None:
    one, two = serving(settings, store), serving(settings, store)
    for _ in range(2):
        one.request_due()
        two.request_due()
    assert waiting(asked) == ["engine", "mill"]


def test_a_digest_waits_until_workers_have_read_what_is_not_fresh(
    settings: Settings, store: Store, engine: GitRepo
) -> None:
    with working(settings, store):
        assert serving(settings, store).unread() == []
        assert stored(store, ["engine", "mill"]) == {"engine": 20, "mill": 20}
        engine.commit("One more")
        assert serving(settings, store, NOON + timedelta(hours=1)).unread() == []
    assert stored(store, ["engine", "mill"]) == {"engine": 21, "mill": 21}


def test_a_digest_says_what_no_worker_could_read(settings: Settings, store: Store, engine: GitRepo) -> None:
    with working(settings, store):
        assert serving(settings, store).unread() == []
        engine.path.rename(engine.path.with_name("moved"))
        unread = serving(settings, store, NOON + timedelta(hours=1)).unread()
    assert [(one.repository, "does not exist" in one.reason) for one in unread] == [("engine", True), ("mill", True)]


def test_where_no_worker_runs_a_digest_says_so_and_does_not_wait(settings: Settings, store: Store) -> None:
    unread = serving(settings, store, seconds=3600.0).unread()
    assert [one.repository for one in unread] == ["engine", "mill"]
    assert all("almanac worker" in one.reason for one in unread)


def test_a_host_without_mirrors_leaves_out_lines_and_diffs_and_says_nothing(
    store: Store, engine: GitRepo, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere = settings_of(settings.database, tmp_path / "there", {"engine": f"file://{engine.path}"})
    GitRepo(engine.path).many(1100)
    with working(elsewhere, store):
        assert serving(elsewhere, store).unread() == []
    asked_for = store.commits.by_sha("")[:50]
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        Lines(store.commits, tmp_path / "here").count_these(asked_for)
        found = Diffs(store.commits, store.diff_cache, tmp_path / "here").facts(asked_for)
    assert found == {}
    assert caplog.messages == []


# --- commands


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


def said_of_workers(address: PostgresAddress) -> list[Finding]:
    return list(Doctor(Settings(db=address)).workers())


def test_doctor_says_where_no_worker_runs(address: PostgresAddress, store: Store) -> None:
    JobQueue(store).request(["engine", "mill"], urgent=False)
    (found,) = said_of_workers(address)
    assert found.state == "trouble"
    assert "almanac worker" in found.text and "2 jobs waiting" in found.text


def test_doctor_counts_workers_and_jobs(
    address: PostgresAddress, store: Store, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        (found,) = said_of_workers(address)
        assert (found.state, found.text) == ("ok", "1 running; 0 jobs waiting")
        asked("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 year'")
        (found,) = said_of_workers(address)
        assert found.state == "ok"


def test_doctor_tells_of_jobs_that_failed_and_of_those_that_wait_too_long(
    address: PostgresAddress, store: Store, tmp_path: Path, asked: Asked
) -> None:
    jobs = JobQueue(store)
    jobs.request(["engine"], urgent=False)
    asked("UPDATE procrastinate_jobs SET status = 'failed'")
    jobs.request(["mill"], urgent=False)
    asked("UPDATE procrastinate_jobs SET args = args || '{\"asked\": 1}' WHERE status = 'todo'")
    session = WorkerSession(address)
    late, failed = said_of_workers(address)
    session.close()
    assert (late.state, failed.state) == ("trouble", "trouble")
    assert " h)" in late.text and "start more" in late.text
    assert "1 job failed" in failed.text


# --- the tables
