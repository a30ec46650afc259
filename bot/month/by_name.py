"""Who is one person by a full name alone, as `git shortlog` counts: the last rule, and the weakest. Pure.

Those who sign most of their commits with one and the same full name, of two words or more, are treated as one person.
Case, accents and the order of "Last, First" make no difference. If anything speaks against it for two of a name, nobody
of that name is put together: who the others are is then as open. Against it speak

- almanac.toml, where two of them have tables of their own;
- what was said by hand: that two of them are not one, and an address that was unlinked is joined by no rule at all;
- two accounts of GitHub, or two users of Slack;
- two addresses at one place of work, where each word of the name is among the world's most frequent.

Where a word of the name is among these, it joins only those who have a repository in common, or what stands before
their @. A name counts only as it is signed: what a .mailmap puts for it holds in its own repository. Machines,
placeholders such as "Your Name", and names that more than MOST_NAMESAKES sign with are nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from bot.model import Identity
from bot.month.addresses import account, plain, unaccented
from bot.month.common_words import COMMON, EVERYBODYS, PLACEHOLDERS, PUBLIC
from bot.month.joining import Joined, JoinRules, together

SHARE = 10  # of how many commits of an address one must be under a full name, beside those under a login
MOST_NAMESAKES = 30  # under one name; more of them are a placeholder's, such as “Your Name”

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


def joined_by_name(
    people: Sequence[Joined], rules: JoinRules, users: Mapping[str, str], is_machine: IsMachine, places: Places
) -> list[Joined]:
    """The people, those of one name put together. `users` tells the users of Slack by their addresses, as they are
    compared. Costs a microsecond or two for each of the people, and for `places` of a few."""
    first: dict[str, int] = {}
    called: dict[str, list[int]] = {}
    for number, one in enumerate(people):
        for name in _names(one, rules):
            if (before := first.setdefault(name, number)) != number:
                called.setdefault(name, [before]).append(number)
    groups, usual = _Groups(people, rules, users), list[tuple[str, list[int]]]()
    for name, numbers in called.items():
        if len(numbers) > MOST_NAMESAKES:
            continue
        wanted = [one for one in numbers if not any(is_machine(*who) for who in _written(people[one]))]
        if COMMON.isdisjoint(name.split()):
            groups.unite(name, wanted)
        elif len(wanted) > 1:
            usual.append((name, wanted))
    where = places([one for _, numbers in usual for number in numbers for one, _ in people[number].identities])
    for name, numbers in usual:
        groups.unite(name, numbers, where)
    return groups.whole()


def _names(one: Joined, rules: JoinRules) -> Iterable[str]:
    """The full names by which somebody may be found to be one with others: of each address the most used one, and
    that of their table."""
    alone = rules.hand.alone
    of_address: dict[str, dict[str, int]] = {}
    for identity, _ in one.identities:
        if not identity.moved and identity.address and (raw := plain(identity.address)) not in alone:
            names = of_address.setdefault(raw, {})
            name = full_name(identity.name)
            names[name] = names.get(name, 0) + identity.commits
    found: dict[str, None] = {}
    for names in of_address.values():
        every = sum(names.values())
        names.pop("", None)
        name = min(names, key=lambda name: (-names[name], name), default="")
        if name and (every == names[name] or SHARE * names[name] >= every):  # not whose name was on it once
            found[name] = None
    if one.table is not None and (name := full_name(rules.named[one.table].name)):
        found[name] = None
    return found


class _Groups:
    """People by number, those of one name in one group, unless something speaks against it."""

    def __init__(self, people: Sequence[Joined], rules: JoinRules, users: Mapping[str, str]) -> None:
        self._people = people
        self._rules = rules
        self._users = users
        self._group: dict[int, list[int]] = {}
        self._apart: dict[str, list[str]] = {}
        for one, other in rules.hand.apart:
            self._apart.setdefault(one, []).append(other)

    def unite(
        self, name: str, wanted: Sequence[int], where: Mapping[tuple[str, str], frozenset[str]] | None = None
    ) -> None:
        """Put those of a name together; with `where`, only those who have something in common."""
        if len(wanted) < 2 or self._speaks_against(name, self._with_theirs(wanted)):
            return
        for some in [wanted] if where is None else self._connected(wanted, where):
            members = self._with_theirs(some)
            for each in members:
                self._group[each] = members

    def _with_theirs(self, numbers: Iterable[int]) -> list[int]:
        return list(dict.fromkeys(each for one in numbers for each in self._group.get(one, [one])))

    def _speaks_against(self, name: str, members: Sequence[int]) -> bool:
        """Whether any two of the members are known to be two people."""
        tables, accounts, users, domains = 0, 0, list[set[str]](), list[set[str]]()
        owner: dict[str, int] = {}
        for number in members:
            one = self._people[number]
            theirs = _addresses(one)
            tables += one.table is not None
            accounts += any(map(account, theirs))
            known = {user for each in theirs if (user := self._users.get(each))} if self._users else set()
            if one.table is not None and (user := self._rules.named[one.table].slack):
                known = {user}
            if known:
                users.append(known)
            domains.append({each.partition("@")[2] for each in theirs} - PUBLIC - {""})
            owner |= dict.fromkeys(theirs, number)
        if tables > 1 or accounts > 1 or any(a.isdisjoint(b) for a, b in combinations(users, 2)):
            return True
        if COMMON.issuperset(name.split()) and not all(a.isdisjoint(b) for a, b in combinations(domains, 2)):
            return True
        return any(owner.get(b, of) != of for a, of in owner.items() for b in self._apart.get(a, ()))

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
        for number, one in enumerate(self._people):
            members = self._group.get(number)
            if members is None:
                found.append(one)
            elif members[0] == number:
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
        if len(word) > 2 and word not in EVERYBODYS:
            yield f"{word}@"


def _weight(one: Joined) -> tuple[bool, int, str]:
    """The part that the others are put to comes first: that of almanac.toml, then whoever has most commits."""
    commits = sum(identity.commits for identity, _ in one.identities)
    return one.table is None, -commits, min((identity.address for identity, _ in one.identities), default="")


def _written(one: Joined) -> Iterator[tuple[str, str]]:
    return ((identity.name, identity.address) for identity, _ in one.identities)
