"""Facts and story → the JSON document of a month or a digest, which holds all that a template says. Pure.

docs/json.md describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from bot.model import Change, Commit, Digest, MonthFacts, Repository, Sentence, Skills
from bot.month.calendar import NAMES, AnyPeriod, Days, Month
from bot.month.facts import all_changes, by_repository, by_state, counts
from bot.story.corrected import corrected_by_hand, hidden_by_hand
from bot.story.figures import digest_figures, month_figures
from bot.story.parts import Item, Line, Story
from bot.story.states import ref_of, stayed, step_document
from bot.story.wording import clean, count, listed

SCHEMA = 2
Document = dict[str, Any]
LISTS = ("changes", "comparison", "who", "shipped")  # sorts of documents which say themselves what they are
BY_COMMITTER = "Commits belong to the month of their commit date."


def month_document(facts: MonthFacts, story: Story) -> Document:
    """The document of one developer's month."""
    told = {sha for item in story.items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    return {
        "schema": SCHEMA,
        "person": {
            "name": clean(facts.person.name),
            "addresses": [clean(address) for address in facts.person.addresses],
        },
        "month": str(facts.month),
        **days_document(facts.month),
        "zone": facts.zone,
        "to_date": facts.to_date,
        "counts": counts(facts),
        "figures": month_figures(facts),
        "repositories": [_repository(*row) for row in by_repository([facts])],
        "headline": {"text": headline(facts), "evidence": sorted(every or _helped(facts))},
        "attention_first": story.attention_first,
        "items": [item_document(item) for item in story.items],
        "attention": [attention_document(item, line) for item in story.of("attention") for line in item.lines],
        "measured": [one for line in story.lines for one in measured_documents(line)],
        "impact": [],
        "skills": skills_document(facts.skills),
        "credit": _credit(facts),
        "changes": [_change(change) for change in facts.changes],
        "coverage": {"commits_told": len(told & every), "commits_total": len(every)},
        "indexed_at": facts.indexed_at.isoformat(timespec="seconds") if facts.indexed_at else None,
        "notes": [clean(note) for note in (*hidden_by_hand([facts]), *facts.notes)],
        "details": [
            clean(note)
            for note in (*facts.details, *corrected_by_hand(facts.changes, facts.zone), *by_committer(facts.dates))
        ],
    }


def days_document(period: AnyPeriod) -> Document:
    """The first and the last day of a period that is no month: {"from", "to"}."""
    if isinstance(period, Month):
        return {}
    days = Days.of(period)
    return {"from": str(days.first), "to": str(days.last)}


def headline(facts: MonthFacts) -> str:
    """How much, where, and how much of it did not stay."""
    own = [change for change in facts.changes if not change.is_shared]
    where = listed([clean(repository.name) for repository, _, _ in by_repository([facts])])
    if not facts.commits:
        return "No commits of their own." if _helped(facts) else "No commits."
    branches = count(len({merge.sha for merge in facts.merges}), "branch", "branches")
    shared = len(facts.changes) - len(own)
    said = [count(len(own), "change")] if own else []
    said += [f"co-author of {shared:,} by others"] if shared else []
    said += [f"{branches} merged"] if facts.merges else []
    kept = stayed(own, facts.to_date, facts.month)
    return f"{listed(said)} in {where}.{' ' + kept if kept else ''}"


def _helped(facts: MonthFacts) -> set[str]:
    return {sha for one in facts.helped for sha in one.evidence}


def item_document(item: Item) -> Document:
    """A piece of work as told. `title` is a title verbatim or the label of several, `text` the sentences that are
    quoted; `lines` are its changes with their titles, `more` those that are only counted."""
    lines = [line_document(line) for line in item.lines]
    more = [_named(change) for change in item.more]
    first = item.changes[0].lead.repository if item.changes else item.merges[0].repository
    title = item.label or (lines[0]["title"] if len(lines) == 1 else "")
    return {
        "section": item.section,
        "title": title or _title(item),
        "label": item.label,
        "text": " ".join(line["quote"] for line in lines if line["quote"]),
        "kind": item.kind,
        "state": item.state,
        "repository": clean(first),
        "refs": list(dict.fromkeys(ref for change in item.changes for ref in change.refs)),
        "evidence": list(item.evidence),
        "lines": lines,
        "more": more,
    }


def _title(item: Item) -> str:
    if item.merges:
        return f"{count(len(item.merges), 'branch', 'branches')} merged"
    return item.lines[0].title.text if item.lines else count(len(item.changes), "change")


def line_document(line: Line) -> Document:
    change = line.change
    return {
        "title": clean(line.title.text),
        "tag": clean(line.tag),
        "ref": line.ref or ref_of(change.lead),
        "sha": change.lead.sha,
        "repository": clean(change.lead.repository),
        "on": change.lead.author.local.date().isoformat(),
        "by": clean(change.shared_by),
        "kind": change.kind,
        "state": change.state,
        "quote": line.quote.text if line.quote else "",
        "measured": [one.text for one in line.measured],
        "then": [
            {"title": one.title.text, "ref": one.ref or ref_of(one.title.commit), "sha": one.title.sha}
            for one in line.then
        ],
        "notes": list(line.notes),
        "steps": [step_document(step) for step in line.steps],
        "reason": line.reason.text if line.reason else "",
        "evidence": list(change.shas),
    }


def _named(change: Change) -> Document:
    lead = change.lead
    return {"ref": ref_of(lead), "sha": lead.sha, "repository": clean(lead.repository)}


def attention_document(item: Item, line: Line) -> Document:
    """What needs attention, in a sentence: the title, what became of it, and the reason that was given."""
    told = line_document(line)
    became = chain(told["steps"], str(told["on"]))
    said = "; ".join(part for part in (*told["notes"], became) if part)
    why = f" “{told['reason']}”" if told["reason"] else ""
    evidence = dict.fromkeys((*line.change.shas, *(step.commit.sha for step in line.steps)))
    return {"text": f"{told['title']} ({told['ref']}): {said}.{why}", "evidence": list(evidence)}


def measured_documents(line: Line) -> list[Document]:
    return [
        {"text": f"{clean(line.title.text)}: {one.text}", "evidence": list(line.change.shas)} for one in line.measured
    ]


def chain(steps: Sequence[Document], near: str) -> str:
    """ "19 Feb landed → 21 Feb backed out by Trevor Mathisen (#5423) → 9 Mar back (#5450)"; the year stands where it is
    another than that of the day `near`."""
    return " → ".join(_in_words(step, near) for step in steps)


def _in_words(step: Document, near: str) -> str:
    by = f" by {step['by']}" if step["by"] else ""
    ref = f" ({step['ref']})" if step["ref"] else ""
    return f"{day(step['on'], near)} {step['did']}{by}{ref}"


def day(iso: str, near: str = "") -> str:
    """ "5 Nov", or "5 Nov 2025" where the year is not that of the day or month `near`."""
    on = date.fromisoformat(iso)
    year = "" if near[:4] == iso[:4] else f" {on.year}"
    return f"{on.day} {NAMES[on.month - 1][:3]}{year}"


def reviews(reviewed: Sequence[Document]) -> str:
    """How many changes of others somebody reviewed, from a document's `credit`; empty where there were none."""
    commits = sum(one["commits"] for one in reviewed)
    return f"Reviewed {count(commits, 'change')} by others." if commits else ""


def digest_document(digest: Digest) -> Document:
    """The document of a channel's month: what the team did, and the document of each person's month."""
    months = [facts for facts, _ in digest.months]
    return {
        "schema": SCHEMA,
        "digest": clean(digest.title),
        "month": str(digest.month),
        **days_document(digest.month),
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
        "attention": list(digest.attention),
        "measured": list(digest.measured),
        "themes": list(digest.themes),
        "others": digest.others,
        "machines": digest.machines,
        "people": [month_document(facts, story) for facts, story in digest.months],
        "indexed_at": min((m.indexed_at.isoformat(timespec="seconds") for m in months if m.indexed_at), default=None),
        "notes": [clean(note) for note in (*hidden_by_hand([*months, *digest.untold]), *digest.notes)],
        "details": [
            clean(note) for note in (*corrected_by_hand(all_changes(months), digest.zone), *by_committer(digest.dates))
        ],
    }


def by_committer(dates: str) -> tuple[str, ...]:
    return (BY_COMMITTER,) if dates == "committer" else ()


def sentence_document(sentence: Sentence) -> Document:
    return {"text": clean(sentence.text), "evidence": list(sentence.evidence)}


def skills_document(skills: Skills) -> Document:
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


def commits_of(changes: Iterable[Change]) -> list[str]:
    return list(dict.fromkeys(sha for change in changes for sha in change.shas))
