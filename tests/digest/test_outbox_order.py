"""What of the outbox may be sent, and what of a digest is held back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.month.calendar import Month, Week
from bot.slack.sender import SECONDS_APART, Sender, Sent
from storage import Store
from storage.slack_state import Post

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


# Messages go out at the pace of each channel, and none holds up another.


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at

    def pause(self, seconds: float) -> bool:
        self.at += seconds
        return False


class Outbox(Sender):
    """Posts that wait, and a Slack that takes them: it notes when each came, and asks now and then to wait."""

    def __init__(self, clock: Clock, waiting: list[tuple[str, str]], asks: dict[str, float]) -> None:
        super().__init__(None, self, self.time, monotonic=clock)  # type: ignore[arg-type]
        self._apart = SECONDS_APART  # whatever the tests of a whole bot set
        self.clock = clock
        self.left = list(waiting)
        self.asks = dict(asks)
        self.until = dict[str, float]()
        self.taken: list[tuple[float, str]] = []

    def time(self) -> datetime:
        return datetime(2025, 11, 1, tzinfo=UTC) + timedelta(seconds=self.clock())

    def waiting(self, now: datetime) -> list[tuple[str, str, float]]:
        assert now == self.now()
        return [(key, channel, self.until.get(key, 0.0) - self.clock()) for key, channel in self.left]

    def send_one(self, key: str) -> Sent:
        if asked := self.asks.pop(key, 0.0):
            self.until[key] = self.clock() + asked
            return Sent("planned", wait=asked)
        self.taken.append((self.clock(), key))
        self.left = [one for one in self.left if one[0] != key]
        return Sent("sent")


def sent(
    waiting: list[tuple[str, str]], seconds: float, asks: dict[str, float] | None = None
) -> list[tuple[float, str]]:
    clock = Clock()
    outbox = Outbox(clock, waiting, asks or {})
    outbox.send_waiting(seconds, pause=clock.pause)
    return outbox.taken


def test_a_channel_that_slack_keeps_waiting_holds_up_no_other() -> None:
    assert sent([("a0", "#a"), ("b0", "#b"), ("b1", "#b")], 60, {"a0": 30}) == [
        (0.0, "b0"), (1.0, "b1"), (30.0, "a0"),
    ]  # fmt: skip
    assert sent([("a0", "#a"), ("b0", "#b")], 25, {"a0": 30}) == [(0.0, "b0")], "the rest is for the next tick"


@given(
    st.lists(st.sampled_from("abc"), max_size=30),
    st.dictionaries(st.integers(0, 29), st.floats(1, 40), max_size=5),
)
def test_everything_goes_out_once_in_the_order_of_its_channel_and_never_too_fast(
    channels: list[str], asks: dict[int, float]
) -> None:
    waiting = [(f"{number:02}", channel) for number, channel in enumerate(channels)]
    taken = sent(waiting, 10_000, {f"{number:02}": seconds for number, seconds in asks.items()})
    of = dict(waiting)
    assert sorted(key for _, key in taken) == [key for key, _ in waiting]
    for channel in set(channels):
        times = [(at, key) for at, key in taken if of[key] == channel]
        assert [key for _, key in times] == [key for key, one in waiting if one == channel]
        assert all(later - earlier >= 1 - 1e-6 for (earlier, _), (later, _) in pairwise(times))
