"""Changes stand together where it is sure that they belong together, and under what they share."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawn import histories
from hypothesis import given
from values import ADA, changed, commit

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
        [f"Light {'x_' * 200}", f"Ring {'x_' * 200}"],  # which an identifier ties
        [f"{'w' * 400}: lamps", f"{'w' * 400}: bells"],  # a prefix
        ["Light a lamp", "Ring the bell", f"feat: {'x' * 900}", f"feat: {'x' * 900}"],  # the second they landed in
    ],
)
def test_what_is_too_long_to_be_read_is_no_label(titles: list[str]) -> None:
    some = [commit(f"{title} (#{n})", at="2025-10-01 12:00", paths=["src/a.py"]) for n, title in enumerate(titles)]
    assert [label for label, _ in told(some)] == [""] * len(titles)


def test_an_identifier_ties_within_the_month() -> None:
    some = [commit("Python `GroupedTensor`"), commit("NVFP4 quantization for `GroupedTensor`", at="2025-10-25 12:00")]
    assert told(some) == [("`GroupedTensor`", [one.subject for one in some])]


def test_two_words_in_a_row_tie_for_some_days_only() -> None:
    near = [commit("NIC autodetection by distance"), commit("Lazy init of NIC autodetection", at="2025-10-04 12:00")]
    far = [near[0], commit("Lazy init of NIC autodetection", at="2025-10-29 12:00")]
    assert told(near)[0][0] == "NIC autodetection"
    assert [label for label, _ in told(far)] == ["", ""]


def test_what_landed_in_one_second_needs_a_file_or_a_word_in_common() -> None:
    stack = [
        commit("Add a supervisable trait", paths=[changed("src/endpoint.rs", 50)]),
        commit("Rust supervisable wrapper", paths=[changed("src/endpoint.rs", 70)]),
        commit("Update defaults", paths=[changed("src/other.rs", 4)]),
    ]
    assert sorted((label, len(titles)) for label, titles in told(stack)) == [("", 1), ("supervisable", 2)]


def test_a_stack_whose_titles_share_nothing_is_told_as_single_titles() -> None:
    """The name of a file that both touch says nothing of either."""
    stack = [
        commit("Clean up dead futures", paths=[changed("src/actor_mesh.rs", 50)]),
        commit("Context and Instance APIs", paths=[changed("src/actor_mesh.rs", 70)]),
    ]
    assert sorted(told(stack)) == sorted([("", [stack[0].subject]), ("", [stack[1].subject])])


def test_a_stack_that_says_so_belongs_together() -> None:
    body = "Stack from ghstack:\n* #2\n* #1\n\nx"
    one = commit("Add plan trait (#1)", body=body, at="2025-10-01 12:00", paths=[changed("src/plan.rs", 9)])
    two = commit("Use the plan (#2)", body=body, at="2025-10-09 12:00", paths=[changed("src/plan.rs", 9)])
    assert told([one, two]) == [("plan", [one.subject, two.subject])]


@given(histories())
def test_every_change_is_in_exactly_one_group_and_labels_stand_in_titles_or_paths(commits: list[Commit]) -> None:
    every = changes_of([one for one in commits if one.author.name == ADA.name])
    groups = groups_of(every)
    assert sorted(change.id for group in groups for change in group.changes) == sorted(change.id for change in every)
    for group in groups:
        words = " ".join(
            c.subject + " " + " ".join(f.path for f in c.files) for one in group.changes for c in one.commits
        )
        assert group.label.replace("`", "") in words.replace("`", "")
        assert not group.label or len(group.changes) > 1
