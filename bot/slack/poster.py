"""The one sender: what is posted goes through the outbox, so that each post is made once.

A row is written before the call and settled after it. Where the answer to a call is lost, nobody knows
whether Slack took the message; the row is then `unknown`, and reconciling.py looks for it before it is sent again.

A refusal is certainly not posted. Where Slack refuses blocks, the message is sent without its charts, and only then as
text alone: its text says all of it.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http.client import HTTPException
from typing import Any, Literal, NamedTuple
from urllib.error import HTTPError, URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from bot.errors import StoreBusy
from bot.slack.charts import has_charts, versions, without_charts
from bot.slack.client import CALL_SECONDS, AnswerNotUnderstood, asked_to_wait, code_of, reason_of, status_of
from bot.slack.refusals import AGAIN, CONTENT, OF_A_BLOCK, OURS, STOPS, UNCERTAIN, what_to_do
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

LOOK_AGAIN_SECONDS = 0.05  # how a post is getting on that somebody else sends
# No call lasts this long, and before each the row is claimed anew: one that is older lost its sender.
LOST_AFTER = timedelta(seconds=2 * CALL_SECONDS + 5)
MOST_WAITS = 3  # that a post is sent again for whoever waits for it, where Slack asks to wait
ASK_AGAIN_SECONDS = 600.0  # whether Slack lets the app in, once it did not
MOST_CHANGES = 5  # tries to change a message; each may be made again, for it posts nothing new
EVENT_TYPE = "almanac_post"

Outcome = Literal["sent", "planned", "failed", "unknown"]


class Result(NamedTuple):
    """What came of a call: with the message's ts, what went wrong, and for how many seconds Slack asks to wait."""

    state: Outcome
    ts: str | None
    error: str | None
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a post: its state; whether Slack was called, and for how many seconds it asks to wait; and whether
    nothing can be sent at all."""

    state: str
    was_called: bool = False
    asked_to_wait: float = 0.0
    stopped: bool = False


class Poster:
    """Sends posts from the outbox. Any number of threads and processes may share one outbox.

    That the workspace takes no charts is remembered as long as this lives, so that not every post is refused first. So
    is that Slack does not let the app in: nothing is sent then until it does.
    """

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        now: Callable[[], datetime],
        *,
        lost_after: timedelta = LOST_AFTER,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = copy.copy(client)  # that never waits while a row is being sent: whoever waits may die
        self._client.retry_handlers = []
        self._sleep = sleep
        self._lost_after = lost_after
        self._monotonic = monotonic
        self._asked_in: float | None = None  # when Slack was last asked to let the app in, since it did not
        self._outbox = outbox
        self._now = now
        self._takes_charts = True
        self._unrecorded: dict[str, tuple[Post, Result]] = {}  # what came of calls while the database was away

    def fitted(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """A message as this workspace takes it: without charts once it has refused them."""
        return dict(payload) if self._takes_charts else without_charts(payload)

    def charts_refused(self) -> None:
        """Send charts no more."""
        if self._takes_charts:
            log.warning("this workspace takes no charts; set charts = false under [slack] to send none")
        self._takes_charts = False

    def plan(self, posts: Sequence[Post]) -> bool:
        """Write posts down, all or none. False if the first of them was written down before."""
        return self._outbox.plan(posts, self._now())

    def send(self, keys: Sequence[str]) -> dict[str, str]:
        """Send those of the posts that wait to be sent, in order, and return the state of each.

        A post that answers another waits until that one is sent, so a thread never comes before its root. One that
        another thread or process sends at this moment is waited for, as long as a call takes; so is Slack where it asks
        to wait.
        """
        states: dict[str, str] = {}
        for key in keys:
            sent = self.send_one(key)
            for _ in range(MOST_WAITS):
                if not sent.asked_to_wait:
                    break
                self._sleep(sent.asked_to_wait)
                sent = self.send_one(key)
            states[key] = self._awaited(key) if sent.state == "sending" else sent.state
        return states

    def _awaited(self, key: str) -> str:
        """The state of a post once whoever else sends it is done: somebody may have to be told that it failed. Whoever
        takes longer than a call does has died."""
        end, since = self._monotonic() + CALL_SECONDS, self._now() - timedelta(seconds=CALL_SECONDS)
        while (post := self._outbox.get(key)) and post.state == "sending" and self._monotonic() < end:
            if post.changed_at and post.changed_at < since:
                break
            time.sleep(LOOK_AGAIN_SECONDS)
        return post.state if post else "failed"

    def is_let_in(self) -> bool:
        """Whether Slack lets the app in, as far as is known. Where it did not, it is asked again every ten minutes."""
        if self._asked_in is None:
            return True
        if self._monotonic() - self._asked_in < ASK_AGAIN_SECONDS:
            return False
        self._asked_in = self._monotonic()
        try:
            self._client.auth_test()
        except (SlackClientError, OSError, HTTPException):
            return False
        log.info("Slack lets the app in again: what waited is sent")
        self._asked_in = None
        return True

    def send_waiting(self) -> None:
        """Send what an earlier process wrote down and did not get to, and give up on what it lost."""
        self.give_up_on_lost()
        self.send([post.key for post in self._outbox.in_state("planned")])

    def give_up_on_lost(self) -> None:
        """Note of posts that are being sent for longer than any call takes that their sender died."""
        self._record()
        for key in self._outbox.give_up_on_lost(self._now(), self._lost_after):
            log.warning("%s: its sender died, so it is not known whether Slack has it", key)

    def send_one(self, key: str) -> Sent:
        """Send a post if it waits to be sent. Where Slack asks to wait, that is left to the caller."""
        self._record()
        post, root = self._outbox.with_root(key)
        if post is None or post.state != "planned":
            return Sent(post.state if post else "failed")
        if self._asked_in is not None:
            return Sent("planned", stopped=True)
        thread_ts = post.thread_ts
        if post.thread_key:
            if root is None or root.state == "failed":
                self._outbox.settle(key, "failed", self._now(), error="the message it answers was not sent")
                return Sent("failed")
            if root.state != "sent":
                return Sent("planned")
            thread_ts = root.ts
        attempt = self._outbox.claim(key, self._now())
        if not attempt:
            return Sent("sending")  # by another process, at this moment
        claimed = replace(post, attempts=attempt)
        result = self._call(claimed, thread_ts)
        self._unrecorded[key] = claimed, result
        try:
            self._record()
        except StoreBusy as error:
            log.warning("%s: that it is %s is noted later: %s", key, result.state, error)
        if (code := (result.error or "").partition(":")[0]) in STOPS:
            self._shut_out(code)
        elif result.error:
            log.warning("%s: %s: %s", key, result.state, result.error)
        return Sent(result.state, True, result.wait, stopped=self._asked_in is not None)

    def _record(self) -> None:
        """Note what came of calls. Where that fails it is kept for the next time: nobody has to look in Slack then."""
        for key, (claimed, result) in list(self._unrecorded.items()):
            self._outbox.record_attempt(claimed, result.state, self._now(), ts=result.ts, error=result.error)
            self._unrecorded.pop(key, None)

    def _shut_out(self, code: str) -> None:
        if self._asked_in is None:
            log.error("Slack does not let the app in (%s), so nothing is sent: %s", code, what_to_do(code))
        self._asked_in = self._monotonic()

    def _call(self, post: Post, thread_ts: str | None) -> Result:
        # By this a lost message can be recognised in the channel's history.
        key = {"metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": post.key}}}
        arguments: dict[str, Any] = {"channel": post.channel, **post.payload, **key}
        if post.ts:
            changed = self._changed(post, {**arguments, "ts": post.ts})
            if changed:
                return changed
        if thread_ts:
            arguments["thread_ts"] = thread_ts
        quiet = {"unfurl_links": False, "unfurl_media": False}
        return self._tried(post, self._client.chat_postMessage, {**arguments, **quiet})

    def _changed(self, post: Post, arguments: Mapping[str, Any]) -> Result | None:
        """Put the words of a post in the place of its message. None where they can stand only elsewhere."""
        state, _, error, wait = self._tried(post, self._client.chat_update, arguments)
        if state == "failed" and (error or "").partition(":")[0] != "message_not_found":
            log.warning("%s: its message cannot be changed (%s), so another is posted", post.key, error)
            return None
        if state == "unknown":  # it may be done again
            state = "planned" if post.attempts < MOST_CHANGES else "failed"
        return Result(state, post.ts if state == "sent" else None, error, wait)

    def _tried(self, post: Post, call: Callable[..., SlackResponse], arguments: Mapping[str, Any]) -> Result:
        """Make a call, with less in it where Slack refuses its blocks."""
        refused, key = "", post.key
        for number, version in enumerate(versions(self.fitted(arguments))):
            is_just_claimed = number == 0 and not post.ts
            if not is_just_claimed and not self._outbox.renew(post, self._now()):
                return Result("unknown", None, "somebody else has taken it to be lost meanwhile")
            try:
                ts = call(**version)["ts"]
            except SlackApiError as error:
                code = code_of(error)
                if code not in CONTENT or "blocks" not in version:
                    if code in OURS:
                        log.error("%s: our own mistake (%s): %s", key, code, version)
                    return Result(_outcome(error), None, f"{code}: {what_to_do(code)}", asked_to_wait(error))
                # Our own mistake must not cost the reader the message.
                log.error("%s: Slack refused the blocks (%s): %s", key, code, error.response.data)
                refused = code if has_charts(version) else ""
            except (OSError, HTTPException, SlackClientError) as error:
                return _lost(error)
            else:
                if refused in OF_A_BLOCK and version.get("blocks"):
                    self.charts_refused()  # for without them it passed
                return Result("sent", ts, None)
        raise AssertionError("the last version has no blocks, and so is sent or not")


def _outcome(error: SlackApiError) -> Outcome:
    code = code_of(error)
    if code in AGAIN or code in STOPS or status_of(error) == 429:  # certainly not posted
        return "planned"
    if code in UNCERTAIN or status_of(error) >= 500:
        return "unknown"
    return "failed"


def _lost(error: Exception) -> Result:
    """What became of a call that was never answered."""
    inner = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    if isinstance(inner, ConnectionRefusedError) or type(inner).__name__ == "gaierror":
        return Result("planned", None, f"Slack cannot be reached ({reason_of(error)}); it is tried again")
    why = error if isinstance(error, AnswerNotUnderstood) else f"the answer was lost ({reason_of(error)})"
    return Result("unknown", None, f"{why}: look whether it is in the channel")
