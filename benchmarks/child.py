"""The command line in a process of its own that says at its end what it took.

`python -m benchmarks.child COMMAND …`; BENCH_TOOK names the file for the answer, BENCH_GITS how many gits count
lines at once.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import subprocess
import threading
import time
from pathlib import Path

from benchmarks.timing import peak_bytes


def _say(file: Path) -> None:
    own, gits = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    helped = _HELPER["seconds"]
    took = {
        "peak": (peak_bytes() or own.ru_maxrss * 1024) + _HELPER["peak"],
        "own": own.ru_utime + own.ru_stime + helped,
        "gits": gits.ru_utime + gits.ru_stime - helped,
    }
    file.write_text(json.dumps(took))


# What the process took that makes commits ready, which is Almanac's own: looked at while it runs.
_HELPER = {"peak": 0.0, "seconds": 0.0}


def _watch_helpers() -> None:
    from bot.index import parallel_parsing

    begin = parallel_parsing._started

    def started() -> subprocess.Popen[bytes]:
        process = begin()
        threading.Thread(target=_watch, args=(process.pid,), daemon=True).start()
        return process

    parallel_parsing._started = started


def _watch(process: int) -> None:
    ticks, before, now = os.sysconf("SC_CLK_TCK"), _HELPER["seconds"], 0.0
    while peak := peak_bytes(process):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return
        now = max(now, (int(fields[11]) + int(fields[12])) / ticks)
        _HELPER["peak"] = max(_HELPER["peak"], peak)
        _HELPER["seconds"] = before + now
        time.sleep(0.02)


def main() -> None:
    if file := os.environ.get("BENCH_TOOK"):
        atexit.register(_say, Path(file))
        _watch_helpers()
    if gits := os.environ.get("BENCH_GITS"):
        import bot.index.lines

        if not hasattr(bot.index.lines, "PROCESSES"):
            raise SystemExit("bot.index.lines has no PROCESSES to set: the rows with one and two gits need it")
        bot.index.lines.PROCESSES = int(gits)
    from bot.cli import main as queries

    queries()


if __name__ == "__main__":
    main()
