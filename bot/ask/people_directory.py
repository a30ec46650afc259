"""Everybody who wrote a commit: put together from the index, kept until commits or links come or go, and seen as each
reader may know them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from bot.ask.proven import NOTHING_PROVEN, Proven
from bot.ask.question import nobody, which_one
from bot.errors import PersonUnknown
from bot.model import Commit, Credited, Identity, Person, Said, Signatures
from bot.month.addresses import addresses_of, plain, users_of
from bot.month.credits import Resolver, credits_of, is_bot, is_machine
from bot.month.joining import JoinRules, Mailmaps, joined_by_name
from bot.month.people import FULL_NAME, Directory, author_of, in_order
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

    def view(self, hidden: frozenset[str], *apart: Proven, reader: Proven = NOTHING_PROVEN) -> Now:
        """`now` for such readers, with some users of Slack set apart, and for one who alone will read it."""
        if not (hidden or apart or reader):
            return self.now
        kept = list[KnownPeople]()  # as they are, and as they are seen: made anew only when they are others

        def people() -> KnownPeople:
            whole = self.now(hidden)
            if not kept or kept[0] is not whole:
                kept[:] = [whole, whole.set_apart(*apart).shown_to(reader)]
            return kept[1]

        return people

    def _put_together(self, hidden: frozenset[str]) -> KnownPeople:
        store, settings, without = self._store, self._settings, sorted(hidden)
        links = store.said.log("address")
        if settings.privacy.claims_wait:
            links = [one for one in links if one.confirmed or one.action == "unlink"]
        rules = JoinRules(settings.people, links, Mailmaps(store.commits.mailmaps(without=without)))
        authors = store.identities.authors(without=without)
        read = {plain(one.address) for one in authors}
        named = (one for one in store.identities.credited(without=without) if one.address)
        strangers, tabled = list[Identity](), list[Identity]()
        for one in named:
            if (address := plain(one.address)) not in read:
                (strangers if rules.table_of(address) is None else tabled).append(one)
        people = rules.joined([*rules.mailmaps.split(authors, store.identities.counted), *tabled])
        unread = frozenset[str]()
        if hidden:
            unread = frozenset(plain(one.address) for one in store.identities.authors()) - read
            people = _without(people, rules, unread)

        def places(some: Iterable[Identity]) -> dict[tuple[str, str], frozenset[str]]:
            return {who: frozenset(many) for who, many in store.identities.counted(some, without=without).items()}

        if settings.join_people == "by name":
            users = users_of(store.slack_users.addresses(), store.said.live("slack"))
            people = joined_by_name(people, rules, users, partial(is_machine, patterns=settings.bots), places)
        known = KnownPeople(rules, tuple(people), settings, unread=unread, strangers=tuple(strangers))
        return known.without_hidden(frozenset(plain(one.about) for one in store.said.live("hide")))


def _without(people: Sequence[Person], rules: JoinRules, unread: frozenset[str]) -> list[Person]:
    """The people without what is linked by hand to an address that is not read, which would tell of it."""
    linked, found = {one for one in rules.hand.linked(unread) if rules.table_of(one) is None}, []
    for person in people:
        own = [one for one in person.identities if one.name or one.commits or plain(one.address) not in linked]
        found.append(person if len(own) == len(person.identities) else rules.person(own))
    return found


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
    """Everybody as of one moment, as a reader may know them: who they are, who of them is called what, and whom
    trailers name. What not every question needs is made once it is asked for.

    Who asked not to be shown is among `everyone`, since a person who asks may be one of them, and is found by a whole
    name, an address or a login, to be answered that; but not offered, and nowhere named. For lists there is `shown`.
    """

    rules: JoinRules  # by which identities are put together
    people: tuple[Person, ...]
    settings: Settings
    hidden: frozenset[str] = frozenset()  # the addresses that are for sure of those who asked not to be shown
    unread: frozenset[str] = frozenset()  # addresses that stand only in commits that the reader may not read
    strangers: tuple[Identity, ...] = ()  # whom trailers alone name, with an address that is no author's

    # --- seen in other ways

    def without_hidden(self, asked: frozenset[str]) -> KnownPeople:
        """The same where those with some addresses asked not to be shown."""
        if not asked:
            return self
        # Only what is theirs for sure is hidden with them: else a .mailmap or a link of one's own would hide others.
        is_theirs = self.rules.sure_of(asked)
        people = [side for one in self.people for side in self.rules.sides(one, is_theirs) if side]
        hidden = {address for one in people for address in one.addresses if is_theirs(address)}
        return replace(self, people=tuple(people), hidden=asked | hidden)

    def shown_to(self, reader: Proven) -> KnownPeople:
        """The same as known to somebody who alone will read it: who asked not to be shown is shown to themselves."""
        hidden = frozenset(one for one in self.hidden if not reader.has(one))
        return replace(self, hidden=hidden) if hidden != self.hidden else self

    def set_apart(self, *users: Proven) -> KnownPeople:
        """The same with each of some users of Slack shown as what is proven to be theirs, and no more: where somebody
        may read, or decide, of themselves only."""
        people = list(self.people)
        for user in users:
            sides = [self.rules.sides(one, user.has) if user.touches(one) else (one, None) for one in people]
            people = [others for others, _ in sides if others]
            if own := [identity for _, theirs in sides if theirs for identity in theirs.identities]:
                people.append(self.rules.person(own))
        return replace(self, people=tuple(people)) if users else self

    @cached_property
    def without_names(self) -> KnownPeople:
        """The same with nobody put together by name: where it is decided who may say what of whom."""
        people = tuple(part for one in self.people for part in one.parts or (one,))
        return replace(self, people=people) if len(people) > len(self.people) else self

    # --- who they are

    @cached_property
    def everyone(self) -> tuple[Person, ...]:
        """In order of name, then first address; with those who asked not to be shown."""
        return tuple(in_order(self.people))

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
        named = {one: self.directory.exactly(one, levels=(FULL_NAME,)) for one in self.directory.nearest(name)}
        return tuple(one for one, people in named.items() if any(map(self.may_be_offered, people)))

    # --- whose a commit is, and whom it names

    @cached_property
    def unshown(self) -> Signatures:
        """As whom those sign who asked not to be shown, and under any other name: `commit in people.unshown`."""
        theirs = (identity for one in self.everyone if self.is_hidden(one) for identity in one.identities)
        return _Unshown(theirs, self.hidden) if self.hidden else Signatures(())

    @cached_property
    def directory(self) -> Directory:
        """Who is called what."""
        unshown = list(filter(self.is_hidden, self.everyone)) if self.hidden else ()
        return Directory(self.shown, unshown, self._named_only if self.strangers else None)

    def _named_only(self) -> list[Person]:
        """Those whom trailers alone name: nobody's by any rule, and no machines and tools."""
        people = self.rules.joined(self.strangers)  # they are found late, and seldom needed
        credited = ([Credited("helper", each.name, each.address) for each in one.identities] for one in people)
        return [one for one, some in zip(people, credited, strict=True) if all(map(self.resolver.is_unknown, some))]

    @cached_property
    def author(self) -> Callable[[Commit], Person | None]:
        """Whose a commit is; None for somebody whose first commit came just now."""
        return author_of(self.everyone)

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
        return super().__contains__(commit) or plain(commit.author.address) in self._addresses
