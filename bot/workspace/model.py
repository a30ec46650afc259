"""The nouns of a workspace: people, places, messages, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

Json = dict[str, Any]
BOT_ID = "B0ALMANAC"
BOT_USER_ID = "U0ALMANAC"
APP_ID = "A0ALMANAC"
SLACKBOT = "USLACKBOT"
TRIGGER_SECONDS = 3.0

# What the app of manifest.json is granted, and what its calls are measured against.
SCOPES = (
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "chat:write.public",
    "commands",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "usergroups:read",
    "users:read",
    "users:read.email",
)


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
