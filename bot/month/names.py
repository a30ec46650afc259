"""What authors are called. Pure."""

from __future__ import annotations

from collections.abc import Callable

from bot.model import Commit

Names = Callable[[Commit], str]  # who the author of a commit is, shown by name


def as_signed(commit: Commit) -> str:
    """The name that a commit is signed with, where nobody knows better whose it is."""
    return commit.author.name
