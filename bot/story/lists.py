"""What the documents of lists have in common: changes as lines, people, spans and counts in words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Kind, Person
from bot.month.facts import MonthFacts
from bot.story.corrected import corrected_by_hand
from bot.story.documents import CommitDocument, KindFigure, RepositoryCount
from bot.story.lines import called, chain, distinct_names, line_of
from bot.story.list_documents import CalledPerson, ListedLine
from bot.story.month import commit_document
from bot.story.states import on, steps_of
from bot.story.title import title_of
from bot.story.wording import KINDS, clean


def listed_line(change: Change, facts: MonthFacts, *, kind: str = "") -> ListedLine:
    """A change of somebody's months: its title, what is said of its kind, its day, and what became of it until now."""
    tag = next(iter(title_of(change.lead).labels), "")
    line = line_of(change, called(change), tag=tag, steps=steps_of(change, facts))
    day = on(change.lead.author.at, ZoneInfo(facts.zone))
    said = [f"{kind}, {day}." if kind else f"{day}."]
    if change.is_shared:
        said.append(f"By {clean(change.shared_by)}, with {clean(facts.person.name)} as co-author.")
    if line.steps:
        said.append(f"{chain(line.steps, line.on)}.")
    return ListedLine(
        **{one.name: getattr(line, one.name) for one in fields(line) if one.name != "text"},
        id=change.id,
        text=" ".join(said),
        is_sure=change.is_sure,
        refs=change.refs,
        at=change.lead.author.local.isoformat(timespec="seconds"),
    )


def kind_of(change: Change) -> str:
    """ "Fix", or "Fix (not sure)" where the rule that decided it often errs."""
    word = KINDS[change.kind][1]
    unsure = "" if change.is_sure or change.kind == "chore" else " (not sure)"
    return f"{word[:1].upper()}{word[1:]}{unsure}"


def called_people(people: Sequence[Person]) -> list[CalledPerson]:
    """Who people are; `called` tells those apart who have one name."""
    return [
        CalledPerson(clean(one.name), tuple(map(clean, one.addresses)), clean(name))
        for one, name in zip(people, distinct_names(people), strict=True)
    ]


def commits_named(commits: Iterable[Commit]) -> tuple[CommitDocument, ...]:
    """The commits that a document names, each once a repository, in order of time."""
    found = {(one.repository, one.sha): one for one in commits}
    ordered = sorted(found.values(), key=lambda one: one.written)
    return tuple(map(commit_document, ordered))


def kinds_counted(kinds: Mapping[Kind, int]) -> tuple[KindFigure, ...]:
    """How many changes there are of each kind: most first, equals in the order of telling."""
    ranked = sorted((kind for kind in KINDS if kinds.get(kind)), key=lambda kind: -kinds[kind])
    return tuple(KindFigure(kind, kinds[kind]) for kind in ranked)


def repositories_of(changes: Iterable[Change]) -> tuple[RepositoryCount, ...]:
    """Each repository with its commits and changes, by name."""
    commits: dict[str, set[str]] = {}
    whole: dict[str, set[str]] = {}
    for change in changes:
        for commit in change.commits:
            commits.setdefault(clean(commit.repository), set()).add(commit.sha)
            whole.setdefault(clean(commit.repository), set()).add(change.id)
    return tuple(RepositoryCount(name, len(commits[name]), len(whole[name])) for name in sorted(commits))


def notes_of(
    changes: Iterable[Change],
    spans: Iterable[MonthFacts],
    zone: str,
    *,
    hidden: Iterable[str] = (),
    first: Iterable[str] = (),
    last: Iterable[str] = (),
) -> tuple[str, ...]:
    """The notes of a list: what was corrected by hand in it, and the notes of the months, each once."""
    of_months = dict.fromkeys(note for facts in spans for note in facts.notes)
    return tuple(map(clean, (*first, *corrected_by_hand(changes, zone), *hidden, *of_months, *last)))
