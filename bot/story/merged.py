"""The merges of a month: told beside its changes, which the merged commits are. Pure."""

from __future__ import annotations

from bot.model import Commit, Item, MonthFacts
from bot.month.trailers import merged_branch, references
from bot.story.wording import clean, count, listed, plain_title, shortened

MOST_BRANCHES = 3  # that are named


def merges(facts: MonthFacts) -> list[Item]:
    """The merges, an item for each repository. One that several hold is told in the first."""
    by_sha: dict[str, Commit] = {}
    for merge in sorted(facts.merges, key=lambda merge: merge.repository):
        by_sha.setdefault(merge.sha, merge)
    found = []
    for repository in sorted({merge.repository for merge in by_sha.values()}):
        own = [m for m in facts.merges if m.repository == repository and by_sha[m.sha] is m]
        found.append(
            Item(
                title=_merged(own),
                sentences=(),
                kind="chore",
                state="landed",
                repository=repository,
                refs=tuple(dict.fromkeys(ref for merge in own for ref in references(merge.subject))),
                evidence=tuple(merge.sha for merge in own),
            )
        )
    return found


def _merged(own: list[Commit]) -> str:
    """Which branches were merged, or how many where not all of them can be named."""
    named = [branch for merge in own if (branch := merged_branch(clean(merge.subject)))]
    if len(named) == len(own) <= MOST_BRANCHES:
        return shortened(f"Merged {listed(list(dict.fromkeys(named)))}")
    return plain_title(own[0].subject) if len(own) == 1 else f"Merged {count(len(own), 'branch', 'branches')}"
