"""A change as a line of a document: its title verbatim, and what is said of it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Person, Said, Sentence
from bot.month.calendar import NAMES, Days, Span
from bot.month.facts import LifetimeFacts, MonthFacts
from bot.month.people import described
from bot.story.documents import ChangeReference, LineDocument, StepDocument, ThenDocument
from bot.story.quoting import Quote
from bot.story.states import SHORT, on, ref_of
from bot.story.title import LONGEST, title_of
from bot.story.wording import KINDS, clean, count, listed, shortened

MOST_CORRECTIONS = 5  # corrections that are shown one by one


def quoted_title(commit: Commit, longest: int = LONGEST) -> str:
    """The words of a commit's title, with an ellipsis where they are longer."""
    return shortened(Quote(title_of(commit).words, commit, "title"), longest)


def called(change: Change, longest: int = LONGEST) -> str:
    """What a change is called: as somebody said by hand, or in the words of its title."""
    return clean(change.title) or quoted_title(change.lead, longest)


def line_of(
    change: Change,
    title: str,
    *,
    tag: str = "",
    measured: tuple[str, ...] = (),
    then: tuple[ThenDocument, ...] = (),
    notes: tuple[str, ...] = (),
    steps: tuple[StepDocument, ...] = (),
    landed: str | None = None,
) -> LineDocument:
    lead = change.lead
    return LineDocument(
        title=title,
        tag=clean(tag),
        ref=ref_of(lead),
        sha=lead.sha,
        repository=clean(lead.repository),
        on=lead.author.local.date().isoformat(),
        by=clean(change.shared_by),
        kind=change.kind,
        state=change.state,
        quote="",
        measured=measured,
        then=then,
        notes=notes,
        steps=steps,
        reason="",
        evidence=change.shas,
        landed=landed if not steps else None,
    )


def reference_of(change: Change) -> ChangeReference:
    return ChangeReference(ref_of(change.lead), change.lead.sha, clean(change.lead.repository))


def attention_of(line: LineDocument) -> Sentence:
    """What needs attention, in a sentence: the title, what became of it, and the reason that was given."""
    said = "; ".join(part for part in (*line.notes, chain(line.steps, line.on)) if part)
    why = f" “{line.reason}”" if line.reason else ""
    evidence = dict.fromkeys((*line.evidence, *(step.sha for step in line.steps)))
    return Sentence(f"{line.title} ({line.ref}): {said}.{why}", tuple(evidence))


def measured_of(line: LineDocument) -> list[Sentence]:
    return [Sentence(f"{line.title}: {one}", line.evidence) for one in line.measured]


def chain(steps: Sequence[StepDocument], near: str) -> str:
    """ "19 Feb landed → 21 Feb backed out by Trevor Mathisen (#5423) → 9 Mar back (#5450)"; the year stands where it is
    another than that of the day `near`."""
    return " → ".join(_in_words(step, near) for step in steps)


def _in_words(step: StepDocument, near: str) -> str:
    by = f" by {step.by}" if step.by else ""
    ref = f" ({step.ref})" if step.ref else ""
    return f"{day(step.on, near)} {step.did}{by}{ref}"


def day(iso: str, near: str = "") -> str:
    """ "5 Nov", or "5 Nov 2025" where the year is not that of the day or month `near`."""
    year, month, number = iso.split("-")
    return f"{int(number)} {NAMES[int(month) - 1][:3]}{'' if near[:4] == year else f' {int(year)}'}"


# --- people, times and places in words


def distinct_names(people: Sequence[Person]) -> tuple[str, ...]:
    """The names of people, with an address where two have the same: each finds one of them."""
    names = Counter(person.name for person in people)
    return tuple(described(one) if names[one.name] > 1 else one.name for one in people)


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


def where(commits: Iterable[Commit], most: int = 3) -> str:
    """Where commits are: " in acme/engine and acme/web", " in 5 repositories", or nothing."""
    names = sorted({clean(commit.repository) for commit in commits})
    if not names:
        return ""
    return f" in {listed(names)}" if len(names) <= most else f" in {count(len(names), 'repository', 'repositories')}"


# --- what was said of changes by hand: what one is called or counted as, by whom and since when


def what_was_said(one: Said) -> str:
    """What a correction says of its change, as it follows the change's name: "is a fix", "is called “…”"."""
    if one.action == "kind":
        word = next((words for kind, (_, words, _) in KINDS.items() if kind == one.value and kind != "chore"), "chore")
        return f"is {'an' if word[0] in 'aeiou' else 'a'} {word}"
    return f"is called “{clean(one.value)}”" if one.action == "title" else "is left out of all months"


def corrected_by_hand(changes: Iterable[Change], zone: str) -> Iterator[str]:
    """A note on each correction of changes that are shown: those of the first few, and how many more there are."""
    said = [(change, one) for change in changes for one in change.corrections]
    for change, one in said[:MOST_CORRECTIONS]:
        by = f"({clean(one.by)}, {on(one.at, ZoneInfo(zone))})"
        proved = "; these words are not proved" if one.action == "title" else ""
        yield f"Corrected by hand: {change.lead.sha[:SHORT]} {what_was_said(one)} {by}{proved}."
    if len(said) > MOST_CORRECTIONS:
        yield f"{count(len(said) - MOST_CORRECTIONS, 'more correction')} by hand."


def hidden_by_hand(months: Sequence[MonthFacts | LifetimeFacts]) -> Iterator[str]:
    """How many changes nothing is shown of, each counted once; never which."""
    number = len({change for facts in months for change in facts.hidden})
    if number:
        of_whom = "its author" if number == 1 else "their author" if len(months) == 1 else "their authors"
        yield f"{count(number, 'change')} {'is' if number == 1 else 'are'} left out at the wish of {of_whom}."
