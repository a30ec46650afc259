"""Which identities are one person's, by rules in order: of two that contradict each other the earlier one holds. Pure.

1. almanac.toml: a [[people]] table has its addresses, and GitHub's noreply addresses of its logins. No other rule
   ever puts two tables together.
2. What people linked or unlinked by hand. An address that was unlinked is joined by the rules below no more. A login
   joins no addresses: it is its person's, and no account of GitHub makes it somebody else's.
3. The .mailmap of a repository, for the commits of that repository.
4. GitHub's noreply addresses: of one account, known by its id, or by its login where that login has but one id.
5. Full names, as `git shortlog` counts: the weakest. Those who sign most of their commits with one and the same, of two
   words or more, are treated as one person; case, accents and the order of "Last, First" make no difference. If
   anything speaks against it for two of a name, nobody of that name is put together: two tables of almanac.toml; that
   they were said by hand not to be one; two accounts of GitHub, or two users of Slack; two addresses at one place of
   work, where each word of the name is among the world's most frequent. Where a word of it is, it joins only those who
   have a repository in common, or what stands before their @. What a .mailmap puts for a name holds in its own
   repository. Machines, placeholders such as "Your Name", and names that more than MOST_NAMESAKES sign with are
   nobody's.
6. Logins: who signs with one word, and else only with the same full names, is whose login that is, or whose full name
   it is without spaces; and of one name is who has for a login what stands before the other's @. Where that could be
   several, nobody is; a login that many may have, or that is a word of its owner's full name, is nobody's; what was
   said by hand, and what speaks against two of one name, speaks against these; and both have a repository in common,
   or what stands before their @. `joined_by_name` applies this rule and the one before, where they are wanted.

Without a rule, one address is one person, whatever name stands beside it.

All of this is for telling. What somebody may do never rests on it: see `bot.ask.people.proven`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from bot.model import Identity, Said
from bot.month.addresses import account, login_in_log, noreply_login, plain, unaccented
from bot.month.common_words import COMMON, EVERYBODYS, PLACEHOLDERS, PUBLIC
from bot.month.mailmap import Mailmaps

if TYPE_CHECKING:
    from bot.settings_tables import PersonSettings


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
        self, named: Sequence[PersonSettings] = (), links: Iterable[Said] = (), mailmaps: Mailmaps | None = None
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
        return _Atoms(self, identities).people()

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


class _Atoms:
    """Identities that no rule tells apart, by the address as it is written and the proper one in its place, numbered as
    they come; and a forest of what the rules put together, whose roots are the oldest, so that the order of people does
    not hang on that of rules. A tree belongs to one table at most."""

    def __init__(self, rules: JoinRules, identities: Iterable[Identity]) -> None:
        self._rules = rules
        self._of: dict[tuple[str, str], int] = {}
        self._identities: list[list[tuple[Identity, str]]] = []
        self._at: dict[str, list[int]] = {}  # all that have an address as it is written
        self._parent: list[int] = []
        self._table: dict[int, int] = {}  # of the root of a tree
        for identity in sorted(identities, key=lambda one: (one.name, one.address, one.only)):  # always in one order
            self._take(identity)
        self._by_tables()
        for linked in rules.hand.together:
            self._unite(atom for address in linked if (atom := self._whose(address)) is not None)
        self._by_mailmap()
        self._by_accounts()

    def _take(self, identity: Identity) -> None:
        raw, proper = plain(identity.address), None
        if raw not in self._rules.hand.alone:
            proper = self._rules.mailmaps.proper(identity.name, identity.address, identity.only)
        if not raw and not (proper and proper.address):
            atom = self._atom("", f"\0{identity.name}")
        else:
            atom = self._atom(raw, plain(proper.address) if proper and proper.address else raw)
        self._identities[atom].append((identity, (proper.name if proper else None) or identity.name))

    def _atom(self, raw: str, proper: str) -> int:
        atom = self._of.get((raw, proper))
        if atom is None:
            atom = self._of[raw, proper] = len(self._parent)
            self._parent.append(atom)
            self._identities.append([])
            self._at.setdefault(raw, []).append(atom)
        return atom

    def _whose(self, address: str) -> int | None:
        """The atom of an address; None where it is shown as several people's, and nobody's else."""
        if (atom := self._of.get((address, address))) is not None:
            return atom
        at = self._at.get(address, [])
        return at[0] if len(at) == 1 else None if at else self._atom(address, address)

    # --- the rules

    def _by_tables(self) -> None:
        for address in self._rules.tables:
            if address and address not in self._at:
                self._atom(address, address)
        first: dict[int, int] = {}
        for (raw, _), atom in self._of.items():
            table = self._rules.table_of(raw)
            if table is not None:
                self._table[self._root(atom)] = table
                self._unite((first.setdefault(table, atom), atom))

    def _by_mailmap(self) -> None:
        for proper in [proper for raw, proper in self._of if raw != proper and proper not in self._at]:
            if proper[:1] not in ("", "\0"):
                self._atom(proper, proper)
        of_proper: dict[str, list[int]] = {}
        for (raw, proper), atom in self._of.items():
            if raw not in self._rules.hand.alone:  # whose own address it is comes first
                having = of_proper.setdefault(proper, [])
                having.insert(0 if raw == proper else len(having), atom)
        for atoms in of_proper.values():
            self._unite(atoms)

    def _by_accounts(self) -> None:
        of: dict[str, list[int]] = {}  # ids, and logins behind an @
        ids: dict[str, set[str]] = {}
        for (raw, _), atom in self._of.items():
            found = account(raw)
            if found is not None and raw not in self._rules.hand.alone:
                login = f"@{plain(found.login)}"
                of.setdefault(login, []).append(atom)
                if found.id:
                    of.setdefault(found.id, []).append(atom)
                    ids.setdefault(login, set()).add(found.id)
        for name, atoms in sorted(of.items(), key=lambda one: one[0][0] == "@"):
            if len(ids.get(name, ())) < 2:  # else the login has changed hands
                self._unite(atoms)

    # --- the forest

    def _root(self, atom: int) -> int:
        parent = self._parent
        while parent[atom] != atom:
            parent[atom] = parent[parent[atom]]
            atom = parent[atom]
        return atom

    def _unite(self, atoms: Iterable[int]) -> None:
        """Put the tree of the first and those of the others together, but for those of another table."""
        first, *others = list(atoms) or [0]
        for each in others:
            one, other = sorted((self._root(first), self._root(each)))
            tables = {table for root in (one, other) if (table := self._table.get(root)) is not None}
            if one != other and len(tables) < 2:
                self._parent[other] = one
                self._table |= dict.fromkeys((one,), *tables) if tables else {}

    def people(self) -> list[Joined]:
        logins: dict[int, list[str]] = {}  # that are theirs by hand: those of a table are its own
        for login, address in self._rules.hand.logins.items():
            if login not in self._rules.logins and address in self._at and (atom := self._whose(address)) is not None:
                logins.setdefault(self._root(atom), []).append(login)
        found: dict[int, Joined] = {}
        for (raw, _), atom in self._of.items():
            root = self._root(atom)
            person = found.setdefault(root, Joined(table=self._table.get(root), logins=logins.get(root, [])))
            person.identities += self._identities[atom]
            if raw and not self._identities[atom]:
                person.other_addresses.append(raw)
        return [person for person in found.values() if person.identities]


# --- what was said by hand


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
        pair = {(address, other), (other, address)}
        if login := login_in_log(address):
            if one.action == "link":
                logins[login] = other
                not_theirs.discard((login, other))
            else:
                logins.pop(login, None)
                not_theirs.add((login, other))
        elif one.action == "unlink":
            sets.get(address, {}).pop(address, None)
            sets[address] = {address: None}
            alone.add(address)
            apart |= pair
        else:
            whole, mine = sets.setdefault(other, {other: None}), sets.setdefault(address, {address: None})
            whole |= mine
            sets |= dict.fromkeys(mine, whole)
            apart -= pair
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


# --- full names

SHARE = 10  # of how many commits of an address one must be under a full name, beside those under a login
SHORTEST_HANDLE = 6  # letters of a name of one word by which somebody is found
MOST_NAMESAKES = 30  # under one name; more of them are a placeholder's, such as “Your Name”

_HANDLE = re.compile(r"[a-z][A-Z]|[A-Za-z]\d|\w[-_.]\w")
_WORDS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")  # "Mac", "Book" and "Pro" of MacBook-Pro
_FAMILY = re.compile(r"(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|O')[A-Z][a-z]+$")  # McDonald is nobody's handle

IsMachine = Callable[[str, str], bool]  # of a name and an address
# Of identities: the repositories in which each has commits, by name and address.
Places = Callable[[Sequence[Identity]], Mapping[tuple[str, str], frozenset[str]]]


def full_name(name: str) -> str:
    """A full name of two words or more as it is compared; empty for any other, for initials with a word, and for what
    is nobody's."""
    last, _, first = name.partition(",")
    if first.strip() and "," not in first:
        name = f"{first} {last}"
    compared = plain(unaccented(plain(name)))
    words = [word for word in compared.split() if len(word.strip(".")) > 1 or not word.isascii()]
    return compared if len(words) > 1 and compared not in PLACEHOLDERS else ""


