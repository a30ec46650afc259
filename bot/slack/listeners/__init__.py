"""What the app hears: each listener acknowledges, calls inward, and answers."""

from __future__ import annotations

from slack_bolt.async_app import AsyncApp

from bot.slack.desk import Desk
from bot.slack.listeners import (
    actions,
    anything,
    commands,
    digests,
    home,
    mentions,
    messages,
    parts,
    prompts,
    shortcuts,
    views,
)
from bot.slack.listeners.work import Work


def register(app: AsyncApp, desk: Desk, work: Work) -> None:
    home.register(app, desk, work)
    prompts.register(app, desk.conversation, work)
    for room in (commands, mentions, messages, actions, views, digests, parts, shortcuts):
        room.register(app, desk, work)
    anything.register(app)  # the last: it hears what nobody else does
