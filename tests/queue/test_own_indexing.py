"""With SQLite, what is asked for is read by the bot's own process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event

from bot.index.requests import OwnIndexing, index_requests
from storage import Store

SECONDS = 20.0


def test_what_is_asked_for_while_others_are_read_is_read_next_and_once() -> None:
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
    own.request(["mill", "engine"], urgent=False)
    own.request(["mill"], urgent=True)
    may_end.set()
    assert done.wait(SECONDS)
    assert calls == [["engine"], ["mill", "engine"]]


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


def test_a_file_is_read_into_by_the_process_that_has_it(tmp_path: Path) -> None:
    assert isinstance(index_requests(Store(tmp_path / "almanac.db"), print), OwnIndexing)
