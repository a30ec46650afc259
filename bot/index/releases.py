"""What a release holds: which commits are reachable from where, as git knows it of a mirror or of a repository here.

The index itself holds the default branch alone, and releases are often made on branches of their own.
"""

from __future__ import annotations

from bot.index.git import GitAt
from bot.index.tags import TAGS

SECONDS = 10.0  # an answer's patience with one look into a long history


def tags_before(git: GitAt, sha: str) -> set[str]:
    """The tags that are on the way to a commit, or name it. Raises GitFailed, also where it takes too long."""
    return _tags(git, f"--merged={sha}")


def tags_with(git: GitAt, sha: str) -> set[str]:
    """The tags that hold a commit. Raises GitFailed, also where it takes too long."""
    return _tags(git, f"--contains={sha}")


def commits_between(git: GitAt, sha: str, before: str | None, most: int) -> list[str]:
    """The commits that are reachable from one and not from another, the newest of them. Raises GitFailed, also where it
    takes too long."""
    but = [f"^{before}"] if before else []
    return git.text("rev-list", f"--max-count={most}", sha, *but, "--", seconds=SECONDS).split()


def _tags(git: GitAt, which: str) -> set[str]:
    names = git.text("for-each-ref", "--format=%(refname)", which, TAGS, seconds=SECONDS).split("\n")
    return {name.removeprefix(TAGS) for name in names if name}
