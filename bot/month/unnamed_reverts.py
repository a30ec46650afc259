"""Reverts that name nothing: "Revert accidental push of the cache PRs". What they undo is known by its lines. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.model import Change, Commit, RevertEvent
from bot.month.links import order_of
from bot.month.names import Names

MOST = 12  # changes that one such revert may undo
FEWEST_LINES = 5  # that it has to touch, for their number to tell anything

Lines = dict[str, tuple[int, int]]  # by path: how many were added, and how many removed


def with_unnamed_reverts(
    changes: Sequence[Change], linked: Container[str], until: datetime | None, names: Names
) -> list[Change]:
    """The changes, with those backed out that a revert of the same person undoes without a word on which they are.

    Somebody's last changes of the very files of the revert, one after the other, are reverted where together they did
    to each file the contrary of what the revert does, in lines. This says nothing where lines are not counted, nor of
    what was made in another month. `linked` are the SHAs of the reverts of which more is known.
    """
    found = list(changes)
    unnamed = [
        one
        for one in changes
        if one.kind == "revert" and one.state == "landed" and one.lead.is_counted and one.lead.sha not in linked
    ]
    for revert in sorted(unnamed, key=lambda one: order_of(one.lead)):
        if until is not None and revert.lead.came >= until:
            continue
        undone = {change.id for change in _undone(revert.lead, found)}
        turn = RevertEvent("reverts", revert.lead, "lines", by=names(revert.lead))
        found = [replace(one, state="backed_out", out=turn) if one.id in undone else one for one in found]
    return found


def _undone(revert: Commit, changes: Iterable[Change]) -> list[Change]:
    """The last changes before a revert that are the contrary of it; none where there are no such."""
    wanted = _lines([revert])
    before = [
        change
        for change in changes
        if change.kind != "revert"
        and change.state in ("landed", "relanded")
        and not change.is_shared
        and change.lead.repository == revert.repository
        and _when(change.commits[-1]) < _when(revert)
        and any(file.path in wanted for one in change.commits for file in one.files)
    ]
    before.sort(key=lambda change: order_of(change.lead), reverse=True)
    for number in range(1, min(len(before), MOST) + 1):
        commits = [one for change in before[:number] for one in change.commits if one.repository == revert.repository]
        if _is_contrary(wanted, _lines(commits), alone=len(commits) == 1):
            return before[:number] if all(one.is_counted for one in commits) else []
    return []


def _is_contrary(undoing: Lines, done: Lines, *, alone: bool) -> bool:
    """Whether each file is as long again as it was. What several commits did to the same lines counts more than once,
    and the revert only once; of a single one, all lines have to be the contrary."""
    if undoing.keys() != done.keys() or all(added == removed for added, removed in undoing.values()):
        return False
    for path, (added, removed) in undoing.items():
        more, less = done[path]
        if added - removed != less - more or added > less or removed > more or (alone and added != less):
            return False
    return sum(added + removed for added, removed in undoing.values()) >= FEWEST_LINES


def _lines(commits: Iterable[Commit]) -> Lines:
    added, removed = Counter[str](), Counter[str]()
    for file in (file for commit in commits for file in commit.files):
        added[file.path] += file.additions or 0
        removed[file.path] += file.deletions or 0
    return {path: (added[path], removed[path]) for path in added}


def _when(commit: Commit) -> tuple[int, int]:
    return commit.committer.seconds, commit.author.seconds
