"""Paths → areas: which parts a product has, what they are called, and to which one a change belongs."""

from __future__ import annotations

import pytest
from values import changed, commit

from bot.month.areas import Areas, NamedArea, learn


def year(*counted: tuple[int, str, str]) -> list[tuple[str, list[str]]]:
    """So many changes with a title to a file."""
    return [(title, [path]) for number, title, path in counted for _ in range(number)]


def names(areas: Areas) -> dict[str, str]:
    return dict(sorted(areas.headings.items()))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # A large folder is opened, and what is left of it is an area too; a small one is told with it.
        (
            year(
                (60, "Add to the mill", "app/mill/a.py"),
                (30, "lamp: shine", "app/lamp/a.py"),
                (20, "Add", "app/x.py"),
                (1, "A", "app/z/a.py"),
            )
            + year((200, "web: add", "web/a.ts")),
            {"app": "", "app/lamp": "lamp", "app/mill": "mill", "web": "web"},
        ),
        # Nothing is an area of tests, pages, examples, translations, vendored files, workflows or settings.
        (
            year((9, "Add", "src/mill.py"))
            + year(
                *((9, "Add", f"{one}/a.py") for one in ("tests", "docs", "examples", "vendor", "benchmarks", "locale"))
            ),
            {"src": ""},
        ),
        # Most of the product in one folder: that is no area itself.
        (
            year((50, "mill: a", "src/mill/a.py"), (40, "lamp: b", "src/lamp/a.py"), (9, "Add", "src/a.py")),
            {"src/lamp": "lamp", "src/mill": "mill"},
        ),
        # A flat repository: by what the names of files begin with.
        (
            year((30, "pack: fix", "pack-bitmap.c"), (20, "pack: add", "pack-write.c"), (40, "x refs", "refs.c")),
            {"pack": "pack", "refs": "refs"},
        ),
        # As the area's titles write it.
        (year((9, "Make MoE training faster", "moe_training/a.py")), {"moe_training": "MoE training"}),
        # A name that three titles in four do not say gives way to one above that they do, or there is none.
        (
            year((9, "hyperactor: x", "hyperactor/src/a.rs"), (9, "x", "Acme.Server.Implementations/common/a.c"))
            + year((2, "unix: x", "system/unix/a.c"), (9, "x", "system/unix/a.c")),
            {"Acme.Server.Implementations/common": "", "hyperactor/src": "hyperactor", "system/unix": ""},
        ),
        ([], {}),
    ],
)
def test_areas_are_learnt_from_paths(changes: list[tuple[str, list[str]]], expected: dict[str, str]) -> None:
    assert names(learn(changes)) == expected


PARTS = learn(
    year(
        (50, "moe_training: add", "lib/moe_training/a.py"),
        (50, "csrc: add", "lib/csrc/a.cpp"),
        (50, "lamp: add", "lib/lamp/a.py"),
        (9, "io: a", "io/a.py"),
    )
)


@pytest.mark.parametrize(
    ("paths", "labels", "expected"),
    [
        ([changed("lib/lamp/a.py", 50), changed("io/b.py", 9)], (), "lamp"),
        ([changed("lib/csrc/a.cpp", 90), changed("lib/moe_training/b.py", 9)], ("mxfp8 moe training",), "moe_training"),
        ([changed("lib/csrc/a.cpp", 90)], ("moe_training",), "csrc"),  # which it does not touch
        ([changed("lib/csrc/a.cpp", 90), changed("io/b.py", 9)], ("io",), "csrc"),  # too short to name anything
        ([changed("io/a.py", 9_000), changed("lib/lamp/a.py", 400), changed("lib/lamp/b.py", 400)], (), "lamp"),
        ([changed("tests/lamp/test_a.py"), changed("lib/lamp/tests/a.py")], (), "lamp"),
        ([changed(f"{one}/a.py", 9) for one in ("lib/csrc", "lib/lamp", "io")], (), ""),  # of many it is of none
        ([changed("README.md")], (), ""),
        ([changed("elsewhere/a.py")], (), ""),
    ],
)
def test_a_change_is_of_the_area_that_it_names_or_else_has_most_lines_in(
    paths: list[object], labels: tuple[str, ...], expected: str
) -> None:
    assert PARTS.heading(PARTS.of(commit(paths=paths), labels)) == expected  # type: ignore[arg-type]


def test_what_the_settings_name_goes_before_what_was_learnt_and_may_hide_it() -> None:
    named = (NamedArea("Lighting", ("lib/lamp/",)), NamedArea("", ("lib/csrc/",)))
    learnt = learn(year((50, "lamp: add", "lib/lamp/a.py"), (50, "csrc: add", "lib/csrc/a.cpp")))
    areas = Areas(learnt.headings, named)
    of = [areas.heading(areas.of(commit(paths=[path]))) for path in ("lib/lamp/a.py", "lib/csrc/a.cpp")]
    assert of == ["Lighting", ""]


def test_areas_of_few_changes_are_told_with_the_one_above_and_equal_headings_are_one() -> None:
    areas = Areas({"app": "app", "app/mill": "mill", "lib/mill": "Mill", "app/lamp": "lamp"})
    folded = areas.fold(["app"] * 3 + ["app/mill"] * 3 + ["lib/mill"] * 4 + ["app/lamp"] * 2)
    assert folded == {"app": "app", "app/mill": "app/mill", "lib/mill": "app/mill", "app/lamp": "app"}
