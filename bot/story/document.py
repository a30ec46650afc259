"""Facts and story → the JSON document of a month, which is also what every template is given. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bot.model import Change, Commit, Dates, Digest, MonthFacts, Repository, Sentence, Skills, Story
from bot.month.facts import by_repository, counts, states_of
from bot.story.wording import clean, count

SCHEMA = 1
MOST_LATER = 10  # sentences of a digest on what happened when its month was over
Document = dict[str, Any]


class _WithPages(Document):
    """A document that also knows under which page the commits of each repository can be opened, in words what somebody
    did for others, and by which date commits belong to the month. None of it is part of the JSON."""

    web: Mapping[str, str | None]
    helped: tuple[str, ...] = ()
    dates: Dates = "author"


def pages(document: Document) -> dict[str, str | None]:
    """The page of each repository of a document; None for one that has none."""
    known = document.web if isinstance(document, _WithPages) else {}
    return {one["name"]: known.get(one["name"]) for one in document["repositories"]}


def helped(document: Document) -> tuple[str, ...]:
    """What somebody did for others, a sentence for each way."""
    return document.helped if isinstance(document, _WithPages) else ()


def dates(document: Document) -> Dates:
    """By which of its two dates a commit belongs to the month of a document."""
    return document.dates if isinstance(document, _WithPages) else "author"


def _with_pages(document: Document, months: Iterable[MonthFacts], dates: Dates) -> _WithPages:
    told = _WithPages(document)
    told.dates = dates
    told.web = {clean(one.name): one.web for month in months for one in month.repositories}
    return told


def month_document(facts: MonthFacts, story: Story) -> Document:
    """The document of one developer's month, as docs/json.md describes it."""
    told = {sha for item in story.items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    document = {
        "schema": SCHEMA,
        "person": {
            "name": clean(facts.person.name),
            "addresses": [clean(address) for address in facts.person.addresses],
        },
        "month": str(facts.month),
        "zone": facts.zone,
        "to_date": facts.to_date,
        "counts": counts(facts),
        "repositories": [_repository(*row) for row in by_repository([facts])],
        "headline": _sentence(story.headline),
        "items": [
            {
                "title": item.title,
                "text": item.text,
                "kind": item.kind,
                "state": item.state,
                "repository": clean(item.repository),
                "refs": list(item.refs),
                "evidence": list(item.evidence),
            }
            for item in story.items
        ],
        "impact": [_sentence(sentence) for sentence in story.impact],
        "skills": _skills(facts.skills),
        "credit": _credit(facts),
        "changes": [_change(change) for change in facts.changes],
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": facts.indexed_at.isoformat(timespec="seconds") if facts.indexed_at else None,
        "notes": [clean(note) for note in (*story.later, *facts.notes)],
    }
    told_of = _with_pages(document, [facts], facts.dates)
    told_of.helped = tuple(sentence.text for sentence in story.helped)
    return told_of


def digest_document(digest: Digest) -> Document:
    """The document of a channel's month: its headline, and the document of each person's month."""
    months = [facts for facts, _ in digest.months]
    states = states_of(months)
    document = {
        "schema": SCHEMA,
        "digest": clean(digest.title),
        "month": str(digest.month),
        "zone": digest.zone,
        "to_date": digest.to_date,
        "counts": {
            "people": len(months),
            "commits": len({commit.sha for facts in months for commit in facts.commits}),
            "changes": states.total(),
            "landed": states["landed"] + states["partly"],
            "backed_out": states["backed_out"],
            "relanded": states["relanded"],
        },
        "repositories": [_repository(*row) for row in by_repository(months)],
        "headline": _sentence(digest.headline),
        "people": [month_document(facts, story) for facts, story in digest.months],
        "indexed_at": min((m.indexed_at.isoformat(timespec="seconds") for m in months if m.indexed_at), default=None),
        "notes": [clean(note) for note in (*_later(digest), *digest.notes)],
    }
    return _with_pages(document, months, digest.dates)


def _later(digest: Digest) -> list[str]:
    """What became of changes when the month was over: the first few, and how many more."""
    every = list(dict.fromkeys(sentence for _, story in digest.months for sentence in story.later))
    more = len(every) - MOST_LATER
    return [*every[:MOST_LATER], *([f"Later, {count(more, 'more change')} went out or came back."] if more > 0 else [])]


def _sentence(sentence: Sentence) -> Document:
    return {"text": sentence.text, "evidence": list(sentence.evidence)}


def _skills(skills: Skills) -> Document:
    return {
        "languages": [{"name": one.name, "lines": one.lines} for one in skills.languages],
        "technologies": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.technologies],
        "practices": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.practices],
    }


def _credit(facts: MonthFacts) -> Document:
    own = {(one.name, one.address) for one in facts.person.identities}
    shared = dict.fromkeys(
        commit.sha
        for change in facts.changes
        for commit in change.commits
        if (commit.author.name, commit.author.address) not in own
    )
    return {
        "reviewed": [
            {"repository": clean(one.repository), "commits": one.commits, "people": one.people}
            for one in facts.helped
            if one.role == "reviewer"
        ],
        "coauthored": list(shared),
    }


def _repository(repository: Repository, commits: int, changes: int) -> Document:
    return {"name": clean(repository.name), "commits": commits, "changes": changes}


def _change(change: Change) -> Document:
    return {
        "id": change.id,
        "commits": [_commit(commit) for commit in change.commits],
        "subject": clean(change.lead.subject),
        "kind": change.kind,
        "state": change.state,
        "by": change.reverted_by,
        "reverted_in": change.reverted_in,
        "relanded_in": change.relanded_in,
        "refs": list(change.refs),
    }


def _commit(commit: Commit) -> Document:
    return {
        "repository": clean(commit.repository),
        "sha": commit.sha,
        "author_date": commit.author.local.isoformat(timespec="seconds"),
    }
