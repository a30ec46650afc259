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
from bot.model import AddressLink, Person, Presence, Role
from bot.month.addresses import login_in_log, login_of, noreply_login, plain
from bot.month.people import described, is_bot
from bot.month.strangers import Stranger, strangers
from bot.month.suggestions import Suggestion, suggestions
from bot.settings import Settings
from bot.story.wording import clean, count, listed
from storage import Store

_ADDRESS = re.compile(r"[^\s<>,]+@[^\s<>,]+")
_LOGIN = re.compile(r"@?[^\s<>,@]{1,64}")
MOST_NAMES = 20  # that are suggested unless all are asked for
_DONE: dict[Role, tuple[str, str]] = {
    "coauthor": ("commit co-authored", "commits co-authored"),
    "reviewer": ("review", "reviews"),
    "tester": ("test", "tests"),
    "reporter": ("report", "reports"),
    "suggester": ("suggestion", "suggestions"),
    "helper": ("help", "helps"),
}


class Who:
    """The people of the index, and what may be said of them at the command line. Raises AlmanacError in one line."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings.database, must_exist=True, dates=settings.dates)
        self._everybody = Everybody(self._store.identities, settings.people, settings.tools, settings.bots)

    # --- what is known

    def listed(self, text: str, form: str) -> str:
        """Everybody whose names, addresses or logins hold the text, in a form."""
        people = [person for person in self._everybody.people() if _holds(person, plain(text))]
        if not people and text:
            raise AlmanacError(nobody(text, self._everybody.directory()))
        if form == "json":
            return _as_json([self._document(person) for person in people])
        return "\n".join(_line(person) for person in people) or "Nobody yet: the index holds no commits."

    def suggested(self, form: str, *, whole: bool = False) -> str:
        """Who may be one person, and whose the names in trailers may be that are nobody's, and why, in a form. Of the
        names the most frequent ones, or the whole list."""
        bots, hand = self._settings.bots, self._everybody.rules().hand
        people, presences = self._everybody.people(), self._store.identities.presences()
        found = suggestions(people, presences, bots, hand.apart)
        mentions, resolver = self._store.identities.mentions(), self._everybody.resolver()
        names = strangers(mentions, people, resolver, presences, found, bots, hand.not_theirs)
        shown = names if whole else names[:MOST_NAMES]
        if form == "json":
            return _as_json(
                {
                    "people": [_suggestion_document(one) for one in found],
                    "names": [_stranger_document(one) for one in shown],
                    "names_left_out": len(names) - len(shown),
                }
            )
        parts = [_suggestion_text(one) for one in found] or ["Nobody looks like two people who are one."]
        return "\n\n".join([*parts, *([_strangers_text(shown, names)] if names else [])])

    def log(self) -> str:
        """All that was linked and unlinked by hand, oldest first."""
        links = self._store.identities.links()
        return "\n".join(map(_log_line, links)) or "Nothing was linked by hand."

    # --- what is said by hand

    def link(self, name: str, addresses: Sequence[str]) -> str:
        """Say that addresses and logins are a person's. Whoever has one of the addresses becomes one person with
        them; whom trailers name by one of the logins is this person."""
        wanted = self._written(addresses)
        person = self._meant(name, linked_to=wanted)
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git that others could be linked to")
        owners = {address: self._owners(address) for address in wanted}
        for address, having in owners.items():
            if login := login_in_log(address):
                self._refuse_others_login(login, person, having)
                continue
            self._refuse_shared(address, having)
            self._refuse_other_tables(address, person, having)
        new = [one for one in wanted if not self._has(person, one)]
        lines = [f"{_spoken(one)} is {clean(person.name)}'s already." for one in wanted if one not in new]
        if new:
            said = self._store.identities.add_links("link", new, person.addresses[0], _by(), self._settings.now())
            lines.append(self._outcome(said, f"Linked {listed(list(map(_spoken, new)))}"))
            lines += self._spelling([one for one in new if not owners[one]])
        return "\n".join(lines)

    def _spelling(self, unknown: Sequence[str]) -> list[str]:
        """Lines on what was linked and is found nowhere yet."""
        mentions = self._store.identities.mentions() if unknown else []
        names = {login_of(one.name) for one in mentions} | {plain(noreply_login(one.address) or "") for one in mentions}
        named = {plain(one.address) for one in mentions}
        logins = [one for one in unknown if (login := login_in_log(one)) and login_of(login) not in names]
        addresses = [one for one in unknown if not login_in_log(one) and plain(one) not in named]
        lines = []
        for those, singular, plural in (
            (addresses, "has no commits yet", "have no commits yet"),
            (logins, "stands in no trailer yet", "stand in no trailer yet"),
        ):
            if those:
                found = singular if len(those) == 1 else plural
                lines.append(f"{listed(list(map(_spoken, those)))} {found}; check the spelling.")
        return lines

    def unlink(self, name: str, address: str) -> str:
        """Say that an address or a login is not a person's. From then on an address is joined with others by hand
        only, and the login is not theirs by what stands before the @ of their addresses either."""
        (wanted,) = self._written([address])
        person = self._meant(name, having=wanted)
        if login := login_in_log(wanted):
            return self._without_login(person, login)
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
        return self._outcome([undone], f"Undone: the {did} of {_spoken(undone.address)}")

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
                if (self._has(person, having) if having else not given.intersection(person.addresses))
            ]
            found = tuple(closer) if len(closer) == 1 else found
        if len(found) > 1:
            raise PersonUnknown(f"{which_one(name, found)} Say which by an address")
        return found[0]

    def _has(self, person: Person, wanted: str) -> bool:
        return plain(wanted) in person.addresses or person in self._with_login(wanted)

    def _written(self, texts: Iterable[str]) -> list[str]:
        """Addresses as typed, with or without a name before them, and logins with an @ before them. Raises
        AlmanacError where one is neither."""
        found: dict[str, str] = {}
        for text in texts:
            bare = text.rpartition("<")[2].partition(">")[0].strip() if "<" in text else text.strip()
            if not _ADDRESS.fullmatch(bare) and not self._owners(bare):
                if not _LOGIN.fullmatch(bare):
                    raise AlmanacError(
                        f"{clean(text)!r} is no address and no login: write it as it stands in git, such as "
                        f"ada@example.com, or ada-l where a trailer names somebody so"
                    )
                bare = f"@{bare.removeprefix('@')}"
            found.setdefault(plain(bare), bare)
        return list(found.values())

    def _owners(self, address: str) -> tuple[Person, ...]:
        if login_in_log(address):
            return self._with_login(address)
        return self._everybody.directory().exactly(address, levels=(0,))

    def _with_login(self, address: str) -> tuple[Person, ...]:
        """Whose login it is, if a login stands in the address's place; not by what stands before an @."""
        login = plain(login_in_log(address) or "")
        return tuple(one for one in self._everybody.people() if login and login in map(plain, one.logins))

    def _refuse_others_login(self, login: str, person: Person, owners: Sequence[Person]) -> None:
        rules = self._everybody.rules()
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
        rules = self._everybody.rules()

        def tables(one: Person) -> set[int]:
            return {table for each in one.addresses if (table := rules.table_of(each)) is not None}

        for owner in owners:
            if tables(owner) and tables(person) and tables(owner) != tables(person):
                raise AlmanacError(
                    f"{clean(address)} is {clean(owner.name)}'s by almanac.toml, which holds before all else: change "
                    f"[[people]] there"
                )

    def _without_login(self, person: Person, login: str) -> str:
        """Take a login away, or note that it never was theirs."""
        if not person.addresses:
            raise AlmanacError(f"{described(person)} has no address in git to tell them by")
        if self._everybody.rules().logins.get(plain(login)) is not None:
            raise AlmanacError(
                f"the login {clean(login)} is in almanac.toml, which holds before all else: change it there"
            )
        if plain(login) not in self._everybody.rules().hand.logins and person in self._with_login(f"@{login}"):
            raise AlmanacError(
                f"the login {clean(login)} is {clean(person.name)}'s by their GitHub account: unlink that address"
            )
        owners = self._with_login(f"@{login}")
        if owners and person not in owners:
            raise AlmanacError(
                f"{clean(person.name)} does not have the login {clean(login)}: it is {clean(described(owners[0]))}'s"
            )
        address = self._everybody.rules().hand.logins.get(plain(login), person.addresses[0])
        said = self._store.identities.add_links("unlink", [f"@{login}"], address, _by(), self._settings.now())
        if owners:
            return self._outcome(said, f"Unlinked the login {clean(login)}")
        return f"Noted: the login {clean(login)} is not {clean(described(person))}'s (number {said[0].number})."

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


