"""One written order of equals: by weight, day and title, never by what a rebase changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from drawn import histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed, sha_of

from bot.model import Commit
from bot.month.calendar import Month
from bot.month.credits import BOTS
from bot.month.facts import FactsContext
from bot.story.digest import month_digest
from bot.story.render import Templates

TEMPLATES = Templates()
REPOSITORIES = (ENGINE, WEB)
_HEX = re.compile(r"\b[0-9a-f]{7,40}\b")


def posted(commits: Sequence[Commit]) -> str:
    """A team's October with each person's month, in text."""
    context = FactsContext(UTC_ZONE, [indexed(name) for name in REPOSITORIES], INDEXED)
    return TEMPLATES.month("text", month_digest("team", Month(2025, 10), [ADA, GRACE], commits, context, BOTS).document)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with other SHAs, also where only the first digits stand."""

    def other(found: re.Match[str]) -> str:
        whole = next((sha for sha in names if sha.startswith(found[0])), None)
        return names[whole][: len(found[0])] if whole else found[0]

    return _HEX.sub(other, text)


def rebased(commits: Sequence[Commit], names: Mapping[str, str]) -> list[Commit]:
    return [
        replace(
            one,
            sha=names[one.sha],
            parents=tuple(names.get(parent, parent) for parent in one.parents),
            subject=renamed(one.subject, names),
            body=renamed(one.body, names),
        )
        for one in commits
    ]


@given(histories(days=st.integers(0, 4)), st.integers())
def test_a_rebase_that_changes_nothing_else_changes_no_post(commits: list[Commit], salt: int) -> None:
    commits = list({one.written[:-1]: one for one in commits}.values())  # the others are alike in all but their SHA
    names = {one.sha: sha_of((one.sha, salt)) for one in commits}
    assert posted(rebased(commits, names)) == renamed(posted(commits), names)


def test_of_equals_those_are_chosen_whose_titles_come_first() -> None:
    """More of one weight and second than there is room for, under whatever SHAs."""
    work = [commit(f"Widen part {n:02} of {n:02}", sha=sha_of(n), paths=[f"src/{n}.py"]) for n in range(60)]
    titles = sorted(set(re.findall(r"- (Widen part \d\d)", posted(work))))
    assert len(titles) < 60
    assert titles == [f"Widen part {n:02}" for n in range(len(titles))]
