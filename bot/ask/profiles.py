"""The material of all of somebody's months → the document of their profile, read at once."""

from __future__ import annotations

from dataclasses import replace

from bot.ask.month_material import Material
from bot.ask.omissions import left_out
from bot.model import Commit, Person, Role
from bot.month.calendar import FIRST, Month, MonthRange
from bot.month.changes import month_changes
from bot.month.facts import FactsContext, helped_with, month_facts, state_of_index
from bot.month.lifetime import LifetimeFacts
from bot.story.corrected import hidden_by_hand


def every_month(present: Month) -> MonthRange:
    """All the months there can be commits in: what is dated later has not happened."""
    return MonthRange(FIRST, present)


def whole_facts(
    person: Person,
    material: Material,
    context: FactsContext,
) -> LifetimeFacts:
    """What is known of a person from the material of `every_month`. Of the index only the whole has notes."""
    zone, dates, names, corrections = context.zone, context.dates, context.names, context.corrections
    repositories = context.repositories
    end = Month.of(context.now, zone).bounds(zone)[1]
    sound = [replace(one, failure=None, shallow=False) for one in repositories]
    of_months = replace(context, repositories=sound, histories=material.histories)
    by_month: dict[Month, list[Commit]] = {}
    for commit in material.commits:
        by_month.setdefault(Month.of(commit.dated(dates).at, zone), []).append(commit)
    shown = [pair for pair in material.credited if not corrections.hides(pair[1], material.histories)]
    credited: dict[Month, list[tuple[Role, Commit]]] = {}
    for role, commit in shown:
        credited.setdefault(Month.of(commit.dated(dates).at, zone), []).append((role, commit))
    months = [
        month_facts(
            person, month, by_month[month], of_months, helped=helped_with(person, credited.get(month, ()), names)
        )
        for month in sorted(by_month)
    ]
    own = person.signatures
    every = month_changes(material.commits, material.histories, end, names)
    changes = tuple(
        replace(change, shared_by=names(change.lead)) if change.lead not in own else change
        for change in corrections.corrected(every, material.histories).changes
    )
    return LifetimeFacts(
        person=person,
        zone=zone.key,
        months=tuple(facts for facts in months if facts.commits or not facts.hidden),
        changes=changes,
        helped=helped_with(person, shown, names),
        notes=(*left_out(material.left_out), *hidden_by_hand(months), *state_of_index(repositories)),
        indexed_at=min((one.indexed_at for one in repositories if one.indexed_at), default=None),
        dates=dates,
    )
