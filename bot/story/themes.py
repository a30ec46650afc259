"""The things of a person's month → its themes. Pure.

By closed lists over titles and paths; nothing is reworded (docs/months.md).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.model import FileChange
from bot.month.paths import lines_of, product_files
from bot.month.title import (
    EVERYDAY,
    GENERIC_LABELS,
    folded,
    is_identifier,
    is_telling,
    stem,
    title_said,
    words_of,
)
from bot.story.things import Thing

FEWEST = 3  # changes of a theme
MOST_THEMES = 7
LONGEST_NAME = 40  # characters of what may head a theme
LARGE, TOO_LARGE = 1 / 3, 1 / 2  # of a month: a name that more of it has waits, or is none, but for a label
MOST_OF_MONTH = 0.7  # of its changes: a label that more of them have tells nothing
# What a name is worth by where it stands.
AS_LABEL, IN_LABEL, IN_TITLE, OF_FILE, OF_FOLDER = 1.4, 1.2, 1.2, 0.8, 0.6
SHARE = 1 / 2  # of a change's product lines: a folder or file that holds so many names it
_EMPTY = (
    "add-ons app application arch bin cargo class classes client cmd code components config control core crates data "
    "detail generic header headers helper helpers impl import include index inner interface internal kernels lang lib "
    "libs main makefile misc mod model models module modules new os package packages pkg private public python rust "
    "impls server shared source sources src std support test testing tests tools types util utility utils version"
)
_EMPTY_NAMES = frozenset(_EMPTY.split())
FEWEST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Theme:
    """Things under one name, the most noticed first; without a name, those that no theme has."""

    name: str
    things: tuple[Thing, ...]


# --- themes


def themes_of(things: Sequence[Thing], everywhere: Collection[str] = ()) -> list[Theme]:
    """The things of a month under the names that most of them share, the most noticed first, those without last. What
    is `everywhere` in the month is no name."""
    worth, forms, labels = _names_of_all(things, everywhere)
    size = [len(thing.changes) for thing in things]
    left = set(range(len(things)))
    found: list[Theme] = []

    def weight(name: str) -> float:
        return sum(size[one] * value for one, value in worth[name].items() if one in left)

    def is_usable(name: str, least: float) -> bool:
        held = worth[name]
        some = held.keys() & left
        number = sum(size[one] for one in some)
        labelled = sum(value == AS_LABEL for value in held.values())
        most = LARGE if least else TOO_LARGE
        return (
            len(some) > 1
            and number >= FEWEST
            and (len(held) <= most * len(things) or len(held) < 2 * labelled < 2 * MOST_OF_MONTH * len(things))
            and weight(name) >= least * number
        )

    for least in (IN_TITLE, OF_FILE, 0):  # what authors named first; folders where most of the month has no theme
        while len(found) < MOST_THEMES and (least or len(left) > len(things) / 2):
            usable = [name for name in worth if is_usable(name, least)]
            if not usable:
                break
            best = max(usable, key=lambda name: (weight(name), name))
            some = worth[best].keys() & left
            heading = _heading(best, [things[one] for one in sorted(some)], forms, everywhere)
            some |= {one for one in left if folded(heading) in labels[one]}
            left -= some
            found.append(Theme(heading, tuple(things[one] for one in sorted(some))))
    found = sorted(_joined(found), key=lambda one: -sum(thing.notice for thing in one.things))
    rest = tuple(things[one] for one in sorted(left))
    return [*found, *([Theme("", rest)] if rest else [])]


def _names_of_all(
    things: Sequence[Thing], everywhere: Collection[str]
) -> tuple[dict[str, dict[int, float]], dict[str, Counter[str]], list[set[str]]]:
    """What each name is worth as a heading of which things, by their place, and how it is written; and the labels of
    each thing."""
    repository = {stem(part) for one in things for part in re.split(r"[/-]", one.lead.lead.repository)}
    names = [_names_of(thing, {*everywhere, *repository}) for thing in things]
    worth: dict[str, dict[int, float]] = defaultdict(dict)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for number, of_thing in enumerate(names):
        for name, (form, value) in of_thing.items():
            if stem(name) not in repository and name not in everywhere:
                worth[name][number] = value
                forms[name][form] += 1
    said = {name for name in worth if stem(name) not in EVERYDAY}
    for number, thing in enumerate(things):  # a word of a title that is what other work of the month is filed under
        for word in words_of(thing.title or thing.said.words):
            if (name := folded(word.strip("`"))) in said:
                worth[name][number] = max(worth[name].get(number, 0), IN_TITLE)
    titles = [one.said for one in things]
    labels = [{folded(label) for label in title.labels if is_telling(label)} for title in titles]
    for name in set().union(*labels) & worth.keys():  # what else is filed under another label is not moved by its files
        worth[name] = {n: value for n, value in worth[name].items() if value > OF_FILE or not labels[n]}
    return worth, forms, labels


def _joined(themes: Sequence[Theme]) -> list[Theme]:
    """The themes, those whose name is a part of another's together with it: "DICE keys" is told with "DICE"."""
    found: dict[str, Theme] = {}
    for theme in sorted(themes, key=lambda one: len(one.name)):
        parts = {folded(part) for part in re.split(r"[/ ]", theme.name)}
        name = next((one for one in found if one in parts), folded(theme.name))
        before = found.get(name, Theme(theme.name, ()))
        things = sorted((*before.things, *theme.things), key=lambda one: (-one.notice, one.lead.lead.written))
        found[name] = Theme(before.name, tuple(things))
    return list(found.values())