def _handle(name: str) -> str:
    """A name of one word as it is compared that no two people have by chance, since it is written as no given name is:
    with a capital inside, a digit or a sign, as ChickenBenny is; empty for any other."""
    compared, words = plain(name), [word.casefold() for word in _WORDS.findall(name)]
    is_nobodys = EVERYBODYS.issuperset(words) or " ".join(words) in PLACEHOLDERS
    is_one = len(name) >= SHORTEST_HANDLE and " " not in compared and not is_nobodys
    return compared if is_one and _HANDLE.search(name) and not _FAMILY.match(name) else ""


def joined_by_name(
    people: Sequence[Joined], rules: JoinRules, users: Mapping[str, str], is_machine: IsMachine, places: Places
) -> list[Joined]:
    """The people, those of one name put together. `users` tells the users of Slack by their addresses, as they are
    compared. Costs a microsecond or two for each of the people, and for `places` of a few."""
    called: dict[str, list[int]] = {}
    full = [tuple(_names(one, rules)) for one in people]
    for number, names in enumerate(full):
        for name in names:
            called.setdefault(name, []).append(number)
    groups = _Groups(people, rules, users, is_machine)
    rare, usual = list[tuple[str, list[int]]](), list[tuple[str, list[int]]]()
    for name, numbers in called.items():
        if len(numbers) <= MOST_NAMESAKES:
            is_rare = " " in name and COMMON.isdisjoint(name.split())
            (rare if is_rare else usual).append((name, numbers))
    groups.unite(rare)
    groups.unite(usual, places)
    groups.unite(list(_by_login(people, rules, full, groups)), places)
    return groups.whole()


