"""Who may read of which repository, and where. Pure.

An answer must not tell in a channel what that channel may not read. When in doubt (a direct message, a
channel whose name is not known) a repository with a list of channels is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from bot.index.address import place

EVERYONE = "everyone"


class Audience(Protocol):
    """A [[repositories]] table of almanac.toml."""

    @property
    def address(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def audience(self) -> str | list[str]: ...


def hidden_from(channel: Collection[str], repositories: Iterable[Audience]) -> frozenset[str]:
    """The names of the repositories that a channel may not read of.

    `channel` is what the channel is known by: its id, its name, or both, with or without the #.
    """
    known = {name.lstrip("#").casefold() for name in channel}
    hidden = set()
    for table in repositories:
        if table.audience == EVERYONE:
            continue
        if not known & {one.lstrip("#").casefold() for one in table.audience}:
            hidden.add(table.name or place(table.address).name)
    return frozenset(hidden)
