"""What people say of addresses and logins by hand: whose they are, and whose not. Checked, stored and said.

The same for the command line and for Slack; who says it is given.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from bot.ask.clarification import nobody, which_one
from bot.ask.people_directory import Now
from bot.errors import AlmanacError, PersonUnknown
from bot.model import Person, Said
from bot.month.addresses import login_in_log, login_of, noreply_login, plain
from bot.month.people import described
from bot.story.wording import clean, count, listed
from storage import Store

_ADDRESS = re.compile(r"[^\s<>,@]+@[^\s<>,]+")
_LOGIN = re.compile(r"@?[^\s<>,@]{1,64}")


class Linking:
    """Says of addresses and logins whose they are. Raises AlmanacError in one line for what cannot be said."""

    def __init__(self, store: Store, people: Now, now: Callable[[], datetime]) -> None:
        self._store = store
        self._people = people
        self._now = now

    def by_address(self) -> Linking:
        """The same, of people as they are without what only their names put together."""
        return Linking(self._store, lambda: self._people().without_names, self._now)

    def link(self, name: str, addresses: Sequence[str], by: str, *, confirmed: bool) -> str:
        """Say that addresses and logins are a person's. Whoever has one of the addresses becomes one person with
        them; whom trailers name by one of the logins is this person. `confirmed`: it is an admin, or somebody at the
        command line, who says so."""
        wanted = self.written(addresses)
        person = self.meant(name, linked_to=wanted)
        owners = self.checked(person, wanted)
        sure = self.by_address()  # what only a name put together may be linked, too: then it is sure
        (known, *_) = (*sure.owners(self.known_by(person, name)), person)
        new = [one for one in wanted if not sure.has(known, one)]
        lines = [f"{spoken(one)} is {clean(person.name)}'s already." for one in wanted if one not in new]
        if new:
            said = self._store.said.say(
                "address", "link", new, self.known_by(person, name), by, self._now(), confirmed=confirmed
            )
            lines.append(self._outcome(said, f"Linked {listed(list(map(spoken, new)))}"))
            lines += self._spelling([one for one in new if not owners[one]])
        return "\n".join(lines)

    def known_by(self, person: Person, name: str) -> str:
        """The address by which a person is noted: the one they were named by, else the one they use most."""
        return plain(name) if plain(name) in person.addresses else person.addresses[0]

    def checked(self, person: Person, wanted: Sequence[str]) -> dict[str, tuple[Person, ...]]:
        """Whose the addresses and logins are now. Raises AlmanacError for one that cannot become the person's."""
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git that others could be linked to")
        owners = {address: self.owners(address) for address in wanted}
        for address, having in owners.items():
            if login := login_in_log(address):
                self._refuse_others_login(login, person, having)
                continue
            self._refuse_shared(address, having)
            self._refuse_other_tables(address, person, having)
        return owners

    def _spelling(self, unknown: Sequence[str]) -> list[str]:
        """Lines on what was linked and is found nowhere yet."""
        mentions = self._store.identities.mentions() if unknown else []
        named = {plain(address) for _, address in mentions}
        names = {login_of(name) for name, _ in mentions} | {plain(noreply_login(one) or "") for one in named}
        logins = [one for one in unknown if (login := login_in_log(one)) and login_of(login) not in names]
        addresses = [one for one in unknown if not login_in_log(one) and plain(one) not in named]
        lines = []
        for those, singular, plural in (
            (addresses, "has no commits yet", "have no commits yet"),
            (logins, "stands in no trailer yet", "stand in no trailer yet"),
        ):
            if those:
                found = singular if len(those) == 1 else plural
                lines.append(f"{listed(list(map(spoken, those)))} {found}; check the spelling.")
        return lines

    def unlink(self, name: str, address: str, by: str) -> str:
        """Say that an address or a login is not a person's. From then on an address is joined with others by hand
        only, and the login is not theirs by what stands before the @ of their addresses either."""
        (wanted,) = self.written([address])
        person = self.meant(name, having=wanted)
        if login := login_in_log(wanted):
            return self._without_login(person, login, by)
        if plain(wanted) not in person.addresses:
            return self._without_address(person, wanted, by)
        if self._people().rules.table_of(plain(wanted)) is not None:
            raise AlmanacError(
                f"{clean(wanted)} is {clean(person.name)}'s by almanac.toml, which holds before all else: remove it "
                f"of [[people]] there"
            )
        first, *parts = self._people().joined_by_name(person) or ((),)
        if part := next((one for one in parts if plain(wanted) in one), None):
            return self.part(part, first[0], by)
        others = [one for one in person.addresses if one != plain(wanted)]
        if not others:
            raise AlmanacError(
                f"{clean(wanted)} is the only address of {clean(person.name)}: there is nothing to unlink"
            )
        said = self._store.said.say("address", "unlink", [wanted], others[0], by, self._now(), confirmed=True)
        return self._outcome(said, f"Unlinked {clean(wanted)}")

    def part(self, addresses: Sequence[str], other: str, by: str) -> str:
        """Say of all addresses of somebody that they are not those of whoever has `other`, with whom they are shown as
        one by name. What an admin linked stays linked."""
        said = self._store.said.say("address", "unlink", addresses, other, by, self._now(), confirmed=True)
        for some in self._people().rules.sure:
            if len(kept := [one for one in addresses if one in some]) > 1:
                self._store.said.say("address", "link", kept[1:], kept[0], by, self._now(), confirmed=True)
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

    # --- what these need

    def meant(self, name: str, *, linked_to: Sequence[str] = (), having: str = "") -> Person:
        """Who is called that. Of several, the one who has an address, or the one left when those who own the
        addresses that are to be linked are left out."""
        people = self._people()
        found = people.directory.find(name).people
        if not found:
            near = people.nearest(name)
            hint = "" if near else " Write it as it stands in git, or give an address"
            raise PersonUnknown(nobody(name, near) + hint)
        if len(found) > 1:
            given = {plain(address) for address in linked_to}
            closer = [
                person
                for person in found
                if (self.has(person, having) if having else not given.intersection(person.addresses))
            ]
            found = tuple(closer) if len(closer) == 1 else found
        if len(found) > 1:
            raise PersonUnknown(f"{which_one(name, found)} Say which by an address")
        return found[0]

    def has(self, person: Person, wanted: str) -> bool:
        """Whether an address or a login is a person's."""
        return plain(wanted) in person.addresses or person in self._with_login(wanted)

    def written(self, texts: Iterable[str]) -> list[str]:
        """Addresses as typed, with or without a name before them, and logins with an @ before them. Raises
        AlmanacError where one is neither."""
        found: dict[str, str] = {}
        for text in texts:
            bare = text.rpartition("<")[2].partition(">")[0].strip() if "<" in text else text.strip()
            if not _ADDRESS.fullmatch(bare) and not self.owners(bare):
                if not _LOGIN.fullmatch(bare):
                    raise AlmanacError(
                        f"{clean(text)!r} is no address and no login: write it as it stands in git, such as "
                        f"ada@example.com, or ada-l where a trailer names somebody so"
                    )
                bare = f"@{bare.removeprefix('@')}"
            found.setdefault(plain(bare), bare)
        return list(found.values())

    def owners(self, address: str) -> tuple[Person, ...]:
        """Who has an address; or a login, if it is written with an @ before it."""
        if login_in_log(address):
            return self._with_login(address)
        found = self._people().directory.exactly(address, levels=(0,))
        own = tuple(  # whoever has it by the .mailmap of one repository alone has it only there
            one
            for one in found
            if any(plain(each.address) == plain(address) and not each.only for each in one.identities)
        )
        return own or found

    def _with_login(self, address: str) -> tuple[Person, ...]:
        """Whose login it is, if a login stands in the address's place; not by what stands before an @."""
        login = plain(login_in_log(address) or "")
        return tuple(one for one in self._people().everyone if login and login in map(plain, one.logins))

    def _refuse_others_login(self, login: str, person: Person, owners: Sequence[Person]) -> None:
        rules = self._people().rules
        table = rules.logins.get(plain(login))
        if table is not None and all(table != rules.table_of(address) for address in person.addresses):
            raise AlmanacError(
                f"the login {clean(login)} is {clean(rules.named[table].name)}'s by almanac.toml, which holds before "
                f"all else: change [[people]] there"
            )
        for owner in owners:
            if owner != person and plain(login) in rules.hand.logins:
                raise AlmanacError(
                    f"the login {clean(login)} is linked to {clean(described(owner))}: unlink it there first, with "
                    f"{shlex.join(['almanac', 'people', 'unlink', owner.addresses[0], clean(login)])}"
                )
            if owner != person:
                raise AlmanacError(
                    f"the login {clean(login)} is {clean(described(owner))}'s by their GitHub account: if that is one "
                    f"person, link the address"
                )

    def _refuse_shared(self, address: str, owners: Sequence[Person]) -> None:
        if len(owners) > 1:
            names = listed([clean(one.name) for one in owners])
            raise AlmanacError(f"{clean(address)} is shared by {names}, as .mailmap tells by their names")

    def _refuse_other_tables(self, address: str, person: Person, owners: Sequence[Person]) -> None:
        rules = self._people().rules

        def tables(one: Person) -> set[int]:
            return {table for each in one.addresses if (table := rules.table_of(each)) is not None}

        for owner in owners:
            if tables(owner) and tables(person) and tables(owner) != tables(person):
                raise AlmanacError(
                    f"{clean(address)} is {clean(owner.name)}'s by almanac.toml, which holds before all else: change "
                    f"[[people]] there"
                )

    def _without_login(self, person: Person, login: str, by: str) -> str:
        """Take a login away, or note that it never was theirs."""
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git to tell them by")
        if self._people().rules.logins.get(plain(login)) is not None:
            raise AlmanacError(
                f"the login {clean(login)} is in almanac.toml, which holds before all else: change it there"
            )
        if plain(login) not in self._people().rules.hand.logins and person in self._with_login(f"@{login}"):
            raise AlmanacError(
                f"the login {clean(login)} is {clean(person.name)}'s by their GitHub account: unlink that address"
            )
        owners = self._with_login(f"@{login}")
        if owners and person not in owners:
            raise AlmanacError(
                f"{clean(person.name)} does not have the login {clean(login)}: it is {clean(described(owners[0]))}'s"
            )
        address = self._people().rules.hand.logins.get(plain(login), person.addresses[0])
        said = self._store.said.say("address", "unlink", [f"@{login}"], address, by, self._now(), confirmed=True)
        if owners:
            return self._outcome(said, f"Unlinked the login {clean(login)}")
        return f"Noted: the login {clean(login)} is not {clean(described(person))}'s (number {said[0].number})."

    def _without_address(self, person: Person, address: str, by: str) -> str:
        """Note that somebody else's address is not this person's, so that it is not suggested again."""
        owners = self.owners(address)
        if not owners:
            raise AlmanacError(f"{clean(person.name)} does not have {clean(address)}, nor does anybody else")
        if len(owners) > 1 or len(owners[0].addresses) > 1 or not person.addresses:
            raise AlmanacError(f"{clean(person.name)} does not have {clean(address)}: it is {clean(owners[0].name)}'s")
        (said,) = self._store.said.say(
            "address", "unlink", [address], person.addresses[0], by, self._now(), confirmed=True
        )
        return f"Noted: {clean(address)} is not {clean(described(person))} (number {said.number})."

    def _outcome(self, said: Sequence[Said], did: str) -> str:
        """What was done, and who has which addresses now."""
        numbers = [str(one.number) for one in said]
        addresses = dict.fromkeys(address for one in said for address in (one.value, one.about))
        owners = {one.addresses: one for address in addresses for one in self.owners(address)}
        word = "number" if len(said) == 1 else "numbers"
        return "\n".join([f"{did} ({word} {listed(numbers)}).", *map(line_of, owners.values())])


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
