"""Whatever else Slack delivers, by a setting of the app that asks for more than the bot needs.

It is acknowledged, or Slack would deliver it again and again. A command is answered: silence looks broken.
"""

from __future__ import annotations

import re
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp

from bot.slack.elements import Response, words_message
from bot.slack.inbox import Workers
from bot.slack_app.services import Services

UNKNOWN_COMMAND = "I answer to /almanac, for example `/almanac help`."
_ANY = re.compile(r".*", re.DOTALL)


def register(app: AsyncApp, services: Services, work: Workers) -> None:
    @app.event(_ANY)
    async def happened() -> None:
        pass  # Bolt has acknowledged it already

    async def heard(ack: AsyncAck) -> None:
        await ack()

    # Buttons that are links are opened by Slack itself, which still wants to know that they were heard.
    for hear in (app.action, app.shortcut, app.view, app.view_closed, app.options):
        hear(_ANY)(heard)

    @app.command(_ANY)
    async def asked(ack: AsyncAck, command: dict[str, Any]) -> None:
        await ack()
        url, user, channel = (str(command.get(name) or "") for name in ("response_url", "user_id", "channel_id"))
        await work(services.ephemeral.answer, url, user, channel, Response([words_message(UNKNOWN_COMMAND)]))
