"""`almanac people`: who is who, who may be one person, and what people say of it by hand."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from bot.ask.clarification import nobody
from bot.ask.people.identity import IdentityService
from bot.ask.people.identity_log import IdentityLog
from bot.ask.people.linking import Linking, line_of
from bot.ask.people_directory import KnownPeople, Now, PeopleDirectory
from bot.commands.people_lines import (
    log_line,
    suggestion_document,
    suggestion_text,
    unmatched_credit_document,
    unmatched_credits_text,
)
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.addresses import plain
from bot.month.machines import is_bot
from bot.month.suggestions import Suggestion, suggestions
from bot.month.unmatched_credits import UnmatchedCredit, unmatched_credits
from bot.settings import Settings
from bot.story.wording import clean
from storage import Store

MOST_NAMES = 20  # that are suggested unless all are asked for


class PeopleCommands:
    """The people of the index, and what may be said of them at the command line. Raises AlmanacError in one line."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def _store(self) -> Store:
        """Opened once it is needed: to say what a command does needs none."""
        return Store(self.settings.database, must_exist=True, dates=self.settings.dates)

    @cached_property
    def _people(self) -> Now:
        return PeopleDirectory.of(self._store, self.settings).now

    @cached_property
    def _linking(self) -> Linking:
        return Linking(self._store, self._people, self.settings.now)

    @cached_property
    def _identity(self) -> IdentityService:
        return IdentityService(self._store, self._people, self.settings.now)

    # --- what is known

    def listed(self, text: str, form: str) -> str:
        """Everybody whose names, addresses or logins hold the text, in a form."""
        known = self._people()  # once: each look at who there is asks the database
        people = [person for person in known.everyone if _holds(person, plain(text))]
        if not people and text:
            raise AlmanacError(nobody(text, known.nearest(text)))
        if form == "json":
            return _as_json([self._document(person, known) for person in people])
        return "\n".join(_line(person, known) for person in people) or "Nobody yet: the index holds no commits."

    def suggested(self, form: str, *, whole: bool = False) -> str:
        """Who may be one person, and whose the names in trailers may be that are nobody's, and why, in a form. Of the
        names the most frequent ones, or the whole list."""
        found = self._suggestions()
        names = self._unmatched(found)
        shown = names if whole else names[:MOST_NAMES]
        if form == "json":
            return _as_json(
                {
                    "people": [suggestion_document(one) for one in found],
                    "names": [unmatched_credit_document(one) for one in shown],
                    "names_left_out": len(names) - len(shown),
                }
            )
        parts = [suggestion_text(one) for one in found] or ["Nobody looks like two people who are one."]
        return "\n\n".join([*parts, *([unmatched_credits_text(shown, names)] if names else [])])

    def accepted(self, text: str, *, every: bool) -> str:
        """Link what is suggested: of those whose name or address holds the text, or all but the doubtful, then also the
        names in trailers."""
        if bool(text) == every:
            raise AlmanacError("say whose suggestion is accepted, by a name or an address, or --all")
        found = self._suggestions()
        wanted = [one for one in found if not one.doubt] if every else [one for one in found if _is_of(one, text)]
        if not wanted and not every:
            raise AlmanacError(
                f"nobody who may be one person is called “{clean(text)}”: see `almanac people suggestions`"
            )
        if len(wanted) > 1 and not every:
            raise AlmanacError(f"“{clean(text)}” fits {len(wanted)} suggestions: say which by an address")
        if not every:
            return self.link(*_addresses_of(wanted[0].people))
        done = [self._link_if_possible(*_addresses_of(one.people)) for one in wanted]
        proposed = [one.proposal for one in self._unmatched(()) if one.proposal]
        done += [self._link_if_possible(*_addresses_of(one.people, one.also)) for one in proposed]
        return "\n".join(done) or "There is nothing to accept."

    def _link_if_possible(self, name: str, addresses: Sequence[str]) -> str:
        try:
            return self.link(name, addresses)
        except AlmanacError as error:  # what was linked before may stand against it
            return f"Not linked: {error}."

    def _suggestions(self) -> list[Suggestion]:
        people, identities = self._people(), self._store.identities
        return suggestions(people.everyone, identities.presences(), self.settings.bots, people.rules.hand.apart)

    def _unmatched(self, may_be_one: Sequence[Suggestion]) -> list[UnmatchedCredit]:
        """The names in trailers that are nobody's, and whose they may be."""
        people, identities = self._people(), self._store.identities
        return unmatched_credits(
            identities.mentions(), people.everyone, people.resolver, identities.presences(), may_be_one,
            self.settings.bots, people.rules.hand.not_theirs,
        )  # fmt: skip

    def log(self) -> str:
        """All that was linked and unlinked by hand, oldest first; then who was said to be whom in Slack, and who asked
        not to be shown."""
        links = list(map(log_line, self._store.said.log("address")))
        others = [one.line for one in IdentityLog(self._store).lines() if not one.key.startswith("address:")]
        return "\n".join([*links, *others]) or "Nothing was linked by hand."

    # --- what is said by hand

    def link(self, name: str, addresses: Sequence[str]) -> str:
        return self._linking.link(name, addresses, by(), confirmed=True)

    def unlink(self, name: str, address: str) -> str:
        return self._linking.unlink(name, address, by())

    def undo(self, number: int | None) -> str:
        return self._linking.undo(number, by())

    # --- whether somebody is shown

    def hide(self, name: str) -> str:
        """Note that somebody asked not to be shown."""
        return self._identity.hide(self._linking.meant(name), by())

    def show(self, name: str) -> str:
        """Undo that."""
        return self._identity.show(self._linking.meant(name), by())

    def _document(self, person: Person, known: KnownPeople) -> dict[str, Any]:
        return {
            "name": person.name,
            "commits": person.commits,
            "addresses": list(person.addresses),
            "logins": list(person.logins),
            "nicknames": list(person.nicknames),
            "bot": is_bot(person, self.settings.bots),
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


def _is_of(one: Suggestion, text: str) -> bool:
    return any(_holds(person, plain(text)) for person in one.people)


def _addresses_of(people: Sequence[Person], *also: str) -> tuple[str, list[str]]:
    first, *others = (person.addresses[0] for person in people if person.addresses)
    return first, [*others, *filter(None, also)]


def by() -> str:
    """Who says something at the command line."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return "somebody at the command line"


def _holds(person: Person, text: str) -> bool:
    names = (person.name, *(one.name for one in person.identities), *person.logins, *person.nicknames)
    return any(text in plain(word) for word in (*names, *person.addresses))


def _as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
