"""Processes that are killed between any two steps: writes to the database, and calls of Slack that post."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.settings import DatabasePlace, Settings
from bot.slack.sender import Sender
from bot.slack.web_api import Client, posting_client
from storage import Store
from storage.engine import Connection
from storage.slack_state import Conversations, Digests, Outbox, PendingEvents, ProcessedEvents

Ends = Callable[[Callable[[], object]], bool]
HERE = os.getpid()


class Killed(BaseException):
    """What the process would do after this, it does not; one that was forked for it ends at once."""

    def __init__(self) -> None:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)


def is_killed(work: Callable[[], object]) -> bool:
    """Whether it ends before it is through."""
    try:
        work()
    except Killed:
        return True
    return False


def is_killed_for_real(work: Callable[[], object]) -> bool:
    """The same of a process that is forked for it, in which nothing is done any more, not even rolled back."""
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


class Life:
    """Ends at a step, for good."""

    def __init__(self, steps: int = 10**6) -> None:
        self.left = steps

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


@dataclass
class Clock:
    at: datetime

    def __call__(self) -> datetime:
        return self.at


class SteppingStore(Store):
    def __init__(self, place: DatabasePlace, life: Life) -> None:
        super().__init__(place)
        whole = self.transaction

        @contextmanager
        def stepping(*, write: bool = False, bulk: bool = False) -> Iterator[Connection]:
            if write:
                life()
            with whole(write=write, bulk=bulk) as connection:
                yield connection
            if write:
                life()

        self.outbox, self.conversations, self.digests = Outbox(stepping), Conversations(stepping), Digests(stepping)
        self.processed_events, self.pending_events = ProcessedEvents(stepping), PendingEvents(stepping)


class SteppingClient(Client):
    life: Life

    def api_call(self, api_method: str, **arguments: Any) -> Any:
        if api_method.startswith("chat."):
            self.life()
        done = super().api_call(api_method, **arguments)
        if api_method.startswith("chat."):
            self.life()
        return done


def process(settings: Settings, life: Life, clock: Clock) -> tuple[SteppingStore, Sender]:
    """What a process has of its own, as far as the database and Slack can tell."""
    store = SteppingStore(settings.database, life)
    known = posting_client(settings)
    client = SteppingClient(token=known.token, base_url=known.base_url, retry_handlers=[])
    client.life = life
    return store, Sender(client, store.outbox, clock, monotonic=lambda: clock.at.timestamp())
