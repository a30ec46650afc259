"""A post is claimed by one, whoever else tries, and its fate is written down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from storage import Store
from storage.outbox import Post

NOW = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)
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


def test_only_one_of_many_threads_gets_a_post(store: Store) -> None:
    posts = [Post(f"post-{number}", "#shipped", {}) for number in range(10)]
    store.outbox.plan(posts, NOW)
    with ThreadPoolExecutor(4) as pool:
        for post in posts:
            claims = list(pool.map(lambda _, key=post.key: store.outbox.claim(key, NOW), range(4)))
            assert sorted(claims) == [False, False, False, True]
            assert store.outbox.get(post.key).attempts == 1  # type: ignore[union-attr]


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
