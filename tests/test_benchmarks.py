"""The benchmarks work: what they say is measured on a quiet machine, not here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import report, run
from benchmarks.timing import ROOT, surroundings


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_the_script_measures_a_tiny_history_and_writes_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "scale.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    given = f"--rows names,sample --commits 60 --rounds 1 --cache {tmp_path} --write {page}"
    run.main(given.split())
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "| whole index with file names and full text | synthetic-60, 60 commits |" in text
    assert "| the sample history of a demonstration | processor time | at most 1 s |" in text
    assert "| peak memory of Almanac's own process | synthetic-60, 60 commits |" in text
    assert text.partition(report.BEGIN)[2].partition(report.END)[0].strip() == capsys.readouterr().out.strip()


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
