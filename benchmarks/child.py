"""The command line in a process of its own that says at its end what it took.

`python -m benchmarks.child COMMAND …`; BENCH_TOOK names the file for the answer, BENCH_GITS how many gits count
lines at once.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
from pathlib import Path

from benchmarks.timing import peak_bytes


def _say(file: Path) -> None:
    own, gits = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    took = {
        "peak": peak_bytes() or own.ru_maxrss * 1024,
        "own": own.ru_utime + own.ru_stime,
        "gits": gits.ru_utime + gits.ru_stime,
    }
    file.write_text(json.dumps(took))


def main() -> None:
    if file := os.environ.get("BENCH_TOOK"):
        atexit.register(_say, Path(file))
    if gits := os.environ.get("BENCH_GITS"):
        import bot.index.lines

        if not hasattr(bot.index.lines, "PROCESSES"):
            raise SystemExit("bot.index.lines has no PROCESSES to set: the rows with one and two gits need it")
        bot.index.lines.PROCESSES = int(gits)
    from bot.cli import main as queries

    queries()


if __name__ == "__main__":
    main()
