"""The months of several people → a channel's digest: the team's month, then each person's. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Person, Sentence
from bot.month.calendar import NAMES, AnyPeriod, Month
from bot.month.facts import FactsContext, MonthFacts, all_changes, by_state, month_facts, span_facts, state_of_index
from bot.month.machines import is_bot
from bot.month.people import by_whom, in_order
from bot.story.corrected import corrected_by_hand, hidden_by_hand
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.figures import digest_figures
from bot.story.month import commits_of, first_and_last, indexed_at, month_document, repository_counts
from bot.story.team import TeamMonth
from bot.story.weight import lines_of, weight_of
from bot.story.wording import clean, count, listed

# "Merge branch 'beta'", "Merge remote-tracking branch 'origin/beta'", "Merge pull request #7 from ada/beta"
_BRANCH = re.compile(r"Merge (?:[^']*'(?:origin/)?|pull request #\d+ from [^/\s]+/)([^'\s]+)")
# People of a digest, each with a part of their own. Nobody reads a longer thread, of which Slack takes one message a
# second; and of more people's changes, only so many may be among the few that the team's part tells in a sentence.
MOST_PEOPLE, MOST_WEIGHED = 500, 200
NO_PARTS = "So many people have no part of their own: ask for anybody's month by name."
Tell = Callable[[Sequence[MonthFacts]], Sequence[MonthDocument]]


@dataclass(frozen=True, slots=True)
class Digest:
    """The document of a month of everyone in a team or in the repositories, and the facts it is made of: of those
    who are in it, and of those who hid all they did, of whom nothing is shown. `notes` say the state of the index."""

    document: DigestDocument
    months: tuple[MonthFacts, ...]
    hidden: tuple[MonthFacts, ...]
    notes: tuple[str, ...]


def plainly(months: Sequence[MonthFacts]) -> list[MonthDocument]:
    return [month_document(facts) for facts in months]


def briefly(months: Sequence[MonthFacts]) -> list[MonthDocument]:
    """Nothing of what each person did."""
    return []


def month_digest(
    title: str,
    month: AnyPeriod,
    people: Sequence[Person],
    commits: Sequence[Commit],
    context: FactsContext,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
    tell: Tell = plainly,
) -> Digest:
    """The digest of a month: everyone who is active in it, in order of name, or only a team's people.

    Machines are left out and counted in a line, but for what somebody wrote with them. Nobody is ranked. `tell` makes
    what is shown of each person; of more than MOST_PEOPLE, only the team's month is shown, which counts all of them.
    """

    def is_shown(person: Person) -> bool:
        return not is_bot(person, bots) and (team is None or person in team)

    theirs, not_shown = by_whom(people, commits, is_shown, context.coauthors)
    machines = {person for person in not_shown if is_bot(person, bots)}
    authors = in_order(theirs)
    context = replace(context, histories=context.histories_of(commits))
    has_parts, until = len(authors) <= MOST_PEOPLE, month.bounds(context.zone)[1]
    every = [
        month_facts(p, month, theirs[p], context)
        if has_parts
        else span_facts(p, month, until, theirs[p], context, with_skills=False)
        for p in authors
    ]
    months = tuple(facts for facts in every if facts.commits or not facts.hidden)
    hidden = tuple(facts for facts in every if facts.hidden and not facts.commits)
    changes = all_changes(months)
    some = months if has_parts else _weightiest(months, changes)
    documents = tuple(tell(some))
    root = TeamMonth(months, list(zip(some, documents, strict=False)))
    by_machines = len({commit.sha for machine in machines for commit in not_shown[machine]})
    shas = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    attention, measured = tuple(root.attention()), tuple(root.measured())
    themes, others = root.themes(changes)
    first, last = first_and_last(month)
    zone, today = context.zone.key, month.today(context.now, context.zone)
    notes = tuple(state_of_index(context.repositories))
    document = DigestDocument(
        digest=clean(title),
        month=str(month),
        from_=first,
        to=last,
        zone=zone,
        to_date=today is not None,
        counts={"people": len(months), "commits": len(shas), **by_state(changes)},
        figures=digest_figures(month, months, zone, context.dates, today),
        repositories=repository_counts(months),
        headline=Sentence(_headline(months, changes), shas),
        attention=attention,
        measured=measured,
        themes=themes,
        others=others,
        machines=of_machines(machines, by_machines) if team is None and machines else "",
        people=documents if has_parts else (),
        indexed_at=indexed_at(months),
        notes=tuple(clean(note) for note in (*hidden_by_hand(every), *notes, *([] if has_parts else [NO_PARTS]))),
        details=tuple(map(clean, corrected_by_hand(changes, zone))),
    )
    return Digest(document, months, hidden, notes)


def _weightiest(months: Sequence[MonthFacts], changes: Sequence[Change]) -> list[MonthFacts]:
    """Those months with the largest of all changes, and the largest of those that were backed out, and these alone."""
    out = (one for one in changes if one.out or one.later)
    some = [
        *nlargest(MOST_WEIGHED, changes, weight_of),
        *nlargest(MOST_WEIGHED, out, lambda one: lines_of(one.lead.files)),
    ]
    ids = {one.id for one in some}
    whose = ((facts, tuple(one for one in facts.changes if one.id in ids)) for facts in months)
    return [replace(facts, changes=shown) for facts, shown in whose if shown]


def of_machines(machines: Iterable[Person], commits: int) -> str:
    """The line of a digest on the commits of machines, which it does not tell."""
    return f"Bots: {count(commits, 'commit')} by {count(len({one.name for one in machines}), 'account')}."


def with_merged(
    document: DigestDocument, changes: Sequence[Change], start: datetime, commits: Sequence[Commit], zone: ZoneInfo
) -> DigestDocument:
    """A digest from `start` on with a line about many changes that came before it and became known only now: on which
    branches they were, as far as merges among the `commits` since then say, and when they were written."""
    shas = frozenset(commits_of(changes))
    late = {one.sha: one for one in commits if one.came < start}
    brought: dict[str, str] = {}
    for merge in (one for one in commits if one.is_merge and one.came >= start):
        named, left = _BRANCH.match(merge.subject), list(merge.parents[1:])
        while left:
            if one := late.pop(left.pop(), None):
                left += one.parents
                brought |= {one.sha: clean(named[1])} if named and one.sha in shas else {}
    first, *_, last = sorted(Month.of(change.lead.author.at, zone) for change in changes)
    begun, ended = (one.title if first.year != last.year else NAMES[one.number - 1] for one in (first, last))
    written = f"in {ended}" if first == last else f"from {begun} to {ended}"
    rest = [change for change in changes if brought.keys().isdisjoint(commits_of([change]))]
    places = listed([*dict.fromkeys(clean(change.lead.repository) for change in rest)])
    merged = f"Merged: {listed([*dict.fromkeys(brought.values())])}{f', with others of {places}' if rest else ''}"
    what = merged if brought else f"Came late: {places}"
    line = Sentence(f"{what}, {count(len(changes), 'change')} written {written}.", tuple(sorted(shas)))
    headline = document.headline if document.counts["commits"] else replace(line, text="Nothing but what came late.")
    return replace(document, merged=line, headline=headline)


def _headline(months: Sequence[MonthFacts], changes: Sequence[Change]) -> str:
    commits = {commit.sha for facts in months for commit in facts.commits}
    if not commits:
        return "No commits."
    where = listed([clean(name) for name in sorted({one.name for facts in months for one in facts.repositories})])
    people = count(len(months), "person", "people")
    if not changes:
        return f"{people} merged branches in {where}."
    return f"{people}, {count(len(changes), 'change')} in {where}."
