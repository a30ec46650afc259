"""Facts and story → the JSON document of a month, which holds all that a template says. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.model import Change, Commit, Digest, Item, MonthFacts, Repository, Sentence, Skills, Story
from bot.month.facts import all_changes, by_repository, by_state, counts
from bot.story.corrected import corrected_by_hand, hidden_by_hand
from bot.story.figures import digest_figures, month_figures
from bot.story.wording import clean, count, listed

SCHEMA = 1
MOST_LATER = 10  # sentences of a digest on what happened when its month was over
Document = dict[str, Any]
LISTS = ("changes", "comparison", "who", "shipped")  # sorts of documents which say themselves what they are
BY_COMMITTER = "Commits belong to the month of their commit date."


def reviews(reviewed: Sequence[Document]) -> str:
    """A sentence on whose commits somebody reviewed, from a document's `credit`; empty where there were none."""
    where = [
        f"{count(one['commits'], 'commit')} by {count(one['people'], 'other')} in {one['repository']}"
        for one in reviewed
    ]
    return f"Reviewed {listed(where)}." if where else ""


def month_document(facts: MonthFacts, story: Story) -> Document:
    """The document of one developer's month, as docs/json.md describes it."""
    told = {sha for item in story.items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    credit = _credit(facts)
    return {
        "schema": SCHEMA,
        "person": {
            "name": clean(facts.person.name),
            "addresses": [clean(address) for address in facts.person.addresses],
        },
        "month": str(facts.month),
        "zone": facts.zone,
        "to_date": facts.to_date,
        "counts": counts(facts),
        "figures": month_figures(facts),
        "repositories": [_repository(*row) for row in by_repository([facts])],
        "headline": sentence_document(story.headline),
        "items": [item_document(item) for item in story.items],
        "impact": [sentence_document(sentence) for sentence in story.impact],
        "skills": _skills(facts.skills),
        "credit": credit,
        "changes": [_change(change) for change in facts.changes],
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": facts.indexed_at.isoformat(timespec="seconds") if facts.indexed_at else None,
        "notes": [clean(note) for note in _notes(facts, story, credit)],
    }


def digest_document(digest: Digest) -> Document:
    """The document of a channel's month: its headline, and the document of each person's month."""
    months = [facts for facts, _ in digest.months]
    said = (*corrected_by_hand(all_changes(months), digest.zone), *hidden_by_hand([*months, *digest.untold]))
    return {
        "schema": SCHEMA,
        "digest": clean(digest.title),
        "month": str(digest.month),
        "zone": digest.zone,
        "to_date": digest.to_date,
        "counts": {
            "people": len(months),
            "commits": len({commit.sha for facts in months for commit in facts.commits}),
            **by_state(all_changes(months)),
        },
        "figures": digest_figures(digest),
        "repositories": [_repository(*row) for row in by_repository(months)],
        "headline": sentence_document(digest.headline),
        "themes": [item_document(item) for item in digest.themes],
        "summaries": [sentence_document(summary) for summary in digest.summaries],
        "people": [month_document(facts, story) for facts, story in digest.months],
        "indexed_at": min((m.indexed_at.isoformat(timespec="seconds") for m in months if m.indexed_at), default=None),
        "notes": [clean(note) for note in (*_later(digest), *said, *digest.notes, *_dates(digest))],
    }


def _notes(facts: MonthFacts, story: Story, credit: Document) -> tuple[str, ...]:
    said = (*corrected_by_hand(facts.changes, facts.zone), *hidden_by_hand([facts]))
    others = (*_dates(facts), *_replaced(story.replaced))
    return (*_other_help(story, credit), *story.later, *said, *facts.notes, *others)


def _other_help(story: Story, credit: Document) -> list[str]:
    """What somebody did for others' commits but review them, which the document counts by itself."""
    counted = reviews(credit["reviewed"])
    return [sentence.text for sentence in story.helped if sentence.text != counted]


def _dates(told: MonthFacts | Digest) -> tuple[str, ...]:
    return (BY_COMMITTER,) if told.dates == "committer" else ()


def _later(digest: Digest) -> list[str]:
    """What became of changes when the month was over: the first few, and how many more."""
    every = list(dict.fromkeys(sentence for _, story in digest.months for sentence in story.later))
    more = len(every) - MOST_LATER
    return [*every[:MOST_LATER], *([f"Later, {count(more, 'more change')} went out or came back."] if more > 0 else [])]


def _replaced(number: int) -> list[str]:
    """How many sentences did not hold, and so were left out or told in plain words."""
    if not number:
        return []
    are = "is" if number == 1 else "are"
    return [f"{count(number, 'sentence')} could not be proved, and {are} left out or told in plain words."]


def item_document(item: Item) -> Document:
    """A piece of work as told, in the shape that templates expect of each line with commits."""
    return {
        "title": clean(item.title),
        "text": clean(item.text),
        "kind": item.kind,
        "state": item.state,
        "repository": clean(item.repository),
        "refs": list(item.refs),
        "evidence": list(item.evidence),
    }


def sentence_document(sentence: Sentence) -> Document:
    return {"text": clean(sentence.text), "evidence": list(sentence.evidence)}


def _skills(skills: Skills) -> Document:
    return {
        "languages": [{"name": one.name, "lines": one.lines} for one in skills.languages],
        "technologies": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.technologies],
        "practices": [{"name": one.name, "evidence": list(one.evidence)} for one in skills.practices],
    }


def _credit(facts: MonthFacts) -> Document:
    own = facts.person.signatures
    shared = dict.fromkeys(commit.sha for change in facts.changes for commit in change.commits if commit not in own)
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
        "by": None if change.reverted_by is None else clean(change.reverted_by),
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
