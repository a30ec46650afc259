"""What a workspace holds: people, places, messages, views. State only: no sockets, and the clock is an argument.

Everything here belongs to one event loop: whoever runs the server touches it from that loop's thread.
"""

from __future__ import annotations

import secrets
import string
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from bot.slack.web_api import OPTIONAL, SCOPES

Json = dict[str, Any]
BOT_ID = "B0ALMANAC"
BOT_USER_ID = "U0ALMANAC"
APP_ID = "A0ALMANAC"
SLACKBOT = "USLACKBOT"
TRIGGER_SECONDS = 3.0


@dataclass(frozen=True, kw_only=True)
class WorkspaceUser:
    """A member, or a guest where `is_restricted`. `name` is the login, `real_name` what others see; an `id` is made up
    when none is given. `is_admin` is Slack's word for who runs the workspace."""

    name: str
    real_name: str = ""
    email: str = ""
    tz: str = "Etc/UTC"
    is_bot: bool = False
    is_admin: bool = False
    is_restricted: bool = False
    deleted: bool = False
    id: str = ""


@dataclass(frozen=True, kw_only=True)
class WorkspaceChannel:
    """A conversation. `members` None means everyone, the bot too; `user` is the human of a direct message.
    `is_ext_shared`: with another workspace."""

    name: str
    id: str = ""
    topic: str = ""
    is_private: bool = False
    is_archived: bool = False
    is_ext_shared: bool = False
    members: frozenset[str] | None = None
    user: str | None = None

    @property
    def is_im(self) -> bool:
        return self.user is not None

    @property
    def shown_name(self) -> str:
        """What payloads call it."""
        return "directmessage" if self.is_im else self.name

    def has(self, user_id: str) -> bool:
        return self.members is None or user_id in self.members


@dataclass(frozen=True, kw_only=True)
class WorkspaceUserGroup:
    """A user group: `handle` without the @, and the ids of its members."""

    handle: str
    users: tuple[str, ...] = ()
    name: str = ""
    id: str = ""


@dataclass(frozen=True)
class Call:
    """One Web API call as it came in, without its token."""

    method: str
    arguments: Json


@dataclass(frozen=True)
class WorkspaceEvent:
    """Something happened: a message came, changed or went, a status was set, a delivery ended."""

    type: Literal["message", "changed", "deleted", "status", "view", "call", "delivery", "socket"]
    channel: str = ""
    message: Json = field(default_factory=dict)
    thread_ts: str = ""
    status: str = ""
    only_for: str | None = None


@dataclass(eq=False)
class StoredMessage:
    """A stored message: Slack's own JSON, and who alone sees it if it is ephemeral."""

    channel: str
    json: Json
    only_for: str | None = None
    metadata: Json | None = None

    @property
    def ts(self) -> str:
        return str(self.json["ts"])

    @property
    def thread_ts(self) -> str | None:
        return self.json.get("thread_ts")

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts

    def shown(self) -> Json:
        """The message as a reader gets it: a copy, with `channel`, and `ephemeral` where it is that."""
        return {**self.json, "channel": self.channel, **({"ephemeral": True} if self.only_for else {})}


def moment(ts: object) -> Decimal:
    """A ts as a number that compares exactly; what is no ts is the beginning of time."""
    try:
        value = Decimal(str(ts))
    except InvalidOperation:
        return Decimal(0)
    return value if value.is_finite() else Decimal(0)


