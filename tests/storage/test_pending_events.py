"""What was asked and not answered yet is kept until it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from storage import Store

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
UNTIL = NOW + timedelta(seconds=30)
LATER = NOW + timedelta(seconds=31)


def test_what_is_kept_is_left_until_it_is_answered(store: Store) -> None:
    pending = store.pending_events
    pending.keep([("Ev2", {"event": {"text": "my month"}}), ("Ev1", {"event": {}})], NOW, UNTIL)
    pending.keep([("Ev3", {"event": {"text": "help"}})], NOW - timedelta(seconds=1), UNTIL)
    assert pending.take(NOW, UNTIL, "all") == [
        {"event": {"text": "help"}},
        {"event": {}},
        {"event": {"text": "my month"}},
    ]
    pending.answered(["Ev2", "Ev3"])
    pending.answered(["Ev3"])
    assert pending.take(NOW, UNTIL, "all") == [{"event": {}}]


def test_what_is_delivered_again_is_kept_once_and_is_for_whoever_answers_it(store: Store) -> None:
    pending = store.pending_events
    assert pending.keep([("Ev1", {"attempt": 0})], NOW, UNTIL) == {"Ev1"}
    assert pending.keep([("Ev1", {"attempt": 1}), ("Ev2", {})], NOW, UNTIL) == {"Ev2"}
    assert pending.keep([("Ev1", {"attempt": 2})], LATER, LATER + timedelta(seconds=30)) == {"Ev1"}
    assert pending.take(NOW, UNTIL, "all")[0] == {"attempt": 0}
    assert pending.count() == 2


def test_what_nobody_renews_is_taken_once(store: Store) -> None:
    """Whoever renews lives; of those who look for what the dead left, one gets it."""
    pending, until = store.pending_events, LATER + timedelta(seconds=30)
    pending.keep([("of the living", {"a": 1}), ("of the dead", {"b": 1}), ("answered", {})], NOW, UNTIL)
    pending.answered(["answered"])
    assert pending.take(NOW, UNTIL) == []
    assert pending.renew(["of the living", "answered"], until) == {"of the living"}
    assert [pending.take(LATER, until) for _ in range(2)] == [[{"b": 1}], []]


def test_what_is_released_is_taken_at_once(store: Store) -> None:
    store.pending_events.keep([("Ev1", {"a": 1}), ("Ev2", {"b": 1})], NOW, UNTIL)
    store.pending_events.release(["Ev2"])
    assert store.pending_events.take(LATER, UNTIL, "released") == [{"b": 1}]
    assert store.pending_events.take(NOW, UNTIL) == []


def test_after_a_day_nobody_waits_for_an_answer_any_more(store: Store) -> None:
    store.pending_events.keep([("old", {"a": 1})], NOW - timedelta(hours=25), NOW)
    store.pending_events.keep([("new", {"b": 1})], NOW - timedelta(hours=23), NOW)
    assert store.pending_events.take(LATER, UNTIL) == [{"b": 1}]


def test_what_ends_the_process_each_time_is_not_begun_for_ever(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.pending_events.keep([("Ev1", {"a": 1})], NOW, NOW)
    taken = [store.pending_events.take(LATER, NOW) for _ in range(4)]
    assert taken == [[{"a": 1}], [{"a": 1}], [{"a": 1}], []]
    assert store.pending_events.count() == 0
    assert "the question Ev1 is given up" in caplog.text
