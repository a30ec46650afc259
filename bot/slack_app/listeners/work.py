"""How a listener has something done that blocks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Work(Protocol):
    """Runs a function in another thread."""

    def __call__(self, task: Callable[..., T], *arguments: Any) -> Awaitable[T]: ...
