"""A subject is taken apart, never reworded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, commit

from bot.month.message import heading_of
from bot.month.title import NO_SUBJECT, number_of, title_of
from bot.wording import clean

PARTS = (  # subject, words, labels, kind
    ("Receive .call_one() in Rust (#2452)", "Receive .call_one() in Rust", (), ""),
    ("[fused seqpar] Move final signal", "Move final signal", ("fused seqpar",), ""),
    ("[PyTorch][2/4] Keep plans (#7)", "Keep plans", ("PyTorch",), ""),
    ("fix(parser): read the last line (#3)", "read the last line", ("parser",), "fix"),
    ("MAINT(client): Drop it now (#4)", "Drop it now", ("client",), "MAINT"),
    ("docs: say how", "say how", (), "docs"),
    ("Fixes #17: Restore the order (#18)", "Restore the order", (), ""),
    ("Fixes GH-17 - Restore the order", "Restore the order", (), ""),
    ("Fixed #17 -- Restored the order", "Restored the order", (), ""),
    ("Bug 17 - Orders get lost", "Orders get lost", (), ""),
    ("Fix 3 - way orders", "Fix 3 - way orders", (), ""),
    ("Closes: #17 - Hide the form", "Hide the form", (), ""),
    ("18417 Add a height to racks", "Add a height to racks", (), ""),
    ("#17 #18 - hide the form (#19)", "hide the form", (), ""),
    ("Restore the order, closes #17", "Restore the order", (), ""),
    ("Restore the order (fixes #17, #18)", "Restore the order", (), ""),
    ("Restore the order. Fixes #17", "Restore the order", (), ""),
    ("Restore it (see #16, closes #17)", "Restore it (see #16, closes #17)", (), ""),
    ("Attempt to fix #17 (#18)", "Attempt to fix #17", (), ""),
    ("Partial wheel fixes #17", "Partial wheel fixes #17", (), ""),
    ("It closes #17", "It closes #17", (), ""),
    ("2025 Plans of it", "2025 Plans of it", (), ""),
    ("1000 lines of tests", "1000 lines of tests", (), ""),
    ("Fix #12", "Fix #12", (), ""),
    ("Fix #12 in the tides", "Fix #12 in the tides", (), ""),
    ("mesh_admin: show ids", "show ids", ("mesh_admin",), ""),
    ("Add X (was [monarch] add x) (#9)", "Add X", (), ""),
    ("- a bullet", "a bullet", (), ""),
    ("--wheels can be many", "--wheels can be many", (), ""),
    ("mill: --wheels can be many", "--wheels can be many", ("mill",), ""),
    ("depr(mill): Deprecate wheels", "Deprecate wheels", ("mill",), "depr"),
    ("[Fix #17] Restore the order", "Restore the order", (), ""),
    ("[#17] [mill] Restore the order", "Restore the order", ("mill",), ""),
    ("Update: it", "it", ("Update",), ""),
    ("", "(no subject)", (), ""),
    ("[tag]", "[tag]", (), ""),
)


def test_subjects_are_taken_apart() -> None:
    wrong = []
    for subject, words, labels, kind in PARTS:
        title = title_of(commit(subject))
        if (title.words, title.labels, title.kind) != (words, labels, kind):
            wrong.append((subject, title))
    assert wrong == []


@given(st.text(max_size=200))
def test_the_words_of_any_subject_stand_in_it(subject: str) -> None:
    one = commit(subject)
    words = title_of(one).words
    assert words in (clean(heading_of(one).line) or NO_SUBJECT)


def test_a_number_is_that_of_its_own_repository() -> None:
    resolved = f"Pull Request resolved: https://github.com/{ENGINE}/pull/2107"
    elsewhere = "Pull Request resolved: https://github.com/other/fork/pull/9"
    numbers = {
        ("Add X (#2105)", resolved): "#2107",
        ("Add X (#12) (#34)", ""): "#34",
        ("Add X (#12)", elsewhere): "#12",
        ("Add X (fairinternal/xformers#1310)", ""): "",
        ("Add X", ""): "",
        (f"Add X (#{'9' * 400})", f"Pull Request resolved: https://github.com/{ENGINE}/pull/{'9' * 4_000}"): "",
    }
    assert {key: number_of(commit(key[0], body=key[1])) for key in numbers} == numbers
