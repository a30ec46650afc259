"""Connections that have read and are kept for who reads next, with what they have read from the disk at hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from storage.engine import Connection
from storage.sqlite import SQLiteConnection

# Which file, of what size, written when. SQLite writes into a log beside it and only now and then into the file itself;
# what others put into it, a copy of old for instance, a connection that has read would not notice.
File = tuple[int, int, int, int]

MOST_KEPT = 4  # connections that wait, each with up to 2 MB of pages


class ConnectionPool:
    """Hands out connections, each to one reader at a time. Any thread may call it."""

    def __init__(self, path: Path, connect: Callable[[], SQLiteConnection]) -> None:
        self._path = path
        self._connect = connect
        self._lock = threading.Lock()
        self._keepers = 0
        self._waiting: list[tuple[SQLiteConnection, File]] = []

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Inside, in any thread, connections are kept; those that wait are closed at the end of the last block."""
        with self._lock:
            self._keepers += 1
        try:
            yield
        finally:
            with self._lock:
                self._keepers -= 1
                left, self._waiting = ([], self._waiting) if self._keepers else (self._waiting, [])
            for connection, _ in left:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[SQLiteConnection]:
        """A connection that nobody else has, to leave as it was: outside of any transaction."""
        connection, file = self._taken()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, file)

    def _taken(self) -> tuple[SQLiteConnection, File]:
        file = self._file()
        with self._lock:
            connection, before = self._waiting.pop() if self._waiting else (None, file)
        if connection is not None and before == file:
            return connection, file
        if connection is not None:  # another file stands in its place by now, or none, or it was written to
            connection.close()
        return self._connect(), file

    def _give_back(self, connection: SQLiteConnection, file: File) -> None:
        with self._lock:
            if self._keepers and len(self._waiting) < MOST_KEPT and file != _NO_FILE:
                self._waiting.append((connection, file))
                return
        connection.close()

    def _file(self) -> File:
        try:
            found = self._path.stat()
        except OSError:
            return _NO_FILE
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


_NO_FILE = (0, 0, 0, 0)


class Snapshots(threading.local):
    """The transaction that a thread's reads share inside `shared`; each thread has its own. `begin` begins one, and
    after one of `errors` it is given up."""

    def __init__(
        self, begin: Callable[[], AbstractContextManager[Connection]], errors: tuple[type[Exception], ...]
    ) -> None:
        self._begin = begin
        self._errors = errors
        self._blocks = 0
        self._readers = 0
        self._is_stale = False
        self._connection: Connection | None = None
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
    def reading(self) -> Iterator[Connection]:
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
        except self._errors:  # the next read may fare better with another connection
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
