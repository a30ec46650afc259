"""A question that was asked somewhere → the messages that answer it there, with what may be read there and no more.

Whatever is answered in Slack comes by here: what is typed, what a button holds, what a modal shows, what is shared.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Literal

from bot.ask.answers import Reply, answered, answered_by_model, understood
from bot.ask.explain import commits_meant
from bot.ask.known import Thread
from bot.ask.people.proven import NOTHING_PROVEN
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError, CommitUnknown, PersonUnknown, StoreBusy
from bot.model import Person
from bot.month.calendar import Days, MonthRange, Span, parse_any_period
from bot.slack.audience import (
    SHARING_NOTHING,
    SHARING_REFUSED,
    About,
    AccessRules,
    Reader,
    Sight,
    about,
    may_ask_about_others,
    sight,
)
from bot.slack.blocks import Message, words_message
from bot.slack.buttons import CHANNEL, Surface
from bot.slack.linking import Linker
from bot.slack.members import Members
from bot.slack.messages import reply_messages
from bot.slack.modals import scheduled_message
from bot.slack.prompts import Prompt, prompts_for
from bot.slack.request import SORRY, AccessRefused, Request, RequestContext
from bot.story.render import Templates, slack

log = logging.getLogger(__name__)

_LINK = re.compile(r"<(?!@)(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


def as_typed(text: str) -> str:
    """The text as a person typed it: Slack turns addresses and links into markup and escapes three signs.

    Mentions of people stay as they are, since they say who is meant.
    """
    plain = _LINK.sub(lambda link: link["label"] or link["target"].removeprefix("mailto:"), text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


# What became of a question. Unavailable: somebody can mend why; postponed: it waits for a database that is busy.
Outcome = Literal["answered", "refused", "unavailable", "failed", "postponed"]
Observe = Callable[[str, Outcome], None]
UNREAD = "unread"  # in place of an intent, where it failed before that was known


@dataclass(frozen=True, slots=True)
class Answer:
    """Messages, and whether they are for the asker's eyes only. `reply` is None where there is none: the messages say
    why."""

    messages: list[Message]
    privately: bool = False
    reply: Reply | None = None

    @property
    def about(self) -> Thread | None:
        """What is to be remembered."""
        return self.reply.thread if self.reply else None

    @property
    def words(self) -> str:
        """What a failure or a refusal says."""
        return self.messages[0].text if self.messages else ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A question that was understood, the context it is answered in, and the text, where it was typed."""

    question: Question
    context: RequestContext
    text: str = ""


