"""A month's changes → those that their authors filed under one tag or prefix. Pure.

A change is in one group only. What has no label of several titles stays alone: nothing is put together to save lines,
and no label is made up of words (docs/themes.md).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import Change
from bot.story.terms import GENERIC_LABELS
from bot.story.title import title_of

MOST_OF_MONTH = 0.7  # of a month's changes: a label that more of them have tells nothing


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that belong together, in order of writing. `label` stands before their titles; a change alone has
    none."""

    changes: tuple[Change, ...]
    label: str = ""


def groups_of(changes: Sequence[Change]) -> list[Group]:
    """The groups of a month, those alone among them, in order of writing. Every change is in exactly one: under the
    label that most share, of equals the one that was written first."""
    ordered = sorted(changes, key=lambda change: change.lead.written)
    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    members: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, change in enumerate(ordered):
        for label in filter(is_telling, title_of(change.lead).labels):
            key = change.lead.repository, folded(label)
            forms[key][label] += 1
            if number not in members[key]:
                members[key].append(number)
    most = MOST_OF_MONTH * len(ordered) if len(ordered) > 3 else len(ordered)
    usable = {key: found for key, found in members.items() if len(found) <= most}
    left = set(range(len(ordered)))
    groups: dict[int, Group] = {}
    while usable:
        live = {key: [one for one in found if one in left] for key, found in usable.items()}
        usable = {key: found for key, found in live.items() if len(found) > 1}
        if usable:
            key = min(usable, key=lambda one: (-len(usable[one]), usable[one][0], one))
            label = min(forms[key], key=lambda form: (-forms[key][form], form))
            groups[usable[key][0]] = Group(tuple(ordered[number] for number in usable[key]), label)
            left.difference_update(usable[key])
    groups |= {number: Group((ordered[number],)) for number in left}
    return [groups[first] for first in sorted(groups)]


def is_telling(label: str) -> bool:
    """Whether a tag or prefix names something: not a sort of change, and no folder of all the project."""
    return not GENERIC_LABELS.issuperset(re.split(r"[ /]", folded(label))) and not label.startswith("fbcode")


def folded(label: str) -> str:
    """A label as it is compared: "mesh_admin" and "mesh admin" are one."""
    return re.sub(r"[\s_-]+", " ", label.casefold()).strip()
