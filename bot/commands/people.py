"""`almanac people` and `correct`: who is who and what a change is, and what is said of both by hand. It is logged, and
may be undone, but for what is forgotten."""

from __future__ import annotations

import getpass
import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from bot.ask.explain import Correctable
from bot.ask.identity import IdentityService, Linking, day_of, line_of, log_lines, whom
from bot.ask.people_directory import KnownPeople, Now, PeopleDirectory
from bot.ask.question import nobody
from bot.commands.house import House, as_json
from bot.errors import AlmanacError, PersonUnknown
from bot.model import Change, Commit, CorrectedField, Person, Said
from bot.month.addresses import plain
from bot.month.corrections import YES, checked
from bot.month.credits import is_bot
from bot.month.message import heading_of
from bot.month.people import described
from bot.month.title import plain_title
from bot.story.lines import SHORT, what_was_said
from bot.wording import clean, count, listed, shortened

_WRITTEN = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>")
WHAT_IS_FORGOTTEN = (
    "All that the database holds of them is removed: commits, reviews, links, corrections, posts that name them. It "
    "cannot be undone. Only hashes stay, by which `almanac index` knows what to keep out. Git itself and Almanac's "
    "mirrors keep the commits, and what others wrote of them stays in others' commits."
)
LONGEST_SUBJECT = 60


