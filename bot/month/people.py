"""Who is meant by a name, and whose a commit is: of people as `bot.month.joining` has put them together. Pure.

A name alone never makes two authors one: teams have two Daves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from bot.model import Commit, Identity, Person
from bot.month.addresses import noreply_login, plain, unaccented
from bot.month.joining import PLACEHOLDERS, JoinRules

NEAR = 75.0  # how alike, of 100, a name must be to be offered
ADDRESS, FULL_NAME, LOGIN, PART, PIECE = LEVELS = range(5)  # the kinds of match, the strongest first

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_ROLES = frozenset(("admin", "code", "contact", "dev", "git", "github", "info", "mail", "root", "security", "support"))
_PIECE = re.compile(r"[^\W\d_]{3,}")
_REMARK = re.compile(r"\((?=[^()]*\s)[^()]*\)")  # "(Meta Employee)" is no part of a name, "(Bob)" is one
_BEHIND = re.compile(r"(?<=\w) ?\([^()]*\)$")  # "Ada Lovelace (Work)" is an Ada Lovelace
_PLAINLY = re.compile(r"[a-z0-9 ._]*")
_WITH_ADDRESS = re.compile(r"[^<>]*<(?P<address>[^<>\s@]+@[^<>\s]+)>")


def in_order(people: Iterable[Person]) -> list[Person]:
    """By name, then first address."""
    return sorted(people, key=lambda person: (person.name.casefold(), person.name, person.addresses))


def is_nobody(person: Person) -> bool:
    """Whether a name is what tools, and people in a hurry, put where a name should stand: "Your Name"."""
    return plain(person.name) in PLACEHOLDERS


class Directory:
    """Who is called what, looked up once and asked often: a question is asked word by word.

    A match is of the strongest kind there is: an address, a full name, a login or nickname, a part of a
    name or what stands before the @ of an address, a part of a part with a hyphen, the beginning of a name. What
    is written with accents is found without them too.

    Those who are `unshown` are found where nobody else is, by what is theirs as a whole: they are never offered. Then
    come, by an address or a full name of several words, the `strangers`, who are only read for that.
    """

    def __init__(
        self,
        people: Sequence[Person],
        unshown: Sequence[Person] = (),
        strangers: Callable[[], Sequence[Person]] | None = None,
    ) -> None:
        self._people, self._strangers = people, strangers
        self._unshown = [Directory(unshown)] if unshown else []
        self._levels: tuple[dict[str, list[int]], ...] = ({}, {}, {}, {}, {})
        self._names: dict[str, list[int]] = {}
        moved = [number for number, person in enumerate(people) if any(one.moved for one in person.identities)]
        for number, person in enumerate(people):
            self._names.setdefault(plain(person.name), []).append(number)
            own = tuple(one for one in person.identities if not one.moved) if moved else person.identities
            self._add(number, person if len(own) == len(person.identities) else replace(person, identities=own))
        # What somebody has by a .mailmap alone takes nothing from whoever has it by themselves.
        known = [frozenset(words) for words in self._levels] if moved else ()
        for number in moved:
            self._add(number, people[number], known)

    def _add(self, number: int, person: Person, known: Sequence[frozenset[str]] = (frozenset(),) * 5) -> None:
        for level, words in enumerate(_called(person)):
            for word in words:
                if word not in known[level]:
                    self._levels[level].setdefault(word, []).append(number)

    # A name that is known as it stands needs none of these.
    @cached_property
    def _beside(self) -> list[Directory]:
        return [*self._unshown, *([Directory(self._strangers())] if self._strangers else [])]

    @cached_property
    def _full(self) -> list[str]:
        return sorted({*self._levels[FULL_NAME], *self._levels[LOGIN]})

    @cached_property
    def _openings(self) -> set[str]:
        return {name.split()[0] for level in (FULL_NAME, LOGIN) for name in self._levels[level]}

    @cached_property
    def _given(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, person in enumerate(self._people):
            names = {name.partition(", ")[2] or name for name in full_names(person) - PLACEHOLDERS}
            for word in {name.split()[0] for name in names} | set(map(plain, person.nicknames)):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def _near(self) -> tuple[list[str], list[int]]:
        """What a typed name is held against: whole names and their parts, each with whose it is."""
        pairs = [
            (word, n) for level in (FULL_NAME, LOGIN, PART) for word, some in self._levels[level].items() for n in some
        ]
        return [word for word, _ in pairs], [number for _, number in pairs]

    def find(self, text: str) -> tuple[Person, ...]:
        """Who is meant by an address, a full name, a login, a nickname, a part of a name or the beginning of one."""
        return self.exactly(text) or self.begins(text)

    def exactly(self, text: str, *, levels: Sequence[int] = LEVELS) -> tuple[Person, ...]:
        """Who has this address (0), full name (1), login or nickname (2), part of a name (3) or a piece of such (4)."""
        wanted = _wanted(text)
        levels = levels if "@" in wanted else sorted(levels, key=ADDRESS.__eq__)  # "ada" is first a name
        for typed in dict.fromkeys((wanted, unaccented(wanted))):
            for level in levels:
                if numbers := self._levels[level].get(typed):
                    return self._own(typed, self._who(numbers)) if level == FULL_NAME else self._who(numbers)
        for one in self._unshown:
            if found := one.exactly(text, levels=levels):
                return found
        is_whole = self._strangers and not {ADDRESS, FULL_NAME}.isdisjoint(levels)
        return self._beside[-1].named(text) if is_whole else ()

    def _own(self, name: str, people: tuple[Person, ...]) -> tuple[Person, ...]:
        """Those of some who are called so, without others who signed a tenth as many commits with it, or fewer. Where
        nobody is called so, who signed most with it stands for them."""
        own = [one for one in people if plain(one.name) == name]
        if len(own) == len(people):
            return people
        signed = [sum(i.commits for i in one.identities if _alone(i.name) == name) for one in people]
        most = max(n for one, n in zip(people, signed, strict=True) if one in own or not own)
        return tuple(one for one, n in zip(people, signed, strict=True) if one in own or 10 * n >= most)

    def named(self, text: str) -> tuple[Person, ...]:
        """Who has this full name of several words, this address, or both ("Ada <ada@example.com>")."""
        wanted = _wanted(text)
        if "@" in wanted:
            return self.exactly(wanted, levels=(ADDRESS,))
        return self.exactly(wanted, levels=(FULL_NAME, LOGIN)) if " " in wanted else ()

    def may_open(self, word: str) -> bool:
        """Whether a full name, an address, or both may begin with this word."""
        if "@" in word or not self._openings.isdisjoint((plain(word), unaccented(plain(word)))):
            return True
        return any(one.may_open(word) for one in self._beside)

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
        (words, numbers), scorer = self._near, fuzz.token_sort_ratio if " " in wanted else fuzz.ratio
        for _, score, at in process.extract(wanted, words, scorer=scorer, limit=12, score_cutoff=likeness):
            name = self._people[numbers[at]].name
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
        same, own = self._who(self._names.get(plain(person.name), ())), frozenset(person.addresses)
        if len(same) > 1:
            return 1 + sum(own.isdisjoint(one.addresses) and one != person for one in same)
        return len(same) or next(filter(None, (one.namesakes(person) for one in self._beside)), 0)

    def _who(self, numbers: Sequence[int]) -> tuple[Person, ...]:
        return tuple(self._people[number] for number in numbers)


def _wanted(text: str) -> str:
    wanted = plain(text.strip().lstrip("@"))
    match = _WITH_ADDRESS.fullmatch(wanted)
    return match["address"] if match else wanted


def _called(person: Person) -> tuple[set[str], ...]:
    """By what somebody is found, the strongest first."""
    addresses, names = set(map(plain, person.addresses)), full_names(person)
    logins = {plain(word) for word in (*person.logins, *person.nicknames)}
    parts = _spelled(_parts(names - PLACEHOLDERS, addresses))
    return addresses, _spelled(names | set(map(_alone, names))), _spelled(logins), parts, _pieces(parts)


def _alone(name: str) -> str:
    """A name as it is compared, without a remark behind it, unless one word alone would be left."""
    bare = _BEHIND.sub("", plain(name))
    return bare if " " in bare else plain(name)


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
    each = ((max(some, key=lambda one: one.commits), some) for some in same.values())
    return [replace(most, identities=tuple(i for one in some for i in one.identities)) for most, some in each]


def described(person: Person) -> str:
    """The name with the address, to tell apart people of one name."""
    return f"{person.name} <{person.addresses[0]}>" if person.addresses else person.name


def by_author(people: Iterable[Person], commits: Iterable[Commit]) -> dict[Person, list[Commit]]:
    """The commits of each author. Somebody whose first commit came after `people` were read is shown as they are."""
    author, theirs = author_of(people), dict[Person, list[Commit]]()
    for commit in commits:
        person = author(commit) or JoinRules().person([Identity(*commit.author.who, 1)])
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


def author_of(people: Iterable[Person]) -> Callable[[Commit], Person | None]:
    """Whose each commit is, looked up once and asked for many; None for somebody who is not among the people."""
    of = {(one.name, one.address, one.only): person for person in people for one in person.identities}
    has_only = any(only for *_, only in of)

    def author(commit: Commit) -> Person | None:
        who = commit.author.who
        there = of.get((*who, commit.repository)) if has_only else None
        return there or of.get((*who, ""))

    return author
