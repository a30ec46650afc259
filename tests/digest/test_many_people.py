"""A month of very many people: nothing is lost from its counts, and no work is done that grows faster than they do."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from steps import steps

from bot.ask.answers import answered, understood
from bot.ask.queries import Queries
from bot.model import Commit, FileChange, Repository, Signature
from bot.settings import Settings
from storage import Store

BEGAN = 1_759_276_800  # 1 October 2025
NOW = datetime(2025, 11, 5, 9, tzinfo=UTC)
PEOPLE = 201
MEASURED = "This cuts the time of a query from 120 ms to 40 ms on the nightly benchmark."


def sha_of(number: int) -> str:
    return hashlib.sha1(b"%d" % number, usedforsecurity=False).hexdigest()


def written(number: int, who: int, subject: str, body: str = "", lines: int = 7, later: int = 0) -> Commit:
    by = Signature(f"P{who} Last{who}", f"p{who}@example.com", BEGAN + number * 40 + later, 0)
    files = (FileChange(f"src/part{number % 9}/router.py", "modified", lines, 3),)
    return Commit("acme/engine", sha_of(number), ("e" * 40,), by, by, subject, body, files)


def filled(path: Path, people: int) -> Store:
    """A month in which each of so many people made two changes; and a small repository with three of them."""
    store = Store(path)
    commits = [written(n, n % people, f"Add part {n} to the router (#{n})") for n in range(2 * people)]
    last = 2 * people
    commits += [
        written(last, 1, "Speed up the planner (#9001)", MEASURED, lines=400),
        written(last + 1, 2, "Cache all queries (#9002)", lines=300),
        written(last + 2, 3, 'Revert "Cache all queries"', f"This reverts commit {sha_of(last + 1)}.", 300, later=7200),
        written(last + 3, 4, "Fix the codec (#9003)", "Co-authored-by: P5 Last5 <p5@example.com>"),
    ]
    few = [replace(written(last + 9 + n, n, f"Document view {n}"), repository="acme/docs") for n in range(3)]
    for name, some in (("acme/engine", commits), ("acme/docs", few)):
        store.commits.register(Repository(name, f"/made/up/{name}"))
        store.commits.add(name, some)
        store.commits.mark_indexed(name, "f" * 40, NOW, shallow=False)
    return store


ASKED = [
    "what shipped in october", "biggest changes in october", "which files changed most in october",
    "who worked on the router", "what did P17 Last17 do in october", "what did Last17 do in october",
    "what did Zzyqor do in october",
]  # fmt: skip


def test_twice_as_many_people_take_twice_as_long(tmp_path: Path) -> None:
    stores = [filled(tmp_path / f"{n}.db", n) for n in (20, PEOPLE, 2 * PEOPLE)]

    def taken(store: Store, text: str) -> int:
        def ask() -> None:
            queries = Queries.of(store, Settings(fixed_now=NOW, db=str(store.path)))
            answered(queries, understood(queries, text))

        return steps(ask)

    found = {text: [taken(store, text) for store in stores] for text in ASKED}  # of few, which loads what comes late
    assert {text: counts for text, counts in found.items() if counts[2] >= 2.4 * counts[1]} == {}


MAKING = """
import re, sys
sys.path[:0], sys.argv[1:] = sys.argv[1:], ["digest", "2025-10", "--format", "slack"]
from bot.cli import main
try:
    main()
finally:
    # Not ru_maxrss, which begins with what the process had that started this one.
    print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""


@pytest.mark.slow
def test_a_digest_of_thirty_thousand_people_is_made_in_bounded_memory(tmp_path: Path) -> None:
    store = filled(tmp_path / "almanac.db", 30_000)
    given = {"ALMANAC_DB": str(store.path), "ALMANAC_NOW": NOW.isoformat(), "ALMANAC_HOME": str(tmp_path)}
    making = [sys.executable, "-c", MAKING, *sys.path]
    ran = subprocess.run(making, capture_output=True, text=True, env=os.environ | given, cwd=tmp_path)
    (message,) = json.loads(ran.stdout)
    assert "30,000 people, 60,0" in message["text"]
    assert int(ran.stderr.splitlines()[-1]) < 1024 * 1024, "kilobytes"
