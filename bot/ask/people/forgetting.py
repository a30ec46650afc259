"""Somebody of the index → as whom they are to be forgotten. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.model import Credited, Person
from bot.month.addresses import plain
from bot.month.people import full_names
from bot.month.resolver import Resolver
from storage.erasure import PersonToErase


def whom(
    person: Person,
    people: Sequence[Person],
    resolver: Resolver,
    mentions: Iterable[tuple[str, str]],
    users: Sequence[str] = (),
) -> PersonToErase:
    """All by which commits and texts name a person: addresses that are theirs alone, and names with an address where
    that is others' too, or where there is none. `resolver` says whom trailers name, `mentions` is what
    they write, `users` who they are in Slack."""
    others = {address for one in people if one != person for address in one.addresses}
    own = [address for address in person.addresses if address not in others]
    pairs = {(one.name, one.address): None for one in person.identities if plain(one.address) not in own}

    def is_meant(name: str, address: str = "") -> bool:
        meant = resolver.person(Credited("reviewer", name, address))
        return meant is not None and meant.addresses == person.addresses

    alone = [*person.logins, *(address.partition("@")[0] for address in own), *sorted(full_names(person))]
    pairs |= {(name, ""): None for name in alone if is_meant(name)}
    pairs |= {written: None for written in mentions if is_meant(*written)}
    names = dict.fromkeys((person.name, *(one.name for one in person.identities)))
    return PersonToErase(
        tuple(own),
        tuple(pair for pair in pairs if any(pair)),
        tuple(name for name in names if name.strip()),
        tuple(users),
    )
