"""A revert that does not say what it undoes takes out what it is the contrary of, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from values import GRACE, WEB, another_commit, changed

from bot.model import Change, Commit
from bot.month.changes import month_changes
from bot.month.histories import histories_of

END = datetime(2025, 11, 1, tzinfo=UTC)
CUT = another_commit(
    "Cut the pipeline", at="2025-10-03 09:00", paths=[changed("a.py", 31, 339), changed("b.py", 0, 56)]
)
FUSE = another_commit("Fuse the steps", at="2025-10-03 10:00", paths=[changed("a.py", 106, 145)])
BEFORE = another_commit("Begin it", at="2025-10-01 10:00", paths=[changed("a.py", 700, 0), changed("b.py", 90, 0)])
OUT = another_commit(
    "Revert accidental push of the pipeline PRs",
    at="2025-10-04 10:00",
    body="They were not ready yet",
    paths=[changed("a.py", 420, 73), changed("b.py", 56, 0)],
)
ONE_OUT = another_commit("Revert the last one", at="2025-10-04 10:00", paths=[changed("a.py", 145, 106)])


def told(*commits: Commit, until: datetime | None = END) -> dict[str, tuple[str, str | None]]:
    """The state of each change, and what took it out."""
    changes = month_changes(commits, histories_of(commits), until)
    return {one.lead.subject: (one.state, one.reverted_in) for one in changes}


def test_the_last_changes_are_out_that_are_together_the_contrary_of_the_revert() -> None:
    assert told(BEFORE, CUT, FUSE, OUT) == {
        "Begin it": ("landed", None),
        "Cut the pipeline": ("backed_out", OUT.sha),
        "Fuse the steps": ("backed_out", OUT.sha),
        OUT.subject: ("landed", None),
    }


def test_one_change_is_out_where_all_its_lines_are() -> None:
    assert told(CUT, FUSE, ONE_OUT)["Fuse the steps"] == ("backed_out", ONE_OUT.sha)


def test_it_says_by_what_it_is_known() -> None:
    commits = (CUT, FUSE, OUT)
    first: Change = month_changes(commits, histories_of(commits), END)[0]
    assert first.out and (first.out.found_by, first.out.by, first.out.does) == ("lines", "Ada Lovelace", "reverts")


@pytest.mark.parametrize(
    "revert",
    [
        replace(OUT, subject="Restore what the pipeline had"),
        replace(OUT, files=(changed("a.py", 420, 73),)),
        replace(OUT, files=(changed("a.py", 421, 73), changed("b.py", 56, 0))),
        replace(OUT, files=(*OUT.files, changed("c.py", 1, 0))),
        replace(OUT, is_counted=False),
        replace(OUT, repository=WEB),
        replace(ONE_OUT, files=(changed("a.py", 144, 105),)),
        another_commit("Revert a setting", at="2025-10-04 10:00", paths=[changed("a.py", 4, 4)]),
        another_commit(OUT.subject, at="2025-10-02 10:00", paths=list(OUT.files)),
        another_commit(OUT.subject, at="2025-11-02 10:00", paths=list(OUT.files)),
    ],
    ids=[
        "no word of a revert",
        "a file less",
        "a line more",
        "a file more",
        "lines not counted",
        "another repository",
        "as long again by other lines",
        "no longer and no shorter",
        "before them",
        "after the month",
    ],
)
def test_what_is_not_the_contrary_takes_nothing_out(revert: Commit) -> None:
    same_length = another_commit("Set it", at="2025-10-03 12:00", paths=[changed("a.py", 5, 5)])
    assert {state for state, _ in told(CUT, FUSE, revert).values()} == {"landed"}
    assert {state for state, _ in told(same_length, revert).values()} == {"landed"}


def test_a_revert_that_names_what_it_undoes_takes_out_nothing_else() -> None:
    other = another_commit("Tidy", author=GRACE, at="2025-10-02 10:00", paths=[changed("a.py", 106, 145)])
    named = replace(ONE_OUT, subject='Revert "Tidy"', body=f"This reverts commit {other.sha}.")
    commits = [CUT, FUSE, other, named]
    changes = month_changes([CUT, FUSE, named], histories_of(commits), END)
    assert {one.lead.subject: one.state for one in changes} == {
        "Cut the pipeline": "landed",
        "Fuse the steps": "landed",
        named.subject: "landed",
    }
