"""Keeps what was read of a message for the next who asks: a month is told to several, a digest every week. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple, cast

KEPT = 4_096  # readings of each sort, which is the month of a large team
LONGEST = 3_000  # characters of a message of which one is kept: 12 MB of a sort at most, and mostly a tenth of it
Texts = TypeVarTuple("Texts")
Found = TypeVar("Found")


def remembered(read: Callable[[*Texts], Found]) -> Callable[[*Texts], Found]:
    """The same reading of texts, which nobody may change, kept while they are short and it was lately asked for."""
    kept = lru_cache(maxsize=KEPT)(cast("Callable[..., Found]", read))

    @wraps(read)
    def reading(*texts: *Texts) -> Found:
        return kept(*texts) if sum(map(len, cast("tuple[str, ...]", texts))) <= LONGEST else read(*texts)

    return reading
