"""Who worked on a topic: people in the order of how much they had to do with it, each with what they did. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Kind, Sentence
from bot.month.calendar import Span
from bot.month.facts import MonthFacts, all_changes
from bot.story.lines import called, in_span, span_title, where
from bot.story.list_documents import CalledPerson, PersonOnTopic, TopicDocument
from bot.story.lists import called_people, commits_named, listed_line, notes_of, repositories_of
from bot.story.month import commits_of, indexed_at
from bot.story.states import on
from bot.story.wording import KINDS, clean, count, kinds_listed, listed

MOST_PEOPLE = 10  # those who had most to do with it
MOST_ITEMS = 3  # of one of them, the newest
MOST_OF_NAMED = 20  # of somebody who was asked about
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TopicActivity:
    """Who worked on a topic, each with what of theirs has to do with it, as of now.

    The topic is words or, with `is_path`, a path. `whose` are the names of those who were asked about; empty for
    everybody. `months` are None where all were looked at. What is older than `since` was not, and of what is older than
    `files_since` only the messages. `kinds` are those of the changes that were asked for; empty for all.
    """

    topic: str
    spans: tuple[MonthFacts, ...]
    zone: str
    months: Span | None = None
    to_date: bool = False
    since: datetime | None = None
    files_since: datetime | None = None
    notes: tuple[str, ...] = ()
    whose: tuple[str, ...] = ()
    is_path: bool = False
    kinds: tuple[Kind, ...] = ()


def who_document(touched: TopicActivity) -> TopicDocument:
    """The document of a topic. Whoever made most changes on it comes first, of equals who made the latest: whom to ask,
    not who is better, and no number says so."""
    spans = sorted(
        touched.spans,
        key=lambda one: (-len(one.changes), -_latest(one.changes), one.person.name, one.person.addresses),
    )
    shown = spans[:MOST_PEOPLE]
    people = tuple(
        _person(who, facts, touched.topic, MOST_OF_NAMED if touched.whose else MOST_ITEMS)
        for who, facts in zip(called_people([one.person for one in shown]), shown, strict=True)
    )
    every = all_changes(spans)
    rest = len(spans) - len(people)
    notes = [*_bounds(touched), *touched.notes]
    if rest:
        notes.insert(0, f"{count(rest, 'other')} had less to do with it: ask for some months, or for a repository.")
    first, last = touched.months.ends if touched.months else (None, None)
    return TopicDocument(
        title=_title(touched),
        topic=clean(touched.topic),
        from_=first,
        to=last,
        zone=touched.zone,
        to_date=touched.to_date,
        headline=Sentence(_headline(touched, spans, every), commits_of(every)),
        counts={"people": len(spans), "commits": len(commits_of(every)), "changes": len(every)},
        people=people,
        commits=commits_named(commit for change in every for commit in change.commits),
        repositories=repositories_of(every),
        indexed_at=indexed_at(spans),
        notes=notes_of(every, spans, touched.zone, last=notes),
    )


def _title(touched: TopicActivity) -> str:
    when = f", {span_title(touched.months)}" if touched.months else ""
    who = f"{listed(list(map(clean, touched.whose)))}: " if touched.whose else ""
    kinds = f": {listed([KINDS[kind][2] for kind in touched.kinds])}" if touched.kinds else ""
    return f"{who}“{clean(touched.topic)}”{kinds}{when}{' (to date)' if touched.to_date else ''}"


def _person(who: CalledPerson, facts: MonthFacts, topic: str, most: int) -> PersonOnTopic:
    """What somebody did: of much, what says so in its subject goes before what only its body or its paths tell."""
    newest = sorted(facts.changes, key=lambda one: (-one.lead.author.seconds, one.lead.written))
    words = _WORD.findall(topic.casefold())
    by_title = sorted(newest, key=lambda one: not all(word in called(one).casefold() for word in words))[:most]
    return PersonOnTopic(
        name=who.name,
        addresses=who.addresses,
        called=who.called,
        headline=Sentence(_summary(facts, newest), commits_of(newest)),
        counts={"changes": len(newest), "commits": len(commits_of(newest))},
        items=tuple(listed_line(change, facts) for change in newest if change in by_title),
    )


def _summary(facts: MonthFacts, newest: Sequence[Change]) -> str:
    """ "4 changes, from 3 May 2025 to 8 October 2025", without the name, which stands before it."""
    zone = ZoneInfo(facts.zone)
    last, first = on(newest[0].lead.author.at, zone), on(newest[-1].lead.author.at, zone)
    said = count(len(newest), "change")
    return f"{said}, on {last}" if first == last else f"{said}, from {first} to {last}"


def _headline(touched: TopicActivity, spans: Sequence[MonthFacts], every: Sequence[Change]) -> str:
    topic = f"“{clean(touched.topic)}”"
    at = f" {in_span(touched.months, touched.to_date)}" if touched.months else ""
    if not spans:
        by = f" by {listed(list(map(clean, touched.whose)), 'or')}" if touched.whose else ""
        what = listed([KINDS[kind][1] for kind in touched.kinds], "or") or "change"
        return f"No {what}{by} names {topic}{at}, neither in its message nor in the paths of its files."
    people = clean(spans[0].person.name) if len(spans) == 1 else count(len(spans), "person", "people")
    changes = kinds_listed(Counter(one.kind for one in every)) if touched.kinds else count(len(every), "change")
    places = where(commit for change in every for commit in change.commits)
    if touched.since:
        are = "is" if len(every) == 1 else "are"
        said = f"The newest {changes} on {topic}{at}{places} {are} by {people}."
    else:
        said = f"{people} made {changes} on {topic}{at}{places}."
    if len(spans) == 1:
        return said
    latest = max(spans, key=lambda one: _latest(one.changes))
    return f"{said} The latest is by {clean(latest.person.name)}."


def _bounds(touched: TopicActivity) -> list[str]:
    zone = ZoneInfo(touched.zone)
    several = "Those who had most to do with it come first. " if len(touched.spans) > 1 else ""
    touch = "or that touch this path" if touched.is_path else "or a third of whose files has them in its path"
    notes = [f"{several}These are changes whose message has these words, {touch}."]
    if touched.since:
        notes.append(f"There may be older ones than of {on(touched.since, zone)}: ask for those months by name.")
    if touched.files_since and (touched.since is None or touched.files_since > touched.since):
        notes.append(f"Paths were looked at only since {on(touched.files_since, zone)}.")
    return notes


def _latest(changes: Sequence[Change]) -> int:
    return max((_seconds(change.commits) for change in changes), default=0)


def _seconds(commits: Sequence[Commit]) -> int:
    return max(commit.author.seconds for commit in commits)
