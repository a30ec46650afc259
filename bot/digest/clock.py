"""APScheduler as a metronome: it ticks, and what is due is asked each time.

A cron on the first of the month that missed its second while the bot was down would wait a whole month.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from bot.errors import AlmanacError

log = logging.getLogger(__name__)

TICK_SECONDS = 30
# What a clock may be put forward or back by between two ticks, and be believed.
MOST_PUT = timedelta(days=1)


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
        """Waits until what runs at the moment has ended. Does nothing where it was not started."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)


class Watch:
    """Notices when the clock was put forward or back: how long it says has passed is held against a clock that only
    counts. For one tick nothing is posted then, so that a clock which is put right again at once posts nothing early.
    """

    def __init__(self, now: Callable[[], datetime], monotonic: Callable[[], float]) -> None:
        self._now = now
        self._monotonic = monotonic
        self._last: tuple[datetime, float] | None = None

    def is_steady(self) -> bool:
        """Whether the clock went on as it should since this was last asked."""
        now, counted = self._now(), self._monotonic()
        before, self._last = self._last, (now, counted)
        put = now - before[0] - timedelta(seconds=counted - before[1]) if before else timedelta(0)
        if abs(put) > MOST_PUT:
            log.warning(
                "the clock was put %s by %s: digests wait for the next tick",
                "forward" if put > timedelta(0) else "back",
                abs(put),
            )
            return False
        return True


def _safely(job: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except AlmanacError as error:
            log.warning("%s is tried again at the next tick: %s", job.__name__, error)
        except Exception:  # a clock that stops is worse than any one failure; the log has it in full
            log.exception("%s failed; it is tried again at the next tick", job.__name__)

    return run
