"""LifetimeFacts → the JSON document of a profile: spans, counts and the largest titles, then a line a month. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast
from zoneinfo import ZoneInfo

from bot.model import Change, Sentence
from bot.month.calendar import Days, Month
from bot.month.facts import LifetimeFacts, MonthFacts, by_repository, by_state
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
from bot.story.month import by_committer, commits_of, indexed_at, month_document
from bot.story.quoting import measured
from bot.story.themes import themes_of
from bot.story.things import Thing, judged
from bot.wording import clean, count, listed

MOST_THEMES = 4
FEW = 6  # changes of a whole history, which its months tell
OF_THEME = 30  # a theme has at least one of so many changes
MOST_TITLES = 3  # of a theme
MOST_MONTHS = 12  # that a profile tells in a line each, the newest
MOST_MEASURED = 4
MOST_PLACES = 4
LONGEST_TITLE = 80


def profile_document(whole: LifetimeFacts) -> ProfileDocument:
    """The document of a whole history, as docs/months.md describes it."""
    return _Profile(whole).document()


class _Profile:
    def __init__(self, whole: LifetimeFacts) -> None:
        self._whole = whole
        self._judged = judged(whole.changes)
        self._own = [one for one in whole.changes if not one.is_shared]
        self._repositories = self._by_size()

    def document(self) -> ProfileDocument:
        whole, months = self._whole, tuple(map(self._month, reversed(self._whole.months)))
        every = {commit.sha for commit in whole.commits}
        shown = {sha for month in months for item in month.items for sha in item.evidence}
        return ProfileDocument(
            person=PersonDocument(clean(whole.person.name), tuple(map(clean, whole.person.addresses))),
            from_=str(whole.months[0].month) if months else None,
            to=str(whole.months[-1].month) if months else None,
            zone=whole.zone,
            to_date=bool(months) and whole.months[-1].to_date,
            counts={"months": len(months), "commits": len(every), **by_state(whole.changes)},
            paragraph=tuple(self._paragraph()),
            themes=tuple(self._themes()),
            measured=tuple(self._measured()),
            skills=SkillsDocument(whole.languages, whole.technologies),
            repositories=tuple(self._repositories),
            earlier=self._earlier(),
            months=months,
            coverage={"commits_told": len(shown & every), "commits_total": len(every)},
            indexed_at=indexed_at([whole]),
            notes=tuple(map(clean, whole.notes)),
            details=by_committer(whole.dates),
        )

    def _by_size(self) -> list[ProfileRepository]:
        """Each repository with its active months, commits and changes: those with most changes first, then by commits,
        then name."""
        where = [{one.repository for one in facts.commits} for facts in self._whole.months]
        found = [
            ProfileRepository(clean(one.name), sum(one.name in each for each in where), commits, changes)
            for one, commits, changes in by_repository([self._whole])
        ]
        return sorted(found, key=lambda one: (-one.changes, -one.commits, one.name))

    def _span_of(self, changes: Sequence[Change]) -> tuple[Month, Month]:
        """The first and the last month in which one of the changes, of which there are some, began."""
        zone = ZoneInfo(self._whole.zone)
        months = [Month.of(change.lead.dated(self._whole.dates).at, zone) for change in changes]
        return min(months), max(months)

    def _months(self, some: Sequence[MonthFacts]) -> str:
        """The months from the first to the last of some, in words."""
        first, last = (cast(Month, some[at].month) for at in (0, -1))  # a history is told month by month
        return span_title(Days.of(first, last))

    def _earlier(self) -> str:
        """The months that are not shown in a line of their own, in words; empty where all are."""
        older = self._whole.months[:-MOST_MONTHS]
        return f"{count(len(older), 'earlier active month')}: {self._months(older)}" if older else ""

    def _paragraph(self) -> Iterator[Sentence]:
        """How much, where and when; what of it did not stay; and what was done for others."""
        whole, own = self._whole, self._own
        if not whole.months:
            helped = tuple(dict.fromkeys(sha for one in whole.helped for sha in one.evidence))
            yield Sentence("No commits of their own." if helped else "No commits.", helped)
            return
        places = listed([one.name for one in self._repositories[:MOST_PLACES]])
        when = f"{self._months(whole.months)}, {count(len(whole.months), 'active month')}"
        every = tuple(dict.fromkeys(commit.sha for commit in whole.commits))
        yield Sentence(f"{count(len(own), 'change')} in {places}, {when}.", every)
        out = [one for one in own if one.state == "backed_out"]
        back = [one for one in own if one.state == "relanded"]
        said = [f"{len(out):,} backed out"] if out else []
        said += [f"{len(back):,} backed out and back in"] if back else []
        if said:
            yield Sentence(f"Of these, {listed(said)}.", commits_of([*out, *back]))
        if shared := [one for one in whole.changes if one.is_shared]:
            yield Sentence(f"Co-author of {count(len(shared), 'change')} by others.", commits_of(shared))
        if reviewed := tuple(dict.fromkeys(s for one in whole.helped if one.role == "reviewer" for s in one.evidence)):
            yield Sentence(f"Named as reviewer of {count(len(reviewed), 'change')} by others.", reviewed)

    def _themes(self) -> Iterator[ProfileTheme]:
        """What recurs in two months or more, the most frequent first."""
        stayed = [one for one in self._own if one.state != "backed_out" and one.kind != "revert"]
        work = [one for one in stayed if not (one.chore or says_nothing(title_of(one.lead).words))]
        stayed = work if 2 * len(work) > len(stayed) else stayed  # unless documents, or tests, are what somebody does
        if len(stayed) <= FEW:
            return
        found = [one for one in themes_of([Thing((one,), one, self._judged[one.id]) for one in stayed]) if one.name]
        named = [(one.name, [thing.lead for thing in one.things]) for one in found]
        recurring = [
            (name, some)
            for name, some in named
            if len(some) >= len(stayed) // OF_THEME and len(set(self._span_of(some))) > 1
        ]
        for name, some in sorted(recurring, key=lambda one: (-len(one[1]), one[0]))[:MOST_THEMES]:
            first, last = self._span_of(some)
            yield ProfileTheme(
                name=clean(name),
                changes=len(some),
                from_=str(first),
                to=str(last),
                when=span_title(Days.of(first, last)),
                lines=tuple(map(_line, self._largest(some))),
                evidence=commits_of(some),
            )

    def _largest(self, changes: Sequence[Change]) -> list[Change]:
        """The largest of some changes, one of each title, the earlier first."""
        ranked = sorted(changes, key=lambda one: (self._judged[one.id].weight, one.lead.written))
        by_title = {title_of(one.lead).words.casefold(): one for one in ranked}
        largest = sorted(by_title.values(), key=lambda one: -self._judged[one.id].weight)[:MOST_TITLES]
        return sorted(largest, key=lambda one: one.lead.written)

    def _month(self, facts: MonthFacts) -> MonthDocument:
        """A month's document with the change that a reader notices most, by which a profile tells it in a line."""
        own = [one for one in facts.changes if not one.is_shared] or facts.changes
        stayed = [one for one in own if one.state != "backed_out" and one.kind != "revert"] or own
        weight = {one.id: self._judged[one.id].weight for one in stayed if one.id in self._judged}
        largest = max(stayed, key=lambda one: (weight.get(one.id, 0), one.lead.author.seconds), default=None)
        return replace(
            month_document(facts),
            largest=_line(largest) if largest else None,
            own=sum(not one.is_shared for one in facts.changes),
        )

    def _measured(self) -> Iterator[LineDocument]:
        found = [(one, text) for one in self._own for text in measured(one)[:1]]
        for change, text in sorted(found, key=lambda one: -self._judged[one[0].id].weight)[:MOST_MEASURED]:
            yield replace(_line(change), measured=(text,), text=text)


def _line(change: Change) -> LineDocument:
    return line_of(change, called(change, LONGEST_TITLE))
