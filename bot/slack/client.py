"""Slack's Web API: every call goes through here, so that an answer that nobody understands is always one error.

A proxy's page, half an answer, a list, no UTF-8, a field that is missing or of another type: the SDK raises something
else for each, or hands it on. All of them become AnswerNotUnderstood, of which only one thing is known: whether the
call was carried out is not.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, cast
from urllib.parse import urlsplit

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.errors import SlackRefused
from bot.settings import Settings
from bot.slack.packing import unsteered
from bot.slack.refusals import AGAIN, UNCERTAIN, what_to_do
from bot.slack.response_checks import fault_of, is_refusal
from storage.outbox import MOST_WAIT

# Two of these fit into the time after which whoever makes a call counts as dead: connecting, and waiting for an answer.
CALL_SECONDS = 20
RATE_LIMITED = 429

# The SDK's own lines would tell twice of each call that fails, and show what came instead of an answer.
_SILENT = logging.getLogger(f"{__name__}.sdk")
_SILENT.setLevel(logging.CRITICAL)


class AnswerNotUnderstood(SlackClientError):
    """What came as an answer is none of Slack's. Whether the call was carried out is not known."""

    def __init__(self, method: str, fault: str) -> None:
        super().__init__(f"Slack's answer to {method} is not understood: {fault}")


class Client(WebClient):
    """The SDK's, whose calls raise SlackApiError where Slack refuses, AnswerNotUnderstood, or OSError or HTTPException
    where no answer came. What they return holds what answers.py says."""

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
        if is_refusal(_data_of(error)) or status == RATE_LIMITED:
            raise
        raise AnswerNotUnderstood(method, f"no JSON object of Slack's, with status {status}") from error
    # Of bytes that are no UTF-8 or no JSON, of a character set that nobody knows, of a list where an object should be.
    except (ValueError, LookupError, AttributeError, RecursionError) as error:
        raise AnswerNotUnderstood(method, f"no JSON object ({type(error).__name__})") from error


def _checked(method: str, answer: SlackResponse | AsyncSlackResponse) -> SlackResponse | AsyncSlackResponse:
    if fault := fault_of(method, answer.data):
        raise AnswerNotUnderstood(method, fault)
    return answer


def code_of(error: SlackApiError) -> str:
    """Slack's word for why it refused."""
    data = _data_of(error)
    if is_refusal(data):
        return str(data["error"])
    return "ratelimited" if status_of(error) == RATE_LIMITED else "unknown_error"


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


def _data_of(error: SlackApiError) -> Any:
    response = error.response
    return getattr(response, "data", response)


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
    except SlackApiError as error:
        code = code_of(error)
        if code in AGAIN or code in UNCERTAIN:
            raise SlackRefused(code, f"Slack does not answer at {client.base_url} ({code}): try again later") from error
        raise SlackRefused(code, f"Slack refused SLACK_BOT_TOKEN ({code}): {what_to_do(code)}") from error
    except AnswerNotUnderstood as error:
        raise SlackRefused("not_understood", f"{error}: check SLACK_API_URL, or try again later") from error
    except (OSError, HTTPException, SlackClientError) as error:
        where = f"{client.base_url} ({reason_of(error)})"
        raise SlackRefused(
            "unreachable", f"Slack cannot be reached at {where}: check SLACK_API_URL and the network"
        ) from error


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
