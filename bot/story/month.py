"""MonthFacts → the document of a developer's month: its items in the order shown, and what is counted. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.model import Change, Commit, Key, Sentence
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.facts import MonthFacts, by_repository, counts
from bot.month.message import heading_of
from bot.month.skills import Skills
from bot.story.diffs import NOTHING, FromDiffs
from bot.story.documents import (
    ChangeDocument,
    CommitDocument,
    Credit,
    EarlierDocument,
    LanguageLines,
    MonthDocument,
    PersonDocument,
    RepositoryCount,
    ReviewCredit,
    SkillsDocument,
)
from bot.story.layout import common_labels, month_items
from bot.story.lines import attention_of, corrected_by_hand, hidden_by_hand, measured_of
from bot.story.states import landed_later, stayed
from bot.story.things import judged
from bot.story.wording import clean, count, listed, plain_title

BY_COMMITTER = "Commits belong to the month in which they came to the default branch."


def month_document(
    facts: MonthFacts, diffs: FromDiffs = NOTHING, topics: Mapping[Key, Commit] | None = None
) -> MonthDocument:
    """The document of one developer's month. Every commit of it is in the evidence of an item; a change that turned
    tests off or removed them stands under what needs attention. `topics` are the merges that brought its changes."""
    items = month_items(facts, diffs, topics)
    shown = {sha for item in items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    first, last = first_and_last(facts.month)
    before = judged(facts.before)
    return MonthDocument(
        person=PersonDocument(clean(facts.person.name), tuple(map(clean, facts.person.addresses))),
        month=str(facts.month),
        from_=first,
        to=last,
        zone=facts.zone,
        to_date=facts.to_date,
        counts=counts(facts),
        repositories=repository_counts([facts]),
        headline=headline(facts),
        items=items,
        attention=tuple(attention_of(one) for item in items if item.section == "attention" for one in item.lines),
        measured=tuple(one for item in items for line in item.lines for one in measured_of(line)),
        skills=skills_document(facts.skills),
        credit=_credit(facts),
        changes=tuple(map(change_document, facts.changes)),
        coverage={"commits_told": len(shown & every), "commits_total": len(every)},
        indexed_at=indexed_at([facts]),
        notes=tuple(clean(note) for note in (*hidden_by_hand([facts]), *facts.notes, *diffs.unread)),
        details=tuple(
            clean(note) for note in (*corrected_by_hand(facts.changes, facts.zone), *by_committer(facts.dates))
        ),
        written_before=tuple(map(_earlier, sorted(facts.before, key=lambda one: -before[one.id].weight))),
    )


def _earlier(change: Change) -> EarlierDocument:
    title, day = clean(change.title) or plain_title(heading_of(change.lead).line), change.lead.author.local.date()
    return EarlierDocument(title, change.refs, change.shas, day.isoformat())


def first_and_last(period: AnyPeriod) -> tuple[str, str] | tuple[None, None]:
    """The first and the last day of a period that is no month."""
    if isinstance(period, Month):
        return None, None
    days = Days.of(period)
    return str(days.first), str(days.last)


def headline(facts: MonthFacts) -> Sentence:
    """How much, where, and how much of it did not stay."""
    shas = {commit.sha for commit in facts.commits} or {sha for one in facts.helped for sha in one.evidence}
    shas = shas or set(commits_of(facts.before))
    return Sentence(_headline(facts), tuple(sorted(shas)))


def _headline(facts: MonthFacts) -> str:
    if not facts.commits and facts.before:
        return f"Nothing written in {facts.month.title}; {count(len(facts.before), 'change')} written before landed."
    if not facts.commits:
        return "No commits of their own." if facts.helped else "No commits."
    own = [change for change in facts.changes if not change.is_shared]
    where = listed([clean(repository.name) for repository, _, _ in by_repository([facts])])
    shared = len(facts.changes) - len(own)
    said = [f"{count(len(own), 'change')}{_of_which(own, facts)}"] if own else []
    said += [f"co-author of {shared:,} by others"] if shared else []
    if facts.merges:
        said.append(f"{count(len({merge.sha for merge in facts.merges}), 'branch', 'branches')} merged")
    labels = listed([clean(label) for label, _ in common_labels(facts)])
    mostly = f", mostly {labels}" if labels else ""
    more = (landed_later(own, facts), stayed(own, facts.to_date, facts.month))
    return " ".join((f"{listed(said)} in {where}{mostly}.", *filter(None, more)))


def _of_which(own: Sequence[Change], facts: MonthFacts) -> str:
    """What lines alone do not show: that the changes are of more commits, and how many only revert."""
    of = {commit.sha for change in own for commit in change.commits} & {commit.sha for commit in facts.commits}
    reverts = sum(change.kind == "revert" for change in own)
    said = [count(len(of), "commit")] if len(of) > len(own) else []
    said += [count(reverts, "revert")] if reverts else []
    return f" ({', '.join(said)})" if said else ""


def repository_counts(months: Iterable[MonthFacts]) -> tuple[RepositoryCount, ...]:
    """The repositories with commits in the months, by name."""
    return tuple(RepositoryCount(clean(one.name), commits, changes) for one, commits, changes in by_repository(months))


def indexed_at(months: Iterable[MonthFacts]) -> str | None:
    """When the oldest index of the months was last found to be current."""
    return min((one.indexed_at.isoformat(timespec="seconds") for one in months if one.indexed_at), default=None)


def by_committer(dates: str) -> tuple[str, ...]:
    return (BY_COMMITTER,) if dates == "committer" else ()


def skills_document(skills: Skills) -> SkillsDocument:
    languages = tuple(LanguageLines(one.name, one.lines) for one in skills.languages)
    return SkillsDocument(languages, skills.technologies, ())


def _credit(facts: MonthFacts) -> Credit:
    own = facts.person.signatures
    shared = dict.fromkeys(commit.sha for change in facts.changes for commit in change.commits if commit not in own)
    reviewed = (one for one in facts.helped if one.role == "reviewer")
    return Credit(
        tuple(ReviewCredit(clean(one.repository), one.commits, one.people) for one in reviewed), tuple(shared)
    )


def change_document(change: Change) -> ChangeDocument:
    return ChangeDocument(
        id=change.id,
        commits=tuple(map(commit_document, change.commits)),
        subject=clean(heading_of(change.lead).line),
        kind=change.kind,
        state=change.state,
        by=None if change.reverted_by is None else clean(change.reverted_by),
        reverted_in=change.reverted_in,
        relanded_in=change.relanded_in,
        refs=change.refs,
        sure=change.is_sure,
    )


def commit_document(commit: Commit) -> CommitDocument:
    return CommitDocument(clean(commit.repository), commit.sha, commit.author.local.isoformat(timespec="seconds"))


def commits_of(changes: Iterable[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sha for change in changes for sha in change.shas))
