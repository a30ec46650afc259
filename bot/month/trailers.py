"""What a commit message says in the forms that tools read. Pure."""

from __future__ import annotations

import re

# "Fix the cache (#123)": the number a forge appends when it squashes. Some histories carry two.
_APPENDED = re.compile(r"(?:\s*\((?:[\w.-]+/[\w.-]+)?#\d+\))+\s*$")
_NUMBER = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d+")
_MERGED = re.compile(r"Merge pull request (#\d+) ")

_BRANCH = re.compile(
    r"Merge (?:pull request #\d+ from (?P<pull>\S+)|(?:remote-tracking )?branch '(?P<branch>[^']+)')", re.IGNORECASE
)


def references(subject: str) -> tuple[str, ...]:
    """The pull requests a subject names as its own, as written: ("#123",), ("acme/engine#7",)."""
    if merged := _MERGED.match(subject):
        return (merged[1],)
    appended = _APPENDED.search(subject)
    return tuple(dict.fromkeys(_NUMBER.findall(appended[0]))) if appended else ()


def without_references(subject: str) -> str:
    """The subject without the numbers a forge appended. One that is nothing else stays as it is."""
    return _APPENDED.sub("", subject).strip() or subject


def merged_branch(subject: str) -> str | None:
    """The branch that a merge names: "ada/chunks" of "Merge pull request #12 from ada/chunks"."""
    named = _BRANCH.match(subject)
    return (named["pull"] or named["branch"]) if named else None
