"""Several `almanac serve` on one database behind a balancer, for campaigns: they are killed, and the server is stopped.

a person ──asks──▶ the local workspace ──Balancer, in turn──▶ serve 1, 2, 3 ──▶ PostgreSQL
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import ROOT
from bot.workspace import ThreadedWorkspace
from bot.workspace.courier import DeliveryResult, Kind
from bot.workspace.http_mode import HttpMode
from bot.workspace.model import Json

SECRET = "a made-up signing secret"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Handed:
    """One attempt at handing a delivery to a process: when, by the monotonic clock, and for how many seconds."""

    event: str
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
        event = str(payload.get("event_id", ""))
        self.handed.append(Handed(event, attempt, began, time.monotonic() - began, reply.failure))
        return reply

    async def stop(self) -> None:
        for way in self._ways:
            await way.stop()


class Serve:
    """`almanac serve` by HTTP, with a home of its own, as on a host of its own."""

    def __init__(self, folder: Path, workspace: ThreadedWorkspace, database: str, config: str) -> None:
        self.port = free_port()
        self._folder = folder
        self.log = folder / "log"
        folder.mkdir(parents=True)
        (folder / "almanac.toml").write_text(config)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "ALMANAC_", "SLACK_"))}
        self._environment = kept | {
            "PYTHONPATH": str(ROOT), "ALMANAC_HOME": str(folder), "ALMANAC_CONFIG": str(folder / "almanac.toml"),
            "ALMANAC_DB": database, "SLACK_API_URL": workspace.api_url, "HOST": "127.0.0.1", "PORT": str(self.port),
            "SLACK_BOT_TOKEN": workspace.workspace.bot_token, "SLACK_SIGNING_SECRET": SECRET,
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "bot", "serve"]
            self._process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log, cwd=self._folder)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def wait(self, seconds: float = 60.0) -> None:
        """Until it takes requests."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
                return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(f"serve did not start; see {self.log}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
