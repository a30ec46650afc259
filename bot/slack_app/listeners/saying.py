"""How a listener answers somebody by the address that came with a command or a press."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from slack_bolt.async_app import AsyncRespond

from bot.errors import Unreadable
from bot.slack.answer_actions import Response
from bot.slack.blocks import Message
from bot.slack.charts import versions

log = logging.getLogger(__name__)

# A response_url can be used five times: https://docs.slack.dev/interactivity/handling-user-interaction
MOST_ANSWERS = 5
REST = "{count} more messages of this answer do not fit here: ask me the same in a direct message to read all of it."


async def say(respond: AsyncRespond, messages: Sequence[Message], *, replace: bool = False) -> None:
    """Show messages to whoever asked alone; the first in the place of the one that was pressed, where `replace` says
    so. What does not fit is said to be missing."""
    payloads = [message.payload() for message in messages]
    if len(payloads) > MOST_ANSWERS:
        payloads[MOST_ANSWERS - 1 :] = [{"text": REST.format(count=len(payloads) - MOST_ANSWERS + 1)}]
    if payloads and not respond.response_url:
        raise Unreadable("there is no address to answer to")
    for number, payload in enumerate(payloads):
        for version in versions(payload):
            replaces = replace and not number
            answer = await respond(**version, response_type="ephemeral", replace_original=replaces)
            if answer.status_code == 200:
                break
            log.error("an answer was refused (%s): %s", answer.status_code, answer.body)


async def show(respond: AsyncRespond, response: Response) -> None:
    """Do what a press is answered with."""
    if response.delete and respond.response_url:
        await respond(delete_original=True)
    await say(respond, response.messages, replace=response.replace)