class Answering:
    """Answers questions. Its methods block, and any thread may call them."""

    def __init__(
        self,
        queries: Queries,
        members: Members,
        templates: Templates,
        linker: Linker,
        bot_user: str,
        *,
        observe: Observe = lambda intent, outcome: None,
    ) -> None:
        """`observe` is called with the intent of each question and what became of it."""
        self._queries = queries
        self._members = members
        self._templates = templates
        self._linker = linker
        self._to_bot = re.compile(rf"<@{re.escape(bot_user)}(?:\|[^>]*)?>[,:]?\s*")
        self._observe = observe

    def snapshot(self) -> AbstractContextManager[object]:
        """Inside, what is read is of one moment."""
        return self._queries.store.snapshot()

    def hears(self, user: str) -> bool:
        """Whether somebody is answered at all, be it by a refusal: no bot is, nor who is gone."""
        return not self._members.member(user).deleted

    def context(self, request: Request) -> RequestContext:
        """What may be seen, before it is known what is asked. Raises AccessRefused where that is nothing."""
        queries = replace(self._queries)
        rules, member = self._members.rules(queries.indexed), self._members.member(request.user)
        place, reader = self._members.place(request.channel, rules), self._members.reader(member, rules)
        seen = sight(reader, place, rules, alone=request.alone)
        if seen.refused:
            raise AccessRefused(seen.refused, seen.privately)
        queries = _visible(queries, seen, reader, rules, request)
        reader = replace(reader, person=self._members.person_of(member, queries.known.everyone))
        return RequestContext(request, member, reader, place, rules, seen, queries)

    def behind(self, user: str, context: RequestContext) -> tuple[Person | None, str]:
        """Who a user is in git, where that is known, and how they are called in Slack."""
        member = self._members.member(user)
        return self._members.person_of(member, context.queries.known.everyone), member.name or "this person"

    def parsed(
        self, text: str, context: RequestContext, thread: Thread | None = None, *, mine: bool = False
    ) -> Question:
        """What a text asks, as whoever asks would mean it; with `mine`, a time alone asks for theirs."""
        zone, people = context.member.zone_info, context.queries.known.everyone
        return understood(
            context.queries,
            self._typed(text),
            asker=context.reader.person,
            member=lambda other: self._members.person_of(self._members.member(other), people),
            today=context.queries.settings.now().astimezone(zone).date() if zone else None,
            thread=thread,
            mine=mine,
        )

    def _typed(self, text: str) -> str:
        return as_typed(self._to_bot.sub(" ", text))

    def reply(
        self,
        question: Question,
        context: RequestContext,
        thread: Thread | None = None,
    ) -> tuple[Reply, Queries, bool]:
        """The reply to a question, the index as its readers may see it, and whether it is for the asker alone.

        Raises AccessRefused where nothing of it may be shown.
        """
        queries, privately = self._seen(self._about(question, context), context)
        if queries is not context.queries:
            question = replace(question, found={})  # who may be somebody else to these readers
        return answered(queries, question, thread), queries, privately

    def reply_to(
        self, parsed: Parsed, thread: Thread | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> tuple[Reply, Queries, bool]:
        """The same of what was typed, which a model may answer."""
        found = self._by_model(parsed, thread, stopped) if parsed.text else None
        return found or self.reply(parsed.question, parsed.context, thread)

    def queries(
        self, request: Request, names: Sequence[str] = (), references: Sequence[str] = (), span: str = ""
    ) -> Queries:
        """The queries in the rights of somebody who asks for what the people of some names did in a span, or for some
        commits; for others' work too where there are neither. Raises AccessRefused where nothing of it may be shown."""
        context = self.context(request)
        present = context.queries.present()
        when: Span = MonthRange(present - 1, present)
        with suppress(ValueError):
            when = Days.of(parse_any_period(span))
        people = [self._named(one, when, context) for one in names]
        people += [self._author(one, context) for one in references]
        meant = About(tuple(filter(None, people)), others=not people or None in people)
        return self._seen(meant, context)[0]

    def _seen(self, meant: About, context: RequestContext) -> tuple[Queries, bool]:
        """The index as whoever asks about some people may see it, and whether what is said is for them alone."""
        request, reader, rules = context.request, context.reader, context.rules
        seen = sight(reader, context.place, rules, meant, alone=request.alone)
        if seen.refused:
            raise AccessRefused(seen.refused, seen.privately)
        same = seen == context.sight
        return context.queries if same else _visible(context.queries, seen, reader, rules, request), seen.privately

    def _about(self, question: Question, context: RequestContext) -> About:
        people = context.queries.known.everyone
        if question.intent != "explain":
            return about(question, people)
        authors = [self._author(one, context) for one in question.references]
        return about(question, people, [one for one in authors if one] if None not in authors else [])

    def _named(self, name: str, when: Span, context: RequestContext) -> Person | None:
        try:
            return context.queries.person(name, when)
        except PersonUnknown:
            return None

    def _author(self, reference: str, context: RequestContext) -> Person | None:
        """Who wrote a commit, unless they are not shown or it is none."""
        people = context.queries.known
        try:
            commit = commits_meant(reference, context.queries.material)[0]
        except CommitUnknown:
            return None
        return None if commit in people.unshown else people.author(commit)

    def parse(
        self, text: str, request: Request, thread: Thread | None = None, *, mine: bool = False
    ) -> Parsed | Answer:
        """What somebody typed, as understood, or why it was not. Raises nothing but StoreBusy."""
        try:
            with self._queries.store.snapshot():
                context = self.context(request)
                return Parsed(self.parsed(text, context, thread, mine=mine), context, self._typed(text))
        except Exception as error:
            return self._failure(error)

    def answer(
        self,
        parsed: Parsed | Answer,
        thread: Thread | None = None,
        surface: Surface = CHANNEL,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The answer to what was understood; `stopped` says whether nobody waits for it any more. Raises nothing but
        StoreBusy."""
        if isinstance(parsed, Answer):
            return parsed
        try:
            with self._queries.store.snapshot():
                answer = self._answer(parsed, thread, surface, stopped)
        except Exception as error:
            return self._failure(error, parsed.question.intent)
        self._observe(parsed.question.intent, "answered")
        return answer

    def text(
        self,
        text: str,
        request: Request,
        thread: Thread | None = None,
        surface: Surface = CHANNEL,
        *,
        mine: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The answer to what somebody typed."""
        with self._queries.store.snapshot():
            return self.answer(self.parse(text, request, thread, mine=mine), thread, surface, stopped)

    def question(self, question: Question, request: Request, surface: Surface = CHANNEL) -> Answer:
        """The answer to a question that a button holds."""
        with self._queries.store.snapshot():
            try:
                context = self.context(request)
            except Exception as error:
                return self._failure(error, question.intent)
            return self.answer(Parsed(question, context), surface=surface)

    def shared(self, question: Question, user: str, channel: str) -> Answer:
        """An answer for others to read in a channel. Where it must not stand there, it is for the asker alone and
        says so."""
        request, nothing = Request(user, channel), Answer([words_message(SHARING_NOTHING)], privately=True)
        with suppress(AccessRefused):  # which is said below
            if self.context(request).sight.hidden.intersection(question.repositories):
                return nothing
        answer = self.question(question, request)
        if answer.privately and answer.reply:
            return Answer([words_message(SHARING_REFUSED)], privately=True)
        if answer.reply and answer.reply.is_empty:
            return nothing  # what it says instead may name whom, or what, the channel may not know of
        return answer if answer.reply else Answer(answer.messages, privately=True)

    def prompts(self, user: str, channel: str) -> list[Prompt]:
        """Questions for somebody to begin with; none where they are shown nothing."""
        try:
            context = self.context(Request(user, channel, alone=True))
        except AccessRefused:
            return []
        others = sight(context.reader, context.place, context.rules, About(others=True), alone=True).refused is None
        return prompts_for(context.queries, context.reader.person, others=others)

    def _answer(self, parsed: Parsed, thread: Thread | None, surface: Surface, stopped: Callable[[], bool]) -> Answer:
        question, context = parsed.question, parsed.context
        if question.intent == "link":  # nobody else's business
            return Answer(self._linker.messages(question.topic or "", context), privately=True)
        if question.intent == "schedule":
            return Answer([scheduled_message()])
        reply, visible, privately = self.reply_to(parsed, thread, stopped)
        if context.request.alone or privately:  # one reader, of whom it is known what they may correct
            surface = replace(surface, can_correct=context.may_correct(reply.question))
        messages = reply_messages(reply, self._templates, visible, surface)
        return Answer(messages, privately, reply)

    def _by_model(
        self, parsed: Parsed, thread: Thread | None, stopped: Callable[[], bool]
    ) -> tuple[Reply, Queries, bool] | None:
        """What a model answers, where one is to be asked. It may ask for anybody's work, so it is asked only by who may
        be shown others'."""
        context, zone = parsed.context, parsed.context.member.zone_info
        try:
            queries, privately = self._seen(About(others=True), context)
        except AccessRefused:
            return None
        now = queries.settings.now().astimezone(zone or queries.zone)
        asker = context.reader.person
        reply = answered_by_model(queries, parsed.text, parsed.question, thread, now=now, asker=asker, stopped=stopped)
        return (reply, queries, privately) if reply else None

    def _failure(self, error: Exception, intent: str = UNREAD) -> Answer:
        """What is said instead of an answer. Raises StoreBusy, which will pass, so that there is an answer to wait
        for."""
        if isinstance(error, StoreBusy):
            self._observe(intent, "postponed")
            raise error
        if isinstance(error, AccessRefused):
            self._observe(intent, "refused")
            return Answer([words_message(slack(str(error)))], error.privately)
        if isinstance(error, AlmanacError):  # what a person can fix is said to whoever asked, and in the log
            self._observe(intent, "unavailable")
            log.warning("a question could not be answered: %s", error)
            return Answer([words_message(f"I cannot answer now: {slack(error.public_text)}.")])
        self._observe(intent, "failed")
        log.error("a question could not be answered", exc_info=error)  # silence would be the worst answer
        return Answer([words_message(SORRY)])


def _visible(queries: Queries, seen: Sight, reader: Reader, rules: AccessRules, request: Request) -> Queries:
    """The index as somebody may see it. Who may ask only about themselves is shown as what is proven to be theirs, lest
    they read others' commits as their own."""
    visible = replace(
        queries,
        hidden=seen.hidden,
        reader=reader.proven if request.alone or seen.privately else NOTHING_PROVEN,
        apart=() if may_ask_about_others(reader, rules) else (reader.proven,),
    )
    visible.indexed = queries.indexed
    return visible
