"""Slack's Web API: every call goes through here, so that an answer that nobody understands is always one error; and
whether what Slack delivers is as it writes it, as far as anything relies on that.

A proxy's page, half an answer, a list, no UTF-8, a field that is missing or of another type: the SDK raises something
else for each, or hands it on. All of them become AnswerNotUnderstood, of which only one thing is known: whether the
call was carried out is not. Where Slack refuses, its codes are told apart by what they ask for, with words for each.
From the methods' pages: https://docs.slack.dev/reference/methods
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from http.client import HTTPException
from typing import Annotated, Any, Final, cast
from urllib.parse import urlsplit

from aiohttp import ClientError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.errors import SlackRefused
from bot.settings import Settings
from storage.slack_state import MOST_WAIT

# What does not work without each scope of manifest.json; docs/slack.md says the same.
SCOPES = {
    "commands": "neither /almanac nor the shortcuts work",
    "app_mentions:read": "mentions are not heard",
    "im:history": "direct messages are not heard",
    "chat:write": "nothing can be answered",
    "assistant:write": "there are no suggested questions, and no status while an answer is made",
    "chat:write.public": "public channels are reached only after /invite @Almanac",
    "users:read": "nobody gets an answer, for it is not known who is a member",
    "users:read.email": "people are recognised only by their full name or the `slack` id in almanac.toml",
    "channels:read": "nothing is shown in public channels, for it is not known who reads them",
    "groups:read": "nothing is shown in private channels, for it is not known who reads them",
    "mpim:read": "nothing is shown in group messages, for it is not known who reads them",
    "im:read": "who reads a direct message is not known from Slack",
    "im:write": "a direct message whose posting Slack did not answer cannot be looked for, and is not sent again",
    "usergroups:read": "user groups that rules name match nobody",
}
# What is lost where whoever installs the app leaves one of its optional scopes out.
OPTIONAL = {
    "channels:history": "what Slack did not answer is not looked for in public channels, and not sent again",
    "groups:history": "what Slack did not answer is not looked for in private channels, and not sent again",
}

# Nothing was done; the same call may pass later.
AGAIN = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded", "team_added_to_org", "org_login_required"})
# Something may have been done.
UNCERTAIN = frozenset({"fatal_error", "internal_error", "service_unavailable", "request_timeout", "unknown_error"})
# The blocks were refused; the text alone may pass.
CONTENT = frozenset({
    "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_blocks_too_many", "invalid_attachments",
    "too_many_attachments",
})  # fmt: skip
# Our own mistake: the same would be refused again.
OURS = CONTENT | {
    "msg_too_long", "no_text", "markdown_text_conflict", "invalid_metadata_format", "invalid_metadata_schema",
    "metadata_too_large", "cannot_reply_to_message", "invalid_arguments",
}  # fmt: skip
# What the workspace, or how the app is installed in it, does not allow: the same call will not pass soon.
LACKING = frozenset({
    "missing_scope", "unknown_method", "method_deprecated", "deprecated_endpoint",
    "method_not_supported_for_channel_type", "feature_not_enabled", "not_allowed", "not_allowed_token_type",
    "no_permission", "access_denied",
})  # fmt: skip
# The app is not let in at all: whatever is sent is refused until somebody has fixed that.
_INSTALLATION = frozenset({
    "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "app_access_restricted",
    "not_allowed_token_type", "enterprise_is_restricted", "team_access_not_granted", "two_factor_setup_required",
    "accesslimited",
})  # fmt: skip
STOPS = _INSTALLATION | {"missing_scope"}
_ASK = "the workspace does not let apps post there: ask an admin"
_CHANNEL = {
    **dict.fromkeys(("no_permission", "access_denied", "ekm_access_denied", "restricted_action"), _ASK),
    "restricted_action_read_only_channel": _ASK,
    "channel_not_found": "check the channel's name; a private one needs /invite @Almanac in it first",
    "not_in_channel": "type /invite @Almanac in the channel",
    "is_archived": "the channel is archived: name another in almanac.toml",
    "missing_scope": "install the app again with the scopes of manifest.json",
    "restricted_action_thread_only_channel": "that channel takes replies only: name another in almanac.toml",
    "restricted_action_non_threadable_channel": "that channel takes no threads: name another in almanac.toml",
    "restricted_action_thread_locked": "the thread is locked: ask again outside of it",
    "messages_tab_disabled": "switch on the app's messages tab, as manifest.json has it",
    "user_not_found": "there is no such person in the workspace",
    "user_disabled": "that person's account is deactivated",
    "user_not_visible": "the app may not see that person: ask an admin of the workspace",
    "message_not_found": "the message was deleted",
    "msg_too_long": "the message is longer than Slack takes",
}
# A channel, or a person's direct messages, that can be posted to no more.
CHANNEL = frozenset(_CHANNEL) - STOPS - {"message_not_found", "msg_too_long", "restricted_action_thread_locked"}


def what_to_do(code: str) -> str:
    """What somebody can do about an error code, in a few words."""
    if code in _INSTALLATION:
        return "check SLACK_BOT_TOKEN, or install the app again and copy its new token"
    if code in AGAIN:
        return "it is tried again"
    if code in UNCERTAIN:
        return "Slack does not say whether it was done: look into the channel"
    return _CHANNEL.get(code, "see https://docs.slack.dev/reference/methods/chat.postMessage")


_CODE = re.compile(r"[a-z_]+")

_ID = Annotated[str, Field(min_length=1)]
_TS = Annotated[str, Field(pattern=r"^\d+\.\d+$")]
_TEXT = (str | None, None)  # what may be missing, or null


def part(**keys: Any) -> Any:
    """A model of a JSON object with these keys, whatever else it holds."""
    return create_model("_Part", __config__=ConfigDict(strict=True), **keys)


def list_of(kind: Any) -> Any:
    return list[kind]


_CHANNEL_PART = part(id=_ID, name=_TEXT, user=_TEXT)
_PROFILE = part(real_name=_TEXT, email=_TEXT)
_ENTERPRISE_USER = part(teams=(list[str] | None, None))
_USER = part(
    id=_ID, real_name=_TEXT, tz=_TEXT, team_id=_TEXT,
    profile=(_PROFILE | None, None), enterprise_user=(_ENTERPRISE_USER | None, None),
)  # fmt: skip
_GROUP = part(id=_ID, handle=_TEXT, users=(list[str] | None, None))
_METADATA = part(event_type=_TEXT, event_payload=(dict[str, Any] | None, None))
_MESSAGE = part(ts=_TS, metadata=(_METADATA | None, None))


def _answer(**keys: Any) -> type[BaseModel]:
    return cast(type[BaseModel], part(ok=bool, response_metadata=(part(next_cursor=_TEXT) | None, None), **keys))


_ANY: Final = _answer()
_BY_METHOD: Final[Mapping[str, type[BaseModel]]] = {
    "apps.connections.open": _answer(url=_ID),
    "auth.test": _answer(team_id=_ID, user_id=_ID, bot_id=_TEXT, user=_TEXT, team=_TEXT),
    "chat.postMessage": _answer(ts=_TS),
    **dict.fromkeys(("conversations.history", "conversations.replies"), _answer(messages=list_of(_MESSAGE))),
    "conversations.info": _answer(channel=_CHANNEL_PART),
    "conversations.list": _answer(channels=list_of(_CHANNEL_PART)),
    "conversations.members": _answer(members=list[str]),
    "conversations.open": _answer(channel=_CHANNEL_PART),
    "usergroups.list": _answer(usergroups=list_of(_GROUP)),
    "users.info": _answer(user=_USER),
    "users.list": _answer(members=list_of(_USER)),
    **dict.fromkeys(("views.open", "views.publish", "views.push"), _answer(view=part(id=_ID, hash=str))),
}


def answer_fault(method: str, answer: object) -> str:
    """What in an answer that says it is well is not as Slack writes it; empty if it is well."""
    if isinstance(answer, dict) and answer.get("ok") is not True:
        return "ok is not true"
    return first_fault(_BY_METHOD.get(method, _ANY), answer)


def first_fault(model: type[BaseModel], value: object) -> str:
    """The first thing in a value that a model does not take, without anything of the value; empty where it takes it."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        where = error.errors(include_url=False, include_input=False)[0]["loc"]
        return f"{'.'.join(map(str, where)) or 'it'} is not as Slack writes it"
    return ""


