"""Titles and paths → what sort of change it is, what is only counted, what says nothing, and what is one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from values import another_commit, changed, commit

from bot.model import Change, Commit, FileChange
from bot.month.histories import by_commit, histories_of, month_changes
from bot.month.kinds import says_nothing
from bot.month.releases import Entry
from bot.story.things import Thing, judge, judged, things_of

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
        ("API: publish forecasts as arrays (BC)", "act"),
        ("chore: require node 26", "new"),
        ("Prevent unauthenticated re-run of the wizard", "security"),
        ("Allow unauthenticated access to the meters", "new"),
        ("Update (bc) helper", "new"),
        ("drop end of life python versions", "act"),
        ("Remove deprecated Int8Layout", "act"),
        ("Delete the legacy settings", "act"),
        ("Deprecate AQT and related classes", "act"),
        ("Deprecate `Mill::grind`", "act"),
        ("lib: Move site.Data to mill.Data, deprecate Site.Pages", "act"),
        ("lib: Add Mill.Sites to the deprecation notice", "new"),
        ("feat!: rename the table", "act"),
        ("fix!: read the table anew", "act"),
        ("fix!(theme): reject colours of four digits", "act"),
        ("chore!: Remove the disable_broad_index_queries setting", "act"),
        ("Re-disable legacy authorization methods by default", "act"),
        ("pipefail: enable by default", "act"),
        ("Removed skip_false and --skip-false", "act"),
        ("Remove mill.py support", "act"),
        ("Stabilize new default rules", "act"),
        ("Add newly stabilized rules to defaults", "act"),
        ("get rid of deprecated checks", "act"),
        ("Mark the arguments as deprecated", "act"),
        ("feat(mill): enable the new wheel by default and clean CI", "act"),
        ("Add a wheel, off by default", "new"),
        ("Build with ASAN by default", "new"),
        ("Fix --wheels of none by default", "fixed"),
        ("perf: Lower `drop_{nulls,nans}` in streaming", "new"),
        ("don't ask for the wheel as it's there by default", "new"),
        ("Add a Minimal Server (pt 2)", "new"),
        ("Delete the task state and the legacy module", "cleaning"),
        ("fixed breaking tutorials", "fixed"),
        ("Migrate -Xjvm-default to -jvm-default", "new"),
        ("Crash daemon from a dedicated thread", "new"),
        ("Fix metrics collection", "fixed"),
        ("Fixed-size buffers", "new"),
        ("Remove the placeholder, make module_def_info Option", "cleaning"),
        ("Detect the types of columns by default", "new"),
        ("zsh: improve minimum version check", "new"),
        ("Make `Debug` of wheels more compact by default", "new"),
        ("Get rid of the settings-dependent `grind` wrapper", "cleaning"),
        ("mill: remove TODO to drop the deprecated Wheel", "cleaning"),
        # Nothing to act on: repaired, inside, cleaned, or of the program's own tests.
        ("Fix deprecated TreeSpec CTOR", "fixed"),
        ("Remove unused option", "cleaning"),
        ("Remove deprecated calls from the tests", "new"),
        ("object-file: remove flags from read_object", "cleaning"),
        ("lower the minimum version of numpy", "new"),
        ("Make default_bootstrap_cmd public API", "new"),
        ("Update to Angular v22", "new"),
        ("Set default value in the constructor", "new"),
        ("on error 422, default to showing its text", "new"),
        ("launchbox: remove ::Pulse, simplify settings storage", "cleaning"),
        # Security, before all else.
        ("CVE-2026-1234: check lengths", "security"),
        ("security: check lengths", "security"),
        ("Merge commit from fork", "security"),
        ("Fix path transversal exposure in plugins", "security"),
        ("Sanitize lyric paths against directory traversal", "security"),
        # Repairs.
        ("Fix memory leak in the router", "fixed"),
        ("Avoid deadlocks using NpyString API", "fixed"),
        ("Float8 deepseekv3 IntOverflow in kernels", "fixed"),
        ("reference leak in the parser", "fixed"),
        ("Prevent out-of-bounds reads of lyrics", "fixed"),
        ("remove: don't fail when the manifest is missing", "fixed"),
        ("Prevent concurrent access to the wheel", "fixed"),
        ("mill: properly handle stones of no weight", "fixed"),
        ("advance partly written buffers correctly", "fixed"),
        ("Stop actions from leaking files into the source tree", "fixed"),
        ("Wait for slots to fix concurrent access", "fixed"),
        ("guard against malicious option lengths", "security"),
        ("Fix log leaking credentials of millers", "security"),
        ("Update security patch version", "new"),
        ("Move path checks before unpacking (CVE-2026-1234)", "security"),
        ("refactor: read the CSRF token once", "cleaning"),
        # What only sounds like one.
        ("Avoid unnecessary allocations of spans", "new"),
        ("Handle wheels of stone", "new"),
        ("Don't draw the wheel twice", "new"),
        ("feat: prevent publishing with the default main", "new"),
        ("provide a script with the fix of the wheel", "new"),
        ("Reduce the deadlock cap", "new"),
        ("Fixes #17: Add a filter of stones", "new"),
        ("Fixes #17: Hide the wheel of a mill that has none", "fixed"),
        ("Add a crash reporter", "new"),
        # The rest.
        ("Replace the mill with a windmill", "new"),
        ("Rename the mill", "cleaning"),
        ("Remove redundant `begin` blocks", "cleaning"),
        ("Move init methods to vm_init.cpp", "cleaning"),
        ("Add a lamp", "new"),
        ('Revert "Add a lamp"', "out"),
        ('Re-land "Add a lamp"', "new"),
        ('Revert "Revert "Add a lamp""', "new"),
        ("Build with Go 1.20, keep minimum at 1.18", "new"),
        # What changes nothing for whoever uses it.
        ("mill metrics: Move the server to its own package", "cleaning"),
        ("Generate getters to remove duplications", "cleaning"),
        ("Everywhere: Make serialization fallible", "cleaning"),
        ("Change ArgStyle::Default -> Named", "new"),
        ("Remove cgo command re-invocation", "cleaning"),
        ("mill: remove `:oil`, `:turn`, `:stop` commands", "act"),
        ("Remove setting length to 0px", "cleaning"),
        # Repairs that say so in other words, or behind a second colon.
        ("Return an error instead of panic on bad wheels", "fixed"),
        ("mill: cycle_detector: don't panic on shutdown", "fixed"),
        ("std dt diff: fix a field without a value", "fixed"),
        ("Add missing `Inc()`", "fixed"),
        ("Added a null check to avoid segfault", "fixed"),
        ("Require properly typed results", "new"),
        ("Require Node.js 22 for development build", "new"),
    ],
)
def test_a_change_is_of_a_sort(subject: str, expected: str) -> None:
    assert judge(change(subject), ()).sort == expected


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ("Ensure timers stay in their runtime", "Fixes #12", "fixed"),
        ("Ensure timers stay in their runtime", "See #12", "new"),
        ("Disallow shadowed words", "I'm calling this a breaking change.", "act"),
        ("Disallow shadowed words", "It mends.\n\nThis is a breaking change for millers.", "act"),
        ("Read words once", "## Is this a breaking change?\n\nNo.", "new"),
        ("Read words once", "I don't think this is a breaking change.", "new"),
        ("Read words once", "We do not consider this a breaking change since nobody reads.", "new"),
        ("Read words once", "Not exploitable here, but silences the scanner.", "new"),
        ("Read words once", "The reader is publicly exploitable.", "security"),
        ("Call mills by name", "Stopping then ended\ncrashing with an OSError.", "new"),
        ("make sure the formatter no longer stack overflows", "", "fixed"),
        ("Allow timers to move", "Closes #12", "new"),
        ("Avoid copies of names", "Closes #12", "new"),
        ("Avoid copies of names", "Fixes #12", "fixed"),
        ("Fix the size of a frame", "A malicious board could send more, which nobody plugs in.", "fixed"),
        ("Map groups", "An unprivileged process may write this file.", "new"),
        ("Add a macro", "Written by hand.\n\nSwitch the default later.", "new"),
        ("Let callers set it", "The old one is the default where nothing is set.", "new"),
        ("Oil it once", "Fixes #12", "fixed"),
        ("Bump oil for its new form", "Fixes #12", "new"),
        ("Oil it once", "It was slow. Some day somebody fixes the wheel.", "new"),
        ("Add a wheel", "Fixes #12", "new"),
        ("Improve the wheel", "Turn it.\n\n## break change\nBefore, it turned twice.", "act"),
        ("Improve the wheel", "Turn it.\n\n### Breaking changes\n\nNone.", "new"),
        ("Improve the wheel", "Turn it.\n\n### Breaking changes\n\n## Tests", "new"),
        ("Improve the wheel", "Turn it.\n\n### Breaking changes", "new"),
    ],
)
def test_a_body_tells_of_what_sort_a_change_is(subject: str, body: str, expected: str) -> None:
    assert judge(change(subject, body=body), ()).sort == expected


def test_security_is_what_mends_the_product_and_no_page_about_it() -> None:
    body = "This fixes CVE-2026-1234."
    assert judge(change("Check lengths", body=body), ()).sort == "security"
    assert judge(change("Fix potential XSS by escaping URLs in links"), ()).sort == "security"
    assert judge(change("Tidy the filter of XSS"), ()).sort == "cleaning"
    notes = "Release notes\n\nBREAKING CHANGE: it reads no more"
    assert judge(change("Build the mill", body=notes), ()).sort == "act"
    assert judge(change("chore(deps): bump mill from 1.0 to 2.0", "Cargo.lock", body=notes), ()).sort != "act"
    assert judge(change("security: pin actions", ".github/workflows/a.yml"), ()).sort != "security"
    assert judge(change("Add CVE-2026-1234 to the track record", "website/cves.yml"), ()).sort != "security"


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
        ("Run tree-wide dotnet format", ["src/a.cs"], "lint and formatting"),
        ("lints: clippy 1.95", ["src/a.rs"], "lint and formatting"),
        ("Link against zlib", ["CMakeLists.txt"], "build"),
        ("Add changelog for 1.20.3", ["CHANGELOG.md", "src/version.cr"], "docs"),
        ("release-notes.txt: add 2025.04 release notes", ["release-notes.txt"], "docs"),
        ("tutor: fix typos in section 11.2", ["runtime/tutor"], "docs"),
        ("Add XML docs to small enums", ["src/enums.cs"], "docs"),
        ("type: add example to doc comment", ["src/type.rs"], "docs"),
        ("doc/guides: Add a policy", ["doc/policy.md", "dist/words.txt"], "docs"),
        ("Add more documentation to the command line", ["src/lib.rs"], "docs"),
        ("time: fix reversed poll order in timeout doc", ["src/time.rs"], "docs"),
        ("examples: add graceful shutdown", ["examples/a.rs", "examples/Cargo.toml"], "docs"),
        ("bench: add remote_spawn", ["benches/a.rs", "benches/Cargo.toml"], "benchmarks"),
        ("Add a benchmark for the mill and its wheel", ["src/mill.rs", "benches/a.rs"], "benchmarks"),
        ("mill: add `turn` option to redis-benchmark", ["src/mill.rs"], ""),
        ('Revert "test: add snapshots"', ["src/lib.rs"], "tests"),
        ('Revert "Update module google.golang.org/grpc to v1.81.0"', ["src/lib.go", "go.mod"], "bumps and versions"),
        ("drivers/spi: add doc about multiple buses", ["drivers/spi.h"], "docs"),
        ("Support CI pipelines", ["src/ci.rs"], ""),
        ("Add CI format check", ["src/a.cs", ".github/a.yml"], "CI"),
        ("Apply `mbake` formatter for `Makefile`", ["Makefile", "src/a.cr"], "lint and formatting"),
        ("adjust spelling of simlink->symlink", ["src/a.rs"], "lint and formatting"),
        ("Add changelogs for older releases", ["CHANGELOG.md", "src/a.cr"], "docs"),
        ("release-notes.txt: add 2026.04", ["release-notes.txt"], "docs"),
        ("cpu: Add missing doc.md files", ["cpu/a/doc.md", "cpu/a/doc.txt"], "docs"),
        ("error: add more tests", ["src/error.rs"], "tests"),
        ("Update dependency SharpCompress to 0.49.1", ["src/a.cs", "a.csproj"], "bumps and versions"),
        ("Fix indentation", ["src/a.rs"], "lint and formatting"),
        ("Fix violations reported by ameba 1.7", ["src/a.cr"], "lint and formatting"),
        ("core & lamps: fix compiler warnings", ["src/a.c"], "lint and formatting"),
        ("Add a lil comment", ["src/a.rs"], "docs"),
        ("Add comments to tasks", ["src/a.rs"], ""),
        ("mills: add guide for choosing between stones", ["src/mill.rs"], "docs"),
        ("Add note about precision in Mill.turn", ["lib/mill.ex"], "docs"),
        ("Debian packaging: update dependencies", ["debian/control"], "bumps and versions"),
        ("stones: enable the `unsafe_stone` lint of clippy", ["src/stone.rs"], "lint and formatting"),
        ("Merge user and workspace settings", ["src/stone.rs"], ""),
        ("Fix warning when a wheel turns twice", ["src/stone.rs"], ""),
        ("Add documentation support for stones", ["src/stone.rs"], ""),
        ("LibC: Add some POSIX spec comments to endian.h", ["src/endian.h"], "docs"),
        ("Inline Documentation Fixes", ["src/a.rs"], "docs"),
        ("sync: clarify that recv returns None once closed", ["src/sync.rs"], "docs"),
        ("Clarify which error messages are shown", ["src/sync.rs"], ""),
        ("clarify that recv returns None once no more messages come", ["src/sync.rs"], "docs"),
        ("io: add `Bridge` cross-references to `copy`", ["src/io.rs"], "docs"),
        ("lib/clist: fix example of clist_foreach usage", ["lib/clist.h"], "docs"),
        ("Update the changelog and format properly", ["CHANGELOG.md", "src/a.rs"], "docs"),
        ("Rustfmt + Fix changelog update", ["CHANGELOG.md", "src/a.rs"], "lint and formatting"),
        ("fix(book): prefix the theme", ["book/theme/a.css", "src/a.rs"], "docs"),
        ("operator: update Go to v1.25, dependencies, tools and CI", ["operator/a.go", "go.mod"], "bumps and versions"),
        ("Document how mills turn", ["src/mill.rs"], "docs"),
        ("Document highlights of a symbol", ["src/lsp.rs"], ""),
        ("Show release notes in the app", ["src/app.rs"], ""),
        ("Add test runner for internal providers", ["src/runner.rs"], ""),
        ("help: document list input support for hash", ["src/hash.rs"], "docs"),
        ("Clarify which names the log has", ["src/log.rs"], ""),
        ("fix formatting of functions", ["src/format.rs"], ""),
        ("cargo fmt", ["src/a.rs", "src/b.rs"], "lint and formatting"),
        ("rts: add some doc blocks in rts code", ["src/a.cpp"], "docs"),
        ("chore: perpare 1.52.0", ["README.md", "CHANGELOG.md", "Cargo.toml"], "build"),
        ("Fix per-case timeout of a stack trace in a unit test", ["src/a.rs"], ""),
        ("Add black theme", ["src/theme.rs"], ""),
        ("Fix `Mill#turn(r, g, b)` comment", ["src/mill.cr"], "docs"),
        ("cmd: Adjust documentation for commands", ["src/mill.go"], "docs"),
        ("Update README.md: add a command", ["src/mill.go", "README.md"], "docs"),
        ("go.mod: Upgrade various dependencies", ["src/mill.go", "go.mod"], "bumps and versions"),
        ("Add git mailmap", [".mailmap"], "build"),
        ("Add changelog notes for 25.01", ["CHANGELOG.md", "src/mill.rs"], "docs"),
        ("Add integration tests which test happy path", ["src/mill.go"], "tests"),
        ("fix: lint error in main branch", ["src/mill.go"], "lint and formatting"),
        ("Squashed 'lib/wheel/' changes from 95fc6da9d..5e5a75d13", ["lib/wheel/a.cr"], "bumps and versions"),
        ("Show what was found", ["configure.ac", "Makefile.am"], "build"),
        ("Wheels of stone", ["regress/wheel.sh", "regress/stone.sh"], "tests"),
        ("Updating changelog, release notes and references", ["src/mill.go", "CHANGELOG.md"], "docs"),
        ("Correct the editor's search settings", [".vscode/settings.json"], "build"),
        ("Be tolerant to messages of a library", ["tests/test_mill.py", "changelog.d/12.misc"], "tests"),
        ("Say how a mill is tested", ["tests/test_mill.py", "docs/mill.md"], "docs"),
        ("Add guided seeds", ["fuzz/seeds.py"], "tests"),
        ("Update facade docblocks", ["src/Mill.php"], "docs"),
        ("Try the mill of tomorrow", ["continuous_integration/mill.sh"], "CI"),
        ("vendor: acme/mill v0.9.1", ["go.mod", "vendor/acme/mill/a.go"], "bumps and versions"),
        ("add a script that orders the pages", ["scripts/order.ts", "CHANGELOG.md", "package.json"], "build"),
        ("Add ada as a maintainer", ["CODEOWNERS", "MAINTAINERS.md"], "docs"),
        ("chore: Go dependencies update before 3.11", ["go.mod", "Makefile", "src/mill.go"], "bumps and versions"),
        ("chore: Update nightly Rust compiler version", ["src/a.rs", "rust-toolchain.toml"], "bumps and versions"),
        ("chore: fix emptyStringTest issues from gocritic", ["src/mill.go"], "lint and formatting"),
        ("feat(mill): enable the new wheel and clean CI", ["src/mill.go", ".github/a.yml"], ""),
    ],
)
def test_what_is_only_counted(subject: str, paths: list[str], expected: str) -> None:
    assert change(subject, *paths).chore == expected


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
        "Backport pull request #16944 from acme/release-10.11.z",
        "numeric fix",
        "Fixed bugs",
        "fix #3099",
        "Correct 1049dd6b2a363e1ef302b4161c340fb8582f627a",
        "Revert D98815797",
        "minor improvements and documentation updates",
        "Internal change.",
        "Passkeys improvements",
        "Multiple fixes in retention configuration",
        "proof of concept for dials",
        "More work on dials",
        "Start work on rows",
    ],
)
def test_some_titles_say_nothing(words: str) -> None:
    assert says_nothing(words)


def things(*commits: Commit) -> list[Thing]:
    every = changes_of(*commits)
    by = {one.id: one.lead.author.name for one in every}
    merges = {one.key: one for one in commits if one.is_merge}
    return things_of(every, judged(every), by, merges)


def brought(title: str, *subjects: str, sha: str = "d" * 40) -> Thing:
    """What a merge with such a title brought, of one person."""
    merge = replace(commit("Merge pull request #7 from ada/mill", body=title, sha=sha), parents=("1" * 40, "2" * 40))
    some = [replace(another_commit(one, paths=CODE), via=sha) for one in subjects]
    (one,) = things(merge, *some)
    return one


def test_what_came_and_went_within_a_pull_request_is_part_of_it() -> None:
    one = brought("Add the whole mill", "Add a wheel", "Revert the shapes of names")
    assert (one.judged.title.words, one.judged.sort, len(one.changes)) == ("Add the whole mill", "new", 2)


@pytest.mark.parametrize(
    "title",
    [
        "PiperOrigin-RevId: 956823309",
        "FUTURE_COPYBARA_INTEGRATE_REVIEW=https://x.example/",
        "Add the whole mill and half of the oth…",
    ],
)
def test_a_trailer_or_half_a_title_speaks_for_nothing(title: str) -> None:
    merge = replace(commit("Merge pull request #7 from a/b", body=title, sha="d" * 40), parents=("1" * 40, "2" * 40))
    some = [replace(another_commit(one, paths=CODE), via=merge.sha) for one in ("Add a mill", "Turn it")]
    found = things(merge, *some)
    assert [one.judged.title.words for one in found if one.judged.title.words == title] == []
    assert [len(one.changes) for one in found] == ([1, 1] if title.endswith("…") else [2])


def test_what_a_change_file_calls_breaking_must_be_acted_on() -> None:
    other, one = changes_of(another_commit("Make it skip", paths=CODE), another_commit("Fix leaks of oil", paths=CODE))
    of = judged([one, other], notes={one.lead.key: [Entry("breaking", "It skips what is wet", ())]})
    assert [of[each.id].sort for each in (one, other)] == ["act", "fixed"]
    note = changed("newsfragments/12.removal.rst", 1, 0, "added")
    assert judge(change("Turn the mill", note, *CODE), ()).sort == "act"


@pytest.mark.parametrize(
    ("heading", "is_to_act"),
    [
        *(
            (one, True)
            for one in ("Breaking changes", "BREAKING", "break", "API breaks", "Removed", "removal", "major")
        ),
        *((one, True) for one in ("Backward-incompatible changes", "Deprecations", "Behaviour changes", "upgrade")),
        *(
            (one, True)
            for one in (
                "Upgrade notes",
                "Upgrading from 1.x",
                "Notes on upgrading",
                "Before you upgrade",
                "⬆ Upgrade notes",
            )
        ),
        *(
            (one, False)
            for one in ("Non-breaking changes", "non breaking", "Not breaking", "No deprecations", "Nonbreaking")
        ),
        *((one, False) for one in ("Upgraded parts", "Upgrades", "Upgrade of libraries", "Upgraded dependencies")),
        *((one, False) for one in ("Library upgrade", "Breakpoints", "Line breaks", "Major improvements", "Changed")),
    ],
)
def test_a_heading_of_a_change_log_says_whether_readers_must_act(heading: str, is_to_act: bool) -> None:
    one = change("Add a stone to grind")
    it = judged([one], notes={one.lead.key: [Entry(heading, "It skips what is wet", ())]})[one.id]
    assert (it.sort == "act") == is_to_act


NOTED = Entry("Mill", "Wet grain is ground, too. It was not.", ("#7",))
EMPTY = Entry("Mill", "Grain is weighed. An empty sack is no longer allowed. Try it.", ())
CODED = Entry("Mill", "Wet (e.g. rye. Or oat) goes. Try it.", ())


@pytest.mark.parametrize(
    ("subject", "entries", "expected"),
    [
        ("Add a stone to grind", [NOTED], ("Wet grain is ground, too", "new")),
        ("Add a stone to grind", [replace(NOTED, heading="Bugs fixed")], ("Wet grain is ground, too", "fixed")),
        ("Fix the stone", [replace(NOTED, heading="Features added")], ("Wet grain is ground, too", "new")),
        ("Add a stone to grind", [replace(NOTED, heading="breaking")], ("Wet grain is ground, too", "act")),
        # what ends is not called as if it came
        ("Turn the mill", [Entry("Removed", "Support for stones of granite", ())], ("Turn the mill", "act")),
        ("Turn the mill", [Entry("Removed", "Deprecated stones of granite", ())], ("Turn the mill", "act")),
        ("Turn the mill", [Entry("Removed", "Support for removing stones", ())], ("Turn the mill", "act")),
        ("Turn the mill", [Entry("Removed", "The loud horn. It is removed.", ())], ("Turn the mill", "act")),
        ("Turn the mill", [Entry("Removed", "The horn was removed", ())], ("The horn was removed", "act")),
        ("Turn the mill", [Entry("Deprecated", "The loud horn of it", ())], ("Turn the mill", "act")),
        ("Turn the mill", [Entry("Dropped", "The loud horn of it", ())], ("Turn the mill", "cleaning")),
        ("Turn the mill", [Entry("Known issues", "The loud horn of it", ())], ("Turn the mill", "cleaning")),
        ("Turn the mill", [Entry("Removed", "Drop stones of granite", ())], ("Drop stones of granite", "act")),
        ("Turn the mill", [Entry("Removed", "It is no longer loud", ())], ("It is no longer loud", "act")),
        ("Turn the mill", [Entry("removal", "Deprecate the loud horn", ())], ("Deprecate the loud horn", "act")),
        ("Turn the mill", [Entry("Deprecated", "Deprecated the loud horn", ())], ("Deprecated the loud horn", "act")),
        ("Drop support for Python 3.9", [NOTED], ("Wet grain is ground, too", "act")),
        ("Add a stone to grind (#7)", [replace(NOTED, numbers=("#8",)), NOTED], ("Wet grain is ground, too", "new")),
        # which of them is its own is not said, or it is of nothing that users have
        ("Add a stone to grind", [NOTED, replace(NOTED, text="Turn it by hand")], ("Add a stone to grind", "new")),
        ("Add a stone to grind", [CODED], ("Wet (e.g. rye. Or oat) goes", "new")),
        ("Add a stone to grind", [EMPTY], ("Grain is weighed. An empty sack is no longer allowed", "act")),
        ("Small clean-ups", [NOTED], ("Small clean-ups", "cleaning")),
        ("Add a stone to grind", [NOTED, Entry("breaking", "Wet it by hand", ())], ("Add a stone to grind", "act")),
        (
            "Add a stone to grind",
            [replace(NOTED, text=f"Wet it {n} times") for n in range(9)],
            ("Add a stone to grind", "new"),
        ),
        # a file of its own says so, whatever its words are
        ("Add a stone to grind", [Entry("major", "", ())], ("Add a stone to grind", "act")),
        ("Add a stone to grind", [Entry("major", "", ()), NOTED], ("Wet grain is ground, too", "act")),
        (
            "Fix the stone",
            [Entry("breaking", "", ()), *(replace(NOTED, text=f"Wet it {n} times") for n in range(9))],
            ("Fix the stone", "act"),
        ),
        ("Add a stone to grind", [replace(NOTED, heading="Internals")], ("Add a stone to grind", "new")),
        ("Add a stone to grind", [replace(NOTED, text="Thanks, Ada!")], ("Add a stone to grind", "new")),
        ("Add a stone to grind", [replace(NOTED, text="These are gone (all:")], ("Add a stone to grind", "new")),
        ("Release v2.0", [NOTED], ("Release v2.0", "new")),
    ],
)
def test_a_change_is_called_as_it_is_in_a_change_log(
    subject: str, entries: list[Entry], expected: tuple[str, str]
) -> None:
    one = change(subject)
    it = judged([one], notes={one.lead.key: entries})[one.id]
    assert (it.title.words, it.sort) == expected


def test_an_item_that_is_no_line_tells_only_of_what_sort_its_change_is() -> None:
    one = change("Add a stone to grind")
    it = judged([one], notes={one.lead.key: [Entry("Fixes", "Wet grain is ground " + "here and there " * 20, ())]})[
        one.id
    ]
    assert (it.title.words, it.sort, it.is_noted) == ("Add a stone to grind", "fixed", True)


def test_documents_that_write_down_what_breaks_do_not_break_it() -> None:
    (one,) = changes_of(another_commit("Tweak news for 2.0", paths=("news/7.removal.rst", "docs/mill.rst")))
    assert judged([one], notes={one.lead.key: [Entry("removal", "Wet it by hand", ())]})[one.id].sort != "act"


def test_changes_of_one_note_are_one_thing() -> None:
    """As what was done by hand for several releases."""
    subjects = ("Add a stone", "Add a wheel to it", "Turn the mill")
    every = changes_of(*(another_commit(one, paths=CODE) for one in subjects))
    notes = {one.lead.key: [replace(NOTED, numbers=())] for one in every if one.lead.subject != "Turn the mill"}
    found = things_of(every, judged(every, notes=notes), {}, {}, notes=notes)
    assert sorted((one.judged.title.words, len(one.changes), one.more) for one in found) == [
        ("Turn the mill", 1, 0), ("Wet grain is ground, too", 2, 1),
    ]  # fmt: skip


def test_what_a_branch_notes_in_any_commit_is_its_title() -> None:
    merge = replace(
        commit("Merge pull request #7 from ada/mill", body="Add a mill", sha="d" * 40), parents=("1" * 40, "2" * 40)
    )
    code, note = (
        replace(another_commit(one, paths=paths), via=merge.sha)
        for one, paths in (("Add a mill", CODE), ("Add news", ("changelog.d/7.bugfix",)))
    )
    every, notes = changes_of(code, note), {note.key: [NOTED]}
    of = judged(every, notes=notes)
    (thing,) = things_of(every, of, {}, {merge.key: merge}, notes=notes)
    assert (thing.judged.title.words, thing.judged.is_noted, len(thing.changes)) == (
        "Wet grain is ground, too",
        True,
        2,
    )
    assert not of[next(one.id for one in every if one.lead == note)].is_noted


def test_a_branch_with_a_title_given_by_hand_is_called_by_no_note() -> None:
    merge = replace(
        commit("Merge pull request #7 from ada/mill", body="Add a mill", sha="d" * 40), parents=("1" * 40, "2" * 40)
    )
    every = changes_of(*(replace(another_commit(one, paths=CODE), via=merge.sha) for one in ("Add a mill", "Oil it")))
    named, noted = (replace(every[0], title="Work for a customer"), every[1])
    for some in ([named, noted], [noted, named]):
        notes = {one.lead.key: [NOTED] for one in some[1:]}
        of = judged(some, notes=notes)
        (thing,) = things_of(some, of, {}, {merge.key: merge}, notes=notes)
        assert thing.judged.title.words == "Add a mill"


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Add a mill that turns", "chore: Add a mill that turns"),
        ("Fix path traversal of stones", "Fix the paths of stones"),
    ],
)
def test_one_title_is_noticed_more_than_another(more: str, less: str) -> None:
    assert judge(change(more), ()).weight > judge(change(less), ()).weight
