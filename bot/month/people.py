"""Names and addresses → people, and who is meant by a name. Pure.

Which identities are one person's is decided in `bot.month.joining`. A name alone never makes two authors one: teams
have two Daves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from bot.model import Commit, Identity, Person
from bot.month.addresses import noreply_login, plain, unaccented
from bot.month.common_words import PLACEHOLDERS
from bot.month.joining import Joined, JoinRules

NEAR = 75.0  # how alike, of 100, a name must be to be offered

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_ROLES = frozenset(("admin", "code", "contact", "dev", "git", "github", "info", "mail", "root", "security", "support"))
_PIECE = re.compile(r"[^\W\d_]{3,}")
_REMARK = re.compile(r"\((?=[^()]*\s)[^()]*\)")  # "(Meta Employee)" is no part of a name, "(Bob)" is one
_PLAINLY = re.compile(r"[a-z0-9 ._]*")
_WITH_ADDRESS = re.compile(r"[^<>]*<(?P<address>[^<>\s@]+@[^<>\s]+)>")


def in_order(people: Iterable[Person]) -> list[Person]:
    """By name, then first address."""
    return sorted(people, key=lambda person: (person.name.casefold(), person.name, person.addresses))


def is_nobody(person: Person) -> bool:
    """Whether a name is what tools, and people in a hurry, put where a name should stand: "Your Name"."""
    return plain(person.name) in PLACEHOLDERS


def person_of(joined: Joined, rules: JoinRules) -> Person:
    """Somebody whose identities are put together."""
    table = rules.named[joined.table] if joined.table is not None else None
    own = [identity for identity, _ in joined.identities]
    if len(own) > 1:
        own.sort(key=lambda one: (-one.commits, one.name, one.address, one.only))
    identities = (*own, *(Identity("", address) for address in joined.other_addresses))
    logins = dict.fromkeys(table.logins if table else ())
    logins |= dict.fromkeys(joined.logins)
    known = {plain(login) for login in logins}
    for one in identities:
        login = noreply_login(one.address)
        if login and plain(login) not in known and plain(login) not in rules.hand.logins:
            logins[login] = None
    return Person(
        name=table.name if table else _usual_name(joined) or own[0].address.strip() or "(no name)",
        identities=identities,
        logins=tuple(logins),
        nicknames=tuple(table.nicknames) if table else (),
        slack=table.slack if table else None,
    )


def _usual_name(joined: Joined) -> str:
    """The name that most of the commits are under; what .mailmap puts for a name counts as that name. Who is one with a
    login is called by their full name."""
    if len(joined.identities) == 1:
        return joined.identities[0][1].strip()
    commits: Counter[str] = Counter()
    for identity, name in joined.identities:
        commits[name.strip()] += identity.commits
    full = {name for part in joined.parts if " " in (name := _usual_name(part))}
    return min(full or filter(None, commits), key=lambda name: (-commits[name], name), default="")


class Directory:
    """Who is called what, looked up once and asked often: a question is asked word by word.

    A match is of the strongest kind there is: an address, a full name, a login or nickname, a part of a
    name or what stands before the @ of an address, a part of a part with a hyphen, the beginning of a name. What
    is written with accents is found without them too.
    """

    def __init__(self, people: Sequence[Person]) -> None:
        self._people = people
        self._levels: tuple[dict[str, list[int]], ...] = ({}, {}, {}, {}, {})
        moved = list[tuple[int, Person]]()
        for number, person in enumerate(people):
            own = person
            if any(one.moved for one in person.identities):
                moved.append((number, person))
                own = replace(person, identities=tuple(one for one in person.identities if not one.moved))
            for level, words in enumerate(_called(own)):
                for word in words:
                    self._levels[level].setdefault(word, []).append(number)
        # What somebody has by a .mailmap alone takes nothing from whoever has it by themselves.
        known = [frozenset(words) for words in self._levels] if moved else []
        for number, person in moved:
            for level, words in enumerate(_called(person)):
                for word in words:
                    if word not in known[level]:
                        self._levels[level].setdefault(word, []).append(number)
        self._called: dict[str, list[int]] = {}
        for number, person in enumerate(people):
            self._called.setdefault(plain(person.name), []).append(number)

    # A name that is known as it stands needs none of these.
    @cached_property
    def _full(self) -> list[str]:
        return sorted({*self._levels[1], *self._levels[2]})

    @cached_property
    def _given(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, person in enumerate(self._people):
            names = {name.partition(", ")[2] or name for name in full_names(person) - PLACEHOLDERS}
            for word in {name.split()[0] for name in names} | set(map(plain, person.nicknames)):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def _openings(self) -> set[str]:
        return {name.split()[0] for level in (1, 2) for name in self._levels[level]}

    @cached_property
    def _near(self) -> list[tuple[str, int]]:
        """What a typed name is held against: whole names and their parts, each with whose it is."""
        return [(word, number) for level in (1, 2, 3) for word, n in self._levels[level].items() for number in n]

    @cached_property
    def _words(self) -> list[str]:
        return [word for word, _ in self._near]

    def find(self, text: str) -> tuple[Person, ...]:
        """Who is meant by an address, a full name, a login, a nickname, a part of a name or the beginning of one."""
        return self.exactly(text) or self.begins(text)

    def exactly(self, text: str, *, levels: Sequence[int] = (0, 1, 2, 3, 4)) -> tuple[Person, ...]:
        """Who has this address (0), full name (1), login or nickname (2), part of a name (3) or a piece of such (4)."""
        wanted = _wanted(text)
        for typed in dict.fromkeys((wanted, unaccented(wanted))):
            for level in levels:
                if found := self._levels[level].get(typed):
                    return self._own(typed, self._who(found)) if level == 1 else self._who(found)
        return ()

    def _own(self, name: str, people: tuple[Person, ...]) -> tuple[Person, ...]:
        """Those of some who are called so, without others who signed a tenth as many commits with it, or fewer. Where
        nobody is called so, who signed most with it stands for them."""
        own = [one for one in people if plain(one.name) == name]
        if len(own) == len(people):
            return people
        signed = [sum(i.commits for i in one.identities if plain(i.name) == name) for one in people]
        most = max(n for one, n in zip(people, signed, strict=True) if one in own or not own)
        return tuple(one for one, n in zip(people, signed, strict=True) if one in own or 10 * n >= most)

    def named(self, text: str) -> tuple[Person, ...]:
        """Who has this full name of several words, this address, or both ("Ada <ada@example.com>")."""
        wanted = _wanted(text)
        if "@" in wanted:
            return self.exactly(wanted, levels=(0,))
        return self.exactly(wanted, levels=(1, 2)) if " " in wanted else ()

    def may_open(self, word: str) -> bool:
        """Whether a full name, an address, or both may begin with this word."""
        return "@" in word or plain(word) in self._openings or unaccented(plain(word)) in self._openings

    def begins(self, text: str) -> tuple[Person, ...]:
        """Whose full name or login begins with this, of at least three letters."""
        wanted = _wanted(text)
        if len(wanted) < (3 if wanted.isascii() else 1):
            return ()
        at = bisect_left(self._full, wanted)
        found: dict[int, None] = {}
        while at < len(self._full) and self._full[at].startswith(wanted):
            for level in (1, 2):
                found |= dict.fromkeys(self._levels[level].get(self._full[at], ()))
            at += 1
        return self._who(sorted(found))

    def given(self, word: str) -> tuple[Person, ...]:
        """Who has a word for their given name, or as a nickname."""
        return self._who(self._given.get(plain(word), ()))

    def nearest(self, text: str, likeness: float = NEAR) -> tuple[str, ...]:
        """The names that are most like this, at most three, best first."""
        wanted = _wanted(text)[:80]
        if not wanted:
            return ()
        from rapidfuzz import fuzz, process  # late: most commands look for nobody

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
        wanted = (_wanted(text), unaccented(_wanted(text)))
        return next((part for part in parts if plain(part) in wanted or unaccented(plain(part)) in wanted), text)

    def called(self, person: Person) -> str:
        """The person's name, with an address where others have the same name."""
        return person.name if self.namesakes(person) < 2 else described(person)

    def namesakes(self, person: Person) -> int:
        """How many people have this person's name, themselves among them; of several as one they are one."""
        same = [self._people[number] for number in self._called.get(plain(person.name), ())]
        if len(same) < 2:
            return len(same)
        own = frozenset(person.addresses)
        return 1 + sum(own.isdisjoint(one.addresses) and one != person for one in same)

    def _who(self, numbers: Sequence[int]) -> tuple[Person, ...]:
        return tuple(self._people[number] for number in numbers)


