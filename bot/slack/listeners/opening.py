"""How a modal is shown: at once, since Slack waits three seconds, and with what it holds as soon as that is known."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.blocks import Block
from bot.slack.modals import View, loading, said
from bot.slack.poster import code_of
from bot.story.render import slack

log = logging.getLogger(__name__)

GONE = frozenset({"not_found", "hash_conflict"})  # it was closed, or shows something newer


async def open_modal(
    client: AsyncWebClient, trigger_id: str, title: str, made: Awaitable[View], *, push: bool = False
) -> None:
    """Open a modal, or push it upon the one that is open, and show in it what is being made.

    Raises SlackApiError where it cannot be opened, once it is made.
    """
    show = client.views_push if push else client.views_open
    try:
        opened: dict[str, Any] = (await show(trigger_id=trigger_id, view=loading(title)))["view"]
    except SlackApiError:
        await made
        raise
    await update_modal(client, opened, await made)


async def update_modal(client: AsyncWebClient, shown: dict[str, Any], view: View) -> None:
    """Show another view in a modal, unless it was closed, or has changed since it was as `shown`."""
    with unless_gone():
        await client.views_update(view_id=shown["id"], hash=shown["hash"], view=view)


async def end_modal(
    client: AsyncWebClient,
    view_id: str,
    user: str,
    title: str,
    words: str,
    below: Sequence[Block] = (),
    metadata: str = "",
) -> None:
    """Say in a modal what came of it, with what can be pressed below, or in a direct message where it was closed
    meanwhile. `metadata` is what it keeps of where it was opened."""
    shown = said(title, words)
    with unless_gone():
        kept = {"private_metadata": metadata} if metadata else {}
        await client.views_update(view_id=view_id, view={**shown, **kept, "blocks": [*shown["blocks"], *below]})
        return
    await client.chat_postMessage(channel=user, text=slack(words))


@contextmanager
def unless_gone() -> Iterator[None]:
    """A modal that somebody closed is no mistake."""
    try:
        yield
    except SlackApiError as error:
        if code_of(error) not in GONE:
            raise
        log.info("a modal was closed or changed before it was filled: %s", code_of(error))
