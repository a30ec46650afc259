"""What one bot counts of itself, and what its database tells of it, in the words of Prometheus:
https://prometheus.io/docs/practices/naming/."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.database import PostgresAddress
from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0
WAIT_SECONDS = 2.0  # Prometheus gives up after ten
SLACK_WAITS = 3.0  # seconds; what is acknowledged later is delivered again
_ANSWER_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The metrics of one bot. For any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # memory, processor time, open files
        self._questions = Counter(
            "almanac_questions", "Questions that were answered, or not.", ["intent", "outcome"], registry=self.registry
        )
        self._answer_seconds = Histogram(
            "almanac_answer_seconds", "From a question or a command to its answer in Slack.",
            buckets=_ANSWER_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._deliveries = Counter("almanac_deliveries", "What Slack delivered.", registry=self.registry)
        self._late = Counter(
            "almanac_deliveries_acknowledged_late",
            f"Deliveries that were acknowledged after {SLACK_WAITS:g} seconds or not at all.",
            registry=self.registry,
        )
        self._webhooks = Counter(
            "almanac_webhooks", "Deliveries of forges, by what they were answered.", ["forge", "status"],
            registry=self.registry,
        )  # fmt: skip

    def question(self, intent: str, outcome: str) -> None:
        """A question was answered, or could not be."""
        self._questions.labels(intent, outcome).inc()

    def webhook(self, forge: str, status: int) -> None:
        """A forge's delivery was answered."""
        self._webhooks.labels(forge, str(status)).inc()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Inside, an answer is made and sent."""
        with self._answer_seconds.time():
            yield

    @contextmanager
    def delivery(self) -> Iterator[None]:
        """Inside, something that Slack delivered is acknowledged."""
        self._deliveries.inc()
        began, is_acknowledged = time.monotonic(), False
        try:
            yield
            is_acknowledged = True
        finally:
            if not is_acknowledged or time.monotonic() - began > SLACK_WAITS:
                self._late.inc()


class DatabaseMetrics(Collector):
    """Gauges of what is stored: the database is asked once every few seconds, however often they are read, and what it
    does not tell in time is left out. With `names` each repository that everybody may read of has its own; one with an
    audience has none, for whoever reads metrics need not be in that audience."""

    def __init__(self, settings: Settings, store: Store, *, names: bool) -> None:
        self._now = settings.now
        self._store = store
        self._names = names
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="metrics")
        self._lock = threading.Lock()
        self._reading: Future[list[Metric]] | None = None
        self._read_at = float("-inf")
        self._throttled = ThrottledLog(log)

    def close(self) -> None:
        """Blocks until the database has answered, or was given up."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def describe(self) -> list[Metric]:
        """Nothing: the database is not asked before somebody wants to know."""
        return []

    def collect(self) -> Iterator[Metric]:
        with self._lock:
            if self._reading is None or (self._reading.done() and time.monotonic() - self._read_at >= KEPT_SECONDS):
                self._read_at = time.monotonic()
                self._reading = self._thread.submit(self._read)
            reading = self._reading
        try:
            found = reading.result(WAIT_SECONDS)
        except TimeoutError:
            found = []
        yield _gauge("almanac_database_up", "1 where the database answered just now.", int(bool(found)))
        yield from found

    def _read(self) -> list[Metric]:
        """None where the database does not answer."""
        try:
            with self._store.snapshot():
                return [*self._stored(), *self._queued()]
        except AlmanacError as error:
            self._throttled.warning(f"metrics lack what the database knows: {error}")
        except Exception as error:  # whatever a damage leads to; what this process knows is shown all the same
            self._throttled.warning(f"metrics lack what the database knows: {type(error).__name__}: {error}")
        return []

    def _stored(self) -> Iterator[Metric]:
        store, now = self._store, self._now()
        repositories, posts = store.commits.repositories(), store.outbox.counts()
        yield _gauge("almanac_pending_events", "Questions that wait for an answer.", store.pending_events.count())
        yield _labelled("almanac_outbox_posts", "Messages to Slack, by what became of them.", "state", posts)
        failed = sum(one.failure is not None for one in repositories)
        yield _gauge("almanac_repositories", "Repositories in the index.", len(repositories))
        yield _gauge("almanac_repositories_failed", "Those that could not be read last time.", failed)
        read_at = {one: one.indexed_at for one in repositories if one.indexed_at}
        ages = {one: max(0.0, (now - at).total_seconds()) for one, at in read_at.items()}
        if ages:
            oldest = max(ages.values())
            yield _gauge("almanac_index_age_max_seconds", "Since the repository read longest ago was.", oldest)
        if self._names:
            shown = {one.name: age for one, age in ages.items() if not one.audience}
            yield _labelled(
                "almanac_index_age_seconds", "Since a repository was found up to date.", "repository", shown
            )

    def _queued(self) -> Iterator[Metric]:
        """Of index jobs, which only PostgreSQL has."""
        if not isinstance(self._store.database, PostgresAddress):
            return
        from bot.index.jobs import JobQueue

        queue = JobQueue(self._store.database, self._store).state()
        jobs = {"waiting": queue.waiting, "running": queue.running, "put_off": queue.put_off}
        yield _labelled("almanac_jobs", "Index jobs in the queue.", "state", jobs | {"failed": queue.failed})
        yield _gauge("almanac_jobs_oldest_seconds", "Since the oldest waiting job.", queue.oldest_seconds)
        yield _gauge("almanac_workers", "Workers that run.", queue.workers)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
