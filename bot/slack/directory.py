"""Who is in the workspace: users of Slack → the authors they are in git, their zones, what they may see; channels → who
reads them.

All users are read once a day and kept in the database, for all processes; whom that lacks is looked up when they ask.
A look-up never holds up an answer for long: it is not repeated when Slack asks to wait, and one that failed counts as
failed for a minute, so that not every question waits for it anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any, TypeVar, cast

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.ask.people_directory import user_among
from bot.ask.proven import proven
from bot.errors import AlmanacError
from bot.model import Person, Repository
from bot.month.addresses import addresses_of, plain
from bot.settings import Settings
from bot.slack import audience
from bot.slack.audience import AccessRules, Place, Reader, Sight, Standing, is_id
from bot.slack.web_api import TROUBLE, Client, asked_to_wait, code_of, pages, posting_client
from storage import Store
from storage.people import NEVER, SlackUser

log = logging.getLogger(__name__)

T = TypeVar("T")

READ_EVERY = timedelta(days=1)
BELIEVED_FOR = 2 * READ_EVERY  # where reading fails for longer, each user is looked up again
KEPT_SECONDS = 600.0
NAMES_SECONDS = 3600.0  # for channels' names
FAILED_SECONDS = 60.0
LOOKUP_SECONDS = 10  # an answer waits for them
MOST_LOOKED_UP = 20  # of the members of one channel
USERS_A_PAGE = 200  # https://docs.slack.dev/reference/methods/users.list
A_PAGE = 999  # of channels and their members; https://docs.slack.dev/reference/methods/conversations.list
MOST_PAGES = 20  # of a channel's members; who reads a larger one is not known
SLACKBOT = "USLACKBOT"
NOBODY_HERE = frozenset({"user_not_found", "users_not_found", "user_not_visible"})


def lookup_client(client: WebClient) -> Client:
    """A client for the same workspace that gives up soon, and at once where Slack asks to wait."""
    known = {"token": client.token, "base_url": client.base_url, "proxy": client.proxy}
    return Client(**known, timeout=LOOKUP_SECONDS, retry_handlers=[])


@dataclass(frozen=True, slots=True)
class Failed:
    """A look-up that Slack did not answer, with its word for why."""

    code: str


class Lookups:
    """Slack's answers as it gives them. Each method raises one of TROUBLE."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    def user(self, user: str) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self._client.users_info(user=user)["user"])

    def users(self, wait: Callable[[float], bool]) -> list[Mapping[str, Any]]:
        """Everybody in the workspace. Where Slack asks to wait, `wait` does so, and says whether to give up instead."""

        def page(at: str | None) -> Any:
            while True:
                try:
                    return self._client.users_list(limit=USERS_A_PAGE, cursor=at)
                except SlackApiError as error:
                    seconds = asked_to_wait(error)
                    if not seconds or wait(seconds):
                        raise

        return [user for answer in pages(page) for user in answer["members"]]

    def channel(self, channel: str) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self._client.conversations_info(channel=channel)["channel"])

    def channels(self) -> Mapping[str, str]:
        """The ids of all channels that the bot can see, by name. Without leave for private ones, the public ones."""
        try:
            return self._channels("public_channel,private_channel")
        except SlackApiError as error:
            if code_of(error) != "missing_scope":
                raise
            return self._channels("public_channel")

    def _channels(self, types: str) -> Mapping[str, str]:
        answers = pages(lambda at: self._client.conversations_list(types=types, limit=A_PAGE, cursor=at))
        every = [one for answer in answers for one in answer["channels"] if one.get("name")]
        return {one["name"].casefold(): one["id"] for one in every if not one.get("is_archived")}

    def members(self, channel: str) -> frozenset[str]:
        """The ids of everybody in a channel; SlackClientError for one with too many."""
        found: list[str] = []
        answers = pages(lambda at: self._client.conversations_members(channel=channel, limit=A_PAGE, cursor=at))
        for number, answer in enumerate(answers):
            if number == MOST_PAGES:
                raise SlackClientError(f"{channel} has more than {MOST_PAGES * A_PAGE} members")
            found += answer["members"]
        return frozenset(found)

    def groups(self) -> Mapping[str, frozenset[str]]:
        """The members of each user group, by its id and by its @handle."""
        found: dict[str, frozenset[str]] = {}
        for group in self._client.usergroups_list(include_users=True)["usergroups"]:
            users = frozenset[str](group.get("users") or ())
            found[group["id"]] = found[f"@{(group.get('handle') or '').casefold()}"] = users
        return found


