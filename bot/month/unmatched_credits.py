"""Names in trailers that are nobody's here, and whose they may be. Suggested to be looked at, never applied. Pure.

A login is held against everybody as it is, then without the name of an organisation at its end (-fb, or without a sign
before it if several people here have addresses there), without digits, and without both; in each form also without the
signs between words. The first form that fits somebody decides:

- it stands before the @ of their addresses, or is their login; or
- it is made of their full name: all of it, first and last name in either order, or one of them whole and of the other
  the initial. It must then be found in a repository where they write.

Nobody is meant whose own commits were reviewed under the login. What fits is suggested only if it is one person, or
people of one full name who may well be one: then to link these is part of the suggestion, or all of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from bot.model import Credited, Mention, Person, Presence, Role
from bot.month.addresses import bare, login_of, logins_made_of, noreply_login, plain
from bot.month.common_words import EVERYBODYS, PUBLIC
from bot.month.machines import is_bot
from bot.month.people import full_names
from bot.month.resolver import Resolver
from bot.month.suggestions import Suggestion

FEWEST_BEFORE_AT = 3  # letters of a login that is held against addresses
FEWEST_OF_NAME = 5  # letters of a login that is held against names
OWN_SHARE = 0.02  # of the reviews under a login: so many may be of commits of whoever has it, by mistake

_ENDS = frozenset(["corp", "dev", "gh", "github", "oss", "work"])


@dataclass(frozen=True, slots=True)
class CreditProposal:
    """Who may be meant, most commits first, and why: a sentence without an end.

    Of several, all are to be linked. `also` is what is to be linked to them besides, a login or an address; empty
    where they will be found without it.
    """

    people: tuple[Person, ...]
    reason: str
    also: str = ""


@dataclass(slots=True)
class UnmatchedCredit:
    """A name in trailers that is nobody's, in the form that is the most frequent; where it stands, and as what."""

    name: str
    address: str = ""
    roles: Counter[Role] = field(default_factory=Counter)
    repositories: Counter[str] = field(default_factory=Counter)
    reviewed: Counter[tuple[str, str]] = field(default_factory=Counter)  # commits of these authors
    proposal: CreditProposal | None = None

    @property
    def count(self) -> int:
        return self.roles.total()


def unmatched_credits(
    mentions: Iterable[Mention],
    people: Sequence[Person],
    resolver: Resolver,
    presences: Iterable[Presence] = (),
    may_be_one: Sequence[Suggestion] = (),
    bots: Sequence[str] = (),
    not_theirs: Set[tuple[str, str]] = frozenset(),
) -> list[UnmatchedCredit]:
    """The names that are nobody's, most frequent first, then by name; without machines and tools.

    `may_be_one` are the suggestions of who may be one person, `not_theirs` logins with an address of somebody who was
    said not to have them.
    """
    found: dict[tuple[str, str], UnmatchedCredit] = {}
    forms: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    is_nobodys: dict[tuple[str, str, str], bool] = {}
    for one in mentions:
        who = one.name, one.address
        where = *who, one.repository if resolver.by_repository else ""
        if where not in is_nobodys:
            is_nobodys[where] = resolver.is_unknown(Credited(one.role, *who), one.repository)
        if is_nobodys[where]:
            key = login_of(one.name) or plain(one.name), plain(one.address)
            stranger = found.setdefault(key, UnmatchedCredit(*who))
            stranger.roles[one.role] += one.count
            stranger.repositories[one.repository] += one.count
            if one.role == "reviewer":
                stranger.reviewed[one.author] += one.count
            forms[key][who] += one.count
    everybody = _Everybody(people, presences, may_be_one, bots, not_theirs)
    for key, stranger in found.items():
        stranger.name, stranger.address = min(forms[key], key=lambda who: (-forms[key][who], who))
        stranger.proposal = everybody.proposal(stranger)
    return sorted(found.values(), key=lambda one: (-one.count, plain(one.name), one.address))


