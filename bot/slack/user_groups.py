"""User groups of Slack → the people of the index who are in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.errors import AlmanacError
from bot.model import Person
from bot.settings import Settings
from bot.slack.client import posting_client
from bot.slack.lookups import Failed, LookupCache, Lookups, lookup_client
from bot.slack.members import Members


class UserGroups:
    """Who is in which user group, as Slack says it; believed for ten minutes."""

    def __init__(self, slack: Lookups, members: Members) -> None:
        self._slack = slack
        self._members = members
        self._groups = LookupCache[Mapping[str, frozenset[str]]]("usergroups.list")

    @classmethod
    def of(cls, settings: Settings, members: Members) -> UserGroups:
        return cls(Lookups(lookup_client(posting_client(settings))), members)

    def users(self, group: str) -> frozenset[str] | None:
        """The ids of a group's members, by its handle or id; None where there is no such group.

        Raises AlmanacError where Slack does not say.
        """
        groups = self._groups.get("", self._slack.groups)
        if isinstance(groups, Failed):
            raise AlmanacError(f"user groups cannot be read ({groups.code}): give the app usergroups:read")
        return groups.get(group, groups.get(f"@{group.lstrip('@').casefold()}"))

    def handles(self) -> list[str]:
        """The handles of all groups, in order; none where Slack does not say."""
        groups = self._groups.get("", self._slack.groups)
        return [] if isinstance(groups, Failed) else sorted(name[1:] for name in groups if name[:1] == "@" and name[1:])

    def people(self, group: str, people: Sequence[Person]) -> list[Person] | None:
        """The authors that a group's members are; those who wrote nothing are not among them. None and AlmanacError as
        for `users`."""
        users = self.users(group)
        if users is None:
            return None
        found = [self._members.person(user, people) for user in sorted(users)]
        return list(dict.fromkeys(person for person in found if person))
