"""The way out: whatever the bot says is a row of the outbox, so that each post is made once.

    plan ─▶ planned ─▶ claim ─▶ Slack ─┬─▶ sent
              ▲  ▲                     ├─▶ failed    refused for good; blocks refused: its text alone
              │  └── not_before ◀──────┤             asked to wait, or not reached: nothing was done
              └── not there twice ◀────┴─▶ unknown ─▶ looked for by its key ─▶ sent; unreadable: never resent

A row is written before the call and settled after it; what is sent at once is claimed as it is written. There are three
kinds: a post is made once; a change (it has the `ts` of a message that stands) may be made again; what one person alone
sees (`only_for`) cannot be looked for: where it may be lost, that is said. Nothing sleeps for Slack: what it will not
take now is tried again by whoever sends what is due. A refusal is certainly not posted. Where Slack refuses blocks, the
text goes alone, which says all of it.

An answer by the address that came with a command or a press is tried once; what has no place there is a row.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Literal, NamedTuple
from urllib.error import HTTPError, URLError
from uuid import uuid4

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse
from slack_sdk.webhook import WebhookClient

from bot.errors import StoreBusy, Unreadable
from bot.slack import web_api
from bot.slack.audience import is_id
from bot.slack.elements import Message, Response, words_message
from bot.slack.web_api import AGAIN, CALL_SECONDS, STOPS, TROUBLE, UNCERTAIN, code_of, status_of
from storage.slack_state import Outbox, Post

log = logging.getLogger(__name__)

# No call lasts this long, and before each the row is claimed anew: one that is older lost its sender.
LOST_AFTER = timedelta(seconds=2 * CALL_SECONDS + 5)
SECONDS_APART = 1.0  # messages in one channel: https://docs.slack.dev/apis/web-api/rate-limits
UNREACHED_SECONDS = 10.0  # until Slack is called again, where it could not be reached
WHISPERS_WAIT = timedelta(minutes=10)  # for what one person alone sees: then nobody needs it any more
ASK_AGAIN_SECONDS = 600.0  # whether Slack lets the app in, once it did not
MOST_CHANGES = 5  # tries to change a message; each may be made again, for it posts nothing new
CHANGE = "change|"  # keys of changes begin with it
EVENT_TYPE = "almanac_post"
INTERRUPTED = "I was interrupted while I was answering. If you cannot see my answer, please ask again."
NOT_POSTED = "My answer could not be posted there: {why}."
# A response_url can be used five times: https://docs.slack.dev/interactivity/handling-user-interaction
MOST_ANSWERS = 5

# A message that Slack took just now need not be in its history yet, and one whose answer we no longer wait for may be
# taken even now: before it is sent again, it is looked for once more.
LOOK_AFTER = timedelta(seconds=10)
SURE_AFTER = timedelta(minutes=1)
LOOKS = 2
LOOK_AGAIN_AFTER = timedelta(minutes=5)  # a look that is not allowed may be some day: the bot is invited, say
LOOK_FOR = timedelta(days=7)  # who has looked in vain for so long looks no more
EARLIER = timedelta(hours=25)  # than we first sent it, by our clock, which may have been put right since
MOST_AMISS = timedelta(hours=1)  # how far our clock may be from Slack's for its word to be taken that nothing is there
PAGE, MOST_PAGES = 200, 25

Looked = Literal["found", "absent", "unseen", "unanswered"]


class Sent(NamedTuple):
    """What came of one try: the post's state, with its ts or with what went wrong; and for how many seconds Slack is
    not to be called again."""

    state: str
    ts: str | None = None
    error: str | None = None
    wait: float = 0.0

    @property
    def code(self) -> str:
        """Slack's word for what went wrong."""
        return code_in(self.error)


