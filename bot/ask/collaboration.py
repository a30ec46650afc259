"""Commits → who worked with whom: those whom the trailers of somebody's commits name as co-author or reviewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import TYPE_CHECKING

from bot.model import Change, Commit, Person
from bot.month.calendar import AnyPeriod, Span
from bot.month.facts import MonthFacts
from bot.month.machines import is_bot
from bot.month.trailers import credits_of
from bot.story.month import commit_document
from bot.story.wording import clean, count, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService
    from bot.story.documents import CommitDocument

MOST_PAIRS = 12  # of a page
MOST_UNMATCHED = 5  # reviewers of a note
ROLES = ("coauthor", "reviewer")


@dataclass(frozen=True, slots=True)
class SharedCommit:
    """A commit that somebody wrote with another person's help, who is its co-author or reviewed it."""

    author: Person
    other: Person
    role: str
    commit: Commit


@dataclass(slots=True)
class WorkingPair:
    """Two people, or one with whom the person of a page worked; commits are newest first."""

    names: tuple[str, ...]
    wrote: int = 0
    reviewed: int = 0
    commits: list[CommitDocument] = field(default_factory=list)


def shared_commits(queries: QueryService, span: AnyPeriod | Span, repositories: Sequence[str]) -> list[SharedCommit]:
    """All of a span, without machines and people who asked not to be shown; newest first."""
    known, bots = queries.known, queries.settings.bots
    material = queries.material.of_everyone(*span.bounds(queries.zone), None, repositories)
    found = []
    for commit in sorted(material.commits, key=lambda one: one.written, reverse=True):
        author = known.author(commit)
        if author is None or commit.is_merge or is_bot(author, bots):
            continue
        for role, other in known.resolver.credited(credits_of(commit.body), author, commit.repository):
            if role in ROLES and not known.is_hidden(other) and not is_bot(other, bots):
                found.append(SharedCommit(author, other, role, commit))
    return found


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


def pairs_among(shared: Iterable[SharedCommit], people: Collection[Person] | None = None) -> list[WorkingPair]:
    """Pairs of some people, or of all: those with most commits in common first."""
    found: dict[frozenset[Person], WorkingPair] = {}
    for one in shared:
        if people is None or (one.author in people and one.other in people):
            names = tuple(sorted(clean(each.name) for each in (one.author, one.other)))
            _add(found.setdefault(frozenset((one.author, one.other)), WorkingPair(names)), one)
    return _ranked(found.values())


def pairs_with(shared: Iterable[SharedCommit], person: Person) -> list[WorkingPair]:
    """With whom a person worked, those with most commits in common first."""
    found: dict[Person, WorkingPair] = {}
    for one in shared:
        if person in (one.author, one.other):
            other = one.other if one.author == person else one.author
            _add(found.setdefault(other, WorkingPair((clean(other.name),))), one)
    return _ranked(found.values())


def _add(pair: WorkingPair, one: SharedCommit) -> None:
    if one.role == "coauthor":
        pair.wrote += 1
    else:
        pair.reviewed += 1
    document = commit_document(one.commit)
    if document not in pair.commits:
        pair.commits.append(document)


def _ranked(pairs: Iterable[WorkingPair]) -> list[WorkingPair]:
    return sorted(pairs, key=lambda one: (-one.wrote - one.reviewed, one.names))[:MOST_PAIRS]
