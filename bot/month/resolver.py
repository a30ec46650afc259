"""What trailers write → the people they name. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property

from bot.model import Credited, Identity, Person, Role
from bot.month.addresses import account, login_of, plain
from bot.month.common_words import EVERYBODYS
from bot.month.joining import Places
from bot.month.machines import is_bot, is_machine, is_tool
from bot.month.mailmap import Mailmaps


class Resolver:
    """Whom trailers name, looked up once and asked for every commit.

    Whoever matches `tools` (see `is_tool`) or `bots` (see `is_bot`) is nobody. A trailer may hold an address that only
    one of the `mailmaps` knows, which counts in the commits of its repository. `not_theirs` are logins, each with an
    address of somebody who does not have it, whatever stands before the @ of their addresses. What stands before the @
    of several people's is, with `places`, the one's who alone writes under such an address where they are named.
    """

    def __init__(
        self,
        people: Sequence[Person],
        mailmaps: Mailmaps | None = None,
        tools: Sequence[str] = (),
        bots: Sequence[str] = (),
        not_theirs: Set[tuple[str, str]] = frozenset(),
        places: Places | None = None,
    ) -> None:
        self._people = people
        self._places, self._not_theirs = places, not_theirs
        self._where: dict[str, Mapping[str, int]] = {}
        self._mailmaps = mailmaps or Mailmaps()
        self._tools, self._bots = tools, bots
        self._machines: dict[int, bool] = {}
        self._by_address: dict[str, int] = {}
        self._by_id: dict[str, int] = {}
        self._by_login: dict[str, int] = {}
        self._by_beginning: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        for number, person in enumerate(people):
            self._note_all(number, [one for one in person.identities if not one.moved], not_theirs)
            for login in person.logins:
                _note(self._by_login, plain(login), number)
            _note(self._by_name, name if " " in (name := plain(person.name)) else "", number)
        # What somebody has by a .mailmap alone takes nothing from whoever has it by themselves.
        known = tuple(map(frozenset, (self._by_id, self._by_beginning, self._by_name)))
        for number, person in enumerate(people):
            if moved := [one for one in person.identities if one.moved]:
                self._note_all(number, moved, not_theirs, known)

    def _note_all(
        self,
        number: int,
        identities: Iterable[Identity],
        not_theirs: Set[tuple[str, str]],
        known: tuple[frozenset[str], ...] | None = None,
    ) -> None:
        """Note what identities of a person are called. With what is `known`: but for that, and no addresses."""
        person = self._people[number]
        ids, beginnings, names = known or (frozenset[str](),) * 3
        for address in dict.fromkeys(one.address.lower() for one in identities if one.address):
            if known is None:
                _note(self._by_address, plain(address), number)
            if found := account(address):
                _note(self._by_id, "" if (word := found.id or "") in ids else word, number)
            elif not _is_denied(word := plain(address.partition("@")[0]), person, not_theirs):
                _note(self._by_beginning, "" if word in beginnings else word, number)
        for name in {plain(one.name) for one in identities}:
            _note(self._by_name, name if " " in name and name not in names else "", number)

    @property
    def by_repository(self) -> bool:
        """Whether it may matter in which repository somebody is named."""
        return bool(self._mailmaps) or bool(self._several)

    def person(self, credited: Credited, repository: str = "") -> Person | None:
        """Who is named in a repository, where that is one person beyond doubt; None for anybody else.

        By address, then by the GitHub account in it, or else by the login (one of GitHub's, of almanac.toml, linked by
        hand, or what stands before the @ of one person's addresses, of all or of those who write in the repository), or
        last by a full name of two or more words. Each holds only where it is exactly one person's, and of a login
        whoever comes first in this order.
        """
        number = self._number(credited, repository)
        return None if number is None else self._people[number]

    def may_be(self, credited: Credited) -> list[Person]:
        """Who is named in one repository or another."""
        login = "" if credited.address else login_of(credited.name) or ""
        repositories = {"", *self._mailmaps.repositories, *(self._beginning_in(login) if login else ())}
        numbers = {self._number(credited, repository) for repository in repositories}
        return [self._people[number] for number in numbers if number is not None]

    def credited(
        self, credits: Iterable[Credited], author: Person | None = None, repository: str = ""
    ) -> tuple[tuple[Role, Person], ...]:
        """The people whom the trailers of a commit name, each once a role, without its own author."""
        found: dict[tuple[Role, int], Person] = {}
        for credited in credits:
            number = self._number(credited, repository)
            if number is not None and self._people[number] != author:
                found.setdefault((credited.role, number), self._people[number])
        return tuple((role, person) for (role, _), person in found.items())

    def is_unknown(self, credited: Credited, repository: str = "") -> bool:
        """Whether it is nobody's here who is named: no tool, no machine, and not one person beyond doubt."""
        number = self._by_written(credited.name, credited.address, repository)
        is_somebody = number is not None and number >= 0
        is_none = is_tool(credited, self._tools) or is_machine(credited.name, credited.address, self._bots)
        return not (is_somebody or is_none)

    def _number(self, credited: Credited, repository: str) -> int | None:
        if is_tool(credited, self._tools):
            return None
        number = self._by_written(credited.name, credited.address, repository)
        return None if number is None or number < 0 or self._is_machine(number) else number

    def _by_written(self, name: str, address: str, repository: str) -> int | None:
        if address:
            number = self._by_its_address(name, address, repository)
            if number is not None:
                return number
        elif login := login_of(name):
            number = self._by_login.get(login)
            if number is None and (number := self._by_beginning.get(login)) == _SEVERAL:
                number = self._beginning_in(login).get(repository, _SEVERAL)
            return number
        called = plain(name)
        return self._by_name.get(called) if " " in called else None

    @cached_property
    def _several(self) -> Mapping[str, list[tuple[int, Identity]]]:
        """What stands before the @ of several people's addresses, and whose they are."""
        words = {word for word, number in self._by_beginning.items() if number == _SEVERAL and len(word) > 2}
        words = words - EVERYBODYS if self._places else set()
        found: dict[str, list[tuple[int, Identity]]] = {word: [] for word in words}
        for number, person in enumerate(self._people) if words else ():
            for one in person.identities:
                word = plain(one.address.partition("@")[0])
                if word not in words or one.moved or account(one.address):
                    continue
                if not _is_denied(word, person, self._not_theirs):
                    found[word].append((number, one))
        return found

    def _beginning_in(self, login: str) -> Mapping[str, int]:
        """In which repositories a login that several people's addresses begin with is whose."""
        if login not in self._where:
            found: dict[str, int] = {}
            theirs = self._several.get(login, ())
            where = self._places([one for _, one in theirs]) if theirs and self._places else {}
            for number, one in theirs:
                for repository in filter(one.is_of, where.get((one.name, one.address), ())):
                    _note(found, repository, number)
            self._where[login] = found
        return self._where[login]

    def _by_its_address(self, name: str, address: str, repository: str) -> int | None:
        proper = self._mailmaps.proper(name, address, repository)
        if proper and proper.address and (number := self._by_address.get(plain(proper.address))) is not None:
            return number
        number = self._by_address.get(plain(address))
        if number is None and (found := account(address)):
            number = self._by_id.get(found.id) if found.id else None
            return self._by_login.get(plain(found.login)) if number is None else number
        return number

    def _is_machine(self, number: int) -> bool:
        if number not in self._machines:
            self._machines[number] = is_bot(self._people[number], self._bots)
        return self._machines[number]


_SEVERAL = -1


def _is_denied(word: str, person: Person, not_theirs: Set[tuple[str, str]]) -> bool:
    return bool(not_theirs) and any((word, address) in not_theirs for address in person.addresses)


def _note(index: dict[str, int], word: str, number: int) -> None:
    """Note whose a word is, or that it is several people's."""
    if word and index.setdefault(word, number) != number:
        index[word] = _SEVERAL
