"""What stands after /almanac → the messages that answer it, for the eyes of whoever typed it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from bot.ask.reading.intents import is_schedule
from bot.slack.answer_actions import NOTHING, Action, Actions, Response
from bot.slack.answering import AccessRefused, Answering, Request, RequestContext, as_typed
from bot.slack.blocks import Message, words_message
from bot.slack.conversation import Conversation, surface_of
from bot.slack.linking import Linker
from bot.story.render import slack

SETTINGS = (
    "What is indexed, who is who and who may see what are set in almanac.toml, by whoever runs me. /almanac link says "
    "which addresses are yours, and /almanac digest has the digests."
)
_WORD = re.compile(r"\s*(?P<word>[A-Za-z]+)\b\s*(?P<rest>.*)", re.DOTALL)
# A subcommand as a sentence that is read, alone and with what follows it.
_SENTENCES = {
    "month": ("my last month", "{rest}"),
    "profile": ("my profile", "profile of {rest}"),
    "changes": ("show my changes", "show the changes of {rest}"),
    "who": ("who", "who worked on {rest}"),
}
_OF_SOMEBODY = ("month", "profile", "changes")  # of whoever asks, where nothing but a time follows
_IS_SENTENCE = re.compile(
    r"(?:has|have|is|else|all|did|does|was|were|worked|works|working|reviewed|touched|changed|wrote|fixed|built|added|"
    r"removed|made|knows|maintains|owns|contributed)\b|['’]s\b",
    re.IGNORECASE,
)


def as_sentence(text: str) -> str:
    """The text after /almanac as somebody would have said it: "changes ada october" lists Ada's changes."""
    match = _WORD.fullmatch(text)
    if not match or match["word"].lower() not in _SENTENCES:
        return text
    alone, with_rest = _SENTENCES[match["word"].lower()]
    rest = match["rest"].strip()
    if not rest:
        return alone
    return text if match["word"].lower() == "who" and _IS_SENTENCE.match(rest) else with_rest.format(rest=rest)


def opens_digests(text: str) -> bool:
    """Whether the text after /almanac is about the digests themselves, which are made and changed in a modal."""
    return text.strip(" .!?").casefold() in ("digest", "digests") or is_schedule(text)


class Commands:
    """Answers commands. Its methods block, and any thread may call them."""

    def __init__(self, conversation: Conversation, actions: Actions, linker: Linker) -> None:
        self._conversation = conversation
        self._actions = actions
        self._linker = linker

    @property
    def _answering(self) -> Answering:
        return self._conversation.answering

    def answer(self, text: str, user: str, channel: str) -> list[Message]:
        """The messages that answer a command."""
        match = _WORD.fullmatch(text)
        word, rest = (match["word"].lower(), match["rest"].strip()) if match else ("", "")
        request = Request(user, channel, alone=True)
        if word in ("settings", "setting") and not rest:
            return self._seen(request, lambda _: [words_message(slack(SETTINGS))])
        if word in ("link", "unlink") and len(rest.split()) < 2:
            return self._seen(request, partial(self._linker.messages, as_typed(rest), undo=word == "unlink"))
        surface = surface_of(channel, alone=True)
        mine = word in _OF_SOMEBODY
        return self._answering.text(as_sentence(text), request, surface=surface, mine=mine).messages

    def _seen(self, request: Request, made: Callable[[RequestContext], list[Message]]) -> list[Message]:
        """Messages for somebody who may be shown anything at all."""
        try:
            return made(self._answering.context(request))
        except AccessRefused as refused:
            return [words_message(slack(str(refused)))]

    def confirm(self, press: Action) -> Response:
        """Do what a button of an answer to `link` proposes."""
        if not self._actions.first_time(press):
            return NOTHING
        try:
            context = self._answering.context(Request(press.user, press.channel, alone=True))
        except AccessRefused as refused:
            return Response([words_message(slack(str(refused)))])
        return Response([self._linker.confirm(press.value, context)], replace=press.ephemeral)
