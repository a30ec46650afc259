"""Words: titles, counts, lists, plurals. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.model import Kind

# The order in which a month is told, with the heading and the words for one and for several.
KINDS: dict[Kind, tuple[str, str, str]] = {
    "feature": ("Features", "feature", "features"),
    "performance": ("Performance", "performance change", "performance changes"),
    "fix": ("Fixes", "fix", "fixes"),
    "refactor": ("Refactoring", "refactoring", "refactorings"),
    "docs": ("Documentation", "documentation change", "documentation changes"),
    "test": ("Tests", "test change", "test changes"),
    "build": ("Build", "build change", "build changes"),
    "ci": ("CI", "CI change", "CI changes"),
    "release": ("Releases", "release change", "release changes"),
    "revert": ("Reverts", "revert", "reverts"),
    "chore": ("Other changes", "other change", "other changes"),
}
LONGEST_TITLE = 160
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def heading(kind: Kind) -> str:
    return KINDS[kind][0]


def told(kind: Kind) -> int:
    """Where a kind stands in the order of telling."""
    return list(KINDS).index(kind)


def clean(text: str) -> str:
    """Text from git in one line, without characters that steer a terminal or turn the reading direction."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def shortened(text: str, longest: int = LONGEST_TITLE) -> str:
    """The text, cut between words with an ellipsis where it is longer."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    at_word = cut.rsplit(" ", 1)[0]
    return (at_word if len(at_word) > longest // 2 else cut).rstrip(" ,;:-") + "…"


def count(number: int, one: str, several: str | None = None) -> str:
    """ "1 change", "1,204 changes"."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; or with another word before the last."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def kinds_listed(kinds: Mapping[Kind, int]) -> str:
    """ "5 features, 1 fix and 2 other changes", most first, equals in the order of telling, the rest last."""
    ranked = sorted(
        (kind for kind in KINDS if kinds.get(kind)),
        key=lambda kind: (kind == "chore", -kinds[kind], told(kind)),
    )
    return listed([count(kinds[kind], *KINDS[kind][1:]) for kind in ranked])
