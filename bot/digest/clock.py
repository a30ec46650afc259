"""APScheduler as a metronome: it ticks, and what is due is asked each time.

A cron on the first of the month that missed its second while the bot was down would wait a whole month.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler

log = logging.getLogger(__name__)

TICK_SECONDS = 30


class Clock:
    """Calls `tick` every half minute and `refresh` every so many minutes, from the start on, each in a thread.

    Neither overlaps itself, and what one raises is logged and does not stop the clock.
    """

    def __init__(
        self,
        tick: Callable[[], None],
        refresh: Callable[[], None],
        refresh_minutes: int,
        tick_seconds: float = TICK_SECONDS,
    ) -> None:
        self._scheduler = BackgroundScheduler(
            timezone="UTC",
            # The default drops a job that starts a second late: https://github.com/agronholm/apscheduler/issues/146
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        at_once = datetime.now(UTC)
        self._scheduler.add_job(_safely(tick), "interval", seconds=tick_seconds, id="tick", next_run_time=at_once)
        self._scheduler.add_job(
            _safely(refresh), "interval", minutes=refresh_minutes, id="refresh", next_run_time=at_once
        )

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        """Waits until what runs at the moment has ended."""
        self._scheduler.shutdown(wait=True)


def _safely(job: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except Exception:  # a clock that stops is worse than any one failure; the log has it in full
            log.exception("%s failed; it is tried again at the next tick", job.__name__)

    return run
