"""Which addresses are proven to be a Slack user's, and by what: all that a right rests on. Pure.

Who is treated as one person is another matter, which `bot.month.joining` decides, by commits, .mailmap files and links
that anybody may make. None of that proves anything: whoever can commit can write any name, address and .mailmap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bot.model import Person, Said
from bot.month.addresses import HandLinks, PeopleTables, noreply_login, plain
from bot.settings import PersonSettings

# confirmed: by an admin in Slack, or by whoever runs the program, at its command line
By = Literal["almanac.toml", "profile", "confirmed"]


@dataclass(frozen=True, slots=True)
class Proven:
    """What is proven of a Slack user. `by` says of each address what proves it, addresses as they are compared;
    `logins` are those of their [[people]] table, whose noreply addresses at GitHub are theirs, too. `name` is that of
    the table, where their id or the address of their profile stands in it."""

    by: Mapping[str, By] = field(default_factory=dict)
    logins: frozenset[str] = frozenset()
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.by or self.logins)

    def has(self, address: str) -> bool:
        """Whether an address is proven to be theirs."""
        if plain(address) in self.by:
            return True
        login = noreply_login(address) if self.logins else None
        return login is not None and plain(login) in self.logins

    def is_called(self, name: str) -> bool:
        """Whether a name or an address in a list of almanac.toml, such as `admins`, means them. What an admin confirmed
        makes nobody else an admin."""
        if "@" in name:
            return self.by.get(plain(name)) in ("almanac.toml", "profile")
        return bool(self.name) and plain(self.name) == plain(name)

    def covers(self, person: Person) -> bool:
        """Whether all that is shown as a person's is theirs."""
        signed = [one for one in person.identities if one.commits] or list(person.identities)
        return bool(signed) and all(self.has(one.address) for one in signed)

    def touches(self, person: Person) -> bool:
        """Whether anything that is shown as a person's is theirs."""
        return any(self.has(one.address) for one in person.identities)


NOTHING_PROVEN = Proven()


def proven(
    user: str,
    profile: str,
    tables: Sequence[PersonSettings] = (),
    said: Iterable[Said] = (),
    links: Iterable[Said] = (),
) -> Proven:
    """What is proven of a Slack user, whose profile is known to have an address (empty: none). `tables` are those of
    almanac.toml, `said` what was said of Slack users and `links` of addresses, both in order and without what was
    undone. What somebody said of themselves counts only where it takes something away.
    """
    if not user:
        return NOTHING_PROVEN
    wanted, profile = _confirmed(user, plain(profile), said)
    rules, linked = PeopleTables(tables), HandLinks(one for one in links if one.confirmed or one.action == "unlink")
    theirs = next((number for number, one in enumerate(tables) if one.slack == user), None)

    def may_have(address: str) -> bool:
        """Whether almanac.toml does not give it to somebody else."""
        table = rules.table_of(address)
        return table is None or table == theirs or (theirs is None and tables[table].slack is None)

    found: dict[str, By] = {}
    if profile and may_have(profile):
        found[profile] = "profile"
        theirs = rules.table_of(profile) if theirs is None else theirs
    name = tables[theirs].name if theirs is not None else ""
    before = -1
    while len(found) != before:  # what is confirmed may lead to a table, and its addresses to what was linked to them
        before = len(found)
        if theirs is not None:
            by: By = "almanac.toml" if name else "confirmed"
            found |= {plain(address): by for address in tables[theirs].addresses if plain(address) not in found}
        wanted += [one for some in linked.together if not found.keys().isdisjoint(some) for one in some]
        for address in wanted:
            if address not in found and may_have(address):
                found[address] = "confirmed"
                theirs = rules.table_of(address) if theirs is None else theirs
    logins = frozenset(map(plain, tables[theirs].logins)) if theirs is not None else frozenset[str]()
    return Proven(found, logins, name)


def _confirmed(user: str, profile: str, said: Iterable[Said]) -> tuple[list[str], str]:
    """The addresses that others confirmed to be a user's, and the one of their profile, unless it was said not to be
    theirs. They may undo that it is not, if they said so themselves."""
    confirmed, denied = dict[str, None](), dict[str, str]()
    for one in said:
        address = plain(one.value)
        if one.about != user or not address:
            continue
        if one.action == "unlink":
            confirmed.pop(address, None)
            denied[address] = one.by
        elif one.confirmed:
            confirmed[address] = None
            denied.pop(address, None)
        elif denied.get(address) == user:
            denied.pop(address)
    return list(confirmed), "" if profile in denied else profile
