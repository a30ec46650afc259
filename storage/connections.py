"""Connections that have read and are kept for who reads next, with what they have read from the disk at hand."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# Which file, of what size, written when. SQLite writes into a log beside it and only now and then into the file itself;
# what others put into it, a copy of old for instance, a connection that has read would not notice.
File = tuple[int, int, int, int]

MOST_KEPT = 4  # connections that wait, each with up to 2 MB of pages


class Kept:
    """Hands out connections, each to one reader at a time. Any thread may call it."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._lock = threading.Lock()
        self._keepers = 0
        self._waiting: list[tuple[sqlite3.Connection, File]] = []

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
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else has, to leave as it was: outside of any transaction."""
        connection, file = self._taken()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, file)

    def _taken(self) -> tuple[sqlite3.Connection, File]:
        file = self._file()
        with self._lock:
            connection, before = self._waiting.pop() if self._waiting else (None, file)
        if connection is not None and before == file:
            return connection, file
        if connection is not None:  # another file stands in its place by now, or none, or it was written to
            connection.close()
        return self._connect(), file

    def _give_back(self, connection: sqlite3.Connection, file: File) -> None:
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
