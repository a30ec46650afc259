"""What of the outbox may be sent, and what of a digest is held back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.month.calendar import Month, Week
from storage import Store
from storage.outbox import Post

NOW = datetime(2025, 11, 1, 9, tzinfo=UTC)


def planned(store: Store, states: Sequence[str], root: str = "d") -> None:
    posts = [Post(f"{root}|{n}" if n else root, "#a", {}, thread_key=root if n else None) for n in range(len(states))]
    store.outbox.plan(posts, NOW)
    for post, state in zip(posts, states, strict=True):
        if state != "planned":
            store.outbox.settle(post.key, state, NOW, ts="1.2")


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (["planned", "planned"], ["d"]),
        (["sending", "planned"], []),
        (["unknown", "planned"], []),
        (["failed", "planned"], []),
        (["sent", "planned", "planned"], ["d|1"]),
        (["sent", "unknown", "planned"], []),
        (["sent", "sending", "planned"], []),
        (["sent", "failed", "planned"], ["d|2"]),
        (["sent", "sent", "planned"], ["d|2"]),
        (["sent"] * 10 + ["planned", "planned"], ["d|10"]),
        (["sent"] * 9 + ["planned", "planned", "planned"], ["d|9"]),
    ],
)
def test_a_thread_follows_its_root_part_by_part(store: Store, states: list[str], expected: list[str]) -> None:
    planned(store, states)
    assert [key for key, *_ in store.outbox.waiting(NOW)] == expected


def test_a_digest_is_known_by_where_and_of_whom_it_is_and_its_period(store: Store) -> None:
    wanted = DigestSubscription(channel="C0SHIPPED", team="engine", repositories=["acme/web"], cadence="weekly")
    digest = DigestPost.of("T1", wanted, Week(2025, 41))
    assert digest.key == "digest|T1|C0SHIPPED|engine,acme/web|2025-W41"
    assert (digest.message_key(0), digest.message_key(12)) == (digest.key, f"{digest.key}|12")
    assert digest.title_of(digest.message_key(12)) == f"part 13 of {digest.period.title}"
    so_far = DigestPost.of(
        "T1", DigestSubscription(channel="#shipped"), Month(2025, 10), datetime(2025, 10, 20, tzinfo=UTC)
    )
    assert (so_far.key, so_far.is_whole) == ("digest|T1|shipped||2025-10@2025-10-20", False)
    for one in (digest, so_far):
        assert store.digests.plan(one, {}, [Post(one.key, "C1", {})], NOW)
        assert store.digests.posts()[one.key] == one
    assert store.digests.posts() == {one.key: one for one in (digest, so_far)}
    assert "digest|T1|other||2025-10" not in store.digests.posts()
