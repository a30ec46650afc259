"""A question that was asked somewhere → the messages that answer it there, with what may be read there and no more.

Whatever is answered in Slack comes by here: what is typed, what a button holds, what a modal shows, what is shared.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.ask.answer import Almanac, Reply
from bot.ask.correcting import Correctable
from bot.ask.known import Thread
from bot.errors import AlmanacError, CommitUnknown, StoreBusy
from bot.model import Person, Question
from bot.slack.audience import (
    SHARING_NOTHING,
    SHARING_REFUSED,
    About,
    Place,
    Reader,
    Rules,
    Sight,
    about,
    may_ask_about_others,
    may_correct,
    sight,
)
from bot.slack.blocks import Message, words_message
from bot.slack.buttons import CHANNEL, Surface
from bot.slack.linking import Linker
from bot.slack.members import Members
from bot.slack.messages import reply_messages
from bot.slack.modals import scheduled_message
from bot.slack.prompts import Prompt, prompts_for
from bot.story.documents import MonthDocument
from bot.story.render import Templates, slack

log = logging.getLogger(__name__)

SORRY = "Something went wrong while I was answering; it is in my log. Please ask again."
_LINK = re.compile(r"<(?!@)(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


def as_typed(text: str) -> str:
    """The text as a person typed it: Slack turns addresses and links into markup and escapes three signs.

    Mentions of people stay as they are, since they say who is meant.
    """
    plain = _LINK.sub(lambda link: link["label"] or link["target"].removeprefix("mailto:"), text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


Told = Callable[[MonthDocument], None]


def unheard(_: MonthDocument) -> None:
    """Nobody waits for the months of an answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, and where: `alone` where only they will read the answer."""

    user: str
    channel: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What somebody may see somewhere, before it is known what they ask."""

    reader: Reader
    place: Place
    rules: Rules
    people: Sequence[Person]  # as the almanac knows them
    sight: Sight
    almanac: Almanac  # without what the sight hides


