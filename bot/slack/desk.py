"""All that the listeners call inward, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.ask.answer import Almanac
from bot.settings import Settings
from bot.slack.answering import Answering
from bot.slack.aside import Aside
from bot.slack.commands import Commands
from bot.slack.conversation import Conversation
from bot.slack.dialogs import Dialogs
from bot.slack.digests.desk import DigestDesk
from bot.slack.home.homes import Homes
from bot.slack.linking import Linker
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.slack.presses import Presses
from bot.slack.streaming import Streaming
from bot.story.render import Templates
from storage import Store


@dataclass(frozen=True, slots=True)
class Desk:
    """Who answers what: things said, commands, presses and modals. All of it blocks, and any thread may call it."""

    conversation: Conversation
    commands: Commands
    presses: Presses
    dialogs: Dialogs
    homes: Homes
    digests: DigestDesk

    @classmethod
    def of(
        cls,
        settings: Settings,
        store: Store,
        client: WebClient,
        poster: Poster,
        members: Members,
        templates: Templates,
        workspace: str,
        bot_user: str,
    ) -> Desk:
        """The desk of a workspace, in which the bot is `bot_user`."""
        linker = Linker(store, settings, members)
        answering = Answering(
            Almanac.of(store, settings), members, templates, linker, bot_user, charts=settings.slack.charts
        )
        aside = Aside(client, poster)
        streaming = Streaming(client, store, poster, settings.now, settings.slack.streaming)
        conversation = Conversation(
            answering, store, poster, aside, streaming, workspace, settings.now, model=settings.model is not None
        )
        presses = Presses(conversation, store, aside, settings.now)
        commands = Commands(conversation, presses, linker)
        homes = Homes(answering, members, store, settings)
        digests = DigestDesk.of(settings, store, client, poster, members, templates, answering, aside, workspace)
        return cls(conversation, commands, presses, Dialogs(answering, aside, templates), homes, digests)
