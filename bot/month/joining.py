"""Which identities are one person's, by rules in order: of two that contradict each other the earlier one holds. Pure.

1. almanac.toml: a [[people]] table has its addresses, and GitHub's noreply addresses of its logins. No other rule
   ever puts two tables together.
2. What people linked or unlinked by hand. An address that was unlinked is joined by rules 3 and 4 no more. A login
   joins no addresses: it is its person's, and no account of GitHub makes it somebody else's.
3. The .mailmap of a repository, for the commits of that repository.
4. GitHub's noreply addresses: of one account, known by its id, or by its login where that login has but one id.

Without a rule, one address is one person, whatever name stands beside it. That people of one full name are one is said
by `bot.month.by_name`, after all these.

All of this is for telling. What somebody may do never rests on it: see `bot.ask.people.proven`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.model import Identity, Said
from bot.month.addresses import account, noreply_login, plain
from bot.month.hand_links import by_hand
from bot.month.mailmap import Mailmaps


class PersonTable(Protocol):
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


@dataclass(slots=True)
class Joined:
    """Somebody's identities, each with the name it stands for, and what is known of theirs without a commit."""

    identities: list[tuple[Identity, str]] = field(default_factory=list)
    other_addresses: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)  # said by hand
    table: int | None = None  # of almanac.toml
    parts: tuple[Joined, ...] = ()  # that are one person by their name alone, as they are without it


class JoinRules:
    """The rules, ready to be applied. `links` is the log in its order."""

    def __init__(
        self, named: Sequence[PersonTable] = (), links: Iterable[Said] = (), mailmaps: Mailmaps | None = None
    ) -> None:
        self.named = named
        self.tables = {plain(address): number for number, one in enumerate(named) for address in one.addresses}
        self.logins = {plain(login): number for number, one in enumerate(named) for login in one.logins}
        log = list(links)
        self.hand = by_hand(log)
        # What of it was said by an admin, or at the command line.
        self.sure = by_hand(one for one in log if one.confirmed or one.action == "unlink").together
        self.mailmaps = mailmaps or Mailmaps()

    def joined(self, identities: Iterable[Identity]) -> list[Joined]:
        """The people behind the identities; nobody without one. Costs a few microseconds an identity."""
        atoms = _Atoms(self)
        for identity in sorted(identities, key=lambda one: (one.name, one.address, one.only)):  # always in one order
            atoms.take(identity)
        atoms.join()
        return atoms.people()

    def table_of(self, address: str) -> int | None:
        """The number of the [[people]] table that an address belongs to."""
        table = self.tables.get(address)
        if table is None and self.logins and (login := noreply_login(address)):
            table = self.logins.get(plain(login))
        return table

    def sure_of(self, addresses: Iterable[str]) -> Callable[[str], bool]:
        """Which addresses are, beyond what anybody could say, of those who have some: by almanac.toml, by links that
        an admin confirmed, or as the same account of GitHub."""
        known = {plain(one) for one in addresses}
        known = known.union(*(some for some in self.sure if not known.isdisjoint(some)))
        tables = {table for one in known if (table := self.table_of(one)) is not None}
        accounts = {each for one in known if (found := account(one)) for each in (found.id, plain(found.login)) if each}

        def is_theirs(address: str) -> bool:
            raw = plain(address)
            table, found = self.table_of(raw), account(raw)
            if raw in known or (table is not None and table in tables):
                return True
            return table is None and found is not None and bool({found.id, plain(found.login)} & accounts)

        return is_theirs

    def parted(self, joined: Joined, inside: Callable[[str], bool]) -> list[Joined]:
        """Somebody in two, by address, or as they are where all or none of their addresses is inside."""
        if joined.parts:
            pieces = [piece for part in joined.parts for piece in self.parted(part, inside)]
            sides = [[one for one in pieces if inside(one.identities[0][0].address) is side] for side in (False, True)]
            return [together(side, by_name=True) for side in sides if side] if all(sides) else [joined]
        parts = Joined(), Joined()
        for identity, name in joined.identities:
            parts[inside(identity.address)].identities.append((identity, name))
        if not all(one.identities for one in parts):
            return [joined]
        for address in joined.other_addresses:
            parts[inside(address)].other_addresses.append(address)
        for part in parts:
            theirs = {plain(one.address) for one, _ in part.identities}.union(part.other_addresses)
            part.logins = [one for one in joined.logins if self.hand.logins.get(one) in theirs]
            if joined.table is not None and joined.table in map(self.table_of, theirs):
                part.table = joined.table
        return list(parts)

    def why(self, identity: Identity) -> str:
        """The rule by which an identity is whose it is, in a few words. That of a commit's author is `only` of the
        commit's repository."""
        raw = plain(identity.address)
        if self.table_of(raw) is not None:
            return "almanac.toml"
        if raw in self.hand.alone or any(raw in together for together in self.hand.together):
            return "linked by hand"
        proper = self.mailmaps.proper(identity.name, identity.address, identity.only)
        if proper and proper.address and plain(proper.address) != raw:
            return f".mailmap: {proper.name or identity.name} <{proper.address}>"
        if found := account(raw):
            return f"the GitHub account {found.login}"
        return "its address" if raw else "its name, for want of an address"


def together(parts: Sequence[Joined], *, by_name: bool = False) -> Joined:
    """Parts that are one person's as one; `by_name`: by their name alone."""
    if by_name and len(parts) == 1:
        return parts[0]
    whole = Joined(parts=tuple(parts) if by_name else ())
    for part in parts:
        whole.identities += part.identities
        whole.other_addresses += part.other_addresses
        whole.logins += part.logins
        whole.table = part.table if whole.table is None else whole.table
    return whole


