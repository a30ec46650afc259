"""How much a change weighs beside others of its month: its changed lines of the product. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model import Change, Commit, FileChange
from bot.month.areas import is_of_product
from bot.month.kind_words import place_of

MOST_LINES = 1_000  # of one change that count: a copied tree or a generated file must not lead a month
SWEPT_FILES, SWEPT_LINES = 40, 20  # files of a change, with fewer lines each: a formatter, or a rename everywhere


def lines_of(files: Iterable[FileChange]) -> int:
    return sum((file.additions or 0) + (file.deletions or 0) for file in files)


def product_files(commit: Commit) -> list[FileChange]:
    return [file for file in commit.files if is_of_product(file.path)]


def weight_of(change: Change) -> int:
    """The changed lines of the product, at most MOST_LINES; none of what was reverted, reverts or only sweeps."""
    if change.state == "backed_out" or change.kind == "revert":
        return 0
    files = product_files(change.lead)
    lines = lines_of(files)
    if len(files) >= SWEPT_FILES and lines < SWEPT_LINES * len(files):
        return 0
    return min(lines, MOST_LINES)


def places_of(change: Change) -> frozenset[str]:
    """Where the files of a change belong: "source", "test", "docs", "ci", "build", "settings", "version"."""
    return frozenset(place_of(file.path) for file in change.lead.files)
