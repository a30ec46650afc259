"""How a modal is shown: at once, since Slack waits three seconds, and with what it holds as soon as that is known."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from slack_bolt.async_app import AsyncAck
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.elements import Block, View, loading, said, words_message
from bot.slack.sender import Ephemeral
from bot.slack.web_api import code_of
from bot.story.render import slack

log = logging.getLogger(__name__)

T = TypeVar("T")

ACK_SECONDS = 2.0  # of the three that Slack waits for what a modal is answered with
TAKEN_SECONDS = 0.3  # what an answer gets to reach Slack before a call that is to be carried out after it
GONE = frozenset({"not_found", "hash_conflict"})  # it was closed, or shows something newer


async def open_modal(
    client: AsyncWebClient, trigger_id: str, title: str, made: Awaitable[View], *, push: bool = False
) -> None:
    """Open a modal, or push it upon the one that is open, and show in it what is being made.

    Raises SlackClientError where it cannot be opened, once it is made.
    """
    show = client.views_push if push else client.views_open
    try:
        opened: dict[str, Any] = (await show(trigger_id=trigger_id, view=loading(title)))["view"]
    except SlackClientError:
        await made
        raise
    await update_modal(client, opened, await made)


async def update_modal(client: AsyncWebClient, shown: Mapping[str, Any], view: View) -> None:
    """Show another view in a modal, unless it was closed, or has changed since it was as `shown`."""
    with unless_gone():
        await client.views_update(view_id=shown["id"], hash=shown["hash"], view=view)


async def in_time(ack: AsyncAck, title: str, making: Awaitable[T]) -> tuple[T, bool]:
    """What is made of a modal that was submitted, and whether that is in time to be the answer to it.

    Where it is not, the modal was answered already, and says that it is being made. To answer so each time would be
    worse: what is made at once may reach Slack before that answer, which would then stay.
    """
    made = asyncio.ensure_future(making)
    done, _ = await asyncio.wait({made}, timeout=ACK_SECONDS)
    if not done:
        await ack(response_action="update", view=loading(title))
        await asyncio.sleep(TAKEN_SECONDS)
        return await made, False
    try:
        return made.result(), True
    except Exception:
        await ack()  # the modal closes; that something went wrong is said elsewhere
        raise


def ended(title: str, words: str, below: Sequence[Block] = (), metadata: str = "") -> View:
    """What a modal says in the end of what came of it, with what can be pressed below. `metadata` is what it keeps of
    where it was opened."""
    shown = said(title, words)
    kept = {"private_metadata": metadata} if metadata else {}
    return {**shown, **kept, "blocks": [*shown["blocks"], *below]}


async def end_modal(
    client: AsyncWebClient, ephemeral: Ephemeral, view_id: str, user: str, view: View, words: str
) -> None:
    """Show in a modal what came of it, or say it in a direct message where the modal was closed meanwhile."""
    with unless_gone():
        await client.views_update(view_id=view_id, view=view)
        return
    await asyncio.to_thread(ephemeral.write_to, user, words_message(slack(words)))


async def end_submitted(
    ack: AsyncAck,
    client: AsyncWebClient,
    ephemeral: Ephemeral,
    body: dict[str, Any],
    title: str,
    making: Awaitable[str],
) -> None:
    """Say in a modal that was submitted what came of it."""
    words, is_in_time = await in_time(ack, title, making)
    if is_in_time:
        await ack(response_action="update", view=ended(title, words))
    else:
        user = str(body["user"]["id"])
        await end_modal(client, ephemeral, body["view"]["id"], user, ended(title, words), words)


@contextmanager
def unless_gone() -> Iterator[None]:
    """A modal that somebody closed is no mistake."""
    try:
        yield
    except SlackApiError as error:
        if code_of(error) not in GONE:
            raise
        log.info("a modal was closed or changed before it was filled: %s", code_of(error))
