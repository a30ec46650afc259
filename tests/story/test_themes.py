"""What is one thing in a person's month, and under which name it stands, from titles and paths alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from drawn import histories
from hypothesis import given
from values import changed, commit

from bot.model import Change, Commit, Key
from bot.month.histories import month_changes
from bot.month.title import title_of
from bot.story.things import Thing, judged, themes_of, things_of


def changes(*titles: str, paths: Sequence[str] = ("src/engine.py",)) -> list[Change]:
    made = [
        commit(title, at=f"2025-10-{day:02} 12:00", paths=[changed(path, 100 - day) for path in paths])
        for day, title in enumerate(titles, 1)
    ]
    return [Change(one.sha, (one,), "refactor") for one in made]


def parts_of(some: Sequence[Change], merges: Mapping[Key, Commit] | None = None) -> list[Thing]:
    return things_of(some, judged(some), {}, merges or {})


@pytest.mark.parametrize(
    ("titles", "said"),
    [
        (["Receive .call() in Rust", "Receive .choose() in Rust"], ["Receive .call() and .choose() in Rust"]),
        (["lang: Update julia", "lang: Update cmake", "lang: Update go"], ["Update julia, cmake and go"]),
        (["Update julia", "Update cmake", "Update swift"], ["Update julia", "Update cmake", "Update swift"]),
        (["Move kernels to X, pt 1", "Move kernels to X, pt 3"], ["Move kernels to X, pt 1 and 3"]),
        (["[1/2] Flatten the path", "[2/2] Flatten the path"], ["Flatten the path"]),
        (["Bump the server to 1.3", "Bump the server to 1.4"], ["Bump the server to 1.3 and 1.4"]),
        (["Add the plan cache", "Drop the plan cache"], ["Add the plan cache", "Drop the plan cache"]),
        (["cache: Keep the plans", "walls: Keep the doors"], ["Keep the plans", "Keep the doors"]),
    ],
)  # fmt: skip
def test_titles_that_differ_in_one_word_or_number_are_one_thing(titles: list[str], said: list[str]) -> None:
    things = parts_of(changes(*titles))
    assert [one.title or title_of(one.lead.lead).words for one in things] == said
    assert sum(len(one.changes) for one in things) == len(titles)


def headings(*some: Change) -> dict[str, int]:
    return {one.name: sum(len(thing.changes) for thing in one.things) for one in themes_of(parts_of(some))}


OTHERS = changes(*[f"Widen a{n} by b{n}" for n in range(12)], paths=["src/core.py"])


@pytest.mark.parametrize(
    ("some", "heading"),
    [
        (changes("cache: Keep plans", "cache: Drop locks now", "Cache: Read rows again"), {"cache": 3}),
        (changes("kernel/vm: Cut areas", "kernel/vm: Use hints now", "kernel/vm: Count pages twice"), {"kernel/vm": 3}),
        (changes("Cut areas", "Use hints now", "Count pages twice", paths=["src/allocator.py"]), {}),
        (changes("Cut allocators", "Use allocators", "Say allocator", paths=["src/allocator.py"]), {}),  # words
        (changes("Cut areas", "Use hints now", "Count pages twice", paths=["src/pager/a.py"]), {"pager": 3}),
        (changes("Cut areas", "Use hints now", "Count pages twice", paths=["src/utils/util.py"]), {}),
        (changes("Cut areas", "Use hints now", "Count pages twice", paths=["Mill.Pager.Server/a.cs"]), {}),
        (
            changes("wayland: Keep shader", "shader: Hold", "shader: Free", "shader: Try"),
            {"shader": 3},
        ),  # filed elsewhere
        (changes("ninjabackend: Keep", "vsbackend: Hold", "backends: Try", paths=["src/backend/a"]), {"backends": 3}),
        (
            changes("cache: Keep wires", "cache: Cut a wire", "cache: Log the wire", "cache: Drop rows"),
            {"cache": 4},
        ),
        (changes("12.x: Keep plans", "12.x: Drop locks now", "12.x: Read rows again"), {}),  # for which release
        (changes("cache: Keep plans", "cache: Drop locks now"), {}),  # too few
    ],
)
def test_the_name_that_changes_share_heads_them(some: list[Change], heading: dict[str, int]) -> None:
    assert headings(*some, *OTHERS) == heading | {"": len(some) + len(OTHERS) - sum(heading.values())}


def test_a_file_that_a_pull_request_touches_by_the_way_heads_nothing() -> None:
    merges = [
        commit(f"Merge pull request #{n} from ada/{n}", sha=sha * 40, merge=True) for n, sha in ((1, "e"), (2, "f"))
    ]
    some = [
        replace(one, commits=(replace(one.lead, via=merge.sha),))
        for merge, words in zip(merges, ("rows", "walls"), strict=True)
        for path, of in (("src/enum_util.py", "names"), (f"src/{words}.py", "plan"))
        for one in changes(f"Widen the {of} of {words}", paths=[path] if of == "names" else [path, f"src/{words}_b.py"])
    ]
    things = parts_of(some, {one.key: replace(one, body="Widen it all") for one in merges})
    assert [len(one.changes) for one in things] == [2, 2]
    assert "enum_util" not in {one.name for one in themes_of([*things, *parts_of(OTHERS)])}


@given(histories())
def test_every_change_is_in_exactly_one_theme(commits: list[Commit]) -> None:
    every = month_changes(commits, (), None)
    merges = {one.key: one for one in commits if one.is_merge}
    for some in (every, [replace(one, title="") for one in every]):
        told = [
            change.id for theme in themes_of(parts_of(some, merges)) for one in theme.things for change in one.changes
        ]
        assert sorted(told) == sorted(one.id for one in some)
