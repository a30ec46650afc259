"""A history that can be read, wherever it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.index.git import GitAt, GitFailed


@dataclass(frozen=True, slots=True)
class Source:
    """The newest commit of the default branch, and git in the repository's folder."""

    git: GitAt
    tip: str
    web: str | None
    edge: frozenset[str] = frozenset()  # commits of a shallow clone whose parents are missing
    advice: str = ""  # what to do if git cannot read all of it
    has_contents: bool = True  # without the contents of files their lines cannot be counted
    tags: Mapping[str, str] = field(
        default_factory=dict
    )  # what each stands for, as `bot.index.tags.tag_objects` has it
    branch: str = ""  # by the name that people know

    def has(self, sha: str) -> bool:
        try:
            self.git.text("cat-file", "-e", f"{sha}^{{commit}}")
        except GitFailed:
            return False
        return True
