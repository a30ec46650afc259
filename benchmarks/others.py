"""The rows that compare with PyDriller and Perceval, where a virtual environment has them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.indexing import History, first_month, fresh
from benchmarks.report import Row, duration
from benchmarks.running import Run
from benchmarks.timing import ROOT, alternate, say, surroundings, timed

FACTOR = {"Perceval": 1.5, "PyDriller": 20.0}
FIRST_MONTH = 5.0
WHOLE, FIRST = "whole index with line counts against {}", "first month from nothing against {}"


def rival_rows(history: History, homes: Path, rivals: Path | None, rounds: int) -> list[Row]:
    """PyDriller takes minutes, so it is run once; Perceval in turn with Almanac."""
    python = rivals / "bin" / "python" if rivals else None
    found = [name for name in FACTOR if python and _has(python, name)]
    rows = [
        Row(WHOLE.format(name), history.on, f"≥ {factor:g} ×", "not measured: not installed")
        for name, factor in FACTOR.items()
        if name not in found
    ]
    if not python or not found:
        return rows
    # Perceval reads every reference, so all are given a copy with one branch.
    copy, mirror = homes / "rivals.git", homes / "mirror.git"
    for source, target in ((history.path, copy), (copy, mirror)):
        clone = ["git", "clone", "--quiet", "--bare", "--single-branch", "--no-tags", str(source), str(target)]
        subprocess.run(clone, check=True, env=surroundings())
    same = History(history.name, copy, history.commits, history.home, month=history.month)
    runs: list[Run] = []
    ours = {"almanac": fresh(same, runs, homes), "first": first_month(same, homes, command=True)}

    def rival(*arguments: str | Path) -> Callable[[], float]:
        return lambda: timed([python, ROOT / "benchmarks" / "rivals.py", *arguments], surroundings())

    theirs = {"Perceval": rival("perceval", copy, mirror), "PyDriller": rival("pydriller", copy)}
    median: dict[str, float] = {}
    for name in found:
        say(f"{history.name}: {name}")
        limit = 1 if name == "PyDriller" else rounds
        median |= alternate(({} if median else ours) | {name: theirs[name]}, limit)
        rows.append(_row(WHOLE, name, history, median[name], median["almanac"], FACTOR[name]))
    if "Perceval" in found:
        rows.append(_row(FIRST, "Perceval", history, median["Perceval"], median["first"], FIRST_MONTH))
    return rows


def _row(what: str, name: str, history: History, theirs: float, ours: float, factor: float) -> Row:
    return Row(
        what.format(name),
        history.on,
        f"≥ {factor:g} × as fast",
        f"{duration(ours)}, {name} {duration(theirs)}",
        f"{theirs / ours:.1f} ×",
        round(theirs / ours, 2) >= factor,
    )


def _has(python: Path, name: str) -> bool:
    return not subprocess.run([python, "-c", f"import {name.lower()}"], capture_output=True, check=False).returncode