def fault_of(body: object) -> str:
    """What in a body is not as Slack writes it, in a few words without anything of the body; empty if it is well."""
    if not isinstance(body, dict):
        return "it is no object"
    kind = "command" if "command" in body else str(body.get("type"))
    if kind == "event_callback":
        event = body.get("event")
        fault = first_fault(_EVENTS.get(str(event.get("type")), _EVENT) if isinstance(event, dict) else _EVENT, event)
        return fault and f"event: {fault}"
    if kind in _BY_TYPE:
        return first_fault(_BY_TYPE[kind], body)
    return "" if "ssl_check" in body else "it is of a sort that is not asked for"


_OBJECT = (dict[str, Any] | None, None)
_WHO: dict[str, Any] = {
    "user": part(id=_ID), "trigger_id": _ID, "response_url": _TEXT, "view": _OBJECT, "message": _OBJECT,
}  # fmt: skip
_SUBMITTED = part(user=part(id=_ID), view=part(id=_ID, type=_ID, callback_id=str))
_BY_TYPE = {
    "url_verification": part(challenge=_ID),
    "block_actions": part(actions=(list_of(part(action_id=str)), Field(min_length=1)), **_WHO),
    "view_submission": _SUBMITTED,
    "view_closed": part(view=part(callback_id=str)),
    "shortcut": part(callback_id=_ID, **_WHO),
    "message_action": part(callback_id=_ID, channel=part(id=_ID), **_WHO),
    "block_suggestion": part(action_id=_ID),
    "command": part(command=_ID, user_id=_ID, channel_id=_ID, response_url=_TEXT),
}
_EVENT = part(type=_ID)
_SAID = part(type=_ID, channel=_ID, ts=_ID, user=_TEXT, text=_TEXT, thread_ts=_TEXT)
_EVENTS = {"app_mention": _SAID, "message": _SAID, "app_home_opened": part(type=_ID, user=_ID)}

