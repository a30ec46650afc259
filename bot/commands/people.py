"""`almanac people`: who is who, who may be one person, and what people say of it by hand."""

from __future__ import annotations

import getpass
import json
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from bot.ask.asking_back import nobody, which_one
from bot.ask.everybody import Everybody
from bot.errors import AlmanacError, PersonUnknown
from bot.model import AddressLink, Person, Presence
from bot.month.addresses import plain
from bot.month.people import described, is_bot
from bot.month.suggestions import Suggestion, suggestions
from bot.settings import Settings
from bot.story.wording import clean, count, listed
from storage import Store

_ADDRESS = re.compile(r"[^\s<>,]+@[^\s<>,]+")


class Who:
    """The people of the index, and what may be said of them at the command line. Raises AlmanacError in one line."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings.database, must_exist=True, dates=settings.dates)
        self._everybody = Everybody(self._store.identities, settings.people)

    # --- what is known

    def listed(self, text: str, form: str) -> str:
        """Everybody whose names, addresses or logins hold the text, in a form."""
        people = [person for person in self._everybody.people() if _holds(person, plain(text))]
        if not people and text:
            raise AlmanacError(nobody(text, self._everybody.directory()))
        if form == "json":
            return _as_json([self._document(person) for person in people])
        return "\n".join(_line(person) for person in people) or "Nobody yet: the index holds no commits."

    def suggested(self, form: str) -> str:
        """Who may be one person, and why, in a form."""
        found = suggestions(
            self._everybody.people(),
            self._store.identities.presences(),
            self._settings.bots,
            self._everybody.rules().hand.apart,
        )
        if form == "json":
            return _as_json([_suggestion_document(one) for one in found])
        return "\n\n".join(map(_suggestion_text, found)) or "Nobody looks like two people who are one."

    def log(self) -> str:
        """All that was linked and unlinked by hand, oldest first."""
        links = self._store.identities.links()
        return "\n".join(map(_log_line, links)) or "Nothing was linked by hand."

    # --- what is said by hand

    def link(self, name: str, addresses: Sequence[str]) -> str:
        """Say that addresses are a person's. Whoever has one of them becomes one person with them."""
        wanted = self._addresses(addresses)
        person = self._meant(name, linked_to=wanted)
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git that others could be linked to")
        owners = {address: self._owners(address) for address in wanted}
        for address, having in owners.items():
            self._refuse_shared(address, having)
            self._refuse_other_tables(address, person, having)
        new = [address for address in wanted if plain(address) not in person.addresses]
        lines = [f"{clean(address)} is {clean(person.name)}'s already." for address in wanted if address not in new]
        if new:
            said = self._store.identities.add_links("link", new, person.addresses[0], _by(), self._settings.now())
            lines.append(self._outcome(said, f"Linked {listed([clean(one) for one in new])}"))
            unknown = [clean(address) for address in new if not owners[address]]
            if unknown:
                are = "has" if len(unknown) == 1 else "have"
                lines.append(f"{listed(unknown)} {are} no commits yet; check the spelling.")
        return "\n".join(lines)

    def unlink(self, name: str, address: str) -> str:
        """Say that an address is not a person's; from then on it is joined with others by hand only."""
        (wanted,) = self._addresses([address])
        person = self._meant(name, having=wanted)
        if plain(wanted) not in person.addresses:
            return self._told_apart(person, wanted)
        if self._everybody.rules().table_of(plain(wanted)) is not None:
            raise AlmanacError(
                f"{clean(wanted)} is {clean(person.name)}'s by almanac.toml, which holds before all else: take it out "
                f"of [[people]] there"
            )
        others = [one for one in person.addresses if one != plain(wanted)]
        if not others:
            raise AlmanacError(
                f"{clean(wanted)} is the only address of {clean(person.name)}: there is nothing to unlink"
            )
        said = self._store.identities.add_links("unlink", [wanted], others[0], _by(), self._settings.now())
        return self._outcome(said, f"Unlinked {clean(wanted)}")

    def undo(self, number: int | None) -> str:
        """Undo what was said last, or under a number of the log."""
        undone = self._store.identities.undo_link(_by(), self._settings.now(), number)
        if undone is None and number is not None:
            raise AlmanacError(f"there is nothing under number {number} to undo: see `almanac people log`")
        if undone is None:
            raise AlmanacError("there is nothing to undo: nothing that was linked by hand still counts")
        did = "link" if undone.action == "link" else "unlinking"
        return self._outcome([undone], f"Undone: the {did} of {clean(undone.address)}")

    # --- what these need

    def _meant(self, name: str, *, linked_to: Sequence[str] = (), having: str = "") -> Person:
        """Who is called that. Of several, the one who has an address, or the one left when those who own the
        addresses that are to be linked are left out."""
        directory = self._everybody.directory()
        found = directory.find(name).people
        if not found:
            hint = "" if directory.nearest(name) else " Write it as it stands in git, or give an address"
            raise PersonUnknown(nobody(name, directory) + hint)
        if len(found) > 1:
            given = {plain(address) for address in linked_to}
            closer = [
                person
                for person in found
                if (plain(having) in person.addresses if having else not given.intersection(person.addresses))
            ]
            found = tuple(closer) if len(closer) == 1 else found
        if len(found) > 1:
            raise PersonUnknown(f"{which_one(name, found)} Say which by an address")
        return found[0]

    def _addresses(self, texts: Iterable[str]) -> list[str]:
        """Addresses as typed, with or without a name before them. Raises AlmanacError where one is none."""
        found: dict[str, str] = {}
        for text in texts:
            bare = text.rpartition("<")[2].partition(">")[0].strip() if "<" in text else text.strip()
            if not _ADDRESS.fullmatch(bare) and not self._owners(bare):
                raise AlmanacError(
                    f"{clean(text)!r} is no address: write it as it stands in git, such as ada@example.com"
                )
            found.setdefault(plain(bare), bare)
        return list(found.values())

    def _owners(self, address: str) -> tuple[Person, ...]:
        return self._everybody.directory().exactly(address, levels=(0,))

    def _refuse_shared(self, address: str, owners: Sequence[Person]) -> None:
        if len(owners) > 1:
            names = listed([clean(one.name) for one in owners])
            raise AlmanacError(f"{clean(address)} is shared by {names}, as .mailmap tells by their names")

    def _refuse_other_tables(self, address: str, person: Person, owners: Sequence[Person]) -> None:
        rules = self._everybody.rules()

        def tables(one: Person) -> set[int]:
            return {table for each in one.addresses if (table := rules.table_of(each)) is not None}

        for owner in owners:
            if tables(owner) and tables(person) and tables(owner) != tables(person):
                raise AlmanacError(
                    f"{clean(address)} is {clean(owner.name)}'s by almanac.toml, which holds before all else: change "
                    f"[[people]] there"
                )

    def _told_apart(self, person: Person, address: str) -> str:
        """Note that somebody else's address is not this person's, so that it is not suggested again."""
        owners = self._owners(address)
        if not owners:
            raise AlmanacError(f"{clean(person.name)} does not have {clean(address)}, nor does anybody else")
        if len(owners) > 1 or len(owners[0].addresses) > 1 or not person.addresses:
            raise AlmanacError(f"{clean(person.name)} does not have {clean(address)}: it is {clean(owners[0].name)}'s")
        (said,) = self._store.identities.add_links(
            "unlink", [address], person.addresses[0], _by(), self._settings.now()
        )
        return f"Noted: {clean(address)} is not {clean(described(person))} (number {said.number})."

    def _outcome(self, said: Sequence[AddressLink], did: str) -> str:
        """What was done, and who has which addresses now."""
        numbers = [str(one.number) for one in said]
        addresses = dict.fromkeys(address for one in said for address in (one.other, one.address))
        owners = {one.addresses: one for address in addresses for one in self._owners(address)}
        word = "number" if len(said) == 1 else "numbers"
        return "\n".join([f"{did} ({word} {listed(numbers)}).", *map(_line, owners.values())])

    def _document(self, person: Person) -> dict[str, Any]:
        rules = self._everybody.rules()
        return {
            "name": person.name,
            "commits": person.commits,
            "addresses": list(person.addresses),
            "logins": list(person.logins),
            "nicknames": list(person.nicknames),
            "bot": is_bot(person, self._settings.bots),
            "identities": [
                {"name": one.name, "address": one.address, "commits": one.commits, "by": rules.why(one)}
                for one in person.identities
            ],
        }


