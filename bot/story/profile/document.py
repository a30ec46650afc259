"""WholeFacts and their months' stories → the JSON document of a profile, which holds all that a template says. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model import Skills, Story
from bot.month.calendar import Period
from bot.month.whole import Contributed, WholeFacts, counts_of
from bot.story.document import BY_COMMITTER, SCHEMA, Document, month_document
from bot.story.profile.areas import Area
from bot.story.profile.paragraph import paragraph, recurring
from bot.story.wording import clean


def profile_document(whole: WholeFacts, stories: Mapping[Period, Story]) -> Document:
    """The document of a whole history, as docs/profile.md describes it; `stories` has one for each of its months."""
    found = recurring(whole)
    months = [month_document(facts, stories[facts.month]) for facts in reversed(whole.months)]
    every = {commit.sha for commit in whole.commits}
    told = {sha for month in months for item in month["items"] for sha in item["evidence"]}
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
        "paragraph": [{"text": clean(one.text), "evidence": list(one.evidence)} for one in paragraph(whole, found)],
        "themes": [_theme(area, whole) for area in found],
        "skills": _skills(whole.skills),
        "repositories": [_repository(one) for one in whole.repositories],
        "months": months,
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": whole.indexed_at.isoformat(timespec="seconds") if whole.indexed_at else None,
        "notes": [clean(note) for note in (*whole.notes, *([BY_COMMITTER] if whole.dates == "committer" else []))],
    }


def _theme(area: Area, whole: WholeFacts) -> Document:
    months = whole.span_of(area.changes)
    return {
        "name": clean(area.name),
        "changes": len(area.changes),
        "from": str(months.first),
        "to": str(months.last),
        "evidence": list(dict.fromkeys(sha for change in area.changes for sha in change.shas)),
    }


def _repository(one: Contributed) -> Document:
    return {
        "name": clean(one.repository.name),
        "months": one.months,
        "commits": one.commits,
        "changes": one.changes,
        "languages": list(one.languages),
        "technologies": list(one.technologies),
    }


def _skills(skills: Skills) -> Document:
    named: dict[str, Sequence[Document]] = {
        "languages": [{"name": one.name, "lines": one.lines} for one in skills.languages],
        "technologies": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.technologies],
        "practices": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.practices],
    }
    return dict(named)
