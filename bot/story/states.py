"""What became of a change, as a chain of dates, and how much of a month stayed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, MonthFacts, RevertEvent
from bot.month.calendar import NAMES, AnyPeriod
from bot.story.parts import Step
from bot.story.quote import Quote
from bot.story.quoting import reason_of
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


def steps_of(change: Change, facts: MonthFacts) -> tuple[Step, ...]:
    """What happened to a change until now, in order of time, first that it landed."""
    zone = ZoneInfo(facts.zone)
    turns = list({turn.commit.sha: turn for turn in (change.out, change.back, *change.later) if turn}.values())
    out_before = any(turn.commit.sha == change.lead.sha for turn in turns)
    first = () if out_before else (Step("landed", _day(change.lead, zone), "", "", change.lead),)
    told = [_turn(turn, change, facts, zone) for turn in turns]
    fixed = [
        Step("fixed", _day(fix.commit, zone), _other(fix.commit, fix.by, facts), ref_of(fix.commit), fix.commit)
        for fix in change.fixes
    ]
    rest = sorted((*told, *fixed), key=lambda step: (step.commit.committer.seconds, step.commit.sha))
    return (*first, *rest)


def step_documents(change: Change, facts: MonthFacts) -> list[dict[str, str]]:
    """The same as documents."""
    return [step_document(step) for step in steps_of(change, facts)]


def step_document(step: Step) -> dict[str, str]:
    return {
        "did": step.did,
        "on": step.on,
        "by": step.by,
        "ref": step.ref,
        "sha": step.commit.sha,
        "repository": clean(step.commit.repository),
    }


def _turn(turn: RevertEvent, change: Change, facts: MonthFacts, zone: ZoneInfo) -> Step:
    out = turn.does == "reverts"
    if change.kind == "revert":
        return Step("back" if out else "undone", *_who(turn, facts, zone))
    if out:
        return Step("partly backed out" if turn.partly else "backed out", *_who(turn, facts, zone))
    return Step("partly back" if turn.partly else "back", *_who(turn, facts, zone))


def _who(turn: RevertEvent, facts: MonthFacts, zone: ZoneInfo) -> tuple[str, str, str, Commit]:
    return _day(turn.commit, zone), _other(turn.commit, turn.by, facts), ref_of(turn.commit), turn.commit


def _other(commit: Commit, by: str, facts: MonthFacts) -> str:
    """Whose commit it is, where it is not the person's own."""
    return "" if commit in facts.person.signatures else clean(by)


def _day(commit: Commit, zone: ZoneInfo) -> str:
    return commit.committer.at.astimezone(zone).date().isoformat()


def why(change: Change) -> Quote | None:
    """Why a change was taken out last, or partly, as the commit that did it says."""
    turns = [turn for turn in (change.out, *change.later) if turn and turn.does == "reverts"]
    if change.kind == "revert":
        return reason_of(change.lead)
    return reason_of(turns[-1].commit) if turns else None


# --- of a month


def stayed(changes: Sequence[Change], to_date: bool, period: AnyPeriod) -> str:
    """A sentence on how many of the changes of a month did not stay; empty where all did."""
    return " ".join(_stayed([one for one in changes if one.kind != "revert"], to_date, period))


def _stayed(made: Sequence[Change], to_date: bool, period: AnyPeriod) -> Iterator[str]:
    out = sum(one.state == "backed_out" for one in made)
    back = sum(one.state == "relanded" for one in made)
    by_then = "" if to_date else f" by the end of the {period.noun}"
    if out:
        who = {1: "It", 2: "Both"}.get(out, f"All {out:,}") if out == len(made) else f"{count(out, 'change')}"
        yield f"{who} {_was(out, to_date)} backed out{by_then}."
    if back:
        yield f"{count(back, 'change')} that had been backed out before {'is' if back == 1 else 'are'} back in."


def _was(number: int, to_date: bool) -> str:
    if to_date:
        return "has been" if number == 1 else "have been"
    return "was" if number == 1 else "were"
