"""What the app hears: each listener acknowledges, calls inward, and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.slack.inbox import Workers
from bot.slack_app.listeners import (
    actions,
    commands,
    digests,
    fallback,
    home,
    prompts,
    questions,
    views,
)
from bot.slack_app.services import Services


def register(app: AsyncApp, services: Services, work: Workers, answered: Callable[[Mapping[str, Any]], None]) -> None:
    """`answered` is told each question that needs no answer any more, as Slack delivered it."""
    home.register(app, services, work)
    prompts.register(app, services.conversation.answering, work)
    questions.register(app, services, work, answered)
    for room in (commands, actions, views, digests):
        room.register(app, services, work)
    fallback.register(app, services, work)  # the last: it hears what nobody else does
