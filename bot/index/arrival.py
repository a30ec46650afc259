"""When commits came to a branch, and by which topic merge. Pure: needs no git.

The line of a branch leads from its tip by first parents. What is not on it was brought by the oldest merge of the line
that leads to it. A topic merge brings changes of at most three people, and is none of a main or a release branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storage.commit_rows import Brought

PEOPLE = 3  # whose changes a topic has at most
_LINE = (
    r"(?:(?:refs|heads|remotes|origin|upstream)/)*(?:main|master|dev|develop|trunk"
    r"|(?:releases?|rel|maint|stable)(?:[-/_.]?v?\d[^\s'\"]*)?|v?\d+(?:\.(?:\d+|x))+(?:-?rc\d*)?|v\d+)"
)
_OF_LINE = re.compile(
    r"merged?\s+(?:(?:in|with|from|remote-tracking|branch|branches|tag|commit)\s+)*"
    r"(?:(?:pull|merge) request \S+ (?:in \S+ )?from (?:(?P<owner>[^\s/:]+)[/:])?)?"
    # Of several, all are in quotation marks; a word without them is a branch where nothing else is said of it.
    rf"(?:(?:'[^']*',? (?:and )?)*'{_LINE}'|\"{_LINE}\"|{_LINE}(?=\s*$|\s+(?:into|to|branch|of)\s|\s+\())",
    re.IGNORECASE,
)


class Seen(NamedTuple):
    """A commit as far as it matters here: its author's name and address, and in seconds when it was committed."""

    sha: str
    parents: Sequence[str]
    author: tuple[str, str]
    at: int
    subject: str


def arrivals(commits: Iterable[Seen], tip: str, owner: str) -> tuple[list[Brought], str | None]:
    """What topic merges brought of the commits, which come before their parents, and where the line leads from them:
    None if to its beginning. A pull request for a main branch of another's than the `owner` is of a fork, and a topic.
    """
    line: str | None = tip
    merges: list[tuple[Seen, bytearray, set[tuple[str, str]]]] = []
    by: dict[str, int] = {}  # of commits to come, how many merges of the line lead up to the oldest that leads to them
    for one in commits:
        number, led = by.pop(one.sha, 0), one.parents
        if one.sha == line:
            line, led = led[0] if led else None, led[1:]
            if led:
                merges.append((one, bytearray(), set()))
                number = len(merges)
        elif number:
            merges[number - 1][1].extend(bytes.fromhex(one.sha))
            if len(led) < 2:
                merges[number - 1][2].add(one.author)
        for parent in led:
            by[parent] = max(number, by.get(parent, 0))
    topics = (one for one in merges if one[1] and not _is_of_line(one[0].subject, owner) and _people(one[2]) <= PEOPLE)
    return [Brought(merge.sha, merge.at, bytes(shas)) for merge, shas, _ in topics], line


def _is_of_line(subject: str, owner: str) -> bool:
    found = _OF_LINE.match(subject)
    return found is not None and (found["owner"] or owner).casefold() == owner.casefold()


def _people(authors: Iterable[tuple[str, str]]) -> int:
    """How many they are, if one name or one address is one person."""
    people: list[set[str]] = []
    for author in authors:
        one = {part.casefold() for part in author if part}
        same = [each for each in people if each & one]
        people = [one.union(*same), *(each for each in people if not each & one)]
    return len(people)
