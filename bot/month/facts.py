"""Commits → MonthFacts of a month or of a whole history: every number that is ever said of these is counted here.
Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Dates, Key, Person, Repository, Role, State
from bot.month.calendar import AnyPeriod, Month
from bot.month.corrections import NOTHING_SAID, Corrections
from bot.month.histories import History, Names, as_signed, by_commit, histories_of, month_changes, with_number
from bot.month.paths import LanguageLines, Technology, languages_of, technologies_of
from bot.wording import UNNAMED

_ROLES: tuple[Role, ...] = ("reviewer", "coauthor", "suggester", "tester", "reporter", "helper")


@dataclass(frozen=True, slots=True)
class Helped:
    """What a person did for others' commits of one repository in one role: how many commits, of how many people."""

    role: Role
    repository: str
    commits: int
    people: int
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class MonthFacts:
    """All that is known of one developer's month, and every number that is ever said about it.

    `changes` and `merges` are in order of author date, then title: the order of writing, by whichever of its dates a
    commit belongs to the month (`dates`). `hidden` are the ids of the changes that are left out at their author's wish:
    nothing but their number is ever shown. `before` came in the month and was written before it, and is in no number.
    `today` is the present day in the zone of a month that is not over.
    """

    person: Person
    month: AnyPeriod
    zone: str
    today: date | None
    changes: tuple[Change, ...]
    merges: tuple[Commit, ...]
    repositories: tuple[Repository, ...]  # those with commits in the month, by name
    indexed_at: datetime | None
    notes: tuple[str, ...] = ()
    helped: tuple[Helped, ...] = ()  # by role and repository
    dates: Dates = "author"
    hidden: tuple[str, ...] = ()
    before: tuple[Change, ...] = ()

    @property
    def to_date(self) -> bool:
        return self.today is not None

    @cached_property
    def end(self) -> datetime:
        """When the month is over."""
        return self.month.bounds(ZoneInfo(self.zone))[1]

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        """Every commit of the month, each once, in order of author date, then title."""
        every = {c.key: c for change in self.changes for c in change.commits}
        every |= {c.key: c for c in self.merges}
        return tuple(sorted(every.values(), key=lambda c: c.written))

    @cached_property
    def _work(self) -> list[Commit]:
        """The commit of each change, without its exports and what reverted it and brought it back; none of what only
        reverts."""
        return list({one.lead.sha: one.lead for one in self.changes if one.kind != "revert"}.values())

    @property
    def languages(self) -> tuple[LanguageLines, ...]:
        return languages_of(self._work)

    @property
    def technologies(self) -> tuple[Technology, ...]:
        return technologies_of(self._work)


