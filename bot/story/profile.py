"""LifetimeFacts → the JSON document of a profile: spans, counts and the largest titles, then a line a month. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bot.model import Change, MonthFacts, Sentence
from bot.month.calendar import NAMES, AnyPeriod, Month, MonthRange
from bot.month.lifetime import Contributed, LifetimeFacts, counts_of
from bot.story.document import (
    SCHEMA,
    Document,
    by_committer,
    chain,
    commits_of,
    line_document,
    month_document,
    sentence_document,
    skills_document,
)
from bot.story.measured import measured
from bot.story.parts import ByHand, Line, Story
from bot.story.quote import Quote
from bot.story.states import step_documents
from bot.story.title import SHORT_CUTS, cut, number_of, title_of
from bot.story.topics import Topic, topics_of
from bot.story.weight import lines_of, weight_of
from bot.story.wording import clean, count, listed

MOST_TOPICS, FEWEST_OF_TOPIC = 4, 3
FEW = 6  # changes of a whole history, which its months tell
MOST_TITLES = 3  # of a topic
MOST_MONTHS = 12  # that a profile tells in a line each, the newest
MOST_MEASURED, MOST_TAKEN_OUT = 4, 3
LONGEST_TITLE = 80
MOSTLY = 0.8  # of a topic's changes lie in the months that are named, if those are at most a year


def profile_document(whole: LifetimeFacts, stories: Mapping[AnyPeriod, Story]) -> Document:
    """The document of a whole history, as docs/json.md describes it; `stories` has one for each of its months."""
    months = [_month(facts, stories[facts.month]) for facts in reversed(whole.months)]
    every = {commit.sha for commit in whole.commits}
    told = {sha for month in months for item in month["items"] for sha in item["evidence"]}
    topics = _topics(whole)
    return {
        "schema": SCHEMA,
        "person": {
            "name": clean(whole.person.name),
            "addresses": [clean(address) for address in whole.person.addresses],
        },
        "from": str(whole.span.first) if whole.span else None,
        "to": str(whole.span.last) if whole.span else None,
        "zone": whole.zone,
        "to_date": whole.to_date,
        "counts": counts_of(whole),
        "paragraph": [sentence_document(one) for one in _paragraph(whole, topics)],
        "themes": [_theme(topic, whole) for topic in topics],
        "measured": list(_measured(whole)),
        "attention": list(_taken_out(whole)),
        "skills": skills_document(whole.skills),
        "repositories": [_repository(one) for one in whole.repositories],
        "earlier": _earlier(whole),
        "months": months,
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": whole.indexed_at.isoformat(timespec="seconds") if whole.indexed_at else None,
        "notes": [clean(note) for note in whole.notes],
        "details": list(by_committer(whole.dates)),
    }


def _earlier(whole: LifetimeFacts) -> str:
    """The months that are not told in a line of their own, in words; empty where all are."""
    older = whole.months[:-MOST_MONTHS]
    if not older:
        return ""
    first, last = older[0].month, older[-1].month
    span = first.title if first == last else f"{first.title} to {last.title}"
    return f"{count(len(older), 'earlier active month')}: {span}"


def _topics(whole: LifetimeFacts) -> list[Topic]:
    """What recurs in two months or more, the most frequent first."""
    stayed = [one for one in whole.own if one.state != "backed_out" and one.kind != "revert"]
    if len(stayed) <= FEW:
        return []
    found = topics_of(stayed, max(FEWEST_OF_TOPIC, len(stayed) // 30), 2 * MOST_TOPICS)
    recurring = [one for one in found if not whole.span_of(one.changes).is_one]
    return sorted(recurring, key=lambda one: (-len(one.changes), one.name))[:MOST_TOPICS]


def _paragraph(whole: LifetimeFacts, topics: Sequence[Topic]) -> Iterator[Sentence]:
    """How much, where and when; what of it did not stay; and what was done for others."""
    every = tuple(dict.fromkeys(commit.sha for commit in whole.commits))
    span = whole.span
    if span is None:
        helped = tuple(dict.fromkeys(sha for one in whole.helped for sha in one.evidence))
        yield Sentence("No commits of their own." if helped else "No commits.", helped)
        return
    places = listed([clean(one.repository.name) for one in whole.repositories[:4]])
    active = count(len(whole.months), "active month")
    yield Sentence(f"{count(len(whole.own), 'change')} in {places}, {short_span(span)}, {active}.", every)
    out = [one for one in whole.own if one.state == "backed_out"]
    back = [one for one in whole.own if one.state == "relanded"]
    said = [f"{len(out):,} backed out"] if out else []
    said += [f"{len(back):,} backed out and back in"] if back else []
    if said:
        yield Sentence(f"Of these, {listed(said)}.", tuple(commits_of([*out, *back])))
    if shared := [one for one in whole.changes if one.is_shared]:
        yield Sentence(f"Co-author of {count(len(shared), 'change')} by others.", tuple(commits_of(shared)))
    if reviewed := tuple(dict.fromkeys(s for one in whole.helped if one.role == "reviewer" for s in one.evidence)):
        yield Sentence(f"Reviewed {count(len(reviewed), 'change')} by others.", reviewed)


def short_span(months: MonthRange) -> str:
    """ "June to October 2025", "November 2024 to May 2025", "July 2025"."""
    first, last = months.first, months.last
    if first.year == last.year and first != last:
        return f"{NAMES[first.number - 1]} to {last.title}"
    return months.title


def _theme(topic: Topic, whole: LifetimeFacts) -> Document:
    """A recurring topic with its largest titles, the earlier first."""
    ranked = sorted(topic.changes, key=lambda one: (-weight_of(one), one.lead.author.seconds, one.id))
    shown = sorted(_different(ranked)[:MOST_TITLES], key=lambda one: (one.lead.author.seconds, one.id))
    months = whole.span_of(topic.changes)
    mostly = _mostly(topic, whole)
    return {
        "name": clean(topic.name),
        "changes": len(topic.changes),
        "from": str(months.first),
        "to": str(months.last),
        "when": f"mostly {short_span(mostly)}" if mostly else short_span(months),
        "lines": [_line(change) for change in shown],
        "evidence": commits_of(topic.changes),
    }


def _different(changes: Sequence[Change]) -> list[Change]:
    """The changes, one of each title."""
    return list({title_of(one.lead).words.casefold(): one for one in reversed(changes)}.values())[::-1]


def _mostly(topic: Topic, whole: LifetimeFacts) -> MonthRange | None:
    """The shortest run of months that has most of a topic's changes, where it is clearly shorter than all of them."""
    counted = Counter(whole.month_of(one) for one in topic.changes)
    months = sorted(counted)
    best: tuple[int, Month, Month] | None = None
    for at, first in enumerate(months):
        held = 0
        for last in months[at:]:
            held += counted[last]
            if held >= MOSTLY * len(topic.changes):
                length = (last.year - first.year) * 12 + last.number - first.number
                best = min(filter(None, (best, (length, first, last))))
                break
    length = (months[-1].year - months[0].year) * 12 + months[-1].number - months[0].number
    return MonthRange(best[1], best[2]) if best and best[0] < min(12, length - 1) else None