def _names(one: Joined, rules: JoinRules) -> Iterable[str]:
    """The full names by which somebody may be found to be one with others: of each address the most used one, or where
    it has none the most used handle, and that of their table."""
    of_address: dict[str, Counter[str]] = {}
    for identity, _ in one.identities:
        if not identity.moved and identity.address and (raw := plain(identity.address)) not in rules.hand.alone:
            name = full_name(identity.name) or _handle(identity.name)
            of_address.setdefault(raw, Counter())[name] += identity.commits
    found: dict[str, None] = {}
    for names in of_address.values():
        full = [name for name in names if " " in name] or filter(None, names)
        name = min(full, key=lambda name: (-names[name], name), default="")
        if name and SHARE * names[name] >= names.total():  # not whose name was on it once
            found[name] = None
    if one.table is not None and (name := full_name(rules.named[one.table].name)):
        found[name] = None
    return found


def _by_login(
    people: Sequence[Joined], rules: JoinRules, full: Sequence[Sequence[str]], groups: _Groups
) -> Iterable[tuple[str, tuple[int, int]]]:
    """Who is likely one with somebody else by a login, and by which name. `full` are the full names of each."""
    alone = rules.hand.alone
    own = [[one for one, _ in each.identities if not one.moved and plain(one.address) not in alone] for each in people]
    names = [{plain(one.name) for one in identities if one.name} for identities in own]
    logins = list[set[str]]()
    having: dict[str, list[int]] = {}  # a login, or a full name without spaces
    for number, person in enumerate(people):
        table = rules.named[person.table] if person.table is not None else None
        theirs = {plain(one) for one in (*person.logins, *(table.logins if table else ()))}
        theirs |= {plain(login) for one in own[number] if (login := noreply_login(one.address))}
        if theirs:
            theirs -= COMMON.union(*(name.split() for name in (*full[number], *names[number]) if " " in name))
        logins.append(set(filter(_is_telling, theirs)))
        whole = {name.replace(" ", "") for name in full[number] if not COMMON.issuperset(name.split())}
        for word in logins[number] | whole:
            having.setdefault(word, []).append(number)
    for number, identities in enumerate(own):
        addresses = {plain(one.address) for one in identities}
        spaced = {name for name in names[number] if " " in name}
        found = [
            (at, other, name)
            for at in sorted({one.partition("@")[0] for one in addresses})
            for other in having.get(at, ()) if at in logins[other]
            for name in sorted(names[number] & names[other]) if " " not in name or full_name(name)
        ]  # fmt: skip
        for name in sorted(names[number] - spaced):  # who signs with more than that is whose full names these are
            login = unaccented(name)
            found += [(login, other, name) for other in having.get(login, ()) if spaced <= names[other]]
        refused = {login for login, address in rules.hand.not_theirs if address in addresses}
        others = {other: name for login, other, name in found if other != number and login not in refused}
        if len({groups.first(other) for other in others}) == 1:
            other, name = next(iter(others.items()))
            yield name, (number, other)


