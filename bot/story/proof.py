"""The checker: nothing is said that its commits do not hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from bot.model import Commit, Item, MonthFacts

_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
_REFERENCE = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d+|\bD\d{5,}\b")
_NUMBER = re.compile(r"\d[\d.,]*")


def faults(text: str, evidence: Iterable[str], facts: MonthFacts) -> list[str]:
    """What in a sentence is not borne out by the commits it rests on; empty if all of it is.

    Each SHA, pull request, Phabricator number and plain number in the text must stand in one of the
    commits, and each commit must be one of the month's.
    """
    known = {commit.sha: commit for commit in facts.commits}
    shas = tuple(evidence)
    found = [f"{sha} is no commit of the month" for sha in shas if sha not in known]
    if not shas:
        found.append("rests on no commit")
    words = "\n".join(_written(known[sha]) for sha in shas if sha in known)
    for pattern in (_SHA, _REFERENCE, _NUMBER):
        found += [
            f"{said!r} is in none of its commits" for said in pattern.findall(text) if said.strip(".,") not in words
        ]
    return found


def proved(item: Item, facts: MonthFacts) -> Item:
    """The item, or its plain form, a title and no more, where its sentence does not hold."""
    return replace(item, text="") if item.text and faults(item.text, item.evidence, facts) else item


def _written(commit: Commit) -> str:
    return f"{commit.sha}\n{commit.subject}\n{commit.body}"
