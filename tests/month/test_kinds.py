"""Which kind a commit is, and which rule says so."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import changed, commit

from bot.model import FileChange, Kind
from bot.month.kinds import RULES, decided, kind_of, place_of

SRC, TEST, DOCS, CI, BUILD = (
    "src/engine.py",
    "tests/test_engine.py",
    "docs/use.md",
    ".github/workflows/ci.yml",
    "setup.py",
)

TABLE: list[tuple[str, list[str], Kind]] = [
    # what is said first of all
    ('Revert "Add a cache"', [SRC], "revert"),
    ("Back out D123456", [SRC], "revert"),
    ("Backed out changeset abc", [TEST], "revert"),
    ("[fix] Revert the flag (#12)", [SRC], "revert"),
    ("Reverting the readme", [DOCS], "revert"),
    ("Reverse the order of pages", [SRC], "chore"),
    ("Release v1.2.0", ["CHANGELOG.md", SRC], "release"),
    ("v1.2.0", [SRC], "release"),
    ("0.0.30", ["CHANGELOG.md"], "release"),
    ("Version 0.0.30", ["CHANGELOG.md"], "release"),
    ("Bump version to 0.7 (#1045)", ["setup.py"], "release"),
    ("Bump development version from 0.0.30 to 0.0.31", ["version.txt"], "release"),
    ("Changed VERSION to 2.15.0.dev0", ["VERSION.txt"], "release"),
    ("p010 upgrade", ["bot/version.py"], "release"),
    ("Prepare the 2.0 release", [SRC], "release"),
    # paths before words
    ("Fix the build", [CI], "ci"),
    ("Add a workflow", [CI, ".pre-commit-config.yaml"], "ci"),
    ("Fix a crash in the example", [DOCS, "README.md"], "docs"),
    ("Add support for dark mode to the site", ["docs/conf.py", "docs/index.rst"], "docs"),
    ("Fix flaky timing", [TEST], "test"),
    ("Speed up", ["tests/test_a.py", "tests/conftest.py"], "test"),
    ("Add FooTest", ["pkg/FooTest.cc"], "test"),
    ("fix: typo", [DOCS], "docs"),
    ("feat: run on arm", [CI], "ci"),
    # what the author says
    ("feat: login", [SRC], "feature"),
    ("feat(auth)!: login", [SRC], "feature"),
    ("Fix: handle None", [SRC], "fix"),
    ("perf(core): cache", [SRC], "performance"),
    ("refactor: split", [SRC], "refactor"),
    ("style: sort imports", [SRC], "refactor"),
    ("docs: say why", [SRC], "docs"),
    ("test: cover it", [SRC, TEST], "test"),
    ("build: use hatch", [SRC, BUILD], "build"),
    ("ci: shard", [SRC, CI], "ci"),
    ("[CI] Use larger runners", [SRC, CI], "ci"),
    ("[bugfix] Guard the index", [SRC], "fix"),
    ("[BE][docs] Say what it does", [SRC], "docs"),
    ("(monarch/tools)(bugfix) update process_allocator", [SRC], "fix"),
    # a chore is what nothing better says
    ("chore: remove the old flag", [SRC], "refactor"),
    ("chore(deps): bump serde to 1.2", [SRC, "Cargo.toml"], "build"),
    ("chore: sync", [SRC], "chore"),
    # no source at all
    ("Add lints", ["Cargo.toml", "deny/Cargo.lock"], "build"),
    ("Support Python 3.13", [BUILD, CI, "pyproject.toml"], "build"),
    ("Update .gitignore", [".gitignore"], "chore"),
    # dependencies
    ("Bump anyhow from 1.0.95 to 1.0.98", [SRC, "Cargo.lock"], "build"),
    ("Automated submodule update: FBGEMM (#285)", ["third_party/fbgemm"], "build"),
    ("Upgrade numpy", [SRC, BUILD], "build"),
    # tidying is no repair
    ("Fix formatting", [SRC], "refactor"),
    ("fix typo : whic -> which (#2495)", [SRC], "refactor"),
    ("Fix unused_imports lint in hyperactor", [SRC], "refactor"),
    ("yet more lints", [SRC], "refactor"),
    ("Lint torchao folder", [SRC], "refactor"),
    ("whitespace fixes", [SRC], "refactor"),
    # documents and tests by their words
    ("Add missing planner docstrings (#242)", [SRC], "docs"),
    ("Update docstrings for stride_per_key", [SRC], "docs"),
    ("[PyTorch] Documentation for op fuser API", [SRC, DOCS], "docs"),
    ("Document a multipart bug", ["src/lib.rs"], "docs"),
    ("Add unit tests for the mailbox", [SRC, TEST], "test"),
    ("Disable sp24 tests on H100", [SRC, TEST], "test"),
    ("resolve broken DB tests (#1491)", ["src/db.rs"], "test"),
    ("Add test support for CUDA", [SRC, TEST], "feature"),
    ("Add a testing mode", [SRC], "feature"),
    # faster, where it says so
    ("Optimize linearize_cache_indices (#925)", [SRC], "performance"),
    ("Speedup linearize_index", [SRC], "performance"),
    ("Improve MX4 perf Pt. 4", [SRC], "performance"),
    ("Startup 3.5x faster (#2099)", [SRC], "performance"),
    ("mailbox: optimize the accepted path", [SRC], "performance"),
    ("Reduce memory usage of the cache", [SRC], "performance"),
    ("Robustness/Perf improvements", [SRC], "performance"),
    ("Add optimizer state to the checkpoint", [SRC], "feature"),
    ("Don't override the dtype for optimizer dtype", [SRC], "chore"),
    ("add metrics for dram cache perf", [SRC], "feature"),
    ("Avoid a copy", [SRC], "chore"),
    # repairs
    ("Fix allocator race condition (#2701)", [SRC], "fix"),
    ("actor: fix mesh trait slice bug (#654)", [SRC], "fix"),
    ("[cutlassF] Fix wrong LSE", [SRC, TEST], "fix"),
    ("Handle empty KJT edge case", [SRC, TEST], "fix"),
    ("Ensure the id is set on all processes", [SRC], "fix"),
    ("Prevent integer overflow", [SRC], "fix"),
    ("Don't swallow errors if the import fails", [SRC], "fix"),
    ("use locks to avoid race condition (#1056)", [SRC], "fix"),
    ("Minor fix for operator precedence", [SRC], "fix"),
    ("OSS Build fix for GPRO", [SRC], "fix"),
    ("Fix performance regression in the backward pass", [SRC], "fix"),
    ("Cleanup prefix handling", [SRC], "refactor"),
    # new things
    ("Add mixins support", [SRC], "feature"),
    ("bootstrap: introduce process launcher backend", [SRC], "feature"),
    ("Support > 1 GB put/send with chunking", [SRC], "feature"),
    ("DTensor support for bfloat16 stochastic rounding", [SRC, TEST], "feature"),
    ("Allow forcing triton", [SRC], "feature"),
    # rearranging
    ("Remove unused py_collector methods", [SRC], "refactor"),
    ("Int8Tensor migration cleanup (#3407)", [SRC], "refactor"),
    ("- Cleanup *-sys build.rs to use shared utils", [SRC, "build.rs"], "refactor"),
    ("Migrate linearize kernels to FBGEMM_LAUNCH_KERNEL", [SRC], "refactor"),
    ("[2/n] Move PythonTask to its own file", [SRC], "refactor"),
    ("hg mv rdma.py to monarch/rdma", [SRC], "refactor"),
    ("Drop support for Python 3.8", [SRC], "refactor"),
    # nothing says
    ("Use one local query partition", [SRC], "chore"),
    ("WIP", [SRC], "chore"),
    ("Update", [SRC], "chore"),
    ("", [SRC], "chore"),
    ("https://example.com/x", [SRC], "chore"),
    ("修复缓存", [SRC], "chore"),
    ("CQE buffer SW control bit check (#965)", [SRC], "chore"),
]  # fmt: skip


@pytest.mark.parametrize(("subject", "paths", "kind"), TABLE, ids=[f"{row[0][:40]} {row[1][0]}" for row in TABLE])
def test_the_kind_of_a_commit(subject: str, paths: list[str], kind: Kind) -> None:
    one = commit(subject, paths=paths)
    assert (kind, subject) == (kind_of(one), subject), decided(one)


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ([changed("src/new.py", 30, 0, "added")], "feature"),
        ([changed("src/a.py", 200, 10)], "feature"),
        ([changed("src/a.py", 10, 200)], "refactor"),
        ([changed("src/b.py", 0, 0, "renamed")], "refactor"),
        ([changed("src/a.py", 30, 28)], "chore"),
        ([changed("src/a.py", 20, 0), changed("tests/test_a.py", 300, 0)], "chore"),
        ([FileChange("logo.bin", "modified", binary=True)], "chore"),
        ([], "chore"),
    ],
)
def test_where_no_word_decides_the_shape_may(files: list[FileChange], kind: Kind) -> None:
    assert kind == kind_of(commit("Rework the thing", paths=files))


def test_an_issue_closed_as_fixed_makes_a_fix() -> None:
    assert kind_of(commit("Check the bit", body="More words.\n\nFixes #12")) == "fix"
    assert kind_of(commit("Check the bit", body="See #12, which this does not fix.")) == "chore"


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (".github/workflows/x.yml", "ci"),
        (".github/README.md", "docs"),
        ("python/tests/a.py", "test"),
        ("latest/contest.py", "source"),
        ("src/testing_ground.rs", "source"),
        ("docs/conf.py", "docs"),
        ("LICENSE", "docs"),
        ("Cargo.lock", "build"),
        ("version.txt", "version"),
        ("third_party/cutlass", "build"),
        ("third_party/cutlass/a.cc", "source"),
        (".gitignore", "settings"),
        ("src/docs.rs", "source"),
        ("a b/ü.py", "source"),
        ("", "source"),
    ],
)
def test_where_a_file_belongs(path: str, place: str) -> None:
    assert place == place_of(path)


def test_rules_have_names_of_their_own_and_the_last_always_decides() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
    assert ("chore", names[-1]) == decided(commit("Sync"))


@given(st.text(max_size=500), st.text(max_size=200), st.lists(st.text(max_size=40), max_size=3))
def test_any_commit_has_a_kind(subject: str, body: str, paths: list[str]) -> None:
    assert kind_of(commit(subject, body=body, paths=paths))


def test_kinds_are_told_at_once() -> None:
    """A fifth of a millisecond a commit at most, long ones too."""
    many = [commit(subject + " x" * (number % 300), paths=paths) for number in range(3) for subject, paths, _ in TABLE]
    began = time.thread_time()
    for one in many:
        kind_of(one)
    assert (time.thread_time() - began) / len(many) < 0.001
