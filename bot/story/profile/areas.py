"""What recurs over a whole history: areas named in the team's own words, each with the changes that show it. Pure.

An area is one to three words in a row that subjects and paths have in common: `CastActor` in one subject, "cast
actor" in another and the file cast_actor.rs are one. docs/profile.md says for users what counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from bot.model import Change
from bot.story.profile.area_names import PATHS, Words, of_paths, of_subject, stems
from bot.story.profile.area_words import TOO_GENERAL

MOST = 5  # areas that are told
FEWEST = 2  # changes that make something recur
ONE_IN = 25  # changes must show an area, of a history so long that these are more than FEWEST, up to
ENOUGH = 20  # changes
MANY_INSIDE = 8  # folders, in one that holds everything of a sort
NEW = 0.6  # of the changes of an area are in none that is told before it

Key = str  # the stems of its words, joined: "CastActor" and "castactor" are one


@dataclass(frozen=True, slots=True)
class Area:
    """What recurs: its name as the team writes it, and the changes that show it, in order of writing."""

    name: str
    changes: tuple[Change, ...]


@dataclass(slots=True)
class _Found:
    """Where a key was found: the numbers of changes, by how, and how it was written."""

    words: Words
    said: set[int] = field(default_factory=set)
    filed: set[int] = field(default_factory=set)
    tagged: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)  # of those filed: where it is all of a name of a file or folder
    inside: set[str] = field(default_factory=set)  # the folders right in one of that name
    forms: Counter[str] = field(default_factory=Counter)  # in subjects
    names: Counter[str] = field(default_factory=Counter)  # of files and folders

    @property
    def every(self) -> set[int]:
        return self.said | self.filed  # a set made anew: kept by who asks twice


def areas(changes: Iterable[Change], most: int = MOST) -> list[Area]:
    """What recurs in the changes that stayed, the most telling first; empty where nothing does.

    An area is shown by at least FEWEST changes of which one at least names it in its subject, and most of its changes
    are in no area before it. What was taken out, and what only takes out, shows nothing.
    """
    told = sorted(
        (change for change in changes if change.kind not in ("revert", "release") and change.state != "backed_out"),
        key=lambda change: (change.lead.author.seconds, change.id),
    )
    found: dict[Key, _Found] = {}
    own = _own(told)
    for number, change in enumerate(told):
        _read(number, change, own, found)
    months = [_month(change) for change in told]
    fewest = max(FEWEST, min(ENOUGH, -(-len(told) // ONE_IN)))
    often = {key: one for key, one in found.items() if len(one.every) >= fewest and (one.forms or one.names)}
    heads = _heads(often)
    worth = {key: _worth(one, len(told), is_head=key in heads) for key, one in often.items()}
    return _chosen(told, {key: one for key, one in often.items() if worth[key]}, worth, months, most)


def _chosen(
    told: Sequence[Change], found: Mapping[Key, _Found], worth: Mapping[Key, float], months: Sequence[int], most: int
) -> list[Area]:
    """One after the other the area that gains most, of which most is in none before it."""
    left, covered = dict(found), set[int]()
    chosen: list[Area] = []
    words: list[set[str]] = []
    while left and len(chosen) < most:
        gain = {key: worth[key] * _gain(one.every - covered, one.said, months) for key, one in left.items()}
        best = min(left, key=lambda key: (-gain[key], -len(left[key].words), key))
        one = left.pop(best)
        every = one.every
        if len(every - covered) < max(FEWEST, NEW * len(every)) or any(_is_within(one.words, other) for other in words):
            continue
        chosen.append(Area(_name(one), tuple(told[number] for number in sorted(every))))
        words.append(set(one.words))
        covered |= every
    return chosen


def _is_within(words: Words, other: Set[str]) -> bool:
    return other >= set(words) or other <= set(words)


def _gain(fresh: Set[int], said: Set[int], months: Sequence[int]) -> float:
    named, spread = len(fresh & said), len({months[number] for number in fresh})
    return (named + 0.6 * (len(fresh) - named)) * (1 + 0.15 * min(spread, 4))


def _heads(found: Mapping[Key, _Found]) -> set[Key]:
    """Words that are mostly a part of several longer names, as "mesh" is of ActorMesh and HostMesh."""
    parts: dict[str, list[set[int]]] = defaultdict(list)
    for one in found.values():
        if len(one.words) == 2:
            for word in one.words:
                parts[word].append(one.every)
    return {
        word
        for word, longer in parts.items()
        if len(longer) > 1 and word in found and len(set[int]().union(*longer)) * 2 >= len(found[word].every)
    }


def _worth(one: _Found, changes: int, *, is_head: bool) -> float:
    """How telling a name is by itself; nothing where subjects do not say it, or only as a common word."""
    every = len(one.every)
    is_common = all(word in TOO_GENERAL for word in one.words)
    if not one.said or len(one.said) * 12 < every or (is_common and len(one.tagged) * 2 < every):
        return 0
    value = (1.0, 1.5, 1.6)[len(one.words) - 1] * max(0.08, 1.1 - 1.6 * every / changes)
    if one.tagged:
        value *= 1.3
    is_component = len(one.whole) * 3 >= len(one.filed) > 0
    if is_component:
        value *= 1.4 if len(one.said) > 1 else 1.1
    elif one.filed:
        value *= 1.1
    if len(one.words) == 1 and not one.tagged and not _is_name(one) and not is_component:
        value *= 0.3
    if is_head or (len(one.inside) >= MANY_INSIDE and len(one.said) * 2 < every):
        value *= 0.4  # it holds areas, and is none
    return value


def _is_name(one: _Found) -> bool:
    """Whether it is written as no common word is: with capitals, digits or underscores in it."""
    return not _name(one)[1:].islower() or "_" in _name(one)


def _month(change: Change) -> int:
    at = change.lead.author.at
    return at.year * 12 + at.month


def _name(one: _Found) -> str:
    """The form it is mostly written in, in subjects if in any; a common word without the capital it began one with."""
    forms = one.forms or one.names
    form = min(forms, key=lambda form: (-forms[form], len(form), form))
    lower = form[:1].lower() + form[1:]
    return lower if lower.islower() and (lower in one.forms or lower in one.names) else form


def _read(number: int, change: Change, own: Set[str], found: dict[Key, _Found]) -> None:
    for keys, tagged in of_subject(change.lead.subject):
        for words, form in keys:
            key = "".join(words)
            if own.isdisjoint((*words, key)):
                one = found.setdefault(key, _Found(words))
                one.said.add(number)
                if form:
                    one.forms[form] += 1
                    if tagged:
                        one.tagged.add(number)
    for words, name, inside in of_paths(change.commits, own):
        one = found.setdefault("".join(words), _Found(words))
        one.filed.add(number)
        if name:
            one.whole.add(number)
            one.names[name] += 1
            one.inside |= inside


def _own(changes: Sequence[Change]) -> frozenset[str]:
    """The names of the repositories, and of the package that holds half of the work or more: those say nothing."""
    of_each = Counter(change.lead.repository for change in changes)
    tops = Counter(
        (change.lead.repository, top)
        for change in changes
        for top in {file.path.split("/", 1)[0] for file in change.lead.files[:PATHS] if "/" in file.path}
    )
    half = {top for (name, top), times in tops.items() if times * 2 >= of_each[name] > FEWEST and top.isalnum()}
    names = half.union(of_each)
    parts = {part for name in names for part in re.split(r"[/\W_]+", name)}
    return frozenset(word for part in parts for word in (*stems(part), part.lower()) if word)