def _spoken(address: str) -> str:
    """An address, or a login in its place, as it is said."""
    login = login_in_log(address)
    return f"the login {clean(login)}" if login else clean(address)


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
    if one.doubt:
        lines.append(f"  But: {one.doubt}.")
    lines.append(f"  If so: {_command(one.people)}")
    return "\n".join(lines)


def _command(people: Iterable[Person], *also: str) -> str:
    addresses = [person.addresses[0] for person in people if person.addresses]
    return shlex.join(map(clean, ["almanac", "people", "link", *addresses, *(one for one in also if one)]))


def _strangers_text(shown: Sequence[Stranger], names: Sequence[Stranger]) -> str:
    most = f"the {len(shown)} most frequent of {len(names)}" if len(shown) < len(names) else f"all {len(names)}"
    lines = [f"Names in trailers that are nobody's here, {most}:", "", *map(_stranger_text, shown), ""]
    if len(shown) < len(names):
        lines.append("All of them: almanac people suggestions --all")
    return "\n".join([*lines, "If you know whose a login is: almanac people link PERSON LOGIN"])


def _stranger_text(one: Stranger) -> str:
    done = [f"{times:,} {_DONE[role][times != 1]}" for role, times in one.roles.most_common()]
    written = f"{clean(one.name)} <{clean(one.address)}>".strip() if one.address else clean(one.name) or "(no name)"
    lines = [f"{written}: {listed(done)} in {listed(sorted(map(clean, one.repositories)))}"]
    if (meant := one.proposal) is not None:
        who = clean(described(meant.people[0]))
        lines.append(f"  Perhaps {who}: {clean(meant.reason)}.")
        if not meant.also:
            lines.append("  To link those resolves it.")
        lines.append(f"  If so: {_command(meant.people, meant.also)}")
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
        "doubt": one.doubt or None,
        "command": _command(one.people),
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


def _stranger_document(one: Stranger) -> dict[str, Any]:
    meant = one.proposal
    return {
        "name": one.name,
        "address": one.address or None,
        "count": one.count,
        "roles": dict(one.roles.most_common()),
        "repositories": {name: one.repositories[name] for name in sorted(one.repositories)},
        "proposal": meant
        and {
            "people": [{"name": person.name, "addresses": list(person.addresses)} for person in meant.people],
            "reason": meant.reason,
            "command": _command(meant.people, meant.also),
        },
    }


def _log_line(one: AddressLink) -> str:
    said = f"{'linked' if one.action == 'link' else 'unlinked'} {_spoken(one.address)}"
    said += " to" if one.action == "link" else " from"
    line = f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {clean(one.by)} {said} {clean(one.other)}"
    if one.undone_at:
        line += f"; undone by {clean(one.undone_by or '')} on {one.undone_at:%Y-%m-%d %H:%M} UTC"
    return line


def _as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
