"""A thing to say of a history, in several lengths of which one is chosen. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.model import Change

FEW = 2  # changes of a history in which each is named, and nothing counted


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, the commits it rests on, and the facts it is made of. One that is not `is_counted` quotes."""

    text: str
    evidence: tuple[str, ...]
    computed: tuple[str, ...]
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class Slot:
    """The lengths in which one thing can be said, each with what is lost by it; nothing may be one of them."""

    lengths: tuple[Remark | None, ...]
    lost: tuple[float, ...]


def only(remark: Remark) -> Slot:
    """What can be said in one way, and is said in any case."""
    return Slot((remark,), (0,))


def stepwise(make: Callable[[int], Remark | None], steps: Iterable[int], price: float, dear: float = 0) -> Slot:
    """A remark for each number of things that it may name, fullest first. Each step loses `price`, the last one
    `dear` beside that."""
    lengths = tuple(make(step) for step in steps)
    lost = [price * step for step in range(len(lengths))]
    if len(lost) > 1:
        lost[-1] += dear
    return Slot(lengths, tuple(lost))


def or_nothing(slot: Slot, lost: float) -> Slot:
    """The same, or nothing, by which so much is lost."""
    return Slot((*slot.lengths, None), (*slot.lost, lost))


def shas(changes: Iterable[Change]) -> tuple[str, ...]:
    """The commits of changes, each once."""
    return tuple(dict.fromkeys(sha for change in changes for sha in change.shas))
