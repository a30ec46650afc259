"""Names and addresses → people, and who is meant by a name. Pure.

One address is one person, whatever name stands beside it; two addresses are two people unless
almanac.toml says otherwise. A name alone never makes two authors one: teams have two Daves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
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
    """The people behind the identities, in order of name, then first address.

    A [[people]] table has the identities with its addresses, and GitHub's noreply addresses of its logins.
    """
    of_address = {_plain(address): number for number, one in enumerate(named) for address in one.addresses}
    of_login = {_plain(login): number for number, one in enumerate(named) for login in one.logins}
    groups: dict[int | tuple[str, str], list[Identity]] = defaultdict(list)
    for identity in identities:
        address = _plain(identity.address)
        table = of_address.get(address)
        if table is None and (login := noreply_login(address)):
            table = of_login.get(login.casefold())
        if table is not None:
            groups[table].append(identity)
        else:
            groups[("address", address) if address else ("name", identity.name)].append(identity)
    return in_order(_person(group, named[key] if isinstance(key, int) else None) for key, group in groups.items())


def in_order(people: Iterable[Person]) -> list[Person]:
    """By name, then first address."""
    return sorted(people, key=lambda person: (person.name.casefold(), person.name, person.addresses))


def _person(identities: list[Identity], table: Named | None) -> Person:
    ranked = tuple(sorted(identities, key=lambda one: (-one.commits, one.name, one.address)))
    usual = next((one.name.strip() for one in ranked if one.name.strip()), ranked[0].address.strip()) or "(no name)"
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


class Directory:
    """Who is called what, looked up once and asked often: a question is asked word by word.

    A match is of the strongest kind there is: an address, a full name, a login or nickname, a part of a
    name or what stands before the @ of an address, the beginning of a name.
    """

    def __init__(self, people: Sequence[Person]) -> None:
        self._people = people
        self._levels: tuple[dict[str, list[int]], ...] = ({}, {}, {}, {})
        for number, person in enumerate(people):
            for level, words in enumerate((_addresses(person), _full_names(person), _logins(person), _parts(person))):
                for word in words:
                    self._levels[level].setdefault(word, []).append(number)
        self._full = sorted(self._levels[1])
        self._openings = {name.split()[0] for level in (1, 2) for name in self._levels[level]}
        self._called = Counter(_plain(person.name) for person in people)
        # What a typed name is held against: whole names and their parts, each with whose it is.
        self._near = [(word, number) for level in (1, 2, 3) for word, n in self._levels[level].items() for number in n]
        self._words = [word for word, _ in self._near]

    def find(self, text: str) -> Found:
        """Who is meant by an address, a full name, a login, a nickname or a part of a name."""
        people = self.exactly(text) or self.begins(text)
        return Found(people) if people else Found((), self.nearest(text))

    def exactly(self, text: str, *, levels: Sequence[int] = (0, 1, 2, 3)) -> tuple[Person, ...]:
        """Who has this address (0), full name (1), login or nickname (2), or part of a name (3)."""
        wanted = _wanted(text)
        return next((self._who(found) for level in levels if (found := self._levels[level].get(wanted))), ())

    def named(self, text: str) -> tuple[Person, ...]:
        """Who has this full name of several words, this address, or both ("Ada <ada@example.com>")."""
        wanted = _wanted(text)
        if "@" in wanted:
            return self.exactly(wanted, levels=(0,))
        return self.exactly(wanted, levels=(1, 2)) if " " in wanted else ()

    def may_open(self, word: str) -> bool:
        """Whether a full name, an address, or both may begin with this word."""
        return "@" in word or _plain(word) in self._openings

    def begins(self, text: str) -> tuple[Person, ...]:
        """Whose full name begins with this, of at least three letters."""
        wanted = _wanted(text)
        if len(wanted) < 3:
            return ()
        at = bisect_left(self._full, wanted)
        found: dict[int, None] = {}
        while at < len(self._full) and self._full[at].startswith(wanted):
            found |= dict.fromkeys(self._levels[1][self._full[at]])
            at += 1
        return self._who(sorted(found))

    def nearest(self, text: str, likeness: float = NEAR) -> tuple[str, ...]:
        """The names that are most like this, at most three, best first."""
        wanted = _wanted(text)[:80]
        if not wanted:
            return ()
        best: dict[str, float] = {}
        scorer = fuzz.token_sort_ratio if " " in wanted else fuzz.ratio
        for _, score, at in process.extract(wanted, self._words, scorer=scorer, limit=12, score_cutoff=likeness):
            name = self._people[self._near[at][1]].name
            best[name] = max(score, best.get(name, 0.0))
        if " " in wanted:  # "grace kelly" is likely some other Grace
            for person in (person for word in wanted.split() for person in self.exactly(word)):
                best.setdefault(person.name, likeness)
        return tuple(sorted(best, key=lambda name: (-best[name], name)))[:3]

    def spelled(self, text: str) -> str:
        """The text as it is written in the name of somebody it fits: "dave" is "Dave"."""
        parts = (part for person in self.exactly(text) for part in (person.name, *person.name.split()))
        return next((part for part in parts if _plain(part) == _wanted(text)), text)

    def namesakes(self, person: Person) -> int:
        """How many people have this person's name, themselves among them."""
        return self._called[_plain(person.name)]

    def _who(self, numbers: Sequence[int]) -> tuple[Person, ...]:
        return tuple(self._people[number] for number in numbers)


def find(people: Sequence[Person], text: str) -> Found:
    """Who of the people is meant, as `Directory.find`."""
    return Directory(people).find(text)


def _wanted(text: str) -> str:
    wanted = _plain(text.strip().lstrip("@"))
    match = _WITH_ADDRESS.fullmatch(wanted)
    return match["address"] if match else wanted


def _addresses(person: Person) -> set[str]:
    return {_plain(address) for address in person.addresses}


def _full_names(person: Person) -> set[str]:
    return {plain for name in (person.name, *(one.name for one in person.identities)) if (plain := _plain(name))}


def _logins(person: Person) -> set[str]:
    return {_plain(word) for word in (*person.logins, *person.nicknames)}


def _parts(person: Person) -> set[str]:
    """Words of their names, and what stands before the @ of their addresses: david@ is a David like others."""
    before_at = {address.partition("@")[0] for address in _addresses(person) if not noreply_login(address)}
    words = {word.strip(".,()'\"") for name in _full_names(person) for word in name.split()}
    return {part for part in words | before_at if len(part) > 1 or not part.isascii()}


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def described(person: Person) -> str:
    """The name with the address, to tell apart people of one name."""
    return f"{person.name} <{person.addresses[0]}>" if person.addresses else person.name
