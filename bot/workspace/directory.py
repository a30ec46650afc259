"""Web API methods that read who is here: the bot itself, the team, people and user groups."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.workspace.api import Desk, Refused, flag, method
from bot.workspace.model import APP_ID, BOT_ID, BOT_USER_ID, SLACKBOT, Json, WorkspaceUser
from bot.workspace.state import Workspace

T = TypeVar("T")
LIST_MAX = 1000


def page_of(items: Sequence[T], arguments: Json, *, default: int, most: int) -> tuple[list[T], Json]:
    """One page of a list, and the response_metadata that leads to the next one."""
    try:
        limit = int(arguments.get("limit") or default)
        start = int(urlsafe_b64decode(str(arguments["cursor"])).removeprefix(b"at:")) if arguments.get("cursor") else 0
    except ValueError as error:
        raise Refused("invalid_cursor" if arguments.get("cursor") else "invalid_limit") from error
    if not 1 <= limit <= most:
        raise Refused("invalid_limit")
    end = start + limit
    cursor = urlsafe_b64encode(b"at:%d" % end).decode() if end < len(items) else ""
    return list(items[start:end]), {"next_cursor": cursor}


# who


def user_json(workspace: Workspace, user: WorkspaceUser) -> Json:
    """A user object; the address only if the app may see addresses."""
    try:
        zone = ZoneInfo(user.tz)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("Etc/UTC")
    now = datetime.fromtimestamp(workspace.clock(), zone)
    offset = now.utcoffset()
    profile: Json = {"real_name": user.real_name, "display_name": user.name, "team": workspace.team_id}
    profile |= {"real_name_normalized": user.real_name, "display_name_normalized": user.name}
    if user.email and "users:read.email" in workspace.scopes:
        profile["email"] = user.email
    is_bot = user.is_bot and user.id != SLACKBOT  # Slack says of its own bot that it is none
    if is_bot:
        profile |= {"bot_id": BOT_ID, "api_app_id": APP_ID}
    return {
        "id": user.id,
        "team_id": workspace.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": user.real_name,
        "tz": user.tz,
        "tz_label": now.tzname() or user.tz,
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "profile": profile,
        "is_bot": is_bot,
        "is_app_user": False,
        "is_admin": user.is_admin,
        "is_owner": False,
        "is_restricted": user.is_restricted,
        "is_ultra_restricted": False,
        "updated": 0,
    }


@method("auth.test")
def auth_test(desk: Desk, arguments: Json) -> Json:
    workspace = desk.workspace
    return {
        "url": f"{desk.url}/",
        "team": workspace.name,
        "user": workspace.bot.name,
        "team_id": workspace.team_id,
        "user_id": BOT_USER_ID,
        "bot_id": BOT_ID,
        "is_enterprise_install": False,
    }


@method("apps.connections.open")
def connections_open(desk: Desk, arguments: Json) -> Json:
    return {"url": desk.socket_url()}


@method("users.info", "users:read")
def users_info(desk: Desk, arguments: Json) -> Json:
    user = desk.workspace.users.get(str(arguments.get("user")))
    if user is None:
        raise Refused("user_not_found")
    return {"user": user_json(desk.workspace, user)}


@method("users.list", "users:read")
def users_list(desk: Desk, arguments: Json) -> Json:
    users = sorted(desk.workspace.users.values(), key=lambda user: user.id)
    page, metadata = page_of(users, arguments, default=LIST_MAX, most=LIST_MAX)
    members = [user_json(desk.workspace, user) for user in page]
    return {"members": members, "cache_ts": int(desk.workspace.clock()), "response_metadata": metadata}


@method("usergroups.list", "usergroups:read")
def usergroups_list(desk: Desk, arguments: Json) -> Json:
    groups: list[Json] = []
    for group in desk.workspace.usergroups:
        json: Json = {
            "id": group.id,
            "team_id": desk.workspace.team_id,
            "is_usergroup": True,
            "date_delete": 0,
        }
        json |= {"name": group.name or group.handle, "handle": group.handle, "user_count": len(group.users)}
        groups.append(json | ({"users": list(group.users)} if flag(arguments, "include_users") else {}))
    return {"usergroups": groups}
