"""Who is in which channel, as Slack says it; believed for ten minutes, but of somebody who has just joined."""

from __future__ import annotations

from bot.slack.audience import Place
from bot.slack.lookups import Failed, LookupCache, Lookups


class ChannelMembers:
    """Its methods block for a moment, never raise because of Slack, and any thread may call them."""

    def __init__(self, slack: Lookups) -> None:
        self._slack = slack
        self._members = LookupCache[frozenset[str]]("conversations.members")

    def is_in(self, user: str, channel: str) -> bool:
        """Whether a user is in a channel, by its id; no where Slack does not say."""
        if user in (found := self._of(channel)):
            return True
        if found:
            self._members.forget(channel)
        return user in self._of(channel)

    def may_know_of(self, user: str, place: Place) -> bool:
        """Whether a user may know that a channel is there, and read what is posted in it."""
        return place.kind == "public" or (bool(place.channel) and self.is_in(user, place.channel))

    def _of(self, channel: str) -> frozenset[str]:
        found = self._members.get(channel, lambda: frozenset(self._slack.members(channel)))
        return frozenset() if isinstance(found, Failed) else found
