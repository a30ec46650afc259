"""What Slack says when it is asked who somebody is and who reads a channel, and how long that is believed.

A look-up never holds up an answer for long: it is not repeated when Slack asks to wait, and one that failed counts
as failed for a minute, so that not every question waits for it anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack.client import Client, asked_to_wait, code_of

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_SECONDS = 600.0
FAILED_SECONDS = 60.0
LOOKUP_SECONDS = 10  # an answer waits for them
USERS_A_PAGE = 200  # https://docs.slack.dev/reference/methods/users.list
A_PAGE = 999  # of channels and their members; https://docs.slack.dev/reference/methods/conversations.list
MOST_PAGES = 20  # of a channel's members; who reads a larger one is not known
TROUBLE = (SlackApiError, SlackClientError, OSError, HTTPException)


def lookup_client(client: WebClient) -> Client:
    """A client for the same workspace that gives up soon, and at once where Slack asks to wait."""
    return Client(
        token=client.token, base_url=client.base_url, timeout=LOOKUP_SECONDS, retry_handlers=[], proxy=client.proxy
    )


@dataclass(frozen=True, slots=True)
class Failed:
    """A look-up that Slack did not answer, with its word for why."""

    code: str


class LookupCache(Generic[T]):
    """What a look-up gave, for a while, by what was looked up. Threads that want the same wait for one look-up."""

    def __init__(self, method: str, seconds: float = KEPT_SECONDS) -> None:
        self._method = method
        self._seconds = seconds
        self._kept: dict[Hashable, tuple[float, T | Failed]] = {}
        self._locks: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, look_up: Callable[[], T]) -> T | Failed:
        with self._locks.setdefault(key, threading.Lock()):
            kept = self._kept.get(key)
            if kept:
                seconds = FAILED_SECONDS if isinstance(kept[1], Failed) else self._seconds
                if monotonic() - kept[0] < seconds:
                    return kept[1]
            found: T | Failed
            try:
                found = look_up()
            except TROUBLE as error:
                found = Failed(_word_for(error))
                self._warn(key, found, kept[1] if kept else None)
            self._kept[key] = (monotonic(), found)
            return found

    def forget(self, key: Hashable) -> None:
        """Look it up anew the next time."""
        self._kept.pop(key, None)

    def _warn(self, key: Hashable, found: Failed, before: T | Failed | None) -> None:
        if found != before:  # a scope that is missing is missing each time
            log.warning("%s%s failed: %s", self._method, f" for {key}" if key else "", found.code)


class Lookups:
    """Slack's answers as it gives them. Each method raises one of TROUBLE."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    def user(self, user: str) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self._client.users_info(user=user)["user"])

    def channel(self, channel: str) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self._client.conversations_info(channel=channel)["channel"])

    def members(self, channel: str) -> tuple[str, ...]:
        """The ids of everybody in a channel; SlackClientError for one with too many."""
        found: list[str] = []
        pages = _pages(lambda at: self._client.conversations_members(channel=channel, limit=A_PAGE, cursor=at))
        for number, page in enumerate(pages, 1):
            found += page["members"]
            if number == MOST_PAGES and _next(page):
                raise SlackClientError(f"{channel} has more than {MOST_PAGES * A_PAGE} members")
        return tuple(found)

    def groups(self) -> Mapping[str, frozenset[str]]:
        """The members of each user group, by its id and by its @handle."""
        found: dict[str, frozenset[str]] = {}
        for group in self._client.usergroups_list(include_users=True)["usergroups"]:
            users = frozenset[str](group.get("users") or ())
            found[group["id"]] = found[f"@{(group.get('handle') or '').casefold()}"] = users
        return found

    def channels(self) -> Mapping[str, str]:
        """The ids of all channels that the bot can see, by name. Without leave for private ones, the public ones."""
        try:
            return self._channels("public_channel,private_channel")
        except SlackApiError as error:
            if code_of(error) != "missing_scope":
                raise
            return self._channels("public_channel")

    def users(self, wait: Callable[[float], bool]) -> list[Mapping[str, Any]]:
        """Everybody in the workspace, page by page. Where Slack asks to wait, `wait` does so, and says whether to give
        up instead."""

        def page(at: str | None) -> Any:
            while True:
                try:
                    return self._client.users_list(limit=USERS_A_PAGE, cursor=at)
                except SlackApiError as error:
                    seconds = asked_to_wait(error)
                    if not seconds or wait(seconds):
                        raise

        return [user for answer in _pages(page) for user in answer["members"]]

    def _channels(self, types: str) -> Mapping[str, str]:
        pages = _pages(lambda at: self._client.conversations_list(types=types, limit=A_PAGE, cursor=at))
        every = [one for page in pages for one in page["channels"] if one.get("name")]
        return {one["name"].casefold(): one["id"] for one in every if not one.get("is_archived")}


def _word_for(error: Exception) -> str:
    if isinstance(error, SlackApiError):
        return code_of(error)
    return str(error) if isinstance(error, SlackClientError) else type(error).__name__


def _pages(page: Callable[[str | None], Any]) -> Iterator[Any]:
    """Every page, each asked for by the cursor of the one before."""
    at: str | None = None
    while at != "":
        answer = page(at)
        yield answer
        at = _next(answer)


def _next(page: Any) -> str:
    return str((page.get("response_metadata") or {}).get("next_cursor") or "")
