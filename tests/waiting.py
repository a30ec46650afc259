"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.workspace.server import PATIENCE


def wait_until(is_so: Callable[[], bool]) -> None:
    """Return when something is so; an assertion fails where it does not come to pass."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.005)
