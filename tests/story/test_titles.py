"""Titles: short noun phrases of single subjects, and of several together."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.model import Kind
from bot.story.words.subjects import balanced
from bot.story.words.titles import title, title_of

TITLED = [
    line.split(" => ")
    for line in """
NIC choice based on PCI distance for cuda:X => NIC choice based on PCI distance for cuda:X
Queue buffer control bit check => Queue buffer control bit check
Readme => Readme
chore(deps): bump and relock => deps: bumping and relocking
build.rs fix => build.rs fix
conda path fix => conda path fix
Properly cleanup qps => Properly cleaning up qps
don't swallow errors => No longer swallowing errors
Do not set grad for the backward pass => No longer setting grad for the backward pass
no longer log secrets => No longer logging secrets
Don't even try to open sockets => No longer even trying to open sockets
only build wheels on Linux => Only building wheels on Linux
Never retry on 404 => Never retrying on 404
Always use the store => Always using the store
Lazily import torch => Lazily importing torch
Dedicated Row Manager, expose Queue Pairs => Dedicated Row Manager
hg mv rows.py to engine/rows => Move of rows.py to engine/rows
git rm rows.py from engine => Removal of rows.py from engine
- Cleanup *-sys build.rs => *-sys build.rs cleanup
FIX THE BUILD => BUILD fix
修复 RDMA 内存泄漏 => 修复 RDMA 内存泄漏
feat(parser)!: add JSON output => parser: JSON output
fix(rows): Handle nulls => rows: handling of nulls
feat: row autodetection => row autodetection
fix: wrong row type => Wrong row type fix
docs: fix typo => Typo fix
[BE][easy] remove dead code => Removal of dead code
[engine] Fix rows => engine: fix for rows
[1/n] Add a queue => Queue
(2/N) Creates a queue => Queue
Add a queue [3/n] => Queue
Revert "Add X (#12)" (#14) => Revert of “Add X (#12)”
Revert "Revert "Add X"" => Revert of “Revert "Add X"”
Back out "Add X" => Backout of “Add X”
Reapply "Add X" => Reland of “Add X”
Re-land X => Reland of “X”
Add X [reland] => Reland of “Add X”
Revert D1234567: Multisect successfully blamed "D1234567: Keep keys" for one failure => Revert of “Keep keys”
Revert D1234567 to unblock the release => Revert of D1234567 to unblock the release
Revert the colours => Revert of the colours
Bump development version from 0.0.30 to 0.0.31 => Development version bump from 0.0.30 to 0.0.31
Bump serde 1.0.1 -> 1.0.2 => serde bump 1.0.1 -> 1.0.2
v1.2.3 => Release v1.2.3
Version 1.2 => Release 1.2
Should we retry? => Should we retry?
WIP: add X => X
WIP add X => X
[RFC] Add a queue => Queue
DO NOT MERGE add logging => Logging
Test the queue => Testing the queue
Test cases for the queue => Test cases for the queue
Release notes for 1.2 => Release notes for 1.2
Release the GIL in reads => Release of the GIL in reads
Build fix => Build fix
Build Docs fix => Build Docs fix
Build wheels with CUDA 12 => Building wheels with CUDA 12
Support for queues => Support for queues
Support queues of rows => Support for queues of rows
Supporting queues => Queues support
Basic support for queues => Basic support for queues
Row support => Row support
CPU row and queue support => CPU row and queue support
Update docs => Docs update
Cache keys => Cache keys
Cache the keys of rows => Caching the keys of rows
Move semantics => Move semantics
Move rows to engine/ => Move of rows to engine/
Return types => Return types
Return early if keys is empty => Returning early if keys is empty
Support matrix => Support matrix
Lock file => Lock file
Lock the store => Locking the store
Check rows5 - use rows6 direct api => Checking rows5
Check for nulls => Checking for nulls
Fix fix test => Test fix
fixes fix test => Test fix
fix: fix test => Test fix
Fixes crash on exit => Crash fix on exit
Fixing races in the store => Fix for races in the store
Adds X and fixes Y => X
Adding X and removing Y => X
Added X and remove Y => X
Add X, remove Y; fix Z => X
Add X. Remove Y => X
Make X faster and fix Y => Making X faster
Make rows use the store and the keys => Making rows use the store and the keys
Let users load and save models => Letting users load and save models
Allow rows to load and save keys => Allowing rows to load and save keys
Fix and update 'log' options => Fixing and updating 'log' options
Fix/ignore type errors => Fixing/ignoring type errors
Implement add, remove and contains => Add, remove and contains
Refactor rows so jobs can import and avoid cycles => Refactoring rows so jobs can import and avoid cycles
add -p: ask again => Add -p: asking again
commit: die before asking => commit: dying before asking
store: always sort => store: always sorting
Warn when a row is lost => Warning when a row is lost
Print the key in errors => Printing the key in errors
Raise ValueError if empty => Raising ValueError if empty
Have the queue own rows => Having the queue own rows
Teach the store to sort => Teaching the store to sort
Get rid of rows => Getting rid of rows
Make sure rows are sorted => Making sure rows are sorted
Use X instead of Y => Use of X instead of Y
Default to the store => Defaulting to the store
Error out on nulls => Erroring out on nulls
Fall back to the store => Falling back to the store
Fix "broken quote => Broken quote fix
Fix (unclosed thing => Fix for unclosed thing
Fix `tick => Tick fix
Update on "Documentation Updates" => Documentation Updates
minor, speed up the tests => Speeding up the tests
Quick fix for long doubles => Quick fix for long doubles
Minor improvements to the store => Minor improvements to the store
Various bug fixes in rows => Various bug fixes in rows
Small fix => Small fix
Bugfix in the store => Bugfix in the store
Bug fix on log => Bug fix on log
Fix for nulls => Fix for nulls
Fix in the store => Fix in the store
Changes to rows => Changes to rows
Removal of rows => Removal of rows
Refactoring of the store => Refactoring of the store
Store refactoring => Store refactoring
Workaround for nulls in the store => Workaround for nulls in the store
typo in rows.md => Typo in rows.md
Rows are never sorted => Rows are never sorted
rows do not go to the store => Rows do not go to the store
Poolformer does not need keys => Poolformer does not need keys
No need for rows when m==1 => No need for rows when m==1
if rows are sorted, keys are too => If rows are sorted, keys are too
In the store, use keys => Use of keys in the store
After a stop, use GetRank to ask for success => Use of GetRank to ask for success after a stop
Improvement in keys => Improvement in keys
key_size=0 -> 1 => key_size=0 -> 1
_rows -> rows => _rows -> rows
fetch_from_l1_sp_w_row_ids => fetch_from_l1_sp_w_row_ids
fetch_rows: close handles => fetch_rows: closing handles
`fast_flush` of `do_bench` is removed => `fast_flush` of `do_bench` is removed
engine/rows => engine/rows
//engine/rows:keys => //engine/rows:keys
Automated submodule update: engine => Automated submodule update: engine
Merge branch 'main' into topic => Merge of branch 'main' into topic
Merge PR #395 and #398 => Merge of PR #395 and #398
Initial commit => Initial commit
Wait for it... => Waiting for it...
Add rows... => rows...
Rewrite rows, keys => Rewrite of rows, keys
Speed up rows => Speeding up rows
Clean up rows => Rows cleanup
Clean-up of rows => Clean-up of rows
Setup the store => Setup of the store
Workaround a bug of gcc => Workaround of a bug of gcc
impl rows => Rows
Unbreak CI => Unbreaking CI
dedup rows => Dedup of rows
Re-enable rows => Re-enabling rows
re-organize rows => Re-organization of rows
Vectorize rows => Vectorization of rows
Torchify rows => Torchifying rows
Adopt X + remove Y => Adoption of X
Shared row kernel => Shared row kernel
Fused rows => Fused rows
Branching operations => Branching operations
Testing framework for rows => Testing framework for rows
Training example => Training example
Logging of rows => Logging of rows
Correct the order => Correction of the order
Separate rows and keys => Separate rows and keys
Free rows after use => Free rows after use
Tests for rows => Tests for rows
Better handling of nulls => Better handling of nulls
Better handle nulls => Better handling nulls
More rows => More rows
New module: rows => New module: rows
Rows, keys => Rows, keys
2 rows => 2 rows
"add a module" => Module
🎉 Add rows => Rows
:bug: Fix rows => Fix for rows
Add `rows` to __all__ => `rows` in __all__
Fixes #12 => #12 fix
Closes #12 => Closing #12
Update rows (see #12) => Rows update
Add support to the store for rows => Support in the store for rows
Attempt to fix rows => Attempting to fix rows
TODO: add tests for rows => Tests for rows
Do not merge: experimental reader => Experimental reader
test: crash when a page is empty => Tests: crashing when a page is empty
docs: v2.9 => Docs: v2.9
docs: update => Change without a description
docs: skip tls verify => Docs: skipping tls verify
docs(keys): remove old flags => Keys docs: removal of old flags
docs(readme): remove old flags => readme: removal of old flags
add Row and Handle keeper tests => Row and Handle keeper tests
Add the option to clip when rows are long => Option to clip when rows are long
Add a way to lookup rows => way to lookup rows
Add prototype to copy rows => Prototype to copy rows
Add an option to rows => Option in rows
Add hints (thanks to Ada) => Hints (thanks to Ada)
Upgrade & suppress type errors => Upgrading & suppressing type errors
Bump up FA to 2.8.3 => FA bump to 2.8.3
Update according to code review => Update according to code review
Fix bug reported on a list => Fix for bug reported on a list
Fix the reader, attempt 2 => Fix for reader, attempt 2
support quantize chunked rows => Support for quantizing chunked rows
SymInt-ify rows.cpp => SymInt-ifying rows.cpp
Bump time from 0.3.1 to 0.3.2 => time bump from 0.3.1 to 0.3.2
Bump version to 2.1.0 => Version bump to 2.1.0
Cache row result. And add a check => Cache row result
""".strip().splitlines()
]
LOOSE = re.compile(r"(?i)(?: |^)(?:for|of|in|on|to|from|with|at|by|via|as|the|an?|and|or|but|that|which|,|-|:)$")


@pytest.mark.parametrize(("subject", "titled"), TITLED)
def test_a_subject_becomes_a_noun_phrase(subject: str, titled: str) -> None:
    assert title(subject) == titled


def test_a_subject_that_says_nothing_is_titled_by_its_files() -> None:
    assert title("WIP", ("engine/keys.py", "engine/rows.py")) == "Change in engine/keys.py and 1 more file"
    assert title("WIP") == "Change without a description"
    assert title("rows: fix") == "Rows"


@pytest.mark.parametrize(
    ("subject", "titled"),
    [
        (
            "Add chunked keys to the store of the engine when rows are sorted before they are written",
            "Chunked keys in the store of the engine when rows are sorted",
        ),
        (
            "Fix the race of the reader that was closed twice, which leaked handles of the store and of its keys",
            "Fix for race of the reader that was closed twice",
        ),
        ("Remove unused-variable in engine/" + "a" * 90, "Removal of unused-variable"),
        (
            "Handle the scale of all the rows of a store when it is too tiny that leads to infinite ones",
            "Handling of the scale of all the rows of a store when it is too tiny",
        ),
        (
            "Sort the rows of an engine for keeping them with a first norm, L1, and L2 norm of them",
            "Sorting the rows of an engine for keeping them with a first norm",
        ),
        (
            "Distinguish the reasons why a row of keys is not supported without a queue of its own",
            "Distinguishing the reasons why a row of keys is not supported",
        ),
        (
            "Keep a strict mode of the store in its pipeline so to fail if rows and keys share their names",
            "Keeping a strict mode of the store in its pipeline",
        ),
        (
            "Sort all of the keys and rows that are kept in a `Dict[str, RowsOfTheWholeEngine]`",
            "Sorting all of the keys and rows that are kept",
        ),
        ("Add " + "k" * 90, "k" * 69 + "…"),
    ],
)
def test_a_long_title_is_cut_where_a_phrase_ends(subject: str, titled: str) -> None:
    assert title(subject) == titled


@pytest.mark.parametrize(
    ("subjects", "kinds", "titled"),
    [
        (
            ["[fused seqpar] Move to Memory", "[fused seqpar] Drop rows"],
            (),
            "Fused seqpar: move to Memory",
        ),
        (["rdma: add a queue", "rdma: close handles", "Fix typo"], (), "rdma: queue"),
        (["Add RDMA tests", "Fix RDMA test"], ("test", "test"), "RDMA tests"),
        (["[JAX] Update the readme", "[JAX] Fix a page"], ("docs", "docs"), "JAX docs"),
        (["Add the RDMA queue", "Fix a typo"], ("feature", "docs"), "RDMA queue"),
        (["Fix CI rows", "Add CI keys"], ("ci", "ci"), "CI"),
        (["Add PreciseRow", "Fix PreciseRow"], ("ci", "ci"), "PreciseRow CI"),
        (["[BE] Drop rows", "[BE] Drop keys"], (), "Dropping rows"),
        (["Add a queue"], ("feature",), "Queue"),
        ([], (), "Change without a description"),
    ],
)
def test_a_theme_is_named_by_what_its_changes_share(subjects: list[str], kinds: tuple[Kind, ...], titled: str) -> None:
    assert title_of(subjects, (), kinds) == titled


def _holds(subject: str) -> None:
    said = title(subject)
    assert said
    assert len(said) <= 80, said
    assert said == balanced(said), said
    assert "  " not in said, said


@given(st.text(max_size=400))
@example("to " * 100)
@example('"')
@example("Revert " + '"x' * 100)
@example("x" * 60 + ": " + "y" * 400)
def test_the_rules_hold_of_any_text(subject: str) -> None:
    _holds(subject)


_DECIDING = """
add fix remove update use support make don't no longer properly always only to for in of the a and or with when is rdma
README.md build test cache keys rows fix: [JAX] (WIP) chunks, and; "x" `y` 12 (3) -> - handle return revert back out
"""


@given(st.lists(st.sampled_from(_DECIDING.split()), min_size=1, max_size=14))
def test_the_rules_hold_of_any_subject_of_the_words_that_decide(words: list[str]) -> None:
    subject = " ".join(words)
    _holds(subject)
    if len(title(subject).split()) > 2 and '"' not in subject:
        assert not LOOSE.search(title(subject)), title(subject)


@given(
    st.sampled_from(
        [
            "Add",
            "Adds",
            "Added",
            "Adding",
            "Remove",
            "Removed",
            "Fix",
            "Fixed",
            "Update",
            "Updated",
            "Move",
            "Moved",
            "Use",
            "Used",
        ]
    ),
    st.data(),
)
def test_a_title_begins_with_no_verb_in_the_past(verb: str, data: st.DataObject) -> None:
    what = data.draw(st.sampled_from(["rows", "the rows in keys", "X to Y", "README.md", "unused keys and rows"]))

    assert not re.match(r"\w+ed ", title(f"{verb} {what}").replace("Unused", "unused").lower().replace("unused", "old"))


@pytest.mark.parametrize("text", ["a", "( ", "fix and ", "[x] ", "a: ", "in x, ", "a to "])
def test_a_subject_of_megabytes_is_no_trouble(text: str) -> None:
    began = time.perf_counter()

    assert len(title(text * 500_000)) <= 80
    assert time.perf_counter() - began < 0.5