@dataclass(frozen=True)
class FactsContext:
    """What facts are made by, whosever they are: where days begin, the repositories of the index, and what is known
    beside the commits.

    `histories` are those of the commits and of all that is tied to them, by whoever and whenever, as
    `bot.month.histories.by_commit` gives them; where they are not given, the commits are all there is. `names` tells
    who an author is, `dates` by which date a commit is in a month. `corrections` are what was said by hand, `coauthors`
    whom the trailers of a commit name as such.
    """

    zone: ZoneInfo
    repositories: Sequence[Repository]
    now: datetime
    histories: Mapping[tuple[str, str], History] | None = None
    names: Names = as_signed
    dates: Dates = "author"
    corrections: Corrections = NOTHING_SAID
    coauthors: Callable[[Commit], Sequence[Person]] = lambda _: ()

    def is_shown(self, commit: Commit) -> bool:
        """Whether a commit may be called by its title: neither it nor its author is hidden."""
        return self.names(commit) != UNNAMED and not self.corrections.hides(commit, self.histories_of([commit]))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the index, whosever month is read."""
        return state_of_index(self.repositories)

    @cached_property
    def indexed_at(self) -> datetime | None:
        """When the oldest index of the repositories was last found to be current."""
        return min((one.indexed_at for one in self.repositories if one.indexed_at), default=None)

    def histories_of(self, commits: Sequence[Commit]) -> Mapping[tuple[str, str], History]:
        return by_commit(histories_of(commits)) if self.histories is None else self.histories


def month_facts(
    person: Person,
    month: AnyPeriod,
    commits: Iterable[Commit],
    context: FactsContext,
    notes: Sequence[str] = (),
    *,
    helped: Iterable[Helped] = (),
    before: Sequence[Commit] = (),
) -> MonthFacts:
    """What is known of a person's month, from their commits of it, and from those that came in it and that they wrote
    `before`. What was said by hand counts; of a change that was hidden so, nothing is a part of the month."""
    until = month.bounds(context.zone)[1]
    facts = span_facts(person, month, until, list(commits), context, notes)

    def names(one: Change) -> set[tuple[str, str]]:
        return {(one.lead.repository, name) for name in (one.id, *one.refs, one.lead.via or one.id)}

    # What is only counted, as a page, stands for nothing else that one merge brought.
    shown = {name for one in facts.changes for name in names(one) if not one.chore or name[1] != one.lead.via}
    earlier = span_facts(person, month, until, before, context).changes if before else ()
    new = (one for one in earlier if shown.isdisjoint(names(one)))
    return replace(facts, helped=tuple(helped), before=tuple(new))


def with_numbers(facts: MonthFacts, topics: Mapping[Key, Commit]) -> MonthFacts:
    """Facts of which each change that came by one of the topic merges has a number, if only that of the merge."""
    return replace(facts, changes=tuple(with_number(one, topics) for one in facts.changes))


def span_facts(
    person: Person,
    last: AnyPeriod,
    until: datetime | None,
    commits: Sequence[Commit],
    context: FactsContext,
    notes: Sequence[str] = (),
) -> MonthFacts:
    """What is known of a person's commits of some months up to the `last`; nothing is said of help.

    Changes are shown as they stood just before `until`, or now. What was said by hand counts, as in `month_facts`.
    """
    own = person.signatures
    histories, names = context.histories_of(commits), context.names
    corrected = context.corrections.corrected(month_changes(commits, histories, until, names), histories)
    changes = tuple(
        change if change.lead in own else replace(change, shared_by=names(change.lead)) for change in corrected.changes
    )
    if any(change.undone for change in changes):  # what is not to be shown is not named by what takes it out
        changes = tuple(replace(one, undone=tuple(filter(context.is_shown, one.undone))) for one in changes)
    shown = [commit for commit in commits if commit.key not in corrected.gone] if corrected.gone else commits
    touched = {commit.repository for commit in shown}
    return MonthFacts(
        person=person,
        month=last,
        zone=context.zone.key,
        today=last.today(context.now, context.zone),
        changes=changes,
        merges=tuple(sorted((c for c in shown if c.is_merge), key=lambda c: c.written)),
        repositories=tuple(sorted((r for r in context.repositories if r.name in touched), key=lambda r: r.name)),
        indexed_at=context.indexed_at,
        notes=(*notes, *context.notes),
        dates=context.dates,
        hidden=corrected.hidden,
    )


def helped_with(
    person: Person, credited: Iterable[tuple[Role, Commit]], names: Names = as_signed
) -> tuple[Helped, ...]:
    """What a person did for others' commits, from the commits whose trailers name them, by role and repository.

    Co-authored commits are the person's own as well, and so are not among these.
    """
    found: dict[tuple[Role, str], dict[str, Commit]] = {}
    own = person.signatures
    for role, commit in credited:
        if role != "coauthor" and commit not in own and not commit.is_merge:
            found.setdefault((role, commit.repository), {})[commit.sha] = commit
    return tuple(
        Helped(
            role,
            repository,
            len(commits),
            len({names(commit) for commit in commits.values()}),
            tuple(sorted(commits, key=lambda sha: commits[sha].written)),
        )
        for (role, repository), commits in sorted(found.items(), key=lambda one: (_ROLES.index(one[0][0]), one[0][1]))
    )


def state_of_index(repositories: Iterable[Repository]) -> tuple[str, ...]:
    """What a reader must know of repositories that could not be read, or not in full."""
    notes = []
    for one in repositories:
        if one.failure:
            at = one.indexed_at
            until = f"shown as of {at.day} {Month(at.year, at.month).title}" if at else "not shown in full"
            notes.append(f"{one.name} could not be read at the last try, so it is {until}.")
        elif one.shallow:
            notes.append(f"{one.name} was read from a shallow clone, so older commits are missing.")
    return tuple(notes)


def counts(facts: MonthFacts) -> dict[str, int]:
    """The numbers of a month. Lines are those of its own changes, each counted once however often it was exported,
    reverted and brought back; a merge's were counted with what it merged, and shared work with its author's."""
    files = [file for one in facts.changes if not one.is_shared for file in one.lead.files]
    return {
        "commits": len({commit.sha for commit in facts.commits}),
        **by_state(all_changes([facts])),
        "additions": sum(file.additions or 0 for file in files),
        "deletions": sum(file.deletions or 0 for file in files),
    }


def all_changes(facts: Iterable[MonthFacts]) -> tuple[Change, ...]:
    """The changes of the months of one or several people, each once; where two have a part in one, its author's."""
    found: dict[str, Change] = {}
    for change in (change for month in facts for change in month.changes):
        if change.id not in found or found[change.id].is_shared:
            found[change.id] = change
    return tuple(found.values())