def _wanted(text: str) -> str:
    wanted = plain(text.strip().lstrip("@"))
    match = _WITH_ADDRESS.fullmatch(wanted)
    return match["address"] if match else wanted


def _called(person: Person) -> tuple[set[str], ...]:
    """By what somebody is found, the strongest first."""
    addresses, names = _addresses(person), full_names(person)
    parts = _spelled(_parts(names - PLACEHOLDERS, addresses))
    return addresses, _spelled(names), _spelled(_logins(person)), parts, _pieces(parts)


def _addresses(person: Person) -> set[str]:
    return {plain(address) for address in person.addresses}


def full_names(person: Person) -> set[str]:
    """All names they have signed with, as they are compared."""
    return {full for name in (person.name, *(one.name for one in person.identities)) if (full := plain(name))}


def _spelled(names: set[str]) -> set[str]:
    """Names as they are, and in the other ways in which they are typed."""
    if _PLAINLY.fullmatch("".join(names)):  # as most are
        return names
    found = set(names)
    for name in names:
        if not name.isascii():
            found |= {unaccented(name), unaccented(name.translate(_UMLAUTS))}
            if not any(unaccented(letter).isascii() for letter in name if not letter.isspace()):
                found.add(name.replace(" ", ""))  # 李 明 is 李明
        if ", " in name:
            last, _, first = name.partition(", ")
            found.add(f"{first} {last}")
    for name in [name for name in found if "'" in name or "’" in name]:
        found |= {name.replace("’", "'"), name.replace("'", "").replace("’", "")}
    return found | {name.replace("-", " ") for name in found if "-" in name and " " in name}


