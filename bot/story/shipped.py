"""Several months of everyone, of a team or of a repository: what each was about, newest first. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Sentence
from bot.month.calendar import MonthRange
from bot.month.facts import all_changes, by_state
from bot.story.corrected import hidden_by_hand
from bot.story.digest import Digest
from bot.story.documents import DigestDocument
from bot.story.lines import in_span, span_title, where
from bot.story.list_documents import ShippedDocument, ShippedMonth
from bot.story.lists import commits_named, notes_of, repositories_of
from bot.story.month import indexed_at
from bot.story.wording import clean, count

MOST_ITEMS = 4  # of a month; its digest tells the others


def shipped_document(
    title: str, months: MonthRange, zone: str, to_date: bool, digests: Sequence[Digest], notes: Sequence[str] = ()
) -> ShippedDocument:
    """The document of some months, of which `digests` are those with commits, newest first.

    Each is shown by its headline and by what was worked on most; what everyone did, its own digest tells.
    """
    spans = [facts for digest in digests for facts in digest.months]
    every = all_changes(spans)
    commits = [commit for facts in spans for commit in facts.commits]
    people = {facts.person.signatures for facts in spans}
    at = in_span(months, to_date)
    if not commits:
        headline = f"There are no commits {at}."
    else:
        makers, active = count(len(people), "person", "people"), count(len(digests), "month")
        places = where(commits)
        headline = f"{makers} made {count(len(every), 'change')}{places} {at}, in {active}."
    first, last = months.ends
    return ShippedDocument(
        title=clean(f"{span_title(months)}{' (to date)' if to_date else ''}: {title}"),
        from_=first,
        to=last,
        zone=zone,
        to_date=to_date,
        headline=Sentence(headline, tuple(dict.fromkeys(commit.sha for commit in commits))),
        counts={"people": len(people), "commits": len({one.sha for one in commits}), **by_state(every)},
        months=tuple(_month(digest.document) for digest in digests),
        commits=commits_named(commits),
        repositories=repositories_of(every),
        indexed_at=indexed_at(spans),
        notes=notes_of(
            every, (), zone,
            hidden=hidden_by_hand([*spans, *(facts for digest in digests for facts in digest.hidden)]),
            last=(*dict.fromkeys(note for digest in digests for note in digest.notes), *notes),
        ),
    )  # fmt: skip


def _month(digest: DigestDocument) -> ShippedMonth:
    return ShippedMonth(digest.month, digest.to_date, digest.headline, digest.counts, digest.themes[:MOST_ITEMS])
