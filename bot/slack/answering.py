"""A question that was asked somewhere → the messages that answer it there, with what may be read there and no more.

Whatever is answered in Slack comes by here: what is typed, what a button holds, what a modal shows, what is shared.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, Literal
from zoneinfo import ZoneInfo

from slack_sdk.errors import SlackClientError
from slack_sdk.web import SlackResponse

from bot.ask.answers import Reply, answered, answered_by_model, answered_each, understood
from bot.ask.explain import commits_meant
from bot.ask.identity import IdentityService, Mine, Proposal, spoken
from bot.ask.known import Thread
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.reading import is_schedule
from bot.errors import AlmanacError, CommitUnknown, PersonUnknown, StoreBusy
from bot.model import Person
from bot.month.addresses import plain as plain_address
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.settings import Settings
from bot.slack import audience
from bot.slack import elements as ui
from bot.slack.audience import About, AccessRefused, Request, RequestContext, about, sight
from bot.slack.directory import Members, lookup_client
from bot.slack.elements import Action, Message, Response, Surface, words_message
from bot.slack.render import reply_messages, scheduled_message
from bot.slack.sender import Sender, not_posted
from bot.slack.web_api import Client, posting_client, workspace_of
from bot.story.render import Templates
from bot.wording import clean, sentence
from storage import Store
from storage.people import SlackUser
from storage.slack_state import Post

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

STOPPED = "Stopped: what you asked before is not answered."
DIRECT = ""  # the thread of a direct message that is in none: the conversation itself


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message to the bot. `thread` is the one it stands in, if it stands in one; `event` the one that was kept of
    it."""

    text: str
    user: str
    channel: str
    ts: str
    thread: str | None = None
    event: str = ""

    @property
    def answer_in(self) -> str | None:
        """The thread to answer in; None answers beside the message."""
        return self.thread if ui.is_direct(self.channel) else self.thread or self.ts


