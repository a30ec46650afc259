"""The one sender: what is posted goes through the outbox, so that each post is made once.

A row is written before the call and settled after it. Nothing sleeps for Slack: what it will not take now is tried
again by whoever sends what is due, not before the time that it asked for. Where the answer to a call is lost, nobody
knows whether Slack took the message; the row is then `unknown`, and it is looked for before it is sent
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
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Literal, NamedTuple
from urllib.error import HTTPError, URLError
from uuid import uuid4

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse
from slack_sdk.webhook import WebhookClient

from bot.errors import StoreBusy, Unreadable
from bot.slack.audience import is_id
from bot.slack.elements import Message, Response, words_message
from bot.slack.web_api import (
    AGAIN,
    CALL_SECONDS,
    CONTENT,
    OURS,
    RATE_LIMITED,
    STOPS,
    UNCERTAIN,
    AnswerNotUnderstood,
    asked_to_wait,
    code_of,
    reason_of,
    status_of,
    understood,
    what_to_do,
)
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


# A response_url can be used five times: https://docs.slack.dev/interactivity/handling-user-interaction
MOST_ANSWERS = 5
REST = "{count} more messages of this answer do not fit here: ask me the same in a direct message to read all of it."


class Ephemeral:
    """Speaks to one person, and changes messages. Its methods block and never raise for what Slack answers."""

    def __init__(self, client: WebClient, poster: Poster) -> None:
        self._client = client
        self._poster = poster

    def tell(self, user: str, channel: str, messages: Sequence[Message], thread_ts: str | None = None) -> None:
        """Show messages to one person in a channel, or in a thread that has been answered in already: in any other
        Slack shows nobody anything. What Slack refuses there is written to them directly."""
        key = f"whisper|{uuid4()}"
        posts = [
            Post(f"{key}|{number}", channel, one.payload(), thread_ts=thread_ts, only_for=user)
            for number, one in enumerate(messages)
        ]
        self._poster.plan(posts)
        self._poster.send([post.key for post in posts])

    def write_to(self, user: str, message: Message) -> None:
        """Write somebody a direct message."""
        post = Post(f"direct|{uuid4()}", user, message.payload())
        self._poster.plan([post])
        self._poster.send([post.key])

    def change(self, channel: str, ts: str, message: Message) -> str:
        """Put a message in the place of one that stands. Empty, or Slack's word for why it refused."""
        return self._poster.change(Post(f"{CHANGE}{uuid4()}", channel, message.payload(), ts=ts))

    def answer(self, url: str, user: str, channel: str, response: Response) -> None:
        """Answer a command or a press by the address that came with it. What does not fit is said to be missing."""
        messages = list(response.messages)
        if (more := len(messages) - MOST_ANSWERS) > 0:
            messages[MOST_ANSWERS - 1 :] = [Message(REST.format(count=more + 1), ())]
        if messages and not url:
            raise Unreadable("there is no address to answer to")
        if response.delete and url:
            self._is_taken(url, {"delete_original": True})
        for number, message in enumerate(messages):
            replaces = {"response_type": "ephemeral", "replace_original": response.replace and not number}
            taken: bool | None = None
            for version in versions(message.payload()):
                if taken is None:
                    taken = self._is_taken(url, {**version, **replaces})
            if not taken:
                self.tell(user, channel, messages[number:])
                return

    def last_words(self, body: Mapping[str, Any], text: str) -> None:
        """Say to whoever waits for the answer to something that Slack delivered, and to nobody else, that there is
        none: once, for there may be no database in which it could wait."""
        event, user = body.get("event") or {}, body.get("user") or {}
        try:
            if url := body.get("response_url"):
                self._is_taken(str(url), {"text": text, "response_type": "ephemeral", "replace_original": False})
            elif event.get("type") in ("app_mention", "message") and event.get("user"):
                thread = {"thread_ts": event["thread_ts"]} if event.get("thread_ts") else {}
                self._client.chat_postEphemeral(channel=event["channel"], user=event["user"], text=text, **thread)
            elif isinstance(user, dict) and user.get("id"):  # a modal or a shortcut, which happen in no channel
                self._client.chat_postMessage(channel=user["id"], text=text)
        except (SlackApiError, SlackClientError, OSError, HTTPException) as trouble:
            log.warning("nobody could be notified of it: %s", trouble)

    def _is_taken(self, url: str, body: Mapping[str, Any]) -> bool | None:
        """Post an answer once. True also where nobody knows whether it was taken: nothing is shown twice. None where
        what it holds was refused."""
        client = WebhookClient(url, timeout=CALL_SECONDS, proxy=self._client.proxy, retry_handlers=[])
        try:
            with understood("response_url"):
                answer = client.send_dict(dict(body))
        except (SlackClientError, OSError, HTTPException) as error:
            log.warning("an answer by its address is lost: %s", error)
            return not was_nothing_done(error)
        if answer.status_code == 200:
            return True
        level = logging.INFO if answer.status_code == RATE_LIMITED else logging.ERROR
        log.log(level, "an answer was refused (%s): %s", answer.status_code, answer.body)
        return None if answer.status_code == 400 else answer.status_code >= 500


