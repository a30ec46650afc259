"""What a sentence claims and denies: each effect has a ground in its changes, and no "not" is lost or added. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.story.checking.ground import Ground
from bot.story.checking.negation import is_fewer, lost
from bot.story.checking.roles import pairs_of
from bot.story.checking.words import claimed_by, denies

_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")


def faults(text: str, own: str, grounds: Sequence[Ground], is_fix: bool) -> Iterator[str]:
    """What a text claims or denies without a ground; `own` are its words without quotations and code."""
    borne = frozenset().union(_by_numbers(own), *(ground.bears for ground in grounds))
    words = dict.fromkeys(word.lower().replace("’", "'") for word in _WORD.findall(own))
    claims = {family: word for word in reversed(words) for family in claimed_by(word)}
    for family in sorted(claims):
        if family not in borne:
            yield f"“{claims[family]}” is said, but no change of its says so"
    has_code = any(ground.hunks for ground in grounds)  # which may show what no message says
    if is_fix and not has_code and "a fix" not in borne and "a fix" not in claims:
        yield "no change of its says that anything was fixed"
    if any(map(denies, words)) and not has_code and not any(ground.is_negative for ground in grounds):
        yield "it denies something, and no change of its does"
    denied = [said for ground in grounds for said in ground.denied if not (is_fix and said.is_wish)]
    if denied and (found := list(lost(text, denied, [said for ground in grounds for said in ground.asserted]))):
        yield f"its changes deny what it says of “{found[0]}”"
    elif is_fewer(text, [line for ground in grounds for line in ground.lines]):
        yield "a “not” of its changes is missing"


def _by_numbers(own: str) -> Iterator[str]:
    """What two numbers say of themselves, whose order is looked at elsewhere: that something fell, or rose."""
    for pair in pairs_of(own):
        try:
            before, after = float(pair.before.value), float(pair.after.value)
        except ValueError:  # a version, or a clock's time
            continue
        yield "less" if after < before else "more"
