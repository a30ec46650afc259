"""The things of a person's month → its themes. Pure.

A theme is what its person would call it: what several titles are filed under, or a folder that holds most of their
lines. The largest comes first; nothing is reworded (docs/months.md).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.model import FileChange
from bot.month.paths import lines_of, product_files
from bot.month.title import folded, is_telling, title_said
from bot.story.things import Thing

FEWEST, SMALLEST = 3, 12  # changes of a theme, and of how many things of a month it has one at least
MOST_THEMES = 7
LONGEST_NAME = 40  # characters of what may head a theme
MOST_OF_MONTH = 0.7  # of its changes: a name that more of them have tells nothing
SHARE = 1 / 2  # of a change's product lines: a folder that holds so many names it
_EMPTY = (
    "add-ons app application arch bin cargo class classes client cmd code components config contrib control core "
    "crates data detail generic header headers helper helpers impl impls import include index inner interface "
    "internal kernels lang lib libs main makefile misc mod model models module modules new os package packages pkg "
    "private public python rust server share shared source sources src std support test testing tests tools types "
    "util utilities utility utils version"
)
_EMPTY_NAMES = frozenset(_EMPTY.split())
FEWEST_LETTERS = 4

Names = dict[str, tuple[str, int]]  # of a thing: each name as it is compared, as it is written, and where
FILED, PART, FOLDER = 3, 2, 1  # what a title is filed under, a part of that, and a folder of its change


@dataclass(frozen=True, slots=True)
class Theme:
    """Things under one name, the most noticed first; without a name, those that no theme has."""

    name: str
    things: tuple[Thing, ...]


def themes_of(things: Sequence[Thing], everywhere: Collection[str] = (), *, by_folder: bool = True) -> list[Theme]:
    """The things of a month under the names that most of them share, that of most changes first, those without last.
    What is `everywhere` in the month is no name, and a folder only `by_folder`."""
    no_names = {_key(one) for one in everywhere}
    no_names |= {_key(part) for one in things for part in re.split(r"[/-]", one.lead.lead.repository)}
    names = [{key: it for key, it in _names_of(one, by_folder).items() if key not in no_names} for one in things]
    having: dict[str, set[int]] = defaultdict(set)
    worth, filed = Counter[str](), Counter[str]()
    for number, of_thing in enumerate(names):
        for name, (_, place) in of_thing.items():
            having[name].add(number)
            worth[name] += place
            filed[name] += place == FILED
    most = MOST_OF_MONTH * len(things)
    fit = [
        name for name, some in having.items() if len(some) > 1 and (len(some) <= most or 2 * filed[name] > len(some))
    ]
    left, found, fewest = set(range(len(things))), list[Theme](), max(FEWEST, len(things) // SMALLEST)

    def size(name: str) -> tuple[int, int, int, str]:
        some = having[name] & left
        changes = sum(len(things[one].changes) for one in some) if len(some) > 1 else 0
        return changes, worth[name], len(name), name

    while len(found) < MOST_THEMES and fit and size(best := max(fit, key=size))[0] >= fewest:
        some = sorted(left & having[best])
        written = [names[one][best] for one in some]
        forms = Counter(form for form, place in written if place != FOLDER) or Counter(form for form, _ in written)
        left.difference_update(some)
        heading = min(forms, key=lambda form: (-forms[form], form))
        found.append(Theme(heading, tuple(things[one] for one in some)))
    found.sort(key=lambda one: -sum(len(thing.changes) for thing in one.things))
    rest = tuple(things[one] for one in sorted(left))
    return [*found, *([Theme("", rest)] if rest else [])]


def _names_of(thing: Thing, by_folder: bool) -> Names:
    """The names of a thing, each in its first form: what its titles are filed under, and parts of that; and the folders
    that hold most of their lines."""
    found: Names = {}

    def add(form: str, place: int) -> None:
        key = _key(form)
        is_empty = place == FOLDER and not _EMPTY_NAMES.isdisjoint((key, form.casefold()))
        if 2 < len(key) <= LONGEST_NAME and not is_empty and is_telling(form) and form[0].isalpha():
            found.setdefault(key, (form, place))

    if chore := thing.judged.chore:  # as where most of a month is of CI
        found[_key(chore)] = chore, FILED
    files = [file for change in thing.changes for file in product_files(change.lead)]
    for change in thing.changes:
        title = thing.said if thing.topic else title_said(change)
        for label in title.labels:
            add(label, FILED)
            for part in re.split(r"[/:+ ]", label):
                add(part, PART)
    for folder in _folders_of_most(files) if by_folder else ():
        add(folder, FOLDER)
    return found


def _folders_of_most(files: Sequence[FileChange]) -> list[str]:
    """The names of the folders that hold half of the changed lines."""
    lines = Counter[str]()
    for file in files:
        for folder in {"", *file.path.split("/")[:-1]}:
            lines[folder] += max(lines_of((file,)), 1)
    named = (folder for folder in lines if folder and "." not in folder)  # "Mill.Server.Wheels" is a name of code
    return [folder for folder in named if lines[folder] >= SHARE * lines[""]]


def _key(name: str) -> str:
    """A name as it is compared: "mesh_admin" and "mesh admins" are one."""
    key = folded(name.strip("`"))
    return key.removesuffix("s") if len(key) > FEWEST_LETTERS and not key.endswith("ss") else key
