"""Waiting for what another thread or process does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.workspace.server import PATIENCE


def wait_until(is_so: Callable[[], bool]) -> None:
    """Return when something is so; an assertion fails where it does not come to pass."""
    end, pause = time.monotonic() + PATIENCE, 0.005
    while not is_so():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.1)  # to look costs time of whatever is waited for


@contextmanager
def no_thread_left() -> Iterator[None]:
    """All threads that are begun inside the block end, soon after it at the latest. Those of earlier tests may end
    meanwhile."""
    before = set(threading.enumerate())
    yield
    wait_until(lambda: set(threading.enumerate()) <= before)
