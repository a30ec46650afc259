"""A change as a line of a document: its title verbatim, what became of it as a chain of dates, and what is said of it;
and how much of a month stayed. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Person, RevertEvent, Said, Sentence, State
from bot.month.calendar import NAMES, AnyPeriod, Days
from bot.month.credits import BOTS, is_machine
from bot.month.facts import MonthFacts
from bot.month.histories import number_in, order_of
from bot.month.histories import state_of as state_by
from bot.month.message import heading_of, meaning_of
from bot.month.people import described
from bot.month.title import LONGEST, number_of, title_of
from bot.story.documents import ChangeReference, LineDocument, StepDocument
from bot.story.quoting import Quote, reason_of
from bot.wording import KINDS, clean, count, listed, shortened

SHORT = 9  # digits of a SHA where a commit has no number


def on(instant: datetime, zone: ZoneInfo) -> str:
    """The day of an instant, as "20 February 2026"."""
    local = instant.astimezone(zone)
    return f"{local.day} {NAMES[local.month - 1]} {local.year}"


def ref_of(commit: Commit) -> str:
    """By what a commit is named: the number of its pull request, or the beginning of its SHA."""
    return number_of(commit) or commit.sha[:SHORT]


def commits_of(changes: Iterable[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sha for change in changes for sha in change.shas))


def has_history(change: Change) -> bool:
    """Whether more happened to a change than that it landed. A revert that stands is none."""
    return bool(change.out or change.back or change.later or change.fixes)


def events_of(change: Change) -> tuple[RevertEvent, ...]:
    """What happened to a change until today, in order of time."""
    if not (change.out or change.back or change.later or change.earlier):  # as to most
        return ()
    events = (*change.earlier, *(event for event in (change.out, change.back) if event), *change.later)
    return tuple(sorted(events, key=lambda event: (event.commit.came, order_of(event.commit))))


def state_now(change: Change) -> State:
    """What state a change is in today."""
    events = events_of(change)
    return state_by(events)[0] if events else change.state


def is_out(change: Change) -> bool:
    """Whether a change is wholly out today."""
    return change.kind != "revert" and state_now(change) == "backed_out"


def is_open(change: Change) -> bool:
    """Whether a change is out today, in whole or in part."""
    return change.kind != "revert" and state_now(change) in ("backed_out", "partly")


def was_out(change: Change) -> bool:
    """Whether a change of the month was ever taken out; one that only comes back in it is its work."""
    comes_back = change.back is not None and change.back.commit == change.lead
    return not comes_back and bool(change.out or any(event.does == "reverts" for event in change.later))


def steps_of(change: Change, facts: MonthFacts) -> tuple[StepDocument, ...]:
    """What happened to a change until now, in order of time, first that it landed; nothing if that is all, as of a
    revert that stands."""
    if not has_history(change):
        return ()
    zone = ZoneInfo(facts.zone)
    own = () if change.is_shared else facts.person.signatures  # below others' work the person has a name
    revert_events = events_of(change)
    happened = [(_did(event, change), event.commit, event.by) for event in revert_events]
    happened += [("fixed", fix.commit, fix.by) for fix in change.fixes]
    happened.sort(key=lambda one: (one[1].came, order_of(one[1])))
    steps = [
        _step(did, commit, zone, "" if commit in own or is_by_machine(commit) else clean(by), ref_of(commit))
        for did, commit, by in happened
    ]
    is_event = any(event.commit.sha == change.lead.sha for event in revert_events)
    return tuple(steps) if is_event else (_step("landed", change.lead, zone), *steps)


def is_by_machine(commit: Commit) -> bool:
    return is_machine(commit.author.name, commit.author.address, BOTS)


def _step(did: str, commit: Commit, zone: ZoneInfo, by: str = "", ref: str = "") -> StepDocument:
    day = commit.came.astimezone(zone).date().isoformat()
    return StepDocument(did, day, by, ref, commit.sha, clean(commit.repository))


def _did(event: RevertEvent, change: Change) -> str:
    out = event.does == "reverts"
    if change.kind == "revert":
        return "back" if out else "undone"
    return f"{'partly ' if event.partly else ''}{'backed out' if out else 'back'}"


def state_of(changes: Iterable[Change]) -> State:
    """The state of all changes, where it is one; what is partly out is not simply landed."""
    every = list(changes)
    states = {one.state for one in every if one.kind != "revert"} or {one.state for one in every} or {"landed"}
    if len(states) == 1:
        return states.pop()
    return "partly" if states & {"backed_out", "partly"} else "landed"


def reason_for(change: Change) -> str:
    """Why a change was reverted last, or partly, as the commit that did it says; empty where it does not. Of a revert,
    why it reverts."""
    outs = [event.commit for event in (change.out, *change.later) if event and event.does == "reverts"]
    outs = [change.lead] if change.kind == "revert" else outs
    return reason_of(outs[-1]) if outs else ""


def takes_out(change: Change) -> str:
    """What a revert takes out, in the words of that title, where its own quotes none, and whose it was, where it was
    somebody else's; else empty."""
    if not change.undone:
        return ""
    line, (undone, *_) = heading_of(change.lead).line, change.undone
    is_said = '"' in line or any(one.title for one in meaning_of(line).names)
    by = clean(change.undone_by) if undone.author.name != change.lead.author.name else ""
    if is_said:
        return f"takes out the work of {by}" if by else ""
    return f"takes out “{quoted_title(undone)}”{f' by {by}' if by else ''}"


MOST_SAYING_SO = 2  # words by which a title says that it reverts something: "Revert commit"


