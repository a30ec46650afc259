"""Which of a month's changes came by one merge. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model import Change, Commit


def branches_of(changes: Sequence[Change], merges: Sequence[Commit]) -> list[list[int]]:
    """The changes that came by one merge, as far as the month's own commits lead from its second parent down."""
    owner = {(c.repository, c.sha): number for number, change in enumerate(changes) for c in change.commits}
    parents = {(c.repository, c.sha): c.parents for change in changes for c in change.commits}
    parents |= {(merge.repository, merge.sha): merge.parents for merge in merges}
    taken: set[tuple[str, str]] = set()
    found: list[list[int]] = []
    for merge in sorted(merges, key=lambda one: (one.committer.seconds, one.repository, one.sha)):
        before = _line(merge.repository, merge.parents[:1], parents)
        branch: dict[int, None] = {}
        waiting = [(merge.repository, parent) for parent in merge.parents[1:]]
        while waiting:
            key = waiting.pop()
            if key in taken or key in before or key not in parents:
                continue
            taken.add(key)
            if key in owner:
                branch[owner[key]] = None
            waiting += [(key[0], parent) for parent in parents[key]]
        found.append(sorted(branch))
    return found


def _line(
    repository: str, tips: Sequence[str], parents: Mapping[tuple[str, str], tuple[str, ...]]
) -> set[tuple[str, str]]:
    """The first parents from a commit down."""
    found: set[tuple[str, str]] = set()
    key = next(((repository, tip) for tip in tips), ("", ""))
    while key in parents and key not in found:
        found.add(key)
        key = next(((repository, parent) for parent in parents[key][:1]), ("", ""))
    return found
