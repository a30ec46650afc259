"""What the database tells of the bot, for its metrics. It is asked once every few seconds, however often they are read,
and what it does not tell in time is left out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.database import PostgresAddress
from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from bot.index.places import named
from bot.model import Repository
from bot.settings import Settings
from storage import Store

if TYPE_CHECKING:
    from bot.index.jobs import QueueState

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0
WAIT_SECONDS = 2.0  # Prometheus gives up after ten


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What was read in one go."""

    repositories: Sequence[Repository]
    outbox: Mapping[str, int]
    pending_events: int
    queue: QueueState | None  # of index jobs, which only PostgreSQL has
    at: datetime


class DatabaseMetrics(Collector):
    """Gauges of what is stored. With `names` each repository that everybody may read of has its own; one with an
    audience has none, for whoever reads metrics need not be in that audience."""

    def __init__(self, settings: Settings, store: Store, *, names: bool) -> None:
        self._settings = settings
        self._store = store
        self._names = names
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="metrics")
        self._lock = threading.Lock()
        self._reading: Future[DatabaseState | None] | None = None
        self._read_at = float("-inf")
        self._ruled: tuple[object, frozenset[str]] | None = None
        self._throttled = ThrottledLog(log)

    def close(self) -> None:
        """Blocks until the database has answered, or was given up."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def describe(self) -> list[Metric]:
        """Nothing: the database is not asked before somebody wants to know."""
        return []

    def collect(self) -> Iterator[Metric]:
        state = self._state()
        yield _gauge("almanac_database_up", "1 where the database answered just now.", int(state is not None))
        if state is None:
            return
        yield _gauge("almanac_pending_events", "Questions that wait for an answer.", state.pending_events)
        yield _labelled("almanac_outbox_posts", "Messages to Slack, by what became of them.", "state", state.outbox)
        yield from self._of_repositories(state)
        if queue := state.queue:
            jobs = {"waiting": queue.waiting, "running": queue.running, "put_off": queue.put_off}
            yield _labelled("almanac_jobs", "Index jobs in the queue.", "state", jobs | {"failed": queue.failed})
            yield _gauge("almanac_jobs_oldest_seconds", "Since the oldest waiting job.", queue.oldest_seconds)
            yield _gauge("almanac_workers", "Workers that run.", queue.workers)

    def _of_repositories(self, state: DatabaseState) -> Iterator[Metric]:
        failed = sum(one.failure is not None for one in state.repositories)
        yield _gauge("almanac_repositories", "Repositories in the index.", len(state.repositories))
        yield _gauge("almanac_repositories_failed", "Those that could not be read last time.", failed)
        ages = {
            one.name: max(0.0, (state.at - one.indexed_at).total_seconds())
            for one in state.repositories
            if one.indexed_at is not None
        }
        if ages:
            oldest = max(ages.values())
            yield _gauge("almanac_index_age_max_seconds", "Since the repository read longest ago was.", oldest)
        if self._names:
            guarded = self._guarded(state.repositories)
            shown = {name: age for name, age in ages.items() if name not in guarded}
            yield _labelled(
                "almanac_index_age_seconds", "Since a repository was found up to date.", "repository", shown
            )

    def _guarded(self, repositories: Sequence[Repository]) -> frozenset[str]:
        """The names of those with an audience. Of ten thousand that takes a second, and seldom changes."""
        known = [(one.name, one.location, one.tip, one.audience) for one in repositories]
        if self._ruled is None or self._ruled[0] != known:
            listed = [names for table, names in named(self._settings.repositories, repositories) if table.lets_in]
            self._ruled = known, frozenset(one.name for one in repositories if one.audience).union(*listed)
        return self._ruled[1]

    def _state(self) -> DatabaseState | None:
        """None where the database does not answer."""
        with self._lock:
            if self._reading is None or (self._reading.done() and time.monotonic() - self._read_at >= KEPT_SECONDS):
                self._read_at = time.monotonic()
                self._reading = self._thread.submit(self._read)
            reading = self._reading
        try:
            return reading.result(WAIT_SECONDS)
        except TimeoutError:
            return None

    def _read(self) -> DatabaseState | None:
        try:
            store = self._store
            with store.snapshot():
                queue = _queue_state(store)
                return DatabaseState(
                    store.commits.repositories(), store.outbox.counts(), store.pending_events.count(), queue,
                    self._settings.now(),
                )  # fmt: skip
        except AlmanacError as error:
            self._throttled.warning(f"metrics lack what the database knows: {error}")
        except Exception as error:  # whatever a damage leads to; what this process knows is shown all the same
            self._throttled.warning(f"metrics lack what the database knows: {type(error).__name__}: {error}")
        return None


def _queue_state(store: Store) -> QueueState | None:
    if not isinstance(store.database, PostgresAddress):
        return None
    from bot.index.jobs import JobQueue

    return JobQueue(store.database, store).state()


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