def _pieces(parts: set[str]) -> set[str]:
    """What stands beside a hyphen or digits in parts of names: Jean-Luc is a Luc, ada_42 an Ada as well."""
    joined = (part for part in parts if not part.isalpha() and part.count("-") < 2 and "[" not in part)
    return {piece for part in joined for piece in _PIECE.findall(part) if piece != part}


def _logins(person: Person) -> set[str]:
    return {plain(word) for word in (*person.logins, *person.nicknames)}


def _parts(full: set[str], addresses: set[str]) -> set[str]:
    """Words of their names, and what stands before the @ of their addresses: david@ is a David like others."""
    before_at = {address.partition("@")[0] for address in addresses if not noreply_login(address)} - _ROLES
    names = (_REMARK.sub("", name.partition(" | ")[0]) if "(" in name or "|" in name else name for name in full)
    words = {word.strip(".,()'\"") for name in names for word in name.split()}
    return {part for part in words | before_at if len(part) > 1 or not part.isascii()}


def of_one_name(people: Iterable[Person]) -> list[Person]:
    """Some people, those of one full name, but for accents and case, as one person with all that is theirs."""
    same: dict[str, list[Person]] = {}
    for one in people:
        same.setdefault(unaccented(plain(one.name)), []).append(one)
    each = (max(some, key=lambda one: one.commits) for some in same.values())
    return [
        replace(most, identities=tuple(identity for one in some for identity in one.identities)) if some[1:] else most
        for most, some in zip(each, same.values(), strict=True)
    ]


def described(person: Person) -> str:
    """The name with the address, to tell apart people of one name."""
    return f"{person.name} <{person.addresses[0]}>" if person.addresses else person.name


def by_author(people: Iterable[Person], commits: Iterable[Commit]) -> dict[Person, list[Commit]]:
    """The commits of each author. Somebody whose first commit came after `people` were read is shown as they are."""
    author, theirs = AuthorOf(people), dict[Person, list[Commit]]()
    for commit in commits:
        person = author(commit)
        if person is None:
            (alone,) = JoinRules().joined([Identity(*commit.author.who, 1)])
            person = person_of(alone, JoinRules())
        theirs.setdefault(person, []).append(commit)
    return theirs


def by_whom(
    people: Iterable[Person],
    commits: Iterable[Commit],
    is_shown: Callable[[Person], bool],
    coauthors: Callable[[Commit], Iterable[Person]],
) -> tuple[dict[Person, list[Commit]], dict[Person, list[Commit]]]:
    """The commits of each author who is told; those of others, machines or people of other teams, are theirs who wrote
    them together with those. And what is left, of whoever is not told."""
    shown, others = dict[Person, list[Commit]](), dict[Person, list[Commit]]()
    for author, theirs in by_author(people, commits).items():
        if is_shown(author):
            shown.setdefault(author, []).extend(theirs)
            continue
        for commit in theirs:
            with_them = [one for one in coauthors(commit) if is_shown(one)] if not commit.is_merge else []
            for one in with_them:
                shown.setdefault(one, []).append(commit)
            if not with_them:
                others.setdefault(author, []).append(commit)
    return shown, others


class AuthorOf:
    """Whose each commit is, looked up once and asked for many; None for somebody who is not among the people."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._of: dict[tuple[str, str, str], Person] = {}
        for person in people:
            for one in person.identities:
                self._of[one.name, one.address, one.only] = person
        self._has_only = any(only for *_, only in self._of)

    def __call__(self, commit: Commit) -> Person | None:
        who = commit.author.who
        there = self._of.get((*who, commit.repository)) if self._has_only else None
        return there or self._of.get((*who, ""))
