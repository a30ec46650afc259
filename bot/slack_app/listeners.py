"""The Bolt app: what happens to all that arrives before a listener hears it, and when one fails; what it hears, and
which function answers that, by a table each of presses, submissions and shortcuts; and what these call, put together.

A press is looked up by its action_id up to the dot, and does one of four things: it *answers* by the address that came
with it, *opens* a modal (upon the one it stands in), *turns* that modal to something else, or *does* something once,
however often it is delivered, after which what it was pressed in is shown anew with a sentence. A press or a submission
without a row is of a former release, and is told so; all else is acknowledged, or Slack would deliver it again and
again. All that blocks is handed to threads.

Modals and Home are shown in the three seconds that Slack gives, and never over something newer. A modal opens at once
and is filled as soon as what it holds is known. One that is submitted is answered with what came of it where that is
known within two seconds; else it says that it is being made, and is filled later. A Home tab is published with the hash
of the view that it replaces; only whoever opened it or pressed something gets it anew, others see what changed when
they open theirs.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar

from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.ask.queries import Queries
from bot.digest.service import DigestService
from bot.errors import AlmanacError, StoreUnavailable, Unreadable
from bot.settings import Settings
from bot.slack import elements as ui
from bot.slack import modals
from bot.slack.answering import Answering, Conversation, IncomingMessage, Observe, opens_digests
from bot.slack.audience import SORRY, AccessRefused, explained
from bot.slack.directory import Members
from bot.slack.elements import LOADING, Action, Ending, Response, View, compact, said, words_message
from bot.slack.inbox import KEEP_SECONDS, Inbox, Workers, WorkersStopped, event_id, is_question
from bot.slack.modals import CORRECTING_TITLE, PICKER_TITLE, Correcting, Dialogs, Origin
from bot.slack.sender import Sender
from bot.slack.web_api import ASYNC_TROUBLE, AsyncClient, Status, code_of
from bot.slack_app import digests, home
from bot.slack_app.digests import DigestActions, OpenedFrom
from bot.slack_app.home import HomeTab
from bot.story.render import Templates, slack
from storage import Store

log = logging.getLogger(__name__)

T = TypeVar("T")
Json = dict[str, Any]

ACK_SECONDS = 2.0  # of the three that Slack waits for what a modal is answered with
TAKEN_SECONDS = 0.3  # what an answer gets to reach Slack before a call that is to be carried out after it
SOON = 0.6  # seconds: what of a Home tab takes longer is said to be on its way
GONE = frozenset({"not_found", "hash_conflict"})  # it was closed, or shows something newer
Pressed = Callable[[Json, Action], Awaitable[None]]
Submitted = Callable[[AsyncAck, Json], Awaitable[None]]
Ran = Callable[[Json], Awaitable[None]]
Happened = Callable[[Json], Awaitable[None]]
Shown = Callable[[Action, str], Awaitable[None]]  # what was pressed in, anew, with a sentence

ANY = re.compile(r".*", re.DOTALL)
COMMAND = "/almanac"
UNKNOWN_COMMAND = "I answer to /almanac, for example /almanac help."
GONE_WORDS = "This is of an older release and does nothing any more; /almanac help says what there is instead."

EXPIRED = frozenset({"expired_trigger_id", "exchanged_trigger_id", "trigger_expired", "trigger_exchanged"})
# Bolt looks every 10 ms whether a request was acknowledged, and undoes that once its listener has failed: one that
# fails at once would seem never to have been heard (slack_bolt/listener/asyncio_runner.py).
LOOKED_AT_SECONDS = 0.2
LATER = "I will as soon as that is over; you need not ask again."
TOO_LATE = "Slack gave me too little time to open this. Please try again."


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


class Services:
    """Who answers what: things said, commands, presses and modals, of digests too. All of it blocks, and any thread
    may call it. `me` is what Slack says of the token."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        sender: Sender,
        members: Members,
        templates: Templates,
        observe: Observe,
        me: Mapping[str, Any],
    ) -> None:
        workspace, bot_user = str(me["team_id"]), str(me["user_id"])
        answering = Answering(Queries.of(store, settings), members, templates, bot_user, observe)
        self.sender = sender
        self.conversation = Conversation(answering, store, sender, workspace, settings.now)
        self.dialogs = Dialogs(answering, sender)
        self.digest_service = DigestService(settings, store, members, templates, sender, workspace)
        self.digests = DigestActions(answering, self.digest_service)
        self.home_tab = HomeTab(answering, self.digests)

    def answer_command(self, text: str, user: str, channel: str, url: str) -> None:
        """Answer what somebody typed after a command, by the address that came with it."""
        self.sender.answer(url, user, channel, Response(self.conversation.command(text, user, channel)))

    async def hears(self, user: str | None) -> bool:
        """Whether somebody may press, open or command anything; where that takes too long to find out, it is told them
        later whether they may."""
        if user:
            with suppress(TimeoutError, AlmanacError):
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


