"""Who is who, by what people say of it: whose an address or a login is, who the users of Slack are among the authors,
and whether they are shown; the log of it, which can be undone; and as whom somebody is to be forgotten.

Nothing is linked by itself but by the address in a user's profile. What somebody says of themselves is first proposed,
in a sentence that says what would be done, and done once they confirm it. It tells as whose months count, and proves
nothing: see `bot.ask.proven`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Literal

from bot.ask.people_directory import KnownPeople, Now, user_among
from bot.ask.proven import Proven, proven
from bot.errors import AlmanacError, PersonHidden
from bot.model import ITS_ADDRESS, Credited, Person, Said
from bot.month.addresses import addresses_of, login_in_log, plain
from bot.month.calendar import NAMES
from bot.month.credits import Resolver
from bot.month.joining import BY_HAND, EVERYBODYS
from bot.month.people import ADDRESS, FULL_NAME, LOGIN, described, full_names
from bot.wording import clean, count, listed, sentence
from storage import Store
from storage.erasure import PersonToErase

MUST_CONFIRM = "An admin must confirm it first."
NOTED = "Noted: it waits for an admin to confirm it, and counts for nothing until then."
_TAKEN = "if that is not right, an admin can change it"
WAITS = "not confirmed by an admin"
BY_TOML = "by almanac.toml, which holds before all else"
_ADDRESS = re.compile(r"[^\s<>,@]+@[^\s<>,]+")
_LOGIN = re.compile(r"@?[^\s<>,@]{1,64}")


# --- whose an address or a login is


def written(people: KnownPeople, text: str) -> str:
    """An address as typed, with or without a name before it, or a login with an @ before it. Raises AlmanacError where
    it is neither."""
    bare = text.rpartition("<")[2].partition(">")[0].strip() if "<" in text else text.strip()
    if _ADDRESS.fullmatch(bare) or owners(people, bare):
        return bare
    if not _LOGIN.fullmatch(bare):
        raise AlmanacError(
            f"{clean(text)!r} is no address and no login: write it as it stands in git, such as ada@example.com, or "
            f"ada-l where a trailer names somebody so"
        )
    return f"@{bare.removeprefix('@')}"


def owners(people: KnownPeople, address: str) -> tuple[Person, ...]:
    """Who has an address; or a login, if it is written with an @ before it, not by what stands before an @."""
    if login_in_log(address):
        return tuple(one for one in people.everyone if has(one, address))
    return people.directory.exactly(address, levels=(ADDRESS,))


def has(person: Person, wanted: str) -> bool:
    """Whether an address or a login is a person's."""
    login = login_in_log(wanted)
    return plain(login) in map(plain, person.logins) if login else plain(wanted) in person.addresses


def is_of_table(people: KnownPeople, wanted: str) -> bool:
    """Whether an address or a login is somebody's by almanac.toml."""
    login = login_in_log(wanted)
    return plain(login) in people.rules.logins if login else people.rules.table_of(plain(wanted)) is not None


def check_linkable(people: KnownPeople, person: Person, wanted: str) -> None:
    """Raise AlmanacError where an address or a login cannot become a person's."""
    if not person.addresses:
        raise AlmanacError(f"{described(person)} has no address in git that others could be linked to")
    rules, having, login = people.rules, owners(people, wanted), plain(login_in_log(wanted) or "")
    if len(having) > 1 and not login:
        names = listed([clean(one.name) for one in having])
        raise AlmanacError(f"{clean(wanted)} is shared by {names}, as .mailmap tells by their names")
    own, table = rules.table(person), rules.logins.get(login) if login else next(map(rules.table, having), None)
    if table not in (None, own) and (login or own is not None):
        raise AlmanacError(f"{spoken(wanted)} is {clean(rules.named[table].name)}'s {BY_TOML}: change [[people]] there")
    if login and (others := [one for one in having if one != person]):
        whose = f"{clean(described(others[0]))}'s: if that is one person, link the address"
        raise AlmanacError(f"{spoken(wanted)} is {whose}, else unlink it there first")


