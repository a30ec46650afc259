"""Who may be one person, with what speaks for it. Suggested to be looked at, never applied by themselves. Pure.

People of one full name are one already, unless something speaks against it (`bot.month.by_name`). Of those who are not,
and of all where almanac.toml joins by addresses only, these are suggested:

- who write from the same mail domain, other than those where anybody gets an address. Where each word of the name is
  among the world's most frequent and nothing else speaks for it, that is doubtful: who works there has one address,
  and so these come last;
- who have the same word before the @ in different domains, unless it is one that anybody uses (info@).

Besides, whatever their names, who have the same word before the @ in domains of one organisation (ada@acme.com and
ada@eng.acme.com), and who have one name of one word with the same word before the @, if it is another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from bot.model import Person, Presence
from bot.month.addresses import noreply_login, plain, without_signs
from bot.month.by_name import MOST_NAMESAKES
from bot.month.common_words import COMMON, EVERYBODYS, PUBLIC
from bot.month.machines import is_bot

_DOUBT = "the name is a usual one, and few have two addresses at one place: these are as likely two people"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """People who may be one, most commits first, and why: a sentence without an end for each reason. `doubt` is what
    speaks against it, where that is more."""

    people: tuple[Person, ...]
    reasons: tuple[str, ...]
    presences: tuple[Presence, ...]  # where they have commits, by address and repository
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One of several people of a name."""

    person: Person
    presences: tuple[Presence, ...]
    domains: frozenset[str]  # where not anybody gets an address
    beginnings: frozenset[str]


def suggestions(
    people: Sequence[Person],
    presences: Iterable[Presence],
    bots: Sequence[str] = (),
    apart: Set[tuple[str, str]] = frozenset(),
) -> list[Suggestion]:
    """Who may be one person, in order of name, the doubtful last. Machines, and pairs of addresses in `apart`, are not
    suggested."""
    where: dict[tuple[str, str], list[Presence]] = defaultdict(list)
    for one in presences:
        where[one.name, one.address].append(one)
    called: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        for name in {without_signs(one.name) for one in person.identities} | {without_signs(person.name)}:
            called[name].append(person)
    found: dict[tuple[tuple[str, ...], ...], Suggestion] = {}
    for name, namesakes in sorted(called.items()):
        if not 1 < len(namesakes) <= MOST_NAMESAKES:
            continue
        candidates = [_candidate(person, where) for person in namesakes if not is_bot(person, bots)]
        for group in _groups(candidates, name, apart):
            found.setdefault(tuple(sorted(person.addresses for person in group.people)), group)
    for group in _of_organisations([_candidate(one, where) for one in people if not is_bot(one, bots)], apart):
        if not any(all(one in other.people for one in group.people) for other in found.values()):
            found[tuple(sorted(person.addresses for person in group.people))] = group
    return sorted(found.values(), key=lambda one: (bool(one.doubt), plain(one.people[0].name), one.people[0].addresses))


def _of_organisations(candidates: Sequence[_Candidate], apart: Set[tuple[str, str]]) -> Iterator[Suggestion]:
    """Those who have the same word before the @ in different domains of one organisation, whatever their names."""
    of: dict[tuple[str, str], list[_Candidate]] = defaultdict(list)
    for one in candidates:
        for address in one.person.addresses:
            word, _, domain = plain(address).partition("@")
            if word in one.beginnings and domain and domain not in PUBLIC:
                of[word, _organisation(domain)].append(one)
    for (word, organisation), some in of.items():
        group = list({one.person.addresses: one for one in some}.values())
        pairs = combinations(group, 2)
        if 1 < len(group) <= MOST_NAMESAKES and not any(_are_apart(a, b, apart) for a, b in pairs):
            yield _suggestion(group, [f"“{word}” before the @, in domains of {organisation}"])


def _organisation(domain: str) -> str:
    """The part of a domain that an organisation registers: acme.com of eng.acme.com, acme.co.uk of eng.acme.co.uk."""
    labels = domain.split(".")
    is_country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if is_country else -2 :])


def _groups(candidates: Sequence[_Candidate], name: str, apart: Set[tuple[str, str]]) -> Iterator[Suggestion]:
    """Those of one name who are connected by reasons, group by group, then pairs who may belong together for less."""
    is_full, is_usual = " " in name, COMMON.issuperset(name.split())
    group_of = list(range(len(candidates)))
    reasons: list[tuple[int, str]] = []
    doubtful: list[tuple[int, int]] = []
    for (first, one), (second, other) in combinations(enumerate(candidates), 2):
        why = _why(one, other, is_full=is_full)
        mine, theirs = ({n for n, of in enumerate(group_of) if of == group_of[number]} for number in (first, second))
        if not why or any(_are_apart(candidates[n], candidates[m], apart) for n in mine for m in theirs):
            continue
        if is_usual and not one.beginnings & other.beginnings:
            doubtful.append((first, second))
            continue
        reasons += [(first, reason) for reason in why]
        group_of = [group_of[first] if number in theirs else group for number, group in enumerate(group_of)]
    for group in sorted(set(group_of)):
        members = [number for number, of in enumerate(group_of) if of == group]
        if len(members) > 1:
            why = [reason for number, reason in reasons if number in members]
            yield _suggestion([candidates[n] for n in members], why)
    for first, second in doubtful:
        if group_of[first] != group_of[second]:
            pair = [candidates[first], candidates[second]]
            yield _suggestion(pair, _why(*pair, is_full=is_full), _DOUBT)


def _suggestion(candidates: Sequence[_Candidate], reasons: Iterable[str], doubt: str = "") -> Suggestion:
    who = sorted(candidates, key=lambda one: (-one.person.commits, one.person.addresses))
    presences = tuple(presence for one in who for presence in one.presences)
    return Suggestion(tuple(one.person for one in who), tuple(dict.fromkeys(reasons)), presences, doubt)


def _are_apart(one: _Candidate, other: _Candidate, apart: Set[tuple[str, str]]) -> bool:
    return bool(apart) and any((a, b) in apart for a in one.person.addresses for b in other.person.addresses)


def _why(one: _Candidate, other: _Candidate, *, is_full: bool) -> list[str]:
    """What speaks for it that two people of one name are one, besides the name."""
    called = "the same full name" if is_full else "the same name"
    same = sorted(one.domains & other.domains) if is_full else []
    reasons = [f"{called}, and addresses at {domain}" for domain in same]
    if not reasons:
        words = sorted((one.beginnings & other.beginnings) - (set() if is_full else {plain(one.person.name)}))
        reasons = [f"{called}, and “{word}” before the @" for word in words[:1]]
    return reasons


def _candidate(person: Person, where: dict[tuple[str, str], list[Presence]]) -> _Candidate:
    presences = [
        one
        for identity in person.identities
        for one in where.get((identity.name, identity.address), ())
        if identity.is_of(one.repository)
    ]
    beginnings = {noreply_login(address) or address.partition("@")[0] for address in person.addresses}
    return _Candidate(
        person,
        tuple(sorted(presences, key=lambda one: (plain(one.address), one.repository, one.name))),
        frozenset(address.partition("@")[2] for address in person.addresses) - PUBLIC - {""},
        frozenset(word for word in map(plain, beginnings) if len(word) > 2 and word not in EVERYBODYS),
    )
