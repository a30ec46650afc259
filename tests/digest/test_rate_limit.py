"""Messages go out at the pace of each channel, and none holds up another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.slack.sender import SECONDS_APART, Sender, Sent


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
        super().__init__(None, self, self.time, apart=SECONDS_APART, monotonic=clock)  # type: ignore[arg-type]
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
