"""Metrics are in Prometheus' format, name nothing that is not for everybody, and are there without the database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot import monitoring
from bot.index.places import keep_audiences
from bot.model import Repository
from bot.monitoring import DatabaseMetrics, Metrics
from bot.settings import Settings
from bot.settings_tables import RepositorySettings
from storage import Store
from storage.outbox import Post

if TYPE_CHECKING:
    from postgres import Server

NOW = datetime(2025, 11, 5, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    one = Store(tmp_path / "almanac.db")
    for name, hours in (("acme/engine", 1), ("acme/secret", 5), ("acme/mill", 2), ("acme/unread", 0)):
        one.commits.register(Repository(name, f"https://example.com/{name}"))
        if hours:
            one.commits.mark_indexed(name, f"{hours}" * 40, NOW - timedelta(hours=hours), shallow=False)
    keep_audiences(settings(one), one)  # as a bot does when it starts
    one.commits.mark_failed("acme/mill", "it is gone")
    one.outbox.plan([Post(f"digest|T1|{number}", "#shipped", {}) for number in range(3)], NOW)
    one.outbox.claim("digest|T1|0", NOW)
    one.pending_events.keep([("Ev1", {}), ("Ev2", {})], NOW, NOW)
    return one


def settings(store: Store) -> Settings:
    secret = RepositorySettings(address="https://example.com/acme/secret", audience=["#leads"])
    return Settings(db=store.database, fixed_now=NOW, repositories=[secret])


@contextmanager
def gauges(store: Store) -> Iterator[Metrics]:
    counted = Metrics()
    with closing(DatabaseMetrics(settings(store), store)) as stored:
        counted.registry.register(stored)
        yield counted


def values(counted: Metrics) -> dict[str, float]:
    """Each sample, with its labels as Prometheus writes them."""
    text = generate_latest(counted.registry).decode()
    return {
        one.name + (str(sorted(one.labels.items())) if one.labels else ""): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
        if not one.name.startswith("process_") and not one.name.endswith("_created")
    }


def of(name: str, **labels: str) -> str:
    return name + (str(sorted(labels.items())) if labels else "")


def test_the_database_tells_what_waits_and_how_old_the_index_is(store: Store) -> None:
    with gauges(store) as counted:
        found = values(counted)
    assert {key: value for key, value in found.items() if key.split("[")[0] in OF_DATABASE} == {
        of("almanac_database_up"): 1,
        of("almanac_pending_events"): 2,
        of("almanac_outbox_posts", state="planned"): 2,
        of("almanac_outbox_posts", state="sending"): 1,
        of("almanac_repositories"): 4,
        of("almanac_repositories_failed"): 1,
        of("almanac_index_age_max_seconds"): 5 * 3600,
    }


OF_DATABASE = {
    "almanac_database_up", "almanac_pending_events", "almanac_outbox_posts", "almanac_repositories",
    "almanac_repositories_failed", "almanac_index_age_max_seconds",
}  # fmt: skip


def test_a_database_that_hangs_is_not_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = threading.Event()
    monkeypatch.setattr(store, "snapshot", ends.wait)
    monkeypatch.setattr(monitoring, "WAIT_SECONDS", 0.01)
    with gauges(store) as counted:
        found = values(counted)
        ends.set()
    assert found[of("almanac_database_up")] == 0


@pytest.mark.postgres
def test_a_server_tells_of_the_queue_too(postgres: Server) -> None:
    from bot.index.jobs import JobQueue

    address = postgres.database()
    one = Store(address)
    JobQueue(one).request(["acme/engine", "acme/mill"], urgent=True)
    with gauges(one) as counted:
        found = values(counted)
    assert found.pop(of("almanac_jobs_oldest_seconds")) >= 0
    assert {key: value for key, value in found.items() if key.startswith(("almanac_jobs", "almanac_workers"))} == {
        of("almanac_jobs", state="waiting"): 2,
        of("almanac_jobs", state="running"): 0,
        of("almanac_jobs", state="put_off"): 0,
        of("almanac_jobs", state="failed"): 0,
        of("almanac_workers"): 0,
    }
    postgres.give_back(address)
