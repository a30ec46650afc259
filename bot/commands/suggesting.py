"""`almanac people suggestions` and `accept`: who may be one person, and whose the names in trailers may be."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from bot.commands.house import House, as_json
from bot.commands.people import holds, link, people_of
from bot.errors import AlmanacError
from bot.model import Person, Presence, Role
from bot.month.addresses import plain
from bot.month.people import described
from bot.month.suggestions import Suggestion, suggestions
from bot.month.unmatched_credits import UnmatchedCredit, unmatched_credits
from bot.story.wording import clean, count, listed

MOST_NAMES = 20  # that are suggested unless all are asked for
_DONE: dict[Role, tuple[str, str]] = {
    "coauthor": ("commit co-authored", "commits co-authored"),
    "reviewer": ("review", "reviews"),
    "tester": ("test", "tests"),
    "reporter": ("report", "reports"),
    "suggester": ("suggestion", "suggestions"),
    "helper": ("help", "helps"),
}


def suggested(house: House, *, whole: bool) -> str:
    """Who may be one person, and whose the names in trailers may be that are nobody's, and why; of the names the most
    frequent ones, or the whole list."""
    found = _suggestions(house)
    names = _unmatched(house, found)
    shown = names if whole else names[:MOST_NAMES]
    if house.form == "json":
        return as_json(
            {
                "people": [_suggestion_document(one) for one in found],
                "names": [_unmatched_credit_document(one) for one in shown],
                "names_left_out": len(names) - len(shown),
            }
        )
    parts = [_suggestion_text(one) for one in found] or ["Nobody looks like two people who are one."]
    return "\n\n".join([*parts, *([_unmatched_credits_text(shown, names)] if names else [])])


def accepted(house: House, text: str, *, every: bool) -> str:
    """Link what is suggested: of those whose name or address holds the text, or all but the doubtful, then also the
    names in trailers."""
    if bool(text) == every:
        raise AlmanacError("say whose suggestion is accepted, by a name or an address, or --all")
    found = _suggestions(house)
    wanted = [one for one in found if not one.doubt] if every else [one for one in found if _is_of(one, text)]
    if not wanted and not every:
        raise AlmanacError(f"nobody who may be one person is called “{clean(text)}”: see `almanac people suggestions`")
    if len(wanted) > 1 and not every:
        raise AlmanacError(f"“{clean(text)}” fits {len(wanted)} suggestions: say which by an address")
    if not every:
        return link(house, *_addresses_of(wanted[0].people))
    done = [_link_if_possible(house, *_addresses_of(one.people)) for one in wanted]
    proposed = [one.proposal for one in _unmatched(house, ()) if one.proposal]
    done += [_link_if_possible(house, *_addresses_of(one.people, one.also)) for one in proposed]
    return "\n".join(done) or "There is nothing to accept."


def _link_if_possible(house: House, name: str, addresses: Sequence[str]) -> str:
    try:
        return link(house, name, addresses)
    except AlmanacError as error:  # what was linked before may stand against it
        return f"Not linked: {error}."


def _suggestions(house: House) -> list[Suggestion]:
    people, identities = people_of(house)(), house.store.identities
    return suggestions(people.everyone, identities.presences(), house.settings.bots, people.rules.hand.apart)


def _unmatched(house: House, may_be_one: Sequence[Suggestion]) -> list[UnmatchedCredit]:
    """The names in trailers that are nobody's, and whose they may be."""
    people, identities = people_of(house)(), house.store.identities
    return unmatched_credits(
        identities.mentions(), people.everyone, people.resolver, identities.presences(), may_be_one,
        house.settings.bots, people.rules.hand.not_theirs,
    )  # fmt: skip


def _is_of(one: Suggestion, text: str) -> bool:
    return any(holds(person, plain(text)) for person in one.people)


def _addresses_of(people: Sequence[Person], *also: str) -> tuple[str, list[str]]:
    first, *others = (person.addresses[0] for person in people if person.addresses)
    return first, [*others, *filter(None, also)]


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


def _unmatched_credits_text(shown: Sequence[UnmatchedCredit], names: Sequence[UnmatchedCredit]) -> str:
    most = f"the {len(shown)} most frequent of {len(names)}" if len(shown) < len(names) else f"all {len(names)}"
    lines = [f"Names in trailers that are nobody's here, {most}:", "", *map(_stranger_text, shown), ""]
    if len(shown) < len(names):
        lines.append("All of them: almanac people suggestions --all")
    return "\n".join([*lines, "If you know whose a login is: almanac people link PERSON LOGIN"])


def _stranger_text(one: UnmatchedCredit) -> str:
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


def _unmatched_credit_document(one: UnmatchedCredit) -> dict[str, Any]:
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
