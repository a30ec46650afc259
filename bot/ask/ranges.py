"""Store → the facts of several months as of one, of somebody, of everyone, or of a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from bot.ask.activity import identities_of
from bot.ask.month_material import Material
from bot.ask.omissions import omissions
from bot.model import Commit, Kind, Person, Repository
from bot.month.calendar import AnyPeriod, Days, Month, MonthRange, Span
from bot.month.facts import MonthFacts, span_facts
from bot.month.machines import is_bot
from bot.month.people import by_author, by_whom, in_order
from bot.story.digest import Digest, briefly, month_digest, of_machines
from bot.story.touched import TopicActivity

if TYPE_CHECKING:
    from bot.ask.readable_index import ReadableIndex
    from storage.commits import Commits

MOST_FOUND = 200  # commits on a topic, the newest
# How many changes on a topic there are where the reader may not read would tell what is written there.
ELSEWHERE = "Repositories that are not for this channel were not looked at."
MOST_NEAR = 3  # topics that are offered
LIKE = 70.0  # how alike, of 100, a word must be to be offered


class Ranges:
    """Reads ranges of months."""

    def __init__(self, index: ReadableIndex) -> None:
        self._index = index
        self._store, self._settings, self._zone = index.store, index.settings, index.zone

    def of_person(
        self, person: Person, months: Span, repositories: Sequence[str], notes: Sequence[str] = ()
    ) -> MonthFacts:
        """What somebody did in some months, alone or with others. What is left out is said in its notes."""
        every = self._index.named(repositories)
        material = self._index.material.of_person(person, *months.bounds(self._zone), repositories)
        until = months.bounds(self._zone)[1]
        return self._each(
            _last(months), until, {person: material.commits}, material, every, [*notes, *omissions(material)]
        )[0]

    def of_everyone(
        self, months: Span, repositories: Sequence[str], team: str | None = None
    ) -> tuple[list[MonthFacts], list[str]]:
        """What each who is active in some months did, in order of name, or each of a team; and what is left out."""
        every = self._index.named(repositories)
        material, members = self._everyones(months, repositories, team)
        known, bots = self._index.known, self._settings.bots

        def is_shown(one: Person) -> bool:
            return not is_bot(one, bots) and (members is None or one in members)

        theirs, others = by_whom(known.everyone, material.commits, is_shown, known.coauthors)
        machines = [one for one in others if is_bot(one, bots)]
        notes = omissions(material)
        if team is None and machines:
            by_machines = len({commit.sha for machine in machines for commit in others[machine]})
            notes.append(of_machines(machines, by_machines))
        until = months.bounds(self._zone)[1]
        return self._each(_last(months), until, {one: theirs[one] for one in in_order(theirs)}, material, every), notes

    def reviewed_by(
        self, person: Person, months: Span, repositories: Sequence[str]
    ) -> tuple[list[MonthFacts], list[str]]:
        """What others did in some months that a person reviewed, in order of their names; and what is left out."""
        every = self._index.named(repositories)
        material = self._index.material.reviewed_by(person, *months.bounds(self._zone), repositories)
        theirs = by_author(self._index.known.everyone, material.commits)
        until = months.bounds(self._zone)[1]
        found = self._each(_last(months), until, {one: theirs[one] for one in in_order(theirs)}, material, every)
        return found, omissions(material)

    def digests(
        self, months: MonthRange, repositories: Sequence[str], team: str | None = None
    ) -> tuple[list[Digest], list[str]]:
        """The digest of each month in which commits came, newest first, without what each person did; and what is left
        out."""
        every = self._index.named(repositories)
        material, members = self._everyones(months, repositories, team, self._store.came)
        by_month: dict[Month, list[Commit]] = {}
        for commit in material.commits:
            by_month.setdefault(Month.of(commit.came, self._zone), []).append(commit)
        people, context = self._index.known.everyone, replace(self._index.facts_context(every, material), dates="came")
        title, bots = team or "everyone", self._settings.bots
        found = [
            month_digest(title, month, people, by_month[month], context, bots, members, briefly)
            for month in sorted(by_month, reverse=True)
        ]
        return [one for one in found if one.months], omissions(material)

    def about(
        self,
        topic: str,
        months: Span | None,
        repositories: Sequence[str],
        people: Sequence[Person] = (),
        kinds: Sequence[Kind] = (),
    ) -> TopicActivity:
        """Who worked on a topic in some months, or ever, machines left out; or of some people what they did on it. Of
        all changes, or of those of some kinds."""
        every = self._index.named(repositories)
        start, end = months.bounds(self._zone) if months else (None, self._index.present().bounds(self._zone)[1])
        found = self._store.topics.about(
            topic,
            start,
            end,
            repositories=list(repositories) or None,
            without=sorted(self._index.hidden | self._index.skipped.repositories),
            limit=MOST_FOUND,
        )
        said, histories = self._index.corrections(), self._index.material.histories(found.commits)
        unshown = self._index.known.unshown
        shown = [one for one in found.commits if one not in unshown and not said.hides(one, histories)]
        wanted = [one for one in shown if not self._index.material.is_skipped(one)]
        known, bots = self._index.known, self._settings.bots
        theirs, _ = by_whom(
            known.everyone, wanted, lambda one: one in people if people else not is_bot(one, bots), known.coauthors
        )
        material = Material(tuple(wanted), (), histories, is_whole=len(shown) == len(found.commits))
        last = _last(months) if months else self._index.present()
        spans = self._each(last, None, {one: theirs[one] for one in in_order(theirs)}, material, every)
        if kinds:
            spans = [replace(one, changes=tuple(c for c in one.changes if c.kind in kinds)) for one in spans]
        return TopicActivity(
            topic=topic,
            kinds=tuple(kinds),
            whose=tuple(one.name for one in people),
            spans=tuple(one for one in spans if one.changes),
            zone=self._zone.key,
            months=months,
            to_date=months is not None and not months.is_over(self._settings.now(), self._zone),
            since=found.since,
            files_since=found.files_since,
            is_path=found.is_path,
            notes=(
                *omissions(material),
                *([f"Left out: {self._index.skipped.names}."] if self._index.skipped else []),
                *([ELSEWHERE] if self._index.hidden else []),
            ),
        )

    def nearest_topics(self, topic: str) -> list[str]:
        """What could be asked for instead of a topic that nobody worked on: those of its words that somebody did work
        on, or words of recent subjects that are written like it; at most three."""
        from rapidfuzz import fuzz, process  # late: as in bot.month.people

        words = topic.split()
        if len(words) > 1:
            there = [word for word in words if len(word) > 2 and self._is_there(word)]
            return there[:MOST_NEAR]
        known = [word for word in self._store.topics.words(without=sorted(self._index.hidden)) if len(word) > 2]
        found = process.extract(topic.casefold(), known, scorer=fuzz.ratio, limit=MOST_NEAR, score_cutoff=LIKE)
        return [word for word, _, _ in found]

    def _is_there(self, word: str) -> bool:
        return bool(self._store.topics.about(word, without=sorted(self._index.hidden), limit=1).commits)

    def _everyones(
        self, months: Span, repositories: Sequence[str], team: str | None, by: Commits | None = None
    ) -> tuple[Material, list[Person] | None]:
        table = self._settings.team(team) if team else None
        members = [one for one in self._index.known.everyone if one.name in table.people] if table else None
        whose = identities_of(members) if members is not None else None
        bounds, material = months.bounds(self._zone), self._index.material
        return material.of_everyone(*bounds, whose, repositories, members or (), by), members

    def _each(
        self,
        last: AnyPeriod,
        until: datetime | None,
        theirs: Mapping[Person, Sequence[Commit]],
        material: Material,
        repositories: Sequence[Repository],
        notes: Sequence[str] = (),
        *,
        with_skills: bool = False,
    ) -> list[MonthFacts]:
        """What is known of each person's commits, in the order given."""
        context = self._index.facts_context(repositories, material)
        return [
            span_facts(person, last, until, commits, context, notes=notes, with_skills=with_skills)
            for person, commits in theirs.items()
        ]


def _last(span: Span) -> AnyPeriod:
    """By the end of which what is shown of a span stands as it is shown."""
    return span if isinstance(span, Days) else span.last
