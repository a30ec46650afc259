"""`almanac worker`: takes index jobs until it is ended."""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

from bot.database import PostgresAddress
from bot.errors import AlmanacError, log_to_stderr
from bot.index.places import one_line
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)


def work(settings: Settings, name: str | None) -> None:
    """Work until SIGINT or SIGTERM. Until 0.2.0 a worker had a `name`, by which it was known again."""
    address = settings.database
    if not isinstance(address, PostgresAddress):
        raise AlmanacError(
            "workers need PostgreSQL, for SQLite's file is read by one machine: name a server in ALMANAC_DB, or run "
            "`almanac serve`, which reads the repositories itself"
        )
    if not settings.repositories:
        raise AlmanacError("there is nothing to read: list [[repositories]] in almanac.toml, the same on every host")
    store = Store(address, dates=settings.dates)
    from bot.index.jobs import IndexWorker  # once it is known that what it takes is installed

    log_to_stderr()
    # What they say of jobs and of lost connections the worker says itself, in one line.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_without_jobs)

    async def run() -> None:
        worker = IndexWorker(settings, store)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_in_one_line)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, worker.stop)
        await worker.run()
        log.info("stopped")

    asyncio.run(run())


def _without_jobs(record: logging.LogRecord) -> bool:
    """Of procrastinate, why it ends by itself, in one line."""
    if record.name.startswith("procrastinate"):
        record.exc_info = None
        return getattr(record, "action", "") == "side_task_failed"
    return True


def _in_one_line(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A job whose end cannot be written down, since the database is lost, is taken over later."""
    log.warning("%s", one_line(" ".join(f"{context['message']}: {context.get('exception')}".split())))
