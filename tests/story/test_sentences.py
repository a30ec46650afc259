"""Subjects as sentences: a table of odd ones, and what holds of any text."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.story.words.sentences import clause, sentence
from bot.story.words.subjects import balanced
from bot.story.words.verbs import OWN_ADVERBS, VERBS

ODD = [
    line.split(" => ")
    for line in """
NIC choice based on PCI distance for cuda:X => Worked on NIC choice based on PCI distance for cuda:X.
Queue buffer control bit check => Worked on queue buffer control bit check.
Readme => Worked on Readme.
build.rs fix => Fixed build.rs.
conda path fix => Fixed conda path.
Properly cleanup qps => Properly cleaned up qps.
don't swallow errors => Stopped swallowing errors.
Do not set grad for the backward pass => Stopped setting grad for the backward pass.
no longer log secrets => Stopped logging secrets.
Don't even try to open sockets => Stopped even trying to open sockets.
only build wheels on Linux => Made it only build wheels on Linux.
Never retry on 404 => Made it never retry on 404.
Always use the store => Made it always use the store.
Lazily import torch => Made it lazily import torch.
Dedicated Row Manager, expose Queue Pairs => Worked on Dedicated Row Manager and exposed Queue Pairs.
hg mv rows.py to engine/rows => Moved rows.py to engine/rows.
git rm rows.py from engine => Removed rows.py from engine.
- Cleanup *-sys build.rs => Cleaned up *-sys build.rs.
FIX THE BUILD => Fixed THE BUILD.
修复 RDMA 内存泄漏 => Worked on 修复 RDMA 内存泄漏.
feat(parser)!: add JSON output => Added JSON output in parser.
fix(rows): Handle nulls => Handled nulls in rows.
feat: row autodetection => Added row autodetection.
fix: wrong row type => Fixed wrong row type.
docs: fix typo => Fixed typo.
[BE][easy] remove dead code => Removed dead code.
[engine] Fix rows => Fixed rows (engine).
[1/n] Add a queue => Added a queue.
(2/N) Creates a queue => Created a queue.
Add a queue [3/n] => Added a queue.
Revert "Add X (#12)" (#14) => Reverted “Add X (#12)”.
Revert "Revert "Add X"" => Reverted “Revert "Add X"”.
Back out "Add X" => Backed out “Add X”.
Reapply "Add X" => Brought back “Add X”.
Re-land X => Brought back “X”.
Add X [reland] => Brought back “Add X”.
Revert D1234567: Multisect successfully blamed "D1234567: Keep keys" for one failure => Reverted “Keep keys”.
Revert D1234567 to unblock the release => Reverted D1234567 to unblock the release.
Revert the colours => Reverted the colours.
Bump development version from 0.0.30 to 0.0.31 => Bumped development version from 0.0.30 to 0.0.31.
Bump serde 1.0.1 -> 1.0.2 => Bumped serde 1.0.1 -> 1.0.2.
v1.2.3 => Released v1.2.3.
Version 1.2 => Released 1.2.
Should we retry? => Worked on “Should we retry?”.
WIP: add X => Worked on adding X.
WIP add X => Worked on adding X.
[RFC] Add a queue => Worked on adding a queue.
DO NOT MERGE add logging => Worked on adding logging.
TODO: add tests and fix rows => Worked on adding tests and fixing rows.
Do not merge: experimental reader => Worked on experimental reader.
wip: support rows => Worked on support for rows.
wip: don't close rows => Worked on no longer closing rows.
wip: react refresh => Worked on react refresh.
Draft: rows are never sorted => Worked on “rows are never sorted”.
test: crash when a page is empty => Worked on tests: crash when a page is empty.
test: handle nulls => Handled nulls in the tests.
test(rows): handle nulls => Handled nulls in the rows tests.
test: add a test for nulls => Added a test for nulls.
docs: drop support for Rows 3.8 => Dropped support for Rows 3.8 in the documentation.
docs: v2.9 => Worked on documentation: v2.9.
docs: replace rows with `keys` => Replaced rows with `keys` in the documentation.
docs: skip tls verify => Skipped tls verify in the documentation.
docs: rows are sorted => Worked on documentation: “rows are sorted”.
docs(keys): remove old flags => Removed old flags in the keys documentation.
docs(readme): remove old flags => Removed old flags in readme.
add Row and Handle keeper tests => Added Row and Handle keeper tests.
Add Row and Handle nulls => Added Row and handled nulls.
Add rows, FUSE integration, and keys => Added rows, FUSE integration, and keys.
Fix the reader, attempt 2 => Fixed the reader, attempt 2.
Fix the reader, take two => Fixed the reader, take two.
Update names and publish date => Updated names and publish date.
Add row load and evict routines => Added row load and evict routines.
Add pack and unpack rows => Added pack and unpack rows.
Add rows and fix typo => Added rows and fixed typo.
Revert rows and resolve conflict => Reverted rows and resolved conflict.
Enable the row build and disable keys in CI => Enabled the row build and disabled keys in CI.
Fix docs, point to the new page => Fixed docs, pointed to the new page.
BE improvements to rows => Made BE improvements to rows.
retry version guard fix => Fixed retry version guard.
Better asserts => Worked on better asserts.
chore(deps): go mod tidy => Worked on “go mod tidy” (deps).
CPU implementation for sorted rows => Worked on CPU implementation for sorted rows.
Slight speed optimization for rows => Made a slight speed optimization for rows.
fix: more logs for rows => Made a fix: more logs for rows.
fix: better message => Made a fix: better message.
support quantize chunked rows and apply keys => Added support for quantizing chunked rows and applying keys.
Fix rows + compile + keys => Fixed rows + compile + keys.
Support scatter rows => Added support for scatter rows.
SymInt-ify rows.cpp => SymInt-ified rows.cpp.
Back out ": engine/rows: close handles" => Backed out “engine/rows: close handles”.
Cache row result. And add a check => Worked on cache row result.
Row result. Fix keys => Worked on Row result and fixed keys.
Add Dict[str, X] to rows => Added Dict[str, X] to rows.
Test the queue => Tested the queue.
Test cases for the queue => Worked on test cases for the queue.
Release notes for 1.2 => Worked on release notes for 1.2.
Release the GIL in reads => Released the GIL in reads.
Build fix => Fixed build.
Build Docs fix => Fixed Build Docs.
Build wheels with CUDA 12 => Built wheels with CUDA 12.
Support for queues => Added support for queues.
Support queues of rows => Added support for queues of rows.
Supporting queues => Added support for queues.
Basic support for queues => Added basic support for queues.
Row support => Added Row support.
CPU row and queue support => Worked on CPU row and queue support.
Update docs => Updated docs.
Cache keys => Worked on cache keys.
Cache the keys of rows => Cached the keys of rows.
Move semantics => Worked on move semantics.
Move rows to engine/ => Moved rows to engine/.
Return types => Worked on return types.
Return early if keys is empty => Made it return early if keys is empty.
Support matrix => Worked on support matrix.
Lock file => Worked on lock file.
Lock the store => Locked the store.
Check rows5 - use rows6 direct api => Checked rows5 - used rows6 direct api.
Check for nulls => Checked for nulls.
Fix fix test => Fixed test.
fixes fix test => Fixed test.
fix: fix test => Fixed test.
Fixes crash on exit => Fixed crash on exit.
Fixing races in the store => Fixed races in the store.
Adds X and fixes Y => Added X and fixed Y.
Adding X and removing Y => Added X and removed Y.
Added X and remove Y => Added X and removed Y.
Add X, remove Y; fix Z => Added X, removed Y; fixed Z.
Add X. Remove Y => Added X; removed Y.
Make X faster and fix Y => Made X faster and fixed Y.
Make rows use the store and the keys => Made rows use the store and the keys.
Let users load and save models => Let users load and save models.
Allow rows to load and save keys => Allowed rows to load and save keys.
Fix and update 'log' options => Fixed and updated 'log' options.
Fix/ignore type errors => Fixed/ignored type errors.
Implement add, remove and contains => Implemented add, remove and contains.
Refactor rows so jobs can import and avoid cycles => Refactored rows so jobs can import and avoid cycles.
add -p: ask again => Asked again in add -p.
commit: die before asking => Made commit die before asking.
store: always sort => Made store always sort.
Warn when a row is lost => Made it warn when a row is lost.
Print the key in errors => Made it print the key in errors.
Raise ValueError if empty => Made it raise ValueError if empty.
Have the queue own rows => Had the queue own rows.
Teach the store to sort => Taught the store to sort.
Get rid of rows => Got rid of rows.
Make sure rows are sorted => Made sure rows are sorted.
Use X instead of Y => Used X instead of Y.
Default to the store => Made it default to the store.
Error out on nulls => Made it error out on nulls.
Fall back to the store => Made it fall back to the store.
Fix "broken quote => Fixed broken quote.
Fix (unclosed thing => Fixed unclosed thing.
Fix `tick => Fixed tick.
Update on "Documentation Updates" => Made Documentation Updates.
minor, speed up the tests => Sped up the tests.
Quick fix for long doubles => Made a quick fix for long doubles.
Minor improvements to the store => Made minor improvements to the store.
Various bug fixes in rows => Made various bug fixes in rows.
Small fix => Made a small fix.
Bugfix in the store => Made a bugfix in the store.
Bug fix on log => Made a bug fix on log.
Fix for nulls => Made a fix for nulls.
Fix in the store => Made a fix in the store.
Changes to rows => Made changes to rows.
Removal of rows => Removed rows.
Refactoring of the store => Refactored the store.
Store refactoring => Refactored store.
Workaround for nulls in the store => Added a workaround for nulls in the store.
typo in rows.md => Fixed typo in rows.md.
Rows are never sorted => Worked on “Rows are never sorted”.
rows do not go to the store => Worked on “rows do not go to the store”.
Poolformer does not need keys => Worked on “Poolformer does not need keys”.
No need for rows when m==1 => Worked on “No need for rows when m==1”.
if rows are sorted, keys are too => Worked on “if rows are sorted, keys are too”.
In the store, use keys => Used keys in the store.
commit-graph: stop using `the_hash_algo` => Stopped using `the_hash_algo` (commit-graph).
reftable: don't second-guess errors from flock => Made reftable not second-guess errors from flock.
fix: do not spam the log => Made it not spam the log.
Don't `await` for me => Worked on “Don't `await` for me”.
Don't UnicodeDecodeError on odd names => Worked on “Don't UnicodeDecodeError on odd names”.
WIP: don't confuse readers => Worked on “don't confuse readers”.
docs: don't confuse readers => Worked on documentation: “don't confuse readers”.
Don't know why it is needed => Worked on “Don't know why it is needed”.
Not sure why it was 6 => Worked on “Not sure why it was 6”.
Not all systems use keys => Worked on “Not all systems use keys”.
fix(rules): not to warn about rows => Worked on “not to warn about rows” (rules).
feat: reload page when editing rows => Made it reload page when editing rows.
agent: reload keys on restart => Made agent reload keys on restart.
Remove unused import and reload in test_rows => Removed unused import and reload in test_rows.
chore(deps): bump and relock => Bumped and relocked (deps).
Prefix sum kernel with shared memory => Worked on prefix sum kernel with shared memory.
Embed dim in config => Worked on embed dim in config.
Group conv by tiles => Worked on group conv by tiles.
stack: always reload stacks when creating lock => Made it always reload stacks when creating lock.
Only list commits from the last tag => Made it only list commits from the last tag.
Only test files are linted => Worked on “Only test files are linted”.
ci: separate docs from python publishing => Separated docs from python publishing.
Separate lanes => Worked on separate lanes.
refactor(planner): prefix package and namespace with acme => Prefixed package and namespace with acme (planner).
odb: embed base source in the files backend => Embedded base source in the files backend (odb).
Group rows by key => Grouped rows by key.
After a stop, use GetRank to ask for success => Used GetRank to ask for success after a stop.
Improvement in keys => Worked on improvement in keys.
key_size=0 -> 1 => Changed key_size=0 -> 1.
_rows -> rows => Changed _rows -> rows.
fetch_from_l1_sp_w_row_ids => Worked on fetch_from_l1_sp_w_row_ids.
fetch_rows: close handles => Closed handles in fetch_rows.
`fast_flush` of `do_bench` is removed => Worked on “`fast_flush` of `do_bench` is removed”.
engine/rows => Worked on engine/rows.
//engine/rows:keys => Worked on //engine/rows:keys.
Automated submodule update: engine => Made an automated submodule update: engine.
Merge branch 'main' into topic => Merged branch 'main' into topic.
Merge PR #395 and #398 => Merged PR #395 and #398.
Initial commit => Made the initial commit.
Wait for it... => Made it wait for it...
Add rows... => Added rows...
Rewrite rows, keys => Rewrote rows, keys.
Speed up rows => Sped up rows.
Clean up rows => Cleaned up rows.
Clean-up of rows => Cleaned up rows.
Setup the store => Set up the store.
Workaround a bug of gcc => Worked around a bug of gcc.
impl rows => Implemented rows.
Unbreak CI => Unbroke CI.
dedup rows => Deduped rows.
Re-enable rows => Re-enabled rows.
re-organize rows => Re-organized rows.
Vectorize rows => Vectorized rows.
Torchify rows => Torchified rows.
Adopt X + remove Y => Adopted X + removed Y.
Shared row kernel => Worked on shared row kernel.
Fused rows => Worked on fused rows.
Branching operations => Worked on Branching operations.
Testing framework for rows => Worked on Testing framework for rows.
Training example => Worked on Training example.
Logging of rows => Worked on logging of rows.
Correct the order => Corrected the order.
Separate rows and keys => Worked on separate rows and keys.
Free rows after use => Worked on free rows after use.
Tests for rows => Worked on tests for rows.
Better handling of nulls => Worked on better handling of nulls.
Better handle nulls => Better handled nulls.
More rows => Worked on more rows.
New module: rows => Worked on rows (New module).
Rows, keys => Worked on Rows, keys.
2 rows => Worked on 2 rows.
"add a module" => Added a module.
🎉 Add rows => Added rows.
:bug: Fix rows => Fixed rows.
Add `rows` to __all__ => Added `rows` to __all__.
Fixes #12 => Fixed #12.
Closes #12 => Closed #12.
Update rows (see #12) => Updated rows.
Add support to the store for rows => Added support to the store for rows.
Attempt to fix rows => Attempted to fix rows.
""".strip().splitlines()
]
PATHS = ("engine/store/keys.py", "engine/store/rows.py", "docs/keys.md")


@pytest.mark.parametrize(("subject", "said"), ODD)
def test_an_odd_subject_becomes_a_whole_sentence(subject: str, said: str) -> None:
    assert said == sentence(subject)


@pytest.mark.parametrize(
    "subject", ["", "WIP", "Update", "fix", ".", "🎉", "https://example.com/x", "(no subject)", "rows: fix"]
)
def test_a_subject_that_says_nothing_is_told_by_its_files(subject: str) -> None:
    assert sentence(subject, PATHS) == "Changed engine/store/keys.py and 2 more files."
    assert sentence(subject, PATHS[:1]) == "Changed engine/store/keys.py."


def test_a_subject_that_says_nothing_about_files_nobody_knows_is_told_so() -> None:
    assert sentence("WIP") == "Made a change without a description."
    assert sentence("rows: fix") == "Worked on rows."


def test_fixes_without_a_place_are_told_with_their_files() -> None:
    assert sentence("Small fixes", PATHS[:1]) == "Made small fixes in engine/store/keys.py."


def test_a_long_subject_is_cut_between_words() -> None:
    said = sentence("Add " + "another chunk of the cache " * 20)

    assert len(said) <= 200
    assert said.startswith("Added another chunk of the cache") and said.endswith("…")


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("Add chunks and fix rows", "added chunks and fixed rows"),
        ("don't close handles", "stopped closing handles"),
        ("Properly close handles.", "properly closed handles"),
        ("Wait for it...", "made it wait for it..."),
        ('Revert "Add rows"', "reverted “Add rows”"),
        ('Cherry-pick "Sorts rows. And keys"', 'cherry-picked "Sorts rows. And keys"'),
        ("Sort rows. Keys stay", "sorted rows"),
    ],
)
def test_a_clause_stands_within_another_sentence(subject: str, said: str) -> None:
    assert said == clause(subject)


def _holds(subject: str, paths: tuple[str, ...] = ()) -> str:
    said = sentence(subject, paths)
    assert re.match(r"[A-Z]", said), said
    assert re.search(r"[.!?…”]$", said), said
    assert "  " not in said, said
    assert said == balanced(said), said
    assert len(said) <= 201, said
    words = said.rstrip(".").lower().split(" ")
    first = words[1] if words[0] in (*OWN_ADVERBS, "partly") else words[0]
    pieces = first.replace("/", " ").removeprefix("re-").split()
    assert all(one in PAST or one.endswith(("ified", "ized")) for one in pieces), said
    return said


PAST = {verb.past.split(" ")[0] for verb in VERBS.values()}


@pytest.mark.parametrize(("subject", "_"), ODD)
def test_the_rules_hold_of_odd_subjects(subject: str, _: str) -> None:
    _holds(subject)
    _holds(subject, PATHS)


@given(st.text(max_size=400))
@example('"')
@example("[")
@example('Revert ""')
@example('Revert "”"')
@example("to " * 100)
@example("“" * 300)
@example("a" * 400)
@example("(" * 100 + "fix" + ")" * 100)
def test_the_rules_hold_of_any_text(subject: str) -> None:
    said = sentence(subject)
    assert said.endswith((".", "…", "”"))
    assert said == balanced(said)
    assert "  " not in said
    assert said[:1].isupper()


_DECIDING = """
add fix remove update use support make don't no longer properly always only to for in of the a and or with when is rdma
README.md build test cache keys rows fix: [JAX] (WIP) chunks, and; "x" `y` 12 (3) -> - handle return revert back out
"""
_WORDS = st.sampled_from(_DECIDING.split())


@given(st.lists(_WORDS, min_size=1, max_size=12))
def test_the_rules_hold_of_any_subject_of_the_words_that_decide(words: list[str]) -> None:
    subject = " ".join(words)
    said = _holds(subject)
    plain = [word.lower().strip(".,;") for word in said.split(" ")]
    before = [word.lower().strip(".,;:") for word in words]
    twice = {one for one, other in pairwise(plain) if one == other and one.isalpha() and before.count(one) == 1}
    assert not twice, said


def test_a_sentence_takes_less_than_200_microseconds() -> None:
    subjects = [subject for subject, _ in ODD]
    for subject in subjects:
        sentence(subject)
    times = []
    for subject in subjects * 5:
        began = time.perf_counter()
        sentence(subject)
        times.append(time.perf_counter() - began)

    assert sorted(times)[len(times) // 2] < 0.000_2  # some 35 µs on a quiet machine; others may be at work on it, too


@pytest.mark.parametrize("text", ["a", "( ", "fix and ", "[x] ", "a: ", "a (", "in x, "])
def test_a_subject_of_megabytes_is_no_trouble(text: str) -> None:
    began = time.perf_counter()
    said = sentence(text * 500_000)

    assert len(said) <= 201
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    "subject", ["various improvements", "Various small improvements and fixes", "some fixes (#12)"]
)
def test_what_might_be_said_of_any_change_is_told_by_its_files(subject: str) -> None:
    assert sentence(subject, ["src/cache.py"]) == "Changed src/cache.py."
