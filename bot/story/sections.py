"""Under which heading a change of a month stands (docs/months.md). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.model import Change
from bot.story.diffs import FromDiffs
from bot.story.documents import Section
from bot.story.states import is_open, was_out
from bot.story.title import title_of
from bot.story.weight import lines_of, places_of, product_files

LIGHT = 10  # changed lines of the product: a change of less, with a word of TRIVIAL, is no work of its own
SMALL: tuple[Section, ...] = ("tests", "docs", "build", "releases")

# A fix of one of these is never among the numbers of the rest.
_SERIOUS = re.compile(
    r"\b(?:crash\w*|races?|race condition|leak\w*|corrupt\w*|overflow\w*|deadlock\w*|segfault\w*|hangs?|data loss|lost|"
    r"nans?|oom|use[- ]after[- ]free|panic\w*|permissions?|traversal|wrong (?:result|answer|value)s?|"
    r"security|vulnerab\w*|cve)\b",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"\b(?:typos?|format\w*|lint\w*|ruff|black|pyre|mypy|bump\w*|version|rename|nits?|comments?|whitespace|spelling|"
    r"copyright|licen[cs]e|codemod|ci)\b",
    re.IGNORECASE,
)
_SWEEPS = re.compile(
    r"\b(?:ruff|black|typos?|clang-format|reformat\w*|lint\w*|bump\w*|copyright|codemod|version\.txt)\b", re.IGNORECASE
)
_TESTS = re.compile(r"\b(?:unit)?tests?\b", re.IGNORECASE)


def is_serious(change: Change) -> bool:
    return _SERIOUS.search(title_of(change.lead).words) is not None


def by_section(changes: Iterable[Change], diffs: FromDiffs) -> dict[Section, list[Change]]:
    found: dict[Section, list[Change]] = {
        name: [] for name in ("work", "fixed", "attention", "reverts", "became", *SMALL, "shared")
    }
    for change in changes:
        found[_section(change, diffs)].append(change)
    # Somebody whose month was mostly tests, or documents, did that as their work.
    name: Section = max(SMALL, key=lambda one: len(found[one]))
    if len(found[name]) > len(found["work"]) + len(found["fixed"]):
        found["work"], found[name] = [*found["work"], *found[name]], []
    return found


def _section(change: Change, diffs: FromDiffs) -> Section:
    if change.is_shared:
        return "shared"
    if change.kind == "revert":
        return "reverts"
    if is_open(change) or change.id in diffs.off:
        return "attention"
    if was_out(change):
        return "became"
    if change.kind == "fix":
        return "fixed"
    if change.kind == "release":
        return "releases"
    places = places_of(change)
    if any(one.action == "kind" for one in change.corrections):
        return {"test": "tests", "docs": "docs", "build": "build", "ci": "build"}.get(change.kind, "work")  # type: ignore[return-value]
    if places == {"test"}:
        return "tests"
    if places == {"docs"}:
        return "docs"
    if (places and places <= {"ci", "build", "settings", "version"}) or change.kind == "ci":
        return "build"
    if change.kind in ("build", "chore") and _SWEEPS.search(title_of(change.lead).words):
        return "build"
    if change.lead.is_counted and lines_of(product_files(change.lead)) < LIGHT:
        title = title_of(change.lead).words
        return "tests" if _TESTS.search(title) else "build" if _TRIVIAL.search(title) else "work"
    return "work"
