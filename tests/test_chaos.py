"""Short campaigns against several processes on one PostgreSQL: whatever dies, nothing is lost and nothing doubled.

`python -m benchmarks.chaos` runs the long ones, and says how long whoever asked had to wait.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from postgres import programs

from benchmarks.timing import ROOT, surroundings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif(
        programs() is None, reason="PostgreSQL is not installed (Debian, Ubuntu: apt install postgresql)"
    ),
]


def campaign(folder: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.chaos", *arguments, "--keep", str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=surroundings())
    assert ran.returncode == 0, ran.stderr[-4000:]
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_questions_are_answered_once_while_processes_are_killed(tmp_path: Path) -> None:
    found = campaign(tmp_path, "questions", "--questions", "80", "--rate", "6", "--every", "3")
    assert found["kills"] >= 3
    lost = {name: found[name] for name in ("acknowledged and not answered", "twice", "left pending")}
    assert lost == dict.fromkeys(lost, 0), found
    assert found["answered"] == 80, found


def test_questions_are_answered_once_while_the_server_is_away(tmp_path: Path) -> None:
    """Once stopped, once frozen, once with all connections cut."""
    arguments = ["--rounds", "3", "--seconds", "6", "--between", "8", "--rate", "4", "--how", "stop", "freeze", "cut"]
    found = campaign(tmp_path, "outages", *arguments)
    assert found["asked meanwhile"] > 40
    assert (found["answered"], found["twice"], found["never told"]) == (found["asked"], 0, 0)


def test_digests_are_posted_once_while_processes_are_killed_and_histories_rewritten(tmp_path: Path) -> None:
    found = campaign(tmp_path, "digests", "--rounds", "3")
    assert found["kills"] >= 6 and found["posts"] >= 3
    assert (found["lost"], found["doubled"], found["differences"]) == ([], [], [])
