"""Everybody who wrote a commit: put together from the index, and kept until commits or links come or go."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from bot.ask.people.proven import NOTHING_PROVEN, Proven
from bot.model import AddressLink, Commit, Identity, Person, Signatures
from bot.month.addresses import plain
from bot.month.by_name import Places, joined_by_name
from bot.month.joining import Joined, Rules, together
from bot.month.mailmap import Mailmaps
from bot.month.names import Names
from bot.month.people import AuthorOf, Directory, Named, in_order, is_machine, person_of
from bot.month.resolver import Resolver
from bot.settings import Settings
from storage import Store

# While a history is indexed, somebody new comes with every batch. To put everybody together anew at each question
# would take longer than the answer.
KEPT_SECONDS = 2.0
UNNAMED = "somebody"  # who asked not to be shown, where others' work tells of them


class Authors(Protocol):
    """What is needed of the store."""

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]: ...
    def links(self) -> list[AddressLink]: ...
    def commits_in(self, repository: str, identities: Iterable[Identity]) -> dict[tuple[str, str], int]: ...
    def mailmaps(self, *, without: Sequence[str] = ()) -> dict[str, str]: ...
    def hidden(self) -> frozenset[str]: ...
    def places(
        self, identities: Iterable[Identity], *, without: Sequence[str] = ()
    ) -> dict[tuple[str, str], frozenset[str]]: ...
    def slack_users(self) -> dict[str, str]: ...
    def revision(self) -> tuple[int, int]: ...


class Everybody:
    """The people of the index, who of them is called what, and whom trailers name.

    Who asked not to be shown is among `people`, since a person who asks may be one of them, and is found by a whole
    name, an address or a login, to be told of that; but not offered, and nowhere named. For lists there is `shown`.

    To put three thousand together takes fifty milliseconds, and each question needs them several times; whether
    they are still the same is one look into the store. What was said by hand counts at once, somebody's first commit
    after KEPT_SECONDS at the latest. Safe to be shared by threads. `tools` and `bots` are the patterns of those whom
    trailers name in vain. `by_name`: people of one full name are told as one, unless something speaks against it.
    """

    def __init__(
        self,
        store: Authors,
        named: Sequence[Named],
        tools: Sequence[str] = (),
        bots: Sequence[str] = (),
        hidden: frozenset[str] = frozenset(),
        *,
        claims_wait: bool = False,
        by_name: bool = False,
    ) -> None:
        self._store = store
        self._hidden = hidden
        self._views: dict[frozenset[str], Everybody] = {}
        self._named = named
        self._tools, self._bots = tuple(tools), tuple(bots)
        self.claims_wait = claims_wait  # until an admin confirms them, for telling as well
        self._by_name = by_name
        self._kept: _Kept | None = None
        self._kept_at = 0.0
        self._moment = threading.local()
        self._whole: Everybody | None = None  # what this is a view of
        self._reader, self._apart = NOTHING_PROVEN, tuple[Proven, ...]()

    @classmethod
    def of(cls, store: Store, settings: Settings) -> Everybody:
        """Everybody in the index, as the settings have it."""
        wait = settings.privacy.claims_wait
        by_name = settings.join_people == "by name"
        return cls(
            store.identities, settings.people, settings.tools, settings.bots, claims_wait=wait, by_name=by_name
        )  # fmt: skip

    def without(self, hidden: frozenset[str]) -> Everybody:
        """Everybody as known to readers who may not read of some repositories: who wrote only there is nobody, and
        what is said only there of who is who is not known."""
        if hidden == self._hidden:
            return self
        if self._whole:
            return self._whole.without(hidden)._seen(self._reader, self._apart, by_name=self._by_name)
        return self._views.setdefault(hidden, self._another(hidden))

    def shown_to(self, reader: Proven) -> Everybody:
        """Everybody as known to somebody who alone will read it: who asked not to be shown is shown to themselves."""
        return self._seen(reader, self._apart, by_name=self._by_name) if self._now().asked and reader else self

    def set_apart(self, *users: Proven) -> Everybody:
        """Everybody with each of some users of Slack told as what is proven to be theirs, and no more: where somebody
        may read, or decide, of themselves only."""
        return self._seen(self._reader, users, by_name=self._by_name)

    def without_names(self) -> Everybody:
        """Everybody with nobody put together by name: where it is decided who may say what of whom."""
        return self._seen(self._reader, self._apart, by_name=False) if self._by_name else self

    def _seen(self, reader: Proven, apart: tuple[Proven, ...], *, by_name: bool) -> Everybody:
        view = self._another(self._hidden)
        view._whole, view._reader, view._apart, view._by_name = self._whole or self, reader, apart, by_name
        return view

    def _another(self, hidden: frozenset[str]) -> Everybody:
        wait, by_name = self.claims_wait, self._by_name
        return Everybody(
            self._store, self._named, self._tools, self._bots, hidden, claims_wait=wait, by_name=by_name
        )  # fmt: skip

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

    def joined_by_name(self, person: Person) -> tuple[tuple[str, ...], ...]:
        """The addresses of each part of somebody who is one person by their name alone, of the first part that to which
        the others were put; nothing for anybody else."""
        return self._now().parts.get(person.addresses, ())

    def why(self, identity: Identity, person: Person | None) -> str:
        """The rule by which an identity is somebody's, in a few words."""
        first, *others = (self.joined_by_name(person) if person else ()) or ((),)
        if any(plain(identity.address) in part for part in others):
            return f"its name, as that of {first[0]}"
        return self.rules().why(identity)

    def unread(self) -> frozenset[str]:
        """The addresses that stand only in commits of repositories that the reader may not read of."""
        return self._now().unread

    def unshown(self) -> Signatures:
        """As whom those sign who asked not to be shown: `commit in everybody.unshown()`."""
        return self._now().unshown

    def directory(self) -> Directory:
        return self._now().directory

    def resolver(self) -> Resolver:
        """Whom trailers name."""
        return self._now().resolver

    def rules(self) -> Rules:
        """By which rules identities are put together."""
        return self._now().rules

    def author(self, commit: Commit) -> Person | None:
        """Whose a commit is; None for somebody whose first commit came just now."""
        return self.authors()(commit)

    def name_of(self, commit: Commit) -> str:
        """What we call the author of a commit: as whom they are known, or else as they signed."""
        return self.names()(commit)

    def names(self) -> Names:
        """The same as of now: to be kept for one answer."""
        author, unshown = self.authors(), self._now().unshown

        def name_of(commit: Commit) -> str:
            if commit in unshown:
                return UNNAMED
            person = author(commit)
            return person.name if person else commit.author.name

        return name_of

    def authors(self) -> AuthorOf:
        """Whose each commit is, as of now."""
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
        if self._whole:
            whole = self._whole._looked()
            if self._kept is None or self._kept.whole is not whole:
                self._kept = whole.seen(self._reader, self._apart, by_name=self._by_name)
            return self._kept
        revision = self._store.revision()  # read first: what is newer than it is only read again
        kept = self._kept
        now = time.monotonic()
        if kept is None or self._is_old(kept.revision, revision, now):
            self._kept_at = now
            kept = self._kept = self._put_together(revision)
        return kept

    def _put_together(self, revision: tuple[int, int]) -> _Kept:
        store, hidden = self._store, sorted(self._hidden)
        links = [one for one in store.links() if one.confirmed or one.action == "unlink" or not self.claims_wait]
        rules = Rules(self._named, links, Mailmaps(store.mailmaps(without=hidden)))
        authors = store.authors(without=hidden)
        joined = rules.joined(rules.mailmaps.told(authors, store.commits_in))
        unread = frozenset[str]()
        if hidden:
            read = {plain(one.address) for one in authors}
            unread = frozenset(plain(one.address) for one in store.authors()) - read
        if unread:  # what is linked to such an address by hand tells of it
            linked = unread.union(*(some for some in rules.hand.together if not unread.isdisjoint(some)))
            for one in joined:
                known = (each for each in one.other_addresses if each not in linked or rules.table_of(each) is not None)
                one.other_addresses = list(known)

        def places(identities: Iterable[Identity]) -> dict[tuple[str, str], frozenset[str]]:
            return store.places(identities, without=hidden)

        if self._by_name:
            bots = self._bots
            joined = joined_by_name(
                joined,
                rules,
                store.slack_users(),
                lambda name, address: is_machine(name, address, bots),
                places,
            )
        return _Kept.of(revision, rules, joined, self._tools, self._bots, store.hidden(), unread, places)

    def _is_old(self, kept: tuple[int, int], revision: tuple[int, int], now: float) -> bool:
        (said, written), (kept_said, kept_written) = revision, kept
        return said != kept_said or (written != kept_written and now - self._kept_at >= KEPT_SECONDS)


