"""The log of what people said of addresses by hand → what holds now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.month.addresses import login_in_log, plain


@dataclass(frozen=True, slots=True)
class AddressLink:
    """What somebody said of an address by hand: that it is the same person's as `other`, or that it is not. In its
    place may stand a login, with an @ before it.

    The log of links is only added to. One that was undone stays in it and counts for nothing.
    """

    number: int
    action: Literal["link", "unlink"]
    address: str
    other: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None
    confirmed: bool = False  # said by an admin, or at the command line; else whoever said it means themselves


@dataclass(frozen=True, slots=True)
class HandLinks:
    """What holds of all that was said by hand; addresses are in the form in which they are compared.

    The addresses of each set in `together` are one person's. Those in `alone` are joined with others by hand only.
    Pairs in `apart` were said not to be the same person's. `logins` tells an address of whoever has a login; pairs in
    `not_theirs` are logins with an address of somebody who was said not to have them.
    """

    together: tuple[tuple[str, ...], ...] = ()
    alone: frozenset[str] = frozenset()
    apart: frozenset[tuple[str, str]] = frozenset()
    logins: Mapping[str, str] = field(default_factory=dict)
    not_theirs: frozenset[tuple[str, str]] = frozenset()


def by_hand(log: Iterable[AddressLink]) -> HandLinks:
    """What holds, said in order. An address that is unlinked leaves its set; those who were linked to it stay there."""
    sets: dict[str, dict[str, None]] = {}
    alone: set[str] = set()
    apart: set[tuple[str, str]] = set()
    logins: dict[str, str] = {}
    not_theirs: set[tuple[str, str]] = set()
    for one in log:
        address, other = plain(one.address), plain(one.other)
        if one.undone_at or not address or not other:
            continue
        if login := login_in_log(address):
            if one.action == "link":
                logins[login] = other
                not_theirs.discard((login, other))
            else:
                logins.pop(login, None)
                not_theirs.add((login, other))
            continue
        mine = sets.setdefault(address, {address: None})
        if one.action == "unlink":
            mine.pop(address)
            sets[address] = {address: None}
            alone.add(address)
            apart |= {(address, other), (other, address)}
            continue
        theirs = sets.setdefault(other, {other: None})
        if mine is not theirs:
            large, small = (theirs, mine) if len(theirs) >= len(mine) else (mine, theirs)
            large |= small
            for each in small:
                sets[each] = large
        apart -= {(address, other), (other, address)}
    unique = {id(one): one for one in sets.values() if len(one) > 1}
    return HandLinks(
        tuple(tuple(one) for one in unique.values()), frozenset(alone), frozenset(apart), logins, frozenset(not_theirs)
    )
