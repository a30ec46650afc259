"""The tags and prefixes under which authors file their changes. Pure."""

from __future__ import annotations

import re

from bot.story.terms import GENERIC_LABELS

MOST_OF_MONTH = 0.7  # of a month's changes: a label that more of them have tells nothing


def is_telling(label: str) -> bool:
    """Whether a tag or prefix names something: not a sort of change, and no folder of all the project."""
    return not GENERIC_LABELS.issuperset(re.split(r"[ /]", folded(label))) and not label.startswith("fbcode")


def folded(label: str) -> str:
    """A label as it is compared: "mesh_admin" and "mesh admin" are one."""
    return re.sub(r"[\s_-]+", " ", label.casefold()).strip()