def says_more(revert: Commit, original: Commit) -> bool:
    """Whether the title of what took something out says more than that it did; a number says nothing."""
    said, known = (set(re.findall(r"\w*[^\W\d]\w*", heading_of(one).line.casefold())) for one in (revert, original))
    return len(said - known) > MOST_SAYING_SO


# --- of a month


def came_after(changes: Iterable[Change], facts: MonthFacts) -> date | None:
    """The day on which changes of a month had all come to the default branch, where it was over by then."""
    last = max(min(commit.came for commit in one.commits) for one in changes)
    if facts.dates != "author" or last < facts.end:
        return None
    return last.astimezone(ZoneInfo(facts.zone)).date()


def landed_later(changes: Sequence[Change], facts: MonthFacts) -> str:
    """A sentence on how many of the changes of a month came when it was over, and on which day where that is one; empty
    where none did."""
    days = [came for one in changes if (came := came_after([one], facts))]
    one_day = f"on {day(days[0].isoformat(), str(facts.month))}" if len(set(days)) == 1 else ""
    return f"{_of_them(days, changes)} landed only {one_day or f'after the {facts.month.noun}'}." if days else ""


def _of_them(some: Sequence[object], every: Sequence[object]) -> str:
    number = len(some)
    return {1: "It", 2: "Both"}.get(number, f"All {number:,}") if number == len(every) else f"{number:,} of them"


def stayed(changes: Sequence[Change], to_date: bool, period: AnyPeriod) -> str:
    """A sentence on how many of the changes of a month did not stay; empty where all did."""
    made = [one for one in changes if one.kind != "revert"]
    out, back = ([one for one in made if one.state == state] for state in ("backed_out", "relanded"))
    by_then = "" if to_date else f" by the end of the {period.noun}"
    said = [f"{_of_them(out, made)} {'was' if len(out) == 1 else 'were'} backed out{by_then}."] if out else []
    said += [f"{count(len(back), 'change')} backed out before came back."] if back else []
    return " ".join(said)


MOST_CORRECTIONS = 5  # corrections that are shown one by one


def quoted_title(commit: Commit, longest: int = LONGEST) -> str:
    """The words of a commit's title, with an ellipsis where they are longer."""
    return shortened(Quote(title_of(commit).words, commit, "title"), longest)


def called(change: Change, longest: int = LONGEST) -> str:
    """What a change is called: as somebody said by hand, or in the words of its title."""
    return clean(change.title) or quoted_title(change.lead, longest)


def line_of(change: Change, title: str, **more: Any) -> LineDocument:
    """A change as a line: what it is called, and what `more` is said of it, by the fields of a line."""
    lead = change.lead
    line = LineDocument(
        title=title, tag="", ref=number_in(change) or ref_of(lead), sha=lead.sha, repository=clean(lead.repository),
        on=lead.author.local.date().isoformat(), by=clean(change.shared_by), kind=change.kind, state=change.state,
        evidence=change.shas,
    )  # fmt: skip
    return replace(line, **more)


def reference_of(change: Change) -> ChangeReference:
    return ChangeReference(number_in(change) or ref_of(change.lead), change.lead.sha, clean(change.lead.repository))


def attention_of(line: LineDocument) -> Sentence:
    """What needs attention, in a sentence: the title, what became of it, and the reason that was given."""
    said = "; ".join(filter(None, (*line.notes, chain(line.steps, line.on))))
    why = f" “{line.reason}”" if line.reason else ""
    evidence = dict.fromkeys((*line.evidence, *(step.sha for step in line.steps)))
    return Sentence(f"{line.title} ({line.ref}): {said}.{why}", tuple(evidence))


def chain(steps: Sequence[StepDocument], near: str) -> str:
    """ "19 Feb landed → 21 Feb backed out by Trevor Mathisen (#5423) → 9 Mar back (#5450)"; the year stands where it is
    another than that of the day `near`."""
    said = (
        (f"{day(one.on, near)} {one.did}", one.by and f" by {one.by}", one.ref and f" ({one.ref})") for one in steps
    )
    return " → ".join("".join(parts) for parts in said)


def day(iso: str, near: str = "") -> str:
    """ "5 Nov", or "5 Nov 2025" where the year is not that of the day or month `near`."""
    year, month, number = iso.split("-")
    return f"{int(number)} {NAMES[int(month) - 1][:3]}{'' if near[:4] == year else f' {int(year)}'}"


# --- people, times and places in words


def distinct_names(people: Sequence[Person]) -> tuple[str, ...]:
    """The names of people, with an address where two have the same: each finds one of them."""
    names = Counter(person.name for person in people)
    return tuple(described(one) if names[one.name] > 1 else one.name for one in people)


def in_span(span: Days, to_date: bool) -> str:
    """ "in October 2025", "from June to August 2025", "in November 2026 so far", "on 14 August 2025"."""
    before = "in" if span.month else "on" if span.first == span.last else "from"
    return f"{before} {span_title(span)}{' so far' if to_date else ''}"


def span_title(span: Days) -> str:
    """ "October 2025", "June to August 2025", "November 2024 to January 2025", "11 to 17 August 2025"."""
    is_within = span.months and not span.month and span.first.year == span.last.year
    return span.title.replace(f" {span.last.year}", "", 1) if is_within else span.title


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


def hidden_by_hand(months: Sequence[MonthFacts]) -> Iterator[str]:
    """How many changes nothing is shown of, each counted once; never which."""
    number = len({change for facts in months for change in facts.hidden})
    if number:
        of_whom = "its author" if number == 1 else "their author" if len(months) == 1 else "their authors"
        yield f"{count(number, 'change')} {'is' if number == 1 else 'are'} left out at the wish of {of_whom}."
