"""What a digest's readers know is kept, and each turn is noted once."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Barrier, Thread

from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.month.calendar import Month
from storage import Store
from storage.outbox import Post

AT = datetime(2025, 11, 1, 9, tzinfo=UTC)
OCTOBER, SEPTEMBER = "digest|T1|C1|engine|2025-10", "digest|T1|C1|engine|2025-09"


def note(key: str = "note|T1|C1|engine|2025-10|aa|bb") -> Post:
    return Post(key, "C1", {"text": "Since this was posted:"}, thread_key=OCTOBER)


def test_of_many_who_note_the_same_at_once_one_does(store: Store) -> None:
    store.digest_snapshots.posted(OCTOBER, {"aa": []}, AT)
    ready, done = Barrier(5), list[bool]()

    def race() -> None:
        ready.wait()
        done.append(store.digest_snapshots.note(OCTOBER, [("aa", "bb")], note(), AT))

    threads = [Thread(target=race) for _ in range(5)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(done) == [False, False, False, False, True]


def test_a_post_keeps_from_which_commits_it_was_made_and_one_of_a_part_of_its_period_does_not(store: Store) -> None:
    post = DigestPost.of("T1", DigestSubscription(channel="C1"), Month(2025, 10))
    so_far = DigestPost.of("T1", post.subscription, Month(2025, 11), AT)
    for one in (post, so_far):
        assert store.digests.plan(one, {"aa": []}, [Post(one.key, "C1", {})], AT, ["aa", "cc"])
    assert store.digest_snapshots.covered("digest|T1|C1||") == {post.key: {"", "aa", "cc"}}
    assert store.digest_snapshots.known(post.key) == {"aa": frozenset()}
    assert store.digest_snapshots.posts_of(["cc"]) == []
