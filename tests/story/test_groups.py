"""Changes stand together under the tag or prefix that their authors filed them under."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawn import histories
from hypothesis import given
from values import ADA, commit

from bot.model import Change, Commit
from bot.month.changes import changes_of
from bot.story.groups import groups_of


def changes(*commits: Commit) -> list[Change]:
    return [Change(one.sha, (one,), "feature") for one in commits]


def told(commits: Sequence[Commit]) -> list[tuple[str, list[str]]]:
    return [(one.label, [change.lead.subject for change in one.changes]) for one in groups_of(changes(*commits))]


def test_a_tag_of_several_is_their_label() -> None:
    one, two = commit("[mesh_admin] Show ids"), commit("mesh admin: hide names", at="2025-10-20 12:00")
    alone = commit("[parser] Read the last line", at="2025-10-02 12:00")
    assert told([one, two, alone]) == [
        ("", [alone.subject]),
        ("mesh admin", [one.subject, two.subject]),
    ]


def test_a_label_that_says_nothing_ties_nothing() -> None:
    some = [
        commit(title, at=f"2025-10-0{day} 12:00") for day, title in enumerate(["[fix] a lamp", "[fix] the bell"], 1)
    ]
    assert [label for label, _ in told(some)] == ["", ""]


@pytest.mark.parametrize(
    "titles",
    [
        [f"Light {'x_' * 200}", f"Ring {'x_' * 200}"],
        [f"{'w' * 400}: lamps", f"{'w' * 400}: bells"],  # a prefix
        ["Light a lamp", "Ring the bell", f"feat: {'x' * 900}", f"feat: {'x' * 900}"],
    ],
)
def test_what_is_too_long_to_be_read_is_no_label(titles: list[str]) -> None:
    some = [commit(f"{title} (#{n})", at="2025-10-01 12:00", paths=["src/a.py"]) for n, title in enumerate(titles)]
    assert [label for label, _ in told(some)] == [""] * len(titles)


@pytest.mark.parametrize(
    "titles",
    [
        ("Python `GroupedTensor`", "NVFP4 quantization for `GroupedTensor`"),
        ("NIC autodetection by distance", "Lazy init of NIC autodetection"),
        ("Add a supervisable trait", "Rust supervisable wrapper"),
    ],
)
def test_words_of_titles_are_no_label(titles: tuple[str, str]) -> None:
    """Nor is what landed in one second on one file."""
    assert told([commit(title, paths=["src/a.rs"]) for title in titles]) == [("", [title]) for title in sorted(titles)]


def test_of_two_labels_that_of_most_changes_heads_them() -> None:
    some = [commit(f"[rdma] host: part {n}", at=f"2025-10-0{n} 12:00") for n in (1, 2)]
    some += [commit(f"[rdma] {word}", at=f"2025-10-0{n} 12:00") for n, word in enumerate(("Open", "Close"), 3)]
    rest = [commit(f"Keep {word}", at="2025-10-09 12:00") for word in ("a", "b")]
    assert told([*some, *rest])[0] == ("rdma", [one.subject for one in some])


@given(histories())
def test_every_change_is_in_exactly_one_group_and_labels_stand_before_titles(commits: list[Commit]) -> None:
    every = changes_of([one for one in commits if one.author.name == ADA.name])
    groups = groups_of(every)
    assert sorted(change.id for group in groups for change in group.changes) == sorted(change.id for change in every)
    for group in groups:
        assert not group.label or (len(group.changes) > 1 and group.label in group.changes[0].lead.subject)
