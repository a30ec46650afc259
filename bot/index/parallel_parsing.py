"""A log → commits ready to be stored, made by a process of its own beside the one that stores them.

To read a commit and make its rows costs twice what it costs to store them, and one Python process uses one core.
The other process is given git's bytes and gives back rows; it knows no repository and no database.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import IO, cast

from bot.errors import AlmanacError
from bot.index.frames import read_frame, write_frame
from bot.index.git import CancelToken, GitAt, Stopped, widen
from bot.index.shas import Shas
from storage.commit_rows import CommitRow, from_bytes

WAITING = 12 << 20  # bytes made and not yet taken, at which the other process waits


@dataclass(frozen=True, slots=True)
class Log:
    """What to ask git for, and of which repository it is. `listing`, where there is one, is what git reads.
    `without_files`: see `LogParser`."""

    git: GitAt
    arguments: Sequence[str]
    listing: Shas | None
    repository: str
    without_files: frozenset[str]

    def blocks(self, git: GitAt) -> Generator[bytes]:
        """What `git` prints, as it comes: the log's own, or that under another token."""
        return git.blocks(self.arguments, self.listing.open() if self.listing is not None else None)


def parsed_in_worker(log: Log, oddities: Counter[str]) -> Generator[tuple[list[CommitRow], int]]:
    """The commits of a log in small lists with the bytes of each, in its order; at the end `oddities` are counted.

    What came before an error is given before it is raised. Whoever stops earlier leaves no process and no thread.
    """
    inbox = _Inbox()
    with log.git.cancel.within() as cancel:
        process = _started()
        threads = [
            threading.Thread(target=_feed, args=(log, cancel, process, inbox), name="feed", daemon=True),
            threading.Thread(target=_receive, args=(cancel, process, inbox, oddities), name="receive", daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            for data in inbox:
                yield from_bytes(data), len(data)
        finally:
            inbox.close()
            cancel.stop()
            for thread in threads:
                thread.join()
    if inbox.failure:
        raise inbox.failure


def _started() -> subprocess.Popen[bytes]:
    """In a group of its own, so that Ctrl-C reaches only whoever ends it."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "bot.index.parsing_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        process_group=0,
    )


def _feed(log: Log, cancel: CancelToken, process: subprocess.Popen[bytes], inbox: _Inbox) -> None:
    """git's bytes into the other process; an empty frame once git has ended well."""
    into = cast(IO[bytes], process.stdin)
    widen(into)
    header = {"repository": log.repository, "without_files": sorted(log.without_files)}
    try:
        with suppress(BrokenPipeError):  # it has ended, of which `_receive` tells
            try:
                write_frame(into, json.dumps(header).encode())
                with closing(log.blocks(log.git.under(cancel))) as blocks:
                    for block in blocks:
                        write_frame(into, block)
                write_frame(into, b"")
            finally:
                into.close()
    except Exception as error:
        inbox.fail(error)


def _receive(cancel: CancelToken, process: subprocess.Popen[bytes], inbox: _Inbox, oddities: Counter[str]) -> None:
    out = cast(IO[bytes], process.stdout)
    widen(out)
    try:
        with cancel.over(process):
            try:
                while chunk := read_frame(out):
                    inbox.put(chunk)
                end = read_frame(out)
                if end is None:
                    raise AlmanacError(
                        "the process that makes commits ready has ended early, as it does where memory is short: "
                        "run it again; what was read is kept"
                    )
                oddities.update(json.loads(end))
            finally:
                out.close()  # which ends it if it has not ended
                process.wait()
    except Exception as error:
        inbox.fail(error)
    finally:
        inbox.end()


class _Inbox:
    """What the other process has made, at most WAITING bytes of it, and what went wrong."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._chunks: deque[bytes] = deque()
        self._weight = 0
        self._is_over = self._is_closed = False
        self.failure: Exception | None = None

    def put(self, chunk: bytes) -> None:
        """Waits while there is too much."""
        with self._news:
            self._news.wait_for(lambda: self._weight < WAITING or self._is_closed)
            if self._is_closed:
                raise Stopped
            self._chunks.append(chunk)
            self._weight += len(chunk)
            self._news.notify_all()

    def fail(self, error: Exception) -> None:
        """The first failure counts, but that all was stopped explains less than any other."""
        with self._news:
            if self.failure is None or isinstance(self.failure, Stopped):
                self.failure = error

    def end(self) -> None:
        """Nothing more comes."""
        with self._news:
            self._is_over = True
            self._news.notify_all()

    def close(self) -> None:
        """Nothing more is taken."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()

    def __iter__(self) -> Iterator[bytes]:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._chunks or self._is_over)
                if not self._chunks:
                    return
                chunk = self._chunks.popleft()
                self._weight -= len(chunk)
                self._news.notify_all()
            yield chunk