def _heading(name: str, some: Sequence[Thing], forms: Mapping[str, Counter[str]], everywhere: Collection[str]) -> str:
    """The label of all the titles, else the name: as half of them write it, or as it is mostly written."""
    labels = Counter(label for one in some for label in title_said(one.lead).labels)
    label, number = max(labels.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    if number == len(some) and is_telling(label) and folded(label) not in everywhere:
        return label
    said = Counter(word for one in some for word in words_of(title_said(one.lead).words) if folded(word) == name)
    if 2 * said.total() >= len(some):
        return min(said, key=lambda form: (-said[form], form))
    plain = forms[name] if len(forms[name]) == 1 else [form for form in forms[name] if "/" not in form] or [name]
    return min(plain, key=lambda form: (-forms[name][form], form))


def _names_of(thing: Thing, everywhere: Collection[str]) -> dict[str, tuple[str, float]]:
    """The names of a thing as they are compared, each with its form and what it is worth as a heading."""
    found: dict[str, tuple[str, float]] = {}
    for change in thing.changes:
        title = thing.said if thing.topic else title_said(change)
        for label in title.labels:
            if folded(label) not in everywhere:
                _add(found, label, AS_LABEL)
                for part in re.split(r"[/:+ ]", label):
                    _add(found, part, IN_LABEL)
        words = words_of(title.words)
        for word in words:
            if is_identifier(word) or (word.isupper() and len(word) >= FEWEST_LETTERS):
                _add(found, word.strip("`"), IN_TITLE)
        for one, two in pairwise(words):
            if not any(stem(word) in EVERYDAY or len(word) < 4 or not word.isalpha() for word in (one, two)):
                _add(found, f"{one} {two}", IN_TITLE)
    for path, value in _places(file for change in thing.changes for file in product_files(change.lead)).items():
        *above, name = path.split("/")
        parents = [
            one for one in above if folded(one) not in _EMPTY_NAMES | GENERIC_LABELS and stem(one) not in everywhere
        ]
        _add(found, name, value, "/".join(one.strip("_") for one in (*parents[-1:], name)))
    return found


def _add(found: dict[str, tuple[str, float]], name: str, value: float, form: str = "") -> None:
    key = folded(name)
    if (
        2 < len(key) <= LONGEST_NAME
        and key not in _EMPTY_NAMES
        and name[0] not in "._"
        and is_telling(name)
        and not key.isdigit()
    ):
        found.setdefault(key, (form or name, value))


def _places(files: Iterable[FileChange]) -> dict[str, float]:
    """The folders and files that hold half of the changed lines, as "folder/file"."""
    lines, whole = Counter[str](), set[str]()
    for file in files:
        whole.add(file.path)
        parts = file.path.split("/")
        for depth in range(1, len(parts) + 1):
            lines["/".join(parts[:depth])] += max(lines_of((file,)), 1)
    least = SHARE * sum(lines[path] for path in whole)
    found = dict[str, float]()
    for path, number in lines.items():
        if number >= least:
            folder, slash, name = path.rpartition("/")
            is_file = path in whole
            found[f"{folder}{slash}{name.partition('.')[0]}" if is_file else path] = OF_FILE if is_file else OF_FOLDER
    return found
