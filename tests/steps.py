"""Work in counted steps, the same on every machine, for tests of how cost grows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python `work` runs in this thread. What a pattern or a C function does inside is not counted:
    that has only the time limit of every test, which a quadratic search through megabytes would exceed by far."""
    count = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
