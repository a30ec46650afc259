"""Which message goes to Slack next, and when: one at a time in a channel, the others meanwhile. Pure.

Slack takes about one message a second in a channel, and says how long to wait where that was too much:
https://docs.slack.dev/apis/web-api/rate-limits
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

SECONDS_APART = 1.0  # messages in one channel


@dataclass(frozen=True, slots=True)
class RateLimit:
    """When each channel is free again, by a clock that counts seconds and never goes back."""

    free_at: Mapping[str, float] = field(default_factory=dict)
    apart: float = SECONDS_APART

    def after(self, channel: str, at: float, asked: float = 0.0) -> RateLimit:
        """Once a message went to a channel; `asked` is for how long Slack asks to wait."""
        kept = {one: free for one, free in self.free_at.items() if free > at}
        return RateLimit({**kept, channel: at + max(self.apart, asked)}, self.apart)

    def wait(self, channel: str, at: float) -> float:
        """The seconds until a channel is free."""
        return max(0.0, self.free_at.get(channel, 0.0) - at)

    def next_of(self, waiting: Sequence[tuple[str, str]], at: float) -> tuple[str, str, float]:
        """Of what waits, as (key, channel), the first whose channel is free, or else free soonest; with the seconds
        until then."""
        key, channel = min(waiting, key=lambda one: self.wait(one[1], at))
        return key, channel, self.wait(channel, at)
