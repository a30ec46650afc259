"""An event is heard once, whoever hears it; a reader has one opinion of a message."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread

from storage import Store

NOW = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)


def test_an_event_is_claimed_once(store: Store) -> None:
    assert not store.processed_events.known("Ev1", NOW)
    claimed = [store.processed_events.claim(event, NOW) for event in ("Ev1", "Ev1", "Ev2")]
    assert claimed == [True, False, True]
    assert store.processed_events.known("Ev1", NOW)


def test_another_process_knows_of_it_too(store: Store) -> None:
    store.processed_events.claim("Ev1", NOW)
    assert not Store(store.path).processed_events.claim("Ev1", NOW)


def test_of_many_who_hear_an_event_at_once_one_claims_it(store: Store) -> None:
    won = list[bool]()
    threads = [Thread(target=lambda: won.append(store.processed_events.claim("Ev1", NOW))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]


def test_an_event_is_forgotten_after_a_day(store: Store) -> None:
    store.processed_events.claim("Ev1", NOW)
    assert store.processed_events.known("Ev1", NOW + timedelta(days=1))
    assert not store.processed_events.known("Ev1", NOW + timedelta(days=1, seconds=1))
    assert store.processed_events.claim("Ev1", NOW + timedelta(days=1, seconds=1))
    with store.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM processed_events").fetchone()[0] == 1


def test_a_reader_has_one_opinion_of_a_message_and_may_change_it(store: Store) -> None:
    later, last = NOW + timedelta(seconds=1), NOW + timedelta(seconds=2)
    given = [
        store.feedback.give("C1", "1.2", "U1", "good", NOW),
        store.feedback.give("C1", "1.2", "U1", "good", later),
        store.feedback.give("C1", "1.2", "U1", "bad", last),
        store.feedback.give("C1", "1.2", "U1", "good", later),  # answered late
        store.feedback.give("C1", "1.2", "U2", "good", NOW),
        store.feedback.give("C2", "1.2", "U1", "good", NOW),
    ]
    assert given == [True, False, True, False, True, True]
    assert store.feedback.counts() == {"good": 2, "bad": 1}
