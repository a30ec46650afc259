"""Facts and story → the JSON document of a month, which is also what every template is given. Pure."""

from __future__ import annotations

from typing import Any

from bot.model import Change, Commit, Digest, MonthFacts, Repository, Sentence, Story
from bot.month.facts import by_repository, counts
from bot.story.wording import clean

SCHEMA = 1
Document = dict[str, Any]


def month_document(facts: MonthFacts, story: Story) -> Document:
    """The document of one developer's month, as docs/json.md describes it."""
    told = {sha for item in story.items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    return {
        "schema": SCHEMA,
        "person": {"name": clean(facts.person.name), "addresses": list(facts.person.addresses)},
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
                "repository": item.repository,
                "refs": list(item.refs),
                "evidence": list(item.evidence),
            }
            for item in story.items
        ],
        "impact": [_sentence(sentence) for sentence in story.impact],
        "skills": {"languages": [], "technologies": [], "practices": []},
        "credit": {"reviewed": [], "coauthored": []},
        "changes": [_change(change) for change in facts.changes],
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": facts.indexed_at.isoformat(timespec="seconds") if facts.indexed_at else None,
        "notes": list(facts.notes),
    }


def digest_document(digest: Digest) -> Document:
    """The document of a channel's month: its headline, and the document of each person's month."""
    months = [facts for facts, _ in digest.months]
    numbers = [counts(facts) for facts in months]
    return {
        "schema": SCHEMA,
        "digest": digest.title,
        "month": str(digest.month),
        "zone": digest.zone,
        "to_date": digest.to_date,
        "counts": {
            "people": len(months),
            "commits": len({commit.sha for facts in months for commit in facts.commits}),
            "changes": len({change.id for facts in months for change in facts.changes}),
            **{key: sum(number[key] for number in numbers) for key in ("landed", "backed_out", "relanded")},
        },
        "repositories": [_repository(*row) for row in by_repository(months)],
        "headline": _sentence(digest.headline),
        "people": [month_document(facts, story) for facts, story in digest.months],
        "indexed_at": min((m.indexed_at.isoformat(timespec="seconds") for m in months if m.indexed_at), default=None),
        "notes": list(digest.notes),
    }


def _sentence(sentence: Sentence) -> Document:
    return {"text": sentence.text, "evidence": list(sentence.evidence)}


def _repository(repository: Repository, commits: int, changes: int) -> Document:
    return {"name": repository.name, "commits": commits, "changes": changes, "web": repository.web}


def _change(change: Change) -> Document:
    return {
        "id": change.id,
        "commits": [_commit(commit) for commit in change.commits],
        "subject": change.lead.subject,
        "kind": change.kind,
        "state": change.state,
        "by": change.reverted_by,
        "reverted_in": change.reverted_in,
        "relanded_in": change.relanded_in,
        "refs": list(change.refs),
    }


def _commit(commit: Commit) -> Document:
    return {
        "repository": commit.repository,
        "sha": commit.sha,
        "author_date": commit.author.local.isoformat(timespec="seconds"),
    }