# Two of these fit into the time after which whoever makes a call counts as dead: connecting, and waiting for an answer.
CALL_SECONDS = 20
RATE_LIMITED = 429
TROUBLE = (SlackClientError, OSError, HTTPException)  # what any call may raise, a refusal (SlackApiError) too
ASYNC_TROUBLE = (SlackClientError, ClientError, OSError)  # the same of the event loop's, TimeoutError too

log = logging.getLogger(__name__)
# The SDK's own lines would tell twice of each call that fails, and show what came instead of an answer.
_SILENT = logging.getLogger(f"{__name__}.sdk")
_SILENT.setLevel(logging.CRITICAL)


class AnswerNotUnderstood(SlackClientError):
    """What came as an answer is none of Slack's. Whether the call was carried out is not known."""

    def __init__(self, method: str, fault: str) -> None:
        super().__init__(f"Slack's answer to {method} is not understood: {fault}")


class Client(WebClient):
    """The SDK's, whose calls raise SlackApiError where Slack refuses, AnswerNotUnderstood, or OSError or HTTPException
    where no answer came. What they return holds what is read of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(logger=_SILENT, **options)

    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        with understood(api_method):
            answer = super().api_call(api_method, **unsteered(arguments))
        return cast(SlackResponse, _checked(api_method, answer))


class AsyncClient(AsyncWebClient):
    """The same for the event loop; where no answer came, it raises aiohttp's ClientError or TimeoutError."""

    def __init__(self, **options: Any) -> None:
        super().__init__(logger=_SILENT, **options)

    async def api_call(self, api_method: str, **arguments: Any) -> AsyncSlackResponse:
        with understood(api_method):
            answer = await super().api_call(api_method, **unsteered(arguments))
        return cast(AsyncSlackResponse, _checked(api_method, answer))


