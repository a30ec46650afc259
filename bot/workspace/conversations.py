"""Web API methods that read conversations: which there are, who is in them, what was said."""

from __future__ import annotations

from collections.abc import Sequence

from bot.workspace.api import Desk, Refused, flag, method
from bot.workspace.chat import channel_for
from bot.workspace.directory import LIST_MAX, page_of
from bot.workspace.model import BOT_USER_ID, Json, StoredMessage, WorkspaceChannel, moment
from bot.workspace.state import Workspace

HISTORY_MAX = 999  # conversations.history and .replies refuse more


def channel_json(workspace: Workspace, channel: WorkspaceChannel) -> Json:
    """A conversation object, of a channel or of direct messages."""
    shared: Json = {
        "id": channel.id,
        "created": 0,
        "is_archived": channel.is_archived,
        "is_im": channel.is_im,
    }
    if channel.is_im:
        return {**shared, "user": channel.user, "is_user_deleted": False, "is_org_shared": False}
    return {
        **shared,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_private": channel.is_private,
        "is_mpim": False,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "is_general": channel.name == "general",
        "is_member": channel.has(BOT_USER_ID),
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(members_of(workspace, channel)),
    }


def members_of(workspace: Workspace, channel: WorkspaceChannel) -> list[str]:
    return sorted(user.id for user in workspace.users.values() if channel.has(user.id) and not user.deleted)


def kind_of(channel: WorkspaceChannel) -> str:
    return "im" if channel.is_im else "private_channel" if channel.is_private else "public_channel"


@method("conversations.list", "channels:read", "groups:read", "im:read")
def conversations_list(desk: Desk, arguments: Json) -> Json:
    types = {kind.strip() for kind in str(arguments.get("types") or "public_channel").split(",")}
    if not types <= {"public_channel", "private_channel", "mpim", "im"}:
        raise Refused("invalid_types")
    channels = [
        channel
        for channel in sorted(desk.workspace.channels.values(), key=lambda channel: channel.id)
        if kind_of(channel) in types
        and (not channel.is_private or channel.has(BOT_USER_ID))
        and not (channel.is_archived and flag(arguments, "exclude_archived"))
    ]
    page, metadata = page_of(channels, arguments, default=100, most=LIST_MAX)
    return {"channels": [channel_json(desk.workspace, one) for one in page], "response_metadata": metadata}


@method("conversations.info", "channels:read", "groups:read", "im:read")
def conversations_info(desk: Desk, arguments: Json) -> Json:
    return {"channel": channel_json(desk.workspace, by_id(desk, arguments))}


@method("conversations.members", "channels:read", "groups:read", "im:read")
def conversations_members(desk: Desk, arguments: Json) -> Json:
    members = members_of(desk.workspace, by_id(desk, arguments))
    page, metadata = page_of(members, arguments, default=100, most=LIST_MAX)
    return {"members": page, "response_metadata": metadata}


@method("conversations.open", "im:write")
def conversations_open(desk: Desk, arguments: Json) -> Json:
    if arguments.get("channel"):
        channel = by_id(desk, arguments)
    else:
        wanted = arguments.get("users") or ""
        users = wanted if isinstance(wanted, list) else [user for user in str(wanted).split(",") if user]
        if not users:
            raise Refused("users_list_not_supplied")
        if len(users) > 1:
            raise Refused("method_not_supported_for_channel_type")  # no group direct messages here
        user = desk.workspace.users.get(str(users[0]).strip())
        found = desk.workspace.channel(user.id) if user else None
        if user is None or found is None:
            raise Refused("user_not_found")
        if user.deleted:
            raise Refused("user_disabled")
        channel = found
    if flag(arguments, "return_im"):
        return {"channel": channel_json(desk.workspace, channel), "already_open": True, "no_op": True}
    return {"channel": {"id": channel.id}}


def by_id(desk: Desk, arguments: Json) -> WorkspaceChannel:
    """The conversations methods take ids only, no names."""
    wanted = str(arguments.get("channel"))
    if wanted not in desk.workspace.channels:
        raise Refused("channel_not_found")
    return channel_for(desk, wanted)


# what was said


def readable(desk: Desk, arguments: Json) -> WorkspaceChannel:
    """A channel whose history the bot may read: with the scope for its kind, and it has to be a member,
    chat:write.public does not help."""
    channel = by_id(desk, arguments)
    needed = "im:history" if channel.is_im else "groups:history" if channel.is_private else "channels:history"
    if needed not in desk.workspace.scopes:
        raise Refused("missing_scope", needed=needed, provided=",".join(desk.workspace.scopes))
    if not channel.has(BOT_USER_ID):
        raise Refused("not_in_channel")
    return channel


def as_history(message: StoredMessage, arguments: Json) -> Json:
    """A message as history tells it; metadata in full only when asked for."""
    if message.metadata is None:
        return dict(message.json)
    whole = flag(arguments, "include_all_metadata")
    return {
        **message.json,
        "metadata": message.metadata if whole else {"event_type": message.metadata["event_type"]},
    }


def between(message: StoredMessage, arguments: Json) -> bool:
    at = moment(message.ts)
    oldest = moment(arguments.get("oldest") or 0)
    latest = moment(arguments["latest"]) if arguments.get("latest") else None
    if flag(arguments, "inclusive"):
        return oldest <= at and (latest is None or at <= latest)
    return oldest < at and (latest is None or at < latest)


def history_page(messages: Sequence[StoredMessage], arguments: Json) -> Json:
    page, metadata = page_of(messages, arguments, default=100, most=HISTORY_MAX)
    more = bool(metadata["next_cursor"])
    answer: Json = {"messages": [as_history(message, arguments) for message in page], "has_more": more}
    return answer | ({"response_metadata": metadata} if more else {})


@method("conversations.history", "channels:history", "groups:history", "im:history")
def conversations_history(desk: Desk, arguments: Json) -> Json:
    stored = desk.workspace.stored(readable(desk, arguments).id)
    roots = [
        message
        for message in reversed(stored)
        if not message.only_for
        and (not message.is_reply or message.json.get("subtype") == "thread_broadcast")
        and between(message, arguments)
    ]
    return {**history_page(roots, arguments), "pin_count": 0}


@method("conversations.replies", "channels:history", "groups:history", "im:history")
def conversations_replies(desk: Desk, arguments: Json) -> Json:
    channel = readable(desk, arguments)
    start = desk.workspace.find(channel.id, str(arguments.get("ts")))
    if start is None or start.only_for:
        raise Refused("thread_not_found")
    root_ts = start.thread_ts or start.ts
    thread = [
        message
        for message in desk.workspace.stored(channel.id)
        if not message.only_for
        and root_ts in (message.ts, message.thread_ts)
        and (message.ts == root_ts or between(message, arguments))
    ]
    return history_page(thread, arguments)
