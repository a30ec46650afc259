"""Who in git somebody of Slack may be, by what their profile says. To be confirmed by them, never taken as so. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.model import Person
from bot.month.addresses import bare, logins_made_of, noreply_login, plain
from bot.month.common_words import EVERYBODYS
from bot.month.people import full_names

MOST = 5
NEAR = 85.0  # how alike, of 100, names of two words or more must be


@dataclass(frozen=True, slots=True)
class Guess:
    """Somebody it may be, the address to claim, and why in a few words."""

    person: Person
    address: str
    reason: str


def guesses(people: Sequence[Person], name: str = "", address: str = "", login: str = "") -> list[Guess]:
    """Who of the people it may be, at most five, the likeliest first, then whoever has most commits."""
    beginning = plain(address.partition("@")[0].partition("+")[0])
    words = {word for word in (beginning, plain(login).removeprefix("@")) if len(word) > 2 and word not in EVERYBODYS}
    found = []
    for person in people:
        if person.addresses and (best := max(_reasons(person, plain(name), words), default=None)):
            found.append((-best[0], -person.commits, person.addresses, Guess(person, best[2], best[1])))
    return [one[-1] for one in sorted(found, key=lambda one: one[:3])[:MOST]]


def _reasons(person: Person, name: str, words: set[str]) -> Iterator[tuple[float, str, str]]:
    """What speaks for somebody: how much, in words, and by which address."""
    first = person.addresses[0]
    for address in person.addresses:
        account, before = noreply_login(address), address.partition("@")[0]
        if account and plain(account) in words:
            yield 4, f"their GitHub login is {account}", address
        elif before in words:
            yield 3, f"“{before}” stands before the @ of {address}", address
    for login in (*person.logins, *person.nicknames):
        if plain(login) in words:
            yield 4, f"they are known as {login}", first
    names = full_names(person)
    if name in names:
        yield 3 if " " in name else 1, "the same name", first
    for word in words:
        if any(bare(word) in logins_made_of(each) for each in names):
            yield 2, f"“{word}” is made of the name {person.name}", first
    if " " in name:
        from rapidfuzz import fuzz  # late: as in bot.month.people

        likeness, near = max(((fuzz.token_sort_ratio(name, one), one) for one in names if " " in one), default=(0, ""))
        if likeness >= NEAR and near != name:
            yield 1 + likeness / 200, "a name much like it", first
