"""A workspace whose people ask three `almanac serve` on one PostgreSQL, or one on SQLite, and the index of both."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.fleet import SECRET, Balancer, Process, free_port, wait_for
from benchmarks.timing import ROOT
from bot import http_server
from bot.index.indexing import Indexing
from bot.index.places import place
from bot.workspace import Workspace
from bot.workspace.state import BOT_USER_ID, WorkspaceEvent, WorkspaceUser
from storage import Store

sys.path.insert(0, str(ROOT / "tests"))
from faulty_slack import ANY, FaultyWorkspace
from postgres import Server, server

ACK_SECONDS = 3.0  # that Slack waits
RETRIES = (0.0, 60.0, 300.0)  # seconds, as Slack's
TEXTS = ("what shipped in december 2024?", "help", "who worked on tests in 2024?", "list the fixes of november 2024")
http_server.MOST_CONNECTIONS = 4096  # of the workspace: Slack does not run out of them
http_server.BACKLOG = 1024
STALL_SECONDS = 0.05
MOST_CALLS = 50_000  # of Slack's that take their time


@dataclass
class Question:
    key: str  # of its answer in the outbox
    channel: str
    at: float
    user: str


@dataclass
class Town:
    """A workspace, a database with an index, and the processes."""

    workspace: FaultyWorkspace
    balancer: Balancer
    processes: list[Process]
    postgres: Server
    store: Store
    asked: list[Question] = field(default_factory=list)
    told: list[tuple[float, str, str]] = field(default_factory=list)  # what one person alone is shown: when, who, where
    first: dict[str, float] = field(default_factory=dict)  # when an answer came, by its key
    stalls: list[float] = field(default_factory=list)  # seconds for which the workspace itself got no processor
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, user: str, dice: random.Random) -> None:
        team = self.workspace.workspace
        direct = dice.random() < 0.5
        channel = team.channel(user if direct else dice.choice(["general", "random"]))
        if channel is None:
            raise LookupError(user)
        text = dice.choice(TEXTS)
        at = time.monotonic()
        ts = self.workspace.say(user, channel.id, text if direct else f"@Almanac {text}")
        with self._lock:
            self.asked.append(Question(f"answer|{team.team_id}|{channel.id}|{ts}", channel.id, at, user))

    def answers(self) -> Counter[str]:
        """How often each answer, and each of its parts, stands in the workspace."""
        found: Counter[str] = Counter()

        def look() -> None:
            for message in self.workspace.workspace:
                if message.json.get("user") == BOT_USER_ID and not message.only_for:
                    found[str(((message.metadata or {}).get("event_payload") or {}).get("key"))] += 1

        self.workspace.in_thread(look)
        return found

    def note(self, change: WorkspaceEvent) -> None:
        if change.type != "message" or change.message.get("user") != BOT_USER_ID:
            return
        if change.only_for:
            self.told.append((time.monotonic(), change.only_for, change.channel))
        else:
            found = self.workspace.workspace.find(change.channel, change.message["ts"])
            key = ((found and found.metadata) or {}).get("event_payload", {}).get("key")
            self.first.setdefault(str(key), time.monotonic())

    async def watch_stalls(self) -> None:
        """What is measured here is late by so much itself."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(STALL_SECONDS)
            self.stalls.append(time.monotonic() - began - STALL_SECONDS)

    def seconds_until_told(self, question: Question) -> float:
        """Until whoever asked was shown the answer, or that there is none yet."""
        told = [at for at, *whom in self.told if at >= question.at and whom == [question.user, question.channel]]
        return min([*told, self.first.get(question.key, float("inf"))]) - question.at


async def _started(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    return asyncio.create_task(work)


@contextmanager
def town(
    folder: Path,
    repositories: Sequence[Path],
    askers: int,
    slack: float,
    *,
    workers: int | None = None,
    sqlite: bool = False,
) -> Iterator[Town]:
    """Three serve, or on SQLite one; with a number of workers, all of them are quick."""
    users = [WorkspaceUser(name=f"asker{n}", real_name=f"Asker {n}", email=f"a{n}@example.com") for n in range(askers)]
    tables = [f'[[repositories]]\naddress = "{one}"\nname = "made/{one.name}"\n' for one in repositories]
    with ExitStack() as stack:
        postgres = stack.enter_context(server(max_connections="100", synchronous_commit="on"))
        address = folder / "almanac.db" if sqlite else postgres.new_database()
        store = Store(address)
        indexed(store, repositories, folder / "mirrors")
        workspace = stack.enter_context(
            FaultyWorkspace(Workspace(users, ["general", "random"]), ack_timeout=ACK_SECONDS, retry_delays=RETRIES)
        )
        ports = [free_port() for _ in range(1 if sqlite else 3)]
        balancer = Balancer(ports, ACK_SECONDS)
        workspace.deliver_by(balancer)
        stack.callback(lambda: workspace.run(balancer.stop()))
        environment = {
            "ALMANAC_DB": getattr(address, "url", str(address)), "HOST": "127.0.0.1",
            "SLACK_API_URL": workspace.api_url,
            "SLACK_BOT_TOKEN": workspace.workspace.bot_token, "SLACK_SIGNING_SECRET": SECRET,
        }  # fmt: skip
        processes = list[Process]()
        for name, port in [
            *((f"serve{port}", port) for port in ports),
            *((f"worker{n}", 0) for n in range(workers or 0)),
        ]:
            home = folder / name
            home.mkdir(parents=True)
            (home / "almanac.toml").write_text("refresh_minutes = 1\n" + "".join(tables))
            what = "serve" if port else "worker"
            one = Process(home, what, environment | {"PORT": str(port)}, quick=workers is not None)
            stack.callback(one.end)
            one.start()
            processes.append(one)
        for port in ports:
            wait_for(port)
        made = Town(workspace, balancer, processes, postgres, store)
        workspace.workspace.watch(made.note)
        stalls = workspace.run(_started(made.watch_stalls()))
        stack.callback(lambda: workspace.in_thread(stalls.cancel))
        workspace.faults.next(ANY, f"delay:{slack}", MOST_CALLS)
        yield made


def indexed(store: Store, repositories: Sequence[Path], mirrors: Path) -> None:
    class Quiet:
        def start(self, repository: str, total: int | None) -> None: ...
        def advance(self, repository: str, commits: int) -> None: ...

    made = [place(str(one), f"made/{one.name}") for one in repositories]
    for _ in Indexing(store.commits, mirrors, datetime.now(UTC), Quiet()).all(made):
        pass
