"""Who the users of Slack are among the authors: what was said by hand, what may be said, and whether they are shown.

Nothing is linked by itself but by the address in a user's profile. What somebody says of themselves is first proposed,
in a sentence that says what would be done, and done once they confirm it; all of it is logged and can be undone.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from bot.ask.everybody import Everybody
from bot.ask.people.guesses import Guess, guesses
from bot.ask.people.identity_log import Said, SaidByHand, day_of
from bot.ask.people.linking import Linking, spoken
from bot.ask.people.proposal import Mine, Whose
from bot.ask.people.proposal import Proposal as Proposal  # for those who ask for who is who
from bot.errors import AlmanacError, PersonHidden
from bot.model import Person, Question
from bot.month.addresses import login_in_log, plain
from bot.month.people import described, is_bot
from bot.story.wording import clean, count, listed
from storage import Store

_TAKEN = "if that is not right, an admin can change it"
_THEIRS = "the commits that are signed with it"


class WhoIsWho:
    """Cheap to make, and safe for any thread. `name_of` says how a Slack user's id, or a name, is written in lines.

    `told` are those whom a reader may know of, where that is not everybody: who wrote only what they may not read is
    not told of, guessed or counted. What may be linked is held against everybody all the same. `discreet` words name
    nobody but the asker, nor count others' commits: for who may not ask about others.
    """

    def __init__(
        self,
        store: Store,
        everybody: Everybody,
        now: Callable[[], datetime],
        bots: tuple[str, ...] | list[str] = (),
        name_of: Callable[[str], str] = clean,
        told: Everybody | None = None,
        *,
        discreet: bool = False,
    ) -> None:
        self._store = store
        self._everybody = everybody
        self._now = now
        self._bots = bots
        self._name_of = name_of
        self._linking = Linking(store, everybody, now)
        self._told = told or everybody
        self._known = Linking(store, self._told, now)
        self._discreet = discreet

    # --- who is who

    def person(self, user: str, profile: str = "") -> Person | None:
        """Who a Slack user is: by almanac.toml, by what was said by hand, or by the address in their profile."""
        people = self._everybody.people()
        if table := next((one for one in people if one.slack == user), None):
            return table
        theirs, not_theirs = self._store.slack_links.of(user)
        for addresses in (theirs, frozenset({plain(profile)}) - not_theirs - {""}):
            if found := next((one for one in people if not addresses.isdisjoint(one.addresses)), None):
                return found
        return None

    def user_of(self, person: Person) -> str | None:
        """Which Slack user somebody is: by almanac.toml, by hand, or by the address in a profile that is known."""
        if person.slack:
            return person.slack
        links = self._store.slack_links
        users = dict.fromkeys(one.user for one in links.log() if one.action == "link" and not one.undone_at)
        for user in users:
            if not links.of(user)[0].isdisjoint(person.addresses):
                return user
        known = (user for user, address in links.known().items() if address in person.addresses)
        return next((user for user in known if links.of(user)[1].isdisjoint(person.addresses)), None)

    def addresses(self, user: str, profile: str = "") -> list[Mine]:
        """The addresses and logins that are a user's, with the rule of each; none for who is nobody in git."""
        person = self.person(user, profile)
        if person is None:
            return []
        written = dict.fromkeys(person.addresses, 0)
        for one in person.identities:
            if one.address:
                written[plain(one.address)] = written.get(plain(one.address), 0) + one.commits
        found = [Mine(address, self._why(person, address), written[address]) for address in person.addresses]
        return [*found, *(Mine(f"@{login}", self._why(person, f"@{login}"), 0) for login in person.logins)]

    def proposals(self, user: str, name: str = "", profile: str = "", login: str = "") -> list[Guess]:
        """Who in git a user may be who is nobody yet, or who else: at most five, with why. Whoever is taken, or asked
        not to be shown, is not among them."""
        me = self.person(user, profile)
        people = [one for one in self._told.shown() if not _is(one, me) and not is_bot(one, self._bots)]
        _, not_theirs = self._store.slack_links.of(user)
        free = [one for one in people if not_theirs.isdisjoint(one.addresses)]
        found = guesses(free, name, profile, login)
        return [one for one in found if self.user_of(one.person) in (None, user)]

    def whose(self, text: str, user: str = "", profile: str = "", *, is_admin: bool = False) -> Whose:
        """Whose an address or a login is, and why; with what the asker could say of it."""
        try:
            (wanted,) = self._linking.written([text])
        except AlmanacError as error:
            return Whose(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        owners = self._known.owners(wanted)
        me = self.person(user, profile) if user else None
        if any(self._everybody.is_hidden(one) and not _is(one, me) for one in owners):
            return Whose(f"{PersonHidden(spoken(wanted).capitalize() if login_in_log(wanted) else clean(wanted))}.")
        if not owners:
            words = f"I know nobody with {_called(wanted)}."
        elif len(owners) > 1:
            them = "several people" if self._discreet else listed([clean(described(one)) for one in owners])
            words = f"{clean(wanted)} is shared by {them}, by .mailmap."
        elif self._discreet and not _is(owners[0], me):
            words = ""  # what they can say of it is all that they are told
        else:
            words = f"{_begun(wanted)} is {clean(owners[0].name)}'s: {self._why(owners[0], wanted)}."
        proposal = None
        if user:
            with suppress(AlmanacError):
                proposal = self.claim(wanted, user, profile, is_admin=is_admin)
        return Whose(words, owners[0] if len(owners) == 1 else None, proposal)

    def command(self, question: Question) -> str:
        """Whose what a question is about is, with the command that links it: for whoever is at the command line."""
        topic = question.topic or ""
        told = self.whose(topic)
        whom = question.people[0] if question.people else "PERSON"
        return f"{told.words} To link it to somebody: {shlex.join(['almanac', 'people', 'link', whom, topic])}"

    def _why(self, person: Person, wanted: str) -> str:
        """The rule by which an address or a login is somebody's, in a few words."""
        said = [one for one in self._store.identities.links() if not one.undone_at and one.action == "link"]
        hand = next((one for one in reversed(said) if plain(wanted) in (plain(one.address), plain(one.other))), None)
        by_hand = hand and f"linked by hand, by {self._name_of(hand.by)} on {day_of(hand.at)}"
        rules = self._everybody.rules()
        if login := login_in_log(wanted):
            by_table = plain(login) in rules.logins
            return "almanac.toml says so" if by_table else by_hand or f"it is the login of their GitHub account {login}"
        known = [one for owner in self._known.owners(wanted) if _is(owner, person) for one in owner.identities]
        own = [one for one in known if plain(one.address) == plain(wanted)]
        if not own:
            by_table = rules.table_of(plain(wanted)) is not None
            return "almanac.toml says so" if by_table else by_hand or "they sign with it"
        rule = rules.why(max(own, key=lambda one: one.commits))
        if rule == "its address":
            return f"they signed {count(sum(one.commits for one in own), 'commit')} with it"
        if rule == "linked by hand":
            return by_hand or rule
        return "almanac.toml says so" if rule == "almanac.toml" else f"by {rule}"

    # --- what a user says

    def claim(
        self, text: str, user: str, profile: str = "", *, is_admin: bool = False, whom: Person | None = None
    ) -> Proposal:
        """What would be done if a user said that an address or a login is theirs, or, as an admin, somebody's.

        Raises AlmanacError where they may not say so, with who has it.
        """
        (wanted,) = self._linking.written([text])
        me = self.person(user, profile)
        if whom is not None and whom != me:
            if not is_admin:
                raise AlmanacError(f"only {clean(whom.name)} or an admin can say which addresses are theirs")
            self._linking.checked(whom, [wanted])
            return _joined(wanted, whom, "", f"{_begun(wanted)} will be linked to {clean(described(whom))}.")
        owners = self._linking.owners(wanted)
        if me and me in owners:
            raise AlmanacError(f"{spoken(wanted)} is yours already")
        if len(owners) > 1:
            raise AlmanacError(f"{clean(wanted)} is shared by several people, as .mailmap tells by their names")
        owner, known = (next(iter(found), None) for found in (owners, self._known.owners(wanted)))
        if owner:
            self._refuse_taken(wanted, owner, user, is_admin=is_admin)
        if me:
            self._check(me, wanted)
            of_whom = f"the {count(known.commits, 'commit')} of {clean(described(known))}" if known else ""
            with_it = f", with {_THEIRS if self._discreet else of_whom}" if known else ""
            return _joined(wanted, me, user, f"{_begun(wanted)} will be yours{with_it}.")
        if owner is None or known is None or not owner.addresses:
            raise AlmanacError(
                f"I know nobody with {_called(wanted)}, and not yet who you are: first name an address that "
                f"your commits are signed with"
            )
        address = wanted if "@" in wanted[1:] else owner.addresses[0]
        them = f"{clean(described(known))}, who has {count(known.commits, 'commit')}"
        them = f"whoever has {_called(wanted)}" if self._discreet else them
        sentence = f"You will be {them}: what you ask of yourself is about them."
        return Proposal("link", user, address, address, sentence)

    def disclaim(self, text: str, user: str, profile: str = "") -> Proposal:
        """What would be done if a user said that an address or a login is not theirs. Raises AlmanacError."""
        (wanted,) = self._linking.written([text])
        me = self.person(user, profile)
        if me is None or not self._linking.has(me, wanted):
            raise AlmanacError(f"{spoken(wanted)} is not yours as far as I know")
        rules, login = self._everybody.rules(), login_in_log(wanted)
        if (login and plain(login) in rules.logins) or (not login and rules.table_of(plain(wanted)) is not None):
            raise AlmanacError(f"{spoken(wanted)} is yours by almanac.toml, which holds before all else")
        others = [one for one in me.addresses if one != plain(wanted)]
        if login or others:
            sentence = f"{_begun(wanted)} will not be yours any more."
        elif me.slack:
            raise AlmanacError(f"you are {clean(me.name)} by almanac.toml, which holds before all else")
        else:
            sentence = f"You will not be {clean(described(me))} any more."
        return Proposal("unlink", user, wanted, me.addresses[0] if login or not others else others[0], sentence)

    def confirm(self, proposal: Proposal, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Do what was proposed, checked once more, and say so in a sentence. `by` is the Slack user who confirms it,
        and `profile` the address in the profile of whom it is about.

        Raises AlmanacError where whoever confirms it may not, or something has changed since.
        """
        if by != proposal.user and not is_admin:
            raise AlmanacError("only whom it concerns, or an admin, can confirm this")
        if proposal.action == "unlink":
            return self._disclaimed(self.disclaim(proposal.address, proposal.user, profile), by, profile)
        whom = None
        if not proposal.user:
            whom = next(iter(self._linking.owners(proposal.person)), None)
        now = self.claim(proposal.address, proposal.user or by, profile, is_admin=is_admin, whom=whom)
        if (now.user, now.person) != (proposal.user, proposal.person):
            raise AlmanacError("who is who has changed since: ask again")
        owner = next(iter(self._linking.owners(now.address)), None)
        holder = self.user_of(owner) if owner else None
        if owner and holder and now.user and holder != now.user:  # an admin says so
            for address in owner.addresses:
                self._store.slack_links.add(holder, "unlink", address, by, self._now())
        if now.address == now.person:
            self._store.slack_links.add(now.user, "link", now.address, by, self._now())
            return f"Done: that is {clean(described(owner)) if owner else clean(now.address)}."
        return self._linking.link(now.person, [now.address], by).split("\n", 1)[0]

    def _disclaimed(self, proposal: Proposal, by: str, profile: str) -> str:
        user, wanted = proposal.user, proposal.address
        me = self.person(user, profile)
        said = f"Done: {spoken(wanted)} is not yours any more."
        if me and not login_in_log(wanted):
            theirs, _ = self._store.slack_links.of(user)
            others = [one for one in me.addresses if one != plain(wanted)]
            self._store.slack_links.add(user, "unlink", wanted, by, self._now())
            if not others:
                return f"Done: that is not {clean(described(me))}."
            if not (theirs | {plain(profile)}).intersection(others):  # by that address alone it was known who they are
                self._store.slack_links.add(user, "link", others[0], by, self._now())
        self._linking.unlink(proposal.person, wanted, by)
        return said

    def _refuse_taken(self, wanted: str, owner: Person, user: str, *, is_admin: bool) -> None:
        if owner.slack and owner.slack != user:
            whose = "somebody else" if self._discreet else self._name_of(owner.slack)
            raise AlmanacError(f"{spoken(wanted)} is {whose}'s by almanac.toml: change it there")
        if is_admin:
            return
        holder = self.user_of(owner)
        if holder and holder != user:
            whose = "somebody else" if self._discreet else self._name_of(holder)
            raise AlmanacError(f"{spoken(wanted)} is {whose}'s: {_TAKEN}")
        if self._everybody.is_hidden(owner):
            raise AlmanacError(f"whoever has {_called(wanted)} asked not to be shown: only an admin can link it")

    def _check(self, me: Person, wanted: str) -> None:
        """Raise AlmanacError where an address or a login cannot become the asker's."""
        try:
            self._linking.checked(me, [wanted])
        except AlmanacError:
            if not self._discreet or not me.addresses:
                raise
            raise AlmanacError(f"{spoken(wanted)} is somebody else's: {_TAKEN}") from None

    # --- whether they are shown

    def hide(self, person: Person, by: str) -> str:
        """Note that somebody is not to be shown. Whoever calls knows that it is they, or an admin."""
        if not person.addresses:
            raise AlmanacError(f"{clean(person.name)} has no address in git to know them by")
        name = clean(described(person))
        if not self._store.identities.hide(person.addresses, by, self._now()):
            return f"{name} is not shown already."
        return f"{name} is not shown any more: their months, their profile, and their part in lists and digests."

    def show(self, person: Person, by: str) -> str:
        """Take that back."""
        name = clean(described(person))
        done = self._store.identities.show(person.addresses, by, self._now())
        return f"{name} is shown again." if done else f"{name} is shown already."

    # --- the log

    def log(self, person: Person | None = None, limit: int | None = None) -> list[Said]:
        """Who said what, newest first; of one person only, if one is given."""
        every = SaidByHand(self._store, self._name_of).lines()
        mine = {*person.addresses, *(f"@{plain(login)}" for login in person.logins)} if person else set()
        wanted = [one for one in every if person is None or plain(one.person) in mine]
        return sorted(wanted, key=lambda one: (one.at, one.key), reverse=True)[:limit]

    def undo(self, key: str, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Undo a line of the log. Raises AlmanacError where there is none, or they may not."""
        said = next((one for one in self.log() if one.key == key and not one.is_undone), None)
        if said is None:
            raise AlmanacError("there is nothing to undo any more")
        me = self.person(by, profile)
        if not is_admin and by != said.by and not (me and plain(said.person) in me.addresses):
            raise AlmanacError("only whom it concerns, or an admin, can undo this")
        kind, number = key.split(":")
        if kind == "address":
            return self._linking.undo(int(number), by).split("\n", 1)[0]
        if kind == "slack":
            self._store.slack_links.undo(int(number), by, self._now())
        else:
            self._store.identities.show([said.person], by, self._now())
        return f"Undone: {said.line}"


def _is(one: Person, other: Person | None) -> bool:
    """Whether two are one, of whom either may be known in part only."""
    return other is not None and not set(one.addresses).isdisjoint(other.addresses)


def _joined(wanted: str, person: Person, user: str, sentence: str) -> Proposal:
    return Proposal("link", user, wanted, person.addresses[0], sentence)


def _called(wanted: str) -> str:
    login = login_in_log(wanted)
    return f"the login {clean(login)}" if login else f"the address {clean(wanted)}"


def _begun(wanted: str) -> str:
    """An address or a login as a sentence begins with it."""
    said = spoken(wanted)
    return said[:1].upper() + said[1:] if login_in_log(wanted) else said
