"""Names and addresses → people, and who is meant by a name. Pure.

One address is one person, whatever name stands beside it; two addresses are two people unless
almanac.toml says otherwise. A name alone never makes two authors one: teams have two Daves.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol

from rapidfuzz import fuzz, process

from bot.model import Identity, Person

NEAR = 65.0  # how alike, of 100, a name must be to be offered
_NOREPLY = re.compile(r"(?:\d+\+)?(?P<login>[\w.-]+(?:\[bot\])?)@users\.noreply\.github\.com", re.IGNORECASE)

_WITH_ADDRESS = re.compile(r"[^<>]*<(?P<address>[^<>\s]+@[^<>\s]+)>")


class Named(Protocol):
    """A [[people]] table of almanac.toml."""

    @property
    def name(self) -> str: ...
    @property
    def addresses(self) -> Sequence[str]: ...
    @property
    def logins(self) -> Sequence[str]: ...
    @property
    def nicknames(self) -> Sequence[str]: ...
    @property
    def slack(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Found:
    """Who fits a name: nobody, one, or several. `nearest` are names to offer where nobody does."""

    people: tuple[Person, ...]
    nearest: tuple[str, ...] = ()


def everyone(identities: Iterable[Identity], named: Sequence[Named] = ()) -> list[Person]:
    """The people behind the identities, in order of name, then first address."""
    owner: dict[str, Named] = {address.lower(): one for one in named for address in one.addresses}
    groups: dict[tuple[str, str], list[Identity]] = defaultdict(list)
    for identity in identities:
        address = identity.address.lower()
        if address in owner:
            groups["named", owner[address].name].append(identity)
        elif address:
            groups["address", address].append(identity)
        else:
            groups["name", identity.name].append(identity)
    tables: Mapping[str, Named] = {one.name: one for one in named}
    people = [_person(group, tables[key] if how == "named" else None) for (how, key), group in groups.items()]
    return sorted(people, key=lambda person: (person.name.casefold(), person.name, person.addresses))


def _person(identities: list[Identity], table: Named | None) -> Person:
    ranked = tuple(sorted(identities, key=lambda one: (-one.commits, one.name, one.address)))
    usual = next((one.name for one in ranked if one.name), ranked[0].address) or "(no name)"
    logins = dict.fromkeys(table.logins if table else ())
    logins |= dict.fromkeys(login for one in ranked if (login := noreply_login(one.address)))
    return Person(
        name=table.name if table else usual,
        identities=ranked,
        logins=tuple(logins),
        nicknames=tuple(table.nicknames) if table else (),
        slack=table.slack if table else None,
    )


def noreply_login(address: str) -> str | None:
    """The GitHub login in an address such as 12345+ada@users.noreply.github.com."""
    match = _NOREPLY.fullmatch(address)
    return match["login"] if match else None


def is_bot(person: Person, patterns: Sequence[str]) -> bool:
    """Whether the author is a machine, by name and address.

    Patterns are as in file names, without regard to case. A pattern is held against the whole name, the
    whole address, and the address before its @. Only authors are asked: bots commit what people wrote.
    """
    texts = [person.name, *person.addresses, *(address.partition("@")[0] for address in person.addresses)]
    return any(
        fnmatchcase(_literal(text.casefold()), _literal(pattern.casefold())) for text in texts for pattern in patterns
    )


def _literal(text: str) -> str:
    # In a pattern `[bot]` would mean one letter; nobody who writes it means that.
    return text.replace("[", "\x01").replace("]", "\x02")


def find(people: Sequence[Person], text: str) -> Found:
    """Who is meant by an address, a full name, a login, a nickname or a part of a name.

    The strongest kind of match decides: a full name that fits one person is theirs even where it is also
    somebody's nickname.
    """
    wanted = " ".join(text.strip().lstrip("@").split()).casefold()
    if match := _WITH_ADDRESS.fullmatch(wanted):
        wanted = match["address"]
    if not wanted:
        return Found(())
    for kind in (_addresses, _full_names, _logins_and_nicknames, _parts_of_names, _starts_of_names):
        found = tuple(person for person in people if wanted in kind(person, wanted))
        if found:
            return Found(found)
    names = dict.fromkeys(person.name for person in people)
    near = process.extract(wanted, names.keys(), scorer=_likeness, limit=3, score_cutoff=NEAR)
    return Found((), tuple(name for name, _, _ in near))


def _likeness(wanted: str, name: str, **_: object) -> float:
    """How alike a typed name and a full name are, of 100; one word is held against each part of the name."""
    plain = _plain(name)
    if " " in wanted:
        return fuzz.token_sort_ratio(wanted, plain)
    return max(fuzz.ratio(wanted, part) for part in (plain, *plain.split()))


def _addresses(person: Person, _: str) -> set[str]:
    return set(person.addresses)


def _full_names(person: Person, _: str) -> set[str]:
    return {_plain(name) for name in (person.name, *(one.name for one in person.identities)) if name}


def _logins_and_nicknames(person: Person, _: str) -> set[str]:
    return {_plain(word) for word in (*person.logins, *person.nicknames)}


def _parts_of_names(person: Person, _: str) -> set[str]:
    """Words of their names, and what stands before the @ of their addresses: david@ is a David like others."""
    before_at = {address.partition("@")[0] for address in person.addresses if not noreply_login(address)}
    return {part for name in _full_names(person, "") for part in name.split()} | before_at


def _starts_of_names(person: Person, wanted: str) -> set[str]:
    return {wanted} if len(wanted) >= 3 and any(n.startswith(wanted) for n in _full_names(person, "")) else set()


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def described(person: Person) -> str:
    """The name with the address, to tell apart people of one name."""
    return f"{person.name} <{person.addresses[0]}>" if person.addresses else person.name
