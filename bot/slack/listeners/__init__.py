"""What the app hears: each listener acknowledges, calls inward, and answers."""

from __future__ import annotations

from slack_bolt.async_app import AsyncApp

from bot.slack.conversation import Conversation
from bot.slack.listeners import actions, anything, commands, mentions, messages
from bot.slack.listeners.work import Work


def register(app: AsyncApp, conversation: Conversation, work: Work) -> None:
    for room in (commands, mentions, messages, actions, anything):
        room.register(app, conversation, work)
