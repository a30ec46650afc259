"""Changes as lines of a list, in the shape of an item: a title, what is to be said of it, and its commits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Kind, MonthFacts, Person
from bot.month.calendar import Days, Span
from bot.month.people import described
from bot.story.document import Document, chain, line_document
from bot.story.parts import Line
from bot.story.quote import Quote
from bot.story.states import has_history, on, steps_of
from bot.story.title import cut, number_of, title_of
from bot.story.wording import KINDS, clean, count, listed


def line(change: Change, facts: MonthFacts, *, with_kind: bool = True) -> Document:
    """A change of somebody's months: its title, its kind and day, and what became of it until now."""
    steps = steps_of(change, facts) if has_history(change) else ()
    told = line_document(
        Line(
            change,
            Quote(cut(title_of(change.lead).words), change.lead, title_of(change.lead).place),
            ref=number_of(change.lead),
            steps=steps,
        )
    )
    day = on(change.lead.author.at, ZoneInfo(facts.zone))
    said = [f"{kind_of(change)}, {day}." if with_kind else f"{day}."]
    if change.is_shared:
        said.append(f"By {clean(change.shared_by)}, with {clean(facts.person.name)} as co-author.")
    if steps:
        said.append(f"{chain(told['steps'], told['on'])}.")
    return {
        **told,
        "id": change.id,
        "title": called(change),
        "text": " ".join(said),
        "is_sure": change.is_sure,
        "refs": list(change.refs),
        "at": change.lead.author.local.isoformat(timespec="seconds"),
    }


def called(change: Change) -> str:
    """What a change is called: as somebody said by hand, or in the words of its subject."""
    return clean(change.title) or cut(title_of(change.lead).words)


def kind_of(change: Change) -> str:
    """ "Fix", or "Fix (not sure)" where the rule that decided it often errs."""
    word = KINDS[change.kind][1]
    unsure = "" if change.is_sure or change.kind == "chore" else " (not sure)"
    return f"{word[:1].upper()}{word[1:]}{unsure}"


def commits_named(commits: Iterable[Commit]) -> list[Document]:
    """The commits that a document names, each once a repository."""
    found = {(one.repository, one.sha): one for one in commits}
    return [
        {"repository": clean(name), "sha": sha, "author_date": one.author.local.isoformat(timespec="seconds")}
        for (name, sha), one in sorted(found.items(), key=lambda pair: (pair[1].author.seconds, pair[0]))
    ]


def told_apart(people: Sequence[Person]) -> tuple[str, ...]:
    """The names of people, with an address where two have the same: each finds one of them."""
    names = [person.name for person in people]
    return tuple(described(one) if names.count(one.name) > 1 else one.name for one in people)


def people_documents(people: Sequence[Person]) -> list[Document]:
    """Who people are; `called` tells those apart who have one name."""
    return [
        {"name": clean(one.name), "addresses": [clean(address) for address in one.addresses], "called": clean(called)}
        for one, called in zip(people, told_apart(people), strict=True)
    ]


def in_span(span: Span, to_date: bool) -> str:
    """ "in October 2025", "from June to August 2025", "in November 2026 so far", "on 14 August 2025"."""
    so_far = " so far" if to_date else ""
    if isinstance(span, Days):
        return f"{'on' if span.first == span.last else 'from'} {span.title}{so_far}"
    if span.is_one:
        return f"in {span.last.title}{so_far}"
    return f"from {span_title(span)}{so_far}"


def span_title(span: Span) -> str:
    """ "October 2025", "June to August 2025", "November 2024 to January 2025", "11 to 17 August 2025"."""
    if isinstance(span, Days) or span.is_one:
        return span.title
    first = span.first.title
    if span.first.year == span.last.year:
        first = first.rpartition(" ")[0]
    return f"{first} to {span.last.title}"


def where(names: Sequence[str], most: int = 3) -> str:
    """ " in acme/engine and acme/web", " in 5 repositories", or nothing."""
    if not names:
        return ""
    return f" in {listed(names)}" if len(names) <= most else f" in {count(len(names), 'repository', 'repositories')}"


def kinds_counted(kinds: Mapping[Kind, int]) -> list[Document]:
    """How many changes there are of each kind: most first, equals in the order of telling."""
    ranked = sorted((kind for kind in KINDS if kinds.get(kind)), key=lambda kind: -kinds[kind])
    return [{"kind": kind, "changes": kinds[kind]} for kind in ranked]


def repositories_of(changes: Iterable[Change]) -> list[Document]:
    """Each repository with its commits and changes, by name."""
    commits: dict[str, set[str]] = {}
    whole: dict[str, set[str]] = {}
    for change in changes:
        for commit in change.commits:
            commits.setdefault(clean(commit.repository), set()).add(commit.sha)
            whole.setdefault(clean(commit.repository), set()).add(change.id)
    return [{"name": name, "commits": len(commits[name]), "changes": len(whole[name])} for name in sorted(commits)]