# A message that Slack took just now need not be in its history yet, and one whose answer we no longer wait for may be
# taken even now: before it is sent again, it is looked for once more.
LOOK_AFTER = timedelta(seconds=10)
SURE_AFTER = timedelta(minutes=1)
LOOKS = 2
# A look that is not allowed may be some day: the bot is invited, say.
LOOK_AGAIN_AFTER = timedelta(minutes=5)
LOOK_FOR = timedelta(days=7)  # who has looked in vain for so long looks no more
EARLIER = timedelta(hours=25)  # than we first sent it, by our clock, which may have been put right since
MOST_AMISS = timedelta(hours=1)  # how far our clock may be from Slack's for its word to be taken that nothing is there
PAGE, MOST_PAGES = 200, 25

Looked = Literal["found", "absent", "unseen", "unanswered"]


class Reconciler:
    """Settles what is `unknown`. Any number of threads and processes may look at the same time."""

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        now: Callable[[], datetime],
        event_type: str,
        look_after: timedelta = LOOK_AFTER,
        sure_after: timedelta = SURE_AFTER,
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._now = now
        self._event_type = event_type
        self._look_after = look_after
        self._sure_after = sure_after

    def reconcile(self) -> list[str]:
        """Look for every post that is `unknown`, and return the keys of those that may be sent again."""
        again = []
        for post in self._outbox.in_state("unknown"):
            wait = self._sure_after if post.searches else self._look_after
            wait = LOOK_AGAIN_AFTER if post.is_unsearchable else wait
            if post.changed_at and timedelta(0) <= self._now() - post.changed_at < wait:
                continue
            if post.is_unsearchable and post.tried_at and self._now() - post.tried_at > LOOK_FOR:
                continue
            looked, said = self._look(post)
            if looked == "found" and self._outbox.found(post, said, self._now()):
                log.info("%s: Slack has it after all", post.key)
            elif looked == "absent" and max(post.searches, 0) + 1 < LOOKS:
                self._outbox.not_found(post, self._now())
            elif looked == "absent" and self._outbox.try_again(post, self._now()):
                log.info("%s: Slack never took it; it is sent again", post.key)
                again.append(post.key)
            elif (
                looked == "unseen"
                and self._outbox.mark_unsearchable(post, said, self._now())
                and not post.is_unsearchable
            ):
                log.warning("%s: not known whether Slack has it, and not sent again: %s", post.key, said)
        return again

    def find(self, post: Post) -> bool:
        """Look for a post at once, and note that it is sent where it is there. False where it is not, or cannot be
        seen."""
        looked, ts = self._look(post)
        return looked == "found" and self._outbox.found(post, ts, self._now())

    def _look(self, post: Post) -> tuple[Looked, str]:
        """Whether a channel holds a post, with its ts there, or with why that cannot be seen."""
        thread_ts = post.thread_ts
        if post.thread_key:
            root = self._outbox.get(post.thread_key)
            if root is None or not root.ts:
                return "unanswered", ""
            thread_ts = root.ts
        amiss = timedelta(0)
        try:
            for answer in self._answers(post, self._channel(post), thread_ts):
                amiss = max(amiss, self._amiss(post, answer.headers))
                for message in answer["messages"]:
                    metadata = message.get("metadata") or {}
                    payload = metadata.get("event_payload") or {}
                    if metadata.get("event_type") == self._event_type and payload.get("key") == post.key:
                        return "found", str(message["ts"])
        except TooMany:
            return "unseen", "more came into the channel since than is looked through"
        except SlackApiError as error:
            code = code_of(error)
            if code in AGAIN | UNCERTAIN or status_of(error) != 200:
                log.info("%s cannot be looked for now: %s", post.key, code)
                return "unanswered", ""
            return "unseen", f"the channel's history cannot be read ({code})"
        except (OSError, HTTPException, SlackClientError) as error:
            log.info("%s cannot be looked for now: %s", post.key, error)
            return "unanswered", ""
        if amiss > MOST_AMISS:
            return "unseen", f"this machine's clock is, or was, {amiss} away from Slack's"
        return "absent", ""

    def _amiss(self, post: Post, headers: Mapping[str, str]) -> timedelta:
        """How far our clock is from Slack's, now or as far as can be seen when the post was sent."""
        said = next((value for name, value in headers.items() if name.lower() == "date"), "")
        try:
            theirs = parsedate_to_datetime(said)
        except ValueError:
            return timedelta(0)
        ours, tried = self._now(), post.tried_at or self._now()
        return max(abs(ours - theirs), tried - theirs)

    def _channel(self, post: Post) -> str:
        """The id of a post's channel; one to a user went to the direct messages with them."""
        if not is_id(post.channel, "UW"):
            return post.channel
        return str(self._client.conversations_open(users=post.channel)["channel"]["id"])

    def _answers(self, post: Post, channel: str, thread_ts: str | None) -> Iterator[SlackResponse]:
        """What came into the channel, or the thread, since the post was first sent."""
        since = min(post.tried_at or self._now(), self._now()) - EARLIER
        asked: dict[str, Any] = {
            "channel": channel,
            "oldest": f"{since.timestamp():.6f}",
            "limit": PAGE,
            "include_all_metadata": True,
        }
        for _ in range(MOST_PAGES):
            if thread_ts:
                answer = self._client.conversations_replies(ts=thread_ts, **asked)
            else:
                answer = self._client.conversations_history(**asked)
            yield answer
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
            asked["cursor"] = cursor
        raise TooMany


class TooMany(Exception):
    """More came into the channel than is looked through: whether the post is there stays unknown."""
