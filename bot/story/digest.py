"""The months of several people → a channel's digest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Commit, Dates, Digest, Identity, MonthFacts, Person, Repository, Sentence
from bot.month.calendar import Month
from bot.month.changes import Names, as_signed
from bot.month.facts import all_changes, by_repository, month_facts, state_of_index
from bot.month.histories import History, by_commit, histories_of
from bot.month.people import everyone, in_order, is_bot
from bot.story.proof import counted
from bot.story.standing import state_counts, stayed
from bot.story.story import kinds_told, month_story
from bot.story.wording import clean, count, listed, when


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
    histories: Mapping[tuple[str, str], History] | None = None,
    names: Names = as_signed,
    dates: Dates = "author",
) -> Digest:
    """The digest of a month: everyone who is active in it by `dates`, in order of name, or only a team's people.

    Machines are left out and counted in a note. Nobody is ranked.
    """
    author = {(one.name, one.address): person for person in people for one in person.identities}
    theirs: dict[Person, list[Commit]] = {}
    for commit in commits:
        identity = Identity(commit.author.name, commit.author.address, 1)
        # Somebody whose first commit was indexed after `people` were read is told as they are.
        person = author.get((identity.name, identity.address)) or everyone([identity])[0]
        theirs.setdefault(person, []).append(commit)
    machines = {person for person in theirs if is_bot(person, bots)}
    told = in_order(p for p in theirs if p not in machines and (team is None or p in team))
    whole = by_commit(histories_of(commits)) if histories is None else histories
    months = [
        month_facts(p, month, zone, theirs[p], repositories, now, histories=whole, names=names, dates=dates)
        for p in told
    ]
    notes = list(state_of_index(repositories))
    if team is None and machines:
        called = sorted({clean(machine.name) for machine in machines})
        by_machines = len({commit.sha for machine in machines for commit in theirs[machine]})
        notes.append(
            f"{count(by_machines, 'commit')} by {listed(called)} {'is' if by_machines == 1 else 'are'} left out."
        )
    return Digest(
        title=title,
        month=month,
        zone=zone.key,
        to_date=not month.is_over(now, zone),
        headline=_headline(month, not month.is_over(now, zone), months),
        months=tuple((facts, month_story(facts)) for facts in months),
        notes=tuple(notes),
        dates=dates,
    )


def _headline(month: Month, to_date: bool, months: Sequence[MonthFacts]) -> Sentence:
    at = when(month, to_date)
    commits = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    if not commits:
        return Sentence(f"No commits {at}.", ())
    repositories = [clean(repository.name) for repository, _, _ in by_repository(months)]
    where = listed(repositories)
    all_of_them = all_changes(months)
    made = len(all_of_them)
    makers = count(sum(bool(facts.changes) for facts in months), "person", "people")
    others = count(sum(not facts.changes for facts in months), "person", "people")
    changes, kinds = count(made, "change"), kinds_told(all_of_them)
    if not made:
        text = f"{others} merged branches in {where} {at}."
    else:
        text = f"{makers} made {changes} in {where} {at}{kinds}."
        text += f" {not_all}" if (not_all := stayed(all_of_them, to_date)) else ""
        if others != "0 people":
            text += f" {others} only merged branches."
    of_states = state_counts(all_of_them)
    computed = (at, makers, others, changes, kinds, *repositories, *of_states)
    return counted(Sentence(text, commits), f"The month's work {at}.", months, computed)
