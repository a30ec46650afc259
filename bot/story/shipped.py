"""Several months of everyone, of a team or of a repository: what each was about, newest first. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Digest
from bot.month.calendar import MonthRange
from bot.month.facts import all_changes, by_state
from bot.story.corrected import corrected_by_hand, hidden_by_hand
from bot.story.document import SCHEMA, Document, sentence_document
from bot.story.lines import commits_named, in_span, repositories_of, span_title, where
from bot.story.wording import clean, count

MOST_ITEMS = 4  # of a month; its digest tells the others


def shipped_document(
    title: str, months: MonthRange, zone: str, to_date: bool, digests: Sequence[Digest], notes: Sequence[str] = ()
) -> Document:
    """The document of some months, of which `digests` are those with commits, newest first.

    Each is told by its headline and by what was worked on most; what everyone did, its own digest tells.
    """
    spans = [facts for digest in digests for facts, _ in digest.months]
    every = all_changes(spans)
    commits = [commit for facts in spans for commit in facts.commits]
    people = {facts.person.signatures for facts in spans}
    at = in_span(months, to_date)
    if not commits:
        headline = f"There are no commits {at}."
    else:
        makers, active = count(len(people), "person", "people"), count(len(digests), "month")
        places = where(sorted({clean(commit.repository) for commit in commits}))
        headline = f"{makers} made {count(len(every), 'change')}{places} {at}, in {active}."
    return {
        "schema": SCHEMA,
        "sort": "shipped",
        "title": clean(f"{span_title(months)}{' (to date)' if to_date else ''}: {title}"),
        "from": months.ends[0],
        "to": months.ends[1],
        "zone": zone,
        "to_date": to_date,
        "headline": {"text": headline, "evidence": list(dict.fromkeys(commit.sha for commit in commits))},
        "counts": {"people": len(people), "commits": len({one.sha for one in commits}), **by_state(every)},
        "months": [_month(digest) for digest in digests],
        "commits": commits_named(commits),
        "repositories": repositories_of(every),
        "indexed_at": min(
            (one.indexed_at.isoformat(timespec="seconds") for one in spans if one.indexed_at), default=None
        ),
        "notes": [
            clean(note)
            for note in (
                *corrected_by_hand(every, zone),
                *hidden_by_hand([*spans, *(facts for digest in digests for facts in digest.untold)]),
                *dict.fromkeys(note for digest in digests for note in digest.notes),
                *notes,
            )
        ],
    }


def _month(digest: Digest) -> Document:
    months = [facts for facts, _ in digest.months]
    return {
        "month": str(digest.month),
        "to_date": digest.to_date,
        "headline": sentence_document(digest.headline),
        "counts": {
            "people": len(months),
            "commits": len({commit.sha for facts in months for commit in facts.commits}),
            **by_state(all_changes(months)),
        },
        "items": [_item(theme) for theme in digest.themes[:MOST_ITEMS]],
    }


def _item(theme: Document) -> Document:
    """A piece of work of a digest: its label with the number of its changes, and the largest of them."""
    return {key: theme[key] for key in ("title", "label", "changes", "lines", "also", "repository", "evidence")}
