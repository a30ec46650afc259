"""What a sentence says of states: that something was backed out or came back, when and by whom, is as the facts have
it, and what was backed out is not shown as delivered. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from bot.story.checking.ground import Ground
from bot.story.checking.text import dates_of

_STATES = re.compile(
    r"(?P<still_out>\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is )*"
    r"(?:back|re-?landed|brought back|on main|restored)|"
    r"\bstill out\b|\bnot on main\b|\bhas not returned\b|\bdoes not stand\b|\bdo not stand\b|\bno longer in\b)|"
    r"(?P<out>\b(?:(?:is|was|were|been|be|got|being) )?(?:back(?:ed|s|ing)?[ -]out|revert(?:ed|s|ing)?|"
    r"roll(?:ed|s)? back|taken (?:back|out)|withdrawn|undone|undid|pulled again|took (?:it )?out)\b)|"
    r"(?P<back>\b(?:re-?land(?:ed|s|ing)?|land(?:ed|s) again|brought back|came back|comes back|back (?:in|on|since)\b|"
    r"is back|are back|be back|back \d|re-?appl(?:ied|ies)|restor(?:ed|es) (?:on|by)|reinstat\w+|back again|"
    r"stands? again))",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:]|[.!?](?=\s|$)|, (?:and|but) |, (?=the part\b)")
_BY_AUTHOR = re.compile(r"\bby (?:the author|its author|himself|herself|themselves)\b")
_DEEDS = {"out": "reverts", "back": "relands"}
_DONE = {"out": "backed out", "back": "brought back"}


def without_states(text: str) -> str:
    return _STATES.sub(" ", text)


@lru_cache(maxsize=1000)
def _states_in(text: str) -> frozenset[str]:
    return frozenset(str(match.lastgroup) for match in _STATES.finditer(text))


def faults(own: str, beside: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """What is wrong with the states that `own`, a text's own words, tells; `beside` is what else is said with it."""
    mentions = list(_STATES.finditer(own))
    said = [str(match.lastgroup) for match in mentions]
    back = [ground for ground in grounds if ground.change.state == "relanded" or any(_deeds(ground, "back"))]
    if "out" in said and not any(not ground.is_in or any(_deeds(ground, "out")) for ground in grounds):
        yield "none of its changes was backed out"
    if "back" in said and not back:
        yield "none of its changes was brought back"
    if "still_out" in said and all(ground.is_in for ground in grounds):
        yield "its changes stand"
    if said[-1:] == ["back"] and back and not any(ground.is_in for ground in back):
        yield "it does not stand today"
    for number, match in enumerate(mentions):
        end = mentions[number + 1].start() if number + 1 < len(mentions) else len(own)
        clause_end = _CLAUSE_END.search(own, match.end(), end)
        clause = own[match.start() : clause_end.start() if clause_end else end]
        yield from _wrong_deed(said[number], clause, grounds, people)
    if _states_in(f"{own} {beside}").isdisjoint(("out", "still_out")):
        for ground in grounds:
            if not ground.is_in and ground.change.kind != "revert":
                called = next(iter(ground.change.refs), ground.change.lead.subject[:60])
                yield f"it does not say that {called} was backed out"


def _wrong_deed(state: str, clause: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """A day or a person that is said with a state, and is another's."""
    deeds = [deed for ground in grounds for deed in _deeds(ground, state)]
    if not deeds:
        return
    days = {(day.day, day.month) for on, _ in deeds for day in on}
    if any((day, month) not in days for day, month, _ in dates_of(clause)):
        yield f"it was not {_DONE[state]} on that day"
    who = {name for _, names in deeds for name in names}
    for name in people:
        if name in clause and name not in who and re.search(rf"\bby {re.escape(name)}(?!\w)", clause):
            yield f"it was not {_DONE[state]} by {name}"
    if _BY_AUTHOR.search(clause) and who.isdisjoint(name for ground in grounds for name in _authors(ground)):
        yield f"it was not {_DONE[state]} by the author"


def _deeds(ground: Ground, state: str) -> Iterator[tuple[frozenset[date], frozenset[str]]]:
    """The days and the people of what reverted a change or brought it back: of its reverts, or of the change itself
    where that is one."""
    for revert in ground.reverts:
        if revert.does == _DEEDS.get(state):
            yield revert.days, revert.people
    is_revert = ground.change.kind == "revert" and state == "out"
    if is_revert or state in _states_in(ground.message):
        yield ground.days, frozenset(_authors(ground) - {ground.person})


def _authors(ground: Ground) -> set[str]:
    return {ground.person, *(commit.author.name for commit in ground.change.commits)}
