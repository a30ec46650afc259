"""Index jobs where the database is PostgreSQL: who serves asks for repositories to be read, workers read them.

The queue is procrastinate's, in the same database. A job carries the name of a repository and nothing else of it: where
that is, and how it may be read, every worker knows from its own almanac.toml. A repository waits at most once, or twice
where the second is urgent (procrastinate's `queueing_lock`), and is read by one worker at a time (its `lock`). A job
reads names, then counts lines; one that takes long is put behind all others, and goes on from where it was.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import psycopg
from procrastinate import App, JobContext, PsycopgConnector, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from bot.errors import AlmanacError, RepositoryUnavailable, SchemaNewer, ServerUnavailable, StoreBusy, StoreUnavailable
from bot.index.git import CancelToken, Concurrency, Stopped
from bot.index.indexing import Indexing, LoggedProgress, log_result
from bot.index.lines import Lines
from bot.index.mirrors import host_of, remove_unused
from bot.index.places import RepositoryLocation, located, tables_by_name
from bot.settings import PostgresAddress, Settings
from storage import Store
from storage.postgres import WORKER_SECONDS, WorkerSession, connection_options, workers

log = logging.getLogger(__name__)

QUEUE = "index"
TASKS = ("index", "count")  # the second is what a queue of 0.2.0 may still hold
URGENT, DUE, GOES_ON = 20, 0, -10  # priorities
KEPT_HOURS = 24  # jobs that failed, so that `almanac doctor` can count them
READ_SECONDS = 120.0  # of a tick, that digests which are due wait for workers; what takes longer goes on
LOOK_SECONDS = 0.5
FRESH = timedelta(minutes=5)  # what was read since then is not read again before a digest


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of a worker in seconds, which tests shorten."""

    heartbeat: float = 5.0  # between two signs of life
    stalled: float = 20.0  # without one, until a worker's job is taken over
    look: float = 5.0  # between two looks for such jobs
    poll: float = 5.0  # between two questions for jobs; of new ones the server tells at once
    slice: float = 60.0  # of work, until a job is put behind all others
    retry: float = 10.0  # until what the database or another reader was in the way of is tried again
    first_back_off: float = 10.0  # that a server is left alone which could not be reached; then twice as long
    longest_back_off: float = 600.0
    tidy: float = 3600.0  # between two looks for what is to be removed
    # Until a worker that has nothing to do is told again to end: Python 3.11 loses a cancellation that arrives as a
    # wait of psycopg's ends (github.com/python/cpython/issues/86296).
    cancel: float = 10.0


@dataclass(frozen=True, slots=True)
class QueueState:
    """How many jobs wait, run and failed, for how many seconds the oldest has been waiting, and how many workers run.
    Jobs that are put off until later, since a server asked for patience, are not waiting."""

    waiting: int
    running: int
    put_off: int
    failed: int
    oldest_seconds: float
    workers: int


def job(repository: str, priority: int, asked: float | None, after: datetime | None = None) -> Job:
    """As procrastinate takes it; `asked` is when somebody wanted it, in Unix seconds, `after` when it may be begun."""
    waits_as = f"urgent {repository}" if priority == URGENT else repository
    return Job(
        task_name="index", queue=QUEUE, lock=repository, queueing_lock=waits_as, priority=priority, scheduled_at=after,
        task_kwargs={"repository": repository, "asked": asked},
    )  # fmt: skip


