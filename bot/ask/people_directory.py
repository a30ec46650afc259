"""Everybody who wrote a commit: put together from the index, and kept until commits or links come or go."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from bot.ask.people.proven import Proven
from bot.ask.question import nobody, which_one
from bot.errors import PersonUnknown
from bot.model import Commit, Credited, Identity, Person, Said, Signatures
from bot.month.addresses import plain
from bot.month.credits import Resolver, credits_of, is_bot, is_machine
from bot.month.joining import Joined, JoinRules, addresses_of, full_name, joined_by_name, together, users_of
from bot.month.mailmap import Mailmaps
from bot.month.people import AuthorOf, Directory, in_order, person_of
from bot.settings import Settings
from bot.story.lines import distinct_names
from bot.wording import UNNAMED
from storage import Store

# While a history is indexed, somebody new comes with every batch. To put everybody together anew at each question
# would take longer than the answer.
KEPT_SECONDS = 2.0
NOBODY_HIDDEN = frozenset[str]()
Revision = tuple[int, int]
Now = Callable[[], "KnownPeople"]  # for who writes of them: they are looked up again after that


class PeopleDirectory:
    """The people of the index, as they are now, to readers from whom some repositories are hidden.

    To put three thousand together takes fifty milliseconds; whether they are still the same is one look into the store.
    What was said by hand counts at once, somebody's first commit after KEPT_SECONDS at the latest. Safe to be shared by
    threads.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        # By what is hidden: people, at which revision of the index they were put together, and when.
        self._kept: dict[frozenset[str], tuple[KnownPeople, Revision, float]] = {}

    def now(self, hidden: frozenset[str] = NOBODY_HIDDEN) -> KnownPeople:
        """The people as of now, as known to readers who may not read of some repositories: who wrote only there is
        nobody, and what is said only there of who is who is not known."""
        revision = self._store.identities.revision()  # read first: what is newer than it is only read again
        people, kept, at = self._kept.get(hidden, (None, (0, 0), 0.0))
        begun = time.monotonic()
        if people is None or revision[0] != kept[0] or (revision[1] != kept[1] and begun - at >= KEPT_SECONDS):
            people = self._put_together(hidden)
            self._kept[hidden] = people, revision, begun
        return people

    def view(self, hidden: frozenset[str], *apart: Proven) -> Now:
        """`now` for such readers, with some users of Slack set apart."""
        if not apart:
            return partial(self.now, hidden) if hidden else self.now
        kept = list[KnownPeople]()  # set apart anew only when they are others

        def people() -> KnownPeople:
            whole = self.now(hidden)
            if not kept or kept[0].whole is not whole:
                kept[:] = [whole.set_apart(*apart)]
            return kept[0]

        return people

    def _put_together(self, hidden_repositories: frozenset[str]) -> KnownPeople:
        store, identities, hidden = self._store, self._store.identities, sorted(hidden_repositories)
        settings, wait = self._settings, self._settings.privacy.claims_wait
        links = [one for one in store.said.log("address") if one.confirmed or one.action == "unlink" or not wait]
        rules = JoinRules(settings.people, links, Mailmaps(store.commits.mailmaps(without=hidden)))
        authors = identities.authors(without=hidden)
        theirs = {plain(one.address) for one in authors}
        named = (one for one in identities.credited(without=hidden) if one.address)
        strangers = [one for one in named if plain(one.address) not in theirs]
        tabled = [one for one in strangers if rules.table_of(plain(one.address)) is not None]
        joined = rules.joined([*rules.mailmaps.split(authors, identities.counted), *tabled])
        unread = frozenset[str]()
        if hidden:
            read = {plain(one.address) for one in authors}
            unread = frozenset(plain(one.address) for one in identities.authors()) - read
        if unread:  # what is linked to such an address by hand tells of it
            linked = unread.union(*(some for some in rules.hand.together if not unread.isdisjoint(some)))
            for one in joined:
                known = (each for each in one.other_addresses if each not in linked or rules.table_of(each) is not None)
                one.other_addresses = list(known)

        def places(some: Iterable[Identity]) -> dict[tuple[str, str], frozenset[str]]:
            return {who: frozenset(many) for who, many in identities.counted(some, without=hidden).items()}

        if settings.join_people == "by name":
            users = users_of(store.slack_users.addresses(), store.said.live("slack"))
            joined = joined_by_name(joined, rules, users, partial(is_machine, patterns=settings.bots), places)
        each = [(one, person_of(one, rules)) for one in joined]
        others = tuple(one for one in strangers if one not in tabled)
        people = KnownPeople(rules, each, settings, unread=unread, strangers=others)
        return people.without_hidden(frozenset(plain(one.about) for one in store.said.live("hide")))


