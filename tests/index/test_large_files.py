"""A file that packs to nothing costs no memory: not when it is indexed, nor when a month asks for its diff."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import GitRepo

MOST = 150_000  # kB of Almanac or any git of it
MEASURED = """
import re, resource, sys
from bot.cli import main
try:
    main()
except SystemExit as end:
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    own = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    print("peaks", own, children, end.code or 0)
"""


def almanac(*arguments: str) -> str:
    """What the command line prints, in little memory."""
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "ALMANAC_NOW": "2025-11-05T09:00:00Z"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    said, _, peaks = ran.stdout.rpartition("peaks ")
    own, children, code = map(int, peaks.split())
    assert code == 0, ran
    assert max(own, children) < MOST, ran
    return said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "content"),
    [
        ("", "One of many lines of one table, all alike.\n" * (90 << 15)),
        ("file://", "abc" * (30 << 20)),
        ("", "\n" * (40 << 20)),
    ],
    ids=["lines", "one line", "empty lines"],
)
def test_a_file_of_a_hundred_megabytes_costs_no_memory(
    own_place: Path, tmp_path: Path, scheme: str, content: str
) -> None:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.git("config", "core.bigFileThreshold", "32m")  # what a server packs takes its memory, not Almanac's
    repo.commit("Begin", files={"small.py": "x = 1\n"})
    repo.commit("Add a table", files={"test_table.py": content, "small.py": "x = 2\n"})
    repo.commit("Change it", files={"test_table.py": f"head\n{content}"})
    repo.commit(
        "Move and change it", files={"test_table.py": f"another\n{content}"}, rename={"test_table.py": "test_moved.py"}
    )
    repo.commit("Remove it", files={"test_moved.py": None})
    repo.commit("Go on", files={"small.py": "x = 3\n"})
    assert "6 commits, 6 new" in almanac("index", f"{scheme}{repo.path}")
    assert "is up to date" in (again := almanac("index", f"{scheme}{repo.path}")) or "0 new" in again
    month = almanac("month", "Ada", "2025-10")
    assert "6 changes" in month and almanac("month", "Ada", "2025-10") == month
