"""What stands after /almanac → the messages that answer it, for the eyes of whoever typed it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.ask.reading import is_schedule
from bot.slack.answer_actions import NOTHING, Action, Actions
from bot.slack.answering import as_typed
from bot.slack.blocks import Message, words_message
from bot.slack.conversation import Conversation, surface_of
from bot.slack.linking import Linker
from bot.slack.packing import Response
from bot.slack.request import AccessRefused, Request, RequestContext
from bot.story.render import slack

SETTINGS = (
    "What is indexed, who is who and who may see what are set in almanac.toml, by whoever runs me. /almanac link says "
    "which addresses are yours, and /almanac digest has the digests."
)
_WORD = re.compile(r"\s*(?P<word>[A-Za-z]+)\b(?P<rest>.*)", re.DOTALL)
_IS_SENTENCE = re.compile(
    r"(?:has|have|is|else|all|did|does|was|were|worked|works|working|reviewed|touched|changed|wrote|fixed|built|added|"
    r"removed|made|knows|maintains|owns|contributed)\b|['’]s\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A word that may stand behind /almanac, an example of what may follow it, and what it is for.

    Most are read as a sentence: `alone`, or `followed` by the rest of the text.
    """

    name: str
    example: str
    description: str
    alone: str = ""
    followed: str = ""

    @property
    def is_of_asker(self) -> bool:
        """Whether it is of whoever asks, where nothing but a time follows."""
        return "my" in self.alone.split()


SUBCOMMANDS = (
    Subcommand("month", "@someone october", "A month, yours or somebody's", "my last month", "{rest}"),
    Subcommand("profile", "@someone", "All months of somebody, newest first", "my profile", "profile of {rest}"),
    Subcommand(
        "changes", "@someone last month", "The changes, one by one", "show my changes", "show the changes of {rest}"
    ),
    Subcommand("who", "worked on a topic", "Who did what", "who", "who worked on {rest}"),
    Subcommand("digest", "", "The digests: see, make, change, post"),
    Subcommand("link", "an address", "Whose an address is; alone, which are yours"),
    Subcommand("unlink", "an address", "Say that an address is not yours"),
    Subcommand("settings", "", "Where things are set"),
    Subcommand("help", "", "What can be asked"),
)
_BY_NAME = {one.name: one for one in SUBCOMMANDS}


def as_sentence(text: str) -> str:
    """The text after /almanac as somebody would have said it: "changes ada october" lists Ada's changes."""
    match = _WORD.fullmatch(text)
    subcommand = _BY_NAME.get(match["word"].lower()) if match else None
    if match is None or subcommand is None or not subcommand.alone:
        return text
    rest = match["rest"].strip()
    if not rest:
        return subcommand.alone
    is_sentence = subcommand.name == "who" and _IS_SENTENCE.match(rest)
    return text if is_sentence else subcommand.followed.format(rest=rest)


def opens_digests(text: str) -> bool:
    """Whether the text after /almanac is about the digests themselves, which are made and changed in a modal."""
    return text.strip(" .!?").casefold() in ("digest", "digests") or is_schedule(text)


class Commands:
    """Answers commands. Its methods block, and any thread may call them."""

    def __init__(self, conversation: Conversation, actions: Actions, linker: Linker) -> None:
        self._answering = conversation.answering
        self._actions = actions
        self._linker = linker

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
        mine = word in _BY_NAME and _BY_NAME[word].is_of_asker
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
        return Response([self._linker.pressed(press.value, context)], replace=press.ephemeral)