class Members:
    """Who is who in a workspace. Its methods block for a moment, never raise because of Slack, and any thread may call
    them."""

    def __init__(self, client: WebClient, settings: Settings, store: Store, team: str) -> None:
        self._slack = Lookups(client)
        self._settings = settings
        self._store = store
        self._team = team
        self._found: dict[tuple[str, str], tuple[float, Any]] = {}  # what Slack said last, by method and what was asked
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._stopped = threading.Event()
        self.vouched: SlackUser | None = None  # whom whoever runs the program says they are
        if team:  # else it is not known of which they are
            store.slack_users.belong_to(team)

    @classmethod
    def of(cls, settings: Settings, store: Store, team: str) -> Members:
        """The members of the workspace `team` that the bot's token is for. Raises SlackRefused without a token."""
        return cls(lookup_client(posting_client(settings)), settings, store, team)

    def rules(self, indexed: Sequence[Repository] | None = None) -> AccessRules:
        """The rules as of now: which repositories there are may change."""
        return audience.rules_of(self._settings, self._store.commits.repositories() if indexed is None else indexed)

    # who

    def member(self, user: str) -> SlackUser:
        """What Slack says of a user. Where it says nothing just now, their standing is unknown."""
        if self.vouched and user == self.vouched.id:
            return self.vouched
        row = self._store.slack_users.users([user]).get(user)
        if row and self._settings.now() - row.seen_at < BELIEVED_FOR:
            return row
        found = self._looked_up([user])[user]
        return replace(row, standing=found.standing) if row and found.seen_at == NEVER else found

    def person_of(self, member: SlackUser, people: Sequence[Person]) -> Person | None:
        """The author a user is shown as: by the id in almanac.toml, by what was said by hand, by the address of their
        profile, or by a full name that is one person's. Somebody who left the workspace stays who they were. It gives
        them no right: that is for a reader's `proven` to say."""
        said, wait = self._store.said.live("slack"), self._settings.privacy.claims_wait
        found = user_among(people, member.id, member.proved_address, said, confirmed_only=wait)
        if found or member.standing == "stranger":  # whose name tells nothing either
            return found
        wanted, (_, not_theirs) = plain(member.name), addresses_of(member.id, said, confirmed_only=wait)
        named = [one for one in people if plain(one.name) == wanted] if " " in wanted else []
        return named[0] if len(named) == 1 and not_theirs.isdisjoint(named[0].addresses) else None

    def reader(self, member: SlackUser, rules: AccessRules) -> Reader:
        """A user as one who asks; as whom of the index they are shown is for `person_of` to say."""
        groups = self._groups() if rules.name_groups else {}
        theirs = () if isinstance(groups, Failed) else (name for name in groups if member.id in groups[name])
        wanted = filter(None, map(audience.channel_of, rules.listed))
        channels = frozenset(one for one in wanted if self._has(one, member.id))
        standing: Standing = "gone" if member.deleted else cast(Standing, member.standing)
        links, said = self._store.said.live("address"), self._store.said.live("slack")
        rights = proven(member.id, member.proved_address, self._settings.people, said, links)
        return Reader(member.id, rights, None, frozenset(theirs), channels, standing)

    def admins(self) -> list[str]:
        """The ids of those whom `admins` of almanac.toml names."""
        entries = self._settings.privacy.admins
        found = [entry for entry in entries if is_id(entry, "UW")]
        if len(found) < len(entries):
            rules = self.rules()
            every = [self.member(one.id) for one in self._store.slack_users.everyone() if not one.deleted]
            found += [one.id for one in every if audience.is_admin(self.reader(one, rules), rules)]
        return list(dict.fromkeys(found))

    def handles(self) -> list[str]:
        """The handles of all user groups, in order; none where Slack does not say."""
        groups = self._groups()
        return [] if isinstance(groups, Failed) else sorted(name[1:] for name in groups if name[:1] == "@" and name[1:])

    def in_group(self, group: str, people: Sequence[Person]) -> list[Person] | None:
        """The authors that the members of a user group are, by its handle or id; those who wrote nothing are not among
        them. None where there is no such group.

        Raises AlmanacError where Slack does not say.
        """
        groups = self._groups()
        if isinstance(groups, Failed):
            raise AlmanacError(f"user groups cannot be read ({groups.code}): give the app usergroups:read")
        users = groups.get(group, groups.get(f"@{group.lstrip('@').casefold()}"))
        if users is None:
            return None
        found = [self.person_of(self.member(user), people) for user in sorted(users)]
        return list(dict.fromkeys(person for person in found if person))

    # where

    def place(self, channel: str, rules: AccessRules | None = None) -> Place:
        """A channel, by its id, as a place that something is read in. Who reads it is only looked at as far as the
        rules ask for it."""
        if not channel:
            return audience.HOME
        found = self._kept("conversations.info", channel, lambda: self._slack.channel(channel))
        if isinstance(found, Failed):
            return Place(channel, shared=None, guests=None)
        if found.get("is_im"):
            return self._direct(channel, str(found.get("user") or ""))
        rules = rules or self.rules()
        kind: audience.Kind = "group" if found.get("is_mpim") else "private" if found.get("is_private") else "public"
        name = "" if kind == "group" else str(found.get("name") or "")
        shared = bool(found.get("is_ext_shared") or found.get("is_org_shared"))
        is_settled = rules.guests or (shared and not rules.shared_channels)  # guests would change nothing
        outsiders = None if is_settled else self._kept("who reads", channel, lambda: self._outsiders_in(channel))
        if outsiders is None or isinstance(outsiders, Failed):
            return Place(channel, name, kind, shared, guests=None)
        return Place(channel, name, kind, shared or "stranger" in outsiders, "guest" in outsiders)

    def place_named(self, channel: str, rules: AccessRules | None = None) -> Place:
        """The channel that settings name, by name, by id, or by the id of the user whose direct messages it is. To find
        a name takes a list of all channels now and then."""
        if is_id(channel, "UW"):
            return self._direct(channel, channel)
        if is_id(channel):
            return self.place(channel, rules)
        name, ids = channel.lstrip("#").casefold(), self._names()
        if isinstance(ids, Failed):
            return Place("", name, shared=None, guests=None)
        return self.place(ids[name], rules) if name in ids else Place("", name, "absent")

    def id_of(self, channel: str) -> str:
        """The id of a channel that settings name; where Slack does not tell it, as they name it."""
        return self.place_named(channel).channel or channel

    def seen_in(self, channel: str) -> tuple[Place, Sight]:
        """A channel, by name or id, and what may be shown there where nobody asks: in a digest."""
        rules = self.rules()
        place = self.place_named(channel, rules)
        return place, audience.sight(audience.NOBODY, place, rules)

    def is_in(self, user: str, channel: str) -> bool:
        """Whether a user, who may have just joined, is in a channel, by its id; no where Slack does not say."""
        if not self._has(channel, user) and not isinstance(self._members_of(channel), Failed):
            self._found.pop(("conversations.members", channel), None)
        return self._has(channel, user)

    def may_know_of(self, user: str, place: Place) -> bool:
        """Whether a user may know that a channel is there, and read what is posted in it."""
        return place.kind == "public" or (bool(place.channel) and self.is_in(user, place.channel))

    # once a day

    def refresh(self) -> None:
        """Read who is in the workspace, unless that was done within a day. Waits where Slack asks to, until `stop`."""
        now, last = self._settings.now(), self._store.slack_users.listed_at()
        if last and now - last < READ_EVERY:
            return
        try:
            users = [self._member(one) for one in self._slack.users(self._stopped.wait) if one.get("id")]
            self._store.slack_users.keep(users, workspace=self._team, whole=now)
            log.info("%d users of the workspace read", len(users))
        except TROUBLE as error:
            if not self._stopped.is_set():
                log.warning("the users of the workspace could not be read, so they are looked up one by one: %s", error)

    def stop(self) -> None:
        """Have `refresh` end."""
        self._stopped.set()

    # what Slack says

    def _kept(self, method: str, key: str, look_up: Callable[[], T], seconds: float = KEPT_SECONDS) -> T | Failed:
        """What a look-up gave, kept for a while. Threads that want the same wait for one look-up."""
        with self._locks.setdefault((method, key), threading.Lock()):
            at, before = self._found.get((method, key), (float("-inf"), None))
            if monotonic() - at < (FAILED_SECONDS if isinstance(before, Failed) else seconds):
                return cast("T | Failed", before)
            found: T | Failed
            try:
                found = look_up()
            except TROUBLE as error:
                word = str(error) if isinstance(error, SlackClientError) else type(error).__name__
                found = Failed(code_of(error) if isinstance(error, SlackApiError) else word)
                if found != before:  # a scope that is missing is missing each time
                    log.warning("%s%s failed: %s", method, f" for {key}" if key else "", found.code)
            self._found[method, key] = (monotonic(), found)
            return found

    def _groups(self) -> Mapping[str, frozenset[str]] | Failed:
        return self._kept("usergroups.list", "", self._slack.groups)

    def _names(self) -> Mapping[str, str] | Failed:
        return self._kept("conversations.list", "", self._slack.channels, NAMES_SECONDS)

    def _members_of(self, channel: str) -> frozenset[str] | Failed:
        return self._kept("conversations.members", channel, lambda: self._slack.members(channel))

    def _has(self, channel: str, user: str) -> bool:
        if channel.startswith("#"):
            ids = self._names()
            channel = "" if isinstance(ids, Failed) else ids.get(channel[1:], "")
        members = self._members_of(channel) if channel else frozenset[str]()
        return not isinstance(members, Failed) and user in members

    def _direct(self, channel: str, user: str) -> Place:
        standing = self._standings([user]).get(user) if user else None
        if standing is None:
            return Place(channel, kind="direct", shared=None, guests=None)
        return Place(channel, "", "direct", standing == "stranger", standing == "guest")

    def _outsiders_in(self, channel: str) -> frozenset[Standing]:
        """The standing of those in a channel who are no members; SlackClientError where it is not known of all."""
        members = self._members_of(channel)
        if isinstance(members, Failed):
            raise SlackClientError(members.code)
        standings = self._standings(members)
        if unknown := len(members) - len(standings):
            raise SlackClientError(f"{unknown} of its members are not known yet")
        return frozenset(standings.values()) - {"member"}

    def _standings(self, users: Collection[str]) -> dict[str, Standing]:
        """The standing of each user; those of whom it is not known are missing, as are all that would have to be looked
        up if they are many."""
        since = self._settings.now() - BELIEVED_FOR
        rows = self._store.slack_users.users(sorted(users))
        found = {one: row for one, row in rows.items() if row.seen_at > since}
        missing = sorted(set(users) - found.keys())
        if len(missing) <= MOST_LOOKED_UP:
            found |= self._looked_up(missing)
        return {user: cast(Standing, one.standing) for user, one in found.items() if one.standing != "unknown"}

    def _looked_up(self, users: Iterable[str]) -> dict[str, SlackUser]:
        """What Slack says of users when it is asked, each kept; of whom it says nothing just now, with no more than a
        standing."""
        found = dict[str, SlackUser]()
        for one in users:
            said = self._kept("users.info", one, partial(self._slack.user, one))
            if isinstance(said, Failed):
                found[one] = SlackUser(one, standing="stranger" if said.code in NOBODY_HERE else "unknown")
            else:
                found[one] = self._member(said)
        if rows := [one for one in found.values() if one.seen_at != NEVER]:
            self._store.slack_users.keep(rows, workspace=self._team)
        return found

    def _member(self, user: Mapping[str, Any]) -> SlackUser:
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


def standing_of(user: Mapping[str, Any], team: str) -> Standing:
    """A user's standing in the workspace `team`, by Slack's object of them."""
    teams = (user.get("enterprise_user") or {}).get("teams") or ()
    elsewhere = bool(team and user.get("team_id")) and user["team_id"] != team and team not in teams
    if user.get("is_stranger") or elsewhere:
        return "stranger"
    return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else "member"
