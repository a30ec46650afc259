"""What `almanac doctor` finds: each a line that is ok, or says what to do, or why it was not looked at."""

from __future__ import annotations

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
