"""Two numbers of which one was before the other, in a sentence and in what its changes say. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from bot.story.checking.text import Number, is_rounding, numbers_of, without_dates, without_references

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
# Between two numbers that are said of two things: another clause, or two limits of one range.
_APART = re.compile(r"[.;](?:\s|$)|, and\b|\bor (?:less|fewer|more) than\b|^\.x\b", re.IGNORECASE)
_LONGEST_BETWEEN = 90  # characters
_MOST_PLACES, _LONGEST_LINE = 40, 2_000  # of one number, and characters of a line, that are looked at
_NEAR = 3  # lines that the two numbers of a pair may be apart in a message


class Pair(NamedTuple):
    before: Number
    after: Number


class _Place(NamedTuple):
    """Where a number stands. `sign` is that of a line of a diff, "-" or "+", and empty in a message."""

    line: int
    at: int
    sign: str


class NumberOrder:
    """The numbers of a text, of which the last so many lines are those of a diff."""

    def __init__(self, text: str, diff_lines: int = 0) -> None:
        lines = [line[:_LONGEST_LINE] for line in text.splitlines()]
        self._said = {(pair.before.value, pair.after.value) for line in lines for pair in pairs_of(line)}
        self._places: dict[str, list[_Place]] = {}
        for number, line in enumerate(lines):
            sign = line[:1] if number >= len(lines) - diff_lines else ""
            for one in numbers_of(line):
                places = self._places.setdefault(one.value, [])
                if len(places) < _MOST_PLACES:
                    places.append(_Place(number, one.at, sign))

    def places(self, value: str) -> list[_Place]:
        """Where a number stands, or a longer one of which it is the rounding."""
        own = self._places.get(value, [])
        if own or "." not in value:
            return own
        return [one for long in self._places if is_rounding(value, long) for one in self._places[long]]

    def holds(self, pair: Pair) -> bool:
        """Whether the text has the two numbers in this order, or a diff removed the one and added the other."""
        values = (pair.before.value, pair.after.value)
        if values in self._said or values[::-1] in self._said:
            return values in self._said
        return any(_is_before(one, other) for one in self.places(values[0]) for other in self.places(values[1]))


def faults(own: str, orders: Sequence[NumberOrder]) -> Iterator[str]:
    """Two numbers that a sentence tells in an order that no change has; `orders` are the changes' in order of time."""
    for pair in pairs_of(own):
        is_across = any(_is_across(pair, earlier, later) for earlier, later in combinations(orders, 2))
        if not is_across and not any(order.holds(pair) for order in orders):
            yield f"{pair.before.written} before and {pair.after.written} after is not what its changes say"


def pairs_of(text: str) -> Iterator[Pair]:
    """The numbers of a text of which one is said to be before the other."""
    plain = without_references(without_dates(text))
    for one, other in pairwise(numbers_of(plain)):
        between = plain[one.at + len(one.written) : other.at]
        if len(between) > _LONGEST_BETWEEN or _APART.search(between):
            continue
        if one.unit and other.unit and one.unit != other.unit:
            continue
        if _BACKWARD.search(between):
            yield Pair(other, one)
        elif _ONWARD.search(between):
            yield Pair(one, other)


def _is_across(pair: Pair, earlier: NumberOrder, later: NumberOrder) -> bool:
    """Whether the earlier change has the one number, and the later one the other."""
    before, after = pair.before.value, pair.after.value
    is_said = earlier.places(before) and later.places(after)
    return bool(is_said) and not (later.places(before) and earlier.places(after))


def _is_before(one: _Place, other: _Place) -> bool:
    if one.sign or other.sign:
        return one.sign == "-" and other.sign == "+"
    return 0 <= other.line - one.line <= _NEAR and (one.line, one.at) < (other.line, other.at)
