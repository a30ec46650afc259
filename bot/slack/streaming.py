"""An answer that takes its time is begun at once and written while it is read: what is done stands there as a task.

The outbox holds it from before its message begins, first with the words that it has if the process dies. When the
answer is ready its words replace them, and the poster puts the whole in the place of what was shown till then, so that
it is there once, with its text. Where anything about the stream goes wrong, the answer is posted as any other.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from http.client import HTTPException
from typing import Any, cast

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.ask.question import Question
from bot.month.calendar import parse_any_period
from bot.slack.blocks import words_message
from bot.slack.client import Client, code_of
from bot.slack.poster import Poster
from bot.slack.status import Lacking
from bot.story.documents import MonthDocument
from bot.story.wording import count
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

INTERRUPTED = "I was interrupted while I was answering. Please ask again."
# chat.startStream and chat.stopStream may be called 20 times a minute each; other processes may share that.
MOST_A_MINUTE = 15
CALL_SECONDS = 10  # a stream that does not begin by then is not worth it
START, APPEND = "chat.startStream", "chat.appendStream"


def worthwhile(question: Question, *, direct: bool, model: bool) -> bool:
    """Whether an answer is long in coming: months in the plural, or written by a model. Only in direct messages; in a
    channel an answer that changes under the readers' eyes is a nuisance."""
    months = question.span.months if question.span else None
    several = len(question.people) > 1 or (months is not None and not months.is_one)
    return direct and question.intent == "month" and bool(question.people) and (several or model)


class Stream:
    """An answer in the making, not streamed: it is posted when it is ready."""

    thread_ts: str | None = None  # the thread that the answer is in, where it is streamed

    def __init__(self, poster: Poster) -> None:
        self._poster = poster

    def month_ready(self, document: MonthDocument) -> None:
        """Show that a month is ready."""

    def plan(self, posts: Sequence[Post]) -> bool:
        """Write the answer down, as `Poster.plan` does."""
        return self._poster.plan(posts)


class _Begun(Stream):
    """An answer whose first post is in the outbox; its message is there too, unless `ts` is None."""

    def __init__(
        self,
        poster: Poster,
        outbox: Outbox,
        client: WebClient,
        now: Callable[[], datetime],
        first: Post,
        ts: str | None,
    ) -> None:
        super().__init__(poster)
        self._outbox, self._client, self._now, self._first, self._ts = outbox, client, now, first, ts
        self.thread_ts = first.thread_ts if ts else None
        self.is_planned = False
        self._appends, self._is_stopped, self._shown = bool(ts), False, 0

    def month_ready(self, document: MonthDocument) -> None:
        if not self._appends:
            return
        self._shown += 1
        done = _task(f"month-{self._shown}", parse_any_period(document.month).title, "complete")
        done["details"] = count(document.counts["changes"], "change")
        try:
            self._client.chat_appendStream(channel=self._first.channel, ts=str(self._ts), chunks=[done])
        except (SlackApiError, OSError, HTTPException, SlackClientError) as error:
            code = code_of(error) if isinstance(error, SlackApiError) else str(error)
            self._appends = False
            self._is_stopped = code == "stopped_by_user"
            log.info("%s: %s: %s", self._first.key, APPEND, code)

    def plan(self, posts: Sequence[Post]) -> bool:
        self.is_planned = True
        if self._is_stopped:  # by who asked: then it shall end there
            self._outbox.settle(self._first.key, "sent", self._now())
            return False
        if self.thread_ts:
            posts = [replace(post, thread_ts=self.thread_ts, thread_key=None) for post in posts]
        return self._outbox.complete(posts, self._now())

    def interrupt(self) -> None:
        """End it with words that say so."""
        self._outbox.settle(self._first.key, "planned", self._now())
        self._poster.send([self._first.key])


class Streaming:
    """Begins streams. Its methods block, and any thread may call them. `on` is false where none are wanted."""

    def __init__(
        self,
        client: WebClient,
        outbox: Outbox,
        poster: Poster,
        now: Callable[[], datetime],
        on: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Without the posting client's patience: who waits for a stream to begin could have had the answer.
        self._client = Client(
            token=client.token, base_url=client.base_url, timeout=CALL_SECONDS, proxy=client.proxy, retry_handlers=[]
        )
        self._outbox = outbox
        self._poster = poster
        self._now = now
        self._on = on
        self._clock = clock
        self._lacking = Lacking(clock)
        self._starts: deque[float] = deque(maxlen=MOST_A_MINUTE)

    @contextmanager
    def answer(
        self,
        first: str,
        channel: str,
        asked_ts: str,
        answer_in: str | None,
        title: str,
        worthwhile: bool,
        again: bool = False,
    ) -> Iterator[Stream]:
        """The answer to a message, streamed where that is `worthwhile` and possible, and plain otherwise.

        `first` is the outbox key of its first message, `title` what is read for it, in words of ours. A streamed answer
        stands in the thread of the message it answers. What is raised in the block ends the stream and is raised on.
        With `again`, one that a process began that died is gone on with.
        """
        begun = self._left(first, answer_in) if again else None
        if begun is None and worthwhile:
            begun = self._begun(first, channel, answer_in or asked_ts, answer_in, title)
        try:
            yield begun or Stream(self._poster)
        finally:
            if begun and not begun.is_planned:
                begun.interrupt()

    def _left(self, first: str, answer_in: str | None) -> _Begun | None:
        post = self._outbox.get(first)
        if post is None or not post.is_unwritten:
            return None
        if not post.ts:
            post = replace(post, thread_ts=answer_in)
        return _Begun(self._poster, self._outbox, self._client, self._now, post, post.ts)

    def _begun(self, first: str, channel: str, thread_ts: str, answer_in: str | None, title: str) -> _Begun | None:
        if not self._on or START in self._lacking or not self._is_within_rate():
            return None
        post = Post(first, channel, words_message(INTERRUPTED).payload(), thread_ts=thread_ts)
        if not self._outbox.begin(post, self._now()):
            return None
        ts = self._started(post, title)
        if ts:
            self._outbox.settle(first, "sending", self._now(), ts=ts)
        else:
            post = replace(post, thread_ts=answer_in)
        return _Begun(self._poster, self._outbox, self._client, self._now, post, ts)

    def _is_within_rate(self) -> bool:
        now = self._clock()
        if len(self._starts) == MOST_A_MINUTE and now - self._starts[0] < 60:
            return False
        self._starts.append(now)
        return True

    def _started(self, post: Post, title: str) -> str | None:
        """The ts of the message that began. Where that is not known, it is not: what may be there has no words yet."""
        try:
            answer = self._client.chat_startStream(
                channel=post.channel,
                thread_ts=str(post.thread_ts),
                chunks=[_task("reading", f"Reading {title}", "in_progress")],
                task_display_mode="timeline",
            )
            return cast(str, answer["ts"])
        except SlackApiError as error:
            self._lacking.refused(START, code_of(error))
            log.info("%s: %s: %s", post.key, START, code_of(error))
        except (OSError, HTTPException, SlackClientError) as error:
            log.warning("%s: %s: %s", post.key, START, error)
        return None


def _task(id: str, title: str, status: str) -> dict[str, Any]:
    return {"type": "task_update", "id": id, "title": title, "status": status}
