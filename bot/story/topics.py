"""Many changes → what they were about: the names that most of them share. Pure.

For a team's month and for a whole history, where hundreds of changes stand for a few things. A topic is a label that
authors gave, an identifier, or a word that says something; each change is in one topic at most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.model import Change
from bot.story.terms import EVERYDAY, GENERIC_LABELS, folded, is_identifier, is_telling, stem, words_of
from bot.story.title import title_of
from bot.story.weight import weight_of

TOO_MANY = 0.4  # of all changes: a word that more of them have is the project's, not a topic
FEWEST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Topic:
    """Changes with one name, in the order given."""

    name: str
    changes: tuple[Change, ...]

    @property
    def weight(self) -> int:
        return sum(map(weight_of, self.changes))


def topics_of(changes: Sequence[Change], fewest: int, most: int) -> list[Topic]:
    """At most so many topics of at least `fewest` changes each, those with most changes first."""
    terms = [_terms(change) for change in changes]
    repositories = {change.lead.repository for change in changes}
    own = {stem(part) for name in repositories for part in name.replace("-", "/").split("/")}
    left = set(range(len(changes)))
    found: list[Topic] = []
    holders: dict[str, set[int]] = defaultdict(set)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for number, of_change in enumerate(terms):
        for term, form in of_change.items():
            holders[term].add(number)
            forms[term][form] += 1
    usable = {
        term: numbers
        for term, numbers in holders.items()
        if fewest <= len(numbers) <= max(fewest, TOO_MANY * len(changes)) and term not in own
    }
    while len(found) < most:
        live = [(term, numbers & left) for term, numbers in usable.items()]
        best = max(live, key=lambda one: (len(one[1]), " " in one[0], len(one[0]), one[0]), default=None)
        if best is None or len(best[1]) < fewest:
            break
        term, numbers = best
        left -= numbers
        name = min(forms[term], key=lambda form: (-forms[term][form], form != form.lower(), form))
        found.append(Topic(name, tuple(changes[number] for number in sorted(numbers))))
    return found


def _terms(change: Change) -> dict[str, str]:
    """The names in a title, each by what it is known by, with the form in which it stands there."""
    title = title_of(change.lead)
    found: dict[str, str] = {}
    for label in title.labels:
        if is_telling(label) and "/" not in label:
            found[" ".join(map(stem, folded(label).split()))] = label  # as words are: a label may stand in a title too
    for place, word in enumerate(words_of(title.words)):
        named = _named(word)
        if named and (place or is_identifier(word) or not named[1].isalpha()):  # the first word is mostly the verb
            found.setdefault(*named)
    return found


@lru_cache(maxsize=32_768)
def _named(word: str) -> tuple[str, str] | None:
    """What a word of a title is known by, and the form in which it stands there; None of one that names nothing."""
    bare = word.strip("`").rstrip("()")
    low = stem(bare)
    if low in EVERYDAY or bare.casefold() in EVERYDAY or low in GENERIC_LABELS or len(low) < FEWEST_LETTERS:
        return None
    if low.endswith(("ed", "ing", "ly")) or bare.casefold().endswith(("ed", "ing", "ly")):
        return None  # says how, not what
    return (low, bare) if any(map(str.isalpha, bare)) and not bare[0].isdigit() else None
