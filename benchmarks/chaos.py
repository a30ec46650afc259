"""Questions at several `almanac serve` on one PostgreSQL, while processes are killed or the server is stopped.

    python -m benchmarks.chaos questions --questions 1000 --askers 100
    python -m benchmarks.chaos outages --rounds 20 --seconds 30

Whatever happens, each question is answered once, and acknowledged within the three seconds that Slack waits.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.fleet import Balancer, Serve
from benchmarks.history import write_repository
from benchmarks.timing import ROOT, percentile
from bot.index.concurrency import Concurrency
from bot.index.git import CancelToken
from bot.index.index_all import RepositoryToIndex, index_all
from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.model import BOT_USER_ID, WorkspaceEvent, WorkspaceUser
from storage import Store

sys.path.insert(0, str(ROOT / "tests"))
from postgres import Server, server

ACK_SECONDS = 3.0  # that Slack waits
RETRIES = (0.0, 60.0, 300.0)  # seconds, as Slack's
TEXTS = ("what shipped in december 2024?", "help", "who worked on tests in 2024?", "list the fixes of november 2024")
BETWEEN_SECONDS = 10.0  # two outages
PATIENCE = 420.0  # until what has no answer counts as lost


@dataclass
class Question:
    key: str  # of its answer in the outbox
    channel: str
    at: float
    user: str


@dataclass
class Town:
    """A workspace, a database with an index, and the processes."""

    workspace: ThreadedWorkspace
    balancer: Balancer
    serves: list[Serve]
    postgres: Server
    store: Store
    asked: list[Question] = field(default_factory=list)
    told: list[tuple[float, str, str]] = field(default_factory=list)  # what one person alone is shown: when, who, where
    first: dict[str, float] = field(default_factory=dict)  # when an answer came, by its key
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

        self.workspace._look(look)
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

    def seconds_until_told(self, question: Question) -> float:
        """Until whoever asked was shown the answer, or that there is none yet."""
        told = [at for at, *whom in self.told if at >= question.at and whom == [question.user, question.channel]]
        return min([*told, self.first.get(question.key, float("inf"))]) - question.at


@contextmanager
def town(folder: Path, processes: int, askers: int, slack: float) -> Iterator[Town]:
    repository = write_repository(folder / "made", 400)
    users = [WorkspaceUser(name=f"asker{n}", real_name=f"Asker {n}", email=f"a{n}@example.com") for n in range(askers)]
    with ExitStack() as stack:
        postgres = stack.enter_context(server(max_connections="100", synchronous_commit="on"))
        address = postgres.new_database()
        store = Store(address)
        indexed(store, repository, folder / "mirrors")
        workspace = stack.enter_context(
            ThreadedWorkspace(Workspace(users, ["general", "random"]), ack_timeout=ACK_SECONDS, retry_delays=RETRIES)
        )
        config = f'[[repositories]]\naddress = "{repository}"\nname = "made/up"\n'
        serves = [Serve(folder / f"serve{n}", workspace, address.url, config) for n in range(processes)]
        balancer = Balancer([one.port for one in serves], ACK_SECONDS)
        workspace.server._courier.transport = balancer
        stack.callback(lambda: workspace._run(balancer.stop()))
        for one in serves:
            one.start()
            stack.callback(one.kill)
        for one in serves:
            one.wait()
        made = Town(workspace, balancer, serves, postgres, store)
        workspace.workspace.watch(made.note)
        workspace.faults.next("*", f"delay:{slack}", 10**6)
        yield made


def indexed(store: Store, repository: Path, mirrors: Path) -> None:
    class Quiet:
        def start(self, repository: str, total: int | None) -> None: ...
        def advance(self, repository: str, commits: int) -> None: ...

    tables = [RepositoryToIndex(str(repository), "made/up", None)]
    for _ in index_all(tables, store.commits, mirrors, datetime.now(UTC), Quiet(), Concurrency(CancelToken())):
        pass


@contextmanager
def asking(one: Town, count: int, askers: int, rate: float) -> Iterator[threading.Event]:
    """Meanwhile people ask, so many in a second; the event is set once all have asked."""
    done, dice = threading.Event(), random.Random(1)  # noqa: S311

    def ask() -> None:
        try:
            begun = time.monotonic()
            for number in range(count):
                time.sleep(max(0.0, begun + number / rate - time.monotonic()))
                one.ask(f"U{number % askers + 1:04}", dice)
        finally:
            done.set()

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield done
    finally:
        thread.join()


def settle(one: Town, found: Callable[[], bool]) -> float:
    """Wait until all is answered; returns the seconds."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE and not found():
        time.sleep(0.5)
    return time.monotonic() - began


