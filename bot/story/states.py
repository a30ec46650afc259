"""What became of a change, as a chain of dates, and how much of a month stayed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, RevertEvent, State
from bot.month.calendar import NAMES, AnyPeriod
from bot.month.credits import BOTS, is_machine
from bot.month.facts import MonthFacts
from bot.month.histories import state_of as state_by
from bot.month.links import order_of
from bot.story.documents import StepDocument
from bot.story.quoting import may_have_reason, reason_of
from bot.story.title import number_of
from bot.story.wording import clean, count

SHORT = 9  # digits of a SHA where a commit has no number


def on(instant: datetime, zone: ZoneInfo) -> str:
    """The day of an instant, as "20 February 2026"."""
    local = instant.astimezone(zone)
    return f"{local.day} {NAMES[local.month - 1]} {local.year}"


def ref_of(commit: Commit) -> str:
    """By what a commit is named: the number of its pull request, or the beginning of its SHA."""
    return number_of(commit) or commit.sha[:SHORT]


def has_history(change: Change) -> bool:
    """Whether more happened to a change than that it landed. A revert that stands is none."""
    return bool(change.out or change.back or change.later or change.fixes)


def events_of(change: Change) -> tuple[RevertEvent, ...]:
    """What happened to a change until today, in order of time."""
    events = (*change.earlier, *(event for event in (change.out, change.back) if event), *change.later)
    return tuple(sorted(events, key=lambda event: (event.commit.came, order_of(event.commit))))


def is_out(change: Change) -> bool:
    """Whether a change is wholly out today."""
    return change.kind != "revert" and state_by(events_of(change))[0] == "backed_out"


def is_open(change: Change) -> bool:
    """Whether a change is out today, in whole or in part."""
    return change.kind != "revert" and state_by(events_of(change))[0] in ("backed_out", "partly")


def was_out(change: Change) -> bool:
    """Whether a change of the month was ever taken out; one that only comes back in it is its work."""
    comes_back = change.back is not None and change.back.commit == change.lead
    return not comes_back and bool(change.out or any(event.does == "reverts" for event in change.later))


def steps_of(change: Change, facts: MonthFacts) -> tuple[StepDocument, ...]:
    """What happened to a change until now, in order of time, first that it landed; nothing if that is all."""
    if not has_history(change):
        return ()
    zone, own = ZoneInfo(facts.zone), facts.person.signatures
    revert_events = events_of(change)
    happened = [(_did(event, change), event.commit, event.by) for event in revert_events]
    happened += [("fixed", fix.commit, fix.by) for fix in change.fixes]
    happened.sort(key=lambda one: (one[1].came, order_of(one[1])))
    steps = [
        _step(did, commit, zone, "" if commit in own or _by_machine(commit) else clean(by), ref_of(commit))
        for did, commit, by in happened
    ]
    if not any(event.commit.sha == change.lead.sha for event in revert_events):
        steps.insert(0, _step("landed", change.lead, zone))
    return tuple(steps)


def _by_machine(commit: Commit) -> bool:
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


def has_no_reason(change: Change) -> bool:
    """Whether what took a change out last says not even in other words why."""
    outs = [event for event in (change.out, *change.later) if event and event.does == "reverts"]
    return bool(outs) and not may_have_reason(outs[-1].commit)


def reason_for(change: Change) -> str:
    """Why a change was reverted last, or partly, as the commit that did it says; empty where it does not."""
    revert_events = [event for event in (change.out, *change.later) if event and event.does == "reverts"]
    if change.kind == "revert":
        return reason_of(change.lead)
    return reason_of(revert_events[-1].commit) if revert_events else ""


# --- of a month


def came_after(changes: Iterable[Change], facts: MonthFacts) -> date | None:
    """The day on which changes of a month had all come to the default branch, where it was over by then."""
    zone = ZoneInfo(facts.zone)
    last = max(min(commit.came for commit in one.commits) for one in changes)
    if facts.dates != "author" or last < facts.month.bounds(zone)[1]:
        return None
    return last.astimezone(zone).date()


def landed_later(changes: Sequence[Change], facts: MonthFacts) -> str:
    """A sentence on how many of the changes of a month came when it was over; empty where none did."""
    late = sum(came_after([one], facts) is not None for one in changes)
    if not late:
        return ""
    who = {1: "It", 2: "Both"}.get(late, f"All {late:,}") if late == len(changes) else f"{late:,} of them"
    return f"{who} landed only after the {facts.month.noun}."


def stayed(changes: Sequence[Change], to_date: bool, period: AnyPeriod) -> str:
    """A sentence on how many of the changes of a month did not stay; empty where all did."""
    made = [one for one in changes if one.kind != "revert"]
    said = list[str]()
    out = sum(one.state == "backed_out" for one in made)
    back = sum(one.state == "relanded" for one in made)
    by_then = "" if to_date else f" by the end of the {period.noun}"
    if out:
        who = {1: "It", 2: "Both"}.get(out, f"All {out:,}") if out == len(made) else f"{count(out, 'change')}"
        said.append(f"{who} {_was(out, to_date)} backed out{by_then}.")
    if back:
        said.append(f"{count(back, 'change')} that had been backed out before {'is' if back == 1 else 'are'} back in.")
    return " ".join(said)


def _was(number: int, to_date: bool) -> str:
    if to_date:
        return "has been" if number == 1 else "have been"
    return "was" if number == 1 else "were"
