"""All that the listeners call inward, put together once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.ask.queries import Queries
from bot.digest.aftermath import Aftermath
from bot.digest.composing import Composer
from bot.monitoring import Metrics
from bot.settings import Settings
from bot.slack.answering import Answering, Conversation
from bot.slack.directory import Members
from bot.slack.elements import Response
from bot.slack.linking import Linker
from bot.slack.modals import Dialogs
from bot.slack.sender import Sender
from bot.slack_app.digests import DigestActions
from bot.slack_app.home import HomeTab
from bot.story.render import Templates
from storage import Store


@dataclass(frozen=True, slots=True)
class Services:
    """Who answers what: things said, commands, presses and modals, of digests too. All of it blocks, and any thread
    may call it."""

    conversation: Conversation
    dialogs: Dialogs
    home_tab: HomeTab
    digests: DigestActions
    metrics: Metrics
    sender: Sender

    @classmethod
    def of(
        cls,
        settings: Settings,
        store: Store,
        sender: Sender,
        members: Members,
        templates: Templates,
        metrics: Metrics,
        me: Mapping[str, Any],
    ) -> Services:
        """The services of the workspace that Slack says the token is for, in `me`."""
        workspace, bot_user = str(me["team_id"]), str(me["user_id"])
        linker = Linker(store, settings, members)
        queries = Queries.of(store, settings)
        answering = Answering(queries, members, templates, linker, bot_user, observe=metrics.question)
        conversation = Conversation(answering, linker, store, sender, workspace, settings.now)
        dialogs = Dialogs(answering, sender, templates)
        composer = Composer(settings, store, members, templates)
        aftermath = Aftermath(settings, store, members, composer, sender, workspace)
        digests = DigestActions(settings, store, members, answering, composer, aftermath, sender, workspace)
        return cls(
            conversation,
            dialogs,
            HomeTab(answering, linker, store, settings, digests),
            digests,
            metrics,
            sender,
        )

    def answer_command(self, text: str, user: str, channel: str, url: str) -> None:
        """Answer what somebody typed after a command, by the address that came with it."""
        self.sender.answer(url, user, channel, Response(self.conversation.command(text, user, channel)))
