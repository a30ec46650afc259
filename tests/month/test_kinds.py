"""Which kind a commit is, and which rule says so."""

from __future__ import annotations

import pytest
from values import changed, commit

from benchmarks.kinds import labelled
from bot.model import FileChange, Kind
from bot.month.kinds import begins, decided
from bot.month.paths import place_of

SRC, TEST, DOCS, CI, BUILD = (
    "src/engine.py",
    "tests/test_engine.py",
    "docs/use.md",
    ".github/workflows/ci.yml",
    "setup.py",
)

TABLE: list[tuple[str, list[str], Kind]] = [
    ("Add benchmarks for dials", [SRC, "benches/dials.rs"], "chore"),
    ("Add a command to run benchmarks", [SRC], "feature"),
    # what is said first of all
    ('Revert "Add a cache"', [SRC], "revert"),
    ("Back out D123456", [SRC], "revert"),
    ("Backed out changeset abc", [TEST], "revert"),
    ("[fix] Revert the flag (#12)", [SRC], "revert"),
    ("Reverting the readme", [DOCS], "revert"),
    ("dependencies: find mills by name", ["mill/dependencies/mill.py"], "chore"),
    ("Release v1.2.0", ["CHANGELOG.md", SRC], "release"),
    ("v1.2.0", [SRC], "release"),
    ("0.0.30", ["CHANGELOG.md"], "release"),
    ("Version 0.0.30", ["CHANGELOG.md"], "release"),
    ("Bump version to 0.7 (#1045)", ["setup.py"], "release"),
    ("Bump development version from 0.0.30 to 0.0.31", ["version.txt"], "release"),
    ("Bump for release", [SRC, "NEWS.rst"], "release"),
    ("Bump for development", [SRC], "release"),
    ("Remove exponential moving average", [SRC], "refactor"),
    ("Changed VERSION to 2.15.0.dev0", ["VERSION.txt"], "release"),
    ("p010 upgrade", ["bot/version.py"], "release"),
    ("create-app@2.4.3", ["packages/create-app/CHANGELOG.md", "packages/create-app/package.json"], "release"),
    ("Cut 2.49.1 with a repair of scraping", ["VERSION", "CHANGELOG.md"], "release"),
    ("chore: prep release 3.13.1 with a fix", ["VERSION", "CHANGELOG.md"], "release"),
    ("Version Packages (#7)", ["CHANGELOG.md", "packages/mill/package.json", SRC], "release"),
    ("Cut down the examples (#3099)", [SRC], "chore"),
    ("Update version compatibility to allow torch 2.11", [SRC], "chore"),
    ("Print the version", ["src/tool/commands/version.py"], "chore"),
    ("Prepare the 2.0 release", [SRC], "release"),
    # what only looks like work
    ("fix rst doc formatting", [SRC], "docs"),
    ("Correct CHANGES entry and latex comments", ["CHANGES.rst", SRC], "docs"),
    ("Fix breaking changes note", ["pkg/i18n/english.go"], "docs"),
    ("Rewrite tests for #17857", ["tests/mill/a.md", "tests/mill/b.md", "tests/mill/list.test.js"], "test"),
    ("Clean up the dial tests", [SRC, TEST], "test"),
    ("Lower no dials", ["lib/testing/suite/test_dials.py", "doc/changelog/unreleased_20/12.rst"], "test"),
    ("feat(dial): add payload builders", ["dial/CHANGES.md", "dial/src/test.rs"], "feature"),
    # what is handled or avoided, with tests
    ("mill: handle empty sacks", [SRC, TEST], "fix"),
    ("Ensure whole numbers", [SRC, TEST], "fix"),
    ("Escape file paths before rewriting", [SRC, TEST], "fix"),
    ("Avoid duplicated loops", [SRC, TEST], "refactor"),
    # documents or tests, however many, make no work one of them
    ("Tweaks to references", [*(f"docs/{n}.md" for n in range(9)), SRC], "chore"),
    # words that name documents or tests beside what is work
    ("Fix a panic of rows when skipping comments", [SRC], "fix"),
    ("fix(build): remove manpage, keep the target", [SRC], "fix"),
    ("The offline test fix", [SRC, TEST], "test"),
    ("Changelog fix for #12", [SRC], "docs"),
    ("Dep upgrades for debian", [SRC], "build"),
    ("fix(e2e): stabilize the runner", [SRC], "test"),
    ("Turn the mill", ["kitty_tests/a.py", "test cases/9 mill/mill.c"], "test"),
    # what only those notice who write the code
    ("Create a stronger cache abstraction", [SRC], "refactor"),
    # paths before words
    ("Fix the build", [CI], "ci"),
    ("Add a workflow", [CI, ".pre-commit-config.yaml"], "ci"),
    ("Add support for dark mode to the site", ["docs/conf.py", "docs/index.rst"], "docs"),
    ("A sandbox to set", ["playgrounds/sandbox/run.js"], "build"),
    ("Fix flaky timing", ["changelog.d/12.misc"], "docs"),
    ("Speed up", ["tests/test_a.py", "tests/conftest.py"], "test"),
    ("Add FooTest", ["pkg/FooTest.cc"], "test"),
    ("feat: run on arm", [CI], "ci"),
    # what the author says
    ("feat(auth)!: login", [SRC], "feature"),
    ("Fix: handle None", [SRC], "fix"),
    ("Fix #17: Crash when nobody has looked (#18)", [SRC, DOCS], "fix"),
    ("Fixed #17 -- Used the last one", [SRC], "fix"),
    ("Bug 17 - Use of old dials", [SRC], "fix"),
    ("Fixes #17: Add a dial", [SRC], "feature"),
    ("perf(core): cache", [SRC], "performance"),
    ("refactor: split", [SRC], "refactor"),
    ("style: sort imports", [SRC], "refactor"),
    ("test: cover it", [SRC, TEST], "test"),
    ("build: use hatch", [SRC, BUILD], "build"),
    ("ci: shard", [SRC, CI], "ci"),
    ("[bugfix] Guard the index", [SRC], "fix"),
    ("[BE][docs] Say what it does", [SRC], "docs"),
    # a chore is what nothing better says
    ("chore(deps): bump serde to 1.2", [SRC, "Cargo.toml"], "build"),
    ("chore: sync", [SRC], "chore"),
    # no source at all
    ("Add lints", ["Cargo.toml", "deny/Cargo.lock"], "build"),
    ("Support Python 3.13", [BUILD, CI, "pyproject.toml"], "build"),
    ("Update .gitignore", [".gitignore"], "build"),
    # dependencies
    ("Bump anyhow from 1.0.95 to 1.0.98", [SRC, "Cargo.lock"], "build"),
    ("Upgrade numpy", [SRC, BUILD], "build"),
    ("Support rolling upgrades", [SRC, "Cargo.lock"], "feature"),
    ("Update lock file parser to drop dependency cycles", [SRC], "chore"),
    # tidying is no repair, and mending what stands around the program is none of it
    ("Fix formatting", [SRC], "chore"),
    ("fix typo : whic -> which (#2495)", [SRC], "chore"),
    ("Fix unused_imports lint in hyperactor", [SRC], "chore"),
    ("yet more lints", [SRC], "chore"),
    ("Fix an infinite loop for `Lint/AssignmentInCondition`", [SRC], "fix"),  # a rule of that name
    ("Fix type annotations of the planner", [SRC], "refactor"),
    ("Fix remaining type safety issues", [SRC], "refactor"),
    ("utils: fix typing of check_dials", [SRC], "refactor"),
    ("dependencies: remove bogus StructuredSources annotation", ["mill/dependencies/base.py", SRC], "refactor"),
    ("Fix access of annotations in `dial()`", [SRC], "fix"),
    ("Fix the release script", ["tools/release.py"], "build"),
    ("Silencing alerts is no longer necessary", ["changelog.d/12.misc", "scripts-dev/release.py"], "build"),
    ("fix(build): honor the target", ["Cargo.toml", "xtask/a.rs", "xtask/b.rs", "xtask/c.rs", SRC], "build"),
    # documents and tests by their words
    ("Update docstrings for stride_per_key", [SRC], "docs"),
    ("[PyTorch] Documentation for op fuser API", [SRC, DOCS], "docs"),
    ("Document a multipart bug", ["src/lib.rs"], "docs"),
    ("Add unit tests for the mailbox", [SRC, TEST], "test"),
    ("Disable sp24 tests on H100", [SRC, TEST], "test"),
    ("resolve broken DB tests (#1491)", ["src/db.rs"], "test"),
    ("Add test support for CUDA", [SRC, TEST], "feature"),
    ("Test the round trip of every message", ["src/message.rs"], "test"),
    # faster, where it says so
    ("Optimize linearize_cache_indices (#925)", [SRC], "performance"),
    ("Speedup linearize_index", [SRC], "performance"),
    ("avoid quadratic child rescan in append_leaves (#5199)", [SRC], "performance"),
    ("Improve MX4 perf Pt. 4", [SRC], "performance"),
    ("Startup 3.5x faster (#2099)", [SRC], "performance"),
    ("mailbox: optimize the accepted path", [SRC], "performance"),
    ("Reduce memory usage of the cache", [SRC], "performance"),
    ("Robustness/Perf improvements", [SRC], "performance"),
    ("Add optimizer state to the checkpoint", [SRC], "feature"),
    # repairs
    ("net: channel: fix the order", [SRC], "fix"),
    ("Handle empty KJT edge case", [SRC, TEST], "fix"),
    ("Prevent integer overflow", [SRC], "fix"),
    ("Don't swallow errors if the import fails", [SRC], "fix"),
    ("Minor fix for operator precedence", [SRC], "fix"),
    ("OSS Build fix for GPRO", [SRC], "fix"),
    ("Fix performance regression in the backward pass", [SRC], "fix"),
    ("Do not ignore the timezone of dials", [SRC], "fix"),
    ("Do not treat reads of nothing as the end", [SRC, TEST], "fix"),
    ("fix: move the tests of mills to smoke", [CI, "t/smoke/tasks.py", TEST], "test"),
    ("chore: Add missing godoc comments in planner, workflow", [SRC], "docs"),
    ("time: add panic docs to `turn()`", [SRC], "docs"),
    ("testscripts/mill: Update 'future' date", [SRC], "test"),
    ("Handle more options", [f"src/{name}.py" for name in "abcdefghij"], "chore"),
    ("Handle dates in the query", [SRC, TEST, DOCS], "feature"),
    ("Return the rest when the page is empty", [SRC, TEST], "chore"),
    ("Warn when the page is empty", [SRC, TEST], "chore"),
    ("prefix and suffix of a fixed size", [SRC], "chore"),
    # new things
    ("Allow forcing triton", [SRC], "feature"),
    ("bootstrap: introduce process launcher backend", [SRC], "feature"),
    ("Support > 1 GB put/send with chunking", [SRC], "feature"),
    ("Add missing arguments to the constructor", [SRC], "fix"),
    ("Add a check before the call", [SRC], "chore"),
    ("MX4 rounding modes", [SRC, TEST, DOCS], "feature"),
    # rearranging
    ("Int8Tensor migration cleanup (#3407)", [SRC], "refactor"),
    ("- Cleanup *-sys build.rs to use shared utils", [SRC, "build.rs"], "refactor"),
    ("Migrate linearize kernels to FBGEMM_LAUNCH_KERNEL", [SRC], "refactor"),
    ("Drop support for Python 3.8", [SRC], "refactor"),
    # nothing says
    ("Use one local query partition", [SRC], "chore"),
    ("Merge branch 'theme'", [], "chore"),
    ("WIP", [SRC], "chore"),
    ("Update", [SRC], "chore"),
    ("", [SRC], "chore"),
    ("https://example.com/x", [SRC], "chore"),
    ("修复缓存", [SRC], "chore"),
]  # fmt: skip


