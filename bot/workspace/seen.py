"""What one person sees of a workspace, as the page is told of it. Looks only."""

from __future__ import annotations

from bot.workspace.model import BOT_USER_ID, Json, WorkspaceChannel, WorkspaceEvent, WorkspaceUser
from bot.workspace.state import Workspace


def people(workspace: Workspace) -> list[str]:
    """The ids of all whose view can be seen: humans, in the order they came."""
    return [user.id for user in workspace.users.values() if not user.is_bot and not user.deleted]


def state(workspace: Workspace, me: str) -> Json:
    """All a person sees: team, people, the channels they are in, the messages there, and the app's views."""
    seen = [_channel(one) for one in workspace.channels.values() if one.has(me) and one.user in (None, me)]
    channels = sorted(seen, key=lambda one: bool(one["is_im"]))
    return {
        "team": {"id": workspace.team_id, "name": workspace.name},
        "me": me,
        "bot": BOT_USER_ID,
        "people": people(workspace),
        "users": {user.id: _user(user) for user in workspace.users.values()},
        "channels": channels,
        "messages": {one["id"]: workspace.messages(one["id"], user=me) for one in channels},
        "statuses": [
            {"channel": channel, "thread_ts": thread, "status": status}
            for (channel, thread), status in workspace.statuses.items()
            if status and channel in {one["id"] for one in channels}
        ],
        "view": views(workspace, me),
    }


def views(workspace: Workspace, me: str) -> Json:
    """What the app shows a person beside messages: their home tab, their modals with the errors beside their fields,
    and the questions it suggests in their direct messages."""
    direct = workspace.channel(me)
    return {
        "home": workspace.home_views.get(me),
        "modals": workspace.modals.of(me),
        "errors": workspace.modals.errors.get(me, {}),
        "prompts": workspace.prompts.get(direct.id) if direct else None,
    }


def event_for(workspace: Workspace, me: str, change: WorkspaceEvent) -> Json | None:
    """A change as a person's page is told of it; None if it is nothing to them."""
    if change.type == "view":
        return {"type": "view", **views(workspace, me)}
    channel = workspace.channels.get(change.channel)
    if channel is None or not channel.has(me):
        return None
    if change.type == "status":
        return {"type": "status", "channel": channel.id, "thread_ts": change.thread_ts, "status": change.status}
    if change.type not in ("message", "changed", "deleted") or change.only_for not in (None, me):
        return None
    return {"type": change.type, "channel": channel.id, "message": change.message}


def _user(user: WorkspaceUser) -> Json:
    flags = {"is_bot": user.is_bot, "is_admin": user.is_admin, "is_restricted": user.is_restricted}
    return {"id": user.id, "name": user.name, "real_name": user.real_name, **flags}


def _channel(channel: WorkspaceChannel) -> Json:
    if channel.is_im:
        return {"id": channel.id, "is_im": True, "user": BOT_USER_ID}
    known: Json = {"id": channel.id, "name": channel.name, "is_im": False, "topic": channel.topic}
    return known | {"is_private": channel.is_private, "is_ext_shared": channel.is_ext_shared}