@dataclass(frozen=True, slots=True)
class Answer:
    """Messages, and whether they are for the asker's eyes only. `about` is to be remembered; `reply` is None where
    there is none: the messages say why."""

    messages: list[Message]
    privately: bool = False
    about: Thread | None = None
    reply: Reply | None = None

    @property
    def words(self) -> str:
        """What a failure or a refusal says."""
        return self.messages[0].text if self.messages else ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that was understood, None where it was not, and how its answer is made. That raises
    nothing but StoreBusy."""

    question: Question | None
    made: Callable[[Told], Answer]

    def answer(self, told: Told = unheard) -> Answer:
        """Make it; `told` is handed each month as soon as it is ready."""
        return self.made(told)


class Refused(Exception):
    """Nothing may be told; its text is the sentence to say instead."""

    def __init__(self, words: str, privately: bool) -> None:
        super().__init__(words)
        self.privately = privately


class Answering:
    """Answers questions. Its methods block, and any thread may call them."""

    def __init__(
        self,
        almanac: Almanac,
        members: Members,
        templates: Templates,
        linker: Linker,
        bot_user: str,
        now: Callable[[], datetime],
        *,
        charts: bool = True,
    ) -> None:
        self._almanac = almanac
        self._members = members
        self._templates = templates
        self._linker = linker
        self._to_bot = re.compile(rf"<@{re.escape(bot_user)}(?:\|[^>]*)?>[,:]?\s*")
        self._now = now
        self._charts = charts

    def view(self, asked: Asked) -> View:
        """What may be seen, before it is known what is asked. Raises Refused where that is nothing."""
        rules, place = self._members.rules(), self._members.place(asked.channel)
        reader = self._members.reader(asked.user)
        seen = sight(reader, place, rules, alone=asked.alone)
        if seen.refused:
            raise Refused(seen.refused, seen.privately)
        almanac = self._visible(seen, reader, rules, asked.alone)
        people = almanac.people()
        reader = replace(reader, person=self._members.person(asked.user, people))
        return View(reader, place, rules, people, seen, almanac)

    def _visible(self, seen: Sight, reader: Reader, rules: Rules, alone: bool) -> Almanac:
        """The index as somebody may see it. Who may ask only about themselves is told as what is proven to be theirs,
        lest they read others' commits as their own."""
        almanac = self._almanac.without(seen.hidden)
        if not may_ask_about_others(reader, rules):
            almanac = almanac.set_apart(reader.proven)
        return almanac.shown_to(reader.proven) if alone or seen.privately else almanac

    def today(self) -> date:
        return self._almanac.today()

    def unknown(self, user: str, view: View) -> str | None:
        """How a user is called of whom it is not known who they are in git; None where it is."""
        if self._members.person(user, view.almanac.people()):
            return None
        return self._members.member(user).name or "this person"

    def parsed(self, text: str, view: View, thread: Thread | None = None) -> Question:
        """What a text asks, as whoever sees this would mean it."""
        people, user = view.almanac.people(), view.reader.user
        zone = self._members.zone(user)

        def member(other: str) -> Person | None:
            return self._members.person(other, people)

        return view.almanac.question(
            as_typed(self._to_bot.sub(" ", text)),
            asker=member(user),
            member=member,
            today=self._now().astimezone(zone).date() if zone else None,
            thread=thread,
        )

    def reply(
        self, question: Question, view: View, asked: Asked, thread: Thread | None = None, each: Told = unheard
    ) -> tuple[Reply, Almanac, bool]:
        """The reply to a question, the index as its readers may see it, and whether it is for the asker alone.

        Raises Refused where nothing may be told of it.
        """
        told = sight(view.reader, view.place, view.rules, self._about(question, view), alone=asked.alone)
        if told.refused:
            raise Refused(told.refused, told.privately)
        visible = self._visible(told, view.reader, view.rules, asked.alone)
        return visible.telling(each).reply(question, thread), visible, told.privately

    def _about(self, question: Question, view: View) -> About:
        if question.intent != "explain":
            return about(question, view.people)
        try:
            commit = view.almanac.explain(question.topic or "").commit
        except CommitUnknown:
            return about(question, view.people)
        author = view.almanac.author(commit)
        return about(question, view.people, [author] if author else [])

    def may_correct(self, question: Question, view: View) -> bool:
        """Whether whoever sees this may correct anything of what is told of everybody whom a question is about."""
        whom = about(question, view.people)
        if whom.others:
            return False
        return all(
            any(may_correct(view.reader, [one.address], view.rules) for one in person.identities if one.address)
            for person in whom.people
        )

    def may_correct_change(self, one: Correctable, view: View) -> bool:
        """Whether they may correct a change: their own, by proven addresses, or anybody's as an admin."""
        return may_correct(view.reader, one.addresses, view.rules)

    def called(self, view: View) -> str:
        """How whoever sees this is named to others, wherever they read it: by almanac.toml, else as in Slack."""
        return view.reader.proven.name or self._members.member(view.reader.user).name or view.reader.user

    def asking(self, text: str, asked: Asked, thread: Thread | None = None, surface: Surface = CHANNEL) -> Asking:
        """What somebody typed, as understood, to be answered."""
        understood: list[tuple[View, Question]] = []

        def read() -> Answer:
            view = self.view(asked)
            understood.append((view, self.parsed(text, view, thread)))
            return Answer([])

        failed = self._guarded(read)
        if not understood:
            return Asking(None, lambda _: failed)
        view, question = understood[0]
        return Asking(
            question, lambda each: self._guarded(lambda: self._answer(question, view, asked, thread, surface, each))
        )

    def text(self, text: str, asked: Asked, thread: Thread | None = None, surface: Surface = CHANNEL) -> Answer:
        """The answer to what somebody typed."""
        return self.asking(text, asked, thread, surface).answer()

    def question(self, question: Question, asked: Asked, surface: Surface = CHANNEL) -> Answer:
        """The answer to a question that a button holds."""
        return self._guarded(lambda: self._answer(question, self.view(asked), asked, None, surface))

    def shared(self, question: Question, user: str, channel: str) -> Answer:
        """An answer for others to read in a channel. Where it must not stand there, it is for the asker alone and
        says so."""
        asked, nothing = Asked(user, channel), Answer([words_message(SHARING_NOTHING)], privately=True)
        with suppress(Refused):  # which is said below
            if self.view(asked).sight.hidden.intersection(question.repositories):
                return nothing
        answer = self.question(question, asked)
        if answer.privately and answer.reply:
            return Answer([words_message(SHARING_REFUSED)], privately=True)
        if answer.reply and not (answer.reply.documents or answer.reply.explanation):
            return nothing  # what it says instead may name whom, or what, the channel may not know of
        return answer if answer.reply else Answer(answer.messages, privately=True)

    def prompts(self, user: str, channel: str) -> list[Prompt]:
        """Questions for somebody to begin with; none where they are told nothing."""
        try:
            view = self.view(Asked(user, channel, alone=True))
        except Refused:
            return []
        others = sight(view.reader, view.place, view.rules, About(others=True), alone=True).refused is None
        return prompts_for(view.almanac, self._members.person(user, view.almanac.people()), others=others)

    def _answer(
        self,
        question: Question,
        view: View,
        asked: Asked,
        thread: Thread | None,
        surface: Surface,
        each: Told = unheard,
    ) -> Answer:
        if question.intent == "link":  # nobody else's business
            return Answer(
                self._linker.messages(question.topic or "", view.reader, view.rules, view.sight.hidden), privately=True
            )
        if question.intent == "schedule":
            return Answer([scheduled_message()])
        reply, visible, privately = self.reply(question, view, asked, thread, each)
        if asked.alone or privately:  # one reader, of whom it is known what they may correct
            surface = replace(surface, can_correct=self.may_correct(reply.question, view))
        messages = reply_messages(reply, self._templates, visible, surface, charts=self._charts)
        return Answer(messages, privately, reply.thread, reply)

    def _guarded(self, answered: Callable[[], Answer]) -> Answer:
        try:
            return answered()
        except Refused as refused:
            return Answer([words_message(slack(str(refused)))], refused.privately)
        except StoreBusy:  # it will pass, so there is an answer to wait for
            raise
        except AlmanacError as error:  # what a person can mend is said to whoever asked, and in the log
            log.warning("a question could not be answered: %s", error)
            return Answer([words_message(f"I cannot answer now: {slack(error.told)}.")])
        except Exception:  # silence would be the worst answer
            log.exception("a question could not be answered")
            return Answer([words_message(SORRY)])