def test_the_kind_of_a_commit() -> None:
    commits = [(commit(subject, paths=paths), kind) for subject, paths, kind in TABLE]
    wrong = [(one.subject, decided(one), kind) for one, kind in commits if decided(one).kind != kind]
    assert wrong == []


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ([changed("src/new.py", state="added")], "feature"),
        ([changed("src/new.py", state="added"), changed("src/old.py", state="deleted")], "chore"),
        ([changed("src/old.py", state="deleted")], "chore"),
        ([FileChange("src/b.py", "renamed", old_path="src/a.py")], "chore"),
        ([FileChange("src/b.py", "renamed", old_path="notes/a.md")], "feature"),
        ([changed(SRC), changed(TEST), changed(DOCS)], "feature"),
        ([changed(SRC), changed(TEST, state="added")], "chore"),
        ([FileChange("logo.bin", "modified", binary=True)], "chore"),
        ([], "chore"),
    ],
)
def test_where_no_word_decides_the_shape_may(files: list[FileChange], kind: Kind) -> None:
    assert kind == decided(commit("The thing of the thing", paths=files)).kind


@pytest.mark.parametrize(
    ("subject", "note", "kind"),
    [
        ("Send dials when mills are off", "changelog.d/12.bugfix", "fix"),
        ("Send dials when mills are off", "changelog.d/12.feature", "feature"),
        ("Send dials when mills are off", "newsfragments/12.doc.rst", "docs"),
        ("Fix the dials of mills", "news/12.feature.1.md", "feature"),
        ("Send dials when mills are off", "changelog.d/12.misc", "chore"),
        ("Send dials when mills are off", "app/changelog.d/dial.py", "chore"),
    ],
)
def test_a_note_of_the_changelog_says_of_what_kind_its_change_is(subject: str, note: str, kind: Kind) -> None:
    assert kind == decided(commit(subject, paths=[SRC, changed(note, state="added")])).kind
    assert decided(commit("Send dials", paths=[SRC, changed(note, state="deleted")])).kind == "chore"  # of a release
    assert decided(
        commit("Fix dials", paths=["scripts-dev/a.sh", changed(note, state="added")])
    ).chore  # nothing of the product