class Linking:
    """Says of addresses and logins whose they are. Raises AlmanacError in one line for what cannot be said."""

    def __init__(self, store: Store, people: Now, now: Callable[[], datetime]) -> None:
        self._store, self._people, self._now = store, people, now

    def link(self, name: str, addresses: Sequence[str], by: str, *, confirmed: bool) -> str:
        """Say that addresses and logins are a person's. Whoever has one of the addresses becomes one person with
        them; whom trailers name by one of the logins is this person. `confirmed`: it is an admin, or somebody at the
        command line, who says so."""
        people = self._people()
        wanted = list({plain(one): one for one in (written(people, text) for text in addresses)}.values())
        person = self.meant(name, linked_to=wanted)
        for one in wanted:
            check_linkable(people, person, one)
        lost = [clean(one) for one in wanted if not (login_in_log(one) or owners(people, one))]
        # They are noted by the address that they were named by, else by the one that they use most.
        known_by = plain(name) if plain(name) in person.addresses else person.addresses[0]
        # What only a name put together may be linked, too: then it is sure.
        (known, *_) = (*owners(people.without_names, known_by), person)
        new = [one for one in wanted if not has(known, one) or {*owners(people.without_names, one)} - {known}]
        lines = [f"{spoken(one)} is {clean(person.name)}'s already." for one in wanted if one not in new]
        if new:
            said = self._say("link", new, known_by, by, confirmed=confirmed)
            lines.append(self._outcome(said, f"Linked {listed(list(map(spoken, new)))}"))
            lines += [f"No author has {listed(lost)} yet; check the spelling."] if lost else []
        return "\n".join(lines)

    def _say(self, action: str, addresses: Sequence[str], other: str, by: str, *, confirmed: bool = True) -> list[Said]:
        return self._store.said.say("address", action, addresses, other, by, self._now(), confirmed=confirmed)

    def unlink(self, name: str, address: str, by: str) -> str:
        """Say that an address or a login is not a person's. From then on an address is joined with others by hand
        only, and the login is not theirs by what stands before the @ of their addresses either."""
        people = self._people()
        wanted = written(people, address)
        person, having, login = self.meant(name, having=wanted), owners(people, wanted), login_in_log(wanted)
        called, linked = clean(person.name), people.rules.hand.logins
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git to tell them by")
        if not has(person, wanted):
            are_two = not login and len(having) == 1 and len(having[0].addresses) == 1
            if not are_two and (having or not login):
                whose = f": it is {clean(having[0].name)}'s" if having else ", nor does anybody else"
                raise AlmanacError(f"{called} does not have {spoken(wanted)}{whose}")
            # Somebody's only address, which is then joined by no name; or what stands before an @ and is no login.
            said = self._say("unlink", [wanted], person.addresses[0], by)
            return f"Noted: {spoken(wanted)} is not {clean(described(person))}'s (number {said[0].number})."
        if is_of_table(people, wanted):
            raise AlmanacError(f"{spoken(wanted)} is {called}'s {BY_TOML}: remove it of [[people]] there")
        if login and plain(login) not in linked:
            raise AlmanacError(f"{spoken(wanted)} is {called}'s by their GitHub account: unlink that address")
        first, *parts = person.parts or (person,)
        if part := next((one for one in parts if has(one, wanted) and not login), None):
            return self.part(part.addresses, first.addresses[0], by)
        others = [linked[plain(login)]] if login else [one for one in person.addresses if one != plain(wanted)]
        if not others:
            raise AlmanacError(f"{clean(wanted)} is the only address of {called}: there is nothing to unlink")
        return self._outcome(self._say("unlink", [wanted], others[0], by), f"Unlinked {spoken(wanted)}")

    def part(self, addresses: Sequence[str], other: str, by: str) -> str:
        """Say of all addresses of somebody that they are not those of whoever has `other`, with whom they are shown as
        one by name. What an admin linked stays linked."""
        said = self._say("unlink", addresses, other, by)
        for some in self._people().rules.sure.together:
            if len(kept := [one for one in addresses if one in some]) > 1:
                self._say("link", kept[1:], kept[0], by)
        return self._outcome(said, f"Unlinked {listed(list(map(spoken, addresses)))}")

    def undo(self, number: int | None, by: str) -> str:
        """Undo what was said last, or under a number of the log."""
        undone = self._store.said.undo("address", number, by, self._now())
        if undone is None and number is not None:
            raise AlmanacError(f"there is nothing under number {number} to undo: see `almanac people log`")
        if undone is None:
            raise AlmanacError("there is nothing to undo: nothing that was linked by hand still counts")
        did = "link" if undone.action == "link" else "unlinking"
        return self._outcome([undone], f"Undone: the {did} of {spoken(undone.about)}")

    def meant(self, name: str, *, linked_to: Sequence[str] = (), having: str = "") -> Person:
        """Who is called that. Of several, the one who has an address, or the one left when those who own the
        addresses that are to be linked are left out."""
        given = {plain(address) for address in linked_to}

        def narrowed(found: Sequence[Person]) -> Sequence[Person]:
            closer = [one for one in found if (has(one, having) if having else given.isdisjoint(one.addresses))]
            return closer if len(closer) == 1 else found

        return self._people().meant(name, narrowed)

    def _outcome(self, said: Sequence[Said], did: str) -> str:
        """What was done, and who has which addresses now."""
        numbers, people = [str(one.number) for one in said], self._people()
        addresses = dict.fromkeys(address for one in said for address in (one.value, one.about))
        having = {one.addresses: one for address in addresses for one in owners(people, address)}
        word = "number" if len(said) == 1 else "numbers"
        return "\n".join([f"{did} ({word} {listed(numbers)}).", *map(line_of, having.values())])


