"""Lines are counted while names are still being read, and all of them in the end."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from bot.errors import RepositoryUnavailable
from bot.index.counting import Counting
from bot.index.git import Stopped


class FakeLines:
    """Lines of repositories that hold so many commits to count; remembers what it was asked for."""

    def __init__(self, **waiting: int) -> None:
        self.waiting = waiting
        self.asked: list[str] = []
        self.counted = threading.Semaphore(0)
        self.fault: Exception | None = None
        self.is_idle = True

    def has_room(self) -> bool:
        return self.is_idle

    def lacking(self, name: str) -> int:
        return self.waiting.get(name, 0)

    def count_all(self, name: str, told: Callable[[int], None]) -> int:
        self.asked.append(name)
        if self.fault:
            raise self.fault
        commits = self.waiting.pop(name, 0)
        if commits:
            told(commits)
        self.counted.release()
        return commits


def counting(lines: FakeLines, told: list[tuple[str, int]] | None = None) -> Counting:
    return Counting(lines, lambda name, commits: None if told is None else told.append((name, commits)))  # type: ignore[arg-type]


def test_lines_are_counted_before_all_names_are_there() -> None:
    lines, told = FakeLines(engine=500), list[tuple[str, int]]()
    with counting(lines, told) as beside:
        beside.found("engine")
        assert lines.counted.acquire(timeout=240)
        lines.waiting["engine"] = 300  # more names have come
        beside.found("engine")
        done = beside.finish()
    assert told == [("engine", 500), ("engine", 300)]
    assert [(one.repository, one.commits, one.failure) for one in done] == [("engine", 800, None)]


def test_while_all_cores_are_busy_with_names_no_lines_are_counted() -> None:
    lines = FakeLines(engine=500)
    lines.is_idle = False
    with counting(lines) as beside:
        beside.found("engine")
        assert not lines.counted.acquire(timeout=0.3)
        lines.is_idle = True
        assert lines.counted.acquire(timeout=240)
        assert [one.commits for one in beside.finish()] == [500]


def test_what_was_found_last_is_counted_before_it_is_over() -> None:
    lines = FakeLines(**{f"engine-{number}": 1 for number in range(50)})
    with counting(lines) as beside:
        for number in range(50):
            beside.found(f"engine-{number}")
        assert sum(one.commits for one in beside.finish()) == 50


def test_a_repository_without_lines_to_count_is_not_told_of() -> None:
    with counting(FakeLines()) as beside:
        beside.found("engine")
        assert beside.finish() == []


def test_a_repository_that_git_cannot_read_in_full_is_told_once_and_its_other_commits_are_counted() -> None:
    lines = FakeLines(engine=5)
    lines.fault = RepositoryUnavailable("/srv/engine", "git could not count")
    with counting(lines) as beside:
        beside.found("engine")
        while not lines.asked:
            pass
        beside.found("engine")
        (done,) = beside.finish()
    assert (done.failure, done.commits, lines.asked) == (lines.fault, 0, ["engine", "engine"])


@pytest.mark.parametrize("fault", [ValueError("a bug"), MemoryError()])
def test_whoever_waits_learns_of_a_bug(fault: Exception) -> None:
    lines = FakeLines(engine=5)
    lines.fault = fault
    with counting(lines) as beside:
        beside.found("engine")
        with pytest.raises(type(fault)):
            beside.finish()


def test_once_stopped_nothing_more_is_counted_and_no_thread_is_left() -> None:
    lines = FakeLines(engine=5, web=5)
    lines.fault = Stopped()
    before = threading.active_count()
    with counting(lines) as beside:
        beside.found("engine")
        beside.found("web")
    assert lines.asked == ["engine"]
    assert threading.active_count() == before
