"""Questions at several `almanac serve` on one PostgreSQL, while processes are killed or the server is stopped; while
processes are killed, also at one on SQLite.

    python -m benchmarks.chaos questions --questions 1000 --askers 100
    python -m benchmarks.chaos outages --rounds 20 --seconds 30
    python -m benchmarks.chaos digests --rounds 200

Whatever happens, each question is answered once, and acknowledged within the three seconds that Slack waits, each
digest is posted once, and the index is as if nothing had happened.
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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import rewriting
from benchmarks.history import write_repository
from benchmarks.timing import percentile
from benchmarks.town import ACK_SECONDS, Town, town

PATIENCE = 420.0  # until what has no answer counts as lost


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
    taken = {handed.message for handed in live}
    lost = [key for key in keys if not answers[key] and key.split("|", 2)[2] in taken]
    states = Counter(
        state for state in ("planned", "sending", "unknown", "failed") for _ in one.store.outbox.in_state(state)
    )
    return {
        "asked": len(keys),
        "answered": sum(answers[key] > 0 for key in keys),
        "acknowledged and not answered": len(lost),
        "never delivered, for all attempts met dead processes": sum(key.split("|", 2)[2] not in taken for key in keys),
        "twice": sum(count > 1 for count in answers.values()),
        "without a key": answers["None"],
        "told that there is no answer yet": len(one.told),
        "acknowledged late": len(late),
        "handed over again": sum(handed.attempt > 0 for handed in one.balancer.handed),
        "failures": dict(Counter(h.failure for h in one.balancer.handed if h.failure)),
        "acknowledged, p50 ms": round(percentile([h.seconds for h in live], 0.5) * 1000),
        "acknowledged, p99 ms": round(percentile([h.seconds for h in live], 0.99) * 1000),
        "acknowledged, longest ms": round(max(h.seconds for h in live) * 1000),
        "longest stall of the measuring process, ms": round(max(one.stalls, default=0.0) * 1000),
        "left pending": one.store.pending_events.count(),
        "outbox": dict(states),
        **more,
    }


def questions(
    folder: Path,
    count: int,
    askers: int,
    rate: float,
    every: float,
    slack: float,
    *,
    sqlite: bool = False,
    quick: bool = False,
) -> dict[str, Any]:
    """One of three processes, on SQLite the only one, is killed every so many seconds, and started again; a quick one
    is there again at once, so that what a kill meets is at work."""
    workers = 0 if quick else None
    with town(folder, [write_repository(folder / "made", 400)], askers, slack, workers=workers, sqlite=sqlite) as one:
        kills = 0
        with asking(one, count, askers, rate) as done:
            while not done.wait(every):
                one.processes[kills % len(one.processes)].kill()
                kills += 1
        seconds = settle(one, lambda: all_answered(one))
        return report(one, {"kills": kills, "seconds until the last answer": round(seconds)})


@contextmanager
def away(one: Town, how: str) -> Iterator[None]:
    """The server is away: stopped; frozen, so that it answers nothing and closes nothing; or it ends all connections
    once, as one does that another takes the place of."""
    postgres = one.postgres
    if how == "cut":
        postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'almanac%'")
        yield
        return
    (postgres.stop if how == "stop" else postgres.freeze)()
    try:
        yield
    finally:
        (postgres.start if how == "stop" else postgres.thaw)()


def outages(
    folder: Path, rounds: int, seconds: float, between: float, how: list[str], askers: int, rate: float, slack: float
) -> dict[str, Any]:
    """The server is away for some seconds, so many times, in one of these ways after the other, while people ask."""
    gone = list[tuple[float, float]]()
    with town(folder, [write_repository(folder / "made", 400)], askers, slack) as one:
        count = int(rate * rounds * (seconds + between))
        with asking(one, count, askers, rate) as done:
            for number in range(rounds):
                done.wait(between)
                began = time.monotonic()
                with away(one, how[number % len(how)]):
                    done.wait(seconds)
                gone.append((began, time.monotonic()))
        last = settle(one, lambda: all_answered(one))
        during = [question for question in one.asked if any(began < question.at < ended for began, ended in gone)]
        told = [one.seconds_until_told(question) for question in during]
        back = [[q.key for q in during if began < q.at < ended] for began, ended in gone]
        slowest = [
            max((one.first.get(key, float("inf")) for key in keys), default=ended) - ended
            for keys, (_, ended) in zip(back, gone, strict=True)
        ]
        return report(
            one,
            {
                "outages": rounds,
                "asked meanwhile": len(during),
                "never told": told.count(float("inf")),
                "told later than 3 s": sum(s > ACK_SECONDS for s in told),
                "told after, p50 s": percentile(told, 0.5),
                "told after, longest s": max(told),
                "last of them answered after it came back, longest s": max(slowest),
                "seconds until the last answer": round(last),
            },
        )


def digests(folder: Path, rounds: int, workers: int, slack: float) -> dict[str, Any]:
    """Three serve and two workers are killed at random while digests are due and histories are rewritten."""
    repositories = rewriting.made(folder, 3)
    with town(folder, repositories, 1, slack, workers=workers) as one:
        return rewriting.rounds(one, repositories, rounds, folder)


def all_answered(one: Town) -> bool:
    """And nothing waits any more."""
    answers = one.answers()
    if not all(answers[question.key] for question in one.asked) or one.store.pending_events.count():
        return False
    return not any(one.store.outbox.in_state(state) for state in ("planned", "sending", "unknown"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=["questions", "outages", "digests"])
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--askers", type=int, default=100)
    parser.add_argument("--rate", type=float, default=8.0, help="questions a second")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two kills")
    parser.add_argument("--sqlite", action="store_true", help="the questions at one process on SQLite")
    parser.add_argument("--quick", action="store_true", help="the questions at processes that start at once")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30.0, help="for which the server is stopped")
    parser.add_argument("--between", type=float, default=20.0, help="seconds between two of these")
    parser.add_argument("--how", choices=["stop", "freeze", "cut"], nargs="+", default=["stop"], help="it is away")
    parser.add_argument("--slack", type=float, default=0.1, help="seconds that each call of Slack's takes")
    parser.add_argument("--keep", type=Path, help="a folder in which logs are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        if given.campaign == "questions":
            asked = (given.questions, given.askers, given.rate, given.every, given.slack)
            found = questions(folder, *asked, sqlite=given.sqlite, quick=given.quick)
        elif given.campaign == "digests":
            found = digests(folder, given.rounds, given.workers, given.slack)
        else:
            away_for = (given.rounds, given.seconds, given.between, given.how)
            found = outages(folder, *away_for, given.askers, given.rate, given.slack)
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
