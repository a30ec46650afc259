"""Two workers against one, and PostgreSQL against SQLite: `python -m benchmarks.workers [--repositories 200]`.

Small repositories are read from nothing, through mirrors, by one `almanac worker` and by two, in turn, on a private
server with PostgreSQL's own settings of durability; the time runs from the moment at which all jobs are queued, with
workers that wait, until the last repository is read. With `--history` each is also read by `almanac index` into SQLite
and into PostgreSQL.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.history import write_repository
from benchmarks.timing import ROOT, alternate, machine, say, surroundings
from bot.index.jobs import JobQueue
from bot.settings import PostgresAddress
from storage import Store

# As PostgreSQL comes: what is acknowledged is on the disk. Only its size is fitted to a small machine.
SETTINGS = {
    "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "autovacuum": "on",
    "shared_buffers": "128MB", "max_connections": "100",
}  # fmt: skip
SECONDS = 900.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Round:
    """How long it took, and the seconds of processors that workers, with their gits, and the server took."""

    seconds: float
    workers: float
    server: float


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.workers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repositories", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--commits", type=int, default=50, help="of each: %(default)s")
    parser.add_argument("--rounds", type=int, default=3, help="of which the medians are shown: %(default)s")
    parser.add_argument("--history", type=Path, action="append", default=[], help="to read into both databases")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "almanac-bench")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    asked = arguments(given)
    sys.path.append(str(ROOT / "tests"))
    with importlib.import_module("postgres").server(**SETTINGS) as server:
        with psycopg.connect(server.address("postgres").url) as connection:
            version = connection.info.server_version // 10000
        print(f"{machine()}\nPostgreSQL {version}: "
              + ", ".join(f"{name} = {value}" for name, value in SETTINGS.items()))  # fmt: skip
        if asked.repositories:
            shared(asked, server)
        for history in asked.history:
            compared(history, server, asked.rounds)


def shared(asked: argparse.Namespace, server: Any) -> None:
    """One worker against two."""
    say(f"making {asked.repositories} repositories")
    folders = [
        write_repository(asked.cache / f"small-{asked.commits}-{number}.git", asked.commits, number)
        for number in range(asked.repositories)
    ]
    rounds: dict[int, list[Round]] = {1: [], 2: []}
    for _ in range(asked.rounds):
        for workers, found in rounds.items():
            found.append(taken(folders, workers, server))
            say(f"{workers} at work: {found[-1].seconds:.1f} s")
    median = {workers: statistics.median(one.seconds for one in found) for workers, found in rounds.items()}
    for workers, found in rounds.items():
        busy, server_busy = (
            statistics.median(values) for values in zip(*((one.workers, one.server) for one in found), strict=True)
        )
        print(
            f"{asked.repositories} repositories of {asked.commits} commits, {workers} at work: {median[workers]:.1f} s "
            f"(processors: workers and git {busy:.1f} s, server {server_busy:.1f} s)"
        )
    print(f"two workers against one: {median[1] / median[2]:.2f} ×")


def taken(folders: Sequence[Path], workers: int, server: Any) -> Round:
    """One round on a new database, with new homes."""
    address: PostgresAddress = server.new_database()
    store = Store(address)
    names = [folder.stem for folder in folders]
    postmaster = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
    with tempfile.TemporaryDirectory(prefix="almanac-workers-") as home, contextlib.ExitStack() as stack:
        running = [stack.enter_context(working(Path(home) / str(number), folders, address))
                   for number in range(workers)]  # fmt: skip
        _until(lambda: JobQueue(store).state().workers == workers)
        before = _cpu_below(postmaster)
        began = time.perf_counter()
        JobQueue(store).request(names, urgent=False)
        _until(lambda: _is_idle(JobQueue(store)))
        seconds = time.perf_counter() - began
        cpu = sum(_cpu(one.pid) for one in running)
        server_cpu = _cpu_below(postmaster) - before
    unread = [
        name for name in names if name not in {one.name for one in store.commits.repositories() if one.indexed_at}
    ]
    if unread:
        raise RuntimeError(f"not read: {', '.join(unread)}")
    return Round(seconds, cpu, server_cpu)


@contextlib.contextmanager
def working(home: Path, folders: Sequence[Path], address: PostgresAddress) -> Iterator[subprocess.Popen[bytes]]:
    environment = surroundings(home) | {"ALMANAC_DB": address.url}
    tables = [f'[[repositories]]\naddress = "file://{folder}"\nname = "{folder.stem}"\n' for folder in folders]
    (home / "almanac.toml").write_text("".join(tables))
    with (home / "log").open("wb") as log:
        command = [sys.executable, "-m", "bot", "worker"]
        process = subprocess.Popen(command, env=environment, stderr=log, cwd=home)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def compared(history: Path, server: Any, rounds: int) -> None:
    """`almanac index` into SQLite and into PostgreSQL, names, full text and lines."""
    with tempfile.TemporaryDirectory(prefix="almanac-engines-") as folder:

        def read(name: str, database: str | None) -> float:
            home = Path(folder) / name
            shutil.rmtree(home, ignore_errors=True)
            environment = surroundings(home) | ({"ALMANAC_DB": database} if database else {})
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "bot", "index", history], env=environment, check=True, capture_output=True
            )
            return time.perf_counter() - began

        median = alternate(
            {
                "SQLite": lambda: read("sqlite", None),
                "PostgreSQL": lambda: read("postgres", server.new_database().url),
            },
            rounds,
            SECONDS,
        )
    print(f"{history}: SQLite {median['SQLite']:.1f} s, PostgreSQL {median['PostgreSQL']:.1f} s, "
          f"{median['PostgreSQL'] / median['SQLite']:.2f} ×")  # fmt: skip


def _is_idle(queue: JobQueue) -> bool:
    state = queue.state()
    return not state.waiting and not state.running


def _until(is_so: Any) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"it did not come to pass within {SECONDS:.0f} s")
        time.sleep(0.1)


def _cpu(process: int) -> float:
    """The seconds of processors that a process took, and those of its children that have ended."""
    values = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, values[11:15])) / TICKS


def _cpu_below(process: int) -> float:
    """The same with its children that run."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    found = _cpu(process)
    for child in children:
        with contextlib.suppress(OSError):  # it has ended
            found += _cpu(int(child))
    return found


if __name__ == "__main__":
    os.environ.pop("GIT_DIR", None)
    main()
