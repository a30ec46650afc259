"""What `almanac worker` runs: takes one job after the other, keeps what it did when it is ended, and looks after jobs
of workers that are gone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress

import psycopg
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Status
from procrastinate.worker import Worker

from bot.database import PostgresAddress
from bot.errors import AlmanacError, SchemaNewer, StoreBusy, StoreUnavailable
from bot.index.git import CancelToken, Stopped
from bot.queue.job_queue import COMMON, IndexJob, queue_of
from bot.queue.job_reader import JobReader
from bot.queue.timing import Timing
from bot.settings import Settings
from storage import Store
from storage.index_queue import CONNECT_SECONDS, SessionLocks, connection_options

log = logging.getLogger(__name__)

KEPT_HOURS = 24  # jobs that failed, so that `almanac doctor` can count them


class IndexWorker:
    """Does jobs of the queue, one at a time, until `stop`. Raises AlmanacError if a worker of this name runs already.

    When the database is away it waits for it.
    """

    def __init__(
        self, settings: Settings, store: Store, address: PostgresAddress, name: str, timing: Timing | None = None
    ) -> None:
        self._store = store
        self._address = address
        self._name = name
        self._timing = timing or Timing()
        self._own = queue_of(name)
        self._cancel = CancelToken()
        self._reader = JobReader(settings, store, name, self._timing)
        self._stopped = asyncio.Event()

    async def run(self) -> None:
        """To be called once, in the event loop in which `stop` is."""
        is_first = True
        while not self._stopped.is_set():
            try:
                await self._connected(is_first)
            except SchemaNewer:
                raise
            except (psycopg.Error, ConnectorException, StoreUnavailable) as error:
                log.warning("%s; trying again in %.0f s", self._explained(error), self._timing.retry)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopped.wait(), self._timing.retry)
            is_first = False

    def stop(self) -> None:
        """End soon: what the running job did is kept, and it is queued again."""
        self._stopped.set()
        self._cancel.stop()

    async def _connected(self, is_first: bool) -> None:
        """Work until it is stopped or the database is lost."""
        with closing(await asyncio.to_thread(SessionLocks, self._address, f"almanac worker {self._name}")) as locks:
            if not locks.try_lock("worker", self._name):
                text = f"a worker named {self._name} runs already: give this one another name with --name"
                raise AlmanacError(text) if is_first else StoreUnavailable(text)
            # Of jobs that a server which crashes forgets to have been done, nothing is done twice but to look.
            connector = PsycopgConnector(
                conninfo=self._address.url, kwargs=connection_options(durable=False), min_size=1, max_size=3,
                timeout=CONNECT_SECONDS, name="almanac-worker",
            )  # fmt: skip
            app = App(connector=connector)
            with self._cancel.within() as cancel:
                for task in ("index", "count"):
                    app.task(name=task, pass_context=True)(self._doing(app, locks, cancel))
                async with app.open_async():
                    await self._work(app, locks, cancel)

    async def _work(self, app: App, locks: SessionLocks, cancel: CancelToken) -> None:
        timing = self._timing
        worker = Worker(
            app, [self._own, COMMON], self._name, install_signal_handlers=False, delete_jobs="successful",
            fetch_job_polling_interval=timing.poll, update_heartbeat_interval=timing.heartbeat,
            stalled_worker_timeout=timing.stalled,
        )  # fmt: skip
        stopped = asyncio.create_task(self._stopped.wait())
        tasks = [asyncio.create_task(one) for one in (worker.run(), self._look_after(app, locks, cancel))]  # type: ignore[no-untyped-call]
        log.info("%s: takes jobs of %s", self._name, self._address)
        await asyncio.wait({*tasks, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        cancel.stop()
        worker.stop()  # type: ignore[no-untyped-call]
        for one in await asyncio.gather(*tasks, return_exceptions=True):  # none is cancelled, so that all is given back
            if isinstance(one, Exception):
                raise one
        if not self._stopped.is_set():  # procrastinate ends quietly where it cannot say that it runs
            raise StoreUnavailable(f"the queue in {self._address} was lost")

    def _doing(self, app: App, locks: SessionLocks, cancel: CancelToken) -> Callable[..., Awaitable[None]]:
        async def do(context: JobContext, repository: str) -> None:
            job = IndexJob.of(context.job)
            try:
                leads_to = await asyncio.to_thread(self._reader.done, job, locks, cancel)
            except (psycopg.Error, StoreUnavailable) as error:
                log.warning("%s: %s; it is queued again", repository, self._explained(error))
                with suppress(Stopped):
                    await asyncio.to_thread(cancel.wait, self._timing.retry)
                leads_to = [job]
            except AlmanacError as error:
                log.warning("%s", error)
                raise
            except Exception:  # our own mistake in one repository must not cost others theirs
                log.exception("%s: the job failed", repository)
                raise
            for one in leads_to:
                # A job that is retried keeps its place, and cannot be where one like it waits. So it is put in anew.
                with suppress(AlreadyEnqueued):
                    await app.job_manager.defer_job_async(one.as_job())

        return do

    async def _look_after(self, app: App, locks: SessionLocks, cancel: CancelToken) -> None:
        """See that the locks are held, and that what others left is done by somebody."""
        tidied = -self._timing.tidy
        while not cancel.is_stopped():
            await asyncio.to_thread(locks.now)
            with suppress(StoreBusy):  # another time
                await asyncio.to_thread(self._store.check_schema)
                await asyncio.to_thread(self._store.index_queue.release, COMMON, self._timing.own)
            await self._take_over(app, locks)
            if time.monotonic() - tidied >= self._timing.tidy:
                tidied = time.monotonic()
                await app.job_manager.delete_old_jobs(
                    KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
                )
                await asyncio.to_thread(self._reader.remove_unused_mirrors)
            with suppress(Stopped):
                await asyncio.to_thread(cancel.wait, self._timing.look)

    async def _take_over(self, app: App, locks: SessionLocks) -> None:
        """Queue the jobs of workers that are gone again, for everybody. One worker does so at a time: a second might
        take a job from whoever has begun it since."""
        with locks.tried("stalled jobs") as is_mine:
            if not is_mine:
                return
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._timing.stalled):
                log.warning("%s: its worker is gone, so the job is queued again", job.task_kwargs["repository"])
                try:
                    await app.job_manager.retry_job(job, retry_at=locks.now(), queue=COMMON)
                except UniqueViolation:  # the same is queued already
                    await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)

    def _explained(self, error: Exception) -> BaseException:
        cause = error.__cause__ if isinstance(error, ConnectorException) else error
        return self._store.explained(cause or error)
