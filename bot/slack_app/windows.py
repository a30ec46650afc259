"""Modals and Home as they are shown: in the three seconds that Slack gives, and never over something newer.

A modal opens at once and is filled as soon as what it holds is known. One that is submitted is answered with what came
of it where that is known within two seconds; else it says that it is being made, and is filled later. A Home tab is
published with the hash of the view that it replaces; only whoever opened it or pressed something gets it anew, others
see what changed when they open theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from slack_bolt.async_app import AsyncAck
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.audience import explained
from bot.slack.elements import LOADING, Block, View, said, words_message
from bot.slack.inbox import Workers, WorkersStopped
from bot.slack.sender import Sender
from bot.slack.web_api import ASYNC_TROUBLE, code_of

log = logging.getLogger(__name__)

T = TypeVar("T")
Json = dict[str, Any]

ACK_SECONDS = 2.0  # of the three that Slack waits for what a modal is answered with
TAKEN_SECONDS = 0.3  # what an answer gets to reach Slack before a call that is to be carried out after it
SOON = 0.6  # seconds: what of a Home tab takes longer is said to be on its way
GONE = frozenset({"not_found", "hash_conflict"})  # it was closed, or shows something newer


@dataclass(frozen=True, slots=True)
class Ending:
    """What a submitted modal comes to: what it shows then, or what is wrong with what was typed, by block. `words` are
    written to whoever submitted it where they closed it meanwhile."""

    view: View
    words: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def saying(cls, title: str, words: str, below: Sequence[Block] = (), metadata: str = "") -> Ending:
        """Words, and what can be pressed below them; `metadata` is what the modal keeps of where it was opened."""
        shown = said(title, words)
        kept = {"private_metadata": metadata} if metadata else {}
        return cls({**shown, **kept, "blocks": [*shown["blocks"], *below]}, words)


class Windows:
    """Shows modals and Home tabs. `tab` makes a Home tab, and may block."""

    def __init__(
        self, client: AsyncWebClient, sender: Sender, tab: Callable[[str, str, str, bool], View], work: Workers
    ) -> None:
        self._client = client
        self._sender = sender
        self._tab = tab
        self._work = work
        self._logged: set[str] = set()

    # modals

    async def open(
        self, trigger_id: str, title: str, made: Callable[..., View], *given: Any, push: bool = False
    ) -> None:
        """Open a modal, or push it upon the one that is open, and show in it what is made of what is given.

        Raises SlackClientError where it cannot be opened; nothing is made then.
        """
        show = self._client.views_push if push else self._client.views_open
        opened: Json = (await show(trigger_id=trigger_id, view=said(title, LOADING)))["view"]
        await self.turn(opened, title, self._work(made, *given))

    async def turn(self, shown: Mapping[str, Any], title: str, made: Awaitable[View]) -> None:
        """Show in a modal what is being made, or why it cannot be; unless it was closed, or has changed since it was as
        `shown`. One that is known by its id alone is shown whatever stands there."""
        try:
            view = await made
        except WorkersStopped:
            raise
        except Exception as error:
            view = said(title, explained(error, f"the modal “{title}” could not be filled"))
        seen = {"hash": shown["hash"]} if "hash" in shown else {}
        with _unless_gone():
            await self._client.views_update(view_id=shown["id"], view=view, **seen)

    async def end(self, view_id: str, user: str, ending: Ending) -> None:
        """Show in a modal what came of it, or say it in a direct message where it was closed meanwhile."""
        with _unless_gone():
            await self._client.views_update(view_id=view_id, view=ending.view)
            return
        if ending.words:
            await asyncio.to_thread(self._sender.tell, user, "", [words_message(ending.words)])

    async def submitted(self, ack: AsyncAck, body: Json, making: Awaitable[Ending]) -> Ending:
        """Answer a modal that was submitted with what came of it."""
        view = body["view"]
        ending, is_in_time = await in_time(ack, title_of(view), making)
        if not is_in_time:  # nothing can be said by the fields any more
            await self.end(view["id"], str(body["user"]["id"]), ending)
        elif ending.errors:
            await ack(response_action="errors", errors=dict(ending.errors))
        else:
            await ack(response_action="update", view=ending.view)
        return ending

    # Home; none of it raises for what Slack answers

    async def home_opened(self, user: str, channel: str, hash: str) -> None:
        """Show somebody their tab; where parts of it take their time, at once without them."""
        whole = asyncio.ensure_future(self._made(user, channel))
        done, _ = await asyncio.wait({whole}, timeout=SOON)
        if not done:
            hash = await self._publish(user, await self._made(user, channel, whole=False), hash) or hash
        await self._shown(user, channel, hash, await whole)

    async def home_anew(self, user: str, channel: str, hash: str, said: str = "") -> None:
        """Show somebody their tab after something was done in it."""
        await self._shown(user, channel, hash, await self._made(user, channel, said), said)

    def _made(self, user: str, channel: str, said: str = "", *, whole: bool = True) -> Awaitable[View]:
        return self._work(self._tab, user, channel, said, whole)

    async def _shown(self, user: str, channel: str, hash: str, view: View, said: str = "") -> None:
        if await self._publish(user, view, hash) is None:  # it shows something newer than what we began with
            await self._publish(user, await self._made(user, channel, said), "")

    async def _publish(self, user: str, view: View, hash: str) -> str | None:
        """The hash of what is shown now, empty where Slack refused; None where another view was published since."""
        try:
            seen = {"hash": hash} if hash else {}
            return str((await self._client.views_publish(user_id=user, view=view, **seen))["view"]["hash"])
        except SlackApiError as error:
            code = code_of(error)
            if code == "hash_conflict":
                return None
            if code not in self._logged:
                self._logged.add(code)
                hint = ": switch on the Home tab, as manifest.json has it" if code == "not_enabled" else ""
                log.warning("views.publish: %s%s; it is not said again", code, hint)
        except ASYNC_TROUBLE as error:
            log.warning("a Home tab could not be published: %s", error)
        return ""


def title_of(view: Mapping[str, Any]) -> str:
    title = view.get("title")
    return str(title.get("text") or "") if isinstance(title, Mapping) else ""


async def in_time(ack: AsyncAck, title: str, making: Awaitable[T]) -> tuple[T, bool]:
    """What is made of a modal that was submitted, and whether that is in time to be the answer to it.

    Where it is not, the modal was answered already, and says that it is being made. To answer so each time would be
    worse: what is made at once may reach Slack before that answer, which would then stay.
    """
    made = asyncio.ensure_future(making)
    done, _ = await asyncio.wait({made}, timeout=ACK_SECONDS)
    if not done:
        await ack(response_action="update", view=said(title, LOADING))
        await asyncio.sleep(TAKEN_SECONDS)
        return await made, False
    try:
        return made.result(), True
    except Exception:
        await ack()  # the modal closes; that something went wrong is said elsewhere
        raise


@contextmanager
def _unless_gone() -> Iterator[None]:
    """A modal that somebody closed is no mistake."""
    try:
        yield
    except SlackApiError as error:
        if code_of(error) not in GONE:
            raise
        log.info("a modal was closed or changed before it was filled: %s", code_of(error))
