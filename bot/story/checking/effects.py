"""What a sentence claims that changes bring about: words that claim an effect need a word of the same family in the
changes, and two numbers, of which one was before the other, must stand so in what the changes say. Pure.

The tables are to read and to extend. All words are in small letters; one that ends in `*` is a beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from bot.story.checking.text import Number, is_rounding, numbers_of, without_dates, without_references

if TYPE_CHECKING:
    from bot.story.checking.ground import Ground

# family: (what claims it, what bears it out beside that)
_FAMILIES: dict[str, tuple[str, str]] = {
    "a fix": (
        "fix fixes fixed fixing repair* mended mends resolves resolved corrects corrected bug bugs bugfix*",
        "fix* issue* error* fail* broke* break* wrong* incorrect* crash* rac* leak* regress* resolv* correct* "
        "workaround* patch* flak* mitigat* missing miss* mistak* problem* hang* stuck stale invalid mend* address* "
        "unable cannot can't doesn't didn't unexpected* spurious* accident* typo* overflow* timeout* oom nan handl* "
        "unblock* inconsisten* mismatch* diverg* discrepan* should warn* undefined forgot* except* without not",
    ),
    "a crash": (
        "crash* segfault* panic* aborts aborted",
        "abort* sigsegv core ima illegal fatal exit* raise* throw* die* kill* fail* error* assert*",
    ),
    "a leak": ("leak*", "free freed"),
    "a race": (
        "race races racing racy",
        "race* concurren* synchron* fence* order* overtak* volatile lock* visible",
    ),
    "a hang": ("hang hangs hung hanging deadlock* freez*", "stuck block* forever timeout* wait*"),
    "an overflow": ("overflow*", "exceed* int32 int64"),
    "corruption": ("corrupt*", "incorrect* wrong* invalid"),
    "security": ("secur* vulnerab* exploit*", "cve* sanitiz* escap* auth* encrypt* inject* token* secret*"),
    "out of memory": ("oom", "memory oomed"),
    "speed": (
        "fast faster fastest quick* speed* sped accelerat* cheap* slow* latenc* throughput performan* efficien* "
        "optimi*",
        "fast* perf* overhead* qps tps tflop* benchmark* bottleneck* vectori* expens* costl* microsecond* "
        "millisecond* ms us bandwidth parallel*",
    ),
    "less": (
        "reduc* fewer smaller shrink* shrank lower lowers lowered halv* saves saving* decreas* less cuts",
        "few* small* cut* low* sav* drop* limit* half* trim* remov* down compress* compact* lighter short* unnecessar* "
        "avoid* minim* split* restrict* eliminat*",
    ),
    "more": ("increas* doubl* tripl*", "larg* big* high* rais* bump* grow* up more exten* expand*"),
    "better": (
        "improv* better enhanc*",
        "optimi* boost* fast* speed* polish* clean* simpl* clear* easier friendl* more",
    ),
    "safety": ("safe safer safely safety", "unsafe* guard* protect* check* assert* valid* race* lock*"),
    "stability": ("stabl* stabil* robust* reliab*", "flak* harden* intermittent*"),
    "prevention": (
        "prevent* avoid* protects guarantee* ensur*",
        "protect* guard* stop* skip* no not never without don't doesn't cannot must mak* instead so fix* check* "
        "assert* eliminat* remov* unnecessar* always enforc* only",
    ),
    "the first": (
        "first earliest",
        "initial* init begin* start* new* prototyp* introduc* add* part pt poc creat* before early take prepar* "
        "foundation basic",
    ),
    "all": (
        "all every always everywhere any everyone everybody universal*",
        "each full* both whole entire* general* across only total whatever remaining rest unif* consistent* no none "
        "never not everything anything complet*",
    ),
    "only": (
        "only solely exclusively",
        "just restrict* limit* sole* exclusiv* unless except* gat* guard* if specific* without no not skip* need* "
        "instead temporar* default* support* requir*",
    ),
    "never": ("never none nobody", "no not without don't doesn't cannot nothing stop* avoid* prevent*"),
}
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_Words = tuple[frozenset[str], tuple[str, ...]]  # whole words, and beginnings


def _read(words: str) -> _Words:
    every = words.split()
    beginnings = tuple(word[:-1] for word in every if word.endswith("*"))
    return frozenset(word for word in every if not word.endswith("*")), beginnings


_CLAIMS = {family: _read(claims) for family, (claims, _) in _FAMILIES.items()}
_GROUNDS = {family: _read(f"{claims} {grounds}") for family, (claims, grounds) in _FAMILIES.items()}


@lru_cache(maxsize=50_000)
def borne_by(word: str) -> frozenset[str]:
    """The families of claims that a word of a commit, in small letters, bears out."""
    return _families_of(word[:40], _GROUNDS)


def _families_of(word: str, table: dict[str, _Words]) -> frozenset[str]:
    return frozenset(
        family for family, (whole, begun) in table.items() if word in whole or (begun and word.startswith(begun))
    )


def faults(own: str, grounds: Sequence[Ground], is_fix: bool) -> Iterator[str]:
    """What a text claims without a ground; `own` are its words without quotations and code."""
    borne = frozenset(_borne_by_numbers(own)).union(*(ground.bears_out for ground in grounds))
    words = [word.lower().replace("’", "'") for word in _WORD.findall(own)]
    claims = {family: word for word in reversed(words) for family in _families_of(word, _CLAIMS)}
    for family in sorted(claims.keys() - borne):
        yield f"“{claims[family]}” is said, but no change of its says so"
    has_code = any(ground.hunks for ground in grounds)  # which may show what no message says
    if is_fix and not has_code and "a fix" not in borne | claims.keys():
        yield "no change of its says that anything was fixed"


def _borne_by_numbers(own: str) -> Iterator[str]:
    """What two numbers say themselves, whose order is looked at elsewhere: that something fell, or rose."""
    for pair in pairs_of(own):
        try:
            before, after = float(pair.before.value), float(pair.after.value)
        except ValueError:  # a version, or a clock's time
            continue
        yield "less" if after < before else "more"


# --- two numbers, of which one was before the other

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


def order_faults(own: str, orders: Sequence[NumberOrder]) -> Iterator[str]:
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
