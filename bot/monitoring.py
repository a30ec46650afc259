"""How the bot is doing, for machines that look after it: whether it can answer, which is asked of the database as an
answer would, and its metrics.

The database is looked at in threads of their own, so that one that hangs holds up nobody else, and at most every few
seconds: anybody may ask, and to look through a large file takes a second.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar
from uuid import uuid4

from prometheus_client import CollectorRegistry, Counter, Metric, ProcessCollector
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.registry import Collector

from bot.ask.queries import Queries
from bot.errors import AlmanacError
from bot.http_server import ThrottledLog
from bot.settings import PostgresAddress, Settings
from storage import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_SECONDS = 5.0
WAIT_SECONDS = 3.0  # for a database; Prometheus gives up after ten
UNKNOWN = "an answer cannot be made, and why is in my log"


class _Look(Generic[T]):
    """One look at a time, whose result is kept for some seconds. For any thread."""

    def __init__(self, look: Callable[[], T], name: str) -> None:
        self._look = look
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._looking: Future[T] | None = None
        self._looked_at = 0.0

    def begun(self) -> Future[T]:
        with self._lock:
            is_old = time.monotonic() - self._looked_at >= KEPT_SECONDS
            if self._looking is None or (self._looking.done() and is_old):
                self._looking = self._thread.submit(self._timed)
            return self._looking

    def _timed(self) -> T:
        try:
            return self._look()
        finally:
            self._looked_at = time.monotonic()

    def close(self) -> None:
        """Blocks until the database has answered, or was given up."""
        self._thread.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Looked:
    """Why nothing can be answered, in words for everybody, empty where it can; and how many messages wait for Slack,
    and since when."""

    fault: str = ""
    waiting: int = 0
    since: datetime | None = None


class HealthCheck:
    """For one event loop, in which nobody waits for longer than some seconds. `faults` says what else of this process
    is not as it should be."""

    def __init__(self, settings: Settings, store: Store, faults: Callable[[], str] = lambda: "") -> None:
        self._queries = Queries.of(store, settings)
        self._store = store
        self._faults = faults
        self._latest = _Look(self._look, "health")
        self.close = self._latest.close
        self._throttled = ThrottledLog(log)
        self._is_stopping = False
        self.is_connected: Callable[[], Awaitable[bool]] | None = None  # to Slack, in Socket Mode

    def stop(self) -> None:
        """From now on requests should go elsewhere."""
        self._is_stopping = True

    async def looked(self) -> Looked:
        """Whether anything can be answered."""
        looking = asyncio.wrap_future(self._latest.begun())
        done, _ = await asyncio.wait({looking}, timeout=WAIT_SECONDS)
        found = looking.result() if done else Looked("the database does not answer")
        return found if found.fault else replace(found, fault=self._faults())

    async def unready(self) -> str:
        """Why requests should go elsewhere, in words for everybody; empty where they may come."""
        if self._is_stopping:
            return "this process is being stopped"
        if self.is_connected and not await self.is_connected():
            return "there is no connection to Slack"
        return (await self.looked()).fault

    def _look(self) -> Looked:
        try:
            self._store.check_schema()
            self._store.check()
            self._answer()
            return Looked("", *self._store.outbox.held())
        except AlmanacError as error:
            self._throttled.warning(f"the bot cannot answer: {error}")
            return Looked(error.public_text)
        except Exception as error:  # whatever a damage leads to
            self._throttled.warning(f"the bot cannot answer: {type(error).__name__}: {error}")
            return Looked(UNKNOWN)

    def _answer(self) -> None:
        """Somebody's newest month, which nobody is shown; and a row, as an answer is written down."""
        queries = replace(self._queries)  # of this moment
        month = queries.activity.last_month()
        if month and (active := queries.activity.most(month)):
            queries.month(active[0], month)
        key = f"health|{uuid4()}"
        self._store.processed_events.claim(key, queries.settings.now())
        self._store.processed_events.release(key)


class Metrics:
    """The metrics of one bot. For any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # memory, processor time, open files
        self._questions = Counter(
            "almanac_questions", "Questions that were answered, or not.", ["intent", "outcome"], registry=self.registry
        )

    def question(self, intent: str, outcome: str) -> None:
        """A question was answered, or could not be."""
        self._questions.labels(intent, outcome).inc()


class DatabaseMetrics(Collector):
    """Gauges of what is stored: the database is asked once every few seconds, however often they are read, and what it
    does not tell in time is left out. No repository is named: whoever reads metrics need not be in its audience."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._now = settings.now
        self._store = store
        self._latest = _Look(self._read, "metrics")
        self.close = self._latest.close
        self._throttled = ThrottledLog(log)

    def collect(self) -> Iterator[Metric]:
        try:
            found = self._latest.begun().result(WAIT_SECONDS)
        except TimeoutError:
            found = []
        yield Gauge("almanac_database_up", "1 where the database answered just now.", int(bool(found)))
        yield from found

    def _read(self) -> list[Metric]:
        """Nothing where the database does not answer."""
        try:
            with self._store.snapshot():
                return [*self._stored(), *self._queued()]
        except Exception as error:  # whatever a damage leads to; what this process knows is shown all the same
            self._throttled.warning(f"metrics lack what the database knows: {type(error).__name__}: {error}")
        return []

    def _stored(self) -> Iterator[Metric]:
        store, now = self._store, self._now()
        repositories, posts = store.commits.repositories(), store.outbox.counts()
        yield Gauge("almanac_pending_events", "Questions that wait for an answer.", store.pending_events.count())
        yield _labelled("almanac_outbox_posts", "Messages to Slack, by what became of them.", "state", posts)
        failed = sum(one.failure is not None for one in repositories)
        yield Gauge("almanac_repositories", "Repositories in the index.", len(repositories))
        yield Gauge("almanac_repositories_failed", "Those that could not be read last time.", failed)
        read_at = [one.indexed_at for one in repositories if one.indexed_at]
        if read_at:
            oldest = max(0.0, (now - min(read_at)).total_seconds())
            yield Gauge("almanac_index_age_max_seconds", "Since the repository read longest ago was.", oldest)

    def _queued(self) -> Iterator[Metric]:
        """Of index jobs, which only PostgreSQL has."""
        if not isinstance(self._store.database, PostgresAddress):
            return
        from bot.index.jobs import JobQueue

        queue = JobQueue(self._store).state()
        jobs = {"waiting": queue.waiting, "running": queue.running, "put_off": queue.put_off}
        yield _labelled("almanac_jobs", "Index jobs in the queue.", "state", jobs | {"failed": queue.failed})
        yield Gauge("almanac_jobs_oldest_seconds", "Since the oldest waiting job.", queue.oldest_seconds)
        yield Gauge("almanac_workers", "Workers that run.", queue.workers)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = Gauge(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
