"""A subject taken apart: tags, types, components, what stands around the words, and how those are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.story.words.subjects import Subject, balanced, names_a_part, read, taken_apart


@pytest.mark.parametrize(
    ("subject", "apart"),
    [
        ("Add chunks (#12)", Subject("Add chunks")),
        ("Add chunks (acme/web#12) (#13)", Subject("Add chunks")),
        ("[fused seqpar] Push files", Subject("Push files", ("fused seqpar",))),
        ("[BE][easy] Drop rows.", Subject("Drop rows", ("BE", "easy"))),
        ("[Common, PyTorch] Drop rows", Subject("Drop rows", ("Common", "PyTorch"))),
        ("(tools)(bugfix) update the mesh", Subject("update the mesh", ("tools", "bugfix"))),
        ("(1/N) Create the crate", Subject("Create the crate")),
        ("[2/n] Create the crate [3/n]", Subject("Create the crate")),
        ("3/43 minimesh: add a link", Subject("add a link", scope="minimesh")),
        ("feat(parser)!: add JSON", Subject("add JSON", prefix="feat", scope="parser")),
        ("fix: handle nulls", Subject("handle nulls", prefix="fix")),
        ("BUG: handle nulls", Subject("handle nulls", prefix="bug")),
        ("DOC, TST: add a page", Subject("add a page", prefix="doc")),
        ("fix: rdma: close handles", Subject("close handles", prefix="fix", scope="rdma")),
        ("monarch/rdma: close handles", Subject("close handles", scope="monarch/rdma")),
        ("add -p: ask again", Subject("ask again", scope="add -p")),
        ("gitk (Windows): ask again", Subject("ask again", scope="gitk(Windows)")),
        ("Fix tests: the mesh was closed", Subject("Fix tests: the mesh was closed")),
        ("Automated submodule update: engine", Subject("Automated submodule update: engine")),
        ("Update: the readme", Subject("Update the readme")),
        ("Refactor: split the store", Subject("split the store", prefix="refactor")),
        ("host: kill_on_drop", Subject("kill_on_drop", scope="host")),
        ("- Cleanup *-sys build.rs", Subject("Cleanup *-sys build.rs")),
        ("* * fix x", Subject("fix x")),
        ("hg mv a.py to b/a.py", Subject("mv a.py to b/a.py")),
        ("WIP: add X", Subject("add X", is_open=True)),
        ("DO NOT MERGE add X", Subject("add X", is_open=True)),
        ("Do not merge: a parser", Subject("a parser", is_open=True)),
        ("don't land - a parser", Subject("a parser", is_open=True)),
        ("todo: add X", Subject("add X", is_open=True)),
        ("[WIP] add X", Subject("add X", ("WIP",), is_open=True)),
        ("Draft kernel", Subject("Draft kernel")),
        ("TODO", Subject("TODO")),
        (": engine/rows: close handles", Subject("close handles", scope="engine/rows")),
        ("refresh policy: suspend rows", Subject("suspend rows", scope="refresh policy")),
        (
            "Keep the rows of a store that rea…",
            Subject("Keep the rows of a store that rea…"),
        ),
        (
            "Keep the rows of a store that was closed by its very own first rea…",
            Subject("Keep the rows of a store that was closed by its very own first…"),
        ),
        (
            "Keep the rows of a store that was closed by its very first read of the ke...",
            Subject("Keep the rows of a store that was closed by its very first read…"),
        ),
        ("part 3: move X", Subject("move X")),
        ('"add a module"', Subject("add a module")),
        ('Update on "Add a module"', Subject("Add a module")),
        ("Add `x and (y", Subject("Add x and y")),
        ("wait for it...", Subject("wait for it...")),
        ("https://example.com/a?b", Subject("")),
        ("🎉", Subject("")),
        (".", Subject("")),
        ("", Subject("")),
        ("[ghstack-poisoned]", Subject("", ("ghstack-poisoned",))),
    ],
)
def test_a_subject_is_taken_apart(subject: str, apart: Subject) -> None:
    assert apart == taken_apart(subject)


@pytest.mark.parametrize(
    ("words", "nature"),
    [
        ("Add chunks", "verb"),
        ("properly close handles", "verb"),
        ("don't close handles", "stop"),
        ("do not close handles", "stop"),
        ("no longer close handles", "stop"),
        ("build.rs fix", "deed"),
        ("Removal of chunks", "deed"),
        ("small fixes", "made"),
        ("Fix for nulls", "made"),
        ("GQA support for decoding", "support"),
        ("NIC autodetection", "noun"),
        ("Release notes for 1.2", "noun"),
        ("Return types", "noun"),
        ("Cache keys", "noun"),
        ("Cache the keys", "verb"),
        ("Lock file", "noun"),
        ("BE improvements to rows", "made"),
        ("retry version guard fix", "deed"),
        ("Subclass API", "noun"),
        ("Subclass Row from Key", "verb"),
        ("Better asserts", "noun"),
        ("attribute defaults", "noun"),
        ("Attribute rows to keys", "verb"),
        ("Getting started refactor", "noun"),
        ("run row fix", "verb"),
        ("Update the keys. Row fixes", "verb"),
        ("Getting rid of rows", "verb"),
        ("search english only", "noun"),
        ("Search rows in keys", "verb"),
        ("go mod tidy", "clause"),
        ("CPU implementation for rows", "noun"),
        ("Row optimization for keys", "deed"),
        ("Change API, better names, small fixes", "verb"),
        ("Build fix", "deed"),
        ("Build Docs fix", "deed"),
        ("Build wheels", "verb"),
        ("Test the queue", "verb"),
        ("Test cases for the queue", "noun"),
        ("Check for nulls", "verb"),
        ("Support matrix", "noun"),
        ("Merge masks should return 0", "clause"),
        ("decoding needs an error", "clause"),
        ("Should we retry?", "clause"),
        ("Update", "empty"),
        ("", "empty"),
    ],
)
def test_words_are_read_as_what_they_are(words: str, nature: str) -> None:
    assert nature == read(words).nature


def test_a_place_said_first_goes_behind_the_verb() -> None:
    assert read("In the mesh, configure handles to close").rest == "handles to close in the mesh"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('say "hi', "say hi"),
        ("a (b", "a b"),
        ("a) b", "a b"),
        ("[a](b)", "[a](b)"),
        ("`x` and `y", "`x` and y"),
        ("“a” and “b", "“a” and b"),
        ("(a] b)", "(a b)"),
        ("a () b", "a b"),
    ],
)
def test_marks_without_a_counterpart_are_dropped(text: str, whole: str) -> None:
    assert whole == balanced(text)


def test_a_tag_names_a_part_unless_it_says_how_a_change_stands() -> None:
    assert [
        tag
        for tag in ("fused seqpar", "JAX", "easy", "BE", "T1234", "D99", "1/n", "ci/windows", "WIP")
        if names_a_part(tag)
    ] == ["fused seqpar", "JAX", "ci/windows"]


@given(st.text(max_size=300))
def test_any_subject_can_be_taken_apart_and_read(text: str) -> None:
    apart = taken_apart(text)

    assert apart.words == " ".join(apart.words.split())
    assert apart.words == balanced(apart.words)
    read(apart.words)
