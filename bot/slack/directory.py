"""What Slack says when it is asked who somebody is and who reads a channel, and how long that is believed.

A look-up never holds up an answer for long: it is not repeated when Slack asks to wait, and one that failed counts
as failed for a minute, so that not every question waits for it anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.ask.people.proven import Proven, proven
from bot.errors import AlmanacError
from bot.model import Person, Repository
from bot.month.addresses import plain
from bot.month.hand_links import addresses_of
from bot.settings import Settings
from bot.slack.audience import (
    HOME,
    NOBODY,
    AccessRules,
    Kind,
    Place,
    Reader,
    Sight,
    Standing,
    channel_of,
    is_admin,
    is_id,
    rules_of,
    sight,
)
from bot.slack.web_api import TROUBLE, Client, asked_to_wait, code_of, next_page, pages, posting_client
from storage import Store
from storage.people import SlackUser

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_SECONDS = 600.0
FAILED_SECONDS = 60.0
LOOKUP_SECONDS = 10  # an answer waits for them
USERS_A_PAGE = 200  # https://docs.slack.dev/reference/methods/users.list
A_PAGE = 999  # of channels and their members; https://docs.slack.dev/reference/methods/conversations.list
MOST_PAGES = 20  # of a channel's members; who reads a larger one is not known


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
        every = pages(lambda at: self._client.conversations_members(channel=channel, limit=A_PAGE, cursor=at))
        for number, page in enumerate(every, 1):
            found += page["members"]
            if number == MOST_PAGES and next_page(page):
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

        return [user for answer in pages(page) for user in answer["members"]]

    def _channels(self, types: str) -> Mapping[str, str]:
        found = pages(lambda at: self._client.conversations_list(types=types, limit=A_PAGE, cursor=at))
        every = [one for page in found for one in page["channels"] if one.get("name")]
        return {one["name"].casefold(): one["id"] for one in every if not one.get("is_archived")}


def _word_for(error: Exception) -> str:
    if isinstance(error, SlackApiError):
        return code_of(error)
    return str(error) if isinstance(error, SlackClientError) else type(error).__name__


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
        theirs, not_theirs = addresses_of(
            user, self._store.said.live("slack"), confirmed_only=self._settings.privacy.claims_wait
        )
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
        links = self._store.said.live("address")
        said = self._store.said.live("slack")
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


def admins(settings: Settings, members: Members) -> list[str]:
    """The ids of those whom `admins` of almanac.toml names."""
    return list(dict.fromkeys(_admins(settings, members)))


def _admins(settings: Settings, members: Members) -> Iterator[str]:
    entries = settings.privacy.admins
    yield from (entry for entry in entries if is_id(entry, "UW"))
    if all(is_id(entry, "UW") for entry in entries):
        return
    rules = members.rules()
    for member in members.everyone():
        if not member.deleted and is_admin(members.reader(members.member(member.id), rules), rules):
            yield member.id
