"""MonthFacts → Story: a headline, then every change with its commits. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.model import Change, Commit, Item, Kind, MonthFacts, Role, Sentence, Story
from bot.month.facts import by_kind, by_repository
from bot.month.trailers import merged_branch, references, without_references
from bot.story.evidence import first_sentence
from bot.story.proof import counted, proved
from bot.story.reason import reason
from bot.story.standing import happened_later, standing, state_counts, stayed
from bot.story.wording import clean, count, kinds_listed, listed, shortened, told, when

MOST_NAMED = 3  # branches of merges
HELPED: dict[Role, str] = {
    "reviewer": "Reviewed",
    "tester": "Tested",
    "reporter": "Reported what was mended in",
    "suggester": "Suggested",
    "helper": "Helped with",
}
_BULLET = re.compile(r"^(?:[-*•+>]+\s+)+")


def month_story(facts: MonthFacts) -> Story:
    """The story of a month. Every commit of it is in the evidence of an item."""
    ranked = sorted(facts.changes, key=lambda change: (told(change.kind), change.lead.author.seconds, change.id))
    items = [_item(change, facts) for change in ranked]
    titles = {change.id: item.title for change, item in zip(ranked, items, strict=True)}
    return Story(
        headline=headline(facts),
        items=(*items, *_merges(facts)),
        later=tuple(happened_later(facts, titles)),
        helped=tuple(_helped(facts)),
    )


def headline(facts: MonthFacts) -> Sentence:
    """One or two sentences: how much, where, and of what kinds."""
    at = when(facts.month, facts.to_date)
    evidence = tuple(dict.fromkeys(commit.sha for commit in facts.commits))
    name = clean(facts.person.name)
    if not facts.commits:
        if helped := tuple(dict.fromkeys(sha for one in facts.helped for sha in one.evidence)):
            return Sentence(f"{name} has no commits {at}, but helped with {count(len(helped), 'other')}.", helped)
        return Sentence(f"{name} has no commits {at}.", ())
    repositories = [clean(repository.name) for repository, _, _ in by_repository([facts])]
    where = listed(repositories)
    branches = count(len({merge.sha for merge in facts.merges}), "branch", "branches")
    own = [change for change in facts.changes if not change.is_shared]
    shared = count(len(facts.changes) - len(own), "change")
    changes, kinds = count(len(own), "change"), kinds_told(own)
    if facts.changes and not own:
        text = f"{name} shared in {shared} by others in {where} {at}."
    elif not facts.changes:
        text = f"{name} merged {branches} in {where} {at}."
    else:
        text = f"{name} made {changes} in {where} {at}{kinds}."
        text += f" {not_all}" if (not_all := stayed(own, facts.to_date)) else ""
        text += f" They shared in {shared} by others." if len(own) < len(facts.changes) else ""
    if facts.changes and facts.merges:
        text += f" They also merged {branches}."
    of_states = state_counts(own)
    computed = (name, at, changes, shared, kinds, branches, *repositories, *of_states)
    return counted(Sentence(text, evidence), f"{name} was active {at}.", [facts], computed)


def kinds_told(changes: Sequence[Change]) -> str:
    """ ": 5 features and 1 fix"; or ", among them 5 features" where not all kinds are sure; or nothing."""
    kinds: dict[Kind, int] = {kind: number for kind, number in by_kind(changes).items() if kind != "chore"}
    if not kinds:
        return ""
    return f"{': ' if sum(kinds.values()) == len(changes) else ', among them '}{kinds_listed(kinds)}"


def title(subject: str) -> str:
    """A subject as a title: in one line, without a bullet before it or the number a forge appended, not too long."""
    words = _BULLET.sub("", without_references(clean(subject)))
    if not words.endswith(".."):
        words = words.rstrip(".")
    return shortened(words.strip()) or "(no subject)"


def _item(change: Change, facts: MonthFacts) -> Item:
    """A change as told: what it is, the first sentence of why, and what became of it."""
    lead, shas = change.lead, tuple(dict.fromkeys(change.shas))
    item = proved(
        Item(
            title=title(lead.subject),
            sentences=tuple(Sentence(text, shas) for text in (_said(change),) if text),
            kind=change.kind,
            state=change.state,
            repository=lead.repository,
            refs=change.refs,
            evidence=shas,
        ),
        facts,
    )
    with_whom = f"Written by {clean(change.shared_by)}, together with {clean(facts.person.name)}."
    more = (with_whom if change.is_shared else "", standing(change, facts))
    return replace(item, sentences=(*item.sentences, *(Sentence(text, shas) for text in more if text)))


def _said(change: Change) -> str:
    """The sentence of the lead's body that is told: of a revert why, of anything else the first."""
    lead = change.lead
    if change.kind != "revert":
        return first_sentence(lead.body, lead.subject) or ""
    why = reason(lead.body, lead.subject) or ""
    return f"{why}." if why[-1:].isalnum() else why


def _helped(facts: MonthFacts) -> Iterator[Sentence]:
    """What the person did for others' commits, a sentence for each role."""
    for role, did in HELPED.items():
        of_role = [one for one in facts.helped if one.role == role]
        if not of_role:
            continue
        where = [
            f"{count(one.commits, 'commit')} by {count(one.people, 'other')} in {clean(one.repository)}"
            for one in of_role
        ]
        yield Sentence(f"{did} {listed(where)}.", tuple(dict.fromkeys(sha for one in of_role for sha in one.evidence)))


def _merges(facts: MonthFacts) -> list[Item]:
    """The merges, an item for each repository. One that several hold is told in the first."""
    by_sha: dict[str, Commit] = {}
    for merge in sorted(facts.merges, key=lambda merge: merge.repository):
        by_sha.setdefault(merge.sha, merge)
    items = []
    for repository in sorted({merge.repository for merge in by_sha.values()}):
        merges = [m for m in facts.merges if m.repository == repository and by_sha[m.sha] is m]
        items.append(
            Item(
                title=_merged(merges),
                sentences=(),
                kind="chore",
                state="landed",
                repository=repository,
                refs=tuple(dict.fromkeys(ref for merge in merges for ref in references(merge.subject))),
                evidence=tuple(merge.sha for merge in merges),
            )
        )
    return items


def _merged(merges: list[Commit]) -> str:
    """Which branches were merged, or how many where not all of them can be named."""
    named = [branch for merge in merges if (branch := merged_branch(clean(merge.subject)))]
    if len(named) == len(merges) <= MOST_NAMED:
        return shortened(f"Merged {listed(list(dict.fromkeys(named)))}")
    return title(merges[0].subject) if len(merges) == 1 else f"Merged {count(len(merges), 'branch', 'branches')}"