@dataclass(frozen=True, slots=True)
class Answer:
    """Messages, and whether they are for the asker's eyes only. `reply` is None where there is none: the messages say
    why."""

    messages: list[Message]
    privately: bool = False
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers questions. Its methods block, and any thread may call them. `observe` is called with the intent of each
    question and what became of it."""

    index: Queries
    members: Members
    templates: Templates
    bot_user: str
    observe: Observe = lambda intent, outcome: None

    @property
    def linker(self) -> Linker:
        """What says who is who."""
        return Linker(self.index.store, self.index.settings, self.members)

    def hears(self, user: str) -> bool:
        """Whether somebody is answered at all, be it by a refusal: no bot is, nor who is gone."""
        return not self.members.member(user).deleted

    def context(self, request: Request) -> RequestContext:
        """What may be seen, before it is known what is asked. Raises AccessRefused where that is nothing."""
        queries = replace(self.index)
        rules, member = self.members.rules(queries.indexed), self.members.member(request.user)
        place, reader = self.members.place(request.channel, rules), self.members.reader(member, rules)
        context = RequestContext(request, member, reader, place, rules, audience.UNSEEN, queries).narrowed(About())
        person = self.members.person_of(member, context.queries.known.everyone)
        return replace(context, reader=replace(reader, person=person))

    def parsed(
        self, text: str, context: RequestContext, thread: Thread | None = None, *, mine: bool = False
    ) -> Question:
        """What a text asks, as whoever asks would mean it; with `mine`, a time alone asks for theirs."""
        zone, people = context.member.zone_info, context.queries.known.everyone
        return understood(
            context.queries,
            self._typed(text),
            asker=context.reader.person,
            member=lambda other: self.members.person_of(self.members.member(other), people),
            today=context.queries.settings.now().astimezone(zone).date() if zone else None,
            thread=thread,
            mine=mine,
        )

    def _typed(self, text: str) -> str:
        return as_typed(re.sub(rf"<@{re.escape(self.bot_user)}(?:\|[^>]*)?>[,:]?\s*", " ", text))

    def reply(
        self,
        question: Question,
        context: RequestContext,
        thread: Thread | None = None,
        *,
        typed: str = "",
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[Reply, Queries, bool]:
        """The reply to a question, the index as its readers may see it, and whether it is for the asker alone. One that
        was `typed` a model may answer: it may ask for anybody's work, so it is asked only by who may be shown others'.

        Raises AccessRefused where nothing of it may be shown.
        """
        if typed:
            with suppress(AccessRefused):
                visible = context.narrowed(About(others=True))
                queries, privately = visible.queries, visible.sight.privately
                now = queries.settings.now().astimezone(context.member.zone_info or queries.zone)
                asker = context.reader.person
                reply = answered_by_model(queries, typed, question, thread, now=now, asker=asker, stopped=stopped)
                if reply:
                    return reply, queries, privately
        visible = context.narrowed(self._about(question, context))
        if visible.queries is not context.queries:
            question = replace(question, found={})  # who may be somebody else to these readers
        return answered(visible.queries, question, thread), visible.queries, visible.sight.privately

    def replies(
        self,
        question: Question,
        context: RequestContext,
        thread: Thread | None = None,
        *,
        typed: str = "",
        stopped: Callable[[], bool] = lambda: False,
        read: Callable[[str, Thread], Question] | None = None,
    ) -> list[tuple[Reply, tuple[Queries, bool]]]:
        """The replies to all that a message asks, as `reply` gives them, its others `read` as `parsed` does unless it
        is told otherwise. Raises AccessRefused as that does for the first; of another that is said in its place."""

        def ask(other: Question, about: Thread) -> tuple[Reply, tuple[Queries, bool]]:
            try:
                reply, visible, privately = self.reply(other, context, about)
            except AccessRefused as refused:
                reply, visible, privately = Reply(other, words=str(refused)), context.queries, refused.privately
            return reply, (visible, privately)

        def parsed(text: str, about: Thread) -> Question:
            return self.parsed(text, context, about)

        reply, visible, privately = self.reply(question, context, thread, typed=typed, stopped=stopped)
        return answered_each(reply, (visible, privately), read or parsed, ask)

    def queries(
        self, request: Request, names: Sequence[str] = (), references: Sequence[str] = (), span: str = ""
    ) -> Queries:
        """The queries in the rights of somebody who asks for what the people of some names did in a span, or for some
        commits; for others' work too where there are neither. Raises AccessRefused where nothing of it may be shown."""
        context = self.context(request)
        present = context.queries.present()
        when: AnyPeriod = Days.of(present - 1, present)
        with suppress(ValueError):
            when = parse_any_period(span)
        people = [self._author(one, context) for one in references]
        for name in names:
            try:
                people.append(context.queries.person(name, when))
            except PersonUnknown:
                people.append(None)
        meant = About(tuple(filter(None, people)), others=not people or None in people)
        return context.narrowed(meant).queries

    def _about(self, question: Question, context: RequestContext) -> About:
        people = context.queries.known.everyone
        if question.intent != "explain":
            return about(question, people)
        authors = [self._author(one, context) for one in question.references]
        return about(question, people, [one for one in authors if one] if None not in authors else [])

    def _author(self, reference: str, context: RequestContext) -> Person | None:
        """Who wrote a commit, unless they are not shown or it is none."""
        people = context.queries.known
        try:
            commit = commits_meant(reference, context.queries)[0]
        except CommitUnknown:
            return None
        return None if commit in people.unshown else people.author(commit)

    def answer(
        self,
        asked: str | Question,
        request: Request,
        thread: Thread | None = None,
        *,
        mine: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The answer to what somebody typed, or to the question that a button holds; `stopped` says whether nobody
        waits for it any more. Raises nothing but StoreBusy."""
        intent, typed = UNREAD, self._typed(asked) if isinstance(asked, str) else ""
        outcome: Outcome = "answered"
        try:
            with self.index.store.snapshot():
                context = self.context(request)
                question = self.parsed(asked, context, thread, mine=mine) if isinstance(asked, str) else asked
                intent = question.intent
                if intent == "link":  # nobody else's business
                    return Answer(self.linker.messages(question.topic or "", context), privately=True)
                if intent == "schedule":
                    return Answer([scheduled_message()])
                replies = self.replies(question, context, thread, typed=typed, stopped=stopped)
                privately = any(privately for _, (_, privately) in replies)
                surface = Surface("to" if ui.is_direct(request.channel) else "here" if request.alone else None)
                messages = list[Message]()
                for reply, (visible, _) in replies:
                    if request.alone or privately:  # one reader, of whom it is known what they may correct
                        surface = replace(surface, can_correct=context.may_correct(reply.question))
                    messages += reply_messages(reply, self.templates, visible, surface)
                return Answer(messages, privately, replies[-1][0])
        except StoreBusy:  # which will pass, so that there is an answer to wait for
            outcome = "postponed"
            raise
        except AccessRefused as refused:
            outcome = "refused"
            return Answer([words_message(str(refused))], refused.privately)
        except AlmanacError as error:  # what a person can fix is said to whoever asked, and in the log
            outcome = "unavailable"
            log.warning("a question could not be answered: %s", error)
            return Answer([words_message(f"I cannot answer now: {error.public_text}.")])
        except Exception:  # silence would be the worst answer
            outcome = "failed"
            log.exception("a question could not be answered")
            return Answer([words_message(audience.SORRY)])
        finally:
            self.observe(intent, outcome)

    def shared(self, question: Question, user: str, channel: str) -> Answer | str:
        """An answer for others to read in a channel, or why it must not stand there."""
        request = Request(user, channel)
        with suppress(AccessRefused):  # which is said below
            if self.context(request).sight.hidden.intersection(question.repositories):
                return audience.SHARING_NOTHING
        answer = self.answer(question, request)
        if answer.reply is None:
            return answer.messages[0].text
        if answer.reply.is_empty and not answer.privately:  # what it says may name what the channel may not know of
            return audience.SHARING_NOTHING
        return audience.SHARING_REFUSED if answer.privately else answer

    def prompts(self, user: str, channel: str) -> list[dict[str, str]]:
        """At most four questions that have an answer, each by what stands on it, for somebody to begin with; of
        somebody unknown, about nobody by name. None where they are shown nothing."""
        try:
            context = self.context(Request(user, channel, alone=True))
        except AccessRefused:
            return []
        queries, person, present = context.queries, context.reader.person, context.queries.present()
        months = [month for month in queries.activity.months(person) if month <= present] if person else []
        found = {
            f"My {month.title}{' so far' if month == present else ''}": f"What did I do in {month.title}?"
            for month in months[:-3:-1]
        }
        if context.may_ask_about_others and (shipped := queries.activity.last_month()):
            found[f"What shipped in {shipped.title}?"] = f"What shipped in {shipped.title}?"
        if len(months) > 1:
            newer, older = months[-1].title, months[-2].title
            found[f"Compare {newer} with {older}"] = f"Compare my {newer} with {older}"
        if not months:
            found |= {"Which commits are mine?": "link", "What can I ask?": "help"}
        return [{"title": title, "message": asked} for title, asked in found.items()][: ui.MAX_SUGGESTED_PROMPTS]


HOW = (
    "Say which is yours by /almanac link and an address or a login, such as /almanac link jdoe@example.com; my Home "
    "tab offers those that may be."
)
NOT_PROVEN = "not proven to be yours, so that you cannot correct what was written under it before an admin confirms it"
MOST_SHOWN = 20  # addresses
CLAIMED = (
    "{who} says in Slack that {what} is theirs. {counts} Whether that is so is for you to say: confirm or decline it "
    "in my Home tab."
)
COUNTS = {True: "It counts for nothing until an admin confirms it.", False: "It is shown so from now on, as unproven."}


class Linker:
    """Says who is who, and changes it. Its methods block, and any thread may call them."""

    def __init__(self, store: Store, settings: Settings, members: Members) -> None:
        self._store, self._settings, self._members = store, settings, members

    def who(self, context: RequestContext) -> IdentityService:
        """Who is who, as whoever asks may know it."""
        directory, now = context.queries.directory, self._settings.now
        view = directory.view(context.sight.hidden, *context.queries.apart)
        discreet = not context.may_ask_about_others

        @cache
        def called(who: str) -> str:
            is_user = who in self._store.slack_users.users([who])
            return clean(self._members.member(who).name if is_user else who) or clean(who)

        return IdentityService(self._store, directory.now, now, called, view, discreet=discreet)

    def messages(self, topic: str, context: RequestContext, *, undo: bool = False) -> list[Message]:
        """Whose an address is, or without one who the reader is, with what they can say of it."""
        who, user = self.who(context), context.member.id
        profile, admin = context.member.proved_address, context.is_admin
        wanted = topic.strip().strip("`<>")
        if not wanted:
            person = who.person(user, profile)
            first = f"You are {clean(person.name)}:" if person else "I do not know yet who you are in git."
            mine = who.addresses(user, profile)[:MOST_SHOWN]
            return [
                words_message("\n".join([first, *(f"• {clean(one.address)}: {reason_of(one)}" for one in mine), HOW]))
            ]
        try:
            if undo:
                return [_proposed("", who.disclaim(wanted, user, profile))]
            words, proposal = who.whose(wanted, user, profile, is_admin=admin)
        except AlmanacError as error:
            return [words_message(sentence(error.public_text))]
        return [_proposed(words, proposal) if proposal else words_message(words)]

    def confirm(self, proposal: Proposal, context: RequestContext) -> str:
        """Do what was proposed to whoever asks, and say that it is done; what they say of themselves, each admin is
        told by a direct message, which the clock sends. Raises AlmanacError where it cannot be."""
        user, now = context.member.id, self._settings.now()
        said = self.who(context).confirm(proposal, user, context.member.proved_address, is_admin=context.is_admin)
        if proposal.action == "link" and not context.is_admin:
            who, counts = clean(context.member.name) or user, COUNTS[self._settings.privacy.claims_wait]
            text = CLAIMED.format(who=who, what=spoken(proposal.address), counts=counts)
            message = words_message(text).payload()
            key = f"claim|{user}|{proposal.address.casefold()}|{now:%Y%m%d%H%M%S}"
            for admin in self._members.admins():
                if admin != user:
                    self._store.outbox.plan([Post(f"{key}|{admin}", admin, message)], now)
        return said


def reason_of(one: Mine) -> str:
    """Why an address is shown as somebody's; and that it gives them no right, where that is so."""
    return one.why if one.proven or "@" not in one.address[1:] else f"{one.why}; {NOT_PROVEN}"


def _proposed(words: str, proposal: Proposal) -> Message:
    said = f"{words} {proposal.sentence}".strip()
    label = "Yes, that is me" if proposal.action == "link" and proposal.address == proposal.person else "Confirm"
    return words_message(
        said, ui.actions([ui.button(label, f"{ui.LINK}.0", ui.compact(proposal.document()), style="primary")])
    )


SETTINGS = (
    "What is indexed, who is who and who may see what are set in almanac.toml, by whoever runs me. /almanac link says "
    "which addresses are yours, and /almanac digest has the digests."
)
_WORD = re.compile(r"\s*(?P<word>[A-Za-z]+)\b(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A word that may stand behind /almanac, an example of what may follow it, and what it is for.

    It is read with all that follows, as a sentence. `alone` is what it means where nothing does: of whoever asks, whose
    it is too where nothing but a time follows.
    """

    name: str
    example: str
    description: str
    alone: str = ""


SUBCOMMANDS = (
    Subcommand("month", "@someone october", "A month, yours or somebody's", "my last month"),
    Subcommand("profile", "@someone", "All months of somebody, newest first", "my profile"),
    Subcommand("changes", "@someone last month", "The changes, one by one", "show my changes"),
    Subcommand("who", "worked on a topic", "Who did what"),
    Subcommand("digest", "", "The digests: see, make, change, post"),
    Subcommand("link", "an address", "Whose an address is; alone, which are yours"),
    Subcommand("unlink", "an address", "Say that an address is not yours"),
    Subcommand("settings", "", "Where things are set"),
    Subcommand("help", "", "What can be asked"),
)
_OF_ASKER = {one.name: one.alone for one in SUBCOMMANDS if one.alone}


def opens_digests(text: str) -> bool:
    """Whether the text after /almanac is about the digests themselves, which are made and changed in a modal."""
    return text.strip(" .!?").casefold() in ("digest", "digests") or is_schedule(text)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers what is said to the bot, typed after its command, or pressed below an answer, each once however often it
    is delivered. Its methods block, and any thread may call them."""

    answering: Answering
    store: Store
    sender: Sender
    workspace: str
    now: Callable[[], datetime]
    stopped: dict[tuple[str, str], str] = field(default_factory=dict)  # when work in a thread was stopped last

    # what is said

    def answer(self, incoming: IncomingMessage) -> bool:
        """Post the answer to a message, once, however often Slack delivers it and under however many ids. Whether it is
        made now: then its event is not kept any more, since the outbox keeps the answer.

        Raises StoreBusy where that has to be tried again.
        """
        channel, thread = incoming.channel, incoming.answer_in
        first = self.key("answer", channel, incoming.ts)

        def stopped() -> bool:
            return self.stopped.get((channel, thread or incoming.ts), "") > incoming.ts

        with self.store.snapshot():
            if self.store.outbox.get(first):
                return False
            about = Thread.of(self.store.conversations.recall(channel, thread or DIRECT, self.now()))
            request = Request(incoming.user, channel, alone=ui.is_direct(channel))
            answer = self.answering.answer(incoming.text, request, about, stopped=stopped)
        if stopped():
            answer = Answer([words_message(STOPPED)], privately=True)
        asker, shown_in = incoming.user, incoming.thread
        return self._posted(first, channel, answer, thread, asker, shown_in=shown_in, event=incoming.event)

    def stop(self, channel: str, thread: str, at: str) -> None:
        """Post nothing of what was asked in a thread before, and is not answered yet, but that it was stopped."""
        self.stopped[channel, thread] = at

    # what is typed after /almanac

    def command(self, text: str, user: str, channel: str) -> list[Message]:
        """The messages that answer a command, for the eyes of whoever typed it."""
        match = _WORD.fullmatch(text)
        word, rest = (match["word"].lower(), match["rest"].strip()) if match else ("", "")
        request = Request(user, channel, alone=True)
        try:
            if word in ("settings", "setting") and not rest:
                self.answering.context(request)
                return [words_message(SETTINGS)]
            if word in ("link", "unlink") and len(rest.split()) < 2:
                context = self.answering.context(request)
                return self.answering.linker.messages(as_typed(rest), context, undo=word == "unlink")
        except AccessRefused as refused:
            return [words_message(str(refused))]
        mine = word in _OF_ASKER
        said = _OF_ASKER[word] if mine and not rest else rest if word == "month" else text
        return self.answering.answer(said, request, mine=mine).messages

    # what is pressed

    def first_time(self, press: Action) -> bool:
        """Whether this press is new, not one that is delivered again."""
        key = self.key("press", press.user, press.channel, press.ts, press.action_id, press.at)
        return self.store.processed_events.claim(key, self.now())

    def ask(self, press: Action, *, once: bool = False) -> Response:
        """Answer the question a button holds: in the place of an ephemeral message, else in the thread of the one
        with the button. What may be answered `once` takes the buttons away with it."""
        if not self.first_time(press):
            return Response()
        answer = self.answering.answer(ui.asked(press.value), press.asked)
        if press.ephemeral or (answer.privately and not ui.is_direct(press.channel)):
            return Response(answer.messages, replace=press.ephemeral and answer.reply is not None)
        what = (press.channel, press.ts) if once else (press.channel, press.ts, press.action_id, press.at)
        key = self.key("choice" if once else "press", *what)
        thread = press.thread if ui.is_direct(press.channel) else press.thread or press.ts
        is_new = self._posted(key, press.channel, answer, thread, press.user)
        if is_new and once and press.blocks:
            chosen = Message(press.text, tuple(ui.settled(press.blocks, press.label)))
            self.sender.change(press.channel, press.ts, chosen)
        return Response()

    def share(self, press: Action) -> Response:
        """Show the answer of an ephemeral message to the channel it stands in, made anew for its readers."""
        if not self.first_time(press):
            return Response()
        trouble = self._share_in(press.value, press.user, press.channel, press.at)
        return Response([words_message(trouble)]) if trouble else Response(delete=True)

    def share_to(self, user: str, view: Mapping[str, Any]) -> str:
        """Post an answer in the channel that somebody chose in a modal, and say that it is done, or why not."""
        channel = str(view["state"]["values"]["channel"]["channel"]["selected_conversation"])
        trouble = self._share_in(str(view["private_metadata"]), user, channel, str(view["id"]))
        return trouble or "It is posted there."

    def _share_in(self, held: str, user: str, channel: str, at: str) -> str:
        """Post the answer to a question for others to read. Empty, or why that was not done."""
        answer = self.answering.shared(ui.asked(held), user, channel)
        return answer if isinstance(answer, str) else self.post(self.key("share", channel, user, at), channel, answer)

    def confirm(self, press: Action) -> Response:
        """Do what a button of an answer to `link` proposes."""
        if not self.first_time(press):
            return Response()
        context = self.answering.context(Request(press.user, press.channel, alone=True))
        said = self.answering.linker.confirm(Proposal.of(ui.held(press.value)), context)
        return Response([words_message(said)], replace=press.ephemeral)

    # how it is posted

    def key(self, sort: str, *what: str) -> str:
        """What a post is known by: the same for the same answer, so that it is made once."""
        return "|".join((sort, self.workspace, *what))

    def post(self, key: str, channel: str, answer: Answer) -> str:
        """Post an answer in a channel, once. Empty, or why it was not posted; what waits to be tried again is no
        trouble."""
        self._posted(key, channel, answer, None)
        post = self.store.outbox.get(key)
        return not_posted(post.error) if post and post.state in ("failed", "unknown") else ""

    def _posted(
        self,
        first: str,
        channel: str,
        answer: Answer,
        thread: str | None,
        user: str = "",
        *,
        shown_in: str | None = None,
        event: str = "",
    ) -> bool:
        """Write an answer down, the first of its messages under the key `first`, and what its conversation is about
        from then on; and that an event is answered. Then try to send it. False if it was written down before. The user
        is told where it fails; what is for their eyes only they are shown in the thread `shown_in`, where that is one.
        """
        whispers = answer.privately and bool(user) and not ui.is_direct(channel)
        keys = [first, *(f"{first}|{part}" for part in range(1, len(answer.messages)))]
        posts = [
            Post(
                key,
                channel,
                message.payload(),
                thread_ts=shown_in if whispers else thread,
                thread_key=first if message.in_thread and not (thread or whispers) else None,
                only_for=user if whispers else None,
                asked_by=user if user and not whispers and key == first else None,
            )
            for key, message in zip(keys, answer.messages, strict=True)
        ]
        with self.store.transaction(write=True):
            written = self.sender.plan(posts, at_once=True)
            if written and answer.reply and answer.reply.thread:
                self.store.conversations.remember(channel, thread or DIRECT, answer.reply.thread.document(), self.now())
            if written and event:
                self.store.pending_events.answered([event])
        self.sender.send(written)
        return bool(written)


def answering_for(queries: Queries, name: str, zone: ZoneInfo | None = None) -> tuple[Answering, str]:
    """What answers somebody at the command line as in a direct message, and the id of the user they are in Slack.
    Whoever runs the program may read all of the database, and says who asks: that is believed, as Slack's word is.
    Slack is asked only for what an audience or a list of people rests on, and only where there is a token: without one
    they are in no channel and no user group.

    Raises PersonUnknown, and SlackRefused where Slack has to be asked and does not answer.
    """
    settings, store, rules = queries.settings, queries.store, audience.rules_of(queries.settings, queries.indexed)
    asks = settings.bot_token is not None and (rules.listed or rules.name_groups)
    client: Client = lookup_client(posting_client(settings)) if asks else _Unasked()
    members = Members(client, settings, store, workspace_of(client) if asks else "")
    if asks:
        members.refresh()
    present = queries.present()
    try:  # who they are must not rest on what they may not read
        person = replace(queries, hidden=sight(audience.NOBODY, audience.HOME, rules).hidden).found(name, present)
    except PersonUnknown:
        person = queries.found(name, present)
    # The user whom almanac.toml gives them, or whose profile has an address of theirs. Where Slack has said nothing of
    # them they are a member, with the address they write most under.
    ids = {address: user for user, address in store.slack_users.addresses().items()}
    user = person.slack or next((ids[one] for one in map(plain_address, person.addresses) if one in ids), "-")
    written = SlackUser(user, person.name, person.addresses[0], standing="member")
    known = store.slack_users.users([user]).get(user, written)
    members.vouched = replace(known, zone=zone.key) if zone else known
    return Answering(queries, members, Templates(settings.templates), "-"), known.id


class _Unasked(Client):
    """Slack where it is not to be asked."""

    def api_call(self, api_method: str, **arguments: object) -> SlackResponse:
        raise SlackClientError("Slack is not asked here")