def report(one: Town, more: dict[str, Any]) -> dict[str, Any]:
    answers = one.answers()
    keys = [question.key for question in one.asked]
    live = [handed for handed in one.balancer.handed if not handed.failure]
    late = [h for h in one.balancer.handed if h.failure == "http_timeout" or h.seconds > ACK_SECONDS]
    states = Counter(
        state for state in ("planned", "sending", "unknown", "failed") for _ in one.store.outbox.in_state(state)
    )
    return {
        "asked": len(keys),
        "answered": sum(answers[key] > 0 for key in keys),
        "twice": sum(count > 1 for count in answers.values()),
        "without a key": answers["None"],
        "told that there is no answer yet": len(one.told),
        "acknowledged late": len(late),
        "handed over again": sum(handed.attempt > 0 for handed in one.balancer.handed),
        "failures": dict(Counter(h.failure for h in one.balancer.handed if h.failure)),
        "acknowledged, p50 ms": round(percentile([h.seconds for h in live], 0.5) * 1000),
        "acknowledged, p99 ms": round(percentile([h.seconds for h in live], 0.99) * 1000),
        "acknowledged, longest ms": round(max(h.seconds for h in live) * 1000),
        "left pending": one.store.pending_events.count(),
        "outbox": dict(states),
        **more,
    }


def questions(folder: Path, count: int, askers: int, rate: float, every: float, slack: float) -> dict[str, Any]:
    """One of three processes is killed every so many seconds, and started again."""
    with town(folder, 3, askers, slack) as one:
        kills = 0
        with asking(one, count, askers, rate) as done:
            while not done.wait(every):
                victim = one.serves[kills % len(one.serves)]
                victim.kill()
                victim.start()
                kills += 1
        seconds = settle(one, lambda: all_answered(one))
        return report(one, {"kills": kills, "seconds until the last answer": round(seconds)})


def outages(folder: Path, rounds: int, seconds: float, askers: int, rate: float, slack: float) -> dict[str, Any]:
    """The server is stopped for some seconds and started again, so many times, while people ask."""
    away = list[tuple[float, float]]()
    with town(folder, 3, askers, slack) as one:
        count = int(rate * rounds * (seconds + BETWEEN_SECONDS))
        with asking(one, count, askers, rate) as done:
            for _ in range(rounds):
                done.wait(BETWEEN_SECONDS)
                began = time.monotonic()
                one.postgres.stop()
                done.wait(seconds)
                one.postgres.start()
                away.append((began, time.monotonic()))
        last = settle(one, lambda: all_answered(one))
        during = [question for question in one.asked if any(began < question.at < ended for began, ended in away)]
        told = [one.seconds_until_told(question) for question in during]
        back = [[q.key for q in during if began < q.at < ended] for began, ended in away]
        slowest = [
            max((one.first.get(key, float("inf")) for key in keys), default=ended) - ended
            for keys, (_, ended) in zip(back, away, strict=True)
        ]
        return report(
            one,
            {
                "outages": rounds,
                "asked meanwhile": len(during),
                "told later than 3 s": sum(s > ACK_SECONDS for s in told),
                "told after, p50 s": percentile(told, 0.5),
                "told after, longest s": max(told),
                "last of them answered after it came back, longest s": max(slowest),
                "seconds until the last answer": round(last),
            },
        )


def all_answered(one: Town) -> bool:
    """And nothing waits any more."""
    answers = one.answers()
    if not all(answers[question.key] for question in one.asked) or one.store.pending_events.count():
        return False
    return not any(one.store.outbox.in_state(state) for state in ("planned", "sending", "unknown"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=["questions", "outages"])
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--askers", type=int, default=100)
    parser.add_argument("--rate", type=float, default=8.0, help="questions a second")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two kills")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0, help="for which the server is stopped")
    parser.add_argument("--slack", type=float, default=0.1, help="seconds that each call of Slack's takes")
    parser.add_argument("--keep", type=Path, help="a folder in which logs are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        if given.campaign == "questions":
            found = questions(folder, given.questions, given.askers, given.rate, given.every, given.slack)
        else:
            found = outages(folder, given.rounds, given.seconds, given.askers, given.rate, given.slack)
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