def by_state(changes: Iterable[Change]) -> dict[str, int]:
    """How many changes there are, and how many of them stand, are out, or are back. One that is out in part stands."""
    states: Counter[State] = Counter(change.state for change in changes)
    return {
        "changes": states.total(),
        "landed": states["landed"] + states["partly"],
        "backed_out": states["backed_out"],
        "relanded": states["relanded"],
    }


def by_repository(facts: Iterable[MonthFacts]) -> list[tuple[Repository, int, int]]:
    """Each repository with its commits and changes, by name."""
    months = list(facts)
    known = {repository.name: repository for month in months for repository in month.repositories}
    commits = Counter(name for name, _ in {(c.repository, c.sha) for month in months for c in month.commits})
    changes = Counter(
        name for name, _ in {(c.repository, change.id) for m in months for change in m.changes for c in change.commits}
    )
    return [(known[name], commits[name], changes[name]) for name in sorted(known)]


# --- all of somebody's months together


@dataclass(frozen=True)
class LifetimeFacts(MonthFacts):
    """What is known of a person's whole history as it stands now, each change once however many months have a part in
    it, and its active `months`, those with commits, oldest first."""

    months: tuple[MonthFacts, ...] = ()


def whole_facts(
    person: Person, commits: Sequence[Commit], credited: Iterable[tuple[Role, Commit]], context: FactsContext
) -> LifetimeFacts:
    """What is known of a person from all of their commits, and from others' whose trailers name them. Of the state of
    the index only the whole has notes."""
    zone, histories = context.zone, context.histories_of(commits)
    of_months = replace(
        context, repositories=[replace(one, failure=None, shallow=False) for one in context.repositories]
    )
    shown = [pair for pair in credited if not context.corrections.hides(pair[1], histories)]
    by_month, helped = defaultdict[Month, list[Commit]](list), defaultdict[Month, list[tuple[Role, Commit]]](list)
    for commit in commits:
        by_month[Month.of(commit.dated(context.dates).at, zone)].append(commit)
    for role, commit in shown:
        helped[Month.of(commit.dated(context.dates).at, zone)].append((role, commit))
    months = (
        month_facts(person, one, by_month[one], of_months, helped=helped_with(person, helped[one], context.names))
        for one in sorted(by_month)
    )
    now = Month.of(context.now, zone)
    whole = span_facts(person, now, now.bounds(zone)[1], commits, context)
    kept = tuple(facts for facts in months if facts.commits or not facts.hidden)
    helped_all = helped_with(person, shown, context.names)
    return LifetimeFacts(**vars(whole) | {"helped": helped_all, "months": kept})
