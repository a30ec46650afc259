"""Who wants repositories to be read soon says so here, and does not wait for it.

With SQLite this process reads them itself, in a thread; with PostgreSQL a worker does (bot/index/jobs.py, loaded only
there: procrastinate takes a third of a second).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

log = logging.getLogger(__name__)

AT_ONCE = 4  # repositories that are read on request at the same time


class IndexRequests(Protocol):
    """Any thread may ask, also for the same repository again: it is read once more after the last request."""

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        """Have the repositories of almanac.toml with these names read soon; what is urgent is read before the rest.
        Returns at once. Raises StoreUnavailable where the request cannot be kept."""


class OwnIndexing:
    """Of SQLite, whose file only this machine has: `read` brings repositories up to date, in threads of this object's
    own. One that takes long, or is just being read by somebody else, does not hold up the others."""

    def __init__(self, read: Callable[[Sequence[str]], object]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._under_way: set[str] = set()
        self._again: set[str] = set()  # asked for while they were under way
        self._readers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="requested")

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        with self._lock:
            self._again |= self._under_way.intersection(names)
            new = [name for name in dict.fromkeys(names) if name not in self._under_way]
            self._under_way |= set(new)
        for name in new:
            self._readers.submit(self._read_one, name)

    def _read_one(self, name: str) -> None:
        try:
            self._read([name])
        except Exception:  # the next request must be answered all the same
            log.exception("%s could not be read; that is tried again at the next refresh", name)
        with self._lock:
            if is_wanted := name in self._again:
                self._again.discard(name)
            else:
                self._under_way.discard(name)
        if is_wanted:
            self._readers.submit(self._read_one, name)
