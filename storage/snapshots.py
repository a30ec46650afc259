"""Several reads of one thread in one transaction, so that all of an answer is of one moment."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager


class Snapshots(threading.local):
    """The transaction that a thread's reads share inside `shared`; each thread has its own. `begin` begins one."""

    def __init__(self, begin: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self._begin = begin
        self._blocks = 0
        self._readers = 0
        self._is_stale = False
        self._connection: sqlite3.Connection | None = None
        self._open = ExitStack()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Inside, reads share a transaction, which begins with the first of them."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            if not self._blocks:
                self._end()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection in the transaction that is shared, or in one of its own."""
        if not self._blocks:
            with self._begin() as connection:
                yield connection
            return
        if self._connection is None:
            self._connection = self._open.enter_context(self._begin())
        self._readers += 1
        try:
            yield self._connection
        except sqlite3.DatabaseError:  # the next read may fare better with another connection
            self._is_stale = True
            raise
        finally:
            self._readers -= 1
            if self._is_stale and not self._readers:
                self._end()

    def renew(self) -> None:
        """Have what is read from now on see what the thread has written."""
        self._is_stale = self._connection is not None
        if not self._readers:
            self._end()

    def _end(self) -> None:
        self._is_stale, self._connection = False, None
        self._open.close()
