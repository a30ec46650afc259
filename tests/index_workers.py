"""Workers of a test's own: in this process, or in one that can be killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from waiting import wait_until

from bot.index.jobs import IndexWorker, JobQueue, Timing
from bot.settings import PostgresAddress, RepositorySettings, Settings
from bot.workspace.server import PATIENCE
from storage import Store
from storage.commits import Commits

# A busy machine holds up the signs of life too, so only where a worker dies is it soon taken for dead.
SOON = Timing(
    heartbeat=0.2, stalled=240.0, look=0.1, poll=0.1, slice=0.2, retry=0.1, first_back_off=0.2, longest_back_off=0.4,
    cancel=1.0,
)  # fmt: skip


def settings_of(address: PostgresAddress, home: Path, repositories: Mapping[str, str | Path]) -> Settings:
    """What a worker is told: its home, and the addresses or paths of repositories by their names."""
    tables = [RepositorySettings(address=str(where), name=name) for name, where in repositories.items()]
    return Settings(home=home, db=address, repositories=tables)


@contextmanager
def working(settings: Settings, store: Store, timing: Timing = SOON) -> Iterator[IndexWorker]:
    """A worker that takes jobs inside the block, in a thread; it runs when the block begins, unless it cannot. What it
    raises is raised at the end."""
    assert isinstance(settings.database, PostgresAddress)
    before = JobQueue(store).state().workers
    raised: list[BaseException] = []
    ready = threading.Event()
    made: list[tuple[IndexWorker, asyncio.AbstractEventLoop]] = []

    async def run() -> None:
        worker = IndexWorker(settings, store, timing)
        made.append((worker, asyncio.get_running_loop()))
        ready.set()
        await worker.run()

    def thread() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            raised.append(error)

    running = threading.Thread(target=thread, name="worker")
    running.start()
    assert ready.wait(PATIENCE)
    worker, loop = made[0]
    wait_until(lambda: not running.is_alive() or JobQueue(store).state().workers > before)
    try:
        yield worker
    finally:
        if running.is_alive():
            loop.call_soon_threadsafe(worker.stop)
        running.join(PATIENCE)
        assert not running.is_alive()
    if raised:
        raise raised[0]


@contextmanager
def process(settings: Settings, timing: Timing = SOON, *, pauses: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process of its own, which is killed at the end if it still runs. One that pauses goes on after the
    first commits that it stores only when it is told to end."""
    assert isinstance(settings.database, PostgresAddress)
    given = {
        "url": settings.database.url, "home": str(settings.home), "timing": asdict(timing),
        "pauses": pauses,
        "repositories": {table.name: table.address for table in settings.repositories},
    }  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    one = subprocess.Popen([sys.executable, __file__, json.dumps(given)], env=environment, process_group=0)
    try:
        yield one
    finally:
        one.kill()
        one.wait()


def stored(store: Store, names: Sequence[str]) -> dict[str, int]:
    """How many commits are stored of each repository, once it was read to its end."""
    known = {one.name: one for one in store.commits.repositories()}
    return {name: store.commits.count(name) for name in names if name in known and known[name].indexed_at}


def _process(given: Any) -> None:
    address = PostgresAddress(given["url"])
    settings = settings_of(address, Path(given["home"]), given["repositories"])

    ended = threading.Event()

    def stored_and_paused(commits: Commits, *rows: Any) -> int:
        added = store(commits, *rows)
        ended.wait()
        return added

    def end(worker: IndexWorker) -> None:
        worker.stop()
        ended.set()

    async def run() -> None:
        worker = IndexWorker(settings, Store(address), Timing(**given["timing"]))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end, worker)
        await worker.run()

    store = Commits.add
    if given["pauses"]:
        Commits.add = stored_and_paused  # type: ignore[method-assign, assignment]
    asyncio.run(run())


if __name__ == "__main__":
    _process(json.loads(sys.argv[1]))