class JobQueue:
    """Any thread may ask. Raises StoreUnavailable where the database cannot be reached.

    It is the `bot.index.indexing.IndexRequests` of PostgreSQL.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._address = cast(PostgresAddress, store.database)
        self._now = store.shared()

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        with self._manager() as manager:
            now = self._now().timestamp()
            for name in dict.fromkeys(names):
                with suppress(AlreadyEnqueued):
                    manager.defer_job(job(name, URGENT if urgent else DUE, now))

    def state(self) -> QueueState:
        with self._store.transaction() as connection, self._manager() as manager:
            jobs, now, running = manager.list_jobs(), self._now(), workers(connection)
        waiting = [one for one in jobs if one.status == "todo" and not _is_put_off(one, now)]
        many = Counter(one.status for one in jobs)
        since = [float(str(at)) for one in waiting if (at := one.task_kwargs.get("asked"))]
        return QueueState(
            len(waiting), many["doing"], many["todo"] - len(waiting), many["failed"],
            max(0.0, now.timestamp() - min(since, default=now.timestamp())), running,
        )  # fmt: skip

    def unfinished(self, names: Sequence[str]) -> dict[str, bool]:
        """Those of the repositories that wait or are read, and whether that is put off until later."""
        with self._manager() as manager:
            jobs, now = manager.list_jobs(), self._now()
        found: dict[str, bool] = {}
        for one in jobs:
            if one.status in ("todo", "doing") and (name := str(one.task_kwargs["repository"])) in names:
                found[name] = _is_put_off(one, now) and found.get(name, True)
        return found

    @contextmanager
    def _manager(self) -> Iterator[JobManager]:
        """procrastinate's, with a connection that is given to it by what it takes for a pool of them."""
        connector = SyncPsycopgConnector()
        try:
            with psycopg.connect(self._address.url, autocommit=True, **connection_options()) as connection:
                connector.open(cast(Any, SimpleNamespace(connection=lambda: nullcontext(connection))))
                yield JobManager(connector)
        except psycopg.Error as error:
            raise self._store.explained(error) from error
        except ConnectorException as error:
            raise self._store.explained(error.__cause__ or error) from error


def _is_put_off(one: Job, now: datetime) -> bool:
    return one.status == "todo" and one.scheduled_at is not None and one.scheduled_at > now


class SharedIndex:
    """How `almanac serve` has the repositories read, in any number of processes: what one has asked for the others do
    not ask for again."""

    def __init__(self, settings: Settings, store: Store, cancel: CancelToken, seconds: float = READ_SECONDS) -> None:
        self._settings = settings
        self._store = store
        self._cancel = cancel
        self._seconds = seconds
        self._names = sorted(tables_by_name(settings))
        self._asked_at: dict[str, datetime] = {}
        self.requests = JobQueue(store)

    def request_due(self) -> None:
        """Ask for what was not read, or asked for here, within `refresh_minutes`: what could not be read, or is being
        read, is not asked for again at each tick."""
        now, interval = self._settings.now(), timedelta(minutes=self._settings.refresh_minutes)
        late, asked = self._late(interval), self._asked_at
        due = [name for name in late if name not in asked or abs(now - asked[name]) >= interval]
        if due:
            self.requests.request(due, urgent=False)
            asked |= dict.fromkeys(due, now)

    def unread(self) -> list[RepositoryUnavailable]:
        """Have all repositories read before digests are made. Returns what could not be, or not in time, each by its
        name. Does not wait where no worker runs."""
        stale = self._late(FRESH)
        late = self._waited_for(stale) if stale else {}
        for name, why in late.items():
            log.warning("%s is not read: %s; digests tell what is known of it", name, why)
        known = {one.name: one.failure for one in self._store.commits.repositories()}
        failures = {one: known.get(one, "no worker could read it, and why is in their logs") for one in self._names}
        return [RepositoryUnavailable(name, why) for name, why in (failures | late).items() if why]

    def _late(self, within: timedelta) -> list[str]:
        now, read = self._settings.now(), self._read_at()
        return [name for name in self._names if (at := read.get(name)) is None or abs(now - at) >= within]

    def _read_at(self) -> dict[str, datetime | None]:
        return {one.name: one.indexed_at for one in self._store.commits.repositories()}

    def _waited_for(self, names: Sequence[str]) -> dict[str, str]:
        """Ask for repositories, wait, and say which are not read then, and why."""
        before = self._read_at()
        self.requests.request(names, urgent=True)
        end = time.monotonic() + self._seconds
        with suppress(Stopped):
            while left := self.requests.unfinished(names):
                now = self._read_at()  # of what is read, lines may still be counted
                left = {name: is_put_off for name, is_put_off in left.items() if now.get(name) == before.get(name)}
                if all(left.values()) or time.monotonic() > end or not self.requests.state().workers:
                    break  # the rest is put off, since their servers cannot be reached
                self._cancel.wait(LOOK_SECONDS)
        if left and not self.requests.state().workers:
            return dict.fromkeys(left, "no worker runs: start `almanac worker`")
        return {name: "it was not read in time" for name, is_put_off in left.items() if not is_put_off}


class _Turn(LoggedProgress):
    """Ends the `work` of a job after so many seconds, which begin once it has stored something."""

    def __init__(self, work: CancelToken, seconds: float) -> None:
        self._clock = threading.Timer(seconds, work.stop)
        self._lock = threading.Lock()

    def advance(self, repository: str, commits: int) -> None:
        with self._lock:
            if self._clock.ident is None:
                self._clock.start()

    def close(self) -> None:
        self._clock.cancel()


