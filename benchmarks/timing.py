"""Measuring: A and B in turn, medians, what a process took, and on which machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROUNDS = 5
ROW_SECONDS = 15.0  # after so long no further round of a row is begun
RUN_SECONDS = 900  # what takes longer hangs
ROOT = Path(__file__).parent.parent


def alternate(
    contenders: Mapping[str, Callable[[], float]], rounds: int = ROUNDS, seconds: float = ROW_SECONDS
) -> dict[str, float]:
    """The median of each contender's seconds. They run in turn, so that a busy moment is bad for all of them."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    began = time.monotonic()
    for _ in range(rounds):
        for name, run in contenders.items():
            taken[name].append(run())
        if time.monotonic() - began > seconds:
            break
    return {name: statistics.median(times) for name, times in taken.items()}


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that is not below `part` (0 to 1) of all."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(len(ordered) * part + 0.999_999) - 1))]


def timed(command: Sequence[str | Path], environment: Mapping[str, str]) -> float:
    """The wall time of a command whose output goes nowhere. Raises CalledProcessError if it fails."""
    began = time.perf_counter()
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, env=environment, timeout=RUN_SECONDS
    )
    return time.perf_counter() - began


def surroundings(home: Path | None = None, now: str | None = None) -> dict[str, str]:
    """The environment of a measured process: nobody's settings, this working copy's code, and `home`.

    Byte code is kept, as where Almanac is installed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "ALMANAC_", "SLACK_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    kept |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": str(ROOT)}
    if home:
        kept |= {"ALMANAC_HOME": str(home), "ALMANAC_CONFIG": str(home / "almanac.toml")}
        home.mkdir(parents=True, exist_ok=True)
        (home / "almanac.toml").touch()
    return kept | ({"ALMANAC_NOW": now} if now else {})


def peak_bytes(process: int | str = "self") -> int:
    """The most memory a process had at once, its children apart; 0 where the system does not say.

    Not `ru_maxrss`: that of a process begins with what its parent had when it was forked.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) * 1024 if lines else 0


def drop_caches(*files: Path) -> str:
    """Make the next read come from the disk. Returns how: all of the page cache where root may, else these files."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("1")
        return "page cache dropped"
    except OSError:
        for file in files:
            with file.open("rb") as opened:
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return "the database's pages dropped"


def machine() -> str:
    """This machine in one line."""
    model = platform.processor() or platform.machine()
    try:
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    except OSError:
        pass  # not Linux
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.split()[2]
    return (
        f"{model}, {os.cpu_count()} cores, {memory:.0f} GB; {platform.system()} {platform.release()}, git {git}, "
        f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}"
    )


def say(text: str) -> None:
    """What is being measured, for whoever waits."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)
