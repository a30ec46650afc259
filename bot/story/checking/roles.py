"""Numbers keep their roles: which was before and which after, and what they measure. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bot.story.checking.text import Number, numbers_of, stems_of, without_dates, without_references
from bot.story.checking.words import COMMON

if TYPE_CHECKING:
    from bot.story.checking.ground import Ground

# What may stand between two numbers, and which of the two was before: the first, or the second.
_ONWARD = re.compile(
    r"^\W*(?:now|then|before[,;:]?|after(?:wards)?)\W*$|(?:-+>|=+>|→|\bto\b|\bbecame\b|\bnow\b|\bafter|\bbefore\b)",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"\b(?:from|instead of|up from|down from|rather than|was|were|had been|had allowed|before that|previously|formerly|"
    r"not|replac\w+|in place of|compared (?:to|with)|than|against|after)\b",
    re.IGNORECASE,
)
# Between two numbers that are told of two things: another clause, or two limits of one range.
_APART = re.compile(r"[.;](?:\s|$)|, and\b|\bor (?:less|fewer|more) than\b|^\.x\b", re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:before|baseline|base|original\w*|old|previous\w*|prior|was|were|from|upstream|main|master|without|"
    r"unoptimized|current|today)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:after|now|new|optimi[sz]\w+|with|this (?:diff|pr|change|commit)|improved|to|will be|final|experiment)\b",
    re.IGNORECASE,
)
_MOST_PLACES, _LONGEST_LINE = 40, 2_000  # of one number, and signs of a line, that are looked at
_NEAR = 3  # lines that the two numbers of a pair may be apart in a message


class Pair(NamedTuple):
    before: Number
    after: Number


class At(NamedTuple):
    line: int
    at: int
    is_gone: bool  # in a line of a diff that was taken out
    is_new: bool
    says_before: bool
    says_after: bool


def faults(own: str, grounds: Sequence[Ground]) -> Iterator[str]:
    for pair in pairs_of(own):
        if not any(_holds(pair, ground) for ground in grounds) and not _across(pair, grounds):
            yield f"{pair.before.written} before and {pair.after.written} after is not what its changes say"
    yield from _other_things(own, grounds)


def pairs_of(own: str) -> Iterator[Pair]:
    """The numbers of a text of which one is told as before the other."""
    plain = without_references(without_dates(own))
    numbers = list(numbers_of(plain))
    for one, other in pairwise(numbers):
        between = plain[one.at + len(one.written) : other.at]
        if len(between) > 90 or _APART.search(between):
            continue
        if one.unit and other.unit and one.unit != other.unit:
            continue
        if _BACKWARD.search(between):
            yield Pair(other, one)
        elif _ONWARD.search(between):
            yield Pair(one, other)


def _holds(pair: Pair, ground: Ground) -> bool:
    """Whether a change has the two numbers in this order, or says in words which was before."""
    before, after = ground.places.get(pair.before.value, []), ground.places.get(pair.after.value, [])
    if (pair.before.value, pair.after.value) in ground.stated:
        return True
    if (pair.after.value, pair.before.value) in ground.stated:
        return False
    for one in before:
        for other in after:
            if (one.is_gone and other.is_new) or (one.says_before and other.says_after and one.line != other.line):
                return True
            if one.is_gone or one.is_new or other.is_gone or other.is_new:
                continue
            near = 0 <= other.line - one.line <= _NEAR
            if near and (one.line, one.at) < (other.line, other.at) and not (one.says_after and other.says_before):
                return True
    return False


def _across(pair: Pair, grounds: Sequence[Ground]) -> bool:
    """Whether an earlier change has the one number, and a later one the other."""
    order = sorted(grounds, key=lambda ground: ground.change.lead.author.seconds)
    for at, ground in enumerate(order):
        for later in order[at + 1 :]:
            own, others = ground.places, later.places
            is_apart = pair.before.value not in others or pair.after.value not in own
            if is_apart and pair.before.value in own and pair.after.value in others:
                return True
    return False


def stated_in(told: str) -> frozenset[tuple[str, str]]:
    """Every two numbers of a text that one of its lines tells one before the other."""
    return frozenset(
        (one.before.value, one.after.value) for line in told.splitlines() for one in pairs_of(line[:_LONGEST_LINE])
    )


def places_in(told: str, hunks: int) -> dict[str, list[At]]:
    """Where each number of a text stands, of which the last so many lines are those of a diff."""
    found: dict[str, list[At]] = {}
    lines = told.splitlines()
    labels: list[str] = [""] * len(lines)
    label = ""
    for number, line in enumerate(lines):
        if line.strip().endswith(":"):
            label = line
        labels[number] = label
        if not line.strip():
            label = label if lines[number - 1 : number] and lines[number - 1].strip().endswith(":") else ""
    for number, line in enumerate(lines):
        is_diff = number >= len(lines) - hunks
        said = f"{labels[number][:_LONGEST_LINE]} {line[:_LONGEST_LINE]}"
        says_before, says_after = bool(_BEFORE.search(said)), bool(_AFTER.search(said))
        for one in numbers_of(line[:_LONGEST_LINE]):
            place = At(
                number, one.at,
                is_diff and line.startswith("-"), is_diff and line.startswith("+"),
                says_before, says_after,
            )  # fmt: skip
            for value in filter(None, (one.value, _shortened(one.value))):
                known = found.setdefault(value, [])
                if len(known) < _MOST_PLACES:
                    known.append(place)
    return found


def _shortened(value: str) -> str:
    whole, point, rest = value.partition(".")
    return str(round(float(value), 2)) if point and len(rest) >= 4 and whole.isdigit() and rest.isdigit() else ""


def _other_things(own: str, grounds: Sequence[Ground]) -> Iterator[str]:
    """Measured numbers near which a change speaks of nothing that the sentence speaks of."""
    plain = without_references(without_dates(own))
    stems = {stem for stem in stems_of(plain) if stem not in _COMMON_STEMS}
    for number in numbers_of(plain):
        if not number.unit or len(stems) < 3:
            continue
        near = [line for ground in grounds for line in _around(number.value, ground)]
        if near and not any(stems & set(stems_of(line)) for line in near):
            yield f"{number.written} measures something else"


def _around(value: str, ground: Ground) -> Iterator[str]:
    lines = ground.told.splitlines()
    for at, line in enumerate(lines):
        if value in line and any(one.value == value for one in numbers_of(line)):
            yield " ".join([lines[0], *lines[max(0, at - 3) : at + 4]])


_COMMON_STEMS = frozenset(word[:5] for word in COMMON)
