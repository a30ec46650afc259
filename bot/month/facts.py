"""The commits of a month → MonthFacts: every number that is ever said about it is counted here. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Commit, Kind, MonthFacts, Person, Repository
from bot.month.calendar import Month
from bot.month.changes import changes_of


def month_facts(
    person: Person,
    month: Month,
    zone: ZoneInfo,
    commits: Iterable[Commit],
    repositories: Sequence[Repository],
    now: datetime,
    notes: Sequence[str] = (),
) -> MonthFacts:
    """What is known of a person's month, from their commits of it and the repositories of the index."""
    commits = list(commits)
    touched = {commit.repository for commit in commits}
    indexed = [repository.indexed_at for repository in repositories if repository.indexed_at]
    return MonthFacts(
        person=person,
        month=month,
        zone=zone.key,
        to_date=not month.is_over(now, zone),
        changes=changes_of(commits),
        merges=tuple(sorted((c for c in commits if c.is_merge), key=lambda c: (c.author.seconds, c.repository, c.sha))),
        repositories=tuple(sorted((r for r in repositories if r.name in touched), key=lambda r: r.name)),
        indexed_at=min(indexed, default=None),
        notes=(*notes, *state_of_index(repositories)),
    )


def state_of_index(repositories: Iterable[Repository]) -> tuple[str, ...]:
    """What a reader must know of repositories that could not be read, or not in full."""
    notes = []
    for one in repositories:
        if one.failure:
            until = (
                f"told as of {one.indexed_at.day} {Month(one.indexed_at.year, one.indexed_at.month).title}"
                if one.indexed_at
                else "not told in full"
            )
            notes.append(f"{one.name} could not be read at the last try, so it is {until}.")
        elif one.shallow:
            notes.append(f"{one.name} was read from a shallow clone, so older commits are missing.")
    return tuple(notes)


def counts(facts: MonthFacts) -> dict[str, int]:
    """The numbers of a month. Lines are those of its changes; a merge's were counted with what it merged."""
    states = Counter(change.state for change in facts.changes)
    files = [file for change in facts.changes for file in change.lead.files]
    return {
        "commits": len({commit.sha for commit in facts.commits}),
        "changes": len(facts.changes),
        "landed": states["landed"] + states["partly"],
        "backed_out": states["backed_out"],
        "relanded": states["relanded"],
        "additions": sum(file.additions or 0 for file in files),
        "deletions": sum(file.deletions or 0 for file in files),
    }


def by_kind(facts: Iterable[MonthFacts]) -> Mapping[Kind, int]:
    """How many changes there are of each kind, over the months of one or several people."""
    return Counter({change.id: change.kind for month in facts for change in month.changes}.values())


def by_repository(facts: Iterable[MonthFacts]) -> list[tuple[Repository, int, int]]:
    """Each repository with its commits and changes, by name."""
    months = list(facts)
    known = {repository.name: repository for month in months for repository in month.repositories}
    commits = Counter(name for name, _ in {(c.repository, c.sha) for month in months for c in month.commits})
    changes = Counter(
        name for name, _ in {(c.repository, change.id) for m in months for change in m.changes for c in change.commits}
    )
    return [(known[name], commits[name], changes[name]) for name in sorted(known)]