def user_among(
    people: Sequence[Person], user: str, profile: str, said: Sequence[Said], *, confirmed_only: bool
) -> Person | None:
    """Whom a Slack user is shown as: by almanac.toml, by what was `said` by hand of users, or by the address in their
    profile. It proves nothing."""
    if table := next((one for one in people if one.slack == user), None):
        return table
    theirs, not_theirs = addresses_of(user, said, confirmed_only=confirmed_only)
    for addresses in (theirs, frozenset({plain(profile)}) - not_theirs - {""}):
        if found := next((one for one in people if not addresses.isdisjoint(one.addresses)), None):
            return found
    return None


@dataclass(frozen=True)
class KnownPeople:
    """Everybody as of one moment: who they are, who of them is called what, and whom trailers name. What not every
    question needs is made once it is asked for.

    Who asked not to be shown is among `everyone`, since a person who asks may be one of them, and is found by a whole
    name, an address or a login, to be answered that; but not offered, and nowhere named. For lists there is `shown`.
    """

    rules: JoinRules  # by which identities are put together
    each: list[tuple[Joined, Person]]
    settings: Settings
    asked: frozenset[str] = frozenset()  # the addresses of those who asked not to be shown, as they were noted
    hidden: frozenset[str] = frozenset()  # and with all that is theirs for sure
    unread: frozenset[str] = frozenset()  # addresses that stand only in commits that the reader may not read
    strangers: tuple[Identity, ...] = ()  # whom trailers alone name, with an address that is no author's
    whole: KnownPeople | None = None  # before some users were set apart
    apart: tuple[Proven, ...] = ()

    def without_hidden(self, asked: frozenset[str]) -> KnownPeople:
        """The same where those with some addresses asked not to be shown."""
        if not asked:
            return self
        # Only what is theirs for sure is hidden with them: else a .mailmap or a link of one's own would hide others.
        is_theirs, parted = self.rules.sure_of(asked), list[tuple[Joined, Person]]()
        for one, person in self.each:
            parts = self.rules.parted(one, is_theirs)
            parted += [(one, person)] if len(parts) == 1 else [(part, person_of(part, self.rules)) for part in parts]
        hidden = {address for _, person in parted for address in person.addresses if is_theirs(address)}
        return replace(self, each=parted, asked=asked, hidden=asked | hidden)

    def shown_to(self, reader: Proven) -> KnownPeople:
        """The same as known to somebody who alone will read it: who asked not to be shown is shown to themselves."""
        if not (self.asked and reader):
            return self
        asked, hidden = (frozenset(one for one in some if not reader.has(one)) for some in (self.asked, self.hidden))
        return replace(self, asked=asked, hidden=hidden)

    def set_apart(self, *users: Proven) -> KnownPeople:
        """The same with each of some users of Slack shown as what is proven to be theirs, and no more: where somebody
        may read, or decide, of themselves only."""
        whole = self.whole or self
        each = whole.each
        for user in users:
            own, others = list[Joined](), list[tuple[Joined, Person]]()
            for one, person in each:
                if not user.touches(person):
                    others.append((one, person))
                    continue
                for part in self.rules.parted(one, user.has):
                    if user.has(part.identities[0][0].address):
                        own.append(part)
                    else:
                        others.append((part, person_of(part, self.rules)))
            each = others
            if own:
                joined = together(own)
                each = [*others, (joined, person_of(joined, self.rules))]
        return replace(self, each=each, whole=whole, apart=users)

    @cached_property
    def without_names(self) -> KnownPeople:
        """The same with nobody put together by name: where it is decided who may say what of whom."""
        if self.whole:
            return replace(self.whole.without_names.set_apart(*self.apart), asked=self.asked, hidden=self.hidden)
        if not self.parts:
            return self
        each = [
            (part, person_of(part, self.rules) if one.parts else person)
            for one, person in self.each
            for part in one.parts or (one,)
        ]
        return replace(self, each=each)

    @cached_property
    def everyone(self) -> tuple[Person, ...]:
        """In order of name, then first address; with those who asked not to be shown."""
        return tuple(in_order(person for _, person in self.each))

    @cached_property
    def shown(self) -> tuple[Person, ...]:
        """The same without them."""
        return tuple(one for one in self.everyone if not self.is_hidden(one)) if self.hidden else self.everyone

    def is_hidden(self, person: Person) -> bool:
        """Whether somebody asked not to be shown."""
        return bool(self.hidden) and not self.hidden.isdisjoint(person.addresses)

    def may_be_offered(self, person: Person) -> bool:
        """Whether somebody may be offered in place of a name that nobody has: no machine, and nobody hidden."""
        return not (is_bot(person, self.settings.bots) or self.is_hidden(person))

    def meant(self, name: str, narrowed: Callable[[tuple[Person, ...]], Sequence[Person]]) -> Person:
        """Who is called that; of several, whoever is left when they are `narrowed`.

        Raises PersonUnknown where it is nobody or several, with what to say.
        """
        found = narrowed(self.directory.find(name))
        if len(found) == 1:
            return found[0]
        if found:
            raise PersonUnknown(
                f"{which_one(name, found)} Say which, by address if need be; if they are one person, put both "
                f"addresses in one [[people]] table of almanac.toml",
                fitting=distinct_names(found),
                said=name,
            )
        near = self.nearest(name)
        hint = "" if near else " Write it as it stands in git, or index the repository they work in"
        raise PersonUnknown(nobody(name, near) + hint, near, said=name)

    def nearest(self, name: str) -> tuple[str, ...]:
        """The names most like one that nobody has, of those who may be offered; best first, at most three."""
        named = {one: self.directory.exactly(one, levels=(1,)) for one in self.directory.nearest(name)}
        return tuple(one for one, people in named.items() if any(map(self.may_be_offered, people)))

    @cached_property
    def unshown(self) -> _Unshown:
        """As whom those sign who asked not to be shown, and under any other name: `commit in people.unshown`."""
        theirs = filter(self.is_hidden, self.everyone) if self.hidden else ()
        return _Unshown((identity for one in theirs for identity in one.identities), self.hidden)

    @cached_property
    def parts(self) -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Of those who are one by their name alone, by all their addresses: the addresses of each part, of the first
        that to which the others were put."""
        return {
            person.addresses: tuple(person_of(part, self.rules).addresses for part in one.parts)
            for one, person in self.each
            if one.parts
        }

    def why(self, identity: Identity, person: Person | None) -> str:
        """The rule by which an identity is somebody's, in a few words."""
        first, *others = self.parts.get(person.addresses if person else (), ((),))
        part = next((one for one in others if plain(identity.address) in one), ())
        if not (part and person):
            return self.rules.why(identity)
        inside, outside = set[str](), set[str]()
        for one in person.identities:
            (inside if plain(one.address) in part else outside).add(full_name(one.name))
        return f"its {'name' if inside & outside - {''} else 'login'}, as that of {first[0]}"

    @cached_property
    def directory(self) -> Directory:
        """Who is called what."""
        return _Discreet(self.shown, list(filter(self.is_hidden, self.everyone)), self._named_only)

    def _named_only(self) -> Directory:
        """Those whom trailers alone name: nobody's by any rule, and no machines and tools."""
        if not self.strangers:  # whoever trailers name is found late, and seldom needed
            return Directory(())
        joined = (person_of(one, self.rules) for one in self.rules.joined(self.strangers))
        resolver = self.resolver
        return Directory(
            [
                each
                for each in joined
                if all(resolver.is_unknown(Credited("helper", one.name, one.address)) for one in each.identities)
            ]
        )

    @cached_property
    def author(self) -> AuthorOf:
        """Whose a commit is; None for somebody whose first commit came just now."""
        return AuthorOf(self.everyone)

    def name_of(self, commit: Commit) -> str:
        """What we call the author of a commit: as whom they are known, or else as they signed."""
        if commit in self.unshown:
            return UNNAMED
        person = self.author(commit)
        return person.name if person else commit.author.name

    def coauthors(self, commit: Commit) -> list[Person]:
        """Whom a commit's trailers name as co-authors, but for those who are not to be shown."""
        credited = [one for one in credits_of(commit.body) if one.role == "coauthor"]
        named = self.resolver.credited(credited, repository=commit.repository) if credited else ()
        return [one for _, one in named if not self.is_hidden(one)]

    @cached_property
    def resolver(self) -> Resolver:
        """Whom trailers name."""
        people = [replace(one, name=UNNAMED) if self.is_hidden(one) else one for one in self.everyone]
        rules, settings = self.rules, self.settings
        return Resolver(people, rules.mailmaps, settings.tools, settings.bots, rules.hand.not_theirs)


