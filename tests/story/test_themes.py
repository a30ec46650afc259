"""Which changes of a month are told as one item."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ENGINE, WEB, changed, commit, sha_of

from bot.model import Change, Commit, FileChange, Kind, State
from bot.month.changes import changes_of
from bot.story.grouping.linkage import NEVER, joined
from bot.story.grouping.themes import MOST_SHOWN, Theme, clusters, shown, themes

KINDS: tuple[Kind, ...] = ("feature", "fix", "test", "docs", "ci", "revert", "release", "chore")


def change(
    subject: str,
    *paths: str | FileChange,
    day: float = 3,
    kind: Kind = "feature",
    state: State = "landed",
    body: str = "",
    repository: str = ENGINE,
) -> Change:
    at = f"{datetime(2025, 10, 1, tzinfo=UTC) + timedelta(days=day - 1):%Y-%m-%d %H:%M}"
    one = commit(subject, at=at, body=body, paths=paths or ("src/engine.py",), repository=repository)
    return Change(one.sha, (one,), kind, state, is_sure=True)


def told(found: Sequence[Theme]) -> list[list[str]]:
    """The subjects of each theme, those of the rest under "rest"."""
    return [[*(["rest"] if one.is_rest else []), *(each.lead.subject for each in one.changes)] for one in found]


def grouped(changes: Sequence[Change], merges: Sequence[Commit] = ()) -> list[set[str]]:
    return [{one.lead.subject for one in group} for group in clusters(changes, merges)]


# --- what belongs together

CACHE = change("Add a cache for chunks (#10)", "src/cache/chunks.py", "tests/test_chunks.py", day=3)
EVICTION = change("Evict old chunks from the cache (#12)", "src/cache/chunks.py", day=4)
LOGIN = change("Let guests log in (#11)", "web/login.ts", day=3.5)
INVOICE = change("Print invoices in colour (#14)", "billing/invoice.go", day=3.6)


def test_pull_requests_on_the_same_files_and_words_are_one_item() -> None:
    assert grouped([CACHE, LOGIN, EVICTION]) == [
        {"Add a cache for chunks (#10)", "Evict old chunks from the cache (#12)"},
        {"Let guests log in (#11)"},
    ]


def test_time_alone_does_not_join_two_pull_requests() -> None:
    assert grouped([LOGIN, INVOICE]) == [{"Let guests log in (#11)"}, {"Print invoices in colour (#14)"}]


def test_commits_of_a_branch_are_joined_by_the_hour_they_were_written_in() -> None:
    morning = [change("Draw the frame", "ui/frame.c", day=3), change("Name the colours", "ui/colour.c", day=3.02)]
    later = change("Open the socket", "net/socket.c", day=20)
    assert grouped([*morning, later]) == [{"Draw the frame", "Name the colours"}, {"Open the socket"}]


def test_a_feature_stands_with_its_tests_and_documents_across_kinds() -> None:
    month = [
        change("Add the planner (#1)", "src/planner.py", day=3),
        change("Test the planner on empty plans (#92)", "tests/test_planner.py", day=4, kind="test"),
        change("Let guests log in (#3)", "web/login.ts", day=4),
        change("Rotate the keys (#4)", "ops/keys.tf", day=4),
    ]
    assert {"Add the planner (#1)", "Test the planner on empty plans (#92)"} in grouped(month)


@pytest.mark.parametrize("series", ["[fused ring] ", "fused ring: ", "Fused ring - "])
def test_a_name_of_several_words_joins_a_series_however_long_it_took(series: str) -> None:
    month = [
        change(f"{series}Send the last block first (#1)", "a/ring.py", day=3),
        change(f"{series}Reserve less memory (#2)", "b/pool.cu", day=24),
        change("Let guests log in (#3)", "web/login.ts", day=24),
        change("Rotate the keys (#4)", "ops/keys.tf", day=3),
    ]
    assert {f"{series}Send the last block first (#1)", f"{series}Reserve less memory (#2)"} in grouped(month)


@pytest.mark.parametrize("tag", ["[WIP]", "[easy]", "[PyTorch]", "[1/n]", "fix:", "feat:", "[Docs]"])
def test_a_tag_that_says_nothing_of_the_matter_joins_nothing(tag: str) -> None:
    month = [
        change(f"{tag} Let guests log in (#3)", "web/login.ts", day=3),
        change(f"{tag} Rotate the keys (#4)", "ops/keys.tf", day=3),
    ]
    assert len(clusters(month)) == 2


@pytest.mark.parametrize(
    "body",
    [
        "Follow up of #21: the second reader was forgotten.",
        "D70000021 left out the second reader.\n\nDifferential Revision: D70999999",
        "The second reader was forgotten in 0123abcd45.",
    ],
)
def test_what_names_another_change_of_the_month_stands_with_it(body: str) -> None:
    first = change("Read chunks ahead (#21)", "src/reader.py", day=3, body="Differential Revision: D70000021")
    first = replace(first, commits=(replace(first.lead, sha="0123abcd45" + "0" * 30),))
    repair = change("Do not wait for ever (#29)", "src/reader.py", day=27, kind="fix", body=body)
    other = [change(f"Rotate key {n} (#{n})", f"ops/{n}.tf", day=n) for n in range(3, 9)]
    assert {"Read chunks ahead (#21)", "Do not wait for ever (#29)"} in grouped([first, repair, *other])


def test_a_stack_of_pull_requests_is_one_item() -> None:
    stack = "Stack from ghstack (oldest at bottom):\n* #32\n* __->__ #31\n\nThe first half of the readers."
    month = [
        change("Read chunks ahead (#31)", "src/reader.py", day=3, body=stack),
        change("Count what was read (#32)", "src/reader.py", "src/counter.py", day=9, body=stack),
        change("Let guests log in (#33)", "web/login.ts", day=3),
    ]
    assert {"Read chunks ahead (#31)", "Count what was read (#32)"} in grouped(month)


def test_what_came_by_one_merge_is_one_item() -> None:
    base = replace(commit("Start", at="2025-10-01 09:00"), parents=("e" * 40,))
    first = replace(commit("Draw the frame", at="2025-10-02 09:00", paths=["ui/frame.c"]), parents=("e" * 40,))
    second = replace(commit("Open the socket", at="2025-10-20 09:00", paths=["net/s.c"]), parents=(first.sha,))
    merge = replace(commit("Merge branch 'frames'", at="2025-10-21 09:00", merge=True), parents=(base.sha, second.sha))
    month = changes_of([base, first, second])
    assert grouped(month) == [{"Start"}, {"Draw the frame"}, {"Open the socket"}]
    assert grouped(month, [merge]) == [{"Start"}, {"Draw the frame", "Open the socket"}]


def test_releases_are_one_item() -> None:
    month = [
        change("Bump version to 2.1.0", "setup.py", day=3, kind="build"),
        change("v2.2.0", "setup.py", day=17, kind="chore"),
        change("Update the changelog", "CHANGELOG.md", day=25, kind="docs"),
        CACHE,
    ]
    assert {"Bump version to 2.1.0", "v2.2.0", "Update the changelog"} in grouped(month)


def test_another_version_of_what_one_depends_on_is_no_release() -> None:
    month = [
        change("Bump version to 2.1.0", "setup.py", day=3, kind="chore"),
        change("Bump CUDA version to 12.4", "ci/build.yml", day=17, kind="chore"),
        change("Bump version for cached plans", "src/plans.py", day=26),
    ]
    assert len(clusters(month)) == 3


# --- what does not


def test_what_was_backed_out_never_stands_with_what_stayed() -> None:
    month = [CACHE, replace(EVICTION, state="backed_out")]
    assert len(clusters(month)) == 2


def test_a_revert_of_others_stands_alone_unless_it_is_on_the_same_thing() -> None:
    revert = change('Revert "Colour the logs" (#40)', "src/logs.py", kind="revert")
    assert len(clusters([CACHE, revert])) == 2


def test_two_repositories_are_seldom_one_item() -> None:
    month = [
        change("Add a cache for chunks (#10)", "src/cache.py", repository=ENGINE),
        change("Evict chunks of the cache (#12)", "src/cache.py", repository=WEB),
    ]
    assert len(clusters(month)) == 2


# --- what is shown

AREAS = ("login", "invoice", "keys", "socket", "frame", "clock", "mail", "search", "upload", "theme", "proxy", "queue")
STONES = ("amber", "basalt", "chalk", "flint", "granite", "marble", "slate")


def month_of(number: int) -> list[Change]:
    """Changes that have nothing in common."""
    return [
        change(f"{AREAS[n % 12]}{n} {STONES[n % 7]}{n} (#{n})", changed(f"{AREAS[n % 12]}{n}/{n}.py", 9 + n), day=1 + n)
        for n in range(number)
    ]


@pytest.mark.parametrize(
    ("changes", "items"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (6, 3), (7, 4), (12, 4), (16, 5), (26, 7), (35, 7), (36, 8), (400, 8)],
)
def test_the_number_of_items_grows_slowly_with_the_month(changes: int, items: int) -> None:
    assert shown(changes) == items


def test_a_month_of_three_shows_each_by_itself() -> None:
    found = themes(month_of(3))
    assert [len(one.changes) for one in found] == [1, 1, 1]
    assert not any(one.is_rest for one in found)


def test_few_changes_are_one_item_only_where_they_are_one_piece_of_work() -> None:
    assert [len(one.changes) for one in themes([CACHE, EVICTION, LOGIN])] == [1, 1, 1]
    repair = replace(EVICTION, commits=(replace(EVICTION.lead, body="Follow up of #10."),))
    assert [len(one.changes) for one in themes([CACHE, repair, LOGIN])] == [2, 1]


def test_that_all_are_tests_makes_no_large_item() -> None:
    tests = [
        change(f"Test the {one} (#{n})", changed(f"{one}/tests/{one}.py", 300), kind="test", day=3)
        for n, one in enumerate(AREAS)
    ]
    others = [change(f"Polish {one} (#9{n})", f"{one}.c", day=9 + n) for n, one in enumerate(STONES)]
    assert len(themes([*tests, *others])[0].changes) == 6


def test_one_item_more_is_better_than_a_rest() -> None:
    assert [one.is_rest for one in themes(month_of(4))] == [False] * 4


def test_what_belongs_to_nothing_is_the_last_item() -> None:
    found = themes(month_of(20))
    assert [one.is_rest for one in found] == [False] * 5 + [True]
    assert len(found[-1].changes) == 15


def test_an_important_change_is_shown_before_trivial_ones() -> None:
    large = change("Add the planner (#90)", *(changed(f"planner/{n}.py", 300) for n in range(6)))
    typos = [change(f"Fix a typo in page {n} (#{n})", f"docs/{n}.md", kind="docs", day=n) for n in range(1, 12)]
    assert themes([*typos, large])[0].lead is large


def test_the_largest_feature_speaks_for_its_theme() -> None:
    month = [
        change("Add a format for plans (#92)", changed("src/plan.py", 12), day=3),
        change("Read plans from disk (#91)", changed("src/plan.py", 300), changed("src/disk.py", 200), day=4),
        change("Fix a typo in plans (#93)", changed("src/plan.py", 1), day=5, kind="fix"),
    ]
    found = themes([*month, *month_of(5)])
    assert told(found)[0] == ["Read plans from disk (#91)", "Add a format for plans (#92)", "Fix a typo in plans (#93)"]


def test_formatting_speaks_for_no_theme_and_leads_no_month_however_large() -> None:
    formatting = change(
        "Reformat plans with black (#94)", changed("src/plan.py", 390), changed("src/disk.py", 390), day=3
    )
    format_of = change("Add a format for plans (#92)", changed("src/plan.py", 60), changed("src/disk.py", 30), day=3)
    assert themes([formatting, format_of, *month_of(3)])[0].lead is format_of
    everywhere = change("Fix typos and spelling (#95)", *(changed(f"docs/{n}.md", 300) for n in range(30)), kind="fix")
    planner = change("Add the planner (#90)", changed("planner/plan.py", 200), changed("planner/draw.py", 90))
    assert themes([everywhere, planner, *month_of(2)])[0].lead is planner


def test_a_month_without_changes_has_no_items() -> None:
    assert themes([]) == []
    assert clusters([]) == []


# --- of any month


@st.composite
def months(draw: st.DrawFn) -> list[Change]:
    found = []
    for number in range(draw(st.integers(1, 24))):
        words = draw(
            st.lists(st.sampled_from(("plan", "cache", "[x y] log", "#3", "D12345", "v1.2", "修复")), max_size=4)
        )
        subject = " ".join(words) + draw(st.sampled_from(("", f" (#{number})")))
        paths = draw(st.lists(st.sampled_from(("a/b.py", "a/test_b.py", "c.md", "d/e/f.rs")), max_size=3))
        one = replace(
            commit(
                subject, body=draw(st.sampled_from(("", "See #1", "Stack from x\n* #2\n* #3", "D12345"))), paths=paths
            ),
            sha=sha_of((number, "month")),
            repository=draw(st.sampled_from((ENGINE, WEB))),
        )
        seconds = draw(st.integers(0, 40)) * 43_200
        one = replace(one, author=replace(one.author, seconds=seconds))
        state: State = draw(st.sampled_from(("landed", "backed_out", "relanded", "partly")))
        found.append(Change(one.sha, (one,), draw(st.sampled_from(KINDS)), state))
    return found


@given(months(), st.randoms())
def test_every_change_is_in_exactly_one_item_in_whatever_order_they_are_given(
    month: list[Change], random: object
) -> None:
    found = themes(month)
    assert sorted(one.id for theme in found for one in theme.changes) == sorted(one.id for one in month)
    assert len(found) <= min(MOST_SHOWN, len(month))
    assert [one.is_rest for one in found[:-1]] == [False] * (len(found) - 1)
    mixed = list(month)
    random.shuffle(mixed)  # type: ignore[attr-defined]  # st.randoms gives a random.Random
    assert themes(mixed) == found


@given(months())
def test_no_item_but_the_rest_mixes_what_stayed_with_what_was_backed_out(month: list[Change]) -> None:
    for theme in themes(month):
        out = {one.state == "backed_out" for one in theme.changes if one.kind != "revert"}
        assert theme.is_rest or len(out) < 2
    for group in clusters(month):
        assert sorted(group, key=lambda one: (one.lead.author.seconds, one.id)) == list(group)


@given(st.lists(st.lists(st.floats(0, 1), min_size=7, max_size=7), min_size=7, max_size=7))
def test_groups_are_joined_by_the_average_of_all_pairs(drawn: list[list[float]]) -> None:
    matrix = [[drawn[min(i, j)][max(i, j)] for j in range(7)] for i in range(7)]
    members = {n: [n] for n in range(7)}
    for value, one, other in joined(matrix, range(7), 0.3):
        left, right = members[one], members[other]
        assert value == pytest.approx(sum(matrix[i][j] for i in left for j in right) / len(left) / len(right))
        for n in (*left, *right):
            members[n] = [*left, *right]
    ends = {tuple(sorted(group)) for group in members.values()}
    for a in ends:
        for b in ends - {a}:
            assert sum(matrix[i][j] for i in a for j in b) / len(a) / len(b) < 0.3 + 1e-6


def test_two_that_may_not_stand_together_are_never_joined() -> None:
    matrix = [[0, 0.9, NEVER], [0.9, 0, 0.9], [NEVER, 0.9, 0]]
    assert [(one, other) for _, one, other in joined(matrix, range(3), 0.1)] == [(0, 1)]


@pytest.mark.parametrize(("changes", "seconds"), [(400, 0.15), (5_000, 3.0)])
def test_a_long_month_takes_no_time_to_speak_of(changes: int, seconds: float) -> None:
    month = [
        change(
            f"Move {AREAS[n % 12]} {n % 40} to the new engine (#{n})",
            *(f"src/{AREAS[n % 7]}/{(n + step) % 60}.py" for step in range(4)),
            day=1 + n % 30,
            body="The engine reads chunks of the plan ahead, so that nobody waits. " * 4,
        )
        for n in range(changes)
    ]
    best = 1e9
    for _ in range(2):
        began = time.process_time()
        themes(month)
        best = min(best, time.process_time() - began)
    assert best < 2 * seconds  # twice, for machines slower than the one the promise was measured on


def test_messages_of_megabytes_cost_no_more_than_long_ones() -> None:
    huge = [
        change("fix " * 1_000_000, "a/" * 500_000 + "x.py", body="* " * 2_000_000 + "Stack from" + "\n" * 100_000),
        change("1." + "2" * 1_000_000 + "x", "b.py", body="0a" * 1_000_000, day=12),
        change("[" * 1_000_000, "c.py", body="Differential Revision: " * 100_000, day=24),
    ]
    began = time.process_time()
    assert sum(len(one.changes) for one in themes(huge)) == 3
    assert time.process_time() - began < 1


def test_a_fix_of_somebodys_own_change_stands_with_it() -> None:
    scheduler = [
        commit("Add a scheduler", at="2025-10-02 09:00", paths=["src/scheduler.py", "docs/scheduler.md"]),
        commit("Add a printer (#2)", at="2025-10-09 09:00", paths=["src/printer.py"]),
        commit("Fix the scheduler's last hour", at="2025-10-20 09:00", paths=["src/scheduler.py"]),
    ]
    assert [[one.lead.subject for one in theme.changes] for theme in themes(changes_of(scheduler))] == [
        ["Add a scheduler", "Fix the scheduler's last hour"],
        ["Add a printer (#2)"],
    ]


@pytest.mark.parametrize(
    ("subject", "paths"),
    [
        ("Fix the scheduler's last hour", ["src/scheduler.py", "src/other.py"]),
        ("Fix the last hour", ["src/scheduler.py"]),
        ("Fix the scheduler's last hour", []),
    ],
    ids=["more files", "no word in common", "no files"],
)
def test_a_fix_of_something_else_stands_by_itself(subject: str, paths: list[str]) -> None:
    two = [
        commit("Add a scheduler (#1)", at="2025-10-02 09:00", paths=["src/scheduler.py"]),
        commit(f"{subject} (#2)", at="2025-10-20 09:00", paths=paths),
    ]
    assert len(themes(changes_of(two))) == 2


def test_a_month_written_in_one_afternoon_is_not_one_item() -> None:
    areas = ("printer", "store", "mill", "barrel", "reader", "carry")
    commits = [
        commit(
            f"Teach the {area} to {deed}",
            at=f"2025-10-02 {10 + number}:{10 + 7 * turn}",
            paths=[f"src/{area}/{deed}.py"],
        )
        for turn, deed in enumerate(("start", "stop", "wait"))
        for number, area in enumerate(areas)
    ]
    found = themes(changes_of(commits))
    assert max(len(theme.changes) for theme in found if not theme.is_rest) <= len(commits) // 2
    assert len(found) >= 4
