"""How long the demonstration's sample history takes to make."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import Row, at_most, duration
from benchmarks.timing import ROUNDS, alternate
from bot.sample import make

MOST_SECONDS = 1.0


def sample_rows(home: Path, rounds: int = ROUNDS) -> list[Row]:
    """Processor seconds of this process and of the gits it starts."""
    present = datetime.now(UTC)

    def made() -> float:
        began = os.times()
        make(home, present)
        ended = os.times()
        shutil.rmtree(home)
        return sum(ended[:4]) - sum(began[:4])

    seconds = alternate({"sample": made}, rounds)["sample"]
    target = f"at most {MOST_SECONDS:.0f} s"
    return [
        Row(
            "the sample history of a demonstration",
            "processor time",
            target,
            duration(seconds),
            reached=at_most(seconds, MOST_SECONDS),
        )
    ]
