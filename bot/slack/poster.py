"""The one sender: what is posted goes through the outbox, so that each post is made once.

A row is written before the call and settled after it. Where the answer to a call is lost, nobody knows
whether Slack took the message; the row is then `unknown`, it is not sent again, and this is said.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from http.client import HTTPException
from typing import Any, Literal, cast
from urllib.error import HTTPError, URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.errors import SlackRefused
from bot.settings import Settings
from bot.slack.refusals import AGAIN, CONTENT, UNCERTAIN, what_to_do
from storage.outbox import Outbox, Post

log = logging.getLogger(__name__)

CALL_SECONDS = 30
# No call lasts this long, waiting out rate limits included: a row that is being sent for longer lost its sender.
LOST_AFTER = timedelta(minutes=10)
EVENT_TYPE = "almanac_post"

Outcome = Literal["sent", "planned", "failed", "unknown"]


def posting_client(settings: Settings) -> WebClient:
    """A client that never sends twice.

    Slack's own retry for lost connections repeats a POST that may have been carried out; only "rate
    limited", which says that nothing was done, is tried again. Raises SlackRefused without a token.
    """
    if settings.bot_token is None:
        raise SlackRefused("not_authed", "SLACK_BOT_TOKEN is not set: copy the bot token (xoxb-…) from your Slack app")
    return WebClient(
        token=settings.bot_token.get_secret_value(),
        base_url=settings.slack_api.rstrip("/") + "/",
        timeout=CALL_SECONDS,
        retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=3)],
    )


def identity(client: WebClient) -> Mapping[str, Any]:
    """Slack's answer to who the token is. Raises SlackRefused where Slack refuses it or is not there."""
    try:
        return cast(Mapping[str, Any], client.auth_test().data)
    except SlackApiError as error:
        code = code_of(error)
        if code in AGAIN or code in UNCERTAIN or code == "unknown_error":
            raise SlackRefused(code, f"Slack does not answer at {client.base_url} ({code}): try again later") from error
        raise SlackRefused(code, f"Slack refused SLACK_BOT_TOKEN ({code}): {what_to_do(code)}") from error
    except (OSError, HTTPException, SlackClientError) as error:
        raise SlackRefused(
            "unreachable", f"Slack cannot be reached at {client.base_url} ({_reason(error)}): check SLACK_API_URL and "
            f"the network",
        ) from error  # fmt: skip


def workspace_of(client: WebClient) -> str:
    """The id of the workspace the token belongs to. Raises SlackRefused as `identity` does."""
    return str(identity(client).get("team_id") or "")


class Poster:
    """Sends posts from the outbox. Any number of threads and processes may share one outbox."""

    def __init__(self, client: WebClient, outbox: Outbox, now: Callable[[], datetime]) -> None:
        self._client = client
        self._outbox = outbox
        self._now = now

    def plan(self, posts: Sequence[Post]) -> bool:
        """Write posts down, all or none. False if the first of them was written down before."""
        return self._outbox.plan(posts, self._now())

    def send(self, keys: Sequence[str]) -> dict[str, str]:
        """Send those of the posts that wait to be sent, in order, and return the state of each.

        A post that answers another waits until that one is sent, so a thread never comes before its root.
        """
        states: dict[str, str] = {}
        for key in keys:
            states[key] = self._send(key)
        return states

    def send_waiting(self) -> None:
        """Send what an earlier process wrote down and did not get to, and give up on what it lost."""
        for key in self._outbox.give_up_on_lost(self._now(), LOST_AFTER):
            log.warning("%s: not known whether Slack got it; it is not sent again", key)
        self.send([post.key for post in self._outbox.planned()])

    def _send(self, key: str) -> str:
        post = self._outbox.get(key)
        if post is None or post.state != "planned":
            return post.state if post else "failed"
        thread_ts = post.thread_ts
        if post.thread_key:
            root = self._outbox.get(post.thread_key)
            if root is None or root.state in ("failed", "unknown"):
                self._outbox.settle(key, "failed", self._now(), error="the message it answers was not sent")
                return "failed"
            if root.state != "sent":
                return "planned"
            thread_ts = root.ts
        if not self._outbox.claim(key, self._now()):
            return "sending"  # by another process, at this moment
        state, ts, error = self._call(post, thread_ts)
        self._outbox.settle(key, state, self._now(), ts=ts, error=error)
        if error:
            log.warning("%s: %s: %s", key, state, error)
        return state

    def _call(self, post: Post, thread_ts: str | None) -> tuple[Outcome, str | None, str | None]:
        arguments: dict[str, Any] = {
            "channel": post.channel,
            **post.payload,
            "unfurl_links": False,
            "unfurl_media": False,
            # By this a lost message can be recognised in the channel's history.
            "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": post.key}},
        }
        if thread_ts:
            arguments["thread_ts"] = thread_ts
        return self._post(post.key, arguments)

    def _post(self, key: str, arguments: Mapping[str, Any]) -> tuple[Outcome, str | None, str | None]:
        try:
            return "sent", str(self._client.chat_postMessage(**arguments)["ts"]), None
        except SlackApiError as error:
            code = code_of(error)
            if code in CONTENT and "blocks" in arguments:
                # Our own mistake must not cost the reader the message: its text says all of it.
                log.error("%s: Slack refused the blocks (%s): %s", key, code, error.response.data)
                return self._post(key, {name: value for name, value in arguments.items() if name != "blocks"})
            return _outcome(error), None, f"{code}: {what_to_do(code)}"
        except (OSError, HTTPException, SlackClientError) as error:
            return _lost(error)


def code_of(error: SlackApiError) -> str:
    """Slack's word for what went wrong; "unknown_error" where its answer holds none."""
    response = error.response
    data = response.data if hasattr(response, "data") else response
    code = str(data.get("error")) if isinstance(data, dict) else ""
    # An answer that is no JSON becomes an error text in the SDK; it says nothing of what was done.
    return code if re.fullmatch(r"[a-z_]+", code) else "unknown_error"


def _outcome(error: SlackApiError) -> Outcome:
    code = code_of(error)
    status = getattr(error.response, "status_code", 200)
    if code in AGAIN or status == 429:
        return "planned"
    if code in UNCERTAIN or status >= 500 or code == "unknown_error":
        return "unknown"
    return "failed"


def _lost(error: Exception) -> tuple[Outcome, str | None, str | None]:
    """What became of a call that was never answered."""
    inner = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    if isinstance(inner, ConnectionRefusedError) or type(inner).__name__ == "gaierror":
        return "planned", None, f"Slack cannot be reached ({_reason(error)}); it is tried again"
    return "unknown", None, f"the answer was lost ({_reason(error)}): look whether it is in the channel"


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or error) or type(error).__name__
