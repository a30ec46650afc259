"""The months of several people → what their team did: what needs attention, what was measured, pieces of work. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest
from operator import itemgetter

from bot.model import Change, Sentence
from bot.month.facts import MonthFacts
from bot.story.documents import DigestDocument, LineDocument, MonthDocument, Section, TeamTheme
from bot.story.groups import folded, groups_of
from bot.story.lines import attention_of, called, chain, line_of, measured_of
from bot.story.month import commits_of
from bot.story.states import steps_of, was_out
from bot.story.title import SHORT_CUTS, cut, title_of
from bot.story.topics import Topic, topics_of
from bot.story.weight import lines_of, weight_of
from bot.story.wording import clean

MOST_THEMES, FEWEST_THEMES = 7, 5
FEW = 15  # changes of a team's month, of which each is shown by its title
FEWEST_OF_TOPIC = 5
LONGEST_TITLE = 60
MOST_ALSO = 3  # further people of a theme that are named
ALSO_LINES = 50  # changed lines of the product from which on somebody is named with a theme
MOST_ATTENTION, MOST_MEASURED = 6, 3
MOST_FILLED = 20  # changes by themselves in an answer, which has no parts of people,
MOST_BY_NAME = 8  # whom its first sentence names with how many
_SECURITY = re.compile(r"\b(?:cve-\d|ghsa-|security\b|vulnerab)", re.IGNORECASE)
# Characters of the lines of a team's month, which has 1,500 with its headings. Themes go before what needs attention
# and what was measured do, but for one.
LONGEST_ROOT, LEFT_FOR_THEMES = 1_300, 250


class TeamMonth:
    """The team's month, from everyone's. Each change is its author's, or of who wrote it with one who is not told, and
    shown once. What is shown but themes is of `parts`: some of them, each with their document."""

    def __init__(self, months: Sequence[MonthFacts], parts: Sequence[tuple[MonthFacts, MonthDocument]]) -> None:
        self._parts, self._months = parts, months
        names = Counter(clean(facts.person.name) for facts in months)
        self._by: dict[str, str] = {}
        whose = ((facts.person, change) for facts in months for change in facts.changes)
        # Of what a machine wrote, or another team, those of its co-authors who are told come first.
        for person, change in sorted(whose, key=lambda one: one[1].is_shared):
            name = clean(person.name)
            called = f"{name} ({clean(person.addresses[0])})" if names[name] > 1 and person.addresses else name
            self._by.setdefault(change.id, f"{called} with {clean(change.shared_by)}" if change.is_shared else called)
        self._room = LONGEST_ROOT

    def _lines(self, section: Section | None = None) -> Iterator[tuple[Change, LineDocument]]:
        """The lines of everybody's own changes, each once; of one section, or of all."""
        seen: set[str] = set()
        for facts, document in self._parts:
            by_sha = {change.lead.sha: change for change in facts.changes}
            for item in document.items:
                for line in item.lines:
                    change = by_sha[line.sha]
                    if change.id in self._by and change.id not in seen:
                        seen.add(change.id)
                        if section in (None, item.section):
                            yield change, line

    def attention(self) -> Iterator[LineDocument]:
        """What was backed out, came back, was fixed later or turned tests off: the heaviest, in order of time."""
        found = sorted(self._lines("attention"), key=lambda one: (-lines_of(one[0].lead.files), one[0].lead.written))[
            :MOST_ATTENTION
        ]
        when = {change.lead.sha: change.lead.written for change, _ in found}
        lines = [self._sentence(change, line, attention_of(line)) for change, line in found]
        yield from sorted(self._fitting(lines), key=lambda one: when[one.sha])

    def measured(self) -> Iterator[LineDocument]:
        """The numbers of the heaviest changes that were measured."""
        found = sorted(
            (one for one in self._lines() if one[1].measured), key=lambda one: (-weight_of(one[0]), one[0].lead.written)
        )
        lines = (self._sentence(change, line, measured_of(line)[0]) for change, line in found[:MOST_MEASURED])
        yield from self._fitting(lines)

    def _fitting(self, lines: Iterable[LineDocument]) -> Iterator[LineDocument]:
        """Those that there is room for, the first in any case."""
        for number, one in enumerate(lines):
            said = (*one.notes, *one.measured[:1], chain(one.steps, one.on))
            length = _length(one) + sum(map(len, said))
            if number and length > self._room - LEFT_FOR_THEMES:
                return
            self._room -= length
            yield one

    def _sentence(self, change: Change, line: LineDocument, said: Sentence) -> LineDocument:
        title = clean(change.title) or cut(line.title, LONGEST_TITLE, SHORT_CUTS)
        return replace(line, title=title, by=self._by[change.id], text=said.text, evidence=said.evidence)

    def _line(self, change: Change, label: str = "") -> LineDocument:
        labels = title_of(change.lead).labels
        tag = "" if change.title or folded(label) in map(folded, labels) else next(iter(labels), "")
        line = line_of(change, called(change, LONGEST_TITLE, SHORT_CUTS), tag=tag)
        return replace(line, by=self._by.get(change.id, ""))

    def themes(self, changes: Sequence[Change]) -> tuple[tuple[TeamTheme, ...], int]:
        """The pieces of work across people, the heaviest first, and how many other changes there are."""
        stayed = [one for one in changes if one.state != "backed_out" and one.kind != "revert"]
        if len(stayed) <= FEW:
            topics = [Topic(group.label, group.changes) for group in groups_of(stayed)]
        else:
            topics = topics_of(stayed, max(3, min(FEWEST_OF_TOPIC, len(stayed) // 12)), MOST_THEMES)
            together = {one.id for topic in topics for one in topic.changes}
            alone = (one for one in stayed if one.id not in together)
            more = nsmallest(FEWEST_THEMES - len(topics), alone, lambda one: (-weight_of(one), one.lead.written))
            topics += [Topic("", (one,)) for one in more]
        topics.sort(key=lambda topic: (-topic.weight, -len(topic.changes), topic.changes[0].lead.written))
        themes: list[TeamTheme] = []
        shown = 0
        for topic in topics:
            one = self._theme(topic)
            also = sum(len(other.by) + len(other.ref) + 8 for other in one.also)
            self._room -= sum(map(_length, one.lines)) + len(one.label) + also
            if self._room < 0:
                if themes:
                    break
                one = replace(one, also=())
            themes.append(one)
            shown += len(topic.changes)
        return tuple(themes), len(changes) - shown

    def filled(self, document: DigestDocument, changes: Sequence[Change]) -> DigestDocument:
        """The document of an answer, in which nobody has a part: with changes by themselves, of security first, then
        reverts, then fixes and what is new, behind the pieces of work that weigh anything and before those that do not.
        """
        weights = {sha: weight_of(one) for one in changes for sha in one.shas}
        shown = {sha for line in (*document.attention, *document.measured) for sha in (line.sha, *line.evidence)}
        shown |= {sha for theme in document.themes for sha in theme.evidence}
        facts = {one.id: each for each in self._months for one in each.changes}
        out = [one for one in changes if was_out(one) and shown.isdisjoint(one.shas)]
        attention = [
            *document.attention,
            *(replace(self._line(one), steps=steps_of(one, facts[one.id])) for one in out),
        ]
        attention = attention[:MOST_ATTENTION]
        shown |= {sha for line in attention for sha in (line.sha, *(step.sha for step in line.steps))}

        def rank(change: Change) -> tuple[int, int, object]:
            lead, weight = change.lead, weight_of(change)
            places = (_SECURITY.search(lead.subject), change.kind == "revert",
                      weight and change.kind in ("fix", "performance", "feature"), weight, True)  # fmt: skip
            return next(number for number, one in enumerate(places) if one), -weight, lead.written

        rest = sorted((one for one in changes if shown.isdisjoint(one.shas)), key=rank)
        alone = [self._theme(Topic("", (one,))) for one in rest[:MOST_FILLED]]
        light = [one for one in document.themes if not any(weights.get(sha) for sha in one.evidence)]
        first = sum(rank(one)[0] < 4 for one in rest[:MOST_FILLED])
        themes = (*(one for one in document.themes if one not in light), *alone[:first], *light, *alone[first:])
        headline, by = document.headline, Counter(self._by[one.id] for one in changes)
        if 1 < len(by) <= MOST_BY_NAME:
            named = ", ".join(f"{name} {number:,}" for name, number in by.most_common())
            headline = replace(headline, text=f"{headline.text.rstrip('.')}: {named}.")
        return replace(
            document, attention=tuple(attention), themes=themes, others=len(rest) - len(alone), headline=headline
        )

    def _theme(self, topic: Topic) -> TeamTheme:
        weighed = [(-weight_of(one), -one.lead.author.seconds, one.lead.written, one) for one in topic.changes]
        line = self._line(min(weighed, key=itemgetter(0, 1, 2))[3], topic.name)
        also: dict[str, LineDocument] = {}
        for *_, change in sorted((one for one in weighed if one[0] <= -ALSO_LINES), key=itemgetter(0, 1, 2)):
            by = self._by.get(change.id, "")
            if by and by != line.by and by not in also and len(also) < MOST_ALSO:
                also[by] = self._line(change)
        return TeamTheme(
            title=clean(topic.name) or line.title,
            label=clean(topic.name),
            changes=len(topic.changes),
            lines=(line,),
            also=tuple(also.values()),
            repository=line.repository,
            evidence=commits_of(topic.changes),
        )


def _length(line: LineDocument) -> int:
    return len(line.tag) + len(line.title) + len(line.ref) + len(line.by) + 12
