"""The words of a clause of a question, and what stands where. Pure.

Where a person, a topic or a repository stands is said in the "places" of words.json. A place is some patterns, of which
one must fit. In a pattern `_` is the word itself; the words beside it are one element each. An element is tests that
are joined by `&`, a test one of what `|` separates, or with `!` before it none of it: a word, [a list], <a class or
group of phrases>, what a word was taken as (PERSON), or a mark of `marks`. A word that is not there is none of
anything. `.` is a pause, `!.` none; what has a `*` behind it may stand there up to `MOST_REPEATED` times, to a pause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from bot.ask.words import Word, lists, written

IDLE = frozenset(("english", "orders", "not", "repeated", "noun", "verb", "owned"))  # they account for no word
MOST_REPEATED = 16  # words of one sort in a row; without an end, a word said all over is read in squares
_PAUSE = re.compile(r"[,;:?!()]|\s[-–—]\s")


@dataclass(slots=True, eq=False)
class Item:
    """What some words are: PERSON, TIME, RELEASE, REF, ADDR, REPO, TEAM, PATH, TOPIC, KIND or BOTS, and its value."""

    first: int
    end: int
    tag: str
    value: Any


@dataclass(frozen=True, slots=True)
class _Element:
    """What a word beside a place must be: of each test one of the words, classes or marks, or none where the first of
    the four is true; or that there is a pause, or none. `at_end` is whether a pause will do as well."""

    tests: tuple[tuple[bool, frozenset[str], frozenset[str], tuple[str, ...]], ...] = ()
    pause: bool | None = None
    repeats: bool = False
    at_end: bool = False
    may_lack: bool = False


Pattern = tuple[_Element, Sequence[_Element], Sequence[_Element]]


@cache
def places() -> Mapping[str, tuple[frozenset[str], Sequence[Pattern]]]:
    """The places by their names: of each pattern the word itself, what stands before it, from there backwards, and
    what behind. Before them stand the words and classes of which the word itself must be one, in any pattern; none
    where that cannot be said."""
    found = {name: [_pattern(one) for one in some] for name, some in written()["places"].items()}
    return {name: (_heads(patterns), patterns) for name, patterns in found.items()}


def _heads(patterns: Sequence[Pattern]) -> frozenset[str]:
    heads = frozenset[str]()
    for of, *_ in patterns:
        some = next((words | classes for no, words, classes, marks in of.tests if not no and not marks), None)
        if some is None:
            return frozenset()
        heads |= some
    return heads


def _pattern(text: str) -> Pattern:
    for name, meant in written()["macros"].items():
        text = text.replace(name, meant)
    parts = text.split()
    at = next(n for n, part in enumerate(parts) if part[0] == "_")
    elements = [_element(part.removeprefix("_&").removeprefix("_")) for part in parts]
    return elements[at], elements[:at][::-1], elements[at + 1 :]


def _element(text: str) -> _Element:
    if text in (".", "!."):
        return _Element(pause=text == ".")
    tests = []
    for test in filter(None, text.removesuffix("*").split("&")):
        some = test.removeprefix("!").split("|")
        listed = [lists()[one.strip("[]").replace("-", " ")] for one in some if one[0] == "["]
        classes = {one.strip("<>").replace("-", " ").replace(":", ": ") for one in some if one[0] == "<"}
        words = {one for one in some if one[0] not in "[<" and not one.isupper()}.union(*listed)
        marks = tuple(one for one in some if one.isupper() and one != "PAUSE")
        tests.append((test[0] == "!", frozenset(words), frozenset(classes), marks))
    tests.sort(key=lambda test: len(test[3]))  # what is looked up before what is told by a mark
    repeats = len(text) > 1 and text.endswith("*")
    return _Element(tuple(tests), None, repeats, "PAUSE" in text, all(test[0] for test in tests))


class WordLine:
    """Words, what they were taken as, and which of them are unread.

    `classes` are those of the phrase that a word is in, which is `phrase` words long and begins at `opens`; `left_out`
    are those of the `items` that are named to be left out. `marks` say more of a word, by names for the places.
    """

    marks: ClassVar[Mapping[str, Callable[[Any, int], bool]]] = {}

    def __init__(self, words: list[Word]) -> None:
        self.words, self.items, self.left_out = words, list[Item](), list[Item]()
        self.all = range(len(words))
        self.classes, self.opens, self.phrase = [frozenset[str]()] * len(words), list(self.all), [1] * len(words)
        self._lost = set[int]()

    def low(self, n: int) -> str:
        return self.words[n].low if 0 <= n < len(self.words) else ""

    def has(self, n: int, *classes: str) -> bool:
        """Whether a word is in a phrase of one of some classes or groups."""
        return 0 <= n < len(self.words) and not self.classes[n].isdisjoint(classes)

    def among(self, n: int, *names: str) -> bool:
        """Whether a word is one of some lists."""
        return any(self.low(n) in lists()[name] for name in names)

    def taken(self, n: int) -> str:
        return self.words[n].taken if 0 <= n < len(self.words) else ""

    def is_free(self, n: int) -> bool:
        return 0 <= n < len(self.words) and not self.words[n].taken

    def is_lost(self, n: int) -> bool:
        return n in self._lost

    def is_strange(self, n: int) -> bool:
        """Whether nothing took a word, and no list accounts for it."""
        return self.is_free(n) and not self.classes[n] - IDLE

    def said(self, *classes: str) -> int | None:
        """Where the first phrase of some classes is of which nothing is taken."""
        free = (n for n, of in enumerate(self.classes) if not (of.isdisjoint(classes) or self.words[n].taken))
        return next(free, None)

    def pauses(self, n: int) -> bool:
        """Whether there is a comma or the like before a word, or no word."""
        if not 0 < n < len(self.words):
            return True
        word, before = self.words[n], self.words[n - 1]
        return word.sentence != before.sentence or _PAUSE.search(word.before) is not None

    def stands(self, n: int, name: str, *, end: int = 0) -> bool:
        """Whether a word, or words up to `end`, stand at a place."""
        last = end - 1 if end else n
        heads, patterns = places()[name]
        if heads and 0 <= n < len(self.words) and self.words[n].low not in heads and heads.isdisjoint(self.classes[n]):
            return False
        for of, before, after in patterns:  # a loop: this is run thousands of times for a question
            if self._is(n, of) and self._go(n, -1, before) and self._go(last, 1, after):
                return True
        return False

    def stand(self, name: str) -> bool:
        """Whether a word stands at a place."""
        return any(self.stands(n, name) for n in self.all)

    def _go(self, n: int, step: int, elements: Sequence[_Element]) -> bool:
        at = n + step
        for element in elements:
            gap = max(at, at - step)
            if element.pause is not None:
                if self.pauses(gap) != element.pause:
                    return False
            elif element.repeats:
                last = at + step * MOST_REPEATED
                while at != last and self._is(at, element) and not self.pauses(max(at, at - step)):
                    at += step
            elif self._is(at, element) or (step > 0 and element.at_end and self.pauses(gap)):
                at += step
            else:
                return False
        return True

    def _is(self, n: int, element: _Element) -> bool:
        if not 0 <= n < len(self.words):
            return element.may_lack
        low, of = self.words[n].low, self.classes[n]
        for no, words, classes, marks in element.tests:
            if no is (low in words or not of.isdisjoint(classes) or (bool(marks) and self._marked(n, marks))):
                return False
        return True

    def _marked(self, n: int, marks: Sequence[str]) -> bool:
        return any(self.marks[mark](self, n) if mark in self.marks else self.words[n].taken == mark for mark in marks)

    def named(self, group: str, *, anywhere: bool = False) -> list[str]:
        """The classes of a group ("kind: ") that words are of which nothing took; with `anywhere` the unread too."""
        free = (n for n in self.all if self.is_free(n) and (anywhere or n not in self._lost))
        names = (name for n in free for name in sorted(self.classes[n]) if name.startswith(group))
        return list(dict.fromkeys(name.removeprefix(group) for name in names))

    def lead(self, n: int) -> int:
        """The number of the word before another one, articles aside."""
        n -= 1
        while self.is_free(n) and self.has(n, "determiners"):
            n -= 1
        return n

    def of(self, *tags: str) -> list[Item]:
        """What was found of some slots and is not left out, in the order of the words."""
        found = [one for one in self.items if one.tag in tags and one not in self.left_out]
        return sorted(found, key=lambda one: one.first)

    def item_at(self, n: int) -> Item | None:
        """What a word was taken as, or as a part of."""
        return next((one for one in self.items if one.first <= n < one.end), None)

    def raw(self, first: int, end: int) -> str:
        while 0 < first < end and not self.words[first].before:  # "can't" is two words
            first -= 1
        said = (" " * bool(word.before) + word.raw + "'s" * word.is_owner for word in self.words[first:end])
        return "".join(said).strip()

    def take(self, first: int, end: int, tag: str, value: Any) -> Item:
        for word in self.words[first:end]:
            word.taken = tag
        item = Item(first, end, tag, value)
        self.items.append(item)
        return item

    def lose(self, numbers: Iterable[int]) -> None:
        """Say of some more words that they are unread."""
        self._lost.update(numbers)

    def regain(self, numbers: Iterable[int]) -> None:
        """Say of some words that they were read after all."""
        self._lost.difference_update(numbers)

    @property
    def unread_words(self) -> tuple[str, ...]:
        runs = list[list[int]]()
        for n in sorted(self._lost):
            if runs and runs[-1][-1] == n - 1 and not self.pauses(n):
                runs[-1].append(n)
            else:
                runs.append([n])
        return tuple(self.raw(run[0], run[-1] + 1) for run in runs)
