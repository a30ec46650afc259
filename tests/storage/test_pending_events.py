"""What was heard and not answered yet is kept until it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from storage import Store

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)


def test_what_is_kept_is_left_until_it_is_answered(store: Store) -> None:
    store.pending_events.keep([("Ev2", {"event": {"text": "my month"}}), ("Ev1", {"event": {}})], NOW)
    store.pending_events.keep([("Ev3", {"event": {"text": "help"}})], NOW - timedelta(seconds=1))
    assert store.pending_events.left(NOW) == [
        {"event": {"text": "help"}},
        {"event": {}},
        {"event": {"text": "my month"}},
    ]
    store.pending_events.answered("Ev2")
    store.pending_events.answered("Ev3")
    store.pending_events.answered("Ev3")
    assert store.pending_events.left(NOW) == [{"event": {}}]


def test_what_is_delivered_again_is_kept_once(store: Store) -> None:
    store.pending_events.keep([("Ev1", {"attempt": 0})], NOW)
    store.pending_events.keep([("Ev1", {"attempt": 1})], NOW)
    assert store.pending_events.left(NOW) == [{"attempt": 0}]


def test_after_a_day_nobody_waits_for_an_answer_any_more(store: Store) -> None:
    store.pending_events.keep([("old", {"a": 1})], NOW - timedelta(hours=25))
    store.pending_events.keep([("new", {"b": 1})], NOW - timedelta(hours=23))
    assert store.pending_events.left(NOW) == [{"b": 1}]


def test_what_ends_the_process_each_time_is_not_begun_for_ever(store: Store) -> None:
    store.pending_events.keep([("Ev1", {"a": 1})], NOW)
    assert [store.pending_events.left(NOW) for _ in range(4)] == [[{"a": 1}], [{"a": 1}], [{"a": 1}], []]
    assert store.pending_events.count() == 0
