"""`almanac serve` and `almanac worker` with shorter times, for campaigns: `python -m benchmarks.quick serve`.

This process loads everything and forks the one that works, anew as soon as that is killed, and leaves its id in a file
`child`: a start then costs milliseconds instead of seconds. What a time is to another stays as in the product: no call
takes as long as it takes until its post counts as lost, and no lease is as short as the time between two renewals.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from bot.digest import tick as ticking
from bot.settings import load_settings
from bot.slack import inbox, sender, web_api
from bot.slack_app import serve

TICK_SECONDS, REFRESH_SECONDS = 1.0, 3.0
CALL_SECONDS = 3
LOST_AFTER = timedelta(seconds=8)
LOOK_AFTER, SURE_AFTER = timedelta(seconds=1), timedelta(seconds=6)
LEASE, RENEW_SECONDS = timedelta(seconds=5), 1.0


def shorten() -> None:
    def quick(tick: Callable[[], None], refresh: Callable[[], None], _: int) -> ticking.Clock:
        return ticking.Clock(tick, refresh, REFRESH_SECONDS / 60, TICK_SECONDS)  # type: ignore[arg-type]

    parts: list[tuple[Any, str, Any]] = [
        (serve, "Clock", quick),
        (serve, "Sender", partial(sender.Sender, looks_after=(LOOK_AFTER, SURE_AFTER))),
        (sender, "LOST_AFTER", LOST_AFTER),
        (ticking, "MADE_AGAIN_AFTER", timedelta(seconds=2)),
        (web_api, "CALL_SECONDS", CALL_SECONDS), (sender, "CALL_SECONDS", CALL_SECONDS),
        (inbox, "LEASE", LEASE), (inbox, "RENEW_SECONDS", RENEW_SECONDS),
    ]  # fmt: skip
    for module, name, value in parts:
        setattr(module, name, value)


def run(what: str) -> None:
    settings = load_settings()
    if what == "serve":
        serve.serve(settings)
        return
    from bot.commands import indexing
    from bot.index import jobs

    quick = jobs.Timing(heartbeat=0.5, stalled=3.0, look=1.0, poll=1.0, slice=1.0, retry=1.0, first_back_off=1.0)
    setattr(jobs, "Timing", lambda: quick)  # noqa: B010
    indexing.work(settings)


def end_with_parent() -> None:
    """So that nothing outlives a campaign, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, of Linux


def main() -> None:
    shorten()
    end_with_parent()
    while True:
        child = os.fork()
        if not child:
            end_with_parent()
            run(sys.argv[1])
            os._exit(0)
        Path("child").write_text(str(child))
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
