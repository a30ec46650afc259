"""How long a worker leaves a server alone that could not be reached or asked for patience. Pure, but for chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Failed:
    times: int
    until: float


class BackOff:
    """By the host of an address: after the first failure for about `first` seconds, then for twice as long each time,
    at most `longest`, until it answers again. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float], first: float, longest: float) -> None:
        self._clock = clock
        self._first = first
        self._longest = longest
        self._failed: dict[str, _Failed] = {}

    def wait(self, host: str) -> float:
        """For how many seconds the host is still to be left alone; 0: it may be asked."""
        failed = self._failed.get(host)
        return max(0.0, failed.until - self._clock()) if failed else 0.0

    def failed(self, host: str) -> float:
        """The host could not be reached. Returns for how many seconds it is to be left alone."""
        times = self._failed[host].times + 1 if host in self._failed else 1
        seconds = min(self._longest, self._first * 2.0 ** min(times - 1, 30))
        seconds *= random.uniform(0.75, 1.0)  # noqa: S311  many must not come back at once
        self._failed[host] = _Failed(times, self._clock() + seconds)
        return seconds

    def answered(self, host: str) -> None:
        self._failed.pop(host, None)