class Sender:
    """Says what the bot says. Its methods block, and any number of threads and processes may share one outbox; but for
    the database, they never raise for what goes wrong.

    That Slack does not let the app in is remembered as long as this lives: nothing is sent then until it does; and that
    it asked to wait with a method in a channel. `now` is the real time: one that is held would never come to when a
    post may be sent.
    """

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        now: Callable[[], datetime],
        *,
        looks_after: tuple[timedelta, timedelta] = (LOOK_AFTER, SURE_AFTER),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`looks_after` says when what may be lost is looked for first, and again."""
        self._client = client
        self._outbox = outbox
        self.now = now
        self._looks_after = looks_after
        self._apart = SECONDS_APART
        self._monotonic = monotonic
        self._asked_in: float | None = None  # when Slack was last asked to let the app in, since it did not
        self._limited: dict[tuple[str, str], float] = {}  # until when, by method and channel
        self._free_at: dict[str, float] = {}  # when each lane is free again
        self._unrecorded: dict[str, tuple[Post, Sent, Post | None]] = {}  # what came of calls, not noted

    # --- posts

    def plan(self, posts: Sequence[Post], *, at_once: bool = False) -> list[Post]:
        """Write posts down, all or none, and return them as they stand then; none if the first of them was written down
        before. With `at_once` the first is claimed with that, where nothing keeps it waiting: whoever plans it so hands
        what is returned to `send` next."""
        is_claimed = at_once and not (self.is_shut_out or posts[0].thread_key or self._limited_for(posts[0]))
        state = "sending" if is_claimed else "planned"
        if not self._outbox.plan(posts, self.now(), state):
            return []
        return [replace(posts[0], state=state, attempts=int(is_claimed)), *posts[1:]]

    def send(self, posts: Sequence[Post | str]) -> dict[str, str]:
        """Try to send those of the posts that wait to be sent, in order, each once, and return the state of each by its
        key. Each is given by that, or as `plan` returned it.

        A post that answers another waits until that one is sent, so a thread never comes before its root. Whoever asked
        for one (`asked_by`) is told where it fails, by what is written down with that.
        """
        return {one if isinstance(one, str) else one.key: self.send_one(one).state for one in posts}

    def send_waiting(self, seconds: float, first: str = "", pause: Callable[[float], object] = time.sleep) -> None:
        """Send what can be sent within some seconds, one message at a time in a channel, the others meanwhile; the rest
        waits for the next time. With `first`, only the post that has this key, and its parts. `pause` waits so many
        seconds, and says whether to stop at once."""
        end = self._monotonic() + seconds
        stuck = set[str]()  # they were tried, and wait for another time
        while True:
            at = self._monotonic()
            waiting = [
                (max(0.0, wait, self._free_at.get(lane, at) - at), key, lane)
                for key, lane, wait in self._outbox.waiting(self.now())
                if key not in stuck and (not first or key == first or key.startswith(f"{first}|"))
            ]
            if not waiting:
                return
            wait, key, lane = min(waiting, key=lambda one: one[0])
            if at + wait > end or pause(wait):
                return
            self._free_at[lane] = self._monotonic() + self._apart  # for whoever else sends by this
            sent = self.send_one(key)
            if self.is_shut_out:
                return
            self._free_at[lane] = self._monotonic() + max(self._apart, sent.wait)
            if sent.state == "planned" and not sent.wait:
                stuck.add(key)

    def send_one(self, one: Post | str) -> Sent:
        """Try to send a post if it waits to be sent, and Slack has not asked to wait with it."""
        if isinstance(one, Post) and one.state == "sending":
            return self._made(one, one.thread_ts)
        key = one if isinstance(one, str) else one.key
        self._record()
        post = self._outbox.get(key)
        if post is None or post.state != "planned":
            return Sent(post.state if post else "failed")
        if self.is_shut_out:
            return Sent("planned")
        root = self._outbox.get(post.thread_key) if post.thread_key else None
        if post.thread_key and (root is None or root.state != "sent"):
            if root is not None and root.state != "failed":
                return Sent("planned")
            self._outbox.settle(key, "failed", self.now(), error="the message it answers was not sent")
            return Sent("failed")
        if wait := self._limited_for(post):
            self._outbox.put_off(key, self.now() + timedelta(seconds=wait))
            return Sent("planned", wait=wait)
        attempt = self._outbox.claim(key, self.now())
        if not attempt:
            return Sent("sending")  # by another process, at this moment
        return self._made(replace(post, attempts=attempt), root.ts if root else post.thread_ts)

    def _made(self, post: Post, thread_ts: str | None) -> Sent:
        """What came of sending a post that is claimed, once it is noted."""
        sent, then = _followed(post, self._call(post, thread_ts))
        self._unrecorded[post.key] = post, sent, then
        with suppress(StoreBusy):  # it is noted later
            self._record()
        if sent.wait:
            self._limited[_limit_of(post)] = self._monotonic() + sent.wait
        if sent.code in STOPS:
            if not self.is_shut_out:
                said = "Slack does not let the app in (%s), so nothing is sent: %s"
                log.error(said, sent.code, web_api.what_to_do(sent.code))
            self._asked_in = self._monotonic()
        elif sent.error:
            log.warning("%s: %s: %s", post.key, sent.state, sent.error)
        if then:
            self.send_one(then.key)
        return sent

    def _limited_for(self, post: Post) -> float:
        """For how many seconds Slack asked to wait with such a post."""
        return max(0.0, self._limited.get(_limit_of(post), 0.0) - self._monotonic())

    @property
    def is_shut_out(self) -> bool:
        """Whether Slack does not let the app in, as it said last."""
        return self._asked_in is not None

    def is_let_in(self) -> bool:
        """Whether Slack lets the app in, as far as is known. Where it did not, it is asked again every ten minutes."""
        if self._asked_in is None:
            return True
        if self._monotonic() - self._asked_in < ASK_AGAIN_SECONDS:
            return False
        self._asked_in = self._monotonic()
        try:
            self._client.auth_test()
        except TROUBLE:
            return False
        log.info("Slack lets the app in again: what waited is sent")
        self._asked_in = None
        return True

    def give_up_on_lost(self) -> None:
        """Note of posts that are being sent for longer than any call takes that their sender died."""
        self._record()
        for key in self._outbox.give_up_on_lost(self.now(), LOST_AFTER, _interrupted):
            log.warning("%s: its sender died, so it is not known whether Slack has it", key)

    def _record(self) -> None:
        """Note what came of calls. Where that fails it is kept for the next time: nobody has to look in Slack then."""
        for key, (claimed, sent, then) in list(self._unrecorded.items()):
            now = self.now()
            not_before = now + timedelta(seconds=sent.wait) if sent.wait else None
            self._outbox.record_attempt(
                claimed, sent.state, now, ts=sent.ts, error=sent.error, not_before=not_before, then=then
            )
            self._unrecorded.pop(key, None)

    def _call(self, post: Post, thread_ts: str | None) -> Sent:
        if post.only_for and post.planned_at and self.now() - post.planned_at > WHISPERS_WAIT:
            return Sent("unknown", error="it is too late for it")
        arguments: dict[str, Any] = {"channel": post.channel, **post.payload}
        if post.ts:
            sent = self._tried(post, self._client.chat_update, {**arguments, "ts": post.ts})
            if sent.state == "unknown":  # it may be made again
                sent = sent._replace(state="planned" if post.attempts < MOST_CHANGES else "failed")
            return sent._replace(ts=post.ts if sent.state == "sent" else None)
        if thread_ts:
            arguments["thread_ts"] = thread_ts
        if post.only_for:
            return self._tried(post, self._client.chat_postEphemeral, {**arguments, "user": post.only_for})
        # By this a lost message can be recognised in the channel's history.
        key = {"metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": post.key}}}
        quiet = {"unfurl_links": False, "unfurl_media": False}
        return self._tried(post, self._client.chat_postMessage, {**arguments, **key, **quiet})

    def _tried(self, post: Post, call: Callable[..., SlackResponse], arguments: Mapping[str, Any]) -> Sent:
        """Make a call; where Slack refuses its blocks, once more without them, for the text says all that they say."""
        try:
            return Sent("sent", call(**arguments).get("ts"))
        except SlackApiError as error:
            code = code_of(error)
            if code in web_api.OURS:  # our own mistake, which must not cost the reader the message
                log.error("%s: Slack refused what it holds (%s): %s", post.key, code, arguments)
            if code not in web_api.CONTENT or "blocks" not in arguments:
                said = f"{code}: {web_api.what_to_do(code)}"
                return Sent(_outcome(error), error=said, wait=web_api.asked_to_wait(error))
        except TROUBLE as error:
            return _lost(error)
        if not self._outbox.renew(post, self.now()):
            return Sent("unknown", error="somebody else has taken it to be lost meanwhile")
        return self._tried(post, call, {name: value for name, value in arguments.items() if name != "blocks"})

    # --- what one person alone sees, and what stands already

    def tell(self, user: str, channel: str, messages: Sequence[Message]) -> None:
        """Show messages to one person in a channel. What Slack refuses there, and what is in no channel, is written to
        them directly."""
        first = f"{'whisper' if channel else 'direct'}|{uuid4()}"
        posts = [
            Post(
                f"{first}|{number}",  # in the order in which they are sent where they wait
                channel or user,
                one.payload(),
                only_for=user if channel else None,
            )
            for number, one in enumerate(messages)
        ]
        if posts:
            self.send(self.plan(posts, at_once=True))

    def change(self, channel: str, ts: str, message: Message) -> str:
        """Put a message in the place of one that stands, in the place also of a change of it that waits. Empty, or
        Slack's word for why it refused; what waits to be tried again is no refusal."""
        post = Post(f"{CHANGE}{uuid4()}", channel, message.payload(), ts=ts)
        self._outbox.plan_change(post, self.now())
        self.send([post.key])
        done = self._outbox.get(post.key)
        code = code_in(done.error) if done else ""
        return code if done and (done.state == "failed" or code in STOPS) else ""

    def answer(self, url: str, user: str, channel: str, response: Response) -> None:
        """Answer a command or a press by the address that came with it; what does not go there, as by `tell`."""
        if response.messages and not url:
            raise Unreadable("there is no address to answer to")
        if response.delete and url:
            self._is_taken(url, {"delete_original": True})
        for number, message in enumerate(response.messages):
            shown = {"response_type": "ephemeral", "replace_original": response.replace and not number}
            if number == MOST_ANSWERS or not self._is_taken(url, message.payload() | shown):
                self.tell(user, channel, response.messages[number:])
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
        except TROUBLE as trouble:
            log.warning("nobody could be notified of it: %s", trouble)

    def _is_taken(self, url: str, body: Mapping[str, Any]) -> bool:
        """Post an answer once. True also where nobody knows whether it was taken: nothing is shown twice."""
        client = WebhookClient(url, timeout=CALL_SECONDS, proxy=self._client.proxy, retry_handlers=[])
        try:
            with web_api.understood("response_url"):
                answer = client.send_dict(dict(body))
        except TROUBLE as error:
            log.warning("an answer by its address is lost: %s", error)
            return not _was_nothing_done(error)
        if answer.status_code == 200:
            return True
        level = logging.INFO if answer.status_code == web_api.RATE_LIMITED else logging.ERROR
        log.log(level, "an answer was refused (%s): %s", answer.status_code, answer.body)
        return answer.status_code >= 500

    # --- what may be lost: what is found is sent, what is not there when looked for twice was never taken, and what
    # --- cannot be looked for is not sent again: a post too few is said, a post twice is not forgiven

    def reconcile(self) -> list[str]:
        """Look for every post that is `unknown`, and return the keys of those that may be sent again."""
        return [post.key for post in self._outbox.in_state("unknown") if self._is_due(post) and self._settle(post)]

    def find(self, post: Post) -> bool:
        """Look for a post at once, and note that it is sent where it is there. False where it is not, or cannot be
        seen."""
        looked, ts = self._look(post)
        return looked == "found" and self._outbox.resolve(post, "sent", self.now(), ts=ts)

    def _is_due(self, post: Post) -> bool:
        now, first = self.now(), self._looks_after[0]
        if post.is_unsearchable and post.tried_at and now - post.tried_at > LOOK_FOR:
            return False
        wait = LOOK_AGAIN_AFTER if post.is_unsearchable else self._looks_after[1] if post.searches else first
        return not (post.changed_at and timedelta(0) <= now - post.changed_at < wait)

    def _settle(self, post: Post) -> bool:
        """Look for a post and note what is known of it then: whether it may be sent again."""
        looked, said = self._look(post)
        if looked == "found" and self._outbox.resolve(post, "sent", self.now(), ts=said):
            log.info("%s: Slack has it after all", post.key)
        elif looked == "absent" and (searches := max(post.searches, 0) + 1) < LOOKS:
            self._outbox.resolve(post, "unknown", self.now(), searches=searches, error=post.error)
        elif looked == "absent" and self._outbox.resolve(post, "planned", self.now()):
            log.info("%s: Slack never took it; it is sent again", post.key)
            return True
        elif looked == "unseen":
            if not post.is_unsearchable:
                log.warning("%s: not known whether Slack has it, and not sent again: %s", post.key, said)
                if whisper := _interrupted(post):
                    self.plan([whisper])
            self._outbox.resolve(post, "unknown", self.now(), searches=-1, error=said)
        return False

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
            for number, answer in enumerate(self._since(post, thread_ts)):
                if number == MOST_PAGES:
                    return "unseen", "more came into the channel since than is looked through"
                amiss = max(amiss, self._amiss(post, answer.headers))
                for message in answer["messages"]:
                    metadata = message.get("metadata") or {}
                    payload = metadata.get("event_payload") or {}
                    if metadata.get("event_type") == EVENT_TYPE and payload.get("key") == post.key:
                        return "found", str(message["ts"])
        except TROUBLE as error:
            code = code_of(error) if isinstance(error, SlackApiError) and status_of(error) == 200 else "unknown_error"
            if code not in AGAIN | UNCERTAIN:
                return "unseen", f"the channel's history cannot be read ({code})"
            log.info("%s cannot be looked for now: %s", post.key, error)
            return "unanswered", ""
        if amiss > MOST_AMISS:  # then it is not known since when to look
            return "unseen", f"this machine's clock is, or was, {amiss} away from Slack's"
        return "absent", ""

    def _since(self, post: Post, thread_ts: str | None) -> Iterator[Any]:
        """What came into the channel of a post, or into its thread, since it was first sent; page by page."""
        client, channel = self._client, post.channel
        if is_id(channel, "UW"):  # one to a user went to the direct messages with them
            channel = client.conversations_open(users=channel)["channel"]["id"]
        since = min(post.tried_at or self.now(), self.now()) - EARLIER
        asked: dict[str, Any] = {"oldest": f"{since.timestamp():.6f}", "limit": PAGE, "include_all_metadata": True}
        if thread_ts:
            return web_api.pages(
                lambda at: client.conversations_replies(channel=channel, ts=thread_ts, cursor=at, **asked)
            )
        return web_api.pages(lambda at: client.conversations_history(channel=channel, cursor=at, **asked))

    def _amiss(self, post: Post, headers: Mapping[str, str]) -> timedelta:
        """How far our clock is from Slack's, now or as far as can be seen when the post was sent."""
        said = next((value for name, value in headers.items() if name.lower() == "date"), "")
        try:
            theirs = parsedate_to_datetime(said)
        except ValueError:
            return timedelta(0)
        ours, tried = self.now(), post.tried_at or self.now()
        return max(abs(ours - theirs), tried - theirs)


