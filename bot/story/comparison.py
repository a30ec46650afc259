"""Months of one person, or of several people, side by side: in sentences, each with its commits. Pure.

Nothing is ranked, nothing is added up to a score, and lines of code are not mentioned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.model import Change, Sentence
from bot.month.calendar import Span
from bot.month.facts import MonthFacts, all_changes, by_kind, by_state
from bot.story.corrected import hidden_by_hand
from bot.story.layout import month_items
from bot.story.lines import called, in_span, span_title
from bot.story.list_documents import ComparedSide, ComparisonDocument
from bot.story.lists import called_people, commits_named, kinds_counted, notes_of, repositories_of
from bot.story.month import commits_of, headline, indexed_at, repository_counts
from bot.story.wording import clean, count, listed

MOST_ITEMS = 5  # of a side; its month tells the others
UNRANKED = "People are not ranked here: how many changes somebody made does not say what they are worth."
MOST_NAMED = 8  # technologies of a side, or of both


@dataclass(frozen=True, slots=True)
class ComparisonSide:
    """One of those that are held against each other: what is known of its months as of one, and what it is called.

    `name` tells it from the other sides: a month where all are one person's, else the person.
    """

    name: str
    months: Span
    facts: MonthFacts


def comparison_document(sides: Sequence[ComparisonSide], notes: Sequence[str] = ()) -> ComparisonDocument:
    """The document of two or more sides, in the order they are given in. At least one of them has commits."""
    one_person = len({side.facts.person for side in sides}) == 1
    spans = [side.facts for side in sides]
    every = all_changes(spans)
    commits = [commit for side in sides for commit in side.facts.commits]
    names = listed([side.name for side in sides])
    title = f"{clean(sides[0].facts.person.name)}: {names}" if one_person else f"{names}, {span_title(sides[0].months)}"
    numbers, *differences = _differences(sides, one_person=one_person)
    zone = sides[0].facts.zone
    if not one_person:
        notes = [UNRANKED, *notes]
    return ComparisonDocument(
        title=clean(title),
        from_=min(side.months.ends[0] for side in sides),
        to=max(side.months.ends[1] for side in sides),
        zone=zone,
        to_date=any(side.facts.to_date for side in sides),
        headline=numbers,
        sides=tuple(map(_side, sides)),
        differences=tuple(differences),
        commits=commits_named(commits),
        repositories=repositories_of(every),
        indexed_at=indexed_at(spans),
        notes=notes_of(every, spans, zone, hidden=hidden_by_hand(spans), last=notes),
    )


def _side(side: ComparisonSide) -> ComparedSide:
    facts = side.facts
    items, _ = month_items(facts)
    shas = tuple(dict.fromkeys(commit.sha for commit in facts.commits))
    first, last = side.months.ends
    return ComparedSide(
        name=clean(side.name),
        person=called_people([facts.person])[0],
        from_=first,
        to=last,
        to_date=facts.to_date,
        headline=Sentence(headline(facts).text, shas),
        counts={"commits": len(shas), **by_state(facts.changes)},
        kinds=kinds_counted(by_kind(_own(facts))),
        repositories=repository_counts([facts]),
        technologies=tuple(one.name for one in facts.skills.technologies),
        items=tuple(item for item in items if item.section in ("work", "fixed", "attention"))[:MOST_ITEMS],
    )


def _differences(sides: Sequence[ComparisonSide], *, one_person: bool) -> Iterator[Sentence]:
    """How many changes there are on each side, first; then where, with what, and what is common."""
    commits = tuple(dict.fromkeys(commit.sha for side in sides for commit in side.facts.commits))
    yield Sentence(_numbers(sides, one_person=one_person), commits)
    if not all(side.facts.changes for side in sides):
        return  # whatever there is, is of one side only
    yield from _set_against("Repositories", sides, _places)
    yield from _set_against("Technologies", sides, _technologies)
    if both := _common(sides):
        titles = listed([f"“{called(change)}”" for change in both[:3]])
        more = f" and {len(both) - 3:,} more" if len(both) > 3 else ""
        has = "has" if len(both) == 1 else "have"
        yield Sentence(f"{count(len(both), 'change')} {has} commits of each: {titles}{more}.", commits_of(both))


def _numbers(sides: Sequence[ComparisonSide], *, one_person: bool) -> str:
    made = [len(_own(side.facts)) for side in sides]
    if one_person:
        said = [
            f"{count(number, 'change') if not at else _number(number)} {in_span(side.months, side.facts.to_date)}"
            for at, (side, number) in enumerate(zip(sides, made, strict=True))
        ]
        return f"{clean(sides[0].facts.person.name)} made {listed(said)}."
    at = in_span(sides[0].months, sides[0].facts.to_date)
    said = [
        f"{clean(side.name)} made {count(number, 'change')}" if not n else f"{clean(side.name)} {_number(number)}"
        for n, (side, number) in enumerate(zip(sides, made, strict=True))
    ]
    return f"{at[:1].upper()}{at[1:]}, {listed(said)}."


def _number(number: int) -> str:
    """The number of another side's changes, behind a first one that says of what."""
    return f"{number:,}" if number else "none"


Used = dict[str, tuple[str, ...]]  # names, each with the commits that show it


def _set_against(what: str, sides: Sequence[ComparisonSide], of: Callable[[MonthFacts], Used]) -> Iterator[Sentence]:
    """What all sides have, and what only one of them has; nothing where they have the same."""
    used = [of(side.facts) for side in sides]
    every = list(dict.fromkeys(name for one in used for name in one))
    common = [name for name in every if all(name in one for one in used)]
    if not every or len(common) == len(every):
        return
    of_all = "both" if len(sides) == 2 else f"all {len(sides)}"
    said = [f"{what} of {of_all}: {_named(common)}."] if common else []
    shown = common[:MOST_NAMED]
    for side, one in zip(sides, used, strict=True):
        only = [name for name in one if sum(name in other for other in used) == 1]
        if only:
            said.append(
                f"{'Only' if said else f'{what} of'} {clean(side.name)}{'' if said else ' only'}: {_named(only)}."
            )
            shown += only[:MOST_NAMED]
    evidence = tuple(dict.fromkeys(sha for one in used for name in shown for sha in one.get(name, ())))
    if said:
        yield Sentence(" ".join(said), evidence)


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], *([f"{more:,} more"] if more > 0 else [])])


def _places(facts: MonthFacts) -> Used:
    found: dict[str, dict[str, None]] = {}
    for change in facts.changes:
        for commit in change.commits:
            found.setdefault(clean(commit.repository), {})[commit.sha] = None
    return {name: tuple(found[name]) for name in sorted(found)}


def _technologies(facts: MonthFacts) -> Used:
    return {one.name: one.evidence for one in facts.skills.technologies}


def _common(sides: Sequence[ComparisonSide]) -> list[Change]:
    """The changes in which all sides have a part."""
    ids = [{change.id for change in side.facts.changes} for side in sides]
    return [change for change in sides[0].facts.changes if all(change.id in one for one in ids)]


def _own(facts: MonthFacts) -> list[Change]:
    return [change for change in facts.changes if not change.is_shared]
