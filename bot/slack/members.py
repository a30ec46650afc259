"""Slack users → the authors they are in git, and their time zones; channels → their names."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.model import Person
from bot.month.people import find

log = logging.getLogger(__name__)

REMEMBERED_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Member:
    """What Slack says of a user; empty where it says nothing."""

    id: str
    name: str = ""
    address: str = ""
    zone: str = ""


class Members:
    """Looks users up in Slack and keeps the answers for ten minutes."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._kept: dict[str, tuple[float, Member]] = {}
        self._channels: dict[str, tuple[float, str]] = {}

    def member(self, user: str) -> Member:
        """What Slack says of a user. A look-up that fails gives a Member with the id alone."""
        kept = self._kept.get(user)
        if kept and time.monotonic() - kept[0] < REMEMBERED_SECONDS:
            return kept[1]
        try:
            profile = self._client.users_info(user=user)["user"]
        except (SlackApiError, OSError, HTTPException, SlackClientError) as error:
            log.warning("users.info for %s failed: %s", user, error)
            return Member(user)
        details = profile.get("profile") or {}
        found = Member(
            user,
            name=str(details.get("real_name") or profile.get("real_name") or ""),
            address=str(details.get("email") or "").lower(),
            zone=str(profile.get("tz") or ""),
        )
        self._kept[user] = (time.monotonic(), found)
        return found

    def channel_name(self, channel: str) -> str:
        """The name of a channel; empty for a direct message, and where Slack does not say."""
        kept = self._channels.get(channel)
        if kept and time.monotonic() - kept[0] < REMEMBERED_SECONDS:
            return kept[1]
        try:
            name = str(self._client.conversations_info(channel=channel)["channel"].get("name") or "")
        except (SlackApiError, OSError, HTTPException, SlackClientError) as error:
            log.warning("conversations.info for %s failed: %s", channel, error)
            return ""
        self._channels[channel] = (time.monotonic(), name)
        return name

    def person(self, user: str, people: Sequence[Person]) -> Person | None:
        """The author a user is: by the id in almanac.toml, by address, or by a full name that is one person's."""
        linked = [person for person in people if person.slack == user]
        if linked:
            return linked[0]
        member = self.member(user)
        by_address = [person for person in people if member.address and member.address in person.addresses]
        if by_address:
            return by_address[0]
        wanted = " ".join(member.name.split()).casefold()
        if " " not in wanted:  # a bare first name is nobody's for sure
            return None
        named = [one for one in find(people, member.name).people if one.name.casefold() == wanted]
        return named[0] if len(named) == 1 else None

    def zone(self, user: str) -> ZoneInfo | None:
        """The time zone a user has set in Slack."""
        try:
            name = self.member(user).zone
            return ZoneInfo(name) if name else None
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return None