def _limit_of(post: Post) -> tuple[str, str]:
    """What Slack limits by itself: of each channel, what all see, what one person alone sees, and changes."""
    return ("only" if post.only_for else "change" if post.ts else "post"), post.channel


def code_in(error: str | None) -> str:
    """Slack's word in what is noted of a refusal."""
    return (error or "").partition(":")[0]


def not_posted(error: str | None) -> str:
    """What is said of a post that failed."""
    _, _, why = (error or "").partition(": ")
    return NOT_POSTED.format(why=why or "Slack did not take it")


def _followed(post: Post, sent: Sent) -> tuple[Sent, Post | None]:
    """What came of a post as it is noted, and what is written down with that, so that nobody waits for it in vain: what
    has no place for one person alone is written to them directly."""
    if post.only_for and sent.state == "failed":
        return sent, Post(f"direct|{post.key}", post.only_for, post.payload)
    if post.only_for and sent.state == "unknown":  # it cannot be looked for
        return sent._replace(state="failed"), _interrupted(post)
    if post.asked_by and sent.state in ("failed", "unknown"):
        said = words_message(not_posted(sent.error))
        return sent, Post(f"whisper|{post.key}", post.channel, said.payload(), only_for=post.asked_by)
    return sent, None


def _interrupted(post: Post) -> Post | None:
    """What tells whoever asked that an answer may be lost."""
    user = post.asked_by or (post.only_for if post.key.startswith("answer|") else None)
    if user is None:
        return None
    said = words_message(INTERRUPTED).payload()
    return Post(f"whisper|{post.key}", post.channel, said, thread_ts=post.thread_ts, only_for=user)


def _outcome(error: SlackApiError) -> str:
    code = code_of(error)
    if code in AGAIN or code in STOPS or status_of(error) == web_api.RATE_LIMITED:  # certainly not posted
        return "planned"
    return "unknown" if code in UNCERTAIN or status_of(error) >= 500 else "failed"


def _lost(error: Exception) -> Sent:
    if _was_nothing_done(error):
        return Sent("planned", error=f"Slack cannot be reached ({web_api.reason_of(error)})", wait=UNREACHED_SECONDS)
    why = (
        error if isinstance(error, web_api.AnswerNotUnderstood) else f"the answer was lost ({web_api.reason_of(error)})"
    )
    return Sent("unknown", error=f"{why}: look whether it is in the channel")


def _was_nothing_done(error: Exception) -> bool:
    """Whether a call certainly did not reach Slack."""
    inner = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    return isinstance(inner, ConnectionRefusedError) or type(inner).__name__ == "gaierror"
