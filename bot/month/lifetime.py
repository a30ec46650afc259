"""All of somebody's months together → LifetimeFacts: every number that a profile says is counted here. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import cast
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Dates, Person, Repository, Role
from bot.month.calendar import AnyPeriod, Month, MonthRange
from bot.month.changes import month_changes
from bot.month.facts import (
    FactsContext,
    Helped,
    MonthFacts,
    by_state,
    helped_with,
    month_facts,
    state_of_index,
    work_of,
)
from bot.month.skills import Skills, skills_of


@dataclass(frozen=True, slots=True)
class Contributed:
    """What somebody did in one repository over all months."""

    repository: Repository
    months: int
    commits: int
    changes: int
    languages: tuple[str, ...]
    technologies: tuple[str, ...]


@dataclass(frozen=True)
class LifetimeFacts:
    """What is known of a person's whole history.

    `months` are the active ones, those with commits, oldest first. `changes` are all of theirs, each once however
    many months have a part in it, as they stand now and in order of author date, then id.
    """

    person: Person
    zone: str
    months: tuple[MonthFacts, ...]
    changes: tuple[Change, ...]
    helped: tuple[Helped, ...] = ()  # by role and repository, in whatever months
    notes: tuple[str, ...] = ()
    indexed_at: datetime | None = None
    dates: Dates = "author"
    hidden: tuple[str, ...] = ()  # ids of changes that are left out at the person's wish

    @property
    def span(self) -> MonthRange | None:
        """From the first to the last active month."""
        return MonthRange(_month(self.months[0]), _month(self.months[-1])) if self.months else None

    def month_of(self, change: Change) -> Month:
        """The month in which a change began."""
        return Month.of(change.lead.dated(self.dates).at, ZoneInfo(self.zone))

    def span_of(self, changes: Iterable[Change]) -> MonthRange:
        """From the first to the last month in which one of the changes, of which there are some, began."""
        months = [self.month_of(change) for change in changes]
        return MonthRange(min(months), max(months))

    @property
    def to_date(self) -> bool:
        """Whether the last of the months is not over."""
        return bool(self.months) and self.months[-1].to_date

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        """Every commit of the months, each once, oldest month first."""
        every = {(one.repository, one.sha): one for facts in self.months for one in facts.commits}
        return tuple(every.values())

    @cached_property
    def own(self) -> tuple[Change, ...]:
        """The changes that are not somebody else's with whom the person wrote them."""
        return tuple(change for change in self.changes if not change.is_shared)

    @cached_property
    def skills(self) -> Skills:
        return skills_of(work_of(self.changes))

    @cached_property
    def repositories(self) -> tuple[Contributed, ...]:
        """What was done in each repository: those with most changes first, then by commits, then name."""
        return tuple(sorted(_contributed(self), key=lambda one: (-one.changes, -one.commits, one.repository.name)))


def counts_of(whole: LifetimeFacts) -> dict[str, int]:
    """The numbers of a whole history. A change that was reverted and brought back is one, and has landed."""
    return {
        "months": len(whole.months),
        "commits": len({commit.sha for commit in whole.commits}),
        **by_state(whole.changes),
    }


def _month(facts: MonthFacts) -> Month:
    """A whole history is shown month by month."""
    return cast(Month, facts.month)


def _contributed(whole: LifetimeFacts) -> Iterator[Contributed]:
    known: dict[str, Repository] = {one.name: one for facts in whole.months for one in facts.repositories}
    months, commits = defaultdict[str, set[AnyPeriod]](set), defaultdict[str, set[str]](set)
    for facts in whole.months:
        for commit in facts.commits:
            months[commit.repository].add(facts.month)
            commits[commit.repository].add(commit.sha)
    changes: dict[str, list[Change]] = defaultdict(list)
    for change in whole.changes:
        for name in dict.fromkeys(commit.repository for commit in change.commits):
            changes[name].append(change)
    for name, repository in known.items():
        skills = whole.skills if len(known) == 1 else skills_of(work_of(_within(changes[name], name)))
        yield Contributed(
            repository,
            len(months[name]),
            len(commits[name]),
            len(changes[name]),
            tuple(one.name for one in skills.languages),
            tuple(one.name for one in skills.technologies),
        )


def _within(changes: Iterable[Change], repository: str) -> Iterator[Change]:
    """The changes with their commits in one repository only."""
    for change in changes:
        yield replace(change, commits=tuple(one for one in change.commits if one.repository == repository))


def whole_facts(
    person: Person,
    commits: Sequence[Commit],
    credited: Iterable[tuple[Role, Commit]],
    context: FactsContext,
    notes: Sequence[str] = (),
) -> LifetimeFacts:
    """What is known of a person from all of their commits, and from others' whose trailers name them; with `notes`. Of
    the state of the index only the whole has notes."""
    zone, dates, names, corrections = context.zone, context.dates, context.names, context.corrections
    repositories, histories = context.repositories, context.histories_of(commits)
    end = Month.of(context.now, zone).bounds(zone)[1]
    sound = [replace(one, failure=None, shallow=False) for one in repositories]
    of_months = replace(context, repositories=sound)
    by_month: dict[Month, list[Commit]] = {}
    for commit in commits:
        by_month.setdefault(Month.of(commit.dated(dates).at, zone), []).append(commit)
    shown = [pair for pair in credited if not corrections.hides(pair[1], histories)]
    helped: dict[Month, list[tuple[Role, Commit]]] = {}
    for role, commit in shown:
        helped.setdefault(Month.of(commit.dated(dates).at, zone), []).append((role, commit))
    months = [
        month_facts(person, month, by_month[month], of_months, helped=helped_with(person, helped.get(month, ()), names))
        for month in sorted(by_month)
    ]
    own = person.signatures
    every = month_changes(commits, histories, end, names)
    changes = tuple(
        replace(change, shared_by=names(change.lead)) if change.lead not in own else change
        for change in corrections.corrected(every, histories).changes
    )
    return LifetimeFacts(
        person=person,
        zone=zone.key,
        months=tuple(facts for facts in months if facts.commits or not facts.hidden),
        changes=changes,
        helped=helped_with(person, shown, names),
        notes=(*notes, *state_of_index(repositories)),
        indexed_at=min((one.indexed_at for one in repositories if one.indexed_at), default=None),
        dates=dates,
        hidden=tuple({change for facts in months for change in facts.hidden}),
    )
