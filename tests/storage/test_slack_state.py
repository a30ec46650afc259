"""What is kept between two questions: threads, events, questions not answered yet, opinions, and what a model wrote."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest

from storage import Store

NOW = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)
UNTIL = NOW + timedelta(seconds=30)
LATER = NOW + timedelta(seconds=31)


@pytest.mark.parametrize("days", [29, 30])
def test_a_thread_is_remembered_for_thirty_days(store: Store, days: int) -> None:
    about = {"person": "Grace Hopper", "from": "2025-08", "to": "2025-08", "repos": ["ä"]}
    store.conversations.remember("C1", "1.2", about, NOW)
    store.conversations.remember("C1", "old", about, NOW - timedelta(days=31))
    store.conversations.remember("C1", "new", {}, NOW)
    with store.transaction() as connection:
        assert connection.tuples("SELECT thread FROM conversations ORDER BY thread") == [("1.2",), ("new",)]
    later = NOW + timedelta(days=days)
    assert store.conversations.recall("C1", "1.2", later) == about
    assert store.conversations.recall("C2", "1.2", later) is None
    assert store.conversations.recall("C1", "1.2", NOW + timedelta(days=30, seconds=1)) is None


def test_of_many_who_hear_an_event_at_once_one_claims_it(store: Store) -> None:
    won = list[bool]()
    threads = [Thread(target=lambda: won.append(store.processed_events.claim("Ev1", NOW))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]


def test_what_is_kept_is_left_until_it_is_answered(store: Store) -> None:
    pending = store.pending_events
    pending.keep([("Ev2", {"event": {"text": "my month"}}), ("Ev1", {"event": {}})], NOW, UNTIL)
    pending.keep([("Ev3", {"event": {"text": "help"}})], NOW - timedelta(seconds=1), UNTIL)
    assert pending.take(NOW, UNTIL, LATER) == [
        {"event": {"text": "help"}},
        {"event": {}},
        {"event": {"text": "my month"}},
    ]
    pending.answered(["Ev2", "Ev3"])
    pending.answered(["Ev3"])
    assert pending.take(NOW, UNTIL, LATER) == [{"event": {}}]


def test_what_is_delivered_again_is_kept_once_and_is_for_whoever_answers_it(store: Store) -> None:
    pending = store.pending_events
    assert pending.keep([("Ev1", {"attempt": 0})], NOW, UNTIL) == {"Ev1"}
    assert pending.keep([("Ev1", {"attempt": 1}), ("Ev2", {})], NOW, UNTIL) == {"Ev2"}
    assert pending.keep([("Ev1", {"attempt": 2})], LATER, LATER + timedelta(seconds=30)) == {"Ev1"}
    assert pending.take(NOW, UNTIL, LATER + timedelta(minutes=1))[0] == {"attempt": 0}
    assert pending.count() == 2


def test_what_nobody_renews_is_taken_once(store: Store) -> None:
    """Whoever renews lives; of those who look for what the dead left, one gets it."""
    pending, until = store.pending_events, LATER + timedelta(seconds=30)
    pending.keep([("of the living", {"a": 1}), ("of the dead", {"b": 1}), ("answered", {})], NOW, UNTIL)
    pending.answered(["answered"])
    assert pending.take(NOW, UNTIL, NOW) == []
    assert pending.renew(["of the living", "answered"], until) == {"of the living"}
    assert [pending.take(LATER, until, LATER) for _ in range(2)] == [[{"b": 1}], []]


def test_after_a_day_nobody_waits_for_an_answer_any_more(store: Store) -> None:
    store.pending_events.keep([("old", {"a": 1})], NOW - timedelta(hours=25), NOW)
    store.pending_events.keep([("new", {"b": 1})], NOW - timedelta(hours=23), NOW)
    assert store.pending_events.take(LATER, UNTIL, LATER) == [{"b": 1}]


def test_what_ends_the_process_each_time_is_not_begun_for_ever(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    store.pending_events.keep([("Ev1", {"a": 1})], NOW, NOW)
    taken = [store.pending_events.take(LATER, NOW, LATER) for _ in range(4)]
    assert taken == [[{"a": 1}], [{"a": 1}], [{"a": 1}], []]
    assert store.pending_events.count() == 0
    assert "the question Ev1 is given up" in caplog.text
