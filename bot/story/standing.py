"""What became of a change, in words: when it was taken out, by whom and why, and when it came back. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.model import Change, MonthFacts, Turn
from bot.month.calendar import NAMES, Period
from bot.story.bodies.reason import reason
from bot.story.proving.proof import is_borne_out
from bot.story.wording import clean, count

SHORT = 9  # digits of a SHA that is named in a sentence


def on(instant: datetime, zone: ZoneInfo) -> str:
    """The day of an instant, as "20 February 2026"."""
    local = instant.astimezone(zone)
    return f"{local.day} {NAMES[local.month - 1]} {local.year}"


def standing(change: Change, facts: MonthFacts) -> str:
    """A sentence on how a change stood when the month was over; empty for what simply landed.

    It names the commits that it rests on, which may be others' and of any month.
    """
    if not (change.out or change.back):
        return ""
    text = _standing(change, facts, ZoneInfo(facts.zone))
    turns = [turn for turn in (change.out, change.back) if turn]
    plain = {"backed_out": "Backed out.", "partly": "Partly backed out.", "relanded": "Back in."}
    return text if _holds(text, turns, facts) else plain.get(change.state, "")


def _holds(text: str, turns: Sequence[Turn], facts: MonthFacts) -> bool:
    zone = ZoneInfo(facts.zone)
    known = [text for turn in turns for text in (on(turn.commit.committer.at, zone), turn.by, turn.commit.sha[:SHORT])]
    return is_borne_out(text, [turn.commit for turn in turns], known)


def _standing(change: Change, facts: MonthFacts, zone: ZoneInfo) -> str:
    if change.kind == "revert":
        return f"Undone {_by_whom(change.out, facts, zone)}." if change.state == "backed_out" and change.out else ""
    if change.state == "backed_out" and change.out:
        return f"Backed out {_by_whom(change.out, facts, zone)}{_why(change.out)}"
    if change.state == "partly" and change.out:
        return f"Partly backed out {_by_whom(change.out, facts, zone)}{_why(change.out)}"
    if change.state == "relanded" and change.back:
        before = f", after it had been backed out {_by_whom(change.out, facts, zone)}" if change.out else ""
        return f"Back in {_by_whom(change.back, facts, zone)}{before}."
    return ""


def happened_later(facts: MonthFacts, title: Mapping[str, str]) -> Iterator[str]:
    """What became of the month's changes when it was over, a sentence each; `title` gives what a change is called."""
    zone = ZoneInfo(facts.zone)
    for change in facts.changes:
        if not change.later:
            continue
        last = change.later[-1]
        partly = "partly " if last.partly else ""
        if change.kind == "revert":
            done = f"was {partly}undone" if last.does == "brings back" else f"was {partly}done again"
        else:
            done = f"was {partly}backed out" if last.does == "takes out" else f"came back {partly}".rstrip()
        why = _why(last) if last.does == "takes out" else "."
        called = title[change.id]
        said = f"{done} {_by_whom(last, facts, zone)}"
        before = change.later[-2] if len(change.later) > 1 and change.kind != "revert" else None
        if last.does == "brings back" and before and before.does == "takes out":
            some = "partly " if before.partly else ""
            said = f"was {some}backed out {_by_whom(before, facts, zone)} and {said}"
        yield f"Later: “{called}” {said}{why if _holds(why, [last], facts) else '.'}"


def state_counts(changes: Sequence[Change]) -> list[str]:
    """How many changes are in each state, in words: the numbers that `stayed` may say."""
    states = Counter(change.state for change in changes if change.kind != "revert")
    return [count(number, "change") for number in states.values()]


def stayed(changes: Sequence[Change], to_date: bool, period: Period) -> str:
    """A sentence on how many of the changes of a month did not stay, for its headline; empty where all did."""
    made = [change for change in changes if change.kind != "revert"]
    out = [change for change in made if change.state == "backed_out"]
    back = [change for change in made if change.state == "relanded"]
    has = _was if not to_date else _has_been
    by_then = "" if to_date else f" by the end of the {period.noun}"
    said = []
    if out and len(out) == len(made):
        if len(out) == 1:
            said.append(
                f"It {has(out)} backed out{by_then}, so nothing of it stayed."
                if len(changes) == 1
                else f"The one change of their own {has(out)} backed out{by_then}."
            )
        else:
            said.append(f"{_every(out)} {has(out)} backed out{by_then}, so none of them stayed.")
    elif out:
        said.append(f"{count(len(out), 'change')} {has(out)} backed out{by_then}.")
    if back and len(back) == len(changes):
        said.append(f"{_every(back)} had been backed out before and {_is(back)} back in.")
    elif back:
        said.append(f"{count(len(back), 'change')} that had been backed out before {_is(back)} back in.")
    return " ".join(said)


def _every(changes: list[Change]) -> str:
    return {1: "It", 2: "Both"}.get(len(changes), f"All {len(changes):,}")


def _is(changes: list[Change]) -> str:
    return "is" if len(changes) == 1 else "are"


def _has_been(changes: list[Change]) -> str:
    return "has been" if len(changes) == 1 else "have been"


def _was(changes: list[Change]) -> str:
    return "was" if len(changes) == 1 else "were"


def _by_whom(turn: Turn | None, facts: MonthFacts, zone: ZoneInfo) -> str:
    if turn is None:
        return ""
    is_own = turn.commit in facts.person.signatures
    who = f" by {clean(turn.by)}" if turn.by and not is_own else ""
    return f"on {on(turn.commit.committer.at, zone)}{who} ({turn.commit.sha[:SHORT]})"


def _why(turn: Turn) -> str:
    """The reason that a turn's commit gives, quoted; or just the end of the sentence."""
    why = reason(turn.commit.body, turn.commit.subject)
    return f": “{why}”." if why else "."
