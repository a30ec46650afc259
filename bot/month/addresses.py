"""Names and mail addresses: what is compared of them, and the accounts that GitHub writes into its own. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, normalize

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
