"""`almanac people forget` and `remember`."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import click

from bot.ask.people.identity import IdentityService
from bot.ask.people.linking import Linking, line_of, whom
from bot.ask.people_directory import KnownPeople
from bot.commands.house import House
from bot.commands.people import people_of
from bot.errors import AlmanacError, PersonUnknown
from bot.model import Person
from bot.month.addresses import plain
from bot.month.people import described
from bot.settings import Settings
from bot.story.wording import clean, count, listed
from storage.erasure import Erased, PersonToErase

_WRITTEN = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>")
WHAT = (
    "All that the database holds of them is removed: commits, reviews, links, corrections, posts that name them. It "
    "cannot be undone. Only hashes stay, by which `almanac index` knows what to keep out. Git itself and Almanac's "
    "mirrors keep the commits, and what others wrote of them stays in others' commits."
)


def forget(house: House, person: str, *, is_sure: bool) -> None:
    """Remove all that is stored of somebody, once that is confirmed, and say what it was."""
    settings, store = house.settings, house.store
    now = people_of(house)

    def people() -> KnownPeople:
        return now().without_names  # what cannot be undone rests on no name

    try:
        meant = Linking(store, people, settings.now).meant(person)
    except PersonUnknown:
        if not store.erasure.blocklist().holds(*_written(person)):
            raise
        click.echo(f"{clean(person)} is forgotten already.")
        _check_swept(store.erasure.sweep())
        return
    user = IdentityService(store, people, settings.now).user_of(meant)
    named = [(one.name, one.address) for one in store.identities.credited()]
    theirs = whom(meant, people().everyone, people().resolver, named, [user] if user else [])
    for line in (line_of(meant), *_others(meant, people().everyone), WHAT):
        click.echo(line, err=True)
    if not is_sure and not _confirmed(meant):
        raise AlmanacError("nothing was removed")
    _tell(settings, theirs, store.erasure.erase(theirs, settings.now()))


def _confirmed(person: Person) -> bool:
    if not sys.stdin.isatty():
        raise AlmanacError("nothing was removed: where nobody can be asked, add --yes")
    return click.confirm(f"Forget {clean(described(person))}?", err=True)


def _others(person: Person, people: Sequence[Person]) -> list[str]:
    """A line on people of the same name, who are not forgotten with them."""
    others = [clean(described(one)) for one in people if one != person and plain(one.name) == plain(person.name)]
    if not others:
        return []
    return [f"Not among it: {listed(others)}. If that is the same person, link them first (`almanac people link`)."]


def _tell(settings: Settings, theirs: PersonToErase, removed: Erased) -> None:
    where = [f"{count(commits, 'commit')} of {clean(name)}" for name, commits in removed.commits]
    click.echo(f"Forgotten: {listed(where) or 'no commits'}.")
    named = {plain(one) for one in (*theirs.addresses, *theirs.names)}
    if any(named.intersection(map(plain, (table.name, *table.addresses))) for table in settings.people):
        click.echo("almanac.toml still names them under [[people]]: remove that yourself.")
    _check_swept(removed.hindered)


def _check_swept(hindered: str) -> None:
    if hindered:
        raise AlmanacError(
            f"nothing of it is shown any more, but bytes of it are still in the file, since {hindered}; then run "
            f"`almanac people forget` with one of their addresses once more"
        )


def remember(house: House, addresses: Sequence[str]) -> str:
    """Let somebody in again, by addresses, logins, or names with an address."""
    for text in addresses:
        if not house.store.erasure.readmit(*_written(text)):
            raise AlmanacError(f"{clean(text)} is not among what was forgotten: write it as it stood in git")
    return (
        f"{listed(list(map(clean, addresses)))} will be let in again: run `almanac index`, which looks through all "
        f"histories for what is missing. What was said by hand of them does not come back."
    )


def _written(text: str) -> tuple[str, str]:
    """The name and the address in a text; a text that is no address is a name or a login."""
    match = _WRITTEN.fullmatch(text.strip())
    if match:
        return match["name"].strip(), match["address"].strip()
    return ("", text.strip()) if "@" in text.strip()[1:] else (text.strip(), "")
