"""What `almanac doctor` says of workers and their queue, where the database is PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

from bot.database import PostgresAddress
from bot.doctor_findings import Finding, ok, trouble
from bot.story.wording import count
from storage import Store

LONG = 3600.0  # seconds that no job should wait


def workers(store: Store | None) -> Iterator[Finding]:
    """Whether workers run, and keep up."""
    if store is None or not isinstance(store.database, PostgresAddress):
        return
    found = store.index_queue.state()
    waiting = f"{count(found.waiting, 'job')} waiting"
    if found.waiting:
        waiting += f", the oldest for {_time(found.oldest_seconds)}"
    if found.put_off:
        waiting += f", {found.put_off:,} put off until a server answers"
    if not found.workers:
        yield trouble("workers", f"none runs, so no repository is read: start `almanac worker` ({waiting})")
    elif found.oldest_seconds > LONG:
        yield trouble("workers", f"{found.workers:,} running, which is too few: start more ({waiting})")
    else:
        yield ok("workers", f"{found.workers:,} running; {waiting}")
    if found.failed:
        failed = f"{count(found.failed, 'job')} failed within a day"
        yield trouble("workers", f"{failed}: the logs of the workers say why; is almanac.toml the same on every host?")


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if seconds < 120 else f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
