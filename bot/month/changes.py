"""Commits → changes. Pure.

One commit is one change, and one commit that several repositories hold (a fork, a mirror, a renamed
repository) is still one.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.model import Change, Commit
from bot.month.kinds import kind_of
from bot.month.trailers import references


def changes_of(commits: Iterable[Commit]) -> tuple[Change, ...]:
    """The changes that commits make up, in order of author date, then SHA. Merges make none."""
    by_sha: dict[str, list[Commit]] = {}
    for commit in commits:
        if not commit.is_merge:
            by_sha.setdefault(commit.sha, []).append(commit)
    changes = [_change(same) for same in by_sha.values()]
    return tuple(sorted(changes, key=lambda change: (change.lead.author.seconds, change.id)))


def _change(same: list[Commit]) -> Change:
    same = sorted(same, key=lambda commit: commit.repository)
    return Change(id=same[0].sha, commits=tuple(same), kind=kind_of(same[0]), refs=references(same[0].subject))