def spoken(address: str) -> str:
    """An address, or a login in its place, as it is said."""
    login = login_in_log(address)
    return f"the login {clean(login)}" if login else clean(address)


def line_of(person: Person) -> str:
    parts = [f"{clean(person.name)}: {count(person.commits, 'commit')}"]
    if person.addresses:
        parts.append(", ".join(clean(address) for address in person.addresses))
    if person.logins:
        parts.append(f"login{'s' if len(person.logins) > 1 else ''} {', '.join(map(clean, person.logins))}")
    return "; ".join(parts)


# --- the log


@dataclass(frozen=True, slots=True)
class IdentityLogLine:
    """A line of the log, for what was `said`. `key` is what `undo` takes. `waits`: somebody says it of themselves, and
    no admin has confirmed it."""

    said: Said
    line: str
    key: str
    waits: bool = False

    @property
    def person(self) -> str:
        """An address of whom it is about."""
        return self.said.value or self.said.about

    @property
    def address(self) -> str:
        """What was said of them: that this is theirs, or is not."""
        return self.said.value if self.said.kind == "slack" else self.said.about


def log_lines(store: Store, name_of: Callable[[str], str] = clean) -> list[IdentityLogLine]:
    """All that was said by hand of who is who, oldest first of each kind. `name_of` says how a Slack user's id, or the
    name of who said something, is written."""

    def by(who: str | None) -> str:
        return name_of(who) if who else "somebody"

    def words(one: Said) -> str:
        if one.kind == "hide":
            return f"hid {spoken(one.about)}"
        if one.kind == "slack":
            return f"said that {name_of(one.about)} {'is' if one.action == 'link' else 'is not'} {clean(one.value)}"
        did, to = ("linked", "to") if one.action == "link" else ("unlinked", "from")
        return f"{did} {spoken(one.about)} {to} {clean(one.value)}"

    def what(one: Said) -> tuple[str, str, str]:
        return one.kind, plain(one.about), plain(one.value)

    every, lines = store.said.log("address", "slack", "hide"), []
    sure = {what(one) for one in every if one.action == "link" and one.confirmed and not one.undone_at}
    for one in every:
        waits = one.action == "link" and not one.undone_at and what(one) not in sure
        line = f"{day_of(one.at)}: {by(one.by)} {words(one)}" + (f", {WAITS}" if waits else "")
        if one.undone_at:
            line += f"; undone by {by(one.undone_by)} on {day_of(one.undone_at)}"
        lines.append(IdentityLogLine(one, f"{line}.", f"{one.kind}:{one.number}", waits))
    return lines


