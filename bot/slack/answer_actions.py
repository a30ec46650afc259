"""A button that somebody pressed below an answer → what is answered to that, once however often it is delivered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from bot.ask.question import Question
from bot.slack.answering import Answer, Answering
from bot.slack.blocks import Block, Message, words_message
from bot.slack.buttons import asked, settled
from bot.slack.conversation import DIRECT, Conversation, is_direct, surface_of
from bot.slack.ephemeral import Ephemeral
from bot.slack.forms import kept_in
from bot.slack.packing import Response
from bot.slack.payload_checks import reads
from bot.slack.request import Request
from bot.story.render import slack
from storage import Store
from storage.conversations import Opinion

NO_QUESTION = "This button is too old for me to understand; ask me again."
THANKS = {
    "good": "Thank you, noted.",
    "bad": "Thank you, noted. If a change is shown wrongly, “Not right?” below a month corrects it.",
}


@dataclass(frozen=True, slots=True)
class Action:
    """Somebody's press on a button of a message, of a modal or of Home. `thread` is the thread the message stands in,
    `ephemeral` says that only they see it; `channel` is that of the message, or the one that the view keeps; `at` is
    the same when a press is delivered again, and `url` is where whoever pressed can be answered."""

    user: str
    channel: str
    ts: str
    action_id: str
    value: str
    at: str
    label: str = ""
    thread: str | None = None
    ephemeral: bool = False
    text: str = ""
    blocks: tuple[Block, ...] = ()
    url: str = ""
    view: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, body: Mapping[str, Any], action: Mapping[str, Any]) -> Action:
        """From a block_actions payload and one of its actions."""
        container, message, view = (body.get(name) or {} for name in ("container", "message", "view"))
        channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or kept_in(view).get("channel")
        option = action.get("selected_option") or {}
        return cls(
            user=str(body["user"]["id"]),
            channel=str(channel or ""),
            ts=str(container.get("message_ts") or message.get("ts") or ""),
            action_id=str(action.get("action_id") or ""),
            value=str(action.get("value") or option.get("value") or ""),
            at=str(action.get("action_ts") or ""),
            label=str((action.get("text") or {}).get("text") or ""),
            thread=container.get("thread_ts") or message.get("thread_ts"),
            ephemeral=bool(container.get("is_ephemeral")),
            text=str(message.get("text") or ""),
            blocks=tuple(message.get("blocks") or ()),
            url=str(body.get("response_url") or ""),
            view=view,
        )

    @property
    def direct(self) -> bool:
        """Whether nobody but the presser and the bot reads along."""
        return is_direct(self.channel)

    @property
    def asked(self) -> Request:
        return Request(self.user, self.channel, alone=self.ephemeral or self.direct)


NOTHING = Response()


@reads
def chosen_channel(view: Mapping[str, Any]) -> str:
    """The channel that was chosen in a modal."""
    return str(view["state"]["values"]["channel"]["channel"]["selected_conversation"])


class Actions:
    """Answers actions. Its methods block, and any thread may call them."""

    def __init__(
        self, conversation: Conversation, store: Store, ephemeral: Ephemeral, now: Callable[[], datetime]
    ) -> None:
        self._conversation = conversation
        self._store = store
        self._ephemeral = ephemeral
        self._now = now

    @property
    def _answering(self) -> Answering:
        return self._conversation.answering

    def first_time(self, press: Action) -> bool:
        """Whether this press is new, not one that is delivered again."""
        key = self._conversation.key("press", press.user, press.channel, press.ts, press.action_id, press.at)
        return self._store.processed_events.claim(key, self._now())

    def ask(self, press: Action, *, once: bool = False) -> Response:
        """Answer the question a button holds: in the place of an ephemeral message, else in the thread of the one
        with the button. What may be answered `once` takes the buttons away with it."""
        if not self.first_time(press):
            return NOTHING
        try:
            question = asked(press.value)
        except ValueError:
            return Response([words_message(NO_QUESTION)])
        if press.ephemeral:
            answer = self._answering.question(question, press.asked, surface_of(press.channel, alone=True))
            return Response(answer.messages, replace=answer.reply is not None)
        answer = self._answering.question(question, press.asked, surface_of(press.channel))
        if answer.privately and not press.direct:
            return Response(answer.messages)
        return self._posted(press, answer, once)

    def _posted(self, press: Action, answer: Answer, once: bool) -> Response:
        what = (press.channel, press.ts) if once else (press.channel, press.ts, press.action_id, press.at)
        key = self._conversation.key("choice" if once else "press", *what)
        thread = press.thread if press.direct else press.thread or press.ts
        if self._conversation.post(key, press.channel, answer.messages, thread, press.user):
            self._conversation.remember(press.channel, thread or DIRECT, answer.about)
            if once and press.blocks:
                chosen = Message(press.text, tuple(settled(press.blocks, press.label)))
                self._ephemeral.change(press.channel, press.ts, chosen)
        trouble = self._conversation.unsent(key)
        return Response([words_message(slack(trouble))]) if trouble else NOTHING

    def share(self, press: Action) -> Response:
        """Show the answer of an ephemeral message to the channel it stands in, made anew for its readers."""
        if not self.first_time(press):
            return NOTHING
        try:
            question = asked(press.value)
        except ValueError:
            return Response([words_message(NO_QUESTION)])
        trouble = self.share_in(question, press.user, press.channel, press.at)
        return Response([words_message(slack(trouble))]) if trouble else Response(delete=True)

    def share_in(self, question: Question, user: str, channel: str, at: str) -> str:
        """Post the answer to a question for others to read. Empty, or why that was not done."""
        answer = self._answering.shared(question, user, channel)
        if answer.privately or not answer.reply:
            return answer.words
        key = self._conversation.key("share", channel, user, at)
        self._conversation.post(key, channel, answer.messages, None, user)
        return self._conversation.unsent(key)

    def share_to(self, user: str, view: Mapping[str, Any]) -> str:
        """Post an answer in the channel that somebody chose in a modal, and say that it is done, or why not."""
        channel = chosen_channel(view)
        try:
            question = asked(str(view["private_metadata"]))
        except ValueError:
            return NO_QUESTION
        return self.share_in(question, user, channel, str(view["id"])) or "It is posted there."

    def feedback(self, press: Action) -> Response:
        """Keep what a reader thinks of an answer, and thank them for it; once for each thing they say."""
        if press.value not in THANKS:
            return NOTHING
        opinion = cast(Opinion, press.value)
        at = datetime.fromtimestamp(float(press.at), UTC)  # presses may be answered in another order than made
        is_new = self._store.feedback.give(press.channel, press.ts, press.user, opinion, at)
        return Response([words_message(THANKS[opinion])]) if is_new else NOTHING
