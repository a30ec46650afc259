"""Names and mail addresses: what is compared of them, the accounts that GitHub writes into its own, and what was said
by hand of whose they are, in almanac.toml or in the log that the command line and Slack add to. Pure.

Nothing here reads what git says, so that rights may rest on it: see `bot.ask.proven`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from bot.model import Said

if TYPE_CHECKING:
    from bot.settings import PersonSettings

# GitHub's addresses for people who keep theirs to themselves:
# https://docs.github.com/en/account-and-profile/reference/email-addresses-reference
_DOMAIN = "@users.noreply.github.com"
_NOREPLY = re.compile(rf"(?:(?P<id>\d+)\+)?(?P<login>[\w.-]+(?:\[bot\])?){re.escape(_DOMAIN)}", re.IGNORECASE)

# What is no letter with an accent, and is typed as other letters by whoever has not got it.
_TYPED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "'", "‘": "'"}
)


@dataclass(frozen=True, slots=True)
class Account:
    """An account of GitHub. The login may be changed and then be somebody else's; the id, if known, stays."""

    login: str
    id: str | None = None


def plain(text: str) -> str:
    """A name or an address as it is compared: without regard to case and to how words are spaced."""
    return " ".join(text.split()).casefold()


@lru_cache(maxsize=4_096)  # a question asks for each of its words in many places
def unaccented(text: str) -> str:
    """A text without accents, as people type it who have no key for them: "José" is "Jose", "Łukasz" "Lukasz"."""
    if text.isascii():
        return text
    return "".join(letter for letter in normalize("NFKD", text.translate(_TYPED)) if not combining(letter))


def account(address: str) -> Account | None:
    """The account in an address such as 12345+ada@users.noreply.github.com or ada@users.noreply.github.com."""
    if address[-len(_DOMAIN) :].lower() != _DOMAIN:
        return None
    match = _NOREPLY.fullmatch(address)
    return Account(match["login"], match["id"]) if match else None


def login_in_log(address: str) -> str | None:
    """The login that the log of links holds in an address's place, with an @ before it; None if it is an address."""
    return address[1:] if len(address) > 1 and address[0] == "@" and "@" not in address[1:] else None


def login_of(name: str) -> str | None:
    """The login that is written where a name might stand: one word, or one with an @ before it."""
    login = plain(name).removeprefix("@")
    return login if login and " " not in login else None


def noreply_login(address: str) -> str | None:
    """The GitHub login in an address such as 12345+ada@users.noreply.github.com."""
    found = account(address)
    return found.login if found else None


class PeopleTables:
    """The [[people]] tables of almanac.toml, by number: whose an address or a login is."""

    def __init__(self, named: Sequence[PersonSettings] = ()) -> None:
        self.named = named
        self.tables = {plain(address): number for number, one in enumerate(named) for address in one.addresses}
        self.logins = {plain(login): number for number, one in enumerate(named) for login in one.logins}

    def table_of(self, address: str) -> int | None:
        """The number of the table that an address, as it is compared, belongs to: by itself, or by the login in it."""
        table = self.tables.get(address)
        if table is None and self.logins and (login := noreply_login(address)):
            table = self.logins.get(plain(login))
        return table


class HandLinks:
    """What holds of the log of addresses and logins, in its order; addresses are as they are compared.

    The addresses of each set in `together` are one person's. Those in `alone` were unlinked, and are joined with others
    by hand only. Pairs in `apart` were said not to be the same person's. `logins` tells an address of whoever has a
    login; pairs in `not_theirs` are logins with an address of somebody who was said not to have them.
    """

    def __init__(self, log: Iterable[Said] = ()) -> None:
        self.alone, self.apart, self.not_theirs = set[str](), set[tuple[str, str]](), set[tuple[str, str]]()
        self.logins: dict[str, str] = {}
        self._sets: dict[str, dict[str, None]] = {}
        for one in log:
            about, other = plain(one.about), plain(one.value)
            if about and other and not one.undone_at:
                login = login_in_log(about)
                (self._login if login else self._address)(login or about, other, is_link=one.action == "link")
        self.together = [
            tuple(some) for some in {id(one): one for one in self._sets.values()}.values() if len(some) > 1
        ]

    def _login(self, login: str, address: str, *, is_link: bool) -> None:
        if is_link:
            self.logins[login] = address
            self.not_theirs.discard((login, address))
        else:
            self.logins.pop(login, None)
            self.not_theirs.add((login, address))

    def _address(self, address: str, other: str, *, is_link: bool) -> None:
        """Who is unlinked leaves their set; those who were linked to them stay there."""
        pair = {(address, other), (other, address)}
        if is_link:
            whole, mine = self._sets.setdefault(other, {other: None}), self._sets.setdefault(address, {address: None})
            whole |= mine
            self._sets |= dict.fromkeys(mine, whole)
            self.apart -= pair
        else:
            self._sets.get(address, {}).pop(address, None)
            self._sets[address] = {address: None}
            self.alone.add(address)
            self.apart |= pair

    def linked(self, addresses: Iterable[str]) -> frozenset[str]:
        """The addresses, and all that one of them is together with."""
        known = frozenset(addresses)
        return known.union(*(some for some in self.together if not known.isdisjoint(some)))


def addresses_of(
    user: str, live: Iterable[Said], *, confirmed_only: bool = False
) -> tuple[frozenset[str], frozenset[str]]:
    """The addresses that were said to be a Slack user's, and those that were said not to be: of each what was said
    last. `confirmed_only`: a link that somebody made of themselves does not count."""
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
