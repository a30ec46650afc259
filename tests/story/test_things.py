"""Titles and paths → what sort of change it is, what is only counted, what says nothing, and what is one thing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from values import ADA, GRACE, another_commit, changed

from bot.model import Change, Commit, FileChange
from bot.month.changes import month_changes
from bot.month.histories import by_commit, histories_of
from bot.story.things import TeamThing, chore_of, judge, judged, says_nothing, things_of

CODE = (changed("src/mill.py", 80, 20),)


def changes_of(*commits: Commit) -> Sequence[Change]:
    return month_changes(commits, by_commit(histories_of(commits)), None)


def change(subject: str, *paths: str | FileChange, body: str = "") -> Change:
    (one,) = changes_of(another_commit(subject, paths=paths or CODE, body=body))
    return one


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        # What readers must act on.
        ("Flip `actor_queue_dispatch` default to True", "act"),
        ("enable Rust support by default", "act"),
        ("default pad_token_groups_for_grouped_mm=False", "act"),
        ("safe.bareRepository: default to explicit", "act"),
        ("Set minimum required gcc version to 10.3", "act"),
        ("[mxfp8 training] require torch nightly and cuda 12.8+", "act"),
        ("Drop support for Python 3.9", "act"),
        ("Remove deprecated Int8Layout", "act"),
        ("Delete the legacy settings page", "act"),
        ("Deprecate AQT and related classes", "act"),
        ("feat!: rename the table", "act"),
        # Nothing to act on: repaired, inside, cleaned, or of the program's own tests.
        ("Fix deprecated TreeSpec CTOR", "fixed"),
        ("Remove unused option", "cleaning"),
        ("Remove deprecated calls from the tests", "cleaning"),
        ("object-file: remove flags from read_object", "cleaning"),
        ("lower the minimum version of numpy", "new"),
        ("Make default_bootstrap_cmd public API", "new"),
        ("Update to Angular v22", "new"),
        ("Set default value in the constructor", "new"),
        # Security, before all else.
        ("CVE-2026-1234: check lengths", "security"),
        ("security: check lengths", "security"),
        ("Merge commit from fork", "security"),
        # Repairs.
        ("Fix memory leak in the router", "fixed"),
        ("Avoid deadlocks using NpyString API", "fixed"),
        ("Float8 deepseekv3 IntOverflow in kernels", "fixed"),
        ("reference leak in the parser", "fixed"),
        # The rest.
        ("Rename the mill", "cleaning"),
        ("Move init methods to vm_init.cpp", "cleaning"),
        ("Add a lamp", "new"),
        ('Revert "Add a lamp"', "out"),
    ],
)
def test_a_change_is_of_a_sort(subject: str, expected: str) -> None:
    assert judge(change(subject), ()).sort == expected


def test_what_was_new_in_the_same_time_is_nothing_to_act_on() -> None:
    assert judge(change("Remove deprecated option --x"), {"src/mill.py"}).sort == "cleaning"


def test_a_body_that_says_what_breaks_says_that_readers_must_act() -> None:
    broken = change("Rename the table", body="Why.\n\nBREAKING CHANGE: read `mills` now.")
    assert judge(broken, ()).sort == "act"


@pytest.mark.parametrize(
    ("subject", "paths", "expected"),
    [
        ("Add a lamp", ["src/lamp.py", "tests/test_lamp.py"], ""),
        ("Test the lamp", ["tests/test_lamp.py"], "tests"),
        ("Fix dial-router stale close test hang", ["src/dial.rs"], "tests"),
        ("Say how", ["docs/lamp.md"], "docs"),
        ("docs: say how", ["src/lamp.py"], "docs"),
        ("Run on arm", [".github/workflows/a.yml"], "CI"),
        ("Update translations from Weblate", ["src/lang/de.json"], "translations"),
        ("Translated using Weblate (German)", ["Server/Localization/Core/de.json"], "translations"),
        ("Bump serde from 1.0.1 to 1.0.2", ["Cargo.toml", "Cargo.lock"], "bumps and versions"),
        ("Bumps all our versions to 3.0.0", ["src/env.ts", "pyproject.toml"], "bumps and versions"),
        ("Run tree-wide dotnet format", ["src/a.cs"], "formatting"),
        ("lints: clippy 1.95", ["src/a.rs"], "formatting"),
        ("Link against zlib", ["CMakeLists.txt"], "build"),
    ],
)
def test_what_is_only_counted(subject: str, paths: list[str], expected: str) -> None:
    assert chore_of(change(subject, *paths)) == expected


@pytest.mark.parametrize(
    "words",
    [
        "fixes",
        "Small fixes",
        "further update",
        "Some Fixes for OSS Check",
        "Address review comments",
        "BPoseView",
        "wip",
        "Various highlights improvements",
        "Fix CI",
        "Merge branch 'x'",
        "Backport changes from #15368",
    ],
)
def test_some_titles_say_nothing(words: str) -> None:
    assert says_nothing(words)


@pytest.mark.parametrize(
    "words", ["Fix memory leak", "Add a lamp", "Update the mill when it turns", "Improve cache hits"]
)
def test_others_do(words: str) -> None:
    assert not says_nothing(words)


def things(*commits: Commit) -> list[TeamThing]:
    every = changes_of(*commits)
    by = {one.id: one.lead.author.name for one in every}
    merges = {one.key: one for one in commits if one.is_merge}
    return things_of(every, judged(every), lambda one: "engine", by, merges)


def together(*commits: Commit) -> list[list[str]]:
    return sorted(sorted(one.lead.subject for one in thing.changes) for thing in things(*commits))


@pytest.mark.parametrize(
    ("subjects", "expected"),
    [
        (["Add the mill (#7)", "Turn the wheel (#7)"], 1),  # of one pull request
        (["Delete deprecated AqtLayout", "Delete deprecated QdqLayout"], 1),  # alike but for a name
        (["Add `serde_part` to frames", "Use `serde_part` in casts"], 1),  # of one name
        (["Add flash attention kernels", "Tune flash attention for AMD"], 1),  # of two words
        (["mill: show the hour", "mill: draw the wind"], 1),  # of one label that few have
        (["Add a mill", "Add a lamp"], 2),
        (["Add flash attention kernels", "Fix crash in flash attention"], 2),  # of two sorts
        (["Require torch 2.11 nightly", "Require torch 2.12 nightly for x86"], 2),  # what readers must act on
    ],
)
def test_what_belongs_together_is_one_thing(subjects: list[str], expected: int) -> None:
    assert len(together(*(another_commit(one, paths=CODE) for one in subjects))) == expected


def test_what_two_people_did_is_two_things_unless_it_came_as_one() -> None:
    apart = [another_commit("Add flash attention", paths=CODE), another_commit("Tune flash attention", author=GRACE)]
    assert len(things(*apart)) == 2
    one = [another_commit("Add it (#9)", paths=CODE, author=ADA), another_commit("Tune it (#9)", author=GRACE)]
    assert len(things(*one)) == 1


def test_a_label_that_everything_carries_makes_one_thing_of_nothing() -> None:
    words = ("lamp", "bell", "well", "mill", "gate", "roof", "hedge", "pond")
    assert len(things(*(another_commit(f"ty: grow the {one}", paths=CODE) for one in words))) == len(words)


def test_the_heaviest_title_stands_for_a_thing_and_what_was_done_likewise_is_named() -> None:
    (one,) = things(
        another_commit("Delete deprecated QdqLayout and its uses", paths=[changed("src/a.py", 0, 40)]),
        another_commit("Delete deprecated AqtLayout and its uses", paths=[changed("src/b.py", 0, 900)]),
    )
    assert (one.lead.lead.subject, one.likewise) == ("Delete deprecated AqtLayout and its uses", ("QdqLayout",))