@contextmanager
def understood(method: str) -> Iterator[None]:
    """What the SDK raises for an answer that it cannot read → AnswerNotUnderstood."""
    try:
        yield
    except SlackApiError as error:
        status = status_of(error)
        if _word_of(error) or status == RATE_LIMITED:
            raise
        raise AnswerNotUnderstood(method, f"no JSON object of Slack's, with status {status}") from error
    # Of bytes that are no UTF-8 or no JSON, of a character set that nobody knows, of a list where an object should be.
    except (ValueError, LookupError, AttributeError, RecursionError) as error:
        raise AnswerNotUnderstood(method, f"no JSON object ({type(error).__name__})") from error


def _checked(method: str, answer: SlackResponse | AsyncSlackResponse) -> SlackResponse | AsyncSlackResponse:
    if fault := answer_fault(method, answer.data):
        raise AnswerNotUnderstood(method, fault)
    return answer


def code_of(error: SlackApiError) -> str:
    """Slack's word for why it refused."""
    return _word_of(error) or ("ratelimited" if status_of(error) == RATE_LIMITED else "unknown_error")


def _word_of(error: SlackApiError) -> str:
    """The same, empty where what came says in no way of Slack's that something was not done and why."""
    answer = getattr(error.response, "data", error.response)
    word = answer.get("error") if isinstance(answer, dict) and answer.get("ok") is False else None
    return word if isinstance(word, str) and _CODE.fullmatch(word) else ""


def status_of(error: SlackApiError) -> int:
    """The HTTP status of an answer."""
    response = error.response
    return int(getattr(response, "status_code", 0) or getattr(response, "status", 0) or 200)


def asked_to_wait(error: SlackApiError) -> float:
    """For how many seconds Slack asks to wait, at most an hour; 0 where it refused for another reason."""
    if status_of(error) != RATE_LIMITED and code_of(error) not in ("ratelimited", "rate_limited"):
        return 0.0
    headers = {name.lower(): value for name, value in (getattr(error.response, "headers", None) or {}).items()}
    try:
        return min(max(1.0, float(headers.get("retry-after", ""))), MOST_WAIT.total_seconds())
    except ValueError:
        return 30.0


def posting_client(settings: Settings) -> Client:
    """A client that never sends twice.

    The SDK's own retry for lost connections repeats a POST that may have been carried out, the one for "rate limited"
    sleeps for as long as Slack says: neither is used. Raises SlackRefused without a token.
    """
    if settings.bot_token is None:
        raise SlackRefused("not_authed", "SLACK_BOT_TOKEN is not set: copy the bot token (xoxb-…) from your Slack app")
    return Client(
        token=settings.bot_token.get_secret_value(),
        base_url=settings.slack_api.rstrip("/") + "/",
        timeout=CALL_SECONDS,
        retry_handlers=[],
    )


def identity(client: WebClient) -> Mapping[str, Any]:
    """Slack's answer to who the token is, with `team_id` and `user_id`. Raises SlackRefused where Slack refuses it, is
    not there, or does not say."""
    try:
        return cast(Mapping[str, Any], client.auth_test().data)
    except TROUBLE as error:
        raise refused(error, "SLACK_BOT_TOKEN", str(client.base_url)) from error


def refused(error: Exception, token: str, at: str) -> SlackRefused:
    """What is said where Slack, at an address, does not take a token of ours, or does not say whether it does."""
    if isinstance(error, SlackApiError):
        code = code_of(error)
        if code in AGAIN or code in UNCERTAIN:
            return SlackRefused(code, f"Slack does not answer at {at} ({code}): try again later")
        todo = what_to_do(code) if token == "SLACK_BOT_TOKEN" else "generate one with connections:write"  # noqa: S105
        return SlackRefused(code, f"Slack refused {token} ({code}): {todo}")
    if isinstance(error, AnswerNotUnderstood):
        return SlackRefused("not_understood", f"{error}: check SLACK_API_URL, or try again later")
    why = f"{at} ({reason_of(error)})"
    return SlackRefused("unreachable", f"Slack cannot be reached at {why}: check SLACK_API_URL and the network")