def _is_telling(word: str) -> bool:
    """Whether few have a word before the @ of their addresses, or for a login."""
    return len(word) > 2 and word not in EVERYBODYS


class _Groups:
    """People by number, those of one name in one group, unless something speaks against it. Machines are in none."""

    def __init__(
        self, people: Sequence[Joined], rules: JoinRules, users: Mapping[str, str], is_machine: IsMachine
    ) -> None:
        self._people, self._rules, self._users, self._is_machine = people, rules, users, is_machine
        self._group: dict[int, list[int]] = {}

    def unite(self, named: Iterable[tuple[str, Sequence[int]]], places: Places | None = None) -> None:
        """Put those of each name together; with `places`, only those who have something in common."""
        wanted = [(name, [one for one in numbers if not self._has_machine(one)]) for name, numbers in named
                  if len(numbers) > 1]  # fmt: skip
        every = [one for _, some in wanted if len(some) > 1 for number in some for one in self._identities(number)]
        where = places(every) if places else None
        for name, numbers in wanted:
            if len(numbers) < 2 or self._speaks_against(name, self._with_theirs(numbers)):
                continue
            for some in [numbers] if where is None else self._connected(numbers, where):
                members = self._with_theirs(some)
                self._group |= dict.fromkeys(members, members)

    def _identities(self, number: int) -> list[Identity]:
        return [one for one, _ in self._people[number].identities]

    def _has_machine(self, number: int) -> bool:
        return any(self._is_machine(one.name, one.address) for one in self._identities(number))

    def first(self, number: int) -> int:
        """The number by which a group is told from others."""
        return self._group.get(number, [number])[0]

    def _with_theirs(self, numbers: Iterable[int]) -> list[int]:
        return list(dict.fromkeys(each for one in numbers for each in self._group.get(one, [one])))

    def _speaks_against(self, name: str, members: Sequence[int]) -> bool:
        """Whether any two of the members are known to be two people."""
        some, theirs = [self._people[number] for number in members], [_addresses(self._people[one]) for one in members]
        if sum(one.table is not None for one in some) > 1 or sum(any(map(account, each)) for each in theirs) > 1:
            return True
        users = [{user for address in each if (user := self._users.get(address))} for each in theirs]
        for number, one in enumerate(some):
            if one.table is not None and (user := self._rules.named[one.table].slack):
                users[number] = {user}
        if any(a.isdisjoint(b) for a, b in combinations(filter(None, users), 2)):
            return True
        domains = [{address.partition("@")[2] for address in each} - PUBLIC - {""} for each in theirs]
        if COMMON.issuperset(name.split()) and not all(a.isdisjoint(b) for a, b in combinations(domains, 2)):
            return True
        owner = {address: number for number, each in enumerate(theirs) for address in each}
        return any(owner.get(a, -1) != owner.get(b, -1) for a, b in self._rules.hand.apart if a in owner and b in owner)

    def _connected(
        self, numbers: Sequence[int], where: Mapping[tuple[str, str], frozenset[str]]
    ) -> Iterator[list[int]]:
        """Those of them who are connected by what they have in common."""
        groups: list[tuple[set[str], list[int]]] = []
        for number in numbers:
            marks, members = set(_marks(self._people[number], where)), [number]
            for group in [one for one in groups if not one[0].isdisjoint(marks)]:
                groups.remove(group)
                marks, members = marks | group[0], group[1] + members
            groups.append((marks, members))
        return (sorted(members) for _, members in groups)

    def whole(self) -> list[Joined]:
        found = []
        for number in range(len(self._people)):
            members = self._group.get(number, [number])
            if members[0] == number:
                found.append(together(sorted((self._people[each] for each in members), key=_weight), by_name=True))
        return found


def _addresses(one: Joined) -> set[str]:
    """All that are theirs by more than a .mailmap, as they are compared."""
    return {plain(each.address) for each, _ in one.identities if not each.moved}.union(one.other_addresses)


def _marks(one: Joined, where: Mapping[tuple[str, str], frozenset[str]]) -> Iterator[str]:
    """What somebody may have in common with others of their name: repositories, and what stands before their @."""
    for identity, _ in one.identities:
        if not identity.moved:
            yield from where.get((identity.name, identity.address), ())
    for address in _addresses(one):
        found = account(address)
        word = plain(found.login) if found else address.partition("@")[0]
        if _is_telling(word):
            yield f"{word}@"


def _weight(one: Joined) -> tuple[bool, int, str]:
    """The part that the others are put to comes first: that of almanac.toml, then whoever has most commits."""
    commits = sum(identity.commits for identity, _ in one.identities)
    return one.table is None, -commits, min((identity.address for identity, _ in one.identities), default="")
