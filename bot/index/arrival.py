"""When commits came to a branch, and by which topic merge. Pure: needs no git.

The line of a branch leads from its tip by first parents. What is not on it was brought by the oldest merge of the line
that leads to it. A topic merge brings changes of at most three people, and is none of a main or a release branch.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.index.gitlog import LogParser
from bot.month.mailmap import Mailmap
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


class _Merge(NamedTuple):
    """A merge of the line, with what it brought, and the names and addresses of who wrote that."""

    sha: bytes
    date: bytes
    subject: bytes
    shas: bytearray
    authors: set[tuple[bytes, ...]]


def arrivals(
    commits: Iterable[Sequence[bytes]], tip: str, owner: str, mailmap: Mailmap
) -> tuple[list[Brought], str | None, int]:
    """What topic merges brought of a log's commits, which come before their parents; where the line leads from them:
    None if to its beginning; and how many they are. Each is given by the fields of ARRIVAL_OPTIONS.

    A pull request for a main branch of another's than the `owner` is of a fork, and a topic. Who is who, the `mailmap`
    says.
    """
    line: bytes | None = tip.encode()
    merges: list[_Merge] = []
    count = 0
    by: dict[bytes, int] = {}  # of commits to come, how many merges of the line lead up to the oldest that leads there
    for count, (sha, parents, *author, date, subject) in enumerate(commits, 1):  # noqa: B007
        number, led = by.pop(sha, 0), parents.split()
        if sha == line:
            line, led = led[0] if led else None, led[1:]
            if led:
                merges.append(_Merge(sha, date, subject, bytearray(), set()))
                number = len(merges)
        elif number:
            merges[number - 1].shas.extend(unhexlify(sha))
            if len(led) < 2:
                merges[number - 1].authors.add(tuple(author))
        for parent in led:
            by[parent] = max(number, by.get(parent, 0))
    return (
        [
            Brought(one.sha.decode(), LogParser("").signature([b"", b"", one.date]).seconds, bytes(one.shas))
            for one in merges
            if one.shas
            and not _is_of_line(one.subject.decode(errors="replace"), owner)
            and _people(one.authors, mailmap) <= PEOPLE
        ],
        line.decode() if line else None,
        count,
    )


def _is_of_line(subject: str, owner: str) -> bool:
    found = _OF_LINE.match(subject)
    return found is not None and (found["owner"] or owner).casefold() == owner.casefold()


def _people(authors: Iterable[tuple[bytes, ...]], mailmap: Mailmap) -> int:
    """How many they are, if one name or one address is one person."""
    people: list[set[str]] = []
    for author in authors:
        name, address = (part.decode(errors="replace") for part in author)
        one = {part.strip().casefold() for part in mailmap.mapped(name, address) if part}
        people = [one.union(*(each for each in people if each & one)), *(each for each in people if not each & one)]
    return len(people)
