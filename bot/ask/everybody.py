"""Everybody who wrote a commit: put together from the index, and kept until commits or links come or go."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from bot.model import AddressLink, Identity, Person, Signature
from bot.month.joining import Rules
from bot.month.mailmap import Mailmaps
from bot.month.people import Directory, Named, of_rules
from bot.month.resolver import Resolver

# While a history is indexed, somebody new comes with every batch. To put everybody together anew at each question
# would take longer than the answer.
KEPT_SECONDS = 2.0


class Authors(Protocol):
    """What is needed of the store."""

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]: ...
    def links(self) -> list[AddressLink]: ...
    def mailmaps(self) -> list[str]: ...
    def revision(self) -> tuple[int, int]: ...


class Everybody:
    """The people of the index, who of them is called what, and whom trailers name.

    To put three thousand together takes fifty milliseconds, and each question needs them several times; whether
    they are still the same is one look into the store. What was said by hand counts at once, somebody's first commit
    after KEPT_SECONDS at the latest. Safe to be shared by threads. `tools` and `bots` are the patterns of those whom
    trailers name in vain.
    """

    def __init__(
        self,
        store: Authors,
        named: Sequence[Named],
        tools: Sequence[str] = (),
        bots: Sequence[str] = (),
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self._store = store
        self._hidden = hidden
        self._views: dict[frozenset[str], Everybody] = {}
        self._named = named
        self._tools, self._bots = tuple(tools), tuple(bots)
        self._kept: _Kept | None = None
        self._kept_at = 0.0

    def without(self, hidden: frozenset[str]) -> Everybody:
        """Everybody as known to readers who may not read of some repositories: who wrote only there is nobody."""
        if hidden == self._hidden:
            return self
        return self._views.setdefault(hidden, Everybody(self._store, self._named, self._tools, self._bots, hidden))

    def people(self) -> list[Person]:
        """In order of name, then first address."""
        return list(self._now().people)

    def directory(self) -> Directory:
        return self._now().directory

    def resolver(self) -> Resolver:
        """Whom trailers name."""
        return self._now().resolver

    def rules(self) -> Rules:
        """By which rules identities are put together."""
        return self._now().rules

    def author(self, signature: Signature) -> Person | None:
        """Who signs like this; None for somebody whose first commit came just now."""
        return self.authors().get((signature.name, signature.address))

    def name_of(self, author: Signature) -> str:
        """What we call an author: as whom they are known, or else as they signed."""
        person = self.author(author)
        return person.name if person else author.name

    def authors(self) -> Mapping[tuple[str, str], Person]:
        """Whose each name with an address is."""
        return self._now().authors

    def _now(self) -> _Kept:
        revision = self._store.revision()  # read first: what is newer than it is only read again
        kept = self._kept
        now = time.monotonic()
        if kept is None or self._is_old(kept.revision, revision, now):
            self._kept_at = now
            mailmaps = Mailmaps(self._store.mailmaps())
            rules = Rules(self._named, self._store.links(), mailmaps)
            people = of_rules(rules, self._store.authors(without=sorted(self._hidden)))
            kept = self._kept = _Kept(revision, rules, people, self._tools, self._bots)
        return kept

    def _is_old(self, kept: tuple[int, int], revision: tuple[int, int], now: float) -> bool:
        (said, written), (kept_said, kept_written) = revision, kept
        return said != kept_said or (written != kept_written and now - self._kept_at >= KEPT_SECONDS)


@dataclass(frozen=True)
class _Kept:
    """What was put together at a revision; what not every question needs, only once it is asked for."""

    revision: tuple[int, int]
    rules: Rules
    people: list[Person]
    tools: tuple[str, ...]
    bots: tuple[str, ...]

    @cached_property
    def directory(self) -> Directory:
        return Directory(self.people)

    @cached_property
    def authors(self) -> dict[tuple[str, str], Person]:
        return {(one.name, one.address): person for person in self.people for one in person.identities}

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.people, self.rules.mailmaps, self.tools, self.bots, self.rules.hand.not_theirs)
