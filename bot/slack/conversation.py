"""A text that somebody sent the bot → the messages that answer it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.ask.answer import Almanac
from bot.ask.question import Thread
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.calendar import Month
from bot.slack.audience import EVERYONE, Audience, hidden_from
from bot.slack.blocks import Message, words_message
from bot.slack.members import Members
from bot.slack.messages import reply_messages
from bot.slack.poster import Poster
from bot.story.render import Templates, slack
from storage import Store
from storage.outbox import Post

log = logging.getLogger(__name__)

DIRECT = ""  # the thread of a direct message that is in none: the conversation itself
SORRY = "Something went wrong while I was answering; it is in my log. Please ask again."


_LINK = re.compile(r"<(?!@)(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


def as_typed(text: str) -> str:
    """The text as a person typed it: Slack turns addresses and links into markup and escapes three signs.

    Mentions of people stay as they are, since they say who is meant.
    """
    plain = _LINK.sub(lambda link: link["label"] or link["target"].removeprefix("mailto:"), text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message to the bot. `answer_in` is the thread to answer in; None answers beside the message."""

    text: str
    user: str
    channel: str
    ts: str
    answer_in: str | None
    remembered_as: str


class Conversation:
    """Answers what is said to the bot. Its methods block, and any thread may call them."""

    def __init__(
        self,
        almanac: Almanac,
        store: Store,
        poster: Poster,
        members: Members,
        templates: Templates,
        audiences: Sequence[Audience],
        workspace: str,
        bot_user: str,
        now: Callable[[], datetime],
    ) -> None:
        self._almanac = almanac
        self._store = store
        self._poster = poster
        self._members = members
        self._templates = templates
        self._audiences = audiences
        self._workspace = workspace
        self._to_bot = re.compile(rf"<@{re.escape(bot_user)}(?:\|[^>]*)?>[,:]?\s*")
        self._now = now

    def answer(self, heard: Heard) -> None:
        """Post the answer to a message, once, however often Slack delivers it."""
        first = f"answer|{self._workspace}|{heard.channel}|{heard.ts}"
        if self._store.outbox.get(first) is None:
            thread = Thread.of(self._store.conversations.recall(heard.channel, heard.remembered_as, self._now()))
            messages, about = self._messages(heard.text, heard.user, heard.channel, thread)
            keys = [first, *(f"{first}|{part}" for part in range(1, len(messages)))]
            posts = [
                Post(
                    key,
                    heard.channel,
                    message.payload(),
                    thread_ts=heard.answer_in,
                    thread_key=first if message.in_thread and not heard.answer_in else None,
                )
                for key, message in zip(keys, messages, strict=True)
            ]
            if self._poster.plan(posts) and about:
                self._store.conversations.remember(heard.channel, heard.remembered_as, about.document(), self._now())
        self._poster.send(list(self._store.outbox.parts(first)))

    def command(self, text: str, user: str, channel: str) -> list[Message]:
        """The messages that answer a slash command typed in a channel."""
        return self._messages(text, user, channel, Thread())[0]

    def _for(self, channel: str) -> Almanac:
        """Answers that hold only what the channel may read."""
        if not any(table.audience != EVERYONE for table in self._audiences):
            return self._almanac
        return self._almanac.without(hidden_from({channel, self._members.channel_name(channel)}, self._audiences))

    def _messages(self, text: str, user: str, channel: str, thread: Thread) -> tuple[list[Message], Thread | None]:
        try:
            almanac = self._for(channel)
            people = almanac.people()
            zone = self._members.zone(user)

            def member(other: str) -> Person | None:
                return self._members.person(other, people)

            question = almanac.question(
                as_typed(self._to_bot.sub(" ", text)),
                asker=self._members.person(user, people),
                member=member,
                present=Month.of(self._now(), zone) if zone else None,
                thread=thread,
            )
            reply = almanac.reply(question, thread)
            return reply_messages(reply, self._templates, almanac), reply.thread
        except AlmanacError as error:  # what a person can mend is said to whoever asked, and in the log
            log.warning("a question could not be answered: %s", error)
            return [words_message(f"I cannot answer now: {slack(str(error))}.")], None
        except Exception:  # silence would be the worst answer
            log.exception("a question could not be answered")
            return [words_message(SORRY)], None
