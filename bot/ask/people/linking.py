"""What people say of addresses and logins by hand: whose they are, and whose not. Checked, stored and said; the log of
it in lines that people read; and as whom somebody is to be forgotten.

The same for the command line and for Slack; who says it is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.ask.people_directory import KnownPeople, Now
from bot.errors import AlmanacError
from bot.model import Credited, Person, Said
from bot.month.addresses import login_in_log, plain
from bot.month.calendar import NAMES
from bot.month.credits import Resolver
from bot.month.people import ADDRESS, described, full_names
from bot.wording import clean, count, listed
from storage import Store
from storage.erasure import PersonToErase

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