class IndexWorker:
    """What `almanac worker` runs: does jobs, one at a time, until `stop`, keeps what it did when it is ended, and looks
    after jobs of workers that are gone. When the database is away it waits for it; a server that could not be reached,
    or asked for patience, is left alone for a while, with all its repositories."""

    def __init__(self, settings: Settings, store: Store, timing: Timing | None = None) -> None:
        self._settings = settings
        self._store = store
        self._address = cast(PostgresAddress, store.database)
        self._now = store.shared()
        self._timing = timing or Timing()
        self._cancel = CancelToken()
        self._tables = tables_by_name(settings)
        self._left_alone: dict[str, tuple[int, float]] = {}  # how often a host failed, and until when, by its name
        self._stopped = asyncio.Event()
        self._job: int | None = None  # the number of the one that is being done

    async def run(self) -> None:
        """To be called once, in the event loop in which `stop` is."""
        while not self._stopped.is_set():
            try:
                await self._connected()
            except SchemaNewer:
                raise
            except (psycopg.Error, ConnectorException, StoreUnavailable) as error:
                log.warning("%s; trying again in %.0f s", self._explained(error), self._timing.retry)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopped.wait(), self._timing.retry)

    def stop(self) -> None:
        """End soon: what the running job did is kept, and it is queued again."""
        self._stopped.set()
        self._cancel.stop()

    async def _connected(self) -> None:
        """Work until it is stopped or the database is lost."""
        with closing(await asyncio.to_thread(WorkerSession, self._address)) as session:
            # Of jobs that a server which crashes forgets to have been done, nothing is done twice but to look.
            connector = PsycopgConnector(
                conninfo=self._address.url, kwargs=connection_options(durable=False), min_size=1, max_size=3,
                timeout=WORKER_SECONDS, name="almanac-worker",
            )  # fmt: skip
            app = App(connector=connector)
            with self._cancel.within() as cancel:
                for task in TASKS:
                    app.task(name=task, pass_context=True)(self._doing(app, cancel))
                async with app.open_async():
                    await self._work(app, session, cancel)

    async def _work(self, app: App, session: WorkerSession, cancel: CancelToken) -> None:
        timing = self._timing
        working = app.run_worker_async(
            install_signal_handlers=False, delete_jobs="successful", fetch_job_polling_interval=timing.poll,
            update_heartbeat_interval=timing.heartbeat, stalled_worker_timeout=timing.stalled,
        )  # fmt: skip
        taking, looking = asyncio.create_task(working), asyncio.create_task(self._look_after(app, session, cancel))
        stopped = asyncio.create_task(self._stopped.wait())
        log.info("takes jobs of %s", self._address)
        await asyncio.wait({taking, looking, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        cancel.stop()
        taking.cancel()  # which ends it once its job is given back
        while not (await asyncio.wait({taking}, timeout=timing.cancel))[0]:
            if self._job is None:  # told again, it would not wait for its job
                taking.cancel()
        for one in await asyncio.gather(taking, looking, return_exceptions=True):
            if isinstance(one, Exception):
                raise one
        if not self._stopped.is_set():  # procrastinate ends quietly where it cannot say that it runs
            raise StoreUnavailable(f"the queue in {self._address} was lost")

    def _doing(self, app: App, cancel: CancelToken) -> Callable[..., Awaitable[None]]:
        async def do(context: JobContext, repository: str, asked: float | None = None) -> None:
            self._job = context.job.id
            try:
                again = await asyncio.to_thread(self._done, repository, context.job.priority, cancel)
                if again is None:
                    return
                # A job that is retried keeps its place, and cannot be where one like it waits. So it is put in anew;
                # later by the server's clock, since that of this host may be another.
                priority, seconds = again
                after = self._now() + timedelta(seconds=seconds) if seconds else None
                with suppress(AlreadyEnqueued):
                    await app.job_manager.defer_job_async(job(repository, priority, asked, after))
            finally:
                self._job = None

        return do

    def _done(self, name: str, priority: int, cancel: CancelToken) -> tuple[int, float] | None:
        """Read a repository and count its lines. Returns None when it is done, or with which priority it is to be gone
        on with, and after how many seconds. What it raises fails the job."""
        timing, host = self._timing, ""
        try:
            if (table := self._tables.get(name)) is None:
                raise AlmanacError(f"{name}: is not in the almanac.toml of this worker, so its job is given up")
            if isinstance(where := located(table.address, table), RepositoryUnavailable):
                raise where
            host = host_of(where.address or "")
            if (left := self._left_alone.get(host, (0, 0.0))[1] - time.monotonic()) > 0:
                return priority, left
            self._read(where, cancel)
        except Stopped:
            if cancel.is_stopped():
                return priority, 0.0
            log.info("%s: gives way to others, and goes on later", name)
            return GOES_ON, 0.0
        except StoreBusy as error:
            log.info("%s: looking again later (%s)", name, error)
            return priority, timing.retry
        except ServerUnavailable as error:
            seconds = self._leave_alone(host)
            log.warning("%s; %s is left alone for %.0f s", error, host, seconds)
            return priority, seconds
        except RepositoryUnavailable as error:
            log_result(error)
        except (psycopg.Error, StoreUnavailable) as error:
            log.warning("%s: %s; it is queued again", name, self._explained(error))
            with suppress(Stopped):
                cancel.wait(timing.retry)
            return priority, 0.0
        except AlmanacError as error:
            log.warning("%s", error)
            raise
        except Exception:  # our own mistake in one repository must not cost others theirs
            log.exception("%s: the job failed", name)
            raise
        return None

    def _read(self, where: RepositoryLocation, cancel: CancelToken) -> None:
        """For as long as its turn is; then it raises Stopped."""
        commits, settings = self._store.commits, self._settings
        with cancel.within() as work, closing(_Turn(work, self._timing.slice)) as turn:
            concurrency = Concurrency(work)
            done = Indexing(commits, settings.mirrors, settings.now(), turn, concurrency).repository(where)
            self._left_alone.pop(host_of(where.address or ""), None)
            log_result(done)
            lines = Lines(commits, settings.mirrors, concurrency=concurrency)
            if counted := lines.count_all(where.name, partial(turn.advance, where.name)):
                log.info("%s: lines of %d commits counted", where.name, counted)

    def _leave_alone(self, host: str) -> float:
        """For how many seconds, since it could not be reached."""
        times, longest = self._left_alone.get(host, (0, 0.0))[0], self._timing.longest_back_off
        seconds = min(longest, self._timing.first_back_off * 2.0 ** min(times, 30))
        seconds *= random.uniform(0.75, 1.0)  # noqa: S311  many must not come back at once
        self._left_alone[host] = times + 1, time.monotonic() + seconds
        return seconds

    async def _look_after(self, app: App, session: WorkerSession, cancel: CancelToken) -> None:
        """See that the database is there, and that what others left is done by somebody."""
        tidied = -self._timing.tidy
        while not cancel.is_stopped():
            with suppress(StoreBusy):  # another time
                await asyncio.to_thread(self._store.check_schema)
            await self._take_over(app, session)
            if time.monotonic() - tidied >= self._timing.tidy:
                tidied = time.monotonic()
                await app.job_manager.delete_old_jobs(
                    KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
                )
                known = await asyncio.to_thread(self._store.commits.repositories)
                named = [one.location for one in known]
                await asyncio.to_thread(remove_unused, self._settings.mirrors, named, time.time())
            with suppress(Stopped):
                await asyncio.to_thread(cancel.wait, self._timing.look)

    async def _take_over(self, app: App, session: WorkerSession) -> None:
        """Queue the jobs of workers that are gone again. One worker does so at a time: a second might take a job from
        whoever has begun it since."""
        with session.alone() as is_alone:
            if not is_alone:
                return
            stalled = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._timing.stalled)
            # On a busy machine its own sign of life may come late. Queued again, what it does would end with this turn.
            for one in (each for each in stalled if each.id != self._job):
                log.warning("%s: its worker is gone, so the job is queued again", one.task_kwargs["repository"])
                # Put in anew: a worker that lives all the same ends the job that it knows, and what waits is not that.
                with suppress(AlreadyEnqueued):
                    await app.job_manager.defer_job_async(one.evolve(id=None, scheduled_at=None))
                await app.job_manager.finish_job(one, Status.FAILED, delete_job=True)

    def _explained(self, error: Exception) -> BaseException:
        cause = error.__cause__ if isinstance(error, ConnectorException) else error
        return self._store.explained(cause or error)
