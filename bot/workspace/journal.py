"""What went between the app and the workspace, with its timing: Web API calls and their answers, deliveries and their
acknowledgements. It is for looking at; nothing here depends on it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from bot.workspace.model import Json, WorkspaceEvent

MOST = 500  # entries that are kept
LATE_SECONDS = 3.0  # Slack waits no longer for an acknowledgement


@dataclass(eq=False)
class JournalEntry:
    """A call of the app, or a delivery to it. `at` is in Unix seconds, `took` in seconds, None while it is under way.
    `outcome` is "ok" or why not; `messages` are those it wrote, by channel and ts."""

    number: int
    kind: Literal["call", "delivery"]
    name: str
    sent: Json
    at: float
    took: float | None = None
    outcome: str = ""
    answer: Json | None = None
    envelope_id: str = ""  # where its acknowledgement may still come, too late
    started: float = 0.0
    messages: set[tuple[str, str]] = field(default_factory=set)

    @property
    def is_late(self) -> bool:
        """Whether the app did not acknowledge a delivery in time."""
        return self.kind == "delivery" and ((self.took or 0.0) > LATE_SECONDS or "timeout" in self.outcome)


class Journal:
    """The last entries, oldest first. `clock` gives Unix seconds, `timer` seconds that only differences of count."""

    def __init__(self, clock: Callable[[], float], timer: Callable[[], float] = time.monotonic) -> None:
        self.entries: deque[JournalEntry] = deque(maxlen=MOST)
        self._clock = clock
        self._timer = timer
        self._count = 0
        self._writing: JournalEntry | None = None

    @contextmanager
    def entry(self, kind: Literal["call", "delivery"], name: str, sent: Json) -> Iterator[JournalEntry]:
        """An entry that takes as long as the block."""
        self._count += 1
        entry = JournalEntry(self._count, kind, name, sent, self._clock(), started=self._timer())
        self.entries.append(entry)
        try:
            yield entry
        finally:
            entry.took = self._timer() - entry.started

    @contextmanager
    def writing(self, entry: JournalEntry) -> Iterator[None]:
        """What is written in this block, which may not await, is written by the entry."""
        self._writing = entry
        try:
            yield
        finally:
            self._writing = None

    def note(self, change: WorkspaceEvent) -> None:
        if self._writing and change.type in ("message", "changed"):
            self._writing.messages.add((change.channel, str(change.message["ts"])))

    def acknowledged_late(self, envelope_id: str) -> None:
        """Note of a delivery that was given up that its acknowledgement came after all."""
        for entry in self.entries:
            if entry.envelope_id == envelope_id:
                entry.took, entry.outcome, entry.envelope_id = self._timer() - entry.started, "too late: timeout", ""

    def that_wrote(self, channel: str, ts: str) -> list[JournalEntry]:
        """The calls that wrote a message, oldest first."""
        return [entry for entry in self.entries if (channel, ts) in entry.messages]

    def numbered(self, number: int) -> JournalEntry | None:
        return next((entry for entry in self.entries if entry.number == number), None)
