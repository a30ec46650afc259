"""Measured is what has two numbers of one unit, before and after; nothing else is."""

from __future__ import annotations

from values import commit

from bot.model import Change
from bot.story.quoting import measured

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


def change(body: str, path: str = "src/engine.py") -> Change:
    one = commit("Keep plans", body=body, paths=[path])
    return Change(one.sha, (one,), "performance")


def test_numbers_before_and_after_are_told_with_their_line() -> None:
    assert {body: list(measured(change(body))) for body in TOLD} == TOLD


def test_what_is_no_measurement_is_not_told() -> None:
    assert [body for body in NOT_TOLD if measured(change(body))] == []


def test_a_change_to_tests_alone_measured_nothing() -> None:
    assert measured(change(next(iter(TOLD)), "tests/test_engine.py")) == ()
