"""A SHA, the beginning of one, or "#12" → the commit that is meant."""

from __future__ import annotations

import re
from typing import Protocol

from bot.errors import CommitUnknown
from bot.model import Commit
from bot.story.wording import clean, listed

SHORT = 9  # digits of a SHA that is named
MOST_NAMED = 8
_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_PULL = re.compile(r"(?P<repository>(?:[\w.-]+/)?[\w.-]+)?[#!](?P<number>\d+)")


class Index(Protocol):
    """Where commits are looked up; what the reader may not read of is not there.

    A repository may be named by the last part of its name.
    """

    def by_sha(self, beginning: str) -> list[Commit]: ...
    def by_pull(self, repository: str | None, number: int) -> list[Commit]: ...


def commits_meant(text: str, index: Index) -> list[Commit]:
    """The commit that a SHA, the beginning of one, or a "#12" means, in each repository that has it.

    Raises CommitUnknown where there is none, or more than one.
    """
    wanted = text.strip().strip("`<>?.,:").rstrip("!")
    pull = _PULL.fullmatch(wanted)
    if pull:
        found = _of_pull(pull["repository"], int(pull["number"]), index)
    elif _SHA.fullmatch(wanted):
        found = index.by_sha(wanted.lower())
    else:
        raise CommitUnknown(f"{clean(text)!r} is no commit: write the first digits of its SHA, or #12 of its subject")
    if not found:
        raise CommitUnknown(
            f"no commit {wanted} is indexed: check the digits, or run `almanac index` if it is new; only default "
            f"branches are indexed, and no open pull requests"
        )
    each: dict[str, Commit] = {}
    for one in found:
        each.setdefault(one.sha, one)
    if len(each) > 1:
        every = list(each.values())
        some = [f"{one.sha[:SHORT]} ({clean(one.repository)}: {clean(one.subject)[:50]})" for one in every]
        more = "write more digits"
        if pull:
            repositories = [clean(one.repository) for one in every]
            is_one_each = len(set(repositories)) == len(repositories)
            names = [f"{name}#{pull['number']}" for name in repositories[:MOST_NAMED]]
            more = f"write {listed(names, 'or')}" if is_one_each else "write the SHA"
        raise CommitUnknown(f"{wanted} may be {listed(some[:MOST_NAMED], 'or')}: {more}")
    return sorted(index.by_sha(found[0].sha), key=lambda one: one.repository)


def _of_pull(repository: str | None, number: int, index: Index) -> list[Commit]:
    """The commits of a pull request, of each repository that has one of that number if none is named."""
    found = index.by_pull(repository, number)
    own: list[Commit] = []  # exports to other repositories name it too
    for name in dict.fromkeys(one.repository for one in found):
        if repository is None or repository.casefold() in (name.casefold(), name.casefold().rpartition("/")[2]):
            own += [one for one in index.by_pull(name, number) if one.repository == name]
    return own or found
