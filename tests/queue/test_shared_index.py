"""Processes that serve ask workers for what is due, all together once, and wait for them before a digest."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo

from bot.database import PostgresAddress
from bot.index.diffs import Diffs
from bot.index.git import CancelToken
from bot.index.lines import Lines
from bot.model import Repository
from bot.settings import Settings
from storage import Store

pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from index_workers import settings_of, stored, working

from bot.queue.shared_index import SharedIndex

pytestmark = pytest.mark.postgres
Asked = Callable[[str], list[tuple[Any, ...]]]
NOON = datetime(2025, 11, 5, 12, 0, tzinfo=UTC)
WAITING = "SELECT args->>'repository' FROM procrastinate_jobs WHERE status = 'todo' ORDER BY id"


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "engine")
    repo.many(20)
    return repo


@pytest.fixture
def settings(address: PostgresAddress, engine: GitRepo, tmp_path: Path) -> Settings:
    repositories = {"engine": engine.path, "mill": engine.path}
    return replace(settings_of(address, tmp_path / "home", repositories), fixed_now=NOON)


def serving(settings: Settings, store: Store, at: datetime = NOON, seconds: float = 60.0) -> SharedIndex:
    assert isinstance(settings.database, PostgresAddress)
    return SharedIndex(replace(settings, fixed_now=at), store, settings.database, CancelToken(), seconds)


def test_what_is_due_is_asked_for_once_by_all_who_serve(settings: Settings, store: Store, asked: Asked) -> None:
    one, two = serving(settings, store), serving(settings, store)
    for _ in range(2):
        one.request_due()
        two.request_due()
    assert asked(WAITING) == [("engine",), ("mill",)]


def test_what_was_read_within_the_interval_is_not_due(settings: Settings, store: Store, asked: Asked) -> None:
    store.commits.register(Repository("engine", "/srv/engine"))
    store.commits.mark_indexed("engine", "0" * 40, NOON - timedelta(minutes=29), shallow=False)
    serving(settings, store).request_due()
    assert asked(WAITING) == [("mill",)]
    serving(settings, store, NOON + timedelta(minutes=2)).request_due()
    assert asked(WAITING) == [("mill",), ("engine",)]


def test_what_cannot_be_read_is_asked_for_again_only_after_the_interval(
    settings: Settings, store: Store, asked: Asked
) -> None:
    one = serving(settings, store)
    one.request_due()
    asked("DELETE FROM procrastinate_jobs")  # a worker tried, in vain
    one.request_due()
    assert asked(WAITING) == []


def test_a_digest_waits_until_workers_have_read_what_is_not_fresh(
    settings: Settings, store: Store, engine: GitRepo
) -> None:
    with working(replace(settings, fixed_now=NOON), store):
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
