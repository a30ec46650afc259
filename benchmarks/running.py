"""Starting `almanac` as a user does, and watching what it says and takes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from benchmarks.timing import ROOT, RUN_SECONDS, peak_bytes, surroundings

_NAMES_READ = re.compile(r": [\d,]+ commits?, [\d,]+ new")  # the line that `almanac index` prints then


@dataclass(frozen=True, slots=True)
class Run:
    """One `almanac index`: seconds until the names were read and until its end, and what the process took."""

    names: float
    whole: float
    peak: int  # bytes of the process itself
    own: float = 0.0  # seconds of processor time of the process itself,
    gits: float = 0.0  # and of the gits it started
    failed: bool = False


def program(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def index(
    home: Path,
    repositories: Sequence[Path],
    *,
    only_names: bool = False,
    gits: int | None = None,
    failing: bool = False,
) -> Run:
    """Index repositories into a home. With `only_names` it is ended once the names of all are read; a run that
    ends with an error is one only if `failing` is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        took = Path(folder) / "took"
        environment = surroundings(home) | {"BENCH_TOOK": str(took)} | ({"BENCH_GITS": str(gits)} if gits else {})
        began = time.perf_counter()
        names, missing, peak = 0.0, len(repositories), 0
        with started(program("benchmarks.child", "index", *map(str, repositories)), environment) as process:
            for line in _lines(process):
                missing -= bool(_NAMES_READ.search(line))
                if not missing and not names:
                    names, peak = time.perf_counter() - began, peak_bytes(process.pid)
                    if only_names:
                        return Run(names, names, peak)
            status = process.wait(RUN_SECONDS)
        whole = time.perf_counter() - began
        if not names or (status and not failing):
            raise RuntimeError(f"almanac index {' '.join(map(str, repositories))[:300]} ended with {status}")
        said = json.loads(took.read_text())
        return Run(names, whole, max(peak, said["peak"]), said["own"], said["gits"], bool(status))


def ask(home: Path, mode: str, given: object = None, now: str | None = None) -> Any:
    """The answer of `benchmarks.asking`."""
    command = program("benchmarks.asking", mode, json.dumps(given))
    environment = surroundings(home, now)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment, timeout=RUN_SECONDS, cwd=home)
    return json.loads(done.stdout)


@contextlib.contextmanager
def asker(home: Path, mode: str, given: object, now: str | None = None) -> Iterator[subprocess.Popen[str]]:
    """`benchmarks.asking`, once it is ready."""
    with started(program("benchmarks.asking", mode, json.dumps(given)), surroundings(home, now)) as process:
        if heard(process) != "ready":
            raise RuntimeError(f"benchmarks.asking {mode} did not get ready")
        yield process


def heard(process: subprocess.Popen[str]) -> Any:
    """The next thing a process says."""
    line = _stdout(process).readline()
    if not line:
        raise RuntimeError("a measured process ended without an answer")
    return json.loads(line)


def told(process: subprocess.Popen[str]) -> None:
    """Let a process that waits go on."""
    if process.stdin:
        process.stdin.write("go\n")
        process.stdin.flush()


@contextlib.contextmanager
def started(command: Sequence[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process, ended with all that it started when this is left."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        cwd=ROOT, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    yield from _stdout(process)


def _stdout(process: subprocess.Popen[str]) -> IO[str]:
    if process.stdout is None:
        raise RuntimeError("a measured process has no standard output")
    return process.stdout
