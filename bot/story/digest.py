"""The months of several people → a channel's digest. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Commit, Digest, MonthFacts, Person, Repository, Sentence
from bot.month.calendar import Month
from bot.month.facts import by_kind, by_repository, month_facts, state_of_index
from bot.month.people import is_bot
from bot.story.story import month_story
from bot.story.wording import count, kinds_listed, listed


def month_digest(
    title: str,
    month: Month,
    zone: ZoneInfo,
    people: Sequence[Person],
    commits: Sequence[Commit],
    repositories: Sequence[Repository],
    now: datetime,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
) -> Digest:
    """The digest of a month: everyone who is active, in order of name, or only a team's people.

    Machines are left out and counted in a note. Nobody is ranked.
    """
    author = {(one.name, one.address): person for person in people for one in person.identities}
    theirs: dict[Person, list[Commit]] = {}
    for commit in commits:
        theirs.setdefault(author[commit.author.name, commit.author.address], []).append(commit)
    machines = {person for person in theirs if is_bot(person, bots)}
    told = [p for p in people if p in theirs and p not in machines and (team is None or p in team)]
    months = [month_facts(p, month, zone, theirs[p], repositories, now) for p in told]
    notes = list(state_of_index(repositories))
    if team is None and machines:
        by_machines = sum(len(theirs[machine]) for machine in machines)
        notes.append(f"{count(by_machines, 'commit')} by {listed(sorted(m.name for m in machines))} left out.")
    return Digest(
        title=title,
        month=month,
        zone=zone.key,
        to_date=not month.is_over(now, zone),
        headline=_headline(month, not month.is_over(now, zone), months),
        months=tuple((facts, month_story(facts)) for facts in months),
        notes=tuple(notes),
    )


def _headline(month: Month, to_date: bool, months: Sequence[MonthFacts]) -> Sentence:
    when = f"in {month.title}" + (" so far" if to_date else "")
    commits = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    if not commits:
        return Sentence(f"No commits {when}.", ())
    changes = {change.id for facts in months for change in facts.changes}
    where = listed([repository.name for repository, _, _ in by_repository(months)])
    people = count(len(months), "person", "people")
    if not changes:
        return Sentence(f"{people} merged branches in {where} {when}.", commits)
    made = f"{people} made {count(len(changes), 'change')} in {where} {when}: {kinds_listed(by_kind(months))}."
    return Sentence(made, commits)