class Listeners:
    """Registers itself with the app."""

    def __init__(self, app: AsyncApp, services: Services, work: Workers) -> None:
        self._app = app
        self._services = services
        self._work = work
        self._status = Status(app.client)
        self._windows = Windows(app.client, services.sender, services.home_tab.tab, work)
        acts, dialogs, wanted = services.conversation, services.dialogs, services.digests
        tab, in_home, in_list = services.home_tab, self._home_shown, self._list_shown
        self.presses: dict[str, Pressed] = {
            ui.ASK: self._answers(acts.ask),
            ui.CHOICE: self._answers(partial(acts.ask, once=True)),
            ui.SHARE: self._answers(acts.share),
            ui.LINK: self._answers(acts.confirm),
            **dict.fromkeys(
                (ui.CHANGES, modals.ALL_CHANGES),
                self._opens("All changes", lambda p: dialogs.changes(p.user, p.channel, p.value)),
            ),
            ui.CORRECT: self._opens(CORRECTING_TITLE, lambda p: dialogs.correction(p.user, Origin.of(p))),
            ui.SHARE_TO: self._opens("Share", lambda p: modals.where_to_share(p.value)),
            ui.PICK: self._opens(PICKER_TITLE, lambda p: dialogs.picker(p.user, p.channel, p.url)),
            modals.EXPLAIN: self._opens(modals.WHY, lambda p: dialogs.explanation(p.user, p.channel, p.value)),
            modals.PAGE: self._turns(lambda p: dialogs.changes(p.user, p.channel, *modals.turned(p.view, p.value))),
            modals.MONTH: self._turns(lambda p: dialogs.month(p.user, p.channel, p.value)),
            modals.UNDO: self._undone,
            ui.DIGESTS: self._opens(digests.TITLE, lambda p: wanted.listing(p.user, OpenedFrom.at(p))),
            digests.NEW: self._opens("New digest", wanted.new),
            digests.EDIT: self._opens("Change a digest", wanted.edit),
            digests.PREVIEW: self._opens("Preview", wanted.preview),
            digests.POST: self._opens("Post it now?", wanted.posting),
            digests.PAUSE: self._does(wanted.pause, in_list),
            digests.RESUME: self._does(wanted.resume, in_list),
            digests.DELETE: self._does(wanted.delete, in_list),
            digests.UPDATE: self._does(wanted.update, self._said_of_digests),
            home.ADD: self._opens(home.TITLE, lambda p: home.adding(p.view)),
            home.THIS_IS_ME: self._does(tab.this_is_me, in_home),
            **dict.fromkeys(home.ACTS, self._does(tab.do, in_home)),
            home.REFRESH: self._does(lambda _: "", in_home),
            home.ASK: self._does(partial(home.ask, services.conversation), self._home_shown_if_said),
        }
        self.submissions: dict[str, Submitted] = {
            ui.CORRECT: self._how_it_should_be,
            ui.PICK: self._picked,
            modals.SHARE_TO: self._ends(lambda user, view: Ending.saying("Share", acts.share_to(user, view))),
            home.ADD: self._ends(tab.claimed),
            home.CONFIRM: self._ends(tab.confirmed, self._home_below),
            digests.FORM: self._ends(wanted.save, self._list_below),
            digests.POST_SURELY: self._ends(
                lambda user, view: Ending.saying(digests.TITLE, wanted.post(user, OpenedFrom.of(view))),
                self._list_below,
            ),
        }
        self.shortcuts: dict[str, Ran] = {"my_month": self._my_month, "author_month": self._author_month}
        self.events: dict[str, Happened] = {
            "app_home_opened": self._opened,
            "agent_session_stopped": self._stopped,
        }
        self._register()

    def _register(self) -> None:
        app = self._app

        @app.action(ANY)
        async def pressed(ack: AsyncAck, body: Json, action: Json) -> None:
            await ack()  # also of buttons that are links: Slack opens them, and still wants to know they were heard
            sort = str(action["action_id"]).partition(".")[0]
            await self.presses.get(sort, self._gone)(body, Action.of(body, action))

        @app.view(ANY)
        async def submitted(ack: AsyncAck, body: Json) -> None:
            await self.submissions.get(str(body["view"]["callback_id"]), self._submitted_late)(ack, body)

        @app.shortcut(ANY)
        async def ran(ack: AsyncAck, body: Json) -> None:
            await ack()
            if row := self.shortcuts.get(str(body["callback_id"])):
                await row(body)

        @app.view_closed(ANY)
        @app.options(ANY)
        async def heard(ack: AsyncAck) -> None:
            await ack()

        @app.event(ANY)  # Bolt has acknowledged it already
        async def happened(event: Json) -> None:
            if row := self.events.get(str(event.get("type"))):
                await row(event)

        app.command(ANY)(self._commanded)

    # what is said to the bot

    async def asked(self, body: Mapping[str, Any]) -> bool:
        """A mention is answered in its thread, a direct message beside it or in its thread. See `Inbox`."""
        services, event = self._services, body["event"]
        thread, text = event.get("thread_ts"), event.get("text") or ""
        incoming = IncomingMessage(text, event["user"], event["channel"], event["ts"], thread, event_id(body))
        if not await self._work(services.conversation.answering.hears, incoming.user):
            return False
        async with self._status.shown(incoming.channel, incoming.answer_in or incoming.ts):
            return await self._work(services.conversation.answer, incoming)

    async def _stopped(self, event: Json) -> None:
        channel, thread, at = (str(event.get(name) or "") for name in ("channel", "thread_ts", "event_ts"))
        self._services.conversation.stop(channel, thread, at)
        await self._status.stopped(channel, thread)

    async def _opened(self, event: Json) -> None:
        user, channel, seen = str(event["user"]), str(event.get("channel") or ""), event.get("view") or {}
        if event.get("tab") == "home":
            await self._windows.home_opened(user, channel, str(seen.get("hash") or ""))
        elif event.get("tab") == "messages" and channel:
            answering = self._services.conversation.answering
            if prompts := await self._work(answering.prompts, user, channel):
                await self._status.prompt(channel, prompts)

    async def _commanded(self, ack: AsyncAck, command: Json) -> None:
        """/almanac, answered for the eyes of whoever typed it; of any other, silence would look broken."""
        await ack()
        services, text = self._services, str(command.get("text") or "")
        user, channel = command["user_id"], command["channel_id"]
        url, trigger = str(command.get("response_url") or ""), str(command.get("trigger_id") or "")
        if command["command"] != COMMAND:
            unknown = Response([words_message(UNKNOWN_COMMAND)])
            await self._work(services.sender.answer, url, user, channel, unknown)
        elif opens_digests(text):
            await self._windows.open(trigger, digests.TITLE, services.digests.listing, user, OpenedFrom(channel))
        elif not text.strip() and url:
            await self._windows.open(trigger, PICKER_TITLE, services.dialogs.picker, user, channel, url)
        else:
            await self._work(services.answer_command, text, user, channel, url)

    async def _my_month(self, body: Json) -> None:
        user, month_of = body["user"]["id"], self._services.dialogs.month_of
        await self._windows.open(body["trigger_id"], "My month", month_of, user, "", user)

    async def _author_month(self, body: Json) -> None:
        user, channel, message = body["user"]["id"], body["channel"]["id"], body.get("message") or {}
        whom = "" if message.get("bot_id") else str(message.get("user") or "")
        month_of = self._services.dialogs.month_of
        await self._windows.open(body["trigger_id"], "This person's month", month_of, user, channel, whom)

    # the four ways of a press

    def _answers(self, made: Callable[[Action], Response]) -> Pressed:
        def answer(press: Action) -> None:
            try:
                response = made(press)
            except StoreUnavailable:  # of which whoever waits is told as of a mention or a command
                raise
            except (AccessRefused, AlmanacError) as error:
                response = Response([words_message(explained(error, f"{press.action_id} could not be answered"))])
            self._services.sender.answer(press.url, press.user, press.channel, response)

        async def pressed(_: Json, press: Action) -> None:
            await self._work(answer, press)

        return pressed

    def _opens(self, title: str, made: Callable[[Action], View]) -> Pressed:
        async def pressed(body: Json, press: Action) -> None:
            is_modal = press.view.get("type") == "modal"
            await self._windows.open(body["trigger_id"], title, made, press, push=is_modal)

        return pressed

    def _turns(self, made: Callable[[Action], View]) -> Pressed:
        async def pressed(_: Json, press: Action) -> None:
            await self._windows.turn(press.view, title_of(press.view), self._work(made, press))

        return pressed

    def _does(self, act: Callable[[Action], str], shown: Shown) -> Pressed:
        """Of a press that is delivered again, nothing of what was done before is said."""

        def once(press: Action) -> str:
            if not self._services.conversation.first_time(press):
                return ""
            try:
                return act(press)
            except Exception as error:
                return explained(error, f"{press.action_id} could not be done")

        async def pressed(_: Json, press: Action) -> None:
            await shown(press, await self._work(once, press))

        return pressed

    async def _submitted_late(self, ack: AsyncAck, _: Json) -> None:
        await ack(response_action="update", view=said("Almanac", GONE_WORDS))

    async def _gone(self, body: Json, press: Action) -> None:
        if press.url:
            await self._answers(lambda _: Response([words_message(GONE_WORDS)]))(body, press)
        else:
            await self._opens("Almanac", lambda _: said("Almanac", GONE_WORDS))(body, press)

    # what a press is shown in

    async def _home_shown(self, press: Action, said: str) -> None:
        await self._windows.home_anew(press.user, press.channel, str(press.view.get("hash") or ""), said)

    async def _home_shown_if_said(self, press: Action, said: str) -> None:
        if said:
            await self._home_shown(press, said)

    async def _list_shown(self, press: Action, said: str) -> None:
        """The list of digests; and Home, where that is below it."""
        kept = OpenedFrom.at(press)
        if said and press.view.get("callback_id") == ui.DIGESTS:
            listing = self._work(self._services.digests.listing, press.user, kept, said)
            await self._windows.turn(press.view, digests.TITLE, listing)
        if said and kept.home:
            await self._windows.home_anew(press.user, kept.home, "", said)

    async def _said_of_digests(self, press: Action, said: str) -> None:
        if said:
            await self._windows.end(press.view["id"], press.user, Ending.saying(digests.TITLE, said))

    # what modals are submitted with

    def _ends(
        self, made: Callable[[str, View], Ending], then: Callable[[Json, Ending], Awaitable[None]] | None = None
    ) -> Submitted:
        """The modal says what came of it; `then` shows anew what is below it."""

        def ended(user: str, view: View) -> Ending:
            try:
                return made(user, view)
            except Exception as error:
                why = explained(error, f"{view['callback_id']} could not be done")
                return Ending.saying(title_of(view), why)

        async def submitted(ack: AsyncAck, body: Json) -> None:
            making = self._work(ended, str(body["user"]["id"]), body["view"])
            ending = await self._windows.submitted(ack, body, making)
            if then:
                await then(body, ending)

        return submitted

    async def _home_below(self, body: Json, _: Ending) -> None:
        kept = home.where(body["view"])
        await self._windows.home_anew(str(body["user"]["id"]), kept["channel"], kept["hash"])

    async def _list_below(self, body: Json, ending: Ending) -> None:
        """Show the list that a form was opened from, or Home, as it is now."""
        user, view = str(body["user"]["id"]), body["view"]
        kept = OpenedFrom.of(view)
        if ending.errors:
            return
        if view.get("root_view_id") not in (None, "", view["id"]):
            below = replace(kept, digest=None)
            listing = self._work(self._services.digests.listing, user, below, ending.words)
            await self._windows.turn({"id": view["root_view_id"]}, digests.TITLE, listing)
        if kept.home:
            await self._windows.home_anew(user, kept.home, "", ending.words)

    async def _picked(self, ack: AsyncAck, body: Json) -> None:
        text, channel, url = modals.picked(body["view"])
        await ack()
        await self._work(self._services.answer_command, text, str(body["user"]["id"]), channel, url)

    # what somebody says is not right

    async def _how_it_should_be(self, ack: AsyncAck, body: Json) -> None:
        try:
            wanted = modals.wanted(body["view"])
        except Unreadable:
            raise
        except AlmanacError as error:
            await ack(response_action="errors", errors={"title": str(error)})
            return
        making = self._work(self._corrected, str(body["user"]["id"]), wanted)
        await self._windows.submitted(ack, body, making)

    async def _undone(self, _: Json, press: Action) -> None:
        ending = await self._work(self._corrected, press.user, modals.undoing(press.view, press.value))
        await self._windows.end(press.view["id"], press.user, ending)

    def _corrected(self, user: str, wanted: Correcting) -> Ending:
        """Correct a change, or take that back, and offer to update the digests that show it."""
        services, origin = self._services, wanted.origin
        said, below = services.dialogs.correct(user, wanted)
        offers = services.digests.offers(user, origin.channel, wanted.sha)
        return Ending.saying(CORRECTING_TITLE, said, (*below, *offers), compact(asdict(origin)))
