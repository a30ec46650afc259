"""The rows about answers: from a store of a million commits, and while an index runs."""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.filled import NOW, filled_home, size_of
from benchmarks.report import Row, at_most, duration
from benchmarks.running import ask, asker, heard, program, started, told
from benchmarks.timing import drop_caches, percentile, say, surroundings

MONTHS = 500
COLD = 7
TEAM, TEAM_MONTH, BEFORE = 50, "2024-10", "2024-09"
IDLE_SECONDS, BUSY_SECONDS = 8.0, 30.0


@dataclass(frozen=True, slots=True)
class Asked:
    """What a store answers, in milliseconds, and its size."""

    commits: int
    filled: float  # seconds
    bytes: float  # a commit
    p50: float
    p99: float


def asked_store(cache: Path, commits: int) -> tuple[Asked, list[Row]]:
    home = filled_home(cache, commits)
    say(f"{MONTHS} months of {commits:,} commits")
    drawn = ask(home, "drawn", {"count": MONTHS, "seed": 1}, NOW)
    answers = ask(home, "months", drawn, NOW)
    facts, whole = [one[0] for one in answers], [one[1] for one in answers]
    p50, p99 = percentile(facts, 0.5), percentile(facts, 0.99)
    size = size_of(home / "almanac.db") / commits
    on = f"{commits:,} synthetic commits"
    row = Row(
        "a developer's month, to its facts",
        on,
        "p99 ≤ 20 ms",
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms (the whole document: {percentile(whole, 0.5):.1f} and "
        f"{percentile(whole, 0.99):.1f} ms)",
        "",
        at_most(p99, 20),
    )
    size_row = Row("database", on, "≤ 1.2 kB a commit", f"{size:,.0f} bytes a commit", "", at_most(size, 1200))
    filled = float((home / "whole").read_text())
    return Asked(commits, filled, size, p50, p99), [row, size_row]


def cold_rows(cache: Path, commits: int) -> list[Row]:
    home = filled_home(cache, commits)
    say("a developer's month, cold")
    how, taken = "", []
    for one in ask(home, "drawn", {"count": COLD, "seed": 2}, NOW):
        with asker(home, "cold", one, NOW) as process:
            how = drop_caches(home / "almanac.db")
            told(process)
            taken.append(heard(process)[0])
    return [
        Row(
            f"the same cold (new process, {how})",
            f"{commits:,} synthetic commits",
            "≤ 150 ms",
            f"median {statistics.median(taken):.0f} ms, worst of {COLD} {max(taken):.0f} ms",
            "",
            at_most(statistics.median(taken), 150),
        )
    ]


def digest_rows(cache: Path, commits: int) -> list[Row]:
    home = filled_home(cache, commits)
    say(f"a digest of {TEAM} people")
    team = ask(home, "team", {"size": TEAM, "month": TEAM_MONTH}, NOW)
    toml = home / "almanac.toml"
    toml.write_text(f'[[teams]]\nname = "fifty"\npeople = {json.dumps(team)}\n')
    rows = []
    for what, name, target in (("people", "fifty", "≤ 1 s"), ("everyone", None, "")):
        # In a process that has told another month; what is asked again costs less, for messages need not be read again.
        wanted = {"months": [BEFORE, TEAM_MONTH, TEAM_MONTH], "team": name}
        runs = [ask(home, "digests", wanted, NOW) for _ in range(3)]
        median, again = (statistics.median(run[place] for run in runs) / 1000 for place in (1, 2))
        rows.append(
            Row(
                f"a digest of {len(team)} people" if name else f"a digest of {what}",
                f"{commits:,} synthetic commits",
                target,
                f"{duration(median)} (asked again {duration(again)})",
                "",
                at_most(median, 1) if name else None,
            )
        )
    toml.write_text("")
    return rows


def busy_rows(home: Path, on: str, other: Path, now: str | None = None) -> list[Row]:
    """Answers from what is indexed, alone and while another repository is indexed for the first time."""
    say(f"answers while {other.name} is indexed")
    drawn = ask(home, "drawn", {"count": 60, "seed": 3}, now)
    idle = _steadily(home, drawn, None, now)
    busy = _steadily(home, drawn, other, now)
    before, after = percentile(idle, 0.99), percentile(busy, 0.99)
    return [
        Row(
            "answers while a first index runs",
            f"{on}; {other.name} being indexed",
            f"p99 ≤ 3 × idle ({before:.1f} ms)",
            f"p50 {percentile(busy, 0.5):.1f} ms (idle {percentile(idle, 0.5):.1f}), p99 {after:.1f} ms "
            f"of {len(busy):,} answers",
            f"{after / before:.1f} ×",
            at_most(after / before, 3),
        )
    ]


def _steadily(home: Path, drawn: object, other: Path | None, now: str | None) -> list[float]:
    with asker(home, "steadily", drawn, now) as process:
        if other is None:
            time.sleep(IDLE_SECONDS)
        else:
            with started(program("benchmarks.child", "index", str(other)), surroundings(home, now)) as indexing:
                end = time.monotonic() + BUSY_SECONDS
                while indexing.poll() is None and time.monotonic() < end:
                    time.sleep(0.05)
        told(process)
        answers: list[float] = heard(process)
    return answers
