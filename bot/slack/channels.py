"""Channels → the places that something is read in: what they are called, and whether all who read there are members."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from slack_sdk.errors import SlackClientError

from bot.slack.audience import HOME, AccessRules, Kind, Place, Standing, channel_of, is_id
from bot.slack.lookups import Failed, LookupCache, Lookups

NAMES_SECONDS = 3600.0

Standings = Callable[[Collection[str]], Mapping[str, Standing]]


class Channels:
    """The channels of a workspace. `standings` says of users who they are there, of as many as is known."""

    def __init__(self, slack: Lookups, standings: Standings) -> None:
        self._slack = slack
        self._standings = standings
        self._channels = LookupCache[Mapping[str, Any]]("conversations.info")
        self._members = LookupCache[frozenset[str]]("conversations.members")
        self._outsiders = LookupCache[frozenset[Standing]]("who reads")
        self._ids = LookupCache[Mapping[str, str]]("conversations.list", NAMES_SECONDS)

    def place(self, channel: str, rules: AccessRules) -> Place:
        """The channel with an id. Who reads it is only looked at as far as the rules ask for it."""
        if not channel:
            return HOME
        found = self._channels.get(channel, lambda: self._slack.channel(channel))
        if isinstance(found, Failed):
            return Place(channel, shared=None, guests=None)
        if found.get("is_im"):
            return self._direct(channel, str(found.get("user") or ""))
        kind: Kind = "group" if found.get("is_mpim") else "private" if found.get("is_private") else "public"
        name = "" if kind == "group" else str(found.get("name") or "")
        shared = bool(found.get("is_ext_shared") or found.get("is_org_shared"))
        if rules.guests or (shared and not rules.shared_channels):  # guests would change nothing
            return Place(channel, name, kind, shared, guests=None)
        outsiders = self._outsiders.get(channel, lambda: self._outsiders_in(channel))
        if isinstance(outsiders, Failed):
            return Place(channel, name, kind, shared, guests=None)
        return Place(channel, name, kind, shared or "stranger" in outsiders, "guest" in outsiders)

    def named(self, channel: str, rules: AccessRules) -> Place:
        """The channel that settings name, by name, by id, or by the id of the user whose direct messages it is."""
        if is_id(channel, "UW"):
            return self._direct(channel, channel)
        if is_id(channel):
            return self.place(channel, rules)
        name = channel.lstrip("#").casefold()
        ids = self._names()
        if isinstance(ids, Failed):
            return Place("", name, shared=None, guests=None)
        return self.place(ids[name], rules) if name in ids else Place("", name, "absent")

    def of(self, user: str, entries: Iterable[str]) -> frozenset[str]:
        """Those of the channels in entries of audiences that a user is in, as C… or #name."""
        return frozenset(one for entry in entries if (one := channel_of(entry)) and self._is_in(user, one))

    def is_in(self, user: str, channel: str) -> bool:
        """Whether a user is in a channel, by its id, of somebody who may have just joined; no where Slack does not
        say."""
        found = self._members_of(channel)
        if isinstance(found, Failed) or user in found:
            return not isinstance(found, Failed)
        self._members.forget(channel)
        return self._is_in(user, channel)

    def troubles(self, rules: AccessRules) -> list[str]:
        """Which channels of audiences are not to be found, and what to do; a sentence each."""
        wanted = sorted(entry for entry in rules.listed if entry.startswith("#"))
        ids = self._names() if wanted else {}
        if isinstance(ids, Failed):
            return [f"channels cannot be listed ({ids.code}): give the app channels:read and groups:read"]
        unseen = [entry for entry in wanted if entry[1:].casefold() not in ids]
        return [f"{entry} is no channel the bot can see: check `audience`, or invite the bot" for entry in unseen]

    def _names(self) -> Mapping[str, str] | Failed:
        return self._ids.get("", self._slack.channels)

    def _is_in(self, user: str, channel: str) -> bool:
        if channel.startswith("#"):
            ids = self._names()
            channel = "" if isinstance(ids, Failed) else ids.get(channel[1:], "")
        members = self._members_of(channel) if channel else frozenset[str]()
        return not isinstance(members, Failed) and user in members

    def _members_of(self, channel: str) -> frozenset[str] | Failed:
        return self._members.get(channel, lambda: frozenset(self._slack.members(channel)))

    def _outsiders_in(self, channel: str) -> frozenset[Standing]:
        """The standings of those in a channel who are no members; SlackClientError where it is not known of all."""
        members = self._members_of(channel)
        if isinstance(members, Failed):
            raise SlackClientError(members.code)
        standings = self._standings(members)
        found = frozenset(standings.values()) - {"member"}
        if unknown := len(members) - len(standings):
            raise SlackClientError(f"{unknown} of its members are not known yet")
        return found

    def _direct(self, channel: str, user: str) -> Place:
        standing = self._standings([user]).get(user) if user else None
        if standing is None:
            return Place(channel, kind="direct", shared=None, guests=None)
        return Place(channel, "", "direct", standing == "stranger", standing == "guest")
