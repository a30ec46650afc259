"""The rows about indexing: git's own time and Almanac's over the same history, in turn."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.filled import size_of
from benchmarks.report import Row, at_most, duration, megabytes
from benchmarks.running import Run, ask, asker, heard, index, program, started, told
from benchmarks.timing import ROOT, ROUNDS, alternate, say, surroundings, timed
from bot.index.gitlog import FORMAT

START = 0.6  # seconds that Python's start may take
PEAK, BYTES = 150e6, 1200


@dataclass
class History:
    """A repository to measure on, and what was found there."""

    name: str
    path: Path
    commits: int
    home: Path  # one in which it is indexed
    headers: float = 0.0
    raw: float = 0.0
    names: float = 0.0
    numstat: float = 0.0
    run: Run | None = None
    peak: int = 0
    bytes: float = 0.0
    month: dict[str, Any] = field(default_factory=dict)

    @property
    def on(self) -> str:
        return f"{self.name}, {self.commits:,} commits"


def opened(path: Path, homes: Path) -> History:
    """A history, its names indexed once so that it is known what to ask for."""
    git = ["git", "-C", str(path), "rev-list", "--count", "HEAD"]
    count = subprocess.run(git, capture_output=True, text=True, check=True, env=surroundings()).stdout
    parts = [part for part in path.parts if part not in ("/", ".git", "repo")]
    name = parts[-1].removesuffix(".git").replace("+", "/")
    say(f"{name}: a first index, to know what to ask for")
    home = homes / name.replace("/", "-")
    index(home, [path], only_names=True)
    return History(name, path, int(count), home, month=ask(home, "newest"))


def git_log(history: History, *options: str) -> Callable[[], float]:
    """git's own time for the facts that Almanac reads."""
    command = ["git", "-C", str(history.path), "log", "-z", FORMAT, *options]
    return lambda: timed(command, surroundings())


def fresh(history: History, keep: list[Run], homes: Path, **wanted: Any) -> Callable[[], float]:
    """An index from nothing. The homes are removed, all but the last."""

    def run() -> float:
        home = homes / "fresh"
        shutil.rmtree(home, ignore_errors=True)
        keep.append(index(home, [history.path], **wanted))
        return keep[-1].whole

    return run


def first_month(history: History, homes: Path, *, command: bool) -> Callable[[], float]:
    """From the start of `almanac index` on an empty home until the month is told, with all of its commits.

    Either by a bot that was running already, or by `almanac month`, started as soon as the commits are there.
    """
    month = history.month

    def run() -> float:
        home = homes / "fresh"
        shutil.rmtree(home, ignore_errors=True)
        with asker(home, "wait", month) as waiting:
            told(waiting)
            began = time.perf_counter()
            with started(program("benchmarks.child", "index", str(history.path)), surroundings(home)):
                heard(waiting)  # that the commits are there
                while command and _told_by_command(home, month) < month["commits"]:
                    time.sleep(0.01)
                if not command:
                    heard(waiting)
                return time.perf_counter() - began

    return run


def _told_by_command(home: Path, month: dict[str, Any]) -> int:
    command = [sys.executable, "-m", "bot", "month", month["person"], month["month"], "--format", "json"]
    done = subprocess.run(command, capture_output=True, check=False, env=surroundings(home), cwd=ROOT)
    return int(json.loads(done.stdout)["counts"]["commits"]) if not done.returncode else 0


# --- rows


def first_month_rows(history: History, homes: Path, rounds: int = ROUNDS) -> list[Row]:
    say(f"{history.name}: first month")
    bot, command = first_month(history, homes, command=False), first_month(history, homes, command=True)
    median = alternate({"git": git_log(history), "bot": bot, "command": command}, rounds)
    history.headers = median["git"]
    allowed = 2.5 * history.headers + START
    target = f"≤ 2.5 × git log ({duration(history.headers)}) + 0.6 s = {duration(allowed)}"
    return [
        Row(what, history.on, target, duration(taken), f"{taken / history.headers:.1f} ×",
            at_most(taken, allowed))
        for what, taken in (
            ("first month from nothing, a bot running", median["bot"]),
            ("first month from nothing, two commands", median["command"]),
        )
    ]  # fmt: skip


def names_rows(history: History, homes: Path, rounds: int = ROUNDS) -> list[Row]:
    say(f"{history.name}: names and full text")
    runs: list[Run] = []
    indexed = fresh(history, runs, homes, only_names=True)
    median = alternate({"git": git_log(history, "--raw"), "almanac": indexed}, rounds)
    history.raw, history.names = median["git"], median["almanac"]
    history.peak = max(history.peak, *(run.peak for run in runs))
    history.bytes = size_of(homes / "fresh" / "almanac.db") / history.commits
    allowed = 2 * history.raw + START
    return [
        Row(
            "whole index with file names and full text",
            history.on,
            f"≤ 2 × git log --raw ({duration(history.raw)}) + 0.6 s = {duration(allowed)}",
            duration(history.names),
            f"{history.names / history.raw:.1f} ×",
            at_most(history.names, allowed),
        )
    ]


def lines_rows(history: History, homes: Path, rounds: int = ROUNDS) -> list[Row]:
    say(f"{history.name}: line counts")
    what = "whole index with line counts, {}"
    ones: list[Run] = []
    twos: list[Run] = []
    try:
        median = alternate(
            {
                "git": git_log(history, "--numstat"),
                "one": fresh(history, ones, homes, gits=1),
                "two": fresh(history, twos, homes, gits=2),
            },
            rounds,
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return [Row(what.format("one git or two"), history.on, "", f"git itself cannot: {' '.join(said)}")]
    history.numstat, history.run = median["git"], twos[-1]
    history.peak = max(history.peak, *(run.peak for run in (*ones, *twos)))
    history.bytes = size_of(homes / "fresh" / "almanac.db") / history.commits
    target = f"≤ {{}} × git log --numstat ({duration(history.numstat)})"
    rows = []
    for gits, taken, limit in (("one git", median["one"], 0.95), ("two gits", median["two"], 0.65)):
        ratio = taken / history.numstat
        rows.append(
            Row(
                what.format(gits),
                history.on,
                target.format(limit),
                duration(taken),
                f"{ratio:.2f} ×",
                at_most(ratio, limit),
            )
        )
    return rows


def room_rows(history: History) -> list[Row]:
    """What it took beside time, in the runs of the other rows."""
    if not history.peak:
        return []
    return [
        Row("peak memory of Almanac's own process", history.on, "≤ 150 MB", megabytes(history.peak), "",
            at_most(history.peak, PEAK)),
        Row("database", history.on, "≤ 1.2 kB a commit", f"{history.bytes:,.0f} bytes a commit", "",
            at_most(history.bytes, BYTES)),
    ]  # fmt: skip


def unchanged_rows(repositories: list[Path], home: Path, rounds: int = ROUNDS) -> list[Row]:
    """Indexing again what has nothing new."""
    say(f"nothing new in {len(repositories)} repositories")
    index(home, repositories)

    def asked_by_git() -> float:
        return sum(timed(["git", "-C", str(path), "rev-parse", "HEAD"], surroundings()) for path in repositories)

    median = alternate({"git": asked_by_git, "almanac": lambda: index(home, repositories).whole}, rounds)
    return [
        Row(
            "nothing new",
            f"{len(repositories)} repositories",
            "≤ 2 s in all",
            duration(median["almanac"]),
            f"{median['almanac'] / median['git']:.1f} × as many git rev-parse ({duration(median['git'])})",
            at_most(median["almanac"], 2),
        )
    ]
