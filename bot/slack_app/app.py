"""The Bolt app: what happens to all that arrives before a listener hears it, and when one fails; and all that listeners
call inward, put together once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncApp, AsyncBoltContext
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError

from bot.ask.queries import Queries
from bot.digest.service import DigestService
from bot.errors import AlmanacError, Unreadable
from bot.monitoring import Metrics
from bot.settings import Settings
from bot.slack.answering import Answering, Conversation
from bot.slack.audience import SORRY
from bot.slack.directory import Members
from bot.slack.elements import Response
from bot.slack.inbox import KEEP_SECONDS, Inbox, WorkersStopped, is_question
from bot.slack.modals import Dialogs
from bot.slack.sender import Sender
from bot.slack.web_api import ASYNC_TROUBLE, AsyncClient, code_of
from bot.slack_app.digests import DigestActions
from bot.slack_app.home import HomeTab
from bot.story.render import Templates, slack
from storage import Store

log = logging.getLogger(__name__)

EXPIRED = frozenset({"expired_trigger_id", "exchanged_trigger_id", "trigger_expired", "trigger_exchanged"})
# Bolt looks every 10 ms whether a request was acknowledged, and undoes that once its listener has failed: one that
# fails at once would seem never to have been heard (slack_bolt/listener/asyncio_runner.py).
LOOKED_AT_SECONDS = 0.2
LATER = "I will as soon as that is over; you need not ask again."
TOO_LATE = "Slack gave me too little time to open this. Please try again."


@dataclass(frozen=True, slots=True)
class Services:
    """Who answers what: things said, commands, presses and modals, of digests too. All of it blocks, and any thread
    may call it."""

    conversation: Conversation
    dialogs: Dialogs
    home_tab: HomeTab
    digests: DigestActions
    digest_service: DigestService
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
        answering = Answering(Queries.of(store, settings), members, templates, bot_user, observe=metrics.question)
        conversation = Conversation(answering, store, sender, workspace, settings.now)
        dialogs = Dialogs(answering, sender)
        digest_service = DigestService(settings, store, members, templates, sender, workspace)
        digests = DigestActions(answering, digest_service)
        home_tab = HomeTab(answering, digests)
        return cls(conversation, dialogs, home_tab, digests, digest_service, metrics, sender)

    def answer_command(self, text: str, user: str, channel: str, url: str) -> None:
        """Answer what somebody typed after a command, by the address that came with it."""
        self.sender.answer(url, user, channel, Response(self.conversation.command(text, user, channel)))

    async def hears(self, user: str | None) -> bool:
        """Whether somebody may press, open or command anything; where that takes too long to find out, it is told them
        later whether they may."""
        if user:
            with contextlib.suppress(TimeoutError, AlmanacError):
                hears = asyncio.to_thread(self.conversation.answering.hears, user)
                return await asyncio.wait_for(hears, KEEP_SECONDS)
        return True

    async def say(self, body: Mapping[str, Any], text: str) -> None:
        """Say something to whoever waits for what arrived with a body."""
        # In a thread of its own: those that answer may all wait for the database.
        await asyncio.to_thread(self.sender.last_words, body, text)

    async def tell(self, body: Mapping[str, Any], error: Exception, is_later: bool = False) -> None:
        """Say to whoever waits for something why it is not done, in the log too, or why it will be only later."""
        if is_later:
            await self.say(body, f"{_words(error)} {LATER}")
            return
        kind = body.get("command") or body.get("type") or "request"
        if isinstance(error, (AlmanacError, *ASYNC_TROUBLE)):  # it says by itself what is wrong
            said = f"Slack refused a call ({code_of(error)})" if isinstance(error, SlackApiError) else error
            log.warning("a listener failed for %s: %s", kind, str(said) or type(error).__name__)
        else:
            log.error("a listener failed for %s", kind, exc_info=error)
        await self.say(body, _words(error))


def build_app(settings: Settings, services: Services, inbox: Inbox, me: Mapping[str, Any]) -> AsyncApp:
    """The app, without what it listens to: questions are kept before anything else is done, and what fails is said.
    `me` is what Slack says of the token."""
    token = settings.bot_token.get_secret_value() if settings.bot_token else None
    inbox.tell = services.tell
    app = AsyncApp(
        client=AsyncClient(
            base_url=settings.slack_api.rstrip("/") + "/",
            timeout=30,
            retry_handlers=[],  # they would say things twice, or sleep for as long as Slack says
        ),
        authorize=_known(me, token),
        request_verification_enabled=False,  # the transport looks at signatures, before it reads a body
        raise_error_for_unhandled_request=False,
    )

    app.client.token = token  # not from the first: Bolt would ask Slack who it is, and drop a request if it fails

    @app.middleware
    async def speak(context: AsyncBoltContext, next: Callable[[], Awaitable[None]]) -> None:
        # Bolt makes a client of the SDK's own for each request.
        context["client"] = app.client
        await next()

    @app.middleware
    async def keep(
        body: dict[str, Any], context: AsyncBoltContext, next: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        if not _is_for(me, body):
            log.warning("what is for another workspace or app was left unanswered")
            return BoltResponse(status=200)
        if is_question(body):
            await inbox.keep(body)
            return BoltResponse(status=200)
        if not await services.hears(context.user_id):
            return BoltResponse(status=200)
        await next()
        return None

    @app.error
    async def failed(error: Exception, body: dict[str, Any], response: BoltResponse | None) -> BoltResponse | None:
        """`response` is None where the request was acknowledged already."""
        if isinstance(error, WorkersStopped):
            log.info("a listener did not get its turn")
            await services.say(body, _words(error))
            return None
        if isinstance(error, Unreadable) and response:
            log.warning("what Slack sent cannot be read: %s", error)
            return BoltResponse(status=400, headers={"x-slack-no-retry": "1"})
        await services.tell(body, error)
        await asyncio.sleep(LOOKED_AT_SECONDS)
        return None

    return app


def _known(me: Mapping[str, Any], token: str | None) -> Callable[..., Awaitable[AuthorizeResult]]:
    """Who the bot is, without asking Slack again."""

    async def authorize(enterprise_id: str | None, team_id: str | None, user_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            bot_user_id=str(me.get("user_id") or ""),
            bot_id=str(me.get("bot_id") or ""),
            bot_token=token,
        )

    return authorize


def _is_for(me: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Whether what arrived is for this app in this workspace. In a channel that is shared it may have happened in
    another one; then it says for which it was delivered, or in which the app is that opened a modal there."""
    teams = [one.get("team_id") for one in body.get("authorizations") or ()]
    said = {name: body.get(name) for name in ("team_id", "enterprise_id")}
    said |= {
        f"{name}_id": one.get("id") for name in ("team", "enterprise") if isinstance(one := body.get(name), Mapping)
    }
    if body.get("view"):
        said["team_id"] = body["view"].get("app_installed_team_id")
    elif body.get("is_ext_shared_channel") and teams:
        said = dict.fromkeys(said)
    said["api_app_id"] = body.get("api_app_id") if me.get("api_app_id") else None
    return me["team_id"] in (teams or [me["team_id"]]) and all(said[one] in (None, "", me.get(one)) for one in said)


def _words(error: Exception) -> str:
    if isinstance(error, AlmanacError):
        return f"I cannot answer now: {slack(error.public_text)}."
    return TOO_LATE if isinstance(error, SlackApiError) and code_of(error) in EXPIRED else SORRY
