"""What takes a topic merge back takes back each change that it brought, in the words of git and of forges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, everything, index

from bot.month.histories import by_commit, histories_of, month_changes
from storage import Store

GITS = "This reverts commit {merge}, reversing\nchanges made to {main}."


def _side(folder: Path) -> None:
    made = GitRepo(folder / "acme" / "engine")
    made.commit("Begin", at="2025-09-01 10:00 +0000")
    made.checkout("side", new=True)
    made.commit("Draw wrecks", author=ADA, files={"a.py": "a\n" * 9, "b.py": "b\n" * 90}, at="2025-10-02 10:00 +0000")
    made.commit("Draw them in red", author=GRACE, files={"a.py": "b\n" * 9}, at="2025-10-02 11:00 +0000")
    made.commit("Drop what is not drawn", author=ADA, files={"b.py": None}, at="2025-10-02 12:00 +0000")
    made.checkout("main")
    made.commit("Tidy the config", files={"c.py": "c"}, at="2025-10-02 13:00 +0000")


@pytest.fixture
def repo(copy: Copy, tmp_path: Path) -> GitRepo:
    """A branch of two people's, not merged yet, beside a commit of the main branch."""
    copy(_side)
    return GitRepo(tmp_path / "acme" / "engine")


def revert(repo: GitRepo, message: str, day: int, *options: str) -> str:
    """The commit that takes the newest one back, made by git and called so."""
    repo.git("revert", "--no-commit", *options, "HEAD")
    subject, _, body = message.partition("\n\n")
    return repo.commit(subject, body=body, at=f"2025-10-{day:02} 10:00 +0000", author=GRACE)


def states(store: Store, repo: GitRepo) -> dict[str, str]:
    """What each change is today, told from what is related to it alone, which is as it is told from all."""
    index(store, repo)
    found: dict[str, str] = {}
    for one in (every := everything(store)):
        related = by_commit(histories_of(*store.commits.related([one])))
        changes = month_changes([one], related, None)
        assert changes == month_changes([one], histories_of(every), None)
        found |= {change.lead.subject: change.state for change in changes if change.lead.subject in expected("")}
    return found


def expected(state: str) -> dict[str, str]:
    topic: Sequence[str] = ("Draw wrecks", "Draw them in red", "Drop what is not drawn")
    return {**dict.fromkeys(topic, state), "Begin": "landed", "Tidy the config": "landed"}


@pytest.mark.sqlite  # the test below has both engines find what is related
@pytest.mark.parametrize(
    ("merge", "out"),
    [
        ("Merge branch 'side'", f"Revert \"Merge branch 'side'\"\n\n{GITS}"),
        ("Merge pull request #20 from sea/side", f'Revert "Merge pull request #20 from sea/side"\n\n{GITS}'),
        ("Merge branch 'side'", "Take the wrecks out\n\nThis reverts commit {merge}."),
        ("Merge branch 'side'", "Revert the wrecks\n\nThis reverts commit {short}."),
        # GitHub; GitLab; Bitbucket, in the cloud and on a server; Azure DevOps; Gitea
        ("Merge pull request #20 from sea/side\n\nDraw wrecks", 'Revert "Draw wrecks" (#21)\n\nReverts acme/engine#20'),
        (
            "Merge branch 'side' into 'main'\n\nDraw wrecks\n\nSee merge request acme/engine!12",
            "Revert \"Merge branch 'side' into 'main'\"\n\nThis reverts merge request !12",
        ),
        (
            "Merged in side (pull request #12)\n\nDraw wrecks",
            'Revert "Draw wrecks (pull request #12)"\n\nThis reverts pull request #12.',
        ),
        (
            "Pull request #12: Draw wrecks\n\nMerge in SEA/engine from side to main",
            'Revert "Pull request #12: Draw wrecks"\n\nThis reverts pull request #12.',
        ),
        ("Merged PR 103: Draw wrecks", 'Revert "Merged PR 103: Draw wrecks"\n\nReverted commit `{merge}`.'),
        ("Merged PR 103: Draw wrecks", 'Revert "Draw wrecks"\n\nReverts !103'),
        ("Merge pull request 'Draw wrecks' (#12) from sea/side into main", f'Revert "Draw wrecks (#12)"\n\n{GITS}'),
    ],
)  # fmt: skip
def test_what_takes_a_merge_back_takes_back_what_it_brought(repo: GitRepo, store: Store, merge: str, out: str) -> None:
    main = repo.tip
    merged = repo.merge("side", merge, at="2025-10-03 10:00 +0000")
    assert states(store, repo) == expected("landed")
    taken = revert(repo, out.format(merge=merged, short=merged[:9], main=main), 8, "-m", "1")
    assert states(store, repo) == expected("backed_out")
    revert(repo, f'Revert "{out.partition(chr(10))[0]}"\n\nThis reverts commit {taken}.', 9)
    assert states(store, repo) == expected("relanded")


def test_a_month_ends_with_what_was_on_the_branch_then(repo: GitRepo, store: Store) -> None:
    """A revert that was written in October and merged in November took nothing back in October."""
    merged = repo.merge("side", "Merge branch 'side'", at="2025-10-03 10:00 +0000")
    repo.checkout("out", new=True)
    taken = revert(repo, f"Revert \"Merge branch 'side'\"\n\nThis reverts commit {merged}.", 30, "-m", "1")
    repo.checkout("main")
    repo.merge("out", "Merge branch 'out'", at="2025-11-04 10:00 +0000")
    index(store, repo)
    november, december = (datetime(2025, month, 1, tzinfo=UTC) for month in (11, 12))
    [work] = [one for one in everything(store) if one.subject == "Draw wrecks"]
    histories = histories_of(store.commits.related([work]).commits)
    [then], [after] = (month_changes([work], histories, until) for until in (november, december))
    assert (then.state, [event.commit.sha for event in then.later], after.state) == ("landed", [taken], "backed_out")
