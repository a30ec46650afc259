"""What a workspace holds: people, channels, messages. State only; no sockets, and the clock is an argument.

Everything here belongs to one event loop: whoever runs the server touches it from that loop's thread.
"""

from __future__ import annotations

import secrets
import string
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.workspace.modals import Modals
from bot.workspace.model import (
    APP_ID,
    BOT_ID,
    BOT_USER_ID,
    SCOPES,
    SLACKBOT,
    TRIGGER_SECONDS,
    Call,
    Json,
    StoredMessage,
    WorkspaceChannel,
    WorkspaceEvent,
    WorkspaceUser,
    WorkspaceUserGroup,
)


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
        bot_name: str = "almanac",
        usergroups: Iterable[WorkspaceUserGroup] = (),
        scopes: Sequence[str] = SCOPES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.team_id = team_id or "T" + "".join(secrets.choice(string.ascii_uppercase) for _ in range(10))
        self.bot_token = f"xoxb-{secrets.token_hex(12)}"
        self.app_token = f"xapp-1-{APP_ID}-{secrets.token_hex(12)}"
        self.scopes = tuple(scopes)
        self.clock = clock
        self.trigger_seconds = TRIGGER_SECONDS
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
        self.add_user(WorkspaceUser(id=BOT_USER_ID, name=bot_name, real_name=bot_name.capitalize(), is_bot=True))
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

    @property
    def bot(self) -> WorkspaceUser:
        return self.users[BOT_USER_ID]

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
        extra: Mapping[str, Any] | None = None,
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
        json |= extra or {}
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
