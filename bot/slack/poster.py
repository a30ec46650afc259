"""The one sender: what is posted goes through the outbox, so that each post is made once.

A row is written before the call and settled after it. Nothing sleeps for Slack: what it will not take now is tried
again by whoever sends what is due, not before the time that it asked for. Where the answer to a call is lost, nobody
knows whether Slack took the message; the row is then `unknown`, and reconciling.py looks for it before it is sent
again.
What one person alone sees cannot be looked for: where it may be lost, that is said.

A refusal is certainly not posted. Where Slack refuses blocks, the message is sent as text alone, which says all of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import Any, Literal, NamedTuple
from urllib.error import HTTPError, URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from bot.errors import StoreBusy
from bot.slack.blocks import words_message
from bot.slack.client import CALL_SECONDS, AnswerNotUnderstood, asked_to_wait, code_of, reason_of, status_of
from bot.slack.refusals import AGAIN, CONTENT, OURS, STOPS, UNCERTAIN, what_to_do
from bot.story.render import slack
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

# No call lasts this long, and before each the row is claimed anew: one that is older lost its sender.
LOST_AFTER = timedelta(seconds=2 * CALL_SECONDS + 5)
UNREACHED_SECONDS = 10.0  # until Slack is called again, where it could not be reached
WHISPERS_WAIT = timedelta(minutes=10)  # for what one person alone sees: then nobody needs it any more
ASK_AGAIN_SECONDS = 600.0  # whether Slack lets the app in, once it did not
MOST_CHANGES = 5  # tries to change a message; each may be made again, for it posts nothing new
EVENT_TYPE = "almanac_post"
INTERRUPTED = "I was interrupted while I was answering. If you cannot see my answer, please ask again."
NOT_POSTED = "My answer could not be posted there: {why}."

Outcome = Literal["sent", "planned", "failed", "unknown"]


class Result(NamedTuple):
    """What came of a call: with the message's ts, what went wrong, and for how many seconds not to call again."""

    state: Outcome
    ts: str | None
    error: str | None
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a post: its state; whether Slack was called, and for how many seconds it is not to be again; and
    whether nothing can be sent at all."""

    state: str
    was_called: bool = False
    asked_to_wait: float = 0.0
    stopped: bool = False


def real_time() -> datetime:
    return datetime.now(UTC)


class Poster:
    """Sends posts from the outbox. Any number of threads and processes may share one outbox.

    That Slack does not let the app in is remembered as long as this lives: nothing is sent then until it does; and that
    it asked to wait with a method in a channel. `now` is the real time: one that is held would never come to when a
    post may be sent.
    """

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        now: Callable[[], datetime] = real_time,
        *,
        lost_after: timedelta = LOST_AFTER,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._lost_after = lost_after
        self._monotonic = monotonic
        self._asked_in: float | None = None  # when Slack was last asked to let the app in, since it did not
        self._outbox = outbox
        self.now = now
        self._limited: dict[tuple[str, str], float] = {}  # until when, by method and channel
        self._unrecorded: dict[str, tuple[Post, Result, Post | None]] = {}  # what came of calls, not noted

    def plan(self, posts: Sequence[Post]) -> bool:
        """Write posts down, all or none. False if the first of them was written down before."""
        return self._outbox.plan(posts, self.now())

    def change(self, post: Post) -> str:
        """Put a payload in the place of the message that has the post's `ts`, in the place also of a change of it that
        waits. Empty, or Slack's word for why it refused; what waits to be tried again is no refusal."""
        self._outbox.plan_change(post, self.now())
        self.send([post.key])
        done = self._outbox.get(post.key)
        code = _code(done.error) if done else ""
        return code if done and (done.state == "failed" or code in STOPS) else ""

    def send(self, keys: Sequence[str], *, caller_says: bool = False) -> dict[str, str]:
        """Try to send those of the posts that wait to be sent, in order, each once, and return the state of each.

        A post that answers another waits until that one is sent, so a thread never comes before its root. `caller_says`
        says that the caller tells whoever asked where a post fails; otherwise they are told by what is written down
        with that.
        """
        return {key: self.send_one(key, caller_says=caller_says).state for key in keys}

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

    def give_up_on_lost(self) -> None:
        """Note of posts that are being sent for longer than any call takes that their sender died."""
        self._record()
        for key in self._outbox.give_up_on_lost(self.now(), self._lost_after, _interrupted):
            log.warning("%s: its sender died, so it is not known whether Slack has it", key)

    def send_one(self, key: str, *, caller_says: bool = False) -> Sent:
        """Try to send a post if it waits to be sent, and Slack has not asked to wait with it."""
        self._record()
        post, root = self._outbox.with_root(key)
        if post is None or post.state != "planned":
            return Sent(post.state if post else "failed")
        if self._asked_in is not None:
            return Sent("planned", stopped=True)
        thread_ts = post.thread_ts
        if post.thread_key:
            if root is None or root.state == "failed":
                self._outbox.settle(key, "failed", self.now(), error="the message it answers was not sent")
                return Sent("failed")
            if root.state != "sent":
                return Sent("planned")
            thread_ts = root.ts
        where = (_method(post), post.channel)
        if (wait := self._limited.get(where, 0.0) - self._monotonic()) > 0:
            self._outbox.put_off(key, self.now() + timedelta(seconds=wait))
            return Sent("planned", asked_to_wait=wait)
        attempt = self._outbox.claim(key, self.now())
        if not attempt:
            return Sent("sending")  # by another process, at this moment
        claimed = replace(post, attempts=attempt)
        is_late = post.only_for and post.planned_at and self.now() - post.planned_at > WHISPERS_WAIT
        result = Result("unknown", None, "it is too late for it") if is_late else self._call(claimed, thread_ts)
        if result.wait:
            self._limited[where] = self._monotonic() + result.wait
        then = _follow_up(claimed, result, caller_says)
        if post.only_for and result.state == "unknown":
            result = result._replace(state="failed")  # it cannot be looked for
        self._unrecorded[key] = claimed, result, then
        try:
            self._record()
        except StoreBusy as error:
            log.warning("%s: that it is %s is noted later: %s", key, result.state, error)
        if (code := _code(result.error)) in STOPS:
            self._shut_out(code)
        elif result.error:
            log.warning("%s: %s: %s", key, result.state, result.error)
        if then:
            self.send_one(then.key)
        return Sent(result.state, True, result.wait, stopped=self._asked_in is not None)

    def _record(self) -> None:
        """Note what came of calls. Where that fails it is kept for the next time: nobody has to look in Slack then."""
        for key, (claimed, result, then) in list(self._unrecorded.items()):
            now = self.now()
            not_before = now + timedelta(seconds=result.wait) if result.wait else None
            self._outbox.record_attempt(
                claimed, result.state, now, ts=result.ts, error=result.error, not_before=not_before, then=then
            )
            self._unrecorded.pop(key, None)

    def _shut_out(self, code: str) -> None:
        if self._asked_in is None:
            log.error("Slack does not let the app in (%s), so nothing is sent: %s", code, what_to_do(code))
        self._asked_in = self._monotonic()

    def _call(self, post: Post, thread_ts: str | None) -> Result:
        arguments: dict[str, Any] = {"channel": post.channel, **post.payload}
        if thread_ts:
            arguments["thread_ts"] = thread_ts
        if post.only_for:
            return self._tried(post, self._client.chat_postEphemeral, {**arguments, "user": post.only_for})
        if post.ts:
            changed = self._changed(post, {"channel": post.channel, **post.payload, "ts": post.ts})
            if changed:
                return changed
        # By this a lost message can be recognised in the channel's history.
        key = {"metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": post.key}}}
        quiet = {"unfurl_links": False, "unfurl_media": False}
        return self._tried(post, self._client.chat_postMessage, {**arguments, **key, **quiet})

    def _changed(self, post: Post, arguments: Mapping[str, Any]) -> Result | None:
        """Put the words of a post in the place of its message. None where they can stand only elsewhere: the first
        message of an answer that was shown as it grew."""
        state, _, error, wait = self._tried(post, self._client.chat_update, arguments)
        if state == "failed" and not post.key.startswith(CHANGE) and _code(error) != "message_not_found":
            log.warning("%s: its message cannot be changed (%s), so another is posted", post.key, error)
            return None
        if state == "unknown":  # it may be done again
            state = "planned" if post.attempts < MOST_CHANGES else "failed"
        return Result(state, post.ts if state == "sent" else None, error, wait)

    def _tried(self, post: Post, call: Callable[..., SlackResponse], arguments: Mapping[str, Any]) -> Result:
        """Make a call, with less in it where Slack refuses its blocks."""
        key = post.key
        for number, version in enumerate(versions(arguments)):
            is_just_claimed = number == 0 and not post.ts
            if not is_just_claimed and not self._outbox.renew(post, self.now()):
                return Result("unknown", None, "somebody else has taken it to be lost meanwhile")
            try:
                ts = call(**version).get("ts")
            except SlackApiError as error:
                code = code_of(error)
                if code not in CONTENT or "blocks" not in version:
                    if code in OURS:
                        log.error("%s: our own mistake (%s): %s", key, code, version)
                    return Result(_outcome(error), None, f"{code}: {what_to_do(code)}", asked_to_wait(error))
                # Our own mistake must not cost the reader the message.
                log.error("%s: Slack refused the blocks (%s): %s", key, code, error.response.data)
            except (OSError, HTTPException, SlackClientError) as error:
                return _lost(error)
            else:
                return Result("sent", ts, None)
        raise AssertionError("the last version has no blocks, and so is sent or not")


