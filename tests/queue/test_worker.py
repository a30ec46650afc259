"""Workers share the repositories: each is read once, by one at a time, whatever happens to a worker or a forge."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo, a_minute_later
from waiting import wait_until

from bot.database import PostgresAddress
from bot.errors import AlmanacError, SchemaNewer, StoreUnavailable
from bot.index import mirror
from bot.index.git import GitAt, GitFailed
from bot.model import Repository
from storage import Store

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from index_workers import SOON, process, settings_of, stored, working  # noqa: E402

from bot.queue.job_queue import IndexJob, JobQueue, queue_of  # noqa: E402
from bot.queue.job_reader import JobReader  # noqa: E402

pytestmark = pytest.mark.postgres
Asked = Callable[[str], list[tuple[Any, ...]]]
JOBS = "SELECT task_name, args->>'repository', status::text, queue_name FROM procrastinate_jobs ORDER BY id"
LONG = 1200  # commits, which are stored in two transactions
MANY = 3500  # commits, of which nobody asks first how many there are
CALM = replace(SOON, slice=30.0, urgent_slice=30.0)


@pytest.fixture
def jobs(address: PostgresAddress, store: Store) -> JobQueue:
    return JobQueue(address, store)


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "engine")
    repo.many(20)
    return repo


def nothing_left(asked: Asked) -> Callable[[], bool]:
    return lambda: asked(JOBS) == []


def test_what_is_asked_for_is_read_and_its_lines_are_counted_after_the_names(
    address: PostgresAddress, store: Store, jobs: JobQueue, tmp_path: Path, asked: Asked
) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(1200)  # of fewer, lines are read with the names
    with working(settings_of(address, tmp_path / "home", {"long": long.path}), store):
        jobs.request(["long"], urgent=False)
        wait_until(lambda: stored(store, ["long"]) == {"long": 1200})
        wait_until(nothing_left(asked))
    assert store.commits.uncounted("long") == 0


def test_a_repository_goes_to_the_worker_that_has_its_mirror_which_is_made_anew_when_it_is_lost(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    here = settings_of(address, tmp_path / "here", {"engine": f"file://{engine.path}"})
    there = settings_of(address, tmp_path / "there", {"engine": f"file://{engine.path}"})
    with working(there, store, "there"), working(here, store, "here"):
        jobs.request(["engine"], urgent=True)
        wait_until(lambda: stored(store, ["engine"]) == {"engine": 20})
        wait_until(nothing_left(asked))
        first = store.commits.repository("engine")
        assert first is not None
        other = {"here": "there", "there": "here"}[first.worker]
        for _ in range(3):
            engine.commit("One more")
            jobs.request(["engine"], urgent=True)
            wait_until(nothing_left(asked))
        shutil.rmtree(tmp_path / first.worker)
        engine.commit("The last")
        jobs.request(["engine"], urgent=True)
        wait_until(nothing_left(asked))
    assert store.commits.count("engine") == 24
    assert list((tmp_path / first.worker / "mirrors").glob("*.git"))
    assert not (tmp_path / other).exists()


def test_a_repository_that_a_worker_does_not_know_is_given_up_and_costs_no_other(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        jobs.request(["nobody/knows", "engine"], urgent=False)
        wait_until(lambda: stored(store, ["engine"]) == {"engine": 20})
        wait_until(lambda: [row[1:3] for row in asked(JOBS)] == [("nobody/knows", "failed")])
    assert store.index_queue.state().failed == 1


def test_a_second_worker_of_the_same_name_is_refused_while_the_first_runs(
    address: PostgresAddress, store: Store, tmp_path: Path
) -> None:
    settings = settings_of(address, tmp_path / "home", {})
    with working(settings, store):
        with pytest.raises(AlmanacError, match="runs already"), working(settings, store):
            pass
        with working(settings, store, "two"):
            assert store.index_queue.state().workers == 2
    assert store.index_queue.state().workers == 0
    with working(settings, store):
        assert store.index_queue.state().workers == 1


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
    with working(settings, store, "one"), working(settings, store, "two"):
        for _ in range(3):
            jobs.request(names, urgent=False)
            jobs.request(names[:6], urgent=True)
        wait_until(nothing_left(asked))
    assert stored(store, names) == dict.fromkeys(names, 20)
    assert {one.worker for one in store.commits.repositories()} == {"one", "two"}


def test_a_long_history_gives_way_to_others_and_goes_on_where_it_was(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    long = GitRepo(tmp_path / "long")
    long.many(MANY)
    waiting = [f"engine{number}" for number in range(4)]
    settings = settings_of(address, tmp_path / "home", {"long": long.path, **dict.fromkeys(waiting, engine.path)})
    eager = replace(SOON, own=9.0, slice=0.0, urgent_slice=0.0)
    jobs.request(["long", *waiting], urgent=False)
    with working(settings, store, timing=eager):
        wait_until(lambda: stored(store, waiting) == dict.fromkeys(waiting, 20))
        assert stored(store, ["long"]) == {}  # it was begun first, and is not done yet
        wait_until(lambda: stored(store, ["long"]) == {"long": MANY})
        wait_until(nothing_left(asked))
    assert store.commits.uncounted("long") == 0


@pytest.fixture
def half_read(address: PostgresAddress, store: Store, jobs: JobQueue, tmp_path: Path) -> Iterator[Any]:
    """A worker in a process of its own, which has stored the first commits of a long history, and no others until it
    is told to end."""
    long = GitRepo(tmp_path / "long")
    long.many(LONG)
    settings = settings_of(address, tmp_path / "home", {"long": long.path})
    jobs.request(["long"], urgent=False)
    with process(settings, "first", pauses=True) as one:
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
    with working(settings, store, "second", CALM):
        wait_until(lambda: stored(store, ["long"]) == {"long": LONG})


def test_a_worker_that_is_ended_keeps_what_it_did_and_queues_the_rest(
    half_read: Any, store: Store, asked: Asked
) -> None:
    ended, settings = half_read
    ended.send_signal(signal.SIGTERM)
    assert ended.wait(240) == 0
    assert [row[:3] for row in asked(JOBS)] == [("index", "long", "todo")]
    assert 0 < store.commits.count("long") < LONG
    with working(settings, store, "second", CALM):
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


def test_what_waits_for_a_worker_that_does_not_come_is_done_by_another(
    address: PostgresAddress, store: Store, jobs: JobQueue, engine: GitRepo, tmp_path: Path, asked: Asked
) -> None:
    jobs.defer([IndexJob("index", "engine", queue=queue_of("gone"))])
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
    ask, fetch = mirror._ask, mirror._fetch

    def answering(git: GitAt, address: str, branch: str | None) -> Any:
        called.append(address)
        if is_down:
            raise GitFailed("The requested URL returned error: 503")
        return ask(git, f"file://{engine.path}", branch)

    monkeypatch.setattr(mirror, "ATTEMPTS", 1)
    monkeypatch.setattr(mirror, "_ask", answering)
    monkeypatch.setattr(
        mirror, "_fetch", lambda git, _, name, *, contents: fetch(git, f"file://{engine.path}", name, contents=contents)
    )
    settings = settings_of(address, tmp_path / "home", {name: f"https://forge.example/{name}" for name in names})
    jobs.request(names, urgent=False)
    with working(settings, store, timing=replace(CALM, first_back_off=90.0, longest_back_off=90.0)):
        wait_until(lambda: store.index_queue.state().put_off == 5)
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
        wait_until(lambda: store.index_queue.state().workers == 1)
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
        wait_until(lambda: store.index_queue.state().workers == 1)


def test_a_worker_ends_when_a_newer_almanac_has_changed_the_tables(
    address: PostgresAddress, store: Store, tmp_path: Path, asked: Asked
) -> None:
    later = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999_later', '')"
    try:
        with (
            pytest.raises(SchemaNewer, match="was made by a newer Almanac: upgrade this one"),
            working(settings_of(address, tmp_path / "home", {}), store),
        ):
            wait_until(lambda: store.index_queue.state().workers == 1)
            asked(later)
            wait_until(lambda: store.index_queue.state().workers == 0)
    finally:
        asked("DELETE FROM _sqlite_migrations WHERE name = 'm999_later'")


def test_a_job_that_loses_the_database_while_the_queue_answers_is_queued_again(
    address: PostgresAddress,
    store: Store,
    jobs: JobQueue,
    engine: GitRepo,
    tmp_path: Path,
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, lost = JobReader.done, [psycopg.OperationalError("the connection is closed"), StoreUnavailable("it is full")]

    def failing(reader: JobReader, *given: Any) -> Any:
        if lost:
            raise lost.pop()
        return done(reader, *given)

    monkeypatch.setattr(JobReader, "done", failing)
    jobs.request(["engine"], urgent=False)
    with working(settings_of(address, tmp_path / "home", {"engine": engine.path}), store):
        wait_until(nothing_left(asked))
    assert stored(store, ["engine"]) == {"engine": 20}
