"""What repositories that are read at the same time share: the machine's cores, the ways to each host, the end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from bot.index.git import CancelToken

T = TypeVar("T")
R = TypeVar("R")

CORES = max(1, os.cpu_count() or 1)
A_HOST = 4  # conversations with one host at a time: a forge answers more of them with 429
PATIENCE = 0.1  # seconds until it is looked whether all is to end
AT_ONCE = 16  # repositories that wait for their hosts or their turn


class Concurrency:
    """Made for a round over repositories, which `cancel` ends at once, from any thread."""

    def __init__(self, cancel: CancelToken | None = None, cores: int = CORES) -> None:
        self.cancel = cancel or CancelToken()
        self._cores_of = cores
        self._cores = threading.BoundedSemaphore(cores)
        self._hosts: dict[str, threading.BoundedSemaphore] = {}
        self._lock = threading.Lock()
        self._helper = threading.Lock()
        self.writing = threading.Lock()  # the database has one writer; a lock is fairer than its busy timeout

    def core_slot(self) -> AbstractContextManager[None]:
        """A core's worth of reading, waited for."""
        return self._turn(self._cores)

    def host_slot(self, host: str) -> AbstractContextManager[None]:
        """One of the ways to a host, waited for."""
        with self._lock:
            ways = self._hosts.setdefault(host, threading.BoundedSemaphore(A_HOST))
        return self._turn(ways)

    @contextmanager
    def worker_slot(self, pays: bool) -> Iterator[bool]:
        """Whether a second process may help with a repository: where that pays, there is a core for it, and no other
        repository has one, so that memory is bounded however many are read at the same time."""
        is_free = pays and self._cores_of > 1 and self._helper.acquire(blocking=False)
        try:
            yield is_free
        finally:
            if is_free:
                self._helper.release()

    def is_worker_busy(self) -> bool:
        """Whether a second process helps with some repository."""
        return self._helper.locked()

    @contextmanager
    def _turn(self, semaphore: threading.BoundedSemaphore) -> Iterator[None]:
        with semaphore:
            self.cancel.check()
            yield

    def each(self, work: Callable[[T], R], wanted: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each, in the order of `wanted`, several at the same time.

        An exception of one, or of whoever takes the results, ends all others before it is passed on; no thread
        and no git is left behind.
        """
        jobs = list(wanted)
        with ThreadPoolExecutor(max(1, min(AT_ONCE, len(jobs))), thread_name_prefix="index") as pool:
            try:
                running = [pool.submit(work, one) for one in jobs]
                for one in running:
                    # In short waits: Ctrl-C may be noticed by another thread, which does not wake this one.
                    while not wait([one], timeout=PATIENCE).done:
                        pass
                    yield one.result()
            except BaseException:
                self.cancel.stop()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
