"""What authors are called. Pure."""

from __future__ import annotations

from collections.abc import Callable

from bot.model import Signature

Names = Callable[[Signature], str]  # who an author is, told by name


def as_signed(author: Signature) -> str:
    """The name that somebody signed with, where nobody knows better who they are."""
    return author.name
