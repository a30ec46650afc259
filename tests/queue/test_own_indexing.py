"""With SQLite, what is asked for is read by the bot's own process."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from waiting import wait_until

from bot.index.requests import OwnIndexing
from bot.workspace.server import PATIENCE

SECONDS = PATIENCE


def test_what_is_asked_for_while_it_is_read_is_read_once_more() -> None:
    begun, may_end, done = Event(), Event(), Event()
    calls: list[list[str]] = []

    def read(names: Sequence[str]) -> None:
        calls.append(list(names))
        begun.set()
        assert may_end.wait(SECONDS)
        if len(calls) == 2:
            done.set()

    own = OwnIndexing(read)
    own.request(["engine"], urgent=True)
    assert begun.wait(SECONDS)
    for _ in range(5):
        own.request(["engine", "engine"], urgent=True)
    may_end.set()
    assert done.wait(SECONDS)
    own.request(["mill"], urgent=False)
    wait_until(lambda: ["mill"] in calls)
    assert calls == [["engine"], ["engine"], ["mill"]]


def test_one_that_takes_long_does_not_hold_up_the_others() -> None:
    """It is large, or the refresh is reading it."""
    begun, may_end, done = Event(), Event(), Event()

    def read(names: Sequence[str]) -> None:
        if list(names) == ["history"]:
            begun.set()
            assert may_end.wait(SECONDS)
        else:
            done.set()

    own = OwnIndexing(read)
    for _ in range(10):
        own.request(["history"], urgent=True)
    assert begun.wait(SECONDS)
    own.request(["mill"], urgent=True)
    assert done.wait(SECONDS)
    may_end.set()


def test_a_reading_that_fails_leaves_the_next_request_alone() -> None:
    done = Event()

    def read(names: Sequence[str]) -> None:
        if list(names) == ["engine"]:
            raise RuntimeError("damaged")
        done.set()

    own = OwnIndexing(read)
    own.request(["engine"], urgent=True)
    own.request(["mill"], urgent=True)
    assert done.wait(SECONDS)
