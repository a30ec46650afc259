"""Questions for more than a month → the documents of lists: changes of a kind, comparisons, topics, many months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.collaboration import helpers, unmatched_reviewers
from bot.ask.ranges import Ranges
from bot.gc_pause import gc_paused
from bot.model import Kind, Person
from bot.month.calendar import MonthRange, Span
from bot.month.facts import MonthFacts
from bot.story.comparison import ComparisonSide, comparison_document
from bot.story.lines import distinct_names, span_title
from bot.story.list_documents import ChangesDocument, ComparisonDocument, ShippedDocument, TopicDocument
from bot.story.listing import Listing, Relation, changes_document
from bot.story.shipped import shipped_document
from bot.story.touched import TopicActivity, who_document
from bot.story.wording import clean, listed

if TYPE_CHECKING:
    from bot.ask.query_service import QueryService


class Lists:
    """Reads ranges of months and tells them. Repositories that are not indexed raise RepositoryUnavailable."""

    def __init__(self, queries: QueryService, ranges: Ranges) -> None:
        self._queries = queries
        self._ranges = ranges

    @gc_paused()
    def span(self, person: Person, months: Span, repositories: Sequence[str] = ()) -> MonthFacts:
        """What is known of several months of a person as of one. Raises PersonHidden."""
        found = self._ranges.of_person(self._queries.shown(person), months, repositories)
        return (
            found
            if found.commits
            else replace(found, notes=(*found.notes, *self._queries.activity.nearest(person, months)))
        )

    @gc_paused()
    def spans(
        self, people: Sequence[Person], months: Span, repositories: Sequence[str] = (), team: str | None = None
    ) -> tuple[list[MonthFacts], list[str]]:
        """What some people, a team or everyone did in several months, each as one; and what is left out."""
        if people:
            return [self.span(person, months, repositories) for person in people], []
        return self._ranges.of_everyone(months, repositories, team)

    @gc_paused()
    def changes(
        self,
        people: Sequence[Person],
        months: Span,
        kinds: Sequence[Kind] = (),
        repositories: Sequence[str] = (),
        team: str | None = None,
        *,
        largest: bool = False,
    ) -> ChangesDocument:
        """The document of the changes of some people, of a team, or of everyone, newest first, or the largest alone; of
        some kinds, or of all."""
        spans, notes = self.spans(people, months, repositories, team)
        return self._changes(
            spans, months, notes,
            relation="largest" if largest else "made",
            kinds=tuple(kinds),
            whose=clean(listed(distinct_names(people))) if people else "",
            place=self._place(team, repositories) if team or repositories or self._queries.skipped else "",
        )  # fmt: skip

    @gc_paused()
    def reviews(self, person: Person, months: Span, repositories: Sequence[str] = ()) -> ChangesDocument:
        """The document of others' changes that a person reviewed, by author. Raises PersonHidden."""
        spans, notes = self._ranges.reviewed_by(self._queries.shown(person), months, repositories)
        bounds = months.bounds(self._queries.zone)
        every = self._queries.material.commits_of_everyone(*bounds, repositories)
        unmatched = unmatched_reviewers(self._queries, every, person)
        return self._changes(spans, months, [*notes, *unmatched], whose=clean(person.name), relation="reviewed")

    @gc_paused()
    def reviewers(
        self, person: Person, months: Span, repositories: Sequence[str] = (), topic: str | None = None
    ) -> ChangesDocument:
        """The document of who reviewed a person's changes, all or those on a topic, or wrote them with them: who did
        most comes first."""
        facts = self.span(person, months, repositories)
        name = clean(person.name)
        if topic:
            found = self.on_topic(topic, months, repositories, [person]).spans
            facts = replace(facts, changes=found[0].changes if found else ())
            name += f" on “{clean(topic)}”"
        helped = helpers(self._queries, facts)
        spans = [replace(facts, person=other, changes=tuple(changes)) for other, changes in helped]
        notes = unmatched_reviewers(self._queries, facts.commits)
        return self._changes(spans or [replace(facts, changes=())], months, notes, whose=name, relation="helped")

    def _changes(
        self,
        spans: Sequence[MonthFacts],
        months: Span,
        notes: Sequence[str],
        *,
        kinds: tuple[Kind, ...] = (),
        whose: str = "",
        place: str = "",
        relation: Relation = "made",
    ) -> ChangesDocument:
        zone, to_date = self._queries.zone.key, self._is_to_date(months)
        listing = Listing(tuple(spans), months, zone, to_date, kinds, whose, place, relation, tuple(notes))
        return changes_document(listing)

    def comparison(self, sides: Sequence[tuple[Person, Span]], repositories: Sequence[str] = ()) -> ComparisonDocument:
        """The document of months of one person, or of several people in the same months, side by side."""
        names = distinct_names([person for person, _ in sides])
        is_one = len({person for person, _ in sides}) == 1
        return comparison_document(
            [
                ComparisonSide(
                    span_title(months) if is_one else clean(name), months, self.span(person, months, repositories)
                )
                for name, (person, months) in zip(names, sides, strict=True)
            ]
        )

    @gc_paused()
    def who(
        self,
        topic: str,
        months: Span | None = None,
        repositories: Sequence[str] = (),
        people: Sequence[Person] = (),
        kinds: Sequence[Kind] = (),
    ) -> TopicDocument:
        """The document of who worked on a topic, or of what some people did on it, in some months or ever."""
        return who_document(self.on_topic(topic, months, repositories, people, kinds))

    def on_topic(
        self,
        topic: str,
        months: Span | None,
        repositories: Sequence[str],
        people: Sequence[Person],
        kinds: Sequence[Kind] = (),
    ) -> TopicActivity:
        """What is known of who worked on a topic, or of what some people did on it."""
        shown = [self._queries.shown(person) for person in people]
        return self._ranges.about(topic, months, repositories, shown, kinds)

    def nearest_topics(self, topic: str) -> list[str]:
        """Words of recent subjects that are written like those of a topic, or those of its words that are there."""
        return self._ranges.nearest_topics(topic)

    @gc_paused()
    def shipped(self, months: MonthRange, team: str | None = None, repositories: Sequence[str] = ()) -> ShippedDocument:
        """The document of several months of everyone, of a team or of repositories."""
        digests, notes = self._ranges.digests(months, repositories, team)
        title = self._place(team, repositories)
        return shipped_document(title, months, self._queries.zone.key, self._is_to_date(months), digests, notes)

    def _is_to_date(self, months: Span) -> bool:
        return not months.is_over(self._queries.settings.now(), self._queries.zone)

    def _place(self, team: str | None, repositories: Sequence[str]) -> str:
        return self._queries.skipped.titled(clean(team or listed(list(repositories)) or "everyone"))
