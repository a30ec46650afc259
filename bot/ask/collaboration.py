"""Commits → who worked with whom: those whom the trailers of somebody's commits name as co-author or reviewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from bot.model import Change, Commit, Person
from bot.month.facts import MonthFacts
from bot.month.trailers import credits_of
from bot.story.wording import clean, count, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService

MOST_UNMATCHED = 5  # reviewers of a note
ROLES = ("coauthor", "reviewer")


def helpers(queries: QueryService, facts: MonthFacts) -> list[tuple[Person, list[Change]]]:
    """Who reviewed a person's changes or wrote them with them, and which; those of most changes first. A change that
    somebody else wrote, with the person as co-author, counts as written with its author."""
    known, own, found = queries.known, facts.person.signatures, dict[Person, dict[str, Change]]()
    for change in facts.changes:
        for commit in change.commits:
            author = known.author(commit)
            named = known.resolver.credited(credits_of(commit.body), author, commit.repository)
            for other in (author, *(one for role, one in named if role in ROLES)):
                if other and not own.overlaps(other.signatures) and not known.is_hidden(other):
                    found.setdefault(other, {})[change.id] = replace(change, shared_by="")
    return sorted(
        ((other, list(changes.values())) for other, changes in found.items()),
        key=lambda one: (-len(one[1]), one[0].name, one[0].addresses),
    )


def unmatched_reviewers(queries: QueryService, commits: Iterable[Commit], person: Person | None = None) -> list[str]:
    """A note on whom the trailers of commits name as reviewers beside those who are known, with the command that
    matches one: it may be who is missed, or the `person` whose reviews are asked for."""
    found = Counter(
        (one.name or one.address, one.address or one.name)
        for commit in commits
        for one in credits_of(commit.body)
        if one.role == "reviewer" and queries.known.resolver.is_unknown(one, commit.repository)
        if person is None or one.address not in person.addresses
    )
    if not found:
        return []
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    named = [f"{clean(name)} ({count(number, 'commit')})" for (name, _), number in ranked[:MOST_UNMATCHED]]
    more = [count(len(ranked) - MOST_UNMATCHED, "other")] if len(ranked) > MOST_UNMATCHED else []
    (name, written), _ = ranked[0]
    to_match = f"To match {clean(name)}: `almanac people link AUTHOR {quote(clean(written))}`"
    if person and person.addresses:
        command = f"`almanac people link {quote(clean(person.addresses[0]))} LOGIN`"
        to_match = f"If one of them is {clean(person.name)}: {command}"
    return [f"Reviewers who are matched to no author: {listed([*named, *more])}. {to_match}."]
