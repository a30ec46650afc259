"""Measure and print the table of docs/scale.md: `python -m benchmarks.run [HISTORY …]`, or `make bench`.

A HISTORY is a repository whose default branch is checked out, or a bare one. Synthetic ones are measured anyway.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import indexing, querying
from benchmarks.crowd import crowd_rows
from benchmarks.history import write_repository
from benchmarks.indexing import History
from benchmarks.others import rival_rows
from benchmarks.report import Row, duration, target_table, written_into
from benchmarks.sampling import sample_rows
from benchmarks.timing import ROUNDS, machine, say
from bot.cli import COLLECTED_AFTER

ROWS = ("first", "names", "lines", "rivals", "unchanged", "months", "cold", "digest", "busy", "sample", "crowd")
SIZES, QUICK_SIZES, FULL_SIZES = (100_000,), (10_000,), (100_000, 1_000_000)
STORES, QUICK_STORES = (10_000, 100_000, 1_000_000), (10_000, 100_000)
MOST_COUNTED = 200_000  # commits of a history whose lines are counted here: git takes minutes for more
EACH_OF_MANY = 50  # commits


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("histories", nargs="*", type=Path, metavar="HISTORY")
    parser.add_argument("--rows", default=",".join(ROWS), help="which, with commas between: %(default)s")
    parser.add_argument("--quick", action="store_true", help="one round each, small histories")
    parser.add_argument("--full", action="store_true", help="index a git history of 1,000,000 commits too")
    parser.add_argument("--rounds", type=int, help=f"of each row, at most; default: {ROUNDS}")
    parser.add_argument("--commits", type=_numbers, help="sizes of the synthetic git histories")
    parser.add_argument("--stores", type=_numbers, help="sizes of the stores that are asked, the largest last")
    parser.add_argument("--repositories", type=int, default=100, help="in which nothing is new: %(default)s")
    parser.add_argument("--rivals", type=Path, help="a virtual environment with pydriller and perceval")
    parser.add_argument("--write", type=Path, help="put the table into this page, between its two marks")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "almanac-bench")
    asked = parser.parse_args(given)
    asked.rows = [row for row in asked.rows.split(",") if row]
    if unknown := set(asked.rows) - set(ROWS):
        parser.error(f"no such rows: {', '.join(sorted(unknown))}")
    asked.rounds = asked.rounds or (1 if asked.quick else ROUNDS)
    if asked.commits is None:
        asked.commits = FULL_SIZES if asked.full else QUICK_SIZES if asked.quick else SIZES
    if asked.stores is None:
        asked.stores = QUICK_STORES if asked.quick else STORES
    return asked


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def main(given: Sequence[str] | None = None) -> None:
    asked = arguments(given)
    gc.set_threshold(*COLLECTED_AFTER)
    began = time.monotonic()
    asked.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="almanac-bench-") as folder:
        text = measured(asked, Path(folder), began)
    print(text)
    if asked.write:
        written_into(asked.write, text)


def measured(asked: argparse.Namespace, homes: Path, began: float) -> str:
    """All of the rows that were asked for, as Markdown."""
    histories, rows = _histories(asked, homes)
    if "unchanged" in asked.rows:
        many = [
            write_repository(asked.cache / f"many-{number}.git", EACH_OF_MANY, number)
            for number in range(asked.repositories)
        ]
        rows += indexing.unchanged_rows(many, homes / "many", asked.rounds)
    if "busy" in asked.rows and len(histories) > 1:
        first = histories[0]
        other = max(histories[1:], key=lambda one: one.commits if one.commits <= MOST_COUNTED else 0)
        rows += querying.busy_rows(first.home, first.on, other.path)
    largest = max(asked.stores, default=0)
    for size in asked.stores if "months" in asked.rows else ():
        _, found = querying.asked_store(asked.cache, size)
        rows += found if size == largest else []
    for name, measure in (("cold", querying.cold_rows), ("digest", querying.digest_rows)):
        if name in asked.rows and largest:
            rows += measure(asked.cache, largest)
    if "sample" in asked.rows:
        rows += sample_rows(homes / "sample", asked.rounds)
    if "crowd" in asked.rows:
        rows += crowd_rows(homes / "crowd.db", asked.rounds)
    say(f"done in {time.monotonic() - began:.0f} s")
    parts = [
        f"Measured on {time.strftime('%Y-%m-%d', time.gmtime())}: {machine()}. Medians of up to {asked.rounds} rounds, "
        f"what is compared run in turn; {duration(time.monotonic() - began)} in all.",
        target_table(rows),
    ]
    return "\n\n".join(part for part in parts if part)


def _histories(asked: argparse.Namespace, homes: Path) -> tuple[list[History], list[Row]]:
    if not {"first", "names", "lines", "rivals", "busy"} & set(asked.rows):
        return [], []
    places = list(asked.histories)
    for size in asked.commits:
        say(f"a synthetic history of {size:,} commits")
        places.append(write_repository(asked.cache / f"synthetic-{size}.git", size))
    histories, rows = [], []
    for place in places:
        history = indexing.opened(place.absolute(), homes)
        histories.append(history)
        if "first" in asked.rows:
            rows += indexing.first_month_rows(history, homes, asked.rounds)
        if "names" in asked.rows:
            rows += indexing.names_rows(history, homes, asked.rounds)
        if "lines" in asked.rows and history.commits <= MOST_COUNTED:
            rows += indexing.lines_rows(history, homes, asked.rounds)
        rows += indexing.room_rows(history)
    if "rivals" in asked.rows and histories:
        rows += rival_rows(histories[0], homes, asked.rivals, asked.rounds)
    return histories, rows


if __name__ == "__main__":
    main()
