"""The checker: a sentence, the changes it names, and what does not hold of it. docs/model.md says what is looked at.
Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from bot.story.checking import effects, naming, negation
from bot.story.checking.ground import Ground
from bot.story.checking.text import compact, parts_of, stem, without_dates, words_of

Part = Literal["headline", "item", "fixed", "attention", "impact"]
_LEAST_SHARE = 0.25  # of a sentence's telling words that its changes have in some form
# Words that carry too little to tell one commit from another.
_COMMON = """
    about above across actually added adding adds after again against along already also although among another anything
    around because been before behind being below beside between both called calls came cannot change changed changes
    come comes could current currently does doing done down during each either else even ever every everything find from
    gain gains gave get gets give given gives goes gone got had has have having here hold holds how into instead its
    itself keep keeps kept landed last later leave let like longer look made main make makes making many may means more
    most mostly much must need needs neither never new next none not nothing now off old once one only other others our
    out over own part past per put rather really replaces run said same say says second see seem seems set several shall
    should show shows since some something still such take taken takes tell than that the their them then there these
    they thing this those three through today together told too took two under unless until upon use used uses using
    very via want wants was way were what when where whether which while who whole whom whose why will with within
    without work works would year years yet and are but can did for you your
"""


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
        self._common_stems = frozenset(map(stem, (*words, *_COMMON.split())))

    @cached_property
    def _people(self) -> tuple[str, ...]:
        """Whom any change names; a name of one word in small letters is too likely to be another word."""
        names = {name for ground in self._grounds.values() for name in ground.people}
        return tuple(sorted(name for name in names if len(name) > 3 and (" " in name or re.search(r"[\dA-Z_-]", name))))

    def faults(self, text: str, evidence: Collection[int], part: Part = "item", beside: str = "") -> list[str]:
        """What in a sentence the changes of its evidence do not bear out; empty if all of it holds.

        `beside` is what else is said in the same place, which may say what became of a change.
        """
        if not evidence:
            return ["it names no change"]
        if unknown := [n for n in evidence if n not in self._grounds]:
            return [f"{n} is the number of no change" for n in unknown]
        grounds = [self._grounds[n] for n in dict.fromkeys(evidence)]
        parts = parts_of(text)
        in_time = sorted(grounds, key=lambda ground: ground.change.lead.author.seconds)
        found = [
            *self.unknown_names(text, grounds),
            *naming.state_faults(parts.own, beside, grounds, self._people),
            *effects.order_faults(parts.own, [ground.order for ground in in_time]),
            *effects.faults(parts.own, grounds, part == "fixed"),
            *negation.faults(text, [statement for ground in grounds for statement in ground.statements]),
            *self._unsupported(text, grounds),
        ]
        return list(dict.fromkeys(found))

    def unknown_names(self, text: str, grounds: Sequence[Ground]) -> list[str]:
        return list(naming.faults(parts_of(text), grounds, self._common, self._people))

    def _unsupported(self, text: str, grounds: Sequence[Ground]) -> list[str]:
        """Whether it speaks of other changes, or of none: as far as words tell."""
        plain = without_dates(naming.without_states(text))
        said = {stem(word) for word in words_of(plain) if len(word) > 2} - self._common_stems
        there = frozenset[str]().union(*(ground.stems for ground in grounds))
        missing = said - there
        if len(missing) > (1 - _LEAST_SHARE) * len(said):
            return [f"its changes do not speak of {', '.join(sorted(missing)[:8])}"]
        return []
