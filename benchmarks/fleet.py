"""Several `almanac serve` on one database behind a balancer, for campaigns: they are killed, and the server is stopped.

a person ──asks──▶ the local workspace ──Balancer, in turn──▶ serve 1, 2, 3 ──▶ PostgreSQL
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import ROOT
from bot.workspace.delivery import DeliveryResult, Kind
from bot.workspace.state import Json

sys.path.append(str(ROOT / "tests"))
from faulty_slack import HttpMode

SECRET = "a made-up signing secret"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Handed:
    """One attempt at handing a delivery to a process: when, by the monotonic clock, and for how many seconds."""

    message: str  # the channel and the ts of what somebody said
    attempt: int
    at: float
    seconds: float
    failure: str


class Balancer:
    """Hands deliveries to the processes in turn, whether they live or not, as a balancer without health checks does.
    What fails is delivered again by the workspace, as by Slack, and so comes to the next."""

    def __init__(self, ports: Sequence[int], seconds: float) -> None:
        self._ways = [HttpMode(f"http://127.0.0.1:{port}/slack/events", SECRET, seconds) for port in ports]
        self._next = 0
        self.handed: list[Handed] = []

    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        way = self._ways[self._next % len(self._ways)]
        self._next += 1
        began = time.monotonic()
        reply = await way.send(kind, payload, attempt, reason)
        event = payload.get("event", {})
        message = f"{event.get('channel')}|{event.get('ts')}"
        self.handed.append(Handed(message, attempt, began, time.monotonic() - began, reply.failure))
        return reply

    async def stop(self) -> None:
        for way in self._ways:
            await way.stop()


class Process:
    """`almanac serve` or `almanac worker`, with a home of its own, as on a host of its own. A `quick` one is that of
    benchmarks/quick.py, which is there again as soon as it is killed."""

    def __init__(self, folder: Path, what: str, environment: dict[str, str], *, quick: bool = False) -> None:
        self._folder = folder
        self._quick = quick
        self._command = [sys.executable, "-m", "benchmarks.quick" if quick else "bot", what]
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "ALMANAC_", "SLACK_"))}
        own = {"ALMANAC_HOME": str(folder), "ALMANAC_CONFIG": str(folder / "almanac.toml"), "PYTHONPATH": str(ROOT)}
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self._environment = kept | git | own | environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [*(["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []), *self._command]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, env=self._environment, stdout=log, stderr=log, cwd=self._folder, start_new_session=True
            )

    def kill(self) -> None:
        """As the kernel does; whoever looks after it starts it again."""
        if self._quick:
            with suppress(OSError, ValueError):  # it is just being started
                os.kill(int((self._folder / "child").read_text()), signal.SIGKILL)
        else:
            self.end()
            self.start()

    def end(self) -> None:
        if self._process:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(60)
            self._process = None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 60.0) -> None:
    """Until somebody takes requests there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nobody listens on port {port}")
