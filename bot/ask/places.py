"""The words of a clause of a question, and what stands where. Pure.

Where a person, a topic or a repository stands is said in the "places" of words.json. A place is some patterns, of which
one must fit. In a pattern `_` is the word itself; the words beside it are one element each. An element is tests that
are joined by `&`, a test one of what `|` separates, or with `!` before it none of it: a word, [a list], <a class or
group of phrases>, what a word was taken as (PERSON), SOMEPERSON where anybody is named, or a mark of `marks`. A word
that is not there is none of anything. `.` is a pause, `!.` none, `~` any articles; what has a `*` behind it may stand
there any number of times, up to a pause.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, ClassVar

from bot.ask.words import Element, Word, lists, places

IDLE = frozenset(("english", "orders", "not", "repeated", "noun", "verb", "owned"))  # they account for no word
_PAUSE = re.compile(r"[,;:?!()]|\s[-–—]\s")


@dataclass(slots=True, eq=False)
class Item:
    """What some words are: PERSON, TIME, RELEASE, REF, ADDR, REPO, TEAM, PATH, TOPIC, KIND or BOTS, and its value."""

    first: int
    end: int
    tag: str
    value: Any


class WordLine:
    """Words, what they were taken as, and which of them are unread.

    `classes` are those of the phrase that a word is in, which is `phrase` words long and begins at `opens`; `left_out`
    are those of the `items` that are named to be left out. `marks` say more of a word, by names for the places.
    """

    marks: ClassVar[Mapping[str, Callable[[Any, int], bool]]] = {}

    def __init__(self, words: list[Word]) -> None:
        self.words, self.items, self.left_out = words, list[Item](), list[Item]()
        self.classes, self.opens = [frozenset[str]()] * len(words), list(range(len(words)))
        self.phrase = [1] * len(words)
        self.unread = list[tuple[int, int]]()

    @property
    def all(self) -> range:
        """The numbers of all words."""
        return range(len(self.words))

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

    def said(self, *classes: str) -> int | None:
        """Where the first phrase of some classes is of which nothing is taken."""
        return next((n for n in range(len(self.words)) if self.has(n, *classes) and not self.taken(n)), None)

    def pauses(self, n: int) -> bool:
        """Whether there is a comma or the like before a word, or no word."""
        if not 0 < n < len(self.words):
            return True
        word, before = self.words[n], self.words[n - 1]
        return word.sentence != before.sentence or _PAUSE.search(word.before) is not None

    def is_strange(self, n: int) -> bool:
        """Whether nothing took a word, and no list accounts for it."""
        return self.is_free(n) and not self.classes[n] - IDLE

    def stands(self, n: int, name: str, *, end: int = 0) -> bool:
        """Whether a word, or words up to `end`, stand at a place."""
        last = end - 1 if end else n
        return any(self._is(n, of) and self._go(n, -1, b) and self._go(last, 1, a) for of, b, a in places()[name])

    def _go(self, n: int, step: int, elements: Sequence[Element]) -> bool:
        at = n + step
        for element in elements:
            gap = max(at, at - step)
            if element.is_pause or element.no_pause:
                if self.pauses(gap) != element.is_pause:
                    return False
            elif element.repeats:
                while self._is(at, element) and not self.pauses(max(at, at - step)):
                    at += step
            elif self._is(at, element) or (step > 0 and element.may_end and self.pauses(gap)):
                at += step
            else:
                return False
        return True

    def _is(self, n: int, element: Element) -> bool:
        if not 0 <= n < len(self.words):
            return element.may_be_none
        word, of = self.words[n], self.classes[n]
        for no, words, classes, marks in element.tests:
            if no is bool(word.low in words or not of.isdisjoint(classes) or (marks and self._marked(n, marks))):
                return False
        return True

    def _marked(self, n: int, marks: Sequence[str]) -> bool:
        of = self.marks
        return any(of[mark](self, n) if mark in of else self._taken_as(n, mark) for mark in marks)

    def _taken_as(self, n: int, tag: str) -> bool:
        return bool(self.of(tag[4:])) if tag.startswith("SOME") else self.words[n].taken == tag

    def stand(self, name: str) -> bool:
        """Whether a word stands at a place."""
        return any(self.stands(n, name) for n in range(len(self.words)))

    def named(self, group: str, *, anywhere: bool = False) -> Iterator[str]:
        """The classes of a group ("kind: ") that words are of which nothing took; with `anywhere` the unread too."""
        for n in filter(self.is_free, range(len(self.words))):
            if anywhere or not self.is_lost(n):
                yield from sorted(name.removeprefix(group) for name in self.classes[n] if name.startswith(group))

    def lead(self, n: int) -> int:
        """The number of the word before another one, articles aside."""
        n -= 1
        while self.is_free(n) and self.has(n, "determiners"):
            n -= 1
        return n

    def of(self, tag: str) -> list[Item]:
        """What was found of a slot and is not left out, in the order of the words."""
        found = [one for one in self.items if one.tag == tag and one not in self.left_out]
        return sorted(found, key=lambda one: one.first)

    def item_at(self, n: int, *tags: str) -> Item | None:
        """What a word was taken as, or as a part of."""
        return next((one for one in self.items if one.first <= n < one.end and one.tag in (tags or (one.tag,))), None)

    def raw(self, first: int, end: int) -> str:
        while 0 < first < end and not self.words[first].before:  # "can't" is two words
            first -= 1
        said = (" " * bool(word.before) + word.raw + "'s" * word.is_owner for word in self.words[first:end])
        return "".join(said).strip()

    @property
    def compares(self) -> bool:
        """Whether two are to stand side by side; "vs" may be a part of a time."""
        in_time = (self.low(n) for one in self.items if one.tag == "TIME" for n in range(one.first, one.end))
        return self.said("compare") is not None or not lists()["compare in time"].isdisjoint(in_time)

    def take(self, first: int, end: int, tag: str, value: Any) -> Item:
        for word in self.words[first:end]:
            word.taken = tag
        item = Item(first, end, tag, value)
        self.items.append(item)
        return item

    def lose_topics(self) -> None:
        self.lose(n for one in self.of("TOPIC") for n in range(one.first, one.end))

    def lose(self, numbers: Iterable[int]) -> None:
        """Say of some more words that they are unread."""
        lost = {n for first, end in self.unread for n in range(first, end)} | set(numbers)
        self.unread = []
        for n in sorted(lost):
            if self.unread and self.unread[-1][1] == n and not self.pauses(n):
                self.unread[-1] = (self.unread[-1][0], n + 1)
            else:
                self.unread.append((n, n + 1))

    @property
    def unread_words(self) -> tuple[str, ...]:
        return tuple(self.raw(first, end) for first, end in self.unread)

    def is_lost(self, n: int) -> bool:
        at = bisect_right(self.unread, n, key=itemgetter(0)) - 1  # asked of each word, several times
        return at >= 0 and n < self.unread[at][1]