class _Everybody:
    """All who may be meant, by what logins are made of."""

    def __init__(
        self,
        people: Sequence[Person],
        presences: Iterable[Presence],
        may_be_one: Sequence[Suggestion],
        bots: Sequence[str],
        not_theirs: Set[tuple[str, str]],
    ) -> None:
        self._people = [person for person in people if person.addresses and not is_bot(person, bots)]
        self._not_theirs = not_theirs
        self._repositories: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in presences:
            self._repositories[one.name, one.address].add(one.repository)
        self._before_at: dict[str, list[int]] = defaultdict(list)
        self._of_name: dict[str, list[int]] = defaultdict(list)
        domains: Counter[str] = Counter()
        for number, person in enumerate(self._people):
            for word in _before_at(person):
                self._before_at[word].append(number)
            for word in {one for name in full_names(person) for one in logins_made_of(name)}:
                if len(word) >= FEWEST_OF_NAME:
                    self._of_name[word].append(number)
            domains.update({address.partition("@")[2] for address in person.addresses} - PUBLIC)
        label = {domain: domain.split(".")[-2] for domain in domains if "." in domain}
        signed = _ENDS | set(label.values()) - {""}
        self._ends = {f"{sign}{end}" for end in signed for sign in "-_."}
        self._ends |= {end for domain, end in label.items() if end and domains[domain] > 1}
        self._group = {
            person.addresses: number
            for number, suggestion in enumerate(may_be_one)
            if not suggestion.doubt
            for person in suggestion.people
        }

    def proposal(self, stranger: UnmatchedCredit) -> CreditProposal | None:
        login = plain(noreply_login(stranger.address) or "") or login_of(stranger.name) or ""
        for form in self._forms(login):
            word = bare(form)
            if people := self._may_be(self._before_at.get(word, ()), stranger, login):
                addresses = [one for person in people for one in person.addresses if bare(_beginning(one)) == word]
                reason = f"“{form}” stands before the @ of {_listed(addresses)}" if addresses else "this is their login"
                is_known = not stranger.address and any(_beginning(one) == login for one in addresses)
                return self._proposal(stranger, people, reason, is_known_once_linked=is_known)
            if people := self._may_be(self._of_name.get(word, ()), stranger, login, here_only=True):
                names = (one.name for person in people for one in person.identities if word in logins_made_of(one.name))
                return self._proposal(stranger, people, f"“{form}” is made of the name {next(names, people[0].name)}")
        return None

    def _proposal(
        self, stranger: UnmatchedCredit, people: Sequence[Person], reason: str, *, is_known_once_linked: bool = False
    ) -> CreditProposal | None:
        """That these are meant, if they are one person or may well be."""
        if len({self._group.get(one.addresses, one.addresses) for one in people}) > 1:
            return None
        also = "" if is_known_once_linked else stranger.address or stranger.name
        if " " in also or (len(people) == 1 and not also):
            return None
        return CreditProposal(tuple(people), reason, also)

    def _forms(self, login: str) -> Iterator[str]:
        """A login, and what is left without the ends that people give to theirs."""
        seen = {""}
        for form in (login, self._without_organisation(login), login.rstrip("0123456789")):
            for one in (form, self._without_organisation(form.rstrip("0123456789-_."))):
                if one not in seen:
                    seen.add(one)
                    yield one

    def _without_organisation(self, login: str) -> str:
        return next((login[:at] for at in range(1, len(login)) if login[at:] in self._ends), login)

    def _may_be(
        self, numbers: Iterable[int], stranger: UnmatchedCredit, login: str = "", *, here_only: bool = False
    ) -> tuple[Person, ...]:
        """Those who may be meant, most commits first."""
        people = [self._people[number] for number in numbers]
        found = [
            one
            for one in people
            if not any((login, address) in self._not_theirs for address in one.addresses)
            and not self._reviews_own(one, stranger)
            and not (here_only and stranger.repositories.keys().isdisjoint(self._where(one)))
        ]
        return tuple(sorted(found, key=lambda one: (-one.commits, one.addresses)))

    def _where(self, person: Person) -> set[str]:
        return {
            repository
            for one in person.identities
            for repository in self._repositories.get((one.name, one.address), ())
            if one.is_of(repository)
        }

    def _reviews_own(self, person: Person, stranger: UnmatchedCredit) -> bool:
        own = sum(stranger.reviewed[who] for who in {(one.name, one.address) for one in person.identities})
        return own > OWN_SHARE * stranger.reviewed.total()


def _before_at(person: Person) -> set[str]:
    words = {noreply_login(address) or _beginning(address) for address in person.addresses}
    found = {bare(plain(word)) for word in (*words, *person.logins)}
    return {word for word in found if len(word) >= FEWEST_BEFORE_AT} - EVERYBODYS


def _beginning(address: str) -> str:
    return plain(address.partition("@")[0])


def _listed(words: Sequence[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
