"""How many transactions a question takes is counted by the benchmarks; what they say of time is measured on a quiet
machine, not here."""

from __future__ import annotations

import re
import subprocess
import sys

from benchmarks.timing import ROOT, surroundings


def test_a_question_is_answered_in_few_transactions() -> None:
    """All of it is read in one: what an index writes meanwhile is in none of it or in all."""
    command = [sys.executable, "-m", "benchmarks.trace"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=surroundings())
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stdout.splitlines() if "transactions" in line]
    # A mention is kept; who asks is looked up; it is answered; the answer takes its place, claimed; and is settled.
    for line, (title, most) in zip(lines, {"/almanac": 1, "@almanac": 5, "a tick in": 15, "a tick:": 2}.items(),
                                   strict=True):  # fmt: skip
        (transactions,) = (int(text) for text in re.findall(r"(\d+) transactions", line))
        assert line.startswith(title) and transactions <= most
