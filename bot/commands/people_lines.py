"""Who may be one person, whose names may be, and what was said by hand: as lines and as documents."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from bot.ask.people.linking import spoken
from bot.model import Person, Presence, Role, Said
from bot.month.people import described
from bot.month.suggestions import Suggestion
from bot.month.unmatched_credits import UnmatchedCredit
from bot.story.wording import clean, count, listed

_DONE: dict[Role, tuple[str, str]] = {
    "coauthor": ("commit co-authored", "commits co-authored"),
    "reviewer": ("review", "reviews"),
    "tester": ("test", "tests"),
    "reporter": ("report", "reports"),
    "suggester": ("suggestion", "suggestions"),
    "helper": ("help", "helps"),
}


def suggestion_text(one: Suggestion) -> str:
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


def unmatched_credits_text(shown: Sequence[UnmatchedCredit], names: Sequence[UnmatchedCredit]) -> str:
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


def suggestion_document(one: Suggestion) -> dict[str, Any]:
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


def unmatched_credit_document(one: UnmatchedCredit) -> dict[str, Any]:
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


def log_line(one: Said) -> str:
    said = f"{'linked' if one.action == 'link' else 'unlinked'} {spoken(one.about)}"
    said += " to" if one.action == "link" else " from"
    line = f"{one.number}  {one.at:%Y-%m-%d %H:%M} UTC  {clean(one.by)} {said} {clean(one.value)}"
    if one.undone_at:
        line += f"; undone by {clean(one.undone_by or '')} on {one.undone_at:%Y-%m-%d %H:%M} UTC"
    return line
