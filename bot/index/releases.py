"""What a release holds: which commits are reachable from where, as git knows it of a mirror or of a repository here.

The index itself holds the default branch alone, and releases are often made on branches of their own.
"""

from __future__ import annotations

from bot.index.git import GitAt
from bot.index.tags import TAGS

SECONDS = 10.0  # an answer's patience with one look into a long history


def tags_with(git: GitAt, sha: str) -> set[str]:
    """The tags that hold a commit. Raises GitFailed, also where it takes too long."""
    names = git.text("for-each-ref", "--format=%(refname)", f"--contains={sha}", TAGS, seconds=SECONDS).split("\n")
    return {name.removeprefix(TAGS) for name in names if name}


def commits_between(git: GitAt, sha: str, before: str | None, most: int) -> list[str]:
    """The commits that are reachable from one and not from another, the newest of them. Raises GitFailed, also where it
    takes too long."""
    but = [f"^{before}"] if before else []
    return git.text("rev-list", f"--max-count={most}", sha, *but, "--", seconds=SECONDS).split()