@dataclass(frozen=True)
class _Kept:
    """What was put together at a revision; what not every question needs, only once it is asked for."""

    revision: tuple[int, int]
    rules: Rules
    each: list[tuple[Joined, Person]]
    tools: tuple[str, ...]
    bots: tuple[str, ...]
    asked: frozenset[str]  # the addresses of those who asked not to be shown, as they were noted
    hidden: frozenset[str]  # and with all that is theirs for sure
    unread: frozenset[str]  # addresses that stand only where the reader may not read
    places: Places  # in which repositories, of those that they may read
    whole: _Kept | None = None  # what this is seen of

    @classmethod
    def of(
        cls,
        revision: tuple[int, int],
        rules: Rules,
        joined: Iterable[Joined],
        tools: tuple[str, ...],
        bots: tuple[str, ...],
        asked: frozenset[str],
        unread: frozenset[str],
        places: Places,
    ) -> _Kept:
        each = [(one, person_of(one, rules)) for one in joined]
        if not asked:
            return cls(revision, rules, each, tools, bots, asked, asked, unread, places)
        # Only what is theirs for sure is hidden with them: else a .mailmap or a link of one's own would hide others.
        is_theirs, parted = rules.sure_of(asked), list[tuple[Joined, Person]]()
        for one, person in each:
            parts = rules.parted(one, is_theirs)
            parted += [(one, person)] if len(parts) == 1 else [(part, person_of(part, rules)) for part in parts]
        hidden = {address for _, person in parted for address in person.addresses if is_theirs(address)}
        return cls(revision, rules, parted, tools, bots, asked, asked | hidden, unread, places)

    def seen(self, reader: Proven, apart: Iterable[Proven], *, by_name: bool) -> _Kept:
        """The same as its reader sees it who asked not to be shown, and with some users set apart; with nobody put
        together by name, unless `by_name`."""
        each, rules = self.each, self.rules
        if not by_name and self.parts:
            each = [
                (part, person_of(part, rules) if one.parts else person)
                for one, person in each
                for part in one.parts or (one,)
            ]
        asked = frozenset(one for one in self.asked if not reader.has(one)) if reader else self.asked
        hidden = frozenset(one for one in self.hidden if not reader.has(one)) if reader else self.hidden
        for user in apart:
            own, others = list[Joined](), list[tuple[Joined, Person]]()
            for one, person in each:
                if not user.touches(person):
                    others.append((one, person))
                    continue
                for part in rules.parted(one, user.has):
                    if user.has(part.identities[0][0].address):
                        own.append(part)
                    else:
                        others.append((part, person_of(part, rules)))
            each = others
            if own:
                joined = together(own)
                each = [*others, (joined, person_of(joined, rules))]
        return replace(self, each=each, asked=asked, hidden=hidden, whole=self)

    @cached_property
    def parts(self) -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Of those who are one by their name, by all their addresses: the addresses of each part."""
        return {
            person.addresses: tuple(person_of(part, self.rules).addresses for part in one.parts)
            for one, person in self.each
            if one.parts
        }

    @cached_property
    def people(self) -> list[Person]:
        return in_order(person for _, person in self.each)

    @cached_property
    def shown(self) -> list[Person]:
        return [one for one in self.people if not _has(one, self.hidden)] if self.hidden else self.people

    @cached_property
    def unshown(self) -> Signatures:
        """As whom those sign who are not to be shown."""
        theirs = (one for one in self.people if _has(one, self.hidden)) if self.hidden else ()
        return Signatures(identity for one in theirs for identity in one.identities)

    @cached_property
    def directory(self) -> Directory:
        if len(self.shown) == len(self.people):
            return Directory(self.people)
        return _Discreet(self.shown, [one for one in self.people if _has(one, self.hidden)])

    @cached_property
    def authors(self) -> AuthorOf:
        return AuthorOf(self.people)

    @cached_property
    def resolver(self) -> Resolver:
        people = [replace(one, name=UNNAMED) if _has(one, self.hidden) else one for one in self.people]
        return Resolver(people, self.rules.mailmaps, self.tools, self.bots, self.rules.hand.not_theirs, self.places)


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
