"""What a body says was measured or observed is quoted; any other number is left out."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Change, Commit, FileChange, Signature
from bot.story.bodies.impact import LONGEST, MOST, Effect, effects
from bot.story.effects import effects_of
from bot.story.wording import clean

SUBJECT = "Cache the pages of the index"

MEASURED: list[tuple[str, str]] = [
    ("Loading the index takes 0.4 s instead of 2.9 s.", "Loading the index takes 0.4 s instead of 2.9 s"),
    ("A page takes 0.015 s, where it took 2.68 s.", "A page takes 0.015 s, where it took 2.68 s"),
    ("We push larger segments.\n\nThis leads to 70% utilization -> 95% utilization on 8GiB pages.",
     "This leads to 70% utilization -> 95% utilization on 8GiB pages"),
    ("The lookup goes from 950us to 40us.", "The lookup goes from 950us to 40us"),
    ("Reduces peak memory from 9.1 GB to 4.5 GB.", "Reduces peak memory from 9.1 GB to 4.5 GB"),
    ("Saves ~3-5ms. (8ms -> 4ms)", "Saves ~3-5ms. (8ms -> 4ms)"),
    ("Loads of pages:\n- 512 pages: 2100us -> 300us (7x improvement)", "512 pages: 2100us -> 300us (7x improvement)"),
    ("Gives a ~1.3x speedup on arm.", "Gives a ~1.3x speedup on arm"),
    ("This improves QPS by 8%.", "This improves QPS by 8%"),
    ("Cuts build time by 40 % on CI.", "Cuts build time by 40 % on CI"),
    ("Startup drops to 2 s (from ~25 s).", "Startup drops to 2 s (from ~25 s)"),
    ("A full build took less: 1m42s -> 58s.", "A full build took less: 1m42s -> 58s"),
    ("Previously, a load took ~10 minutes to run, now ~2.5 minutes.",
     "Previously, a load took ~10 minutes to run, now ~2.5 minutes"),
    ("Test Plan:\n- Before: 25.3 GB peak memory\n- After: 22.5 GB peak memory",
     "before: 25.3 GB peak memory, after: 22.5 GB peak memory"),
    ("~15% QPS on the ranking model", "~15% QPS on the ranking model"),
    ("CPU time went down 1.9% in total.", "CPU time went down 1.9% in total"),
    ("**The gap of loads is 6.0% -> 1.0%** ([sheet](https://x.example/1)).", "The gap of loads is 6.0% -> 1.0%"),
    ("## Results\n\nAverage speedup: 1.24x", "Average speedup: 1.24x"),
    ("It fixes the 5% regression of the last release.\nThe step is 12% faster again.", "The step is 12% faster again"),
    ("before:\nlookup: 12 ms\nafter:\nlookup: 7 ms", "before: lookup: 12 ms, after: lookup: 7 ms"),
    ("Test Plan:\nBefore:\n```\nLatency: 0.58 ms\nPages: 4\n```\nAfter:\n```\nLatency: 0.41 ms\nPages: 4\n```",
     "before: Latency: 0.58 ms, after: Latency: 0.41 ms"),
    ("BEFORE (old config): - Create: 2.5s per page AFTER (new): - Open: 1ms - Create: 0.02s per page",
     "before: Create: 2.5s per page, after: Create: 0.02s per page"),
    ("We go from\n```\nran in 340.1s\n```\nto\n```\nran in 7.5s\n```", "before: ran in 340.1s, after: ran in 7.5s"),
    ("The reader is faster by:\n(1) fewer copies\n(2) early exit\n35% improvement on full pages.",
     "35% improvement on full pages"),
    ("Pages load 2x faster. Large pages were a slow case.", "Pages load 2x faster"),
    ("Small pages load 2x faster. A large page was a slower case before.", "Small pages load 2x faster"),
    ("Pages load 2x faster. No regression of writes.", "Pages load 2x faster"),
    # a squash: what stands before its messages, or beneath the one that says the subject again, is of the whole
    ("A load is 3x faster.\n\nSigned-off-by: A <a@x.example>\n\n* Make it 2x faster\n\n"
     "Signed-off-by: A <a@x.example>", "A load is 3x faster"),
    ("* Cache the pages of the index in memory\n\nA load is 3x faster.\n\n* Make it 2x faster\n\n* Clean up",
     "A load is 3x faster"),
    ("I ran the benchmark of P12345678 often, getting rid of the copy brings it from ~25ms to ~20ms.",
     "getting rid of the copy brings it from ~25ms to ~20ms"),
]  # fmt: skip

OBSERVED: list[tuple[str, str]] = [
    ("The server no longer crashes when a page is empty.", "The server no longer crashes when a page is empty"),
    ("No longer hangs at exit when the store is gone.", "No longer hangs at exit when the store is gone"),
    ("This fixes the hang in the teardown of workers.", "This fixes the hang in the teardown of workers"),
    ("This unblocks reads of more than 1 GB.", "This unblocks reads of more than 1 GB"),
    ("* fix: a graceful end now works in wheels\r\n", "fix: a graceful end now works in wheels"),
    ("The wheel now compiles on Windows.", "The wheel now compiles on Windows"),
    ("Debugging now works with remote jobs.", "Debugging now works with remote jobs"),
]

NOT_IMPACT = [
    "",
    "The maximum is 32 pages of 4 KB.",  # a limit
    "Raise the timeout from 20 s to 60 s.",  # a setting
    "Lower the poll interval from 60 s to 5 s.",
    "Retries wait 20ms → 40ms → 80ms.",
    "The default retention goes from 600 s to 300 s.",
    "It takes 30 s today.",  # motivation without an after
    "Currently a load takes 600us for 1MB.",
    "This should be up to 2x faster.",  # hoped for
    "We expect a 20% speedup.",
    "It could reduce memory by 40%.",
    "The goal is 2 s -> 1 s of startup time.",
    "An estimate says that latency drops by 10%.",
    "No regression: 2.0 ms -> 1.9 ms is within noise.",
    "We saw a 5% QPS regression when it was on.",
    "It is 20% slower on arm.",
    "It waits 5 s instead of 2 s before it gives up.",
    "It reduced the time by -4.8% on small pages.",
    "It is 6% faster if you read the pages first.",
    "It brings the runtime from 300ms to 350ms.",  # worse
    "The message takes 3 s to 5 s.",
    "Throughput was measured from 10 KB to 1 MB.",  # what was measured over, not what was found
    "vLLM brings a 2x speedup over this.",  # another system's
    "H100 provides 2x speedup compared to A100.",
    "Upgrade from 1.2 to 1.3.",  # versions
    "Test Plan: ran it, 12 passed in 3.4s, 2x faster",  # a log
    "## Motivation\n\nThe old index is 3x faster on small pages.",
    "Before:\nlookup: 12 ms\nAfter:\nlookup: 13 ms",  # worse
    "Before:\nlookup: 12 ms\nAfter:\nstore: 2 ms",  # two things
    "Before:\nlookup: 12.00 ms\nAfter:\nlookup: 11.95 ms",  # noise
    "```\nran 3x faster\n```",
    "https://x.example/1 2x speedup",
    "The field is no longer needed by the loader.",  # nothing that went wrong
    "It should no longer crash when a page is empty.",
    "Verified that it no longer crashes with an empty page.",
    "The test now passes on every machine.",
    "Values now work by position of the field.",
    "Fix the hang of the index.",  # the subject again, when it says so
    "This unblocks it for them.",
    "This fixes a potential deadlock in the pool of workers.",
    '* Make it 2x faster\n* Revert "Make it 2x faster"',  # taken out again
    '* Make it 2x faster (#12)\n\nIt works.\n\n* Revert "Make it 2x faster (#12)"\n\nIt did not.',
    "* Add a slow reader\n\nIt is 90x slower for now.\n\n* 10x speedup of reads\n\n* Make it 2x faster",  # a step
    "Some pages are 24% faster than before.",  # and the others?
    "Against the old order:\n- small pages are 24% faster\n- large pages are 3% slower",
    "Small pages are 24% faster. Large pages are slower.",
    "This PR fixes a memory leak in the reader, uses one copy, throws on bad pages and contains other improvements.",
    "This PR fixes a memory leak in the reader, uses one copy and throws on bad pages.",
    "The nightly build of wheels now runs with the reader enabled.",  # what was set
    "(1, 2) 9 -> 8 us 1.1x (2, 2) 9 -> 7 us 1.3x (3, 2) 9 -> 6 us 1.5x (4, 2) 9 -> 5 us 1.8x",  # a table
    "This unblocks moving the other commits to the store.",
    "We can keep the pages to get a 2x speedup.",  # a plan
]


@pytest.mark.parametrize(("body", "text"), MEASURED, ids=[text[:40] for _, text in MEASURED])
def test_what_was_measured_is_quoted(body: str, text: str) -> None:
    assert [(effect.text, effect.kind) for effect in effects(body, SUBJECT)] == [(text, "measured")]


@pytest.mark.parametrize(("body", "text"), OBSERVED, ids=[text[:40] for _, text in OBSERVED])
def test_what_was_observed_is_quoted(body: str, text: str) -> None:
    assert [(effect.text, effect.kind) for effect in effects(body, SUBJECT)] == [(text, "observed")]


@pytest.mark.parametrize("body", NOT_IMPACT, ids=[body[:40] for body in NOT_IMPACT])
def test_any_other_number_is_left_out(body: str) -> None:
    assert effects(body, "Fix the hang of the index" if body.startswith("Fix the hang") else SUBJECT) == []


def test_a_measurement_with_both_ends_comes_first_and_each_is_told_once() -> None:
    body = "It is 12% faster on arm.\n\nThe wheel now compiles on Windows.\n\nA load drops from 9 ms to 3 ms.\n\n"
    assert effects(body + body, SUBJECT) == [
        Effect("A load drops from 9 ms to 3 ms", "measured", 1.0),
        Effect("It is 12% faster on arm", "measured", 0.9),
        Effect("The wheel now compiles on Windows", "observed", 0.5),
    ]


def test_a_repair_that_only_says_the_subject_again_is_no_impact() -> None:
    body = "This fixes the hang in the teardown of workers."
    assert effects(body, "Fix hang in teardown of the workers") == []
    assert len(effects(body, "Join threads in order")) == 1


def test_an_upgrade_does_not_boast_of_what_the_other_project_fixed() -> None:
    assert effects("Fixes a crash in the parser of long lines.", "Update parser 1.9.0 -> 1.10") == []


def _change(body: str, *paths: str) -> Change:
    signature = Signature("Ada", "ada@example.com", 0, 0)
    files = tuple(FileChange(path, "modified") for path in paths)
    commit = Commit("pages", "a1", (), signature, signature, SUBJECT, body, files)
    return Change("c1", (commit,), "feature")


@pytest.mark.parametrize(
    ("paths", "is_told"),
    [
        (("bench/reader.py",), False),
        (("tests/test_reader.py", "src/reader_benchmark.cc"), False),
        (("src/reader.py", "tests/test_reader.py"), True),
        (("src/latest.py",), True),
        ((), True),
    ],
)
def test_what_only_benchmarks_or_tests_measure_is_no_impact_of_the_change(
    paths: tuple[str, ...], is_told: bool
) -> None:
    found = effects_of([_change("A load is 3x faster.\n\nThe wheel now compiles on Windows.", *paths)])["c1"]
    expected = ["measured", "observed"] if is_told else ["observed"]
    assert [effect.kind for effect in found] == expected


_PARTS = st.sampled_from(
    ["Summary:", "Test Plan:", "Before:", "After:", "Results", "```", "- ", "from 12 ms to 7 ms", "2x faster", "is",
     "Latency: 12 ms", "Latency: 7 ms", "no longer crashes", "when it", "This unblocks reads of pages.", "The load",
     "(9 ms -> 3 ms)", "**", "see https://x.example/1", "should", "", "| 1 | 2 ms |", "to", "We go from", "1m2s -> 3s",
     ". ", "20% -> 30% use"]
)  # fmt: skip


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@given(st.lists(_PARTS, max_size=14), st.sampled_from(["\n", " ", "\n\n"]))
def test_every_word_of_an_effect_stands_in_the_body_in_that_order(parts: list[str], between: str) -> None:
    """Word for word, in one line; of a comparison each end does, behind the words "before" and "after"."""
    body = between.join(parts)
    found = effects(body, SUBJECT)
    assert len(found) <= MOST
    for effect in found:
        ends = re.fullmatch(r"before: (.+), after: (.+)", effect.text)
        said = f"{ends[1]} {ends[2]}" if ends else effect.text
        every = iter(_words(clean(body)))
        assert all(word in every for word in _words(said))
        assert len(effect.text) <= LONGEST
        assert "\n" not in effect.text
        assert not effect.text.endswith(".")
        assert effect.weight > 0


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_body_can_be_read_for_its_impact(body: str, subject: str) -> None:
    effects(body, subject)


@pytest.mark.parametrize(
    "piece",
    ["a ", "1 ms -> 2 ms ", "from 1 s to ", "before: 1 s after: 2 s ", "reduces memory ", "up to up to ", "(", "a. ",
     "1,", "previously a ", "**", "before: a 1 ms\nafter: a 2 ms\n", "no longer ", "fix a b c d ", "[a](b", "1m2s ",
     "1.", "1.1", "3x ", "~", "- x\n", '* Revert "a"\n', "* a\n\n", "(1) a\nB\n", "- 2x faster\n- slower\n"],
)  # fmt: skip
def test_a_huge_body_is_searched_at_once(piece: str) -> None:
    began = time.thread_time()
    effects(piece * (16_000_000 // len(piece)), SUBJECT)
    assert time.thread_time() - began < 1
