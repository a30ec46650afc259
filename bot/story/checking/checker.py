"""The checker: a sentence, the changes it names, and what does not hold of it. docs/proof.md says what is looked at.
Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from bot.story.checking import claims, naming, roles, states
from bot.story.checking.ground import Ground
from bot.story.checking.text import compact, parts_of, references_of, stem, without_dates, words_of
from bot.story.checking.words import COMMON, STATES

Part = Literal["headline", "item", "fixed", "attention", "impact"]
_LEAST_SUPPORT = 0.34  # of a sentence's telling words that its changes have in some form
_LEAST_IF_NUMBERED = 0.2  # where it has the number of one of them beside
_COMMON_STEMS = frozenset(stem(word) for word in COMMON)


class Checker:
    """Holds sentences against the changes of a month, or of several, by their numbers in a prompt.

    `common` are texts whose words name nothing of a change's own: the month, the repositories, the person.
    """

    def __init__(self, grounds: Mapping[int, Ground], common: Iterable[str] = ()) -> None:
        self._grounds = grounds
        words = {word.lower() for text in common for word in re.findall(r"[\w+]+", text)}
        repositories = {c.repository for ground in grounds.values() for c in ground.change.commits}
        words |= {part.lower() for name in repositories for part in re.split(r"[/_.-]", name)}
        words |= {compact(name.rpartition("/")[2]) for name in repositories}
        self._common = frozenset(words)

    @cached_property
    def _people(self) -> tuple[str, ...]:
        """Whom any change names; a name of one word in small letters is too likely to be another word."""
        names = {name for ground in self._grounds.values() for name in ground.people}
        return tuple(sorted(name for name in names if len(name) > 3 and (" " in name or re.search(r"[\dA-Z_-]", name))))

    @cached_property
    def _spread(self) -> Counter[str]:
        """In how many changes each stem stands."""
        return Counter(stem for ground in self._grounds.values() for stem in ground.stems)

    def faults(self, text: str, evidence: Collection[int], part: Part = "item", beside: str = "") -> list[str]:
        """What in a sentence the changes of its evidence do not bear out; empty if all of it holds.

        `beside` is what else is told in the same place, which may say what became of a change.
        """
        if not evidence:
            return ["it names no change"]
        strangers = [n for n in evidence if n not in self._grounds]
        if strangers:
            return [f"{n} is the number of no change" for n in strangers]
        grounds = [self._grounds[n] for n in dict.fromkeys(evidence)]
        parts = parts_of(text)
        found = [
            *naming.faults(parts, grounds, self._common, self._people),
            *states.faults(text, parts.own, grounds, beside, self._people),
            *roles.faults(parts.own, grounds),
            *claims.faults(text, parts.own, grounds, part == "fixed"),
            *self._unsupported(text, grounds, set(evidence)),
        ]
        return list(dict.fromkeys(found))

    def _unsupported(self, text: str, grounds: Sequence[Ground], evidence: Collection[int]) -> list[str]:
        """Whether it speaks of other changes, or of none: as far as words tell."""
        plain = without_dates(STATES.sub(" ", text))
        said = {stem(word) for word in words_of(plain) if len(word) > 2} - _COMMON_STEMS
        said -= {stem(word) for word in self._common}
        if not said:
            return []
        there = frozenset().union(*(ground.stems for ground in grounds))
        missing = said - there
        share = 1 - len(missing) / len(said)
        own_refs = {ref for ground in grounds for ref in ground.change.refs}
        if share < (_LEAST_IF_NUMBERED if own_refs.intersection(references_of(text)) else _LEAST_SUPPORT):
            return [f"its changes do not speak of {', '.join(sorted(missing)[:8])}"]
        own = self._weight(said & there)
        for n, ground in self._grounds.items():
            if n not in evidence and self._weight(said & ground.stems) > 1.3 * own + 1:
                return ["it speaks of another change than it names"]
        return []

    def _weight(self, stems: Iterable[str]) -> float:
        return sum(1 / self._spread[stem] for stem in stems if self._spread[stem])
