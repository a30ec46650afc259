"""When commits came to a branch, and by which merge. Pure: needs no git.

The line of a branch leads from its tip by first parents, and from a merge of the main branch into another, which became
the branch when that was pushed, by the second. What is not on it came with the oldest merge of the line that leads to
it; or else when it was committed, where that is a merge of a main or a release branch. What more than three people
wrote may be such a branch's by its name alone.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Iterable
from typing import NamedTuple

from bot.model import Commit
from bot.month.mailmap import Mailmap
from storage.commit_rows import Brought

PEOPLE = 3  # above which a branch may be one that all work goes through: it came by a merge that says so otherwise
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
_INTO = re.compile(
    r"merge (?:remote-tracking )?branch ['\"](?:refs/heads/|origin/|upstream/)?(?P<main>main|master)['\"]"
    r" into ['\"]?(?P<other>[^\s'\"]+)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"merged?\s+(?:(?:in|with|from|remote|remote-tracking|branch|branches|tag|commit"
    r"|all|changes|commits|current|fixes|latest|the|updates)\s+)*"
    r"(?:(?:pull|merge) request \S+ (?:in \S+ )?from )?['\"]?(?:[^\s'\"]*[/:])?(?P<name>[^\s'\"/:]+)",
    re.IGNORECASE,
)
# What goes to the default branch from time to time, and is called by a version or so.
_OF_ALL = re.compile(
    rf"{_LINE}|.*\d\.(?:\d|x).*|alpha|beta|canary|edge|features?|integration|next|nightly|preview|rc|staging|testing|"
    r"unstable|upstream",
    re.IGNORECASE,
)


class _Merge(NamedTuple):
    """A merge of the line, with what it brought, and the names and addresses of who wrote that."""

    commit: Commit
    shas: bytearray
    authors: set[tuple[str, str]]


class Arrivals:
    """What merges brought to the `branch` that ends in `tip`, of the commits that are seen, children before their
    parents. `line` is where the branch leads from them: None if to its beginning; `count` is how many they are."""

    def __init__(self, tip: str, branch: str) -> None:
        self.line: str | None = tip
        self.count = 0
        self._branch = branch
        self._merges: list[_Merge] = []
        # Of commits to come, how many merges of the line lead up to the oldest that leads there.
        self._by: dict[str, int] = {}

    def see(self, commit: Commit) -> None:
        self.count += 1
        number, led = self._by.pop(commit.sha, 0), commit.parents
        if commit.sha == self.line:
            on = len(led) > 1 and _is_into_another(commit.subject, self._branch)
            self.line, led = led[on] if led else None, (*led[:on], *led[on + 1 :])
            if led:
                self._merges.append(_Merge(commit, bytearray(), set()))
                number = len(self._merges)
        elif number:
            merge = self._merges[number - 1]
            merge.shas.extend(unhexlify(commit.sha))
            if len(led) < 2:
                merge.authors.add((commit.author.name, commit.author.address))
        for parent in led:
            self._by[parent] = max(number, self._by.get(parent, 0))

    def brought(self, owner: str, mailmap: Mailmap) -> list[Brought]:
        """A pull request for a main branch of another's than the `owner` is of a fork, and a topic. Who is who, the
        `mailmap` says."""
        return [
            Brought(one.commit.sha, one.commit.committer.seconds, bytes(one.shas))
            for one in self._merges
            if one.shas and self._is_topic(one, owner, mailmap)
        ]

    def _is_topic(self, merge: _Merge, owner: str, mailmap: Mailmap) -> bool:
        subject = merge.commit.subject
        if _is_into_another(subject, self._branch):
            return True
        if _is_of_line(subject, owner):
            return False
        called, own = _CALLED.match(subject), self._branch.rpartition("/")[2]
        if called and called["name"] != own and not _OF_ALL.fullmatch(called["name"]):
            return True
        return _people(merge.authors, mailmap) <= PEOPLE


def _is_into_another(subject: str, branch: str) -> bool:
    """Whether a merge is of the main branch into one that is none."""
    found = _INTO.match(subject)
    return found is not None and found["other"] != branch and not _OF_ALL.fullmatch(found["other"])


def _is_of_line(subject: str, owner: str) -> bool:
    found = _OF_LINE.match(subject)
    return found is not None and (found["owner"] or owner).casefold() == owner.casefold()


def _people(authors: Iterable[tuple[str, str]], mailmap: Mailmap) -> int:
    """How many they are, if one name or one address is one person."""
    people: list[set[str]] = []
    for name, address in authors:
        one = {part.strip().casefold() for part in mailmap.mapped(name, address) if part}
        people = [one.union(*(each for each in people if each & one)), *(each for each in people if not each & one)]
    return len(people)