@pytest.mark.parametrize(
    ("subject", "paths", "is_sure"),
    [
        ('Revert "Add a cache"', [SRC], True),
        ("Anything", [DOCS], True),
        ("fix: handle None", [SRC], True),
        ("Fix the order", [SRC, TEST], True),
        ("Fix a race condition", [SRC], True),
        ("Fix the order", [SRC], False),
        ("Ensure the order", [SRC], False),
        ("Support dates", [SRC], False),
        ("Add dates", [SRC], False),
        ("Add dates", [SRC, TEST, DOCS], True),
        ("Move dates", [SRC], False),
        ("Anything", [SRC], False),
    ],
)
def test_how_sure_a_kind_is_comes_from_its_rule(subject: str, paths: list[str], is_sure: bool) -> None:
    decision = decided(commit(subject, paths=paths))
    assert is_sure == decision.is_sure, decision


def test_an_issue_closed_as_fixed_makes_a_fix() -> None:
    assert decided(commit("Check the bit", body="More words.\n\nFixes #12")).kind == "fix"
    assert decided(commit("Check the bit", body="* fixes acme/engine#12")).kind == "fix"
    many = [changed(f"src/bit{n}.py") for n in range(9)]  # an issue of something new is closed so, too
    assert decided(commit("Chained bits", body="Fixes #12\n\nThis chains them.", paths=many)).kind == "chore"
    assert decided(commit("Check the bit", body="See #12, which this does not fix.")).kind == "chore"


