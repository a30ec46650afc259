"""What waits in the outbox → Slack, at the pace of each channel: one message at a time in it, the others meanwhile.

Slack takes about one message a second in a channel, and says how long to wait where that was too much, which is
written down with the message:
https://docs.slack.dev/apis/web-api/rate-limits
"""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.slack.sender import Poster
from storage.outbox import Outbox

SECONDS_APART = 1.0  # messages in one channel


def waited(seconds: float) -> bool:
    """A pause of the thread that calls; nothing asks it to stop."""
    time.sleep(seconds)
    return False


class Sender:
    """Sends what is due. One that Slack keeps waiting, or that is long, holds up its own channel only.

    `pause` waits so many seconds, and says whether to stop at once; `apart` is the seconds between two messages of a
    channel.
    """

    def __init__(
        self,
        poster: Poster,
        outbox: Outbox,
        pause: Callable[[float], bool] = waited,
        apart: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._poster = poster
        self._outbox = outbox
        self._pause = pause
        self._apart = SECONDS_APART if apart is None else apart
        self._monotonic = monotonic
        self._free_at: dict[str, float] = {}  # when each lane is free again

    def send_waiting(self, seconds: float, first: str = "") -> None:
        """Send what can be sent within some seconds; the rest waits for the next time. With `first`, only the post that
        has this key, and its parts."""
        end = self._monotonic() + seconds
        stuck = set[str]()  # they were tried, and wait for another time
        while True:
            at = self._monotonic()
            waiting = [
                (max(0.0, wait, self._free_at.get(lane, at) - at), key, lane)
                for key, lane, wait in self._outbox.waiting(self._poster.now())
                if key not in stuck and _is_of(first, key)
            ]
            if not waiting:
                return
            wait, key, lane = min(waiting, key=lambda one: one[0])
            if at + wait > end or self._pause(wait):
                return
            self._free_at[lane] = self._monotonic() + self._apart  # for whoever else sends by this
            sent = self._poster.send_one(key)
            if sent.stopped:
                return
            if sent.was_called or sent.asked_to_wait:
                self._free_at[lane] = self._monotonic() + max(self._apart, sent.asked_to_wait)
            if sent.state == "planned" and not sent.asked_to_wait:
                stuck.add(key)


def _is_of(first: str, key: str) -> bool:
    return not first or key == first or key.startswith(f"{first}|")
