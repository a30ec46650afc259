"""What is said of changes of which nothing may be shown: how many there are, never which. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ask.month_material import Material
from bot.model import Commit
from bot.story.wording import count

UNSHOWN = "Changes of people who asked not to be shown are left out."


def omissions(material: Material) -> list[str]:
    """Notes on what a material lacks, since it is not for the reader."""
    return [*([] if material.is_whole else [UNSHOWN]), *left_out(material.left_out)]


def left_out(commits: Sequence[Commit]) -> list[str]:
    """What is said of changes in repositories that may not be shown here."""
    changes = {commit.sha for commit in commits if not commit.is_merge}
    if not changes:
        return []
    are = "is" if len(changes) == 1 else "are"
    return [f"{count(len(changes), 'change')} in repositories that are not for this channel {are} left out."]
