"""What `almanac doctor` finds: each a line that is ok, or says what to do, or why it was not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "trouble", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` is one line; of a trouble it ends with what to do."""

    name: str
    state: State
    text: str


def ok(name: str, text: str) -> Finding:
    return Finding(name, "ok", text)


def trouble(name: str, text: str) -> Finding:
    return Finding(name, "trouble", text)


def skipped(name: str, text: str) -> Finding:
    return Finding(name, "skipped", text)


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look at. `what` names it where nothing comes of it; `hint` says what to do then."""

    what: str
    look: Callable[[], Iterable[Finding]]
    hint: str = "look into what it needs, then try again"
