"""Who the users of Slack are among the authors: what was said by hand, what may be said, and whether they are shown.

Nothing is linked by itself but by the address in a user's profile. What somebody says of themselves is first proposed,
in a sentence that says what would be done, and done once they confirm it; all of it is logged and can be undone. It
tells as whose months count, and proves nothing: see `bot.ask.people.proven`.
"""

from __future__ import annotations

from contextlib import suppress

from bot.ask.people.guesses import Guess, guesses
from bot.ask.people.identity_log import IdentityLog, IdentityLogLine, key_of
from bot.ask.people.identity_reader import IdentityReader, is_one
from bot.ask.people.linking import Linking, spoken
from bot.ask.people.proposal import Proposal as Proposal  # for those who ask for who is who
from bot.ask.people.proposal import Whose
from bot.errors import AlmanacError, PersonHidden
from bot.model import Person
from bot.month.addresses import login_in_log, plain
from bot.month.joining import addresses_of
from bot.month.machines import is_bot
from bot.month.people import described
from bot.story.wording import capital, clean, count, listed

MUST_CONFIRM = "An admin must confirm it first."
NOTED = "Noted: it waits for an admin to confirm it, and counts for nothing until then."
_TAKEN = "if that is not right, an admin can change it"
_THEIRS = "the commits that are signed with it"