@pytest.mark.parametrize("verb", ["Remove", "Delete", "Drop", "Deprecate"])
def test_what_ends_something_and_closes_an_issue_is_a_fix_only_of_a_fault_that_it_names(verb: str) -> None:
    bit, race = (commit(f"{verb} the {one}", body="More words.\n\nFixes #12") for one in ("old bit", "race in it"))
    assert (decided(bit).kind == "fix", decided(race).kind) == (False, "fix")


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
        ("license.txt", "docs"),
        ("config/security/securityConfig.go", "source"),
        ("mill/Changes.cs", "source"),
        ("t/smoke/tasks.py", "test"),
        ("Cargo.lock", "build"),
        ("version.txt", "version"),
        ("third_party/cutlass", "build"),
        ("third_party/cutlass/a.cc", "source"),
        (".gitignore", "settings"),
        ("deploy/values.yaml", "settings"),
        ("vite.config.ts", "settings"),
        ("mkdocs.yml", "docs"),
        ("website/index.html", "docs"),
        ("src/page_spec.ts", "test"),
        ("lib/version.py", "version"),
        ("src/tool/commands/version.py", "source"),
        ("d/" * 5000 + "docs/a.py", "docs"),
        ("src/docs.rs", "source"),
        ("src/compiler/tools/doc/type.cr", "source"),
        ("src/doc/guide.md", "docs"),
        ("tests/format/list.md", "test"),
        ("tests/README.md", "docs"),
        ("website/src/pages/index.tsx", "docs"),
        ("engine/docs/src/conf.py", "docs"),
        ("compiler/src/docs/tests.rs", "test"),
        ("shop/tests.py", "test"),
        ("scripts/test.sh", "source"),
        ("changelog.d/12.misc", "note"),
        ("a b/ü.py", "source"),
        ("", "source"),
    ],
)
def test_where_a_file_belongs(path: str, place: str) -> None:
    assert place == place_of(path)