class _Unshown(Signatures):
    """What some identities signed, or some addresses: what only a release has may bear a name that the index lacks."""

    def __init__(self, identities: Iterable[Identity], addresses: frozenset[str]) -> None:
        super().__init__(identities)
        self._addresses = addresses

    def __contains__(self, commit: Commit) -> bool:
        return super().__contains__(commit) or (
            bool(self._addresses) and plain(commit.author.address) in self._addresses
        )


class _Discreet(Directory):
    """Knows those who are not to be shown too, but only who is asked for by a whole name, an address, a login or a
    part of a name that is nobody else's; and, by an address or a full name of several words, those whom trailers alone
    name. It never offers them."""

    def __init__(self, shown: Sequence[Person], unshown: Sequence[Person], named_only: Callable[[], Directory]) -> None:
        super().__init__(shown)
        self._unshown, self._read_named_only = Directory(unshown), named_only

    @cached_property
    def _named_only(self) -> Directory:
        return self._read_named_only()

    def exactly(self, text: str, *, levels: Sequence[int] = (0, 1, 2, 3, 4)) -> tuple[Person, ...]:
        found = super().exactly(text, levels=levels) or self._unshown.exactly(text, levels=levels)
        return found or (self._named_only.named(text) if 1 in levels or 0 in levels else ())

    def may_open(self, word: str) -> bool:
        return super().may_open(word) or self._unshown.may_open(word) or self._named_only.may_open(word)

    def namesakes(self, person: Person) -> int:
        return super().namesakes(person) or self._unshown.namesakes(person) or self._named_only.namesakes(person)