def workspace_of(client: WebClient) -> str:
    """The id of the workspace the token belongs to. Raises SlackRefused as `identity` does."""
    return str(identity(client)["team_id"])


def reason_of(error: Exception) -> str:
    """Why no answer came, in the words of whoever noticed."""
    return str(getattr(error, "reason", None) or error) or type(error).__name__


def without_proxy_for_loopback(settings: Settings) -> None:
    """A local workspace is not reached through a proxy, and Slack's client would try."""
    if urlsplit(settings.slack_api).hostname in ("127.0.0.1", "localhost", "::1"):
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            os.environ.pop(name, None)
            os.environ.pop(name.upper(), None)


# What steers a terminal or turns the reading order: C0 and C1 but for line breaks and tabs, and Unicode's Bidi_Control.
STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def unsteered(value: Any) -> Any:
    """JSON without signs that steer: whatever the bot posts goes through here."""
    if isinstance(value, str):
        return STEERING.sub("", value) or (value and "?")
    if isinstance(value, dict):
        return {key: unsteered(one) for key, one in value.items()}
    return [unsteered(one) for one in value] if isinstance(value, list | tuple) else value


def pages(page: Callable[[str | None], Any]) -> Iterator[Any]:
    """Every page of an answer, each asked for by the cursor of the one before."""
    at: str | None = None
    while at != "":
        answer = page(at)
        yield answer
        at = str((answer.get("response_metadata") or {}).get("next_cursor") or "")


WORDS = "is reading the history…"  # Slack puts the app's name before it
PROMPTS = "assistant.threads.setSuggestedPrompts"
PROMPTS_TITLE = "Ask about a month, for example:"
LACKING_SECONDS = 3_600.0


class Status:
    """What stands around answers: "is reading the history…" while one is made, and what could be asked. It is no part
    of any: nothing that goes wrong here costs or delays one. What the workspace does not let us call is left alone for
    an hour."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._lacking_until: dict[str, float] = {}

    @asynccontextmanager
    async def shown(self, channel: str, thread_ts: str) -> AsyncIterator[None]:
        """The status stands from now until the block is left, however it is left."""
        setting = asyncio.create_task(self._set(channel, thread_ts, WORDS))
        try:
            yield
        finally:
            if await setting:  # first, since what is set after it was cleared would stay
                await self._set(channel, thread_ts, "")

    async def stopped(self, channel: str, thread_ts: str) -> None:
        """Say that nothing is worked on in a thread, where somebody pressed stop: Slack itself leaves it as it was."""
        await self._called("agents.sessions.setStatus", channel_id=channel, thread_ts=thread_ts, status="active")

    async def prompt(self, channel: str, prompts: Sequence[Mapping[str, str]]) -> None:
        """Show what somebody may begin with in their direct messages."""
        await self._called(PROMPTS, channel_id=channel, title=PROMPTS_TITLE, prompts=prompts)

    async def _set(self, channel: str, thread_ts: str, words: str) -> bool:
        """Set or, without words, clear it. Slack's older method says the words; the newer one only that we work."""
        thread = {"channel_id": channel, "thread_ts": thread_ts}
        return await self._called("assistant.threads.setStatus", **thread, status=words) or await self._called(
            "agents.sessions.setStatus", **thread, status="processing" if words else "active"
        )

    async def _called(self, method: str, **arguments: object) -> bool:
        if time.monotonic() < self._lacking_until.get(method, float("-inf")):
            return False
        try:
            await self._client.api_call(method, json=arguments)
        except SlackApiError as error:
            code = code_of(error)
            if code in LACKING:  # only what will not pass soon is remembered
                log.warning("%s: %s; it is not tried again for an hour", method, code)
                self._lacking_until[method] = time.monotonic() + LACKING_SECONDS
            return False
        except ASYNC_TROUBLE as error:
            log.debug("%s: %s", method, error)
            return False
        return True
