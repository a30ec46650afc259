"""The material of several months → facts as of one month: each change once, as it stood at their end. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Commit, Dates, Identity, MonthFacts, Person, Repository, Skills
from bot.month.calendar import Month
from bot.month.changes import month_changes
from bot.month.corrections import NOTHING_SAID, Corrections
from bot.month.facts import state_of_index
from bot.month.histories import History
from bot.month.names import Names
from bot.month.people import everyone
from bot.month.skills import skills_of


def span_facts(
    person: Person,
    last: Month,
    until: datetime | None,
    zone: ZoneInfo,
    commits: Sequence[Commit],
    histories: Mapping[tuple[str, str], History],
    repositories: Sequence[Repository],
    now: datetime,
    *,
    notes: Iterable[str] = (),
    names: Names,
    dates: Dates,
    corrections: Corrections = NOTHING_SAID,
    with_skills: bool = True,
) -> MonthFacts:
    """What is known of a person's commits of some months up to the `last`; nothing is said of help.

    Changes are told as they stood just before `until`, or now. What was said by hand counts, as in `month_facts`.
    """
    own = person.signatures
    found = month_changes(commits, histories, until, names)
    corrected = corrections.corrected(found, histories)
    changes = tuple(
        replace(change, shared_by=names(change.lead.author)) if change.lead.author.who not in own else change
        for change in corrected.changes
    )
    commits = corrected.left(commits)
    touched = {commit.repository for commit in commits}
    return MonthFacts(
        person=person,
        month=last,
        zone=zone.key,
        to_date=not last.is_over(now, zone),
        changes=changes,
        merges=tuple(sorted((c for c in commits if c.is_merge), key=lambda c: (c.author.seconds, c.repository, c.sha))),
        repositories=tuple(sorted((r for r in repositories if r.name in touched), key=lambda r: r.name)),
        indexed_at=min((one.indexed_at for one in repositories if one.indexed_at), default=None),
        notes=(*notes, *state_of_index(repositories)),
        skills=skills_of(changes) if with_skills else Skills(),
        dates=dates,
        hidden=corrected.hidden,
    )


def by_author(people: Iterable[Person], commits: Iterable[Commit]) -> dict[Person, list[Commit]]:
    """The commits of each author. Somebody whose first commit came after `people` were read is told as they are."""
    author = {signature: person for person in people for signature in person.signatures}
    theirs: dict[Person, list[Commit]] = {}
    for commit in commits:
        person = author.get(commit.author.who) or everyone([Identity(*commit.author.who, 1)])[0]
        theirs.setdefault(person, []).append(commit)
    return theirs
