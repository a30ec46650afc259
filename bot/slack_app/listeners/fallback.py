"""Whatever else Slack delivers, by a setting of the app that asks for more than the bot needs.

It is acknowledged, or Slack would deliver it again and again. A command is answered: silence looks broken.
"""

from __future__ import annotations

import re

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncRespond

from bot.errors import Unreadable

_ANY = re.compile(r".*", re.DOTALL)


def register(app: AsyncApp) -> None:
    @app.event(_ANY)
    async def happened() -> None:
        pass  # Bolt has acknowledged it already

    async def heard(ack: AsyncAck) -> None:
        await ack()

    # Buttons that are links are opened by Slack itself, which still wants to know that they were heard.
    for hear in (app.action, app.shortcut, app.view, app.view_closed, app.options):
        hear(_ANY)(heard)

    @app.command(_ANY)
    async def asked(ack: AsyncAck, respond: AsyncRespond) -> None:
        await ack()
        if not respond.response_url:
            raise Unreadable("there is no address to answer to")
        await respond(text="I answer to /almanac, for example `/almanac help`.", response_type="ephemeral")
