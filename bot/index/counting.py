"""Lines counted beside the names that are still being read: names keep one core busy, and there are others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from bot.errors import RepositoryUnavailable
from bot.index.concurrency import PATIENCE
from bot.index.git import Stopped
from bot.index.lines import Lines

OnCounted = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class LinesCounted:
    """What came of one repository: how many commits were counted, in how many seconds, and why no more were."""

    repository: str
    commits: int
    seconds: float
    failure: RepositoryUnavailable | None = None


class Counting:
    """One thread that counts the lines of what others store, repository by repository, newest commits first.

    Whoever stores says `found` when commits of a repository have come; `finish` waits for the rest. When its block
    is left early, whoever leaves it has cancelled the token of `lines`.
    """

    def __init__(self, lines: Lines, on_counted: OnCounted = lambda name, commits: None) -> None:
        self._lines = lines
        self._on_counted = on_counted
        self._news = threading.Condition()
        self._waiting: dict[str, None] = {}  # repositories with something to count, in the order of its coming
        self._is_over = False
        self._counted: dict[str, LinesCounted] = {}
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)

    def __enter__(self) -> Counting:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def found(self, name: str) -> None:
        """Some commits of a repository are stored, or its lines were not all counted before."""
        with self._news:
            self._waiting[name] = None
            self._news.notify()

    def lacking(self, name: str) -> int:
        """How many commits of a repository are still to be counted."""
        return self._lines.lacking(name)

    def finish(self) -> list[LinesCounted]:
        """What came of each repository in which there was something to count, once there is nothing left."""
        self._close()
        if self._fault:
            raise self._fault
        return list(self._counted.values())

    def _close(self) -> None:
        with self._news:
            self._is_over = True
            self._news.notify()
        while self._thread.is_alive():
            self._thread.join(PATIENCE)  # as in Concurrency.each: Ctrl-C may be noticed by another thread

    def _run(self) -> None:
        try:
            with suppress(Stopped):
                while (name := self._next()) is not None:
                    self._count(name)
        except BaseException as fault:  # whoever waits for this thread raises it
            self._fault = fault

    def _next(self) -> str | None:
        with self._news:
            while not self._is_over and not (self._waiting and self._lines.has_room()):
                self._news.wait(PATIENCE if self._waiting else None)
            name = next(iter(self._waiting), None)
            if name is not None:
                del self._waiting[name]
            return name

    def _count(self, name: str) -> None:
        before = self._counted.get(name) or LinesCounted(name, 0, 0.0)
        began = time.monotonic()
        failure, counted = None, 0
        try:
            counted = self._lines.count_all(name, lambda commits: self._on_counted(name, commits))
        except RepositoryUnavailable as error:
            failure = error
        if counted or failure:
            seconds = before.seconds + time.monotonic() - began
            self._counted[name] = LinesCounted(name, before.commits + counted, seconds, failure)
