"""Everybody who wrote a commit: put together from the index, and kept until commits or links come or go."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from bot.model import AddressLink, Identity, Person, Signature
from bot.month.joining import Rules
from bot.month.mailmap import Mailmaps
from bot.month.names import Names
from bot.month.people import Directory, Named, of_rules
from bot.month.resolver import Resolver

# While a history is indexed, somebody new comes with every batch. To put everybody together anew at each question
# would take longer than the answer.
KEPT_SECONDS = 2.0
UNNAMED = "somebody"  # who asked not to be shown, where others' work tells of them


class Authors(Protocol):
    """What is needed of the store."""

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]: ...
    def links(self) -> list[AddressLink]: ...
    def mailmaps(self) -> list[str]: ...
    def hidden(self) -> frozenset[str]: ...
    def revision(self) -> tuple[int, int]: ...


class Everybody:
    """The people of the index, who of them is called what, and whom trailers name.

    Who asked not to be shown is among `people`, since a person who asks may be one of them, and is found by a whole
    name, an address or a login, to be told of that; but not offered, and nowhere named. For lists there is `shown`.

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
        self._moment = threading.local()
        self._reader: frozenset[str] = frozenset()

    def without(self, hidden: frozenset[str]) -> Everybody:
        """Everybody as known to readers who may not read of some repositories: who wrote only there is nobody."""
        if hidden == self._hidden:
            return self
        view = self._views.setdefault(hidden, Everybody(self._store, self._named, self._tools, self._bots, hidden))
        return view._read_by(self._reader) if self._reader else view

    def shown_to(self, reader: Person | None) -> Everybody:
        """Everybody as known to somebody who alone will read it: who asked not to be shown is shown to themselves."""
        return self._read_by(frozenset(reader.addresses)) if reader and self.is_hidden(reader) else self

    def _read_by(self, addresses: frozenset[str]) -> Everybody:
        view = copy(self)
        view._reader, view._kept, view._moment = addresses, None, threading.local()
        return view

    def people(self) -> list[Person]:
        """In order of name, then first address; with those who asked not to be shown."""
        return list(self._now().people)

    def shown(self) -> list[Person]:
        """The same without them."""
        return list(self._now().shown)

    def is_hidden(self, person: Person) -> bool:
        """Whether somebody asked not to be shown."""
        hidden = self._now().hidden
        return bool(hidden) and not hidden.isdisjoint(person.addresses)

    def hides(self, author: Signature) -> bool:
        """The same of a commit's author. For many commits, `unshown` is asked once."""
        return author.who in self.unshown()

    def unshown(self) -> frozenset[tuple[str, str]]:
        """As whom those sign who asked not to be shown, by name and address: `commit.author.who` is among them."""
        return self._now().unshown

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
        return self.names()(author)

    def names(self) -> Names:
        """The same as of now: to be kept for one answer."""
        known, unshown = self.authors(), self._now().unshown

        def name_of(author: Signature) -> str:
            person = known.get(author.who)
            return UNNAMED if author.who in unshown else person.name if person else author.name

        return name_of

    def authors(self) -> Mapping[tuple[str, str], Person]:
        """Whose each name with an address is."""
        return self._now().authors

    @contextmanager
    def of_one_moment(self) -> Iterator[None]:
        """Inside, in this thread, everybody is as at the first look: an answer asks a dozen times, and is of one
        moment. Each look else opens the database."""
        if getattr(self._moment, "is_held", False):
            yield
            return
        self._moment.is_held, self._moment.kept = True, None
        try:
            yield
        finally:
            self._moment.is_held = False

    def _now(self) -> _Kept:
        if not getattr(self._moment, "is_held", False):
            return self._looked()
        if self._moment.kept is None:
            self._moment.kept = self._looked()
        kept: _Kept = self._moment.kept
        return kept

    def _looked(self) -> _Kept:
        revision = self._store.revision()  # read first: what is newer than it is only read again
        kept = self._kept
        now = time.monotonic()
        if kept is None or self._is_old(kept.revision, revision, now):
            self._kept_at = now
            mailmaps = Mailmaps(self._store.mailmaps())
            rules = Rules(self._named, self._store.links(), mailmaps)
            people = of_rules(rules, self._store.authors(without=sorted(self._hidden)))
            hidden = self._store.hidden()
            if self._reader and not hidden.isdisjoint(self._reader):
                hidden -= frozenset(one for person in people if _has(person, self._reader) for one in person.addresses)
            kept = self._kept = _Kept(revision, rules, people, self._tools, self._bots, hidden)
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
    hidden: frozenset[str]  # addresses

    @cached_property
    def shown(self) -> list[Person]:
        return [one for one in self.people if not _has(one, self.hidden)] if self.hidden else self.people

    @cached_property
    def unshown(self) -> frozenset[tuple[str, str]]:
        """As whom those sign who are not to be shown."""
        theirs = (one for one in self.people if _has(one, self.hidden)) if self.hidden else ()
        return frozenset(signature for one in theirs for signature in one.signatures)

    @cached_property
    def directory(self) -> Directory:
        if len(self.shown) == len(self.people):
            return Directory(self.people)
        return _Discreet(self.shown, [one for one in self.people if _has(one, self.hidden)])

    @cached_property
    def authors(self) -> dict[tuple[str, str], Person]:
        return {(one.name, one.address): person for person in self.people for one in person.identities}

    @cached_property
    def resolver(self) -> Resolver:
        people = [replace(one, name=UNNAMED) if _has(one, self.hidden) else one for one in self.people]
        return Resolver(people, self.rules.mailmaps, self.tools, self.bots, self.rules.hand.not_theirs)


class _Discreet(Directory):
    """Knows those who are not to be shown too, but only who is asked for by a whole name, an address, a login or a
    part of a name that is nobody else's; and never offers them."""

    def __init__(self, shown: Sequence[Person], unshown: Sequence[Person]) -> None:
        super().__init__(shown)
        self._unshown = Directory(unshown)

    def exactly(self, text: str, *, levels: Sequence[int] = (0, 1, 2, 3, 4)) -> tuple[Person, ...]:
        return super().exactly(text, levels=levels) or self._unshown.exactly(text, levels=levels)

    def may_open(self, word: str) -> bool:
        return super().may_open(word) or self._unshown.may_open(word)

    def namesakes(self, person: Person) -> int:
        return super().namesakes(person) or self._unshown.namesakes(person)


def _has(person: Person, addresses: frozenset[str]) -> bool:
    return not addresses.isdisjoint(person.addresses)
