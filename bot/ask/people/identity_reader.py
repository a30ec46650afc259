"""Who the users of Slack are among the authors, as they are shown and as it is proven; and whose an address is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.ask.people.identity_log import day_of
from bot.ask.people.linking import Linking
from bot.ask.people.proposal import Mine
from bot.ask.people.proven import Proven, proven
from bot.ask.people_directory import KnownPeople, Now
from bot.model import Person
from bot.month.addresses import login_in_log, plain
from bot.month.joining import addresses_of
from bot.story.wording import clean, count
from storage import Store


class IdentityReader:
    """Cheap to make, and safe for any thread. `name_of` says how a Slack user's id, or a name, is written in lines.

    `visible` are those whom a reader may know of, where that is not everybody: who wrote only what they may not read is
    not named, guessed or counted. What may be linked is held against everybody all the same. `discreet` words name
    nobody but the asker, nor count others' commits: for who may not ask about others.
    """

    def __init__(
        self,
        store: Store,
        people: Now,
        now: Callable[[], datetime],
        bots: tuple[str, ...] | list[str] = (),
        name_of: Callable[[str], str] = clean,
        visible: Now | None = None,
        *,
        discreet: bool = False,
    ) -> None:
        self._store = store
        self._people = people
        self._now = now
        self._bots = bots
        self._name_of = name_of
        self._visible = visible or people
        # Who may say what rests on addresses: nobody has anything for it that they share a name with somebody.
        self._linking = Linking(store, people, now).by_address()
        self._named = Linking(store, self._visible, now)
        self._known = self._named.by_address()
        self._discreet = discreet

    def person(self, user: str, profile: str = "") -> Person | None:
        """Who a Slack user is shown as: by almanac.toml, by what was said by hand, or by the address in their
        profile."""
        return self._person(user, profile, self._visible())

    def _person(self, user: str, profile: str, people: KnownPeople) -> Person | None:
        everyone = people.everyone
        if table := next((one for one in everyone if one.slack == user), None):
            return table
        theirs, not_theirs = addresses_of(user, self._store.said.live("slack"), confirmed_only=people.claims_wait)
        for addresses in (theirs, frozenset({plain(profile)}) - not_theirs - {""}):
            if found := next((one for one in everyone if not addresses.isdisjoint(one.addresses)), None):
                return found
        return None

    def proven(self, user: str, profile: str = "") -> Proven:
        """What is proven of a Slack user: all that a right may rest on."""
        said, links = self._store.said.live("slack"), self._store.said.live("address")
        return proven(user, profile, self._people().rules.named, said, links)

    def own(self, user: str, profile: str = "") -> Person | None:
        """A Slack user as an author, with what is proven to be theirs and no more."""
        theirs = self.proven(user, profile)
        return next((one for one in self._visible().set_apart(theirs).everyone if theirs.touches(one)), None)

    def user_of(self, person: Person) -> str | None:
        """Which Slack user somebody is, as far as it is proven; of several, whose address they use most."""
        if person.slack:
            return person.slack
        profiles = self._store.slack_users.addresses()
        said = [one for one in self._store.said.live("slack") if one.action == "link" and one.confirmed]
        for address in person.addresses:
            users = [one.about for one in said if plain(one.value) == address]
            users += [user for user, profile in profiles.items() if profile == address]
            for user in dict.fromkeys(users):
                if self.proven(user, profiles.get(user, "")).has(address):
                    return user
        return None

    def claimed_by(self, person: Person) -> str | None:
        """Which Slack user says of themselves that they are somebody, and is believed for telling."""
        said, wait = self._store.said.live("slack"), self._people().claims_wait
        for user in dict.fromkeys(one.about for one in said if one.action == "link"):
            if not addresses_of(user, said, confirmed_only=wait)[0].isdisjoint(person.addresses):
                return user
        return None

    def addresses(self, user: str, profile: str = "") -> list[Mine]:
        """The addresses and logins that are shown as a user's, with the rule of each; none for who is nobody in git."""
        person = self.person(user, profile)
        if person is None:
            return []
        theirs = self.proven(user, profile)
        written = dict.fromkeys(person.addresses, 0)
        for one in person.identities:
            if one.address:
                written[plain(one.address)] = written.get(plain(one.address), 0) + one.commits
        found = [
            Mine(address, self._why(person, address), written[address], theirs.has(address))
            for address in person.addresses
        ]
        return [*found, *(Mine(f"@{login}", self._why(person, f"@{login}"), 0) for login in person.logins)]

    def _why(self, person: Person, wanted: str) -> str:
        """The rule by which an address or a login is somebody's, in a few words."""
        said = [one for one in self._store.said.live("address") if one.action == "link"]
        hand = next((one for one in reversed(said) if plain(wanted) in (plain(one.about), plain(one.value))), None)
        by_hand = hand and f"linked by hand, by {self._name_of(hand.by)} on {day_of(hand.at)}"
        rules = self._visible().rules
        if login := login_in_log(wanted):
            by_table = plain(login) in rules.logins
            return "almanac.toml says so" if by_table else by_hand or f"it is the login of their GitHub account {login}"
        known = [one for owner in self._named.owners(wanted) if is_one(owner, person) for one in owner.identities]
        own = [one for one in known if plain(one.address) == plain(wanted)]
        if not own:
            by_table = rules.table_of(plain(wanted)) is not None
            return "almanac.toml says so" if by_table else by_hand or "they sign with it"
        rule = self._visible().why(max(own, key=lambda one: one.commits), person)
        if rule == "its address":
            return f"they signed {count(sum(one.commits for one in own), 'commit')} with it"
        if rule == "linked by hand":
            return by_hand or rule
        return "almanac.toml says so" if rule == "almanac.toml" else f"by {rule}"


def is_one(one: Person, other: Person | None) -> bool:
    """Whether two are one, of whom either may be known in part only."""
    return other is not None and not set(one.addresses).isdisjoint(other.addresses)