def by() -> str:
    """Who says something at the command line."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody at the command line"


def _people(house: House) -> Now:
    return PeopleDirectory(house.store, house.settings).now


def _linking(house: House) -> Linking:
    return Linking(house.store, _people(house), house.settings.now)


def _identity(house: House) -> IdentityService:
    return IdentityService(house.store, _people(house), house.settings.now)


# --- who is who


def listed_people(house: House, text: str) -> str:
    """Everybody whose names, addresses or logins hold the text."""
    known = _people(house)()  # once: each look at who there is asks the database
    people = [person for person in known.everyone if _holds(person, plain(text))]
    if not people and text:
        raise AlmanacError(nobody(text, known.nearest(text)))
    if house.form == "json":
        return as_json([_document(person, known, house.settings.bots) for person in people])
    return "\n".join(_line(person, known) for person in people) or "Nobody yet: the index holds no commits."


def log(house: House) -> str:
    """All that was said of who is who: of links with the number to undo them by, oldest first, then of who is whom in
    Slack, and who asked not to be shown."""
    lines = sorted(log_lines(house.store), key=lambda one: one.said.kind != "address")
    shown = (f"{one.said.number}  {one.line}" if one.said.kind == "address" else one.line for one in lines)
    return "\n".join(shown) or "Nothing was linked by hand."


def link(house: House, person: str, addresses: Sequence[str]) -> str:
    return _linking(house).link(person, addresses, by(), confirmed=True)


def unlink(house: House, person: str, address: str) -> str:
    return _linking(house).unlink(person, address, by())


def undo(house: House, number: int | None) -> str:
    return _linking(house).undo(number, by())


def hide(house: House, person: str) -> str:
    """Note that somebody asked not to be shown."""
    return _identity(house).hide(_linking(house).meant(person), by())


def show(house: House, person: str) -> str:
    """Undo that."""
    return _identity(house).show(_linking(house).meant(person), by())


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
            {"name": one.name, "address": one.address, "commits": one.commits, "by": one.by}
            for one in person.identities
        ],
    }


def _line(person: Person, known: KnownPeople) -> str:
    line = line_of(person)
    if others := [clean(one) for part in person.parts[1:] for one in part.addresses]:
        line += f"; by name or login: {', '.join(others)}"
    return f"{line} (hidden)" if known.is_hidden(person) else line


def _holds(person: Person, text: str) -> bool:
    names = (person.name, *(one.name for one in person.identities), *person.logins, *person.nicknames)
    return any(text in plain(word) for word in (*names, *person.addresses))


# --- who is forgotten


def forget(house: House, person: str, *, is_sure: bool) -> None:
    """Remove all that is stored of somebody, once that is confirmed, and say what it was."""
    settings, store = house.settings, house.store
    now = _people(house)

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
    others = [one for one in people().everyone if one != meant and plain(one.name) == plain(meant.name)]
    click.echo(line_of(meant), err=True)
    if others:
        alike = listed([clean(described(one)) for one in others])
        do = "If that is the same person, link them first (`almanac people link`)."
        click.echo(f"Not among it: {alike}. {do}", err=True)
    click.echo(WHAT_IS_FORGOTTEN, err=True)
    if not is_sure:
        if not sys.stdin.isatty():
            raise AlmanacError("nothing was removed: where nobody can be asked, add --yes")
        if not click.confirm(f"Forget {clean(described(meant))}?", err=True):
            raise AlmanacError("nothing was removed")
    removed = store.erasure.erase(theirs, settings.now())
    where = [f"{count(commits, 'commit')} of {clean(name)}" for name, commits in removed.commits]
    click.echo(f"Forgotten: {listed(where) or 'no commits'}.")
    words = {plain(one) for one in (*theirs.addresses, *theirs.names)}
    if any(words.intersection(map(plain, (table.name, *table.addresses))) for table in settings.people):
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


# --- what a change is


def correct(
    house: House, sha: str | None, kind: str | None, title: str | None, *, hide: bool, undo: bool, listed: bool
) -> str:
    """What the command does, of which it takes one: say something of a change, undo it, or list what was said.

    Raises UsageError for any other wish, and AlmanacError in one line.
    """
    said: dict[CorrectedField, str | None] = {"kind": kind, "title": title, "hidden": YES if hide else None}
    wanted = {field: value for field, value in said.items() if value is not None}
    if (sha is None) != listed or (bool(wanted) + undo + listed) != 1:
        raise click.UsageError("say SHA with --kind, --title or --hide, or SHA with --undo, or --list alone")
    corrector = house.queries.corrector()
    if sha is None:
        return "\n".join(_correction_line(*one) for one in corrector.log()) or "Nothing was corrected by hand."
    one = corrector.of(sha)
    if undo:
        back = corrector.undo(one, by())
        if back is None:
            raise AlmanacError(f"nothing that counts was said by hand of {_called(one.change)}")
        done = [("Undone", back)]
    else:
        fit = {field: checked(field, value) for field, value in wanted.items()}
        done = [("Noted", corrector.correct(one, field, value, by())) for field, value in fit.items()]
    lines = [f"{did}: {_called(one.change)} {what_was_said(what)} (number {what.number})." for did, what in done]
    return "\n".join([*lines, _as_shown(corrector.of(sha))])


def _as_shown(one: Correctable) -> str:
    """How a change is shown now, and how it would be by the rules."""
    change = one.change
    if one.is_hidden:
        return f"It is left out of all months; `almanac correct {change.lead.sha[:SHORT]} --undo` undoes that."
    rule = f"by the rule “{one.before.rule}”"
    by_whom = f"said by hand; {one.before.kind} {rule}" if change.rule != one.before.rule else rule
    title = f", called “{clean(change.title)}”, which is not proved" if change.title else ""
    return f"It is shown as {change.kind} ({by_whom}){title}."


def _called(change: Change) -> str:
    return f"{change.lead.sha[:SHORT]} “{shortened(plain_title(heading_of(change.lead).line), LONGEST_SUBJECT)}”"


def _correction_line(said: Said, commit: Commit | None) -> str:
    title = f" “{shortened(plain_title(commit.subject), LONGEST_SUBJECT)}”" if commit else ""
    sha = (commit.sha if commit else said.about)[:SHORT]
    line = f"{said.number}  {day_of(said.at)}: {clean(said.by)}: {sha}{title} {what_was_said(said)}"
    if said.undone_at:
        line += f"; undone by {clean(said.undone_by or '')} on {day_of(said.undone_at)}"
    return line if commit else f"{line}; no such commit is indexed, so it counts for nothing until one is"
