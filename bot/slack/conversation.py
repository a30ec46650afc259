"""A text that somebody sent the bot → the messages that answer it, each posted once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.ask.known import Thread
from bot.slack.answering import Answer, Answering
from bot.slack.blocks import Message, words_message
from bot.slack.buttons import CHANNEL, Surface
from bot.slack.ephemeral import Ephemeral
from bot.slack.poster import INTERRUPTED, NOT_POSTED, Poster
from bot.slack.request import Request
from bot.story.render import slack
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

STOPPED = "Stopped: what you asked before is not answered."
DIRECT = ""  # the thread of a direct message that is in none: the conversation itself
IN_DIRECT = Surface(share="to")


def is_direct(channel: str) -> bool:
    """Whether nobody but one person and the bot reads a channel: Slack's ids of direct messages begin with a D."""
    return channel.startswith("D")


def surface_of(channel: str, *, alone: bool = False) -> Surface:
    """What an answer in a channel can offer; `alone` where only the asker sees it."""
    if is_direct(channel):
        return IN_DIRECT
    return Surface(share="here") if alone else CHANNEL


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message to the bot. `thread` is the one it stands in, if it stands in one."""

    text: str
    user: str
    channel: str
    ts: str
    thread: str | None = None
    event: str = ""  # Slack's id of the event, which is the same when it is delivered again
    again: bool = False  # it was begun before, here or by a process that died

    @property
    def direct(self) -> bool:
        """Whether nobody else reads along."""
        return is_direct(self.channel)

    @property
    def answer_in(self) -> str | None:
        """The thread to answer in; None answers beside the message."""
        return self.thread if self.direct else self.thread or self.ts

    @property
    def remembered_as(self) -> str:
        return self.answer_in or DIRECT


class Conversation:
    """Answers what is said to the bot. Its methods block, and any thread may call them."""

    def __init__(
        self,
        answering: Answering,
        store: Store,
        poster: Poster,
        ephemeral: Ephemeral,
        workspace: str,
        now: Callable[[], datetime],
    ) -> None:
        self.answering = answering
        self._store = store
        self._poster = poster
        self._ephemeral = ephemeral
        self._workspace = workspace
        self._now = now
        self._stopped: dict[tuple[str, str], str] = {}  # when work in a thread was stopped last

    def answer(self, incoming: IncomingMessage) -> None:
        """Post the answer to a message, once, however often Slack delivers it and under however many ids.

        Raises StoreBusy where that has to be tried again.
        """
        first = self.key("answer", incoming.channel, incoming.ts)
        event = self.key("event", incoming.event) if incoming.event else ""
        known = [key for key in (first, event) if key and self._store.processed_events.known(key, self._now())]
        if self._store.outbox.get(first) is None:
            if known:  # a release that wrote down nothing of it answered for the asker's eyes only, or was about to
                if incoming.again:
                    self._say(incoming, INTERRUPTED)
                return
            self._plan(first, incoming)
        if event and not known:
            self._store.processed_events.claim(event, self._now())
        if trouble := self.unsent(first):
            self._say(incoming, trouble)

    def stop(self, channel: str, thread: str, at: str) -> None:
        """Post nothing of what was asked in a thread before, and is not answered yet, but that it was stopped."""
        self._stopped[channel, thread] = at

    def _say(self, incoming: IncomingMessage, words: str) -> None:
        self._ephemeral.tell(incoming.user, incoming.channel, [words_message(slack(words))], incoming.thread)

    def _plan(self, first: str, incoming: IncomingMessage) -> None:
        """Write the answer to a message down: to be posted or, where it is for the asker's eyes only, to be shown to
        them alone."""
        thread = Thread.of(self._store.conversations.recall(incoming.channel, incoming.remembered_as, self._now()))
        request = Request(incoming.user, incoming.channel, alone=incoming.direct)
        surface = surface_of(incoming.channel, alone=incoming.direct)

        def stopped() -> bool:
            return self._stopped.get((incoming.channel, incoming.answer_in or incoming.ts), "") > incoming.ts

        answer = self.answering.text(incoming.text, request, thread, surface, stopped=stopped)
        if stopped():
            answer = Answer([words_message(STOPPED)], privately=True)
        if answer.privately and not incoming.direct:
            posts = self._posts(first, incoming.channel, answer.messages, incoming.thread, only_for=incoming.user)
        else:
            posts = self._posts(first, incoming.channel, answer.messages, incoming.answer_in, asked_by=incoming.user)
        if self._poster.plan(posts):
            self.remember(incoming.channel, incoming.remembered_as, answer.about)

    def key(self, sort: str, *what: str) -> str:
        """What a post is known by: the same for the same answer, so that it is made once."""
        return "|".join((sort, self._workspace, *what))

    def post(self, first: str, channel: str, messages: Sequence[Message], answer_in: str | None, asked_by: str) -> bool:
        """Write the messages down to be posted, the first under the key `first`, for somebody who is told where that
        fails. False if they were before."""
        return self._poster.plan(self._posts(first, channel, messages, answer_in, asked_by=asked_by))

    def _posts(
        self,
        first: str,
        channel: str,
        messages: Sequence[Message],
        answer_in: str | None,
        *,
        asked_by: str | None = None,
        only_for: str | None = None,
    ) -> list[Post]:
        keys = [first, *(f"{first}|{part}" for part in range(1, len(messages)))]
        return [
            Post(
                key,
                channel,
                message.payload(),
                thread_ts=answer_in,
                thread_key=first if message.in_thread and not (answer_in or only_for) else None,
                only_for=only_for,
                asked_by=asked_by if key == first else None,
            )
            for key, message in zip(keys, messages, strict=True)
        ]

    def answered(self, first: str, channel: str, answer: Answer, user: str) -> str:
        """Post an answer to somebody, once, and keep what it is about. Empty, or why it was not posted."""
        if self.post(first, channel, answer.messages, None, user):
            self.remember(channel, DIRECT, answer.about)
        return self.unsent(first)

    def unsent(self, first: str) -> str:
        """Send what was written down under a key. Empty, or why its first message was not posted; what waits to be
        tried again is no trouble, and of what was for one person alone they are told."""
        state = self._poster.send(list(self._store.outbox.parts(first)), caller_says=True).get(first, "failed")
        post = self._store.outbox.get(first) if state in ("failed", "unknown") else None
        if post is None or post.only_for:
            return ""
        _, _, why = (post.error or "").partition(": ")
        return NOT_POSTED.format(why=why or "Slack did not take it")

    def remember(self, channel: str, thread: str, about: Thread | None) -> None:
        """Keep what a conversation is about, for what is asked next."""
        if about:
            self._store.conversations.remember(channel, thread, about.document(), self._now())
