"""`almanac people`: who is who, and what people say of it by hand."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

from bot.ask.clarification import nobody
from bot.ask.people.identity import IdentityService
from bot.ask.people.linking import Linking, line_of, log_lines, spoken
from bot.ask.people_directory import KnownPeople, Now, PeopleDirectory
from bot.commands.house import House, as_json
from bot.errors import AlmanacError
from bot.model import Person, Said
from bot.month.addresses import plain
from bot.month.machines import is_bot
from bot.story.wording import clean


def people_of(house: House) -> Now:
    return PeopleDirectory.of(house.store, house.settings).now


def linking(house: House) -> Linking:
    return Linking(house.store, people_of(house), house.settings.now)


def listed_people(house: House, text: str) -> str:
    """Everybody whose names, addresses or logins hold the text."""
    known = people_of(house)()  # once: each look at who there is asks the database
    people = [person for person in known.everyone if holds(person, plain(text))]
    if not people and text:
        raise AlmanacError(nobody(text, known.nearest(text)))
    if house.form == "json":
        return as_json([_document(person, known, house.settings.bots) for person in people])
    return "\n".join(_line(person, known) for person in people) or "Nobody yet: the index holds no commits."


def log(house: House) -> str:
    """All that was linked and unlinked by hand, oldest first; then who was said to be whom in Slack, and who asked not
    to be shown."""
    links = list(map(_log_line, house.store.said.log("address")))
    others = [one.line for one in log_lines(house.store) if one.said.kind != "address"]
    return "\n".join([*links, *others]) or "Nothing was linked by hand."


def link(house: House, person: str, addresses: Sequence[str]) -> str:
    return linking(house).link(person, addresses, by(), confirmed=True)


def unlink(house: House, person: str, address: str) -> str:
    return linking(house).unlink(person, address, by())


def undo(house: House, number: int | None) -> str:
    return linking(house).undo(number, by())


def hide(house: House, person: str) -> str:
    """Note that somebody asked not to be shown."""
    return _identity(house).hide(linking(house).meant(person), by())


def show(house: House, person: str) -> str:
    """Undo that."""
    return _identity(house).show(linking(house).meant(person), by())


def _identity(house: House) -> IdentityService:
    return IdentityService(house.store, people_of(house), house.settings.now)


def _document(person: Person, known: KnownPeople, bots: Sequence[str]) -> dict[str, Any]:
    return {
        "name": person.name,
        "commits": person.commits,
        "addresses": list(person.addresses),
        "logins": list(person.logins),
        "nicknames": list(person.nicknames),
        "bot": is_bot(person, bots),
        "hidden": known.is_hidden(person),
        "identities": [
            {
                "name": one.name,
                "address": one.address,
                "commits": one.commits,
                "by": known.why(one, person),
            }
            for one in person.identities
        ],
    }


def _line(person: Person, known: KnownPeople) -> str:
    line, parts = line_of(person), known.joined_by_name(person)
    if parts:
        line += f"; by name: {', '.join(clean(one) for part in parts[1:] for one in part)}"
    return f"{line} (hidden)" if known.is_hidden(person) else line


def _log_line(one: Said) -> str:
    said = f"{'linked' if one.action == 'link' else 'unlinked'} {spoken(one.about)}"
    said += " to" if one.action == "link" else " from"
    return logged(one, f" {said} {clean(one.value)}")


def logged(one: Said, what: str) -> str:
    """A line of a log: what somebody said, when, and whether it was undone."""
    line = f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {clean(one.by)}{what}"
    if one.undone_at:
        line += f"; undone by {clean(one.undone_by or '')} on {one.undone_at:%Y-%m-%d %H:%M} UTC"
    return line


def by() -> str:
    """Who says something at the command line."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody at the command line"


def holds(person: Person, text: str) -> bool:
    names = (person.name, *(one.name for one in person.identities), *person.logins, *person.nicknames)
    return any(text in plain(word) for word in (*names, *person.addresses))
