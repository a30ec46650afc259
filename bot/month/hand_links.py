"""The log of what people said of addresses and users by hand → what holds now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.model import Said
from bot.month.addresses import login_in_log, plain


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


def by_hand(log: Iterable[Said]) -> HandLinks:
    """What holds, said in order. An address that is unlinked leaves its set; those who were linked to it stay there."""
    sets: dict[str, dict[str, None]] = {}
    alone: set[str] = set()
    apart: set[tuple[str, str]] = set()
    logins: dict[str, str] = {}
    not_theirs: set[tuple[str, str]] = set()
    for one in log:
        address, other = plain(one.about), plain(one.value)
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


def addresses_of(
    user: str, live: Iterable[Said], *, confirmed_only: bool = False
) -> tuple[frozenset[str], frozenset[str]]:
    """The addresses, in small letters, that were said to be a Slack user's, and those that were said not to be: of each
    what was said last. `confirmed_only`: a link that somebody made of themselves does not count."""
    said = {
        plain(one.value): one.action
        for one in live
        if one.about == user and (one.confirmed or one.action == "unlink" or not confirmed_only)
    }
    theirs = frozenset(address for address, action in said.items() if action == "link")
    return theirs, frozenset(said) - theirs


def users_of(profiles: Mapping[str, str], live: Iterable[Said]) -> dict[str, str]:
    """The Slack user of each address, as far as their profile says so or an admin; of several the last by id."""
    found = {address: user for user, address in sorted(profiles.items())}
    for one in live:
        address = plain(one.value)
        if one.action == "link" and one.confirmed:
            found[address] = one.about
        elif one.action == "unlink" and found.get(address) == one.about:
            del found[address]
    return found
