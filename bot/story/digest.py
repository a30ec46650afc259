"""The months of several people → a team's post: what came, told together. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Person, Sentence, Tag
from bot.month.calendar import NAMES, AnyPeriod, Days, Month
from bot.month.credits import is_bot
from bot.month.facts import FactsContext, MonthFacts, all_changes, by_state, span_facts, state_of_index
from bot.month.people import by_whom, in_order, likely_same
from bot.month.releases import is_final, version_of
from bot.story.documents import DigestDocument
from bot.story.lines import corrected_by_hand, day, hidden_by_hand
from bot.story.month import change_document, commits_of, first_and_last, indexed_at, repository_counts
from bot.story.team import TeamContext, team_post
from bot.story.wording import clean, count, listed, listed_few

# "Merge branch 'beta'", "Merge remote-tracking branch 'origin/beta'", "Merge pull request #7 from ada/beta"
_BRANCH = re.compile(r"Merge (?:[^']*'(?:origin/)?|pull request #\d+ from [^/\s]+/)([^'\s]+)")
MOST_LINES = 4  # of versions, of which the newest are named
MOST_BY_NAME = 8  # people
MOST_PLACES = 5  # repositories that are named


@dataclass(frozen=True, slots=True)
class Digest:
    """The document of what came in a time, and the facts it is made of: of those who are in it."""

    document: DigestDocument
    months: tuple[MonthFacts, ...]


def nothing_known(_: Sequence[MonthFacts]) -> TeamContext:
    """Nothing beside the changes."""
    return TeamContext()


def month_digest(
    title: str,
    month: AnyPeriod,
    people: Sequence[Person],
    commits: Sequence[Commit],
    context: FactsContext,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
    known: Callable[[Sequence[MonthFacts]], TeamContext] = nothing_known,
) -> Digest:
    """The digest of a time: of everyone who is active in it, or only of a team's people.

    Machines are left out and counted in a line, but for what somebody wrote with them. Nobody is ranked. `known` says
    what is known beside the changes.
    """

    def is_shown(person: Person) -> bool:
        return not is_bot(person, bots) and (team is None or person in team)

    theirs, not_shown = by_whom(people, commits, is_shown, context.coauthors)
    machines = {person for person in not_shown if is_bot(person, bots)}
    context = replace(context, histories=context.histories_of(commits))
    until = month.bounds(context.zone)[1]
    every = [span_facts(p, month, until, theirs[p], context) for p in in_order(theirs)]
    months = tuple(facts for facts in every if facts.commits or not facts.hidden)
    changes = all_changes(months)
    shas = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    first, last = first_and_last(month)
    days, beside = Days.of(month), known(months)
    post = team_post(changes, _whose(months), beside, context.zone, (days.end - days.first).days)
    document = DigestDocument(
        digest=clean(title),
        month=str(month),
        from_=first,
        to=last,
        span=(str(days.first), str(days.end)),
        zone=context.zone.key,
        to_date=month.today(context.now, context.zone) is not None,
        counts={"people": len(_people(months)), "commits": len(shas), **by_state(changes)},
        repositories=tuple(one.name for one in repository_counts(months)),
        headline=Sentence(_headline(months, changes), shas),
        released=_released(beside.tags, context.zone),
        things=post.things,
        notable=post.notable,
        areas=post.areas,
        also=post.also,
        counted=post.counted,
        rest=post.rest,
        machines=of_machines(machines, not_shown) if team is None else "",
        changes=tuple(map(change_document, changes)),
        indexed_at=indexed_at(months),
        notes=tuple(clean(note) for note in (*hidden_by_hand(every), *state_of_index(context.repositories))),
        details=tuple(map(clean, corrected_by_hand(changes, context.zone.key))),
        release=None,
    )
    return Digest(document, months)


def with_names(digest: Digest) -> DigestDocument:
    """The document of an answer about a time of few people, which says in its first sentence how much is whose."""
    document, by = digest.document, Counter(_whose(digest.months).values())
    if not 1 < len(by) <= MOST_BY_NAME:
        return document
    named = ", ".join(f"{name} {number:,}" for name, number in by.most_common())
    return replace(document, headline=replace(document.headline, text=f"{document.headline.text[:-1]}: {named}."))


def _people(months: Sequence[MonthFacts]) -> set[Person]:
    """Who made changes; where nobody did, who merged."""
    made = [facts.person for facts in months if facts.changes]
    return set(likely_same(made or [facts.person for facts in months]).values())


def _whose(months: Sequence[MonthFacts]) -> Mapping[str, str]:
    """Whose each change is, by its id: its author's, or of who wrote it with one who is not told. Addresses are in no
    post."""
    found: dict[str, str] = {}
    names = likely_same([facts.person for facts in months])
    whose = ((names[facts.person], change) for facts in months for change in facts.changes)
    # Of what a machine wrote, or another team, those of its co-authors who are told come first.
    for person, change in sorted(whose, key=lambda one: one[1].is_shared):
        name = clean(person.name)
        found.setdefault(change.id, f"{name} with {clean(change.shared_by)}" if change.is_shared else name)
    return found


def _released(tags: Sequence[Tag], zone: ZoneInfo) -> str:
    """Which versions were tagged: of each line of releases, such as 2.5, the first to the last, each once; of a
    repository that has only pre-releases, the last of these. Of several repositories each is named."""
    several = len({one.repository for one in tags}) > 1
    ordered = sorted((one for one in tags if version_of(one.name)), key=lambda each: (each.at, each.name))
    finals = [one for one in ordered if is_final(one)]
    last = {one.repository: one for one in ordered}
    before = [one for name, one in last.items() if not any(each.repository == name for each in finals)]
    lines: dict[object, list[Tag]] = {}
    for one in (*finals, *before):
        version = version_of(one.name)
        line = version and (version.shape if version.is_dated else version.line)
        held = lines.setdefault((one.repository, line), [])
        if not any(version_of(each.name) == version for each in held):
            held.append(one)

    def said(one: Tag) -> str:
        on = one.at.astimezone(zone).date().isoformat()
        where = f"{clean(one.repository.rpartition('/')[2])} " if several else ""
        return f"{where}{clean(one.name)} ({day(on, on)})"

    def order(some: Sequence[Tag]) -> tuple[object, ...]:  # those without words in front first, the newest first
        version = version_of(some[-1].name)
        return (len(version.shape[0]), *(-one for one in version.numbers)) if version else ()

    every = [
        said(some[0]) if len(some) == 1 else f"{said(some[0])} to {said(some[-1])}"
        for some in sorted(sorted(lines.values(), key=order), key=lambda some: some[-1].repository)
    ]
    return f"Released {listed_few(every, MOST_LINES)}." if every else ""


def of_machines(machines: Iterable[Person], theirs: Mapping[Person, Sequence[Commit]]) -> str:
    """The line of a digest on the commits of machines, which it does not tell: their merges are what others wrote.
    Empty where there are none."""
    by = {one.name: shas for one in machines if (shas := {each.sha for each in theirs[one] if not each.is_merge})}
    commits = count(len(set().union(*by.values())), "commit")
    return f"Bots alone: {commits} by {count(len(by), 'account')}." if by else ""


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
    names = [clean(name) for name in sorted({one.name for facts in months for one in facts.repositories})]
    where = listed(names) if len(names) <= MOST_PLACES else count(len(names), "repository", "repositories")
    people = count(len(_people(months)), "person", "people")
    if not changes:
        return f"{people} merged branches in {where}."
    return f"{people}, {count(len(changes), 'change')} in {where}."
