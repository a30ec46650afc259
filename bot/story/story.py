"""MonthFacts → Story: a headline, then every change with its commits. Pure."""

from __future__ import annotations

from bot.model import Change, Commit, Item, MonthFacts, Sentence, Story
from bot.month.facts import by_kind, by_repository, counts
from bot.month.trailers import references, without_references
from bot.story.evidence import first_sentence
from bot.story.proof import proved
from bot.story.wording import clean, count, kinds_listed, listed, shortened, told


def month_story(facts: MonthFacts) -> Story:
    """The story of a month. Every commit of it is in the evidence of an item."""
    ranked = sorted(facts.changes, key=lambda change: (told(change.kind), change.lead.author.seconds, change.id))
    items = [proved(_item(change), facts) for change in ranked]
    if facts.merges:
        items.append(_merges(facts.merges))
    return Story(headline=headline(facts), items=tuple(items))


def headline(facts: MonthFacts) -> Sentence:
    """One or two sentences: how much, where, and of what kinds."""
    when = f"in {facts.month.title}" + (" so far" if facts.to_date else "")
    evidence = tuple(dict.fromkeys(commit.sha for commit in facts.commits))
    name = clean(facts.person.name)
    if not facts.commits:
        return Sentence(f"{name} has no commits {when}.", ())
    where = listed([repository.name for repository, _, _ in by_repository([facts])])
    numbers = counts(facts)
    if not facts.changes:
        return Sentence(f"{name} merged {count(len(facts.merges), 'branch', 'branches')} in {where} {when}.", evidence)
    text = f"{name} made {count(numbers['changes'], 'change')} in {where} {when}: {kinds_listed(by_kind([facts]))}."
    if facts.merges:
        text += f" They also merged {count(len(facts.merges), 'branch', 'branches')}."
    return Sentence(text, evidence)


def title(subject: str) -> str:
    """A subject as a title: in one line, without the number a forge appended, not too long."""
    return shortened(without_references(clean(subject)).rstrip(".")) or "(no subject)"


def _item(change: Change) -> Item:
    lead = change.lead
    return Item(
        title=title(lead.subject),
        text=first_sentence(lead.body, lead.subject) or "",
        kind=change.kind,
        state=change.state,
        repository=lead.repository,
        refs=change.refs,
        evidence=tuple(dict.fromkeys(change.shas)),
    )


def _merges(merges: tuple[Commit, ...]) -> Item:
    refs = [ref for merge in merges for ref in references(merge.subject)]
    where = listed(sorted({merge.repository for merge in merges}))
    return Item(
        title=f"{count(len(merges), 'merge')}",
        text=f"Merged {count(len(merges), 'branch', 'branches')} in {where}; what they brought is told by its own commits.",
        kind="chore",
        state="landed",
        repository=merges[0].repository,
        refs=tuple(dict.fromkeys(refs)),
        evidence=tuple(dict.fromkeys(merge.sha for merge in merges)),
    )