def _by() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody at the command line"


def _holds(person: Person, text: str) -> bool:
    names = (person.name, *(one.name for one in person.identities), *person.logins, *person.nicknames)
    return any(text in plain(word) for word in (*names, *person.addresses))


def _line(person: Person) -> str:
    parts = [f"{clean(person.name)}: {count(person.commits, 'commit')}"]
    if person.addresses:
        parts.append(", ".join(clean(address) for address in person.addresses))
    if person.logins:
        parts.append(f"login{'s' if len(person.logins) > 1 else ''} {', '.join(map(clean, person.logins))}")
    return "; ".join(parts)


def _suggestion_text(one: Suggestion) -> str:
    width = max((len(clean(presence.address)) for presence in one.presences), default=0)
    lines = [clean(one.people[0].name)]
    for address, name, commits, when, repositories in _evidence(one.presences):
        lines.append(f"  {address:<{width}}  {count(commits, 'commit')} as {name}, {when}, in {listed(repositories)}")
    lines.append(f"  Why: {'; '.join(map(clean, one.reasons))}.")
    command = ["almanac", "people", "link", *(person.addresses[0] for person in one.people if person.addresses)]
    lines.append(f"  If so: {shlex.join(map(clean, command))}")
    return "\n".join(lines)


def _evidence(presences: Iterable[Presence]) -> list[tuple[str, str, int, str, list[str]]]:
    """Of each identity: address, name, commits, first and last day, repositories."""
    of: dict[tuple[str, str], list[Presence]] = {}
    for one in presences:
        of.setdefault((one.address, one.name), []).append(one)
    rows = []
    for (address, name), some in of.items():
        first, last = min(one.first for one in some), max(one.last for one in some)
        days = list(dict.fromkeys((f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}")))
        repositories = sorted({clean(one.repository) for one in some})
        rows.append((clean(address), clean(name), sum(one.commits for one in some), " to ".join(days), repositories))
    return rows


def _suggestion_document(one: Suggestion) -> dict[str, Any]:
    return {
        "people": [{"name": person.name, "addresses": list(person.addresses)} for person in one.people],
        "reasons": list(one.reasons),
        "evidence": [
            {
                "name": presence.name,
                "address": presence.address,
                "repository": presence.repository,
                "commits": presence.commits,
                "first": presence.first.isoformat(),
                "last": presence.last.isoformat(),
            }
            for presence in one.presences
        ],
    }


def _log_line(one: AddressLink) -> str:
    said = f"linked {clean(one.address)} to" if one.action == "link" else f"unlinked {clean(one.address)} from"
    line = f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {clean(one.by)} {said} {clean(one.other)}"
    if one.undone_at:
        line += f"; undone by {clean(one.undone_by or '')} on {one.undone_at:%Y-%m-%d %H:%M} UTC"
    return line


def _as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
