"""What a sentence says of states: that something was backed out or came back, when and by whom, is as the facts have
it, and what does not stand is not told as delivered. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from bot.story.checking.ground import Ground
from bot.story.checking.text import dates_of
from bot.story.checking.words import BACK, OUT, STILL_OUT

_ENDS = re.compile(r"[;:]|[.!?](?=\s|$)|, (?:and|but) |, (?=the part\b)")
_BY_AUTHOR = re.compile(r"\bby (?:the author|its author|himself|herself|themselves)\b")


class _Said(NamedTuple):
    does: Literal["reverts", "relands", "still out"]
    at: int
    end: int


def faults(text: str, own: str, grounds: Sequence[Ground], beside: str, people: Iterable[str]) -> Iterator[str]:
    """What is wrong with the states that `own`, a text's own words, tells; `beside` is what else is told with it."""
    every = list(_said(own))
    said = {one.does for one in every}
    out = [ground for ground in grounds if _is_out(ground)]
    back = [ground for ground in grounds if _is_back(ground)]
    if "reverts" in said and not out:
        yield "none of its changes was backed out"
    if "relands" in said and not back:
        yield "none of its changes was brought back"
    if "still out" in said and all(ground.stands for ground in grounds):
        yield "its changes stand"
    last = every[-1].does if every else None
    if last == "relands" and back and all(not ground.stands for ground in back):
        yield "it does not stand today"
    yield from _wrong_turns(own, every, grounds, people)
    for ground in grounds:
        if not ground.stands and ground.change.kind != "revert":
            told = {one.does for one in _said(f"{text} {beside}")}
            if not told & {"reverts", "still out"}:
                yield f"it does not say that {_called(ground)} was backed out"


def _said(own: str) -> Iterator[_Said]:
    """What a text says of states, in its order."""
    found = [_Said("still out", match.start(), match.end()) for match in STILL_OUT.finditer(own)]
    for does, pattern in (("reverts", OUT), ("relands", BACK)):
        for match in pattern.finditer(own):
            if not any(one.at < match.end() and match.start() < one.end for one in found):
                found.append(_Said(does, match.start(), match.end()))  # type: ignore[arg-type]
    return iter(sorted(found, key=lambda one: one.at))


def _wrong_turns(own: str, said: Sequence[_Said], grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """Days and people that are told with a state, and are another's."""
    for number, one in enumerate(said):
        if one.does == "still out":
            continue
        moved = [turn for ground in grounds for turn in ground.moved if turn.does == one.does]
        own_ones = [
            ground
            for ground in grounds
            if ground.change.kind == "revert" or (not ground.moved and _says(ground, one.does))
        ]
        end = said[number + 1].at if number + 1 < len(said) else len(own)
        stop = _ENDS.search(own, one.end, end)
        clause = own[one.at : stop.start() if stop else end]
        days = {day for turn in moved for day in turn.days} | {day for ground in own_ones for day in ground.days}
        for day, month, _, _ in dates_of(clause):
            if days and not any((each.day, each.month) == (day, month) for each in days):
                yield f"it was not {_done(one.does)} on that day"
        who = {name for turn in moved for name in turn.people} | {
            commit.author.name for ground in own_ones for commit in ground.change.commits
        }
        for name in people:
            if re.search(rf"\bby {re.escape(name)}(?!\w)", clause) and who and name not in who:
                yield f"it was not {_done(one.does)} by {name}"
        authors = {name for ground in grounds for name in _authors(ground)}
        if _BY_AUTHOR.search(clause) and who and not who & authors:
            yield f"it was not {_done(one.does)} by the author"


def _authors(ground: Ground) -> set[str]:
    return {ground.person, *(commit.author.name for commit in ground.change.commits)}


def _is_out(ground: Ground) -> bool:
    return (
        ground.change.kind == "revert"
        or not ground.stands
        or any(turn.does == "reverts" for turn in ground.moved)
        or bool(OUT.search(ground.message))
    )


def _is_back(ground: Ground) -> bool:
    return (
        any(turn.does == "relands" for turn in ground.moved)
        or ground.change.state == "relanded"
        or bool(BACK.search(ground.message))
    )


def _says(ground: Ground, does: str) -> bool:
    return bool((OUT if does == "reverts" else BACK).search(ground.message))


def _done(does: str) -> str:
    return "backed out" if does == "reverts" else "brought back"


def _called(ground: Ground) -> str:
    return next(iter(ground.change.refs), ground.change.lead.subject[:60])