class Workspace:
    """A team with its people and channels, in memory. Ids are the same in every run, but for the team's:
    a new workspace is a new one also to a bot that remembers the last.

    `users` and `channels` (names, or WorkspaceChannel) are who and what is there at the start; a direct
    message channel with the bot exists for every human. `clock` gives Unix seconds.
    """

    def __init__(
        self,
        users: Iterable[WorkspaceUser] = (),
        channels: Iterable[str | WorkspaceChannel] = ("general",),
        *,
        name: str = "Local workspace",
        team_id: str | None = None,
        usergroups: Iterable[WorkspaceUserGroup] = (),
        scopes: Sequence[str] = (*SCOPES, *OPTIONAL),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.team_id = team_id or "T" + "".join(secrets.choice(string.ascii_uppercase) for _ in range(10))
        self.bot_token = f"xoxb-{secrets.token_hex(12)}"
        self.app_token = f"xapp-1-{APP_ID}-{secrets.token_hex(12)}"
        self.scopes = tuple(scopes)
        self.clock = clock
        self.trigger_seconds = TRIGGER_SECONDS
        # Of whoever serves it: where, an address for a new socket, and how the app is told of an event.
        self.url = ""
        self.new_socket: Callable[[], str] = str
        self.notify: Callable[[Json], object] = bool
        self.users: dict[str, WorkspaceUser] = {}
        self.channels: dict[str, WorkspaceChannel] = {}
        self.usergroups = [replace(g, id=g.id or f"S{n:04}") for n, g in enumerate(usergroups, 1)]
        self.home_views: dict[str, Json] = {}
        self.modals = Modals()
        self.prompts: dict[str, Json] = {}
        self.statuses: dict[tuple[str, str], str] = {}
        self.calls: list[Call] = []
        self._messages: dict[str, list[StoredMessage]] = {}
        self._watchers: list[Callable[[WorkspaceEvent], None]] = []
        self._triggers: dict[str, tuple[float, str]] = {}
        self._last_ts = 0
        self.add_user(WorkspaceUser(id=SLACKBOT, name="slackbot", real_name="Slackbot", is_bot=True))
        self.add_user(WorkspaceUser(id=BOT_USER_ID, name="almanac", real_name="Almanac", is_bot=True))
        for user in users:
            self.add_user(user)
        for channel in channels:
            self.add_channel(channel if isinstance(channel, WorkspaceChannel) else WorkspaceChannel(name=channel))

    # who and where

    def add_user(self, user: WorkspaceUser) -> WorkspaceUser:
        """Let someone join; a human gets a direct message channel with the bot."""
        humans = sum(not known.is_bot for known in self.users.values())
        user = replace(user, id=user.id or f"U{humans + 1:04}", real_name=user.real_name or user.name)
        self.users[user.id] = user
        if not user.is_bot:
            both = frozenset({user.id, BOT_USER_ID})
            im = WorkspaceChannel(id=f"D{humans + 1:04}", name="", user=user.id, members=both, is_private=True)
            self.channels[im.id] = im
        return user

    def add_channel(self, channel: WorkspaceChannel) -> WorkspaceChannel:
        """Open a channel, or put another in the place of the one with its id (to archive it, say)."""
        number = sum(not known.is_im for known in self.channels.values()) + 1
        channel = replace(channel, id=channel.id or f"C{number:04}")
        self.channels[channel.id] = channel
        return channel

    def channel(self, wanted: str) -> WorkspaceChannel | None:
        """The channel with this id, "#name" or name; a user's id means the direct messages with them."""
        if wanted in self.users:
            return next((c for c in self.channels.values() if c.user == wanted), None)
        name = wanted.removeprefix("#")
        by_name = (c for c in self.channels.values() if name and c.name == name)
        return self.channels.get(wanted) or next(by_name, None)

    def user(self, wanted: str) -> WorkspaceUser | None:
        """The user with this id or login."""
        by_name = (u for u in self.users.values() if u.name == wanted)
        return self.users.get(wanted) or next(by_name, None)

    # messages

    def next_ts(self) -> str:
        """A message id: the time in microseconds, later than every one before even if the clock stands."""
        self._last_ts = max(int(self.clock() * 1_000_000), self._last_ts + 1)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06}"

    def post(
        self,
        channel: str,
        *,
        user: str,
        text: str,
        blocks: Sequence[Json] = (),
        thread_ts: str | None = None,
        only_for: str | None = None,
        metadata: Json | None = None,
    ) -> StoredMessage:
        """Store a message and tell the watchers. A `thread_ts` inside a thread means that thread."""
        json: Json = {
            "type": "message",
            "user": user,
            "text": text,
            "ts": self.next_ts(),
            "team": self.team_id,
        }
        if user == BOT_USER_ID:
            json |= {"bot_id": BOT_ID, "app_id": APP_ID}
        if blocks:
            json["blocks"] = with_block_ids(blocks)

        root = self.find(channel, thread_ts) if thread_ts else None
        if thread_ts:
            json["thread_ts"] = thread_ts = (root and root.thread_ts) or thread_ts
            root = self.find(channel, thread_ts)
        message = StoredMessage(channel, json, only_for, metadata)
        self._messages.setdefault(channel, []).append(message)
        if root and thread_ts and not only_for:
            repliers = dict.fromkeys([*root.json.get("reply_users", []), user])
            root.json |= {"thread_ts": thread_ts, "reply_count": root.json.get("reply_count", 0) + 1}
            root.json |= {"reply_users": list(repliers), "latest_reply": message.ts}
        if user == BOT_USER_ID:
            self.set_status(channel, thread_ts or message.ts, "")  # Slack clears it when the app answers
        self.tell(WorkspaceEvent("message", channel, message.shown(), only_for=message.only_for))
        return message

    def change(self, message: StoredMessage, **fields: Any) -> StoredMessage:
        """Replace fields of a stored message, as chat.update does; blocks=() takes the blocks away."""
        if "blocks" in fields and not fields["blocks"]:
            message.json.pop("blocks", None)
            del fields["blocks"]
        elif "blocks" in fields:
            fields["blocks"] = with_block_ids(fields["blocks"])
        message.json |= fields
        self.tell(WorkspaceEvent("changed", message.channel, message.shown(), only_for=message.only_for))
        return message

    def delete(self, message: StoredMessage) -> None:
        """Take a message away; the replies to it stay, as in Slack."""
        self._messages[message.channel].remove(message)
        self.tell(WorkspaceEvent("deleted", message.channel, message.shown(), only_for=message.only_for))

    def find(self, channel: str, ts: str | None) -> StoredMessage | None:
        """The message with this id, ephemeral ones too."""
        return next((m for m in self._messages.get(channel, []) if m.ts == ts), None)

    def stored(self, channel: str) -> list[StoredMessage]:
        """Every message of a channel in the order of time, replies and ephemeral ones among them."""
        return list(self._messages.get(channel, []))

    def messages(self, channel: str, thread_ts: str | None = None, user: str | None = None) -> list[Json]:
        """What stands in a channel, oldest first, thread replies in their place; of one thread if asked.
        With a `user`, what that person sees: their ephemeral messages too."""
        return [
            message.shown()
            for message in self.stored(channel)
            if message.only_for in (None, user) and (thread_ts is None or thread_ts in (message.ts, message.thread_ts))
        ]

    def set_status(self, channel: str, thread_ts: str, status: str) -> None:
        """Show, or with "" take away, "… is thinking" under a thread."""
        if self.statuses.get((channel, thread_ts), "") != status:
            self.statuses[channel, thread_ts] = status
            self.tell(WorkspaceEvent("status", channel, thread_ts=thread_ts, status=status))

    # triggers

    def new_trigger(self, user: str = "") -> str:
        """A trigger_id: opens one view before the eyes of who caused it, within three seconds."""
        trigger_id = f"{self.next_ts()}.{self.team_id}.{secrets.token_hex(8)}"
        self._triggers[trigger_id] = (self.clock() + self.trigger_seconds, user)
        return trigger_id

    def trigger_user(self, trigger_id: object) -> str:
        """Who caused a trigger_id; "" if nobody did."""
        return self._triggers.get(str(trigger_id), (0.0, ""))[1]

    def use_trigger(self, trigger_id: object) -> str | None:
        """Use a trigger_id up; the error Slack answers with if it is no longer, or never was, good."""
        expires, user = self._triggers.get(str(trigger_id), (0.0, ""))
        if not expires:
            return "invalid_trigger_id"
        if expires < 0:
            return "exchanged_trigger_id"
        self._triggers[str(trigger_id)] = (-1.0, user)
        return "expired_trigger_id" if self.clock() > expires else None

    # who wants to know

    def watch(self, watcher: Callable[[WorkspaceEvent], None]) -> Callable[[], None]:
        """Call `watcher` at each change until the function that is returned is called."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def tell(self, change: WorkspaceEvent) -> None:
        for watcher in list(self._watchers):
            watcher(change)

    def __iter__(self) -> Iterator[StoredMessage]:
        """Every message of every channel."""
        for messages in self._messages.values():
            yield from messages


def with_block_ids(blocks: Sequence[Json]) -> list[Json]:
    """The blocks, each with a block_id, as Slack stores them."""
    return [{"block_id": secrets.token_urlsafe(4), **block} for block in blocks]


MOST_VIEWS = 3  # one that was opened and two that were pushed: docs.slack.dev/surfaces/modals


class Modals:
    """Each person's open modals by user id, the topmost last. `errors` are what a submission was answered with."""

    def __init__(self) -> None:
        self._open: dict[str, list[Json]] = {}
        self.errors: dict[str, dict[str, str]] = {}

    def of(self, user: str) -> list[Json]:
        """The modals a person has open, the topmost last."""
        return list(self._open.get(user, []))

    def top(self, user: str) -> Json:
        """The modal a person sees. LookupError where there is none."""
        if not self._open.get(user):
            raise LookupError(f"{user} has no modal open")
        return self._open[user][-1]

    def find(self, view_id: object) -> tuple[str, Json] | None:
        """The modal that is open under an id, and whose it is."""
        every = ((user, view) for user, views in self._open.items() for view in views)
        return next((found for found in every if found[1]["id"] == view_id), None)

    def open(self, user: str, view: Json) -> None:
        """Show a modal in the place of whatever is open."""
        self._open[user] = [view]
        self.errors.pop(user, None)

    def push(self, user: str, view: Json) -> None:
        """Show a modal upon what is open."""
        self._open[user].append({**view, "root_view_id": self.top(user)["root_view_id"]})
        self.errors.pop(user, None)

    def has_room(self, user: str) -> bool:
        return len(self._open.get(user, [])) < MOST_VIEWS

    def replace(self, user: str, view: Json) -> None:
        """Show a modal anew, by its id, wherever it stands."""
        self._open[user] = [
            {**view, "root_view_id": one["root_view_id"]} if one["id"] == view["id"] else one
            for one in self._open[user]
        ]
        self.errors.pop(user, None)

    def close(self, user: str, *, every: bool = False) -> None:
        """Take the topmost modal away, or every one."""
        self._open[user] = [] if every else self._open.get(user, [])[:-1]
        self.errors.pop(user, None)