CHANGE = "change|"  # keys of changes of messages begin with it


def versions(payload: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What of a message may be sent, the fullest first: its text alone says all of it."""
    yield dict(payload)
    if "blocks" in payload:
        yield {name: value for name, value in payload.items() if name != "blocks"}


def _method(post: Post) -> str:
    return "chat.postEphemeral" if post.only_for else "chat.update" if post.ts else "chat.postMessage"


def _code(error: str | None) -> str:
    return (error or "").partition(":")[0]


def _follow_up(post: Post, result: Result, caller_says: bool) -> Post | None:
    """What is written down with a post that could not be made, so that nobody waits for it in vain: what has no place
    for one person alone is written to them directly."""
    if post.only_for and result.state == "failed":
        return Post(f"direct|{post.key}", post.only_for, post.payload)
    if post.only_for and result.state == "unknown":
        return _interrupted(post)
    if post.asked_by and result.state == "failed" and not caller_says:
        _, _, why = (result.error or "").partition(": ")
        said = words_message(slack(NOT_POSTED.format(why=why or "Slack did not take it")))
        return Post(f"whisper|{post.key}", post.channel, said.payload(), only_for=post.asked_by)
    return None


def _interrupted(post: Post) -> Post | None:
    """What tells somebody that an answer for them alone may be lost."""
    if not post.key.startswith("answer|"):
        return None
    said = words_message(INTERRUPTED).payload()
    return Post(f"whisper|{post.key}", post.channel, said, thread_ts=post.thread_ts, only_for=post.only_for)


def _outcome(error: SlackApiError) -> Outcome:
    code = code_of(error)
    if code in AGAIN or code in STOPS or status_of(error) == 429:  # certainly not posted
        return "planned"
    if code in UNCERTAIN or status_of(error) >= 500:
        return "unknown"
    return "failed"


def _lost(error: Exception) -> Result:
    """What became of a call that was never answered."""
    if was_nothing_done(error):
        return Result("planned", None, f"Slack cannot be reached ({reason_of(error)})", UNREACHED_SECONDS)
    why = error if isinstance(error, AnswerNotUnderstood) else f"the answer was lost ({reason_of(error)})"
    return Result("unknown", None, f"{why}: look whether it is in the channel")


def was_nothing_done(error: Exception) -> bool:
    """Whether a call certainly did not reach Slack."""
    inner = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    return isinstance(inner, ConnectionRefusedError) or type(inner).__name__ == "gaierror"