_Key = tuple[str, str]  # an address as it is written, and the proper one in its place


class _Atoms:
    """Identities that no rule tells apart, and a forest of what the rules put together."""

    def __init__(self, rules: JoinRules) -> None:
        self._rules = rules
        self._of: dict[_Key, int] = {}
        self._keys: list[_Key] = []
        self._identities: list[list[tuple[Identity, str]]] = []
        self._for_all: dict[str, int] = {}  # of each address, the atom that is not for one name only
        self._at: dict[str, list[int]] = {}  # all that have it
        self._parent: list[int] = []
        self._table: dict[int, int] = {}  # of the root of a tree

    # --- from identities

    def take(self, identity: Identity) -> None:
        raw = plain(identity.address)
        proper = None
        if raw not in self._rules.hand.alone:
            proper = self._rules.mailmaps.proper(identity.name, identity.address, identity.only)
        if proper and proper.address:
            key = (raw, plain(proper.address))
        else:
            key = (raw, raw) if raw else ("", f"\0{identity.name}")
        atom = self._atom(key, for_all=key[0] == key[1])
        self._identities[atom].append((identity, (proper.name if proper else None) or identity.name))

    def _atom(self, key: _Key, *, for_all: bool = True) -> int:
        atom = self._of.get(key)
        if atom is None:
            atom = self._of[key] = len(self._parent)
            self._parent.append(atom)
            self._keys.append(key)
            self._identities.append([])
            self._at.setdefault(key[0], []).append(atom)
        if for_all and key[0]:
            self._for_all.setdefault(key[0], atom)
        return atom

    def _whose(self, address: str) -> int | None:
        """The atom of an address; None where it is shown as several people's, and nobody's else."""
        atom = self._for_all.get(address)
        if atom is None:
            at = self._at.get(address, [])
            atom = at[0] if len(at) == 1 else None if at else self._atom((address, address))
        return atom

    # --- the rules

    def join(self) -> None:
        self._by_tables()
        for together in self._rules.hand.together:
            self._all_of([atom for address in together if (atom := self._whose(address)) is not None])
        self._by_mailmap()
        self._by_accounts()

    def logins(self) -> dict[int, list[str]]:
        """Of the roots of trees, the logins that are theirs by hand: those of a table are its own."""
        found: dict[int, list[str]] = {}
        for login, address in self._rules.hand.logins.items():
            if login not in self._rules.logins and address in self._at:
                atom = self._whose(address)
                if atom is not None:
                    found.setdefault(self._root(atom), []).append(login)
        return found

    def _by_tables(self) -> None:
        for address in self._rules.tables:
            if address and address not in self._at:
                self._atom((address, address))
        first: dict[int, int] = {}
        for atom, (raw, _) in enumerate(self._keys):
            table = self._rules.table_of(raw)
            if table is not None:
                self._table[self._root(atom)] = table
                self._unite(first.setdefault(table, atom), atom)

    def _by_mailmap(self) -> None:
        for _, proper in [key for key in self._keys if key[0] != key[1] and key[1] not in self._at]:
            if proper[:1] not in ("", "\0"):
                self._atom((proper, proper))
        of_proper: dict[str, list[int]] = {}
        for atom, (raw, proper) in enumerate(self._keys):
            if raw == proper:  # whose own address it is comes first
                of_proper.setdefault(proper, []).insert(0, atom)
            else:
                of_proper.setdefault(proper, []).append(atom)
        alone = self._rules.hand.alone
        for atoms in of_proper.values():
            if len(atoms) > 1:
                self._all_of([atom for atom in atoms if self._keys[atom][0] not in alone])

    def _by_accounts(self) -> None:
        of_id: dict[str, list[int]] = {}
        of_login: dict[str, list[int]] = {}
        ids: dict[str, set[str]] = {}
        for atom, (raw, _) in enumerate(self._keys):
            found = account(raw)
            if found is None or raw in self._rules.hand.alone:
                continue
            login = plain(found.login)
            of_login.setdefault(login, []).append(atom)
            if found.id:
                of_id.setdefault(found.id, []).append(atom)
                ids.setdefault(login, set()).add(found.id)
        for atoms in of_id.values():
            self._all_of(atoms)
        for login, atoms in of_login.items():
            if len(ids.get(login, ())) < 2:  # else the login has changed hands
                self._all_of(atoms)

    # --- the forest

    def _root(self, atom: int) -> int:
        parent = self._parent
        while parent[atom] != atom:
            parent[atom] = parent[parent[atom]]
            atom = parent[atom]
        return atom

    def _unite(self, one: int, other: int) -> None:
        """Put two trees together, unless each belongs to another table."""
        one, other = self._root(one), self._root(other)
        if one == other:
            return
        mine, theirs = self._table.get(one), self._table.get(other)
        if mine is not None and theirs is not None and mine != theirs:
            return
        if other < one:  # the root is the oldest, so that the order of people does not hang on that of rules
            one, other = other, one
        self._parent[other] = one
        table = theirs if mine is None else mine
        if table is not None:
            self._table[one] = table

    def _all_of(self, atoms: Sequence[int]) -> None:
        for atom in atoms[1:]:
            self._unite(atoms[0], atom)

    def people(self) -> list[Joined]:
        found: dict[int, Joined] = {}
        logins = self.logins()
        for atom, (raw, _) in enumerate(self._keys):
            root = self._root(atom)
            person = found.setdefault(root, Joined(table=self._table.get(root), logins=logins.get(root, [])))
            person.identities += self._identities[atom]
            if raw and not self._identities[atom]:
                person.other_addresses.append(raw)
        return [person for person in found.values() if person.identities]
