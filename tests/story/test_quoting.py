"""What of a commit's body is quoted: a sentence that says why or with what effect, and stands alone; why something was
reverted; what has two numbers of one unit, before and after. Nothing that does not stand there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import commit

from bot.model import Change
from bot.story.quoting import LONGEST, Quote, measured, quote_of, reason_of
from bot.wording import clean

TITLE = "Demote non-essential spans to DEBUG (#2511)"


def change(body: str, path: str = "src/engine.py") -> Change:
    one = commit(TITLE, body=body, paths=[path])
    return Change(one.sha, (one,), "performance")


@given(st.text(max_size=300))
def test_any_body_gives_a_sentence_of_it_or_nothing(body: str) -> None:
    told = change(body)
    quote = quote_of(told)
    assert quote in clean(told.lead.body) and len(quote) <= LONGEST


def test_no_thanks_are_quoted() -> None:
    told = change("Pull request courtesy Abhinav Gorrepati.\n\nFixes: #123")
    assert quote_of(told, generous=True) == ""


REASONS = {
    "A replica cannot read the log yet.": "A replica cannot read the log yet.",
    "Summary:\nThe culprit pulls CUDA into CPU builds.\n\nTest Plan: CI": "The culprit pulls CUDA into CPU builds.",
    "This reverts commit 1234567.\n\nThey were not ready yet": "They were not ready yet",
    "This reverts commit 1234567890123456789012345678901234567890.": "",
    f"This reverts commit {'1' * 40} as it is not easily possible there.": "as it is not easily possible there.",
    "This diff reverts D12345678\n\nIf this diff has been generated in error, you can Commandeer and Abandon it.": "",
    "This reverts commit 1234567.\n\nIt broke booting.": "It broke booting.",
    "This reverts commit 1234567 as it is not easy on the next branch.": "as it is not easy on the next branch.",
    "It is back.\n\nDiscussion with the release managers: https://ci.example/1": "",
    "This reverts commit abcdef1 for now, we land it again after the release.": "",
    "This reverts commit abcdef1 for breaking the build.": "This reverts commit abcdef1 for breaking the build.",
    'Revert "Fix incorrect wheels"\n\nThis reverts commit 1234567.': "",
    "Backs out D12345678 as it seems to break the build.": "Backs out D12345678 as it seems to break the build.",
    "Original commit changeset: 1234567\n\nOriginal Phabricator Diff: D1234567": "",
    "__original_commit__ = fairinternal/xformers@4564e38bf4bdade520e9ef2a2d7df52554f1bb95": "",
    "": "",
    "This reverts #12.\n\nInternal issue to track removal: ABC": "",
    "It used to be possible to apply a plan that fails.\n\nThe goal was to avoid errors.": "",
    "* Opened the wrong file\n\n* Revert the rest": "",
    "The two are kept as they were.\n\nThis caused regressions on Windows.": "This caused regressions on Windows.",
}


def test_why_something_was_reverted_is_quoted_where_it_is_said() -> None:
    told = {body: reason_of(commit('Revert "Add a plan"', body=body)) for body in REASONS}
    assert told == REASONS


TOLD = {
    "Summary:\nThis leads to 87% utilization -> 99% utilization on 16GiB messages.": [
        "“This leads to 87% utilization -> 99% utilization on 16GiB messages”"
    ],
    "Latency goes from 30 ms to 12 ms on H100.": ["“Latency goes from 30 ms to 12 ms on H100”"],
    "The startup goes from 2.3 s to\n1.1 s in the `test_buffer` test. A second sentence.": [
        "“The startup goes from 2.3 s to 1.1 s in the `test_buffer` test”"  # however the author's lines are broken
    ],
    "p50 11.9 ms -> 8.8 ms\np99 143 ms -> 121 ms": ["“p50 11.9 ms -> 8.8 ms”", "“p99 143 ms -> 121 ms”"],
}
NOT_TOLD = (
    "Shared memory grows from 4GB -> 64 GB.",
    "Bump from 1.2 to 1.3.",
    "It should go from 30 ms to 12 ms.",
    "Much faster than before.",
    "Reads are 1.7x faster on A100 with batch 64.",
    "Set the timeout from 30 s to 60 s.",
    "8 to 16x",
    "Since the last release p50 regressed from 8 ms to 12 ms on H100.",
    "Reads got slower, from 8 ms to 12 ms on H100.",
    "Currently this takes from 8 ms to 12 ms on H100.",
    "Retries after 20ms → 40ms → 80ms → 5s.",
    "Raise the fallback from 600 to 3,600 seconds.",
    "This gives a 10% improvement in throughput.",
    "See https://example.com/30ms->12ms",
    "> On 50k rows, reads went from 497.1 ms to 475.2 ms, about\n13.5% faster.",
    "",
)


def test_numbers_before_and_after_are_told_with_their_line() -> None:
    assert {body: list(measured(change(body))) for body in TOLD} == TOLD


def test_what_is_no_measurement_is_not_told() -> None:
    assert [body for body in NOT_TOLD if measured(change(body))] == []


ONE = commit("[engine] Keep  `plans` (#12)", body="Plans are kept,\nso that they\x1b[31m need no second look.")


@pytest.mark.parametrize(
    ("text", "place"), [("Keep `plans`", "title"), ("Plans are kept, so that they need no second look.", "body")]
)
def test_words_that_stand_there_are_quoted_in_one_line(text: str, place: str) -> None:
    assert Quote(text, ONE, place) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "place"),
    [("Kept `plans`", "title"), ("", "title"), ("Keep `plans`", "body"), ("Plans are kept so", "body")],
)
def test_other_words_are_refused(text: str, place: str) -> None:
    with pytest.raises(ValueError, match="does not stand"):
        Quote(text, ONE, place)  # type: ignore[arg-type]


def test_a_change_to_tests_alone_measured_nothing() -> None:
    assert measured(change(next(iter(TOLD)), "tests/test_engine.py")) == ()
