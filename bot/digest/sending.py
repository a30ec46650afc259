"""What waits in the outbox → Slack, at the pace of each channel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from bot.digest.rate_limit import RateLimit
from bot.slack.poster import Sent


class WaitingPosts(Protocol):
    def waiting(self) -> list[tuple[str, str]]: ...


class Sends(Protocol):
    def send_one(self, key: str) -> Sent: ...


def waited(seconds: float) -> bool:
    """A pause of the thread that calls; nothing asks it to stop."""
    time.sleep(seconds)
    return False


class Sender:
    """Sends what waits. One that Slack keeps waiting, or that is long, holds up its own channel only.

    `pause` waits so many seconds, and says whether to stop at once.
    """

    def __init__(
        self,
        poster: Sends,
        outbox: WaitingPosts,
        pause: Callable[[float], bool],
        rate_limit: RateLimit | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._poster = poster
        self._outbox = outbox
        self._pause = pause
        self._rate_limit = rate_limit or RateLimit()
        self._monotonic = monotonic

    def send_waiting(self, seconds: float, first: str = "") -> None:
        """Send what can be sent within some seconds; the rest waits for the next time. With `first`, only the post that
        has this key, and its parts."""
        end = self._monotonic() + seconds
        stuck = set[str]()  # they were tried, and wait for another time
        while waiting := [one for one in self._outbox.waiting() if one[0] not in stuck and _is_of(first, one[0])]:
            at = self._monotonic()
            key, channel, wait = self._rate_limit.next_of(waiting, at)
            if at + wait > end or self._pause(wait):
                return
            if wait:
                continue  # what was free a moment ago may come first
            sent = self._poster.send_one(key)
            if sent.stopped:
                return
            if sent.was_called:
                self._rate_limit = self._rate_limit.after(channel, self._monotonic(), sent.asked_to_wait)
            if sent.state == "planned" and not sent.asked_to_wait:
                stuck.add(key)


def _is_of(first: str, key: str) -> bool:
    return not first or key == first or key.startswith(f"{first}|")