class IdentityService(IdentityReader):
    """What may be said of who is who, and how it is said."""

    def proposals(self, user: str, name: str = "", profile: str = "", login: str = "") -> list[Guess]:
        """Who in git a user may be who is nobody yet, or who else: at most five, with why. Whoever is taken, or asked
        not to be shown, is not among them."""
        me = self.person(user, profile)
        people = [one for one in self._visible().shown if not is_one(one, me) and not is_bot(one, self._bots)]
        _, not_theirs = addresses_of(user, self._store.said.live("slack"))
        free = [one for one in people if not_theirs.isdisjoint(one.addresses)]
        found = guesses(free, name, profile, login)
        return [one for one in found if {self.user_of(one.person), self.claimed_by(one.person)} <= {None, user}]

    def whose(self, text: str, user: str = "", profile: str = "", *, is_admin: bool = False) -> Whose:
        """Whose an address or a login is, and why; with what the asker could say of it."""
        try:
            (wanted,) = self._linking.written([text])
        except AlmanacError as error:
            return Whose(f"{capital(str(error))}.")
        owners = self._named.owners(wanted)
        me = self.person(user, profile) if user else None
        if any(self._people().is_hidden(one) and not is_one(one, me) for one in owners):
            return Whose(f"{PersonHidden(spoken(wanted).capitalize() if login_in_log(wanted) else clean(wanted))}.")
        if not owners:
            words = f"I know nobody with {_called(wanted)}."
        elif len(owners) > 1:
            them = "several people" if self._discreet else listed([clean(described(one)) for one in owners])
            words = f"{clean(wanted)} is shared by {them}, by .mailmap."
        elif self._discreet and not is_one(owners[0], me):
            words = ""  # what they can say of it is all that they are shown
        else:
            words = f"{_begun(wanted)} is {clean(owners[0].name)}'s: {self._why(owners[0], wanted)}."
        proposal = None
        if user:
            with suppress(AlmanacError):
                proposal = self.claim(wanted, user, profile, is_admin=is_admin)
        return Whose(words, owners[0] if len(owners) == 1 else None, proposal)

    # --- what a user says

    def claim(
        self, text: str, user: str, profile: str = "", *, is_admin: bool = False, whom: Person | None = None
    ) -> Proposal:
        """What would be done if a user said that an address or a login is theirs, or, as an admin, somebody's.

        Raises AlmanacError where they may not say so, with who has it.
        """
        (wanted,) = self._linking.written([text])
        me, shown = (self._person(user, profile, one().without_names) for one in (self._people, self._visible))
        if whom is not None and whom != me:
            if not is_admin:
                raise AlmanacError(f"only {clean(whom.name)} or an admin can say which addresses are theirs")
            self._linking.checked(whom, [wanted])
            return _joined(
                wanted, whom.addresses[0], "", f"{_begun(wanted)} will be linked to {clean(described(whom))}."
            )
        owners, knows = self._linking.owners(wanted), self._known.owners(wanted)
        if shown and shown in knows:
            raise AlmanacError(f"{spoken(wanted)} is yours already")
        if len(owners) > 1:
            raise AlmanacError(f"{clean(wanted)} is shared by several people, as .mailmap tells by their names")
        owner, known = (next(iter(found), None) for found in (owners, knows))
        if owner and not is_one(owner, me):
            self._refuse_taken(wanted, owner, user, is_admin=is_admin)
        waits = "" if is_admin or not self._people().claims_wait else f" {MUST_CONFIRM}"
        if me:
            self._check(me, wanted)
            of_whom = f"the {count(known.commits, 'commit')} of {clean(described(known))}" if known else ""
            with_it = f", with {_THEIRS if self._discreet else of_whom}" if known else ""
            theirs = self.proven(user, profile)
            address = next(filter(theirs.has, me.addresses), (shown or me).addresses[0])
            return _joined(wanted, address, user, f"{_begun(wanted)} will be yours{with_it}.{waits}")
        if owner is None or known is None or not owner.addresses:
            raise AlmanacError(
                f"I know nobody with {_called(wanted)}, and not yet who you are: first name an address that "
                f"your commits are signed with"
            )
        address = wanted if "@" in wanted[1:] else known.addresses[0]
        them = f"{clean(described(known))}, who has {count(known.commits, 'commit')}"
        them = f"whoever has {_called(wanted)}" if self._discreet else them
        sentence = f"You will be {them}: what you ask of yourself is about them.{waits}"
        return Proposal("link", user, address, address, sentence)

    def disclaim(self, text: str, user: str, profile: str = "") -> Proposal:
        """What would be done if a user said that an address or a login is not theirs. Raises AlmanacError."""
        (wanted,) = self._linking.written([text])
        me = self.person(user, profile)
        if me is None or not self._named.has(me, wanted):
            raise AlmanacError(f"{spoken(wanted)} is not yours as far as I know")
        rules, login = self._people().rules, login_in_log(wanted)
        if (login and plain(login) in rules.logins) or (not login and rules.table_of(plain(wanted)) is not None):
            raise AlmanacError(f"{spoken(wanted)} is yours by almanac.toml, which holds before all else")
        own = self.proven(user, profile)
        if not (any(map(own.has, me.addresses)) if login else own.has(wanted)) and not self._links_of(user, wanted):
            if self._parted(user, profile, wanted):
                sentence = f"You and whoever has {clean(wanted)} will be treated as two people."
                return Proposal("unlink", user, wanted, me.addresses[0], sentence)
            raise AlmanacError(
                f"{spoken(wanted)} is shown as yours, and not proven to be: only an admin can change that"
            )
        others = [one for one in me.addresses if one != plain(wanted)]
        if login or others:
            sentence = f"{_begun(wanted)} will not be yours any more."
        elif me.slack:
            raise AlmanacError(f"you are {clean(me.name)} by almanac.toml, which holds before all else")
        else:
            sentence = f"You will not be {clean(described(me))} any more."
        return Proposal("unlink", user, wanted, me.addresses[0] if login or not others else others[0], sentence)

    def _parted(self, user: str, profile: str, wanted: str) -> tuple[str, ...]:
        """The addresses of a user that are shown with one of somebody else by name, if all of them are proven."""
        shown, me = self.person(user, profile), self._person(user, profile, self._people().without_names)
        if not (shown and me) or plain(wanted) in me.addresses or not self._visible().joined_by_name(shown):
            return ()
        in_table = any(self._people().rules.table_of(one) is not None for one in me.addresses)
        return me.addresses if self.proven(user, profile).covers(me) and not in_table else ()

    def _links_of(self, user: str, wanted: str) -> list[str]:
        """By which lines of the log somebody said of themselves that an address or a login is theirs, none of which an
        admin has confirmed."""
        mine = (one for one in IdentityLog(self._store).lines() if one.waits and one.by == user)
        return [one.key for one in mine if plain(one.address) == plain(wanted)]

    def confirm(self, proposal: Proposal, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Do what was proposed, checked once more, and say so in a sentence. `by` is the Slack user who confirms it,
        and `profile` the address in the profile of whom it is about. What somebody who is no admin says of themselves
        is noted, and proves nothing before an admin has confirmed it.

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
        if not is_admin:
            self._refuse_again(now)
        self._release(now.address, now.user, by)
        if now.address == now.person:
            self._store.said.say("slack", "link", [now.user], now.address, by, self._now(), confirmed=is_admin)
            known = next(iter(self._known.owners(now.address)), None)
            done = f"Done: that is {clean(described(known)) if known else clean(now.address)}."
        else:
            done = self._linking.link(now.person, [now.address], by, confirmed=is_admin).split("\n", 1)[0]
        return NOTED if self._people().claims_wait and not is_admin else done

    def _release(self, address: str, user: str, by: str) -> None:
        """Note that whoever was whoever has an address is not, where an admin says that it is another user."""
        owner = next(iter(self._linking.owners(address)), None)
        for holder in {self.user_of(owner), self.claimed_by(owner)} - {None, user} if owner and user else ():
            for one in owner.addresses if owner and holder else ():
                self._store.said.say("slack", "unlink", [str(holder)], one, by, self._now(), confirmed=True)

    def _refuse_again(self, wanted: Proposal) -> None:
        """Raise AlmanacError for what waits already, or what somebody else has undone."""
        said = [one for one in IdentityLog(self._store).lines() if one.by == wanted.user and one.key[:5] != "hide:"]
        same = [one for one in said if plain(one.address) == plain(wanted.address)]
        if any(one.waits for one in same):
            raise AlmanacError(f"that {spoken(wanted.address)} is yours is noted already, and waits for an admin")
        if any(one.undone_by not in ("", wanted.user) for one in same):
            raise AlmanacError(f"that {spoken(wanted.address)} is yours was undone: only an admin can say so again")

    def accept(self, key: str, by: str, *, is_admin: bool) -> str:
        """Confirm, as an admin, what somebody said of themselves, by the key of its line in the log."""
        if not is_admin:
            raise AlmanacError("only an admin can confirm what somebody says of themselves")
        if not any(one.key == key and one.waits for one in IdentityLog(self._store).lines()):
            raise AlmanacError("there is nothing to confirm any more")
        said = next(one for one in self._store.said.log("address", "slack") if key == key_of(one))
        if said.kind == "address":
            person = next(iter(self._linking.owners(said.value)), None)
            if person:
                self._linking.checked(person, [said.about])
            self._store.said.say("address", "link", [said.about], said.value, by, self._now(), confirmed=True)
            return f"Confirmed: {spoken(said.about)} is {clean(said.value)}'s."
        for owner in self._linking.owners(said.value):
            self._refuse_taken(said.value, owner, said.about, is_admin=True)
        self._release(said.value, said.about, by)
        self._store.said.say("slack", "link", [said.about], said.value, by, self._now(), confirmed=True)
        return f"Confirmed: {self._name_of(said.about)} is {clean(said.value)}."

    def _disclaimed(self, proposal: Proposal, by: str, profile: str) -> str:
        user, wanted = proposal.user, proposal.address
        me, own = self.person(user, profile), self.proven(user, profile)
        said = f"Done: {spoken(wanted)} is not yours any more."
        if not login_in_log(wanted) and not own.has(wanted):  # they undo what they said, and say nothing else
            if not self._links_of(user, wanted) and (mine := self._parted(user, profile, wanted)):
                self._linking.part(mine, wanted, by)
            for key in self._links_of(user, wanted):
                self._undo(key, by)
            return said
        if me and not login_in_log(wanted):
            theirs, _ = addresses_of(user, self._store.said.live("slack"))
            others = [one for one in me.addresses if one != plain(wanted)]
            self._store.said.say("slack", "unlink", [user], wanted, by, self._now())
            if not others:
                return f"Done: that is not {clean(described(me))}."
            if not (theirs | {plain(profile)}).intersection(others):  # by that address alone it was known who they are
                self._store.said.say("slack", "link", [user], others[0], by, self._now(), confirmed=own.has(others[0]))
        Linking(self._store, self._people, self._now).unlink(proposal.person, wanted, by)
        return said

    def _refuse_taken(self, wanted: str, owner: Person, user: str, *, is_admin: bool) -> None:
        if owner.slack and owner.slack != user:
            whose = "somebody else" if self._discreet else self._name_of(owner.slack)
            raise AlmanacError(f"{spoken(wanted)} is {whose}'s by almanac.toml: change it there")
        if is_admin:
            return
        for holder in {self.user_of(owner), self.claimed_by(owner)} - {None, user}:
            whose = "somebody else" if self._discreet else self._name_of(str(holder))
            raise AlmanacError(f"{spoken(wanted)} is {whose}'s: {_TAKEN}")
        if self._people().is_hidden(owner):
            raise AlmanacError(f"whoever has {_called(wanted)} asked not to be shown: only an admin can link it")

    def _check(self, me: Person, wanted: str) -> None:
        """Raise AlmanacError where an address or a login cannot become the asker's."""
        try:
            self._linking.checked(me, [wanted])
        except AlmanacError:
            if not me.addresses or (not self._discreet and self._visible == self._people):
                raise
            raise AlmanacError(f"{spoken(wanted)} is somebody else's: {_TAKEN}") from None

    # --- whether they are shown

    def hide(self, person: Person, by: str) -> str:
        """Note that somebody is not to be shown. Whoever calls knows that it is they, or an admin."""
        if not person.addresses:
            raise AlmanacError(f"{clean(person.name)} has no address in git to know them by")
        name = clean(described(person))
        hidden = {plain(one.about) for one in self._store.said.live("hide")}
        if not (new := [one for one in person.addresses if plain(one) not in hidden]):
            return f"{name} is not shown already."
        self._store.said.say("hide", "hide", new, "", by, self._now())
        return f"{name} is not shown any more: their months, their profile, and their part in lists and digests."

    def show(self, person: Person, by: str) -> str:
        """Undo that."""
        name = clean(described(person))
        theirs = {plain(address) for address in person.addresses}
        hiding = [one.number for one in self._store.said.live("hide") if plain(one.about) in theirs]
        for number in hiding:
            self._store.said.undo("hide", number, by, self._now())
        return f"{name} is shown again." if hiding else f"{name} is shown already."

    # --- the log

    def log(self, person: Person | None = None, limit: int | None = None) -> list[IdentityLogLine]:
        """Who said what, newest first; of one person only, if one is given."""
        every = IdentityLog(self._store, self._name_of).lines()
        mine = {*person.addresses, *(f"@{plain(login)}" for login in person.logins)} if person else set()
        wanted = [one for one in every if person is None or plain(one.person) in mine]
        return sorted(wanted, key=lambda one: (one.at, one.key), reverse=True)[:limit]

    def undo(self, key: str, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Undo a line of the log. Raises AlmanacError where there is none, or they may not."""
        said = next((one for one in self.log() if one.key == key and not one.is_undone), None)
        if said is None:
            raise AlmanacError("there is nothing to undo any more")
        if not is_admin and by != said.by and not self.proven(by, profile).has(said.person):
            raise AlmanacError("only whom it concerns, or an admin, can undo this")
        return self._undo(key, by) or f"Undone: {said.line}"

    def _undo(self, key: str, by: str) -> str:
        kind, number = key.split(":")
        if kind == "address":
            return self._linking.undo(int(number), by).split("\n", 1)[0]
        self._store.said.undo("slack" if kind == "slack" else "hide", int(number), by, self._now())
        return ""


def _joined(wanted: str, address: str, user: str, sentence: str) -> Proposal:
    return Proposal("link", user, wanted, address, sentence)


def _called(wanted: str) -> str:
    login = login_in_log(wanted)
    return f"the login {clean(login)}" if login else f"the address {clean(wanted)}"


def _begun(wanted: str) -> str:
    """An address or a login as a sentence begins with it."""
    said = spoken(wanted)
    return capital(said) if login_in_log(wanted) else said
