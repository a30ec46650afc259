"""Users of Slack → the authors they are in git, their zones, what they may see; channels → who reads them.

Who is in the workspace is read once a day and kept in the database, for all processes; whom that lacks is looked up
when they ask.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, cast

from slack_sdk import WebClient

from bot.ask.people.proven import Proven, proven
from bot.errors import AlmanacError
from bot.model import Person, Repository
from bot.month.addresses import plain
from bot.settings import Settings
from bot.slack.audience import NOBODY, AccessRules, Place, Reader, Sight, Standing, sight
from bot.slack.channels import Channels
from bot.slack.client import posting_client
from bot.slack.lookups import TROUBLE, Failed, LookupCache, Lookups, lookup_client
from bot.slack.rules import rules_of
from storage import Store
from storage.people import SlackUser

log = logging.getLogger(__name__)

READ_EVERY = timedelta(days=1)
BELIEVED_FOR = 2 * READ_EVERY  # where reading fails for longer, each user is looked up again
MOST_LOOKED_UP = 20  # of the members of one channel
SLACKBOT = "USLACKBOT"
NOBODY_HERE = frozenset({"user_not_found", "users_not_found", "user_not_visible"})


class Members:
    """Who is who in a workspace. Its methods block for a moment, never raise because of Slack, and any thread may call
    them."""

    def __init__(self, client: WebClient, settings: Settings, store: Store, team: str) -> None:
        self._slack = Lookups(client)
        self._settings = settings
        self._store = store
        self._team = team
        self._links = store.slack_links
        self._stopped = threading.Event()
        self._reading = threading.Lock()
        self._users = LookupCache[SlackUser]("users.info")
        self._groups = LookupCache[Mapping[str, frozenset[str]]]("usergroups.list")
        self._places = Channels(self._slack, self._standings)
        self._ruled: tuple[object, AccessRules] | None = None
        if team:  # else it is not known of which they are
            store.slack_users.belong_to(team)

    @classmethod
    def of(cls, settings: Settings, store: Store, team: str) -> Members:
        """The members of the workspace `team` that the bot's token is for. Raises SlackRefused without a token."""
        return cls(lookup_client(posting_client(settings)), settings, store, team)

    def rules(self, indexed: Sequence[Repository] | None = None) -> AccessRules:
        """The rules as of now: which repositories there are may change."""
        indexed = self._store.commits.repositories() if indexed is None else indexed
        known = [(one.name, one.location, one.tip, one.audience) for one in indexed]
        if self._ruled is None or self._ruled[0] != known:
            self._ruled = known, rules_of(self._settings, indexed)
        return self._ruled[1]

    # who

    def member(self, user: str) -> SlackUser:
        """What Slack says of a user. Where it says nothing just now, their standing is unknown."""
        row = self._store.slack_users.user(user)
        if row and self._settings.now() - row.seen_at < BELIEVED_FOR:
            return row
        found = self._looked_up([user])[user]
        if not isinstance(found, Failed):
            return found
        standing: Standing = "stranger" if is_nowhere(found) else "unknown"
        return replace(row, standing=standing) if row else SlackUser(user, standing=standing)

    def everyone(self) -> list[SlackUser]:
        """All who are known of the workspace, those who are gone too, by name."""
        return self._store.slack_users.everyone()

    def person(self, user: str, people: Sequence[Person]) -> Person | None:
        """The author a user is shown as: by the id in almanac.toml, by what was said by hand, by the address of their
        profile, or by a full name that is one person's. Somebody who left the workspace stays who they were. It gives
        them no right: that is for `proven` to say."""
        return self.person_of(self.member(user), people)

    def person_of(self, member: SlackUser, people: Sequence[Person]) -> Person | None:
        """The same of somebody of whom it is known what Slack says."""
        user = member.id
        if table := next((one for one in people if one.slack == user), None):
            return table
        theirs, not_theirs = self._links.of(user, confirmed_only=self._settings.privacy.claims_wait)
        if linked := next((one for one in people if not theirs.isdisjoint(one.addresses)), None):
            return linked
        if member.standing == "stranger":  # nor does their name tell anything
            return None
        proved = member.proved_address
        if proved and proved not in not_theirs and (found := next((p for p in people if proved in p.addresses), None)):
            return found
        wanted = plain(member.name)
        named = [one for one in people if plain(one.name) == wanted] if " " in wanted else []
        return named[0] if len(named) == 1 and not_theirs.isdisjoint(named[0].addresses) else None

    def proven(self, user: str) -> Proven:
        """Which addresses are proven to be a user's, on which rests what they may do."""
        return self._proven(self.member(user))

    def _proven(self, member: SlackUser) -> Proven:
        links = self._store.people_links.live()
        said = self._links.said_of(member.id)
        return proven(member.id, member.proved_address, self._settings.people, said, links)

    def reader(self, member: SlackUser, rules: AccessRules) -> Reader:
        """A user as one who asks; as whom of the index they are shown is for `person_of` to say."""
        groups = self._user_groups() if rules.name_groups else {}
        theirs = () if isinstance(groups, Failed) else (name for name in groups if member.id in groups[name])
        channels = self._places.of(member.id, rules.listed)
        standing: Standing = "gone" if member.deleted else cast(Standing, member.standing)
        return Reader(member.id, self._proven(member), None, frozenset(theirs), channels, standing)

    # where

    def place(self, channel: str, rules: AccessRules | None = None) -> Place:
        """A channel, by its id, as a place that something is read in."""
        return self._places.place(channel, rules or self.rules())

    def place_named(self, channel: str) -> Place:
        """A channel as settings name it, by name or id. To find a name takes a list of all channels now and then."""
        return self._places.named(channel, self.rules())

    def seen_in(self, channel: str) -> tuple[Place, Sight]:
        """A channel, by name or id, and what may be shown there where nobody asks: in a digest."""
        rules = self.rules()
        place = self._places.named(channel, rules)
        return place, sight(NOBODY, place, rules)

    def is_in(self, user: str, channel: str) -> bool:
        """Whether a user is in a channel, by its id; no where Slack does not say."""
        return self._places.is_in(user, channel)

    def may_know_of(self, user: str, place: Place) -> bool:
        """Whether a user may know that a channel is there, and read what is posted in it."""
        return place.kind == "public" or (bool(place.channel) and self.is_in(user, place.channel))

    # user groups

    def handles(self) -> list[str]:
        """The handles of all user groups, in order; none where Slack does not say."""
        groups = self._user_groups()
        return [] if isinstance(groups, Failed) else sorted(name[1:] for name in groups if name[:1] == "@" and name[1:])

    def in_group(self, group: str, people: Sequence[Person]) -> list[Person] | None:
        """The authors that the members of a user group are, by its handle or id; those who wrote nothing are not among
        them. None where there is no such group.

        Raises AlmanacError where Slack does not say.
        """
        groups = self._user_groups()
        if isinstance(groups, Failed):
            raise AlmanacError(f"user groups cannot be read ({groups.code}): give the app usergroups:read")
        users = groups.get(group, groups.get(f"@{group.lstrip('@').casefold()}"))
        if users is None:
            return None
        found = [self.person(user, people) for user in sorted(users)]
        return list(dict.fromkeys(person for person in found if person))

    # once a day

    def refresh(self) -> None:
        """Read who is in the workspace, unless that was done within a day. Waits where Slack asks to, until `stop`."""
        if not self._reading.acquire(blocking=False):
            return
        try:
            now = self._settings.now()
            last = self._store.slack_users.listed_at()
            if last is None or now - last >= READ_EVERY:
                users = [self._member(one) for one in self._slack.users(self._stopped.wait) if one.get("id")]
                self._store.slack_users.keep(users, workspace=self._team, whole=now)
                log.info("%d users of the workspace read", len(users))
        except TROUBLE as error:
            if not self._stopped.is_set():
                log.warning("the users of the workspace could not be read, so they are looked up one by one: %s", error)
        finally:
            self._reading.release()

    def stop(self) -> None:
        """Have `refresh` end."""
        self._stopped.set()

    def troubles(self) -> list[str]:
        """What of the rules cannot be held against Slack, and what to do; a sentence each."""
        rules, found = self.rules(), list[str]()
        anybody = self._looked_up([SLACKBOT])[SLACKBOT]  # everywhere the same
        if isinstance(anybody, Failed) and not is_nowhere(anybody):
            found.append(f"users cannot be read ({anybody.code}), so nobody gets an answer: give the app users:read")
        if rules.name_groups:
            groups = self._user_groups()
            if isinstance(groups, Failed):
                found.append(
                    f"user groups cannot be read ({groups.code}), so they match nobody: give the app usergroups:read"
                )
        return found + self._places.troubles(rules)

    def _standings(self, users: Collection[str]) -> dict[str, Standing]:
        """The standing of each user; those of whom it is not known are missing, as are all that would have to be looked
        up if they are many."""
        since = self._settings.now() - BELIEVED_FOR
        rows = self._store.slack_users.users(sorted(users))
        known = {one: cast(Standing, row.standing) for one, row in rows.items() if row.seen_at > since}
        missing = sorted(set(users) - known.keys())
        if len(missing) <= MOST_LOOKED_UP:
            found = self._looked_up(missing)
            known |= {
                one: cast(Standing, member.standing) for one, member in found.items() if not isinstance(member, Failed)
            }
            known |= {one: "stranger" for one, member in found.items() if is_nowhere(member)}
        return {one: standing for one, standing in known.items() if standing != "unknown"}

    def _looked_up(self, users: Sequence[str]) -> dict[str, SlackUser | Failed]:
        """What Slack says of users when it is asked, each kept."""
        found = {one: self._users.get(one, partial(self._asked, one)) for one in users}
        rows = [replace(one, seen_at=self._settings.now()) for one in found.values() if not isinstance(one, Failed)]
        if rows:
            self._store.slack_users.keep(rows, workspace=self._team)
        return found

    def _asked(self, user: str) -> SlackUser:
        return self._member(self._slack.user(user))

    def _member(self, user: Mapping[str, Any]) -> SlackUser:
        """What Slack's object of a user says."""
        profile = user.get("profile") or {}
        return SlackUser(
            str(user.get("id") or ""),
            name=str(profile.get("real_name") or user.get("real_name") or ""),
            address=str(profile.get("email") or "").lower(),
            zone=str(user.get("tz") or ""),
            standing=standing_of(user, self._team),
            deleted=bool(user.get("deleted") or user.get("is_bot") or user.get("id") == SLACKBOT),
            seen_at=self._settings.now(),
        )

    def _user_groups(self) -> Mapping[str, frozenset[str]] | Failed:
        return self._groups.get("", self._slack.groups)


def is_nowhere(found: SlackUser | Failed) -> bool:
    """Whether Slack says that there is no such user."""
    return isinstance(found, Failed) and found.code in NOBODY_HERE


def standing_of(user: Mapping[str, Any], team: str) -> Standing:
    """A user's standing in the workspace `team`, by Slack's object of them."""
    teams = (user.get("enterprise_user") or {}).get("teams") or ()
    elsewhere = bool(team and user.get("team_id")) and user["team_id"] != team and team not in teams
    if user.get("is_stranger") or elsewhere:
        return "stranger"
    return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else "member"
