"""What is kept between two questions: threads, events, questions not answered yet, opinions, and what a model wrote."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.month.calendar import Month
from storage import Store
from storage.slack_state import Post

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


# What many try at once, and one may do


CLAIMS: dict[str, Callable[[Store], object]] = {
    "an event that is heard": lambda store: store.processed_events.claim("Ev1", NOW),
    "a turn that is noted": lambda store: store.digest_snapshots.note(OCTOBER, [("aa", "bb")], NOTE, AT),
    "a post": lambda store: store.outbox.claim(ROOT.key, NOW),
}


@pytest.mark.parametrize("what", CLAIMS)
def test_of_many_who_try_at_once_one_may(store: Store, what: str) -> None:
    store.digest_snapshots.posted(OCTOBER, {"aa": []}, AT)
    store.outbox.plan([ROOT], NOW)
    ready = Barrier(6)

    def race(_: int) -> bool:
        ready.wait()
        return bool(CLAIMS[what](store))

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(race, range(6))) == [False] * 5 + [True]


# What a digest's readers know is kept, and each turn is noted once.


AT = datetime(2025, 11, 1, 9, tzinfo=UTC)
OCTOBER = "digest|T1|C1|engine|2025-10"


NOTE = Post("note|T1|C1|engine|2025-10|aa|bb", "C1", {"text": "Since this was posted:"}, thread_key=OCTOBER)


def test_a_post_keeps_from_which_commits_it_was_made_and_one_of_a_part_of_its_period_does_not(store: Store) -> None:
    post = DigestPost.of("T1", DigestSubscription(channel="C1"), Month(2025, 10))
    so_far = DigestPost.of("T1", post.subscription, Month(2025, 11), AT)
    for one in (post, so_far):
        assert store.digests.plan(one, {"aa": []}, [Post(one.key, "C1", {})], AT, ["aa", "cc"])
    assert store.digest_snapshots.covered("digest|T1|C1||") == {post.key: {"", "aa", "cc"}}
    assert store.digest_snapshots.known(post.key) == {"aa": frozenset()}
    assert store.digest_snapshots.posts_of(["cc"]) == []


# A post is claimed by one, whoever else tries, and its fate is written down.


ROOT = Post("digest|T1|#shipped||2025-10|1", "#shipped", {"text": "October", "blocks": []})
REPLY = Post("digest|T1|#shipped||2025-10|1|2", "#shipped", {"text": "more"}, thread_key=ROOT.key)


def test_a_post_is_planned_once_and_comes_back_as_it_was(store: Store) -> None:
    assert store.outbox.plan([ROOT, REPLY], NOW)
    assert store.outbox.get(ROOT.key) == ROOT
    assert store.outbox.in_state("planned") == [ROOT, REPLY]
    other = Post(ROOT.key, "#elsewhere", {"text": "something else"})
    assert not store.outbox.plan([other, Post("new", "#shipped", {})], NOW)
    assert store.outbox.get(ROOT.key) == ROOT
    assert store.outbox.get("new") is None


def claimed(store: Store, key: str, at: datetime) -> Post:
    store.outbox.plan([Post(key, "#a", {})], at)
    return replace(Post(key, "#a", {}), attempts=store.outbox.claim(key, at))


def given_up(store: Store, at: datetime) -> list[str]:
    return store.outbox.give_up_on_lost(at, timedelta(seconds=45))


def test_a_sender_that_calls_again_is_alive(store: Store) -> None:
    """One post may take several calls, where Slack refuses its blocks."""
    post = claimed(store, "k", NOW)
    assert store.outbox.renew(post, NOW + timedelta(seconds=40))
    assert given_up(store, NOW + timedelta(seconds=80)) == []
    assert given_up(store, NOW + timedelta(seconds=86)) == ["k"]
    assert not store.outbox.renew(post, NOW + timedelta(seconds=87))


def test_what_a_clock_claimed_that_was_put_back_since_is_given_up(store: Store) -> None:
    claimed(store, "k", NOW + timedelta(days=3))
    claimed(store, "just now", NOW + timedelta(seconds=5))
    assert given_up(store, NOW) == ["k"]
    (post,) = store.outbox.in_state("unknown")
    assert post.changed_at == NOW  # so that it is looked for soon


def test_of_a_post_that_was_given_up_only_that_it_was_sent_still_counts(store: Store) -> None:
    for state in ("planned", "failed", "unknown"):
        post = claimed(store, state, NOW)
        given_up(store, NOW + timedelta(minutes=1))
        (lost,) = store.outbox.in_state("unknown")
        store.outbox.resolve(lost, "planned", NOW)
        assert store.outbox.claim(state, NOW) == 2  # by somebody else
        store.outbox.record_attempt(post, state, NOW, error="too late")
        assert store.outbox.parts(state) == {state: "sending"}
        store.outbox.record_attempt(post, "sent", NOW, ts="1.2")
        kept = store.outbox.get(state)
        assert kept is not None and (kept.state, kept.ts) == ("sent", "1.2")
        store.outbox.record_attempt(replace(post, attempts=2), "sent", NOW, ts="1.3")
        assert store.outbox.get(state) == kept