def day_of(at: datetime) -> str:
    """The day of an instant, in UTC, as "5 November 2025"."""
    return f"{at.day} {NAMES[at.month - 1]} {at.year}"


# --- what users of Slack say of themselves


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would be done, to be confirmed by the user or an admin: `sentence` says it, without markup.

    `user` is who they are in Slack, `person` an address of whoever the address becomes, or is no more, one with.
    """

    action: Literal["link", "unlink"]
    user: str
    address: str
    person: str
    sentence: str

    def document(self) -> dict[str, str]:
        """For a button."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Proposal:
        """From a document. Raises AlmanacError for what is none."""
        values = {name: document.get(name) for name in ("action", "user", "address", "person", "sentence")}
        if values["action"] not in ("link", "unlink") or not all(isinstance(one, str) for one in values.values()):
            raise AlmanacError("that button cannot be read any more: ask again")
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Mine:
    """An address that is shown as a user's, and by which rule; whether it is proven to be."""

    address: str
    why: str
    proven: bool


class IdentityService:
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
        name_of: Callable[[str], str] = clean,
        visible: Now | None = None,
        *,
        discreet: bool = False,
    ) -> None:
        self._store, self._people, self._now, self._name_of = store, people, now, name_of
        self._visible, self._discreet = visible or people, discreet
        self._linking = Linking(store, self._sure, now)

    def _sure(self) -> KnownPeople:
        """Everybody by their addresses alone, on which it rests who may say what: nobody has anything for it that they
        share a name with somebody."""
        return self._people().without_names

    # --- who a user is

    def person(self, user: str, profile: str = "") -> Person | None:
        """Who a Slack user is shown as: by almanac.toml, by what was said by hand, or by the address in their
        profile."""
        return self._among(self._visible(), user, profile)

    def _among(self, people: KnownPeople, user: str, profile: str) -> Person | None:
        said, wait = self._store.said.live("slack"), people.settings.privacy.claims_wait
        return user_among(people.everyone, user, profile, said, confirmed_only=wait)

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
        known = [(plain(one.value), one.about) for one in self._store.said.live("slack") if one.action == "link"]
        known += [(address, user) for user, address in profiles.items()]
        theirs = ((address, user) for address in person.addresses for each, user in known if each == address)
        return next((user for address, user in theirs if self.proven(user, profiles.get(user, "")).has(address)), None)

    def _others_who_are(self, person: Person, user: str) -> list[str]:
        """The users, other than one, who are somebody, or say so of themselves and are believed for telling."""
        said, wait = self._store.said.live("slack"), self._people().settings.privacy.claims_wait
        users = {one.about for one in said if one.action == "link"}
        theirs = {one: addresses_of(one, said, confirmed_only=wait)[0] for one in users}
        found = {one for one in users if not theirs[one].isdisjoint(person.addresses)} | {self.user_of(person) or user}
        return sorted(found - {user})

    def addresses(self, user: str, profile: str = "") -> list[Mine]:
        """The addresses and logins that are shown as a user's, with the rule of each; none for who is nobody in git."""
        person, theirs = self.person(user, profile), self.proven(user, profile)
        if person is None:
            return []
        wanted = (*person.addresses, *(f"@{login}" for login in person.logins))
        return [Mine(one, self._why(person, one), theirs.has(one)) for one in wanted]

    def _why(self, person: Person, wanted: str) -> str:
        """The rule by which an address or a login is somebody's, in a few words."""
        people, login = self._visible(), login_in_log(wanted) or ""
        own = [one for one in person.identities if plain(one.address) == plain(wanted)]
        rule = max(own, key=lambda one: one.commits).by if own else f"the GitHub account {login}"
        if is_of_table(people, wanted):
            return "by almanac.toml"
        if rule == BY_HAND or plain(login) in people.rules.hand.logins:
            said = [one for one in self._store.said.live("address") if one.action == "link"]
            hand = [one for one in said if plain(wanted) in (plain(one.about), plain(one.value))]
            if hand:
                return f"{BY_HAND}, by {self._name_of(hand[-1].by)} on {day_of(hand[-1].at)}"
        if rule == ITS_ADDRESS:
            return f"{count(sum(one.commits for one in own), 'commit')} signed with it"
        return f"by {rule}"

    def proposals(self, user: str, name: str, profile: str = "") -> list[tuple[Person, str, Proposal]]:
        """Who in git a user may be who is nobody yet, or who else: whoever has their full name, or for a login what
        stands before the @ of the address in their profile; with why, and what they could say. Whoever is taken, or
        asked not to be shown, is not among them."""
        people, me = self._visible(), self.person(user, profile)
        _, not_theirs = addresses_of(user, self._store.said.live("slack"))
        login, find = plain(profile.partition("@")[0].partition("+")[0]), people.directory.exactly
        found = dict.fromkeys(find(name, levels=(FULL_NAME,)) if " " in name.strip() else (), "the same name")
        for one in find(login, levels=(LOGIN,)) if login not in EVERYBODYS else ():
            if login in map(plain, one.logins):  # and no nickname
                found.setdefault(one, f"their login is “{login}”")
        proposed = []
        for one, why in found.items():
            if one.addresses and not _is_one(one, me) and people.may_be_offered(one):
                with suppress(AlmanacError):  # they are taken
                    if not_theirs.isdisjoint(one.addresses):
                        proposed.append((one, why, self.claim(one.addresses[0], user, profile)))
        return proposed

    def whose(self, text: str, user: str, profile: str = "", *, is_admin: bool = False) -> tuple[str, Proposal | None]:
        """Whose an address or a login is, and why; with what the asker could say of it, or why that is nothing."""
        try:
            wanted = written(self._sure(), text)
        except AlmanacError as error:
            return sentence(error.public_text), None
        having, me = owners(self._visible(), wanted), self.person(user, profile)
        if any(self._people().is_hidden(one) and not _is_one(one, me) for one in having):
            who = spoken(wanted).capitalize() if login_in_log(wanted) else clean(wanted)
            return f"{PersonHidden(who)}.", None
        words = ""
        if not having:
            words = f"I know nobody with {_called(wanted)}."
        elif len(having) == 1 and (not self._discreet or _is_one(having[0], me)):
            words = sentence(f"{spoken(wanted)} is {clean(having[0].name)}'s: {self._why(having[0], wanted)}")
        elif len(having) > 1:
            them = "several people" if self._discreet else listed([clean(described(one)) for one in having])
            words = f"{clean(wanted)} is shared by {them}, by .mailmap."
        try:
            return words, self.claim(wanted, user, profile, is_admin=is_admin)
        except AlmanacError as error:
            refused = sentence(error.public_text)
            return refused if len(having) != 1 else f"{words} {refused}".strip(), None

    # --- what a user says

    def claim(self, text: str, user: str, profile: str = "", *, is_admin: bool = False) -> Proposal:
        """What would be done if a user said that an address or a login is theirs. Raises AlmanacError where they may
        not say so, with who has it."""
        sure, known = self._sure(), self._visible().without_names
        wanted = written(sure, text)
        me, shown = self._among(sure, user, profile), self._among(known, user, profile)
        having, them = owners(sure, wanted), next(iter(knows := owners(known, wanted)), None)
        if shown and shown in knows:
            raise AlmanacError(f"{spoken(wanted)} is yours already")
        if len(having) > 1:
            raise AlmanacError(f"{clean(wanted)} is shared by several people, as .mailmap tells by their names")
        if having and not _is_one(having[0], me):
            self._refuse_taken(wanted, having[0], user, is_admin=is_admin)
        waits = "" if is_admin or not self._people().settings.privacy.claims_wait else f" {MUST_CONFIRM}"
        if me:
            try:
                check_linkable(sure, me, wanted)
            except AlmanacError:  # why may be nothing that they may know of, unless it is that they have no address
                if not me.addresses or (is_admin and not self._discreet):
                    raise
                raise AlmanacError(f"{spoken(wanted)} is somebody else's: {_TAKEN}") from None
            with_it = ", with the commits that are signed with it" if them else ""
            if them and not self._discreet:
                with_it = f", with the {count(them.commits, 'commit')} of {clean(described(them))}"
            address = next(filter(self.proven(user, profile).has, me.addresses), (shown or me).addresses[0])
            return Proposal("link", user, wanted, address, sentence(f"{spoken(wanted)} will be yours{with_it}.{waits}"))
        if not having or them is None or not having[0].addresses:
            raise AlmanacError(
                f"I know nobody with {_called(wanted)}, and not yet who you are: first name an address that "
                f"your commits are signed with"
            )
        address = wanted if "@" in wanted[1:] else them.addresses[0]
        whose = f"{clean(described(them))}, who has {count(them.commits, 'commit')}"
        if self._discreet:
            whose = f"whoever has {_called(wanted)}"
        said = f"You will be {whose}: what you ask of yourself is about them.{waits}"
        return Proposal("link", user, address, address, said)

    def disclaim(self, text: str, user: str, profile: str = "") -> Proposal:
        """What would be done if a user said that an address or a login is not theirs. Raises AlmanacError."""
        return self._disclaimed(text, user, profile)[0]

    def _disclaimed(self, text: str, user: str, profile: str) -> tuple[Proposal, Callable[[str], object]]:
        """The same, with what does it in somebody's name."""
        wanted, me, own = written(self._sure(), text), self.person(user, profile), self.proven(user, profile)
        if me is None or not has(me, wanted):
            raise AlmanacError(f"{spoken(wanted)} is not yours as far as I know")
        if is_of_table(self._people(), wanted):
            raise AlmanacError(f"{spoken(wanted)} is yours {BY_TOML}")
        is_login = login_in_log(wanted) is not None
        others = [one for one in me.addresses if is_login or one != plain(wanted)]
        given_up = Proposal(
            "unlink",
            user,
            wanted,
            (others or me.addresses)[0],
            sentence(f"{spoken(wanted)} will not be yours any more"),
        )
        if own.has(wanted) or (is_login and any(map(own.has, me.addresses))):
            if not others and me.slack:
                raise AlmanacError(f"you are {clean(me.name)} {BY_TOML}")
            if not others:
                given_up = replace(given_up, sentence=f"You will not be {clean(described(me))} any more.")
            return given_up, partial(self._give_up, given_up, others, profile)
        if links := [one for one in self._said_by(user, wanted) if one.waits]:  # they undo what they said, and no more
            return given_up, lambda by: "".join(self._undo(one, by) for one in links)
        mine = self._among(self._sure(), user, profile)  # without whom they are shown with as one by name
        if not (me.parts and mine and self._may_part(mine, own, wanted)):
            raise AlmanacError(
                f"{spoken(wanted)} is shown as yours, and not proven to be: only an admin can change that"
            )
        two = f"You and whoever has {clean(wanted)} will be treated as two people."
        return replace(given_up, person=me.addresses[0], sentence=two), partial(
            self._linking.part, mine.addresses, wanted
        )

    def _give_up(self, what: Proposal, others: Sequence[str], profile: str, by: str) -> None:
        """Say that what is proven to be somebody's is not; by one of the others they are known from then on."""
        if not login_in_log(what.address):
            theirs, _ = addresses_of(what.user, self._store.said.live("slack"))
            own = self.proven(what.user, profile)
            self._say("unlink", what.user, what.address, by, confirmed=False)
            if others and not (theirs | {plain(profile)}).intersection(others):
                self._say("link", what.user, what.person, by, confirmed=own.has(what.person))
        if others:
            Linking(self._store, self._people, self._now).unlink(what.person, what.address, by)

    def _may_part(self, mine: Person, own: Proven, wanted: str) -> bool:
        """Whether somebody may say that all that is theirs without names is not whose address it is."""
        return not has(mine, wanted) and own.covers(mine) and self._people().rules.table(mine) is None

    def _said_by(self, user: str, wanted: str) -> list[IdentityLogLine]:
        """The lines of the log in which somebody said of themselves that an address or a login is theirs, or is not."""
        own = (one for one in log_lines(self._store) if one.said.by == user and one.said.kind != "hide")
        return [one for one in own if plain(one.address) == plain(wanted)]

    def confirm(self, proposal: Proposal, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Do what was proposed, checked once more, and say so in a sentence. `by` is the Slack user who confirms it,
        and `profile` the address in the profile of whom it is about. What somebody who is no admin says of themselves
        is noted, and proves nothing before an admin has confirmed it.

        Raises AlmanacError where whoever confirms it may not, or something has changed since.
        """
        if by != proposal.user and not is_admin:
            raise AlmanacError("only whom it concerns, or an admin, can confirm this")
        if proposal.action == "unlink":
            given_up, give_up = self._disclaimed(proposal.address, proposal.user, profile)
            give_up(by)
            return f"Done: {spoken(given_up.address)} is not yours any more."
        now = self.claim(proposal.address, proposal.user, profile, is_admin=is_admin)
        if now.person != proposal.person:
            raise AlmanacError("who is who has changed since: ask again")
        if not is_admin:
            self._refuse_again(now)
        self._release(now.address, now.user, by)
        if now.address == now.person:
            self._say("link", now.user, now.address, by, confirmed=is_admin)
            (them, *_) = owners(self._visible().without_names, now.address)
            done = f"Done: that is {clean(described(them))}."
        else:
            done = self._linking.link(now.person, [now.address], by, confirmed=is_admin).split("\n", 1)[0]
        return NOTED if self._people().settings.privacy.claims_wait and not is_admin else done

    def _say(self, action: str, user: str, address: str, by: str, *, confirmed: bool) -> None:
        self._store.said.say("slack", action, [user], address, by, self._now(), confirmed=confirmed)

    def _release(self, address: str, user: str, by: str) -> None:
        """Note that whoever was whoever has an address is not, where an admin says that it is another user."""
        for owner in owners(self._sure(), address)[:1]:
            for holder in self._others_who_are(owner, user):
                for one in owner.addresses:
                    self._say("unlink", holder, one, by, confirmed=True)

    def _refuse_again(self, wanted: Proposal) -> None:
        """Raise AlmanacError for what waits already, or what somebody else has undone."""
        same = self._said_by(wanted.user, wanted.address)
        if any(one.waits for one in same):
            raise AlmanacError(f"that {spoken(wanted.address)} is yours is noted already, and waits for an admin")
        if any((one.said.undone_by or wanted.user) != wanted.user for one in same):
            raise AlmanacError(f"that {spoken(wanted.address)} is yours was undone: only an admin can say so again")

    def accept(self, key: str, by: str, *, is_admin: bool) -> str:
        """Confirm, as an admin, what somebody said of themselves, by the key of its line in the log."""
        if not is_admin:
            raise AlmanacError("only an admin can confirm what somebody says of themselves")
        said = next((one.said for one in log_lines(self._store) if one.key == key and one.waits), None)
        if said is None:
            raise AlmanacError("there is nothing to confirm any more")
        having = owners(self._sure(), said.value)
        if said.kind == "address":
            for person in having[:1]:
                check_linkable(self._sure(), person, said.about)
            self._store.said.say("address", "link", [said.about], said.value, by, self._now(), confirmed=True)
            return f"Confirmed: {spoken(said.about)} is {clean(said.value)}'s."
        for owner in having:
            self._refuse_taken(said.value, owner, said.about, is_admin=True)
        self._release(said.value, said.about, by)
        self._say("link", said.about, said.value, by, confirmed=True)
        return f"Confirmed: {self._name_of(said.about)} is {clean(said.value)}."

    def _refuse_taken(self, wanted: str, owner: Person, user: str, *, is_admin: bool) -> None:
        def whose(holder: str) -> str:
            return "somebody else" if self._discreet else self._name_of(holder)

        if owner.slack and owner.slack != user:
            raise AlmanacError(f"{spoken(wanted)} is {whose(owner.slack)}'s by almanac.toml: change it there")
        for holder in () if is_admin else self._others_who_are(owner, user):
            raise AlmanacError(f"{spoken(wanted)} is {whose(holder)}'s: {_TAKEN}")
        if not is_admin and self._people().is_hidden(owner):
            raise AlmanacError(f"whoever has {_called(wanted)} asked not to be shown: only an admin can link it")

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
        hiding = [one for one in self._store.said.live("hide") if plain(one.about) in map(plain, person.addresses)]
        for one in hiding:
            self._store.said.undo("hide", one.number, by, self._now())
        return f"{name} is shown again." if hiding else f"{name} is shown already."

    # --- the log

    def log(self) -> list[IdentityLogLine]:
        """Who said what, newest first."""
        return sorted(log_lines(self._store, self._name_of), key=lambda one: (one.said.at, one.key), reverse=True)

    def undo(self, key: str, by: str, profile: str = "", *, is_admin: bool = False) -> str:
        """Undo a line of the log. Raises AlmanacError where there is none, or they may not."""
        line = next((one for one in self.log() if one.key == key and not one.said.undone_at), None)
        if line is None:
            raise AlmanacError("there is nothing to undo any more")
        if not is_admin and by != line.said.by and not self.proven(by, profile).has(line.person):
            raise AlmanacError("only whom it concerns, or an admin, can undo this")
        return self._undo(line, by) or f"Undone: {line.line}"

    def _undo(self, line: IdentityLogLine, by: str) -> str:
        if line.said.kind == "address":
            return self._linking.undo(line.said.number, by).split("\n", 1)[0]
        self._store.said.undo(line.said.kind, line.said.number, by, self._now())
        return ""


def _is_one(one: Person, other: Person | None) -> bool:
    """Whether two are one, of whom either may be known in part only."""
    return other is not None and not set(one.addresses).isdisjoint(other.addresses)


def _called(wanted: str) -> str:
    return spoken(wanted) if login_in_log(wanted) else f"the address {clean(wanted)}"


# --- as whom somebody is to be forgotten


def whom(
    person: Person,
    people: Sequence[Person],
    resolver: Resolver,
    mentions: Iterable[tuple[str, str]],
    users: Sequence[str] = (),
) -> PersonToErase:
    """All by which commits and texts name a person: addresses that are theirs alone, and names with an address where
    that is others' too, or where there is none. `resolver` says whom trailers name, `mentions` is what they write,
    `users` who they are in Slack."""
    others = {address for one in people if one != person for address in one.addresses}
    own = [address for address in person.addresses if address not in others]
    pairs = {(one.name, one.address): None for one in person.identities if plain(one.address) not in own}

    def is_meant(name: str, address: str = "") -> bool:
        meant = resolver.person(Credited("reviewer", name, address))
        return meant is not None and meant.addresses == person.addresses

    alone = [*person.logins, *(address.partition("@")[0] for address in own), *sorted(full_names(person))]
    pairs |= {(name, ""): None for name in alone if is_meant(name)}
    pairs |= {written: None for written in mentions if is_meant(*written)}
    names = dict.fromkeys((person.name, *(one.name for one in person.identities)))
    return PersonToErase(
        tuple(own),
        tuple(pair for pair in pairs if any(pair)),
        tuple(name for name in names if name.strip()),
        tuple(users),
    )