@pytest.mark.parametrize("verb", ["handle handles handled handling", "drop drops dropped dropping", "fix fixes fixed",
                                  "simplify simplifies simplifying", "split splitting", "add adding"])  # fmt: skip
def test_a_verb_is_found_in_all_its_forms(verb: str) -> None:
    plain, *forms = verb.split()
    assert all(begins(plain).match(f"{form} it") for form in (plain, *forms))
    assert not begins(plain).match(f"{plain}ation")


@pytest.mark.parametrize(
    ("subject", "paths", "left", "kind"),
    [
        ("feat(web)!: add a page", [SRC], "add a page", "feature"),
        ("Fix: ci: the order", [SRC], "the order", "fix"),
        ("style: sort", [SRC], "sort", "refactor"),
        ("fix: the order", [DOCS], "the order", "docs"),
        ("chore(deps-dev): bump it", [SRC], "bump it", "build"),
        ("chore(main): release 2.1.0", ["CHANGELOG.md"], "release 2.1.0", "release"),
    ],
)
def test_the_measurement_takes_the_prefix_away(subject: str, paths: list[str], left: str, kind: Kind) -> None:
    found = labelled("acme/engine", commit(subject, paths=paths, body="* fix(web): the page\n\nNote: kept"))
    assert found is not None
    assert (left, kind) == (found.commit.subject, found.kind)
    assert found.commit.body == "* the page\n\nNote: kept"
    assert labelled("acme/engine", commit("Merge: a branch")) is None


@pytest.mark.parametrize("repository", ["rubocop/rubocop", "black", "acme/golangci-lint", "ruff"])
@pytest.mark.parametrize("title", ["Fix a crash of black on empty files", "Fix lint errors that are shown twice"])
def test_where_a_linter_is_made_linters_are_the_work(repository: str, title: str) -> None:
    """Elsewhere it is only said that the code is formatted."""
    there, elsewhere = (decided(commit(title, repository=one)) for one in (repository, "acme/web"))
    assert (there.chore, elsewhere.chore) == ("", "lint and formatting")
