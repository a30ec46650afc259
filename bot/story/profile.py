"""LifetimeFacts → the JSON document of a profile: spans, counts and the largest titles, then a line a month. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.model import Change, Sentence
from bot.month.facts import LifetimeFacts, MonthFacts
from bot.month.kinds import says_nothing
from bot.month.title import title_of
from bot.story.documents import (
    LineDocument,
    MonthDocument,
    PersonDocument,
    ProfileDocument,
    ProfileRepository,
    ProfileTheme,
    SkillsDocument,
)
from bot.story.lines import called, line_of, span_title
from bot.story.month import by_committer, commits_of, month_document
from bot.story.quoting import measured
from bot.story.themes import themes_of
from bot.story.things import Judgement, Thing, judged
from bot.wording import clean, count, listed

MOST_THEMES = 4
FEW = 6  # changes of a whole history, which its months tell
MOST_TITLES = 3  # of a theme
MOST_MONTHS = 12  # that a profile tells in a line each, the newest
MOST_MEASURED = 4
LONGEST_TITLE = 80
Of = Mapping[str, Judgement]  # what is decided of each change, by its id


def profile_document(whole: LifetimeFacts) -> ProfileDocument:
    """The document of a whole history, as docs/months.md describes it."""
    of = judged(whole.changes)
    months = tuple(_month(one, of) for one in reversed(whole.months))
    every = {commit.sha for commit in whole.commits}
    shown = {sha for month in months for item in month.items for sha in item.evidence}
    return ProfileDocument(
        person=PersonDocument(clean(whole.person.name), tuple(map(clean, whole.person.addresses))),
        from_=str(whole.span.first) if whole.span else None,
        to=str(whole.span.last) if whole.span else None,
        zone=whole.zone,
        to_date=whole.to_date,
        counts=whole.counts,
        paragraph=tuple(_paragraph(whole)),
        themes=tuple(_themes(whole, of)),
        measured=tuple(_measured(whole, of)),
        skills=SkillsDocument(whole.languages, whole.technologies),
        repositories=tuple(ProfileRepository(clean(one.name), *counts) for one, *counts in whole.repositories),
        earlier=_earlier(whole),
        months=months,
        coverage={"commits_told": len(shown & every), "commits_total": len(every)},
        indexed_at=whole.indexed_at.isoformat(timespec="seconds") if whole.indexed_at else None,
        notes=tuple(map(clean, whole.notes)),
        details=by_committer(whole.dates),
    )


def _earlier(whole: LifetimeFacts) -> str:
    """The months that are not shown in a line of their own, in words; empty where all are."""
    older = whole.months[:-MOST_MONTHS]
    if not older:
        return ""
    first, last = older[0].month, older[-1].month
    span = first.title if first == last else f"{first.title} to {last.title}"
    return f"{count(len(older), 'earlier active month')}: {span}"


def _themes(whole: LifetimeFacts, of: Of) -> list[ProfileTheme]:
    """What recurs in two months or more, the most frequent first."""
    stayed = [one for one in whole.own if one.state != "backed_out" and one.kind != "revert"]
    work = [one for one in stayed if not (one.chore or says_nothing(title_of(one.lead).words))]
    stayed = work if 2 * len(work) > len(stayed) else stayed  # unless documents, or tests, are what somebody does
    if len(stayed) <= FEW:
        return []
    found = [one for one in themes_of([Thing((one,), one, of[one.id]) for one in stayed]) if one.name]
    named = [(one.name, [thing.lead for thing in one.things]) for one in found]
    recurring = [
        (name, some) for name, some in named if len(some) >= len(stayed) // 30 and not whole.span_of(some).is_one
    ]
    recurring.sort(key=lambda one: (-len(one[1]), one[0]))
    return [_theme(name, some, whole, of) for name, some in recurring[:MOST_THEMES]]


def _paragraph(whole: LifetimeFacts) -> Iterator[Sentence]:
    """How much, where and when; what of it did not stay; and what was done for others."""
    every = tuple(dict.fromkeys(commit.sha for commit in whole.commits))
    span = whole.span
    if span is None:
        helped = tuple(dict.fromkeys(sha for one in whole.helped for sha in one.evidence))
        yield Sentence("No commits of their own." if helped else "No commits.", helped)
        return
    places = listed([clean(one.name) for one, *_ in whole.repositories[:4]])
    active = count(len(whole.months), "active month")
    yield Sentence(f"{count(len(whole.own), 'change')} in {places}, {span_title(span)}, {active}.", every)
    out = [one for one in whole.own if one.state == "backed_out"]
    back = [one for one in whole.own if one.state == "relanded"]
    said = [f"{len(out):,} backed out"] if out else []
    said += [f"{len(back):,} backed out and back in"] if back else []
    if said:
        yield Sentence(f"Of these, {listed(said)}.", commits_of([*out, *back]))
    if shared := [one for one in whole.changes if one.is_shared]:
        yield Sentence(f"Co-author of {count(len(shared), 'change')} by others.", commits_of(shared))
    if reviewed := tuple(dict.fromkeys(s for one in whole.helped if one.role == "reviewer" for s in one.evidence)):
        yield Sentence(f"Named as reviewer of {count(len(reviewed), 'change')} by others.", reviewed)


def _theme(name: str, changes: Sequence[Change], whole: LifetimeFacts, of: Of) -> ProfileTheme:
    """A recurring theme with its largest titles, the earlier first."""
    ranked = sorted(changes, key=lambda one: (-of[one.id].weight, one.lead.written))
    shown = sorted(_different(ranked)[:MOST_TITLES], key=lambda one: one.lead.written)
    months = whole.span_of(changes)
    return ProfileTheme(
        name=clean(name),
        changes=len(changes),
        from_=str(months.first),
        to=str(months.last),
        when=span_title(months),
        lines=tuple(map(_line, shown)),
        evidence=commits_of(changes),
    )


def _different(changes: Sequence[Change]) -> list[Change]:
    """The changes, one of each title."""
    return list({title_of(one.lead).words.casefold(): one for one in reversed(changes)}.values())[::-1]


def _month(facts: MonthFacts, of: Of) -> MonthDocument:
    """A month's document with the change that a reader notices most, by which a profile tells it in a line."""
    own = [one for one in facts.changes if not one.is_shared] or list(facts.changes)
    stayed = [one for one in own if one.state != "backed_out" and one.kind != "revert"] or own
    weight = {one.id: of[one.id].weight for one in stayed if one.id in of}
    largest = max(stayed, key=lambda one: (weight.get(one.id, 0), one.lead.author.seconds), default=None)
    return replace(
        month_document(facts),
        largest=_line(largest) if largest else None,
        own=sum(not one.is_shared for one in facts.changes),
    )


def _line(change: Change) -> LineDocument:
    return line_of(change, called(change, LONGEST_TITLE))


def _measured(whole: LifetimeFacts, of: Of) -> Iterator[LineDocument]:
    found = [(one, text) for one in whole.own for text in measured(one)[:1]]
    for change, text in sorted(found, key=lambda one: -of[one[0].id].weight)[:MOST_MEASURED]:
        yield replace(_line(change), measured=(text,), text=text)