def _month(facts: MonthFacts, story: Story) -> Document:
    """A month's document with its largest change of the product, by which a profile tells it in a line."""
    own = [one for one in facts.changes if not one.is_shared] or list(facts.changes)
    stayed = [one for one in own if one.state != "backed_out" and one.kind != "revert"] or own
    largest = max(stayed, key=lambda one: (weight_of(one), one.lead.author.seconds), default=None)
    return {
        **month_document(facts, story),
        **({"largest": _line(largest)} if largest else {}),
        "own": sum(not one.is_shared for one in facts.changes),
    }


def _line(change: Change) -> Document:
    title = title_of(change.lead)
    words = cut(title.words, LONGEST_TITLE, SHORT_CUTS)
    told = ByHand(clean(change.title)) if change.title else Quote(words, change.lead, title.place)
    return line_document(Line(change, told, ref=number_of(change.lead)))


def _measured(whole: LifetimeFacts) -> Iterator[Document]:
    found = [(one, text) for one in whole.own for text in measured(one)[:1]]
    for change, text in sorted(found, key=lambda one: -weight_of(one[0]))[:MOST_MEASURED]:
        yield {**_line(change), "measured": [text.text], "text": text.text}


def _taken_out(whole: LifetimeFacts) -> Iterator[Document]:
    """What was taken out at any time, the largest, with what became of it."""
    if not whole.months:
        return
    last = whole.months[-1]
    found = [one for one in whole.own if one.kind != "revert" and (one.out or one.later)]
    for change in sorted(found, key=lambda one: -lines_of(one.lead.files))[:MOST_TAKEN_OUT]:
        line = _line(change)
        steps = step_documents(change, last)
        yield {**line, "steps": steps, "text": f"{line['title']}: {chain(steps, '')}"}


def _repository(one: Contributed) -> Document:
    return {
        "name": clean(one.repository.name),
        "months": one.months,
        "commits": one.commits,
        "changes": one.changes,
        "languages": list(one.languages),
        "technologies": list(one.technologies),
    }
