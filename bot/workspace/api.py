"""The Web API: reads arguments, checks token and scopes, and does what each method does."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from aiohttp import web

from bot.slack.elements import MAX_SUGGESTED_PROMPTS
from bot.workspace import block_kit
from bot.workspace.state import (
    APP_ID,
    BOT_ID,
    BOT_USER_ID,
    SLACKBOT,
    Call,
    Json,
    StoredMessage,
    Workspace,
    WorkspaceChannel,
    WorkspaceEvent,
    WorkspaceUser,
    moment,
    with_block_ids,
)


class Refused(Exception):
    """Ends a method with {"ok": false, "error": code} and whatever else Slack says beside it."""

    def __init__(self, code: str, **beside: Any) -> None:
        super().__init__(code)
        self.answer: Json = {"ok": False, "error": code, **beside}


Method = Callable[[Workspace, Json], Json]
# What stands between a call, by its name, and doing it: an answer is given by the function, or something else instead.
Around = Callable[[str, web.Request, Callable[[], web.Response]], Awaitable[web.StreamResponse]]
METHODS: dict[str, tuple[Method, frozenset[str]]] = {}


def method(name: str, *scopes: str) -> Callable[[Method], Method]:
    """Register a Web API method; the app needs one of the scopes to call it."""

    def register(function: Method) -> Method:
        METHODS[name] = (function, frozenset(scopes))
        return function

    return register


async def arguments_of(request: web.Request) -> Json:
    """The arguments of a call: query, form and JSON body in one."""
    arguments: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        arguments |= json.loads(body) if body.strip() else {}
    else:
        arguments |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    return arguments


def flag(arguments: Json, key: str) -> bool:
    """A yes or no as JSON or a form says it."""
    return arguments.get(key) in (True, 1, "1", "true", "True")


async def straight(name: str, request: web.Request, answer: Callable[[], web.Response]) -> web.StreamResponse:
    """Nothing stands between."""
    return answer()


class WebApi:
    """Answers `/api/<method>`. Every call is in `workspace.calls`, also one that failed."""

    def __init__(self, workspace: Workspace, around: Around) -> None:
        self.workspace = workspace
        self._around = around

    async def handle(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        arguments = await arguments_of(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        token = str(arguments.pop("token", "")) or token
        self.workspace.calls.append(Call(name, arguments))
        self.workspace.tell(WorkspaceEvent("call"))
        return await self._around(name, request, lambda: self._answer(name, token, arguments))

    def _answer(self, name: str, token: str, arguments: Json) -> web.Response:
        headers = {"x-oauth-scopes": ",".join(self.workspace.scopes), "x-accepted-oauth-scopes": ""}
        try:
            function, scopes = METHODS[name] if name in METHODS else (None, frozenset[str]())
            headers["x-accepted-oauth-scopes"] = ",".join(sorted(scopes))
            if function is None:
                raise Refused("unknown_method", req_method=name)
            self._check(name, token, scopes)
            answer = {"ok": True, **function(self.workspace, arguments)}
        except Refused as refused:
            answer = refused.answer
        return web.json_response(answer, headers=headers)

    def _check(self, name: str, token: str, scopes: frozenset[str]) -> None:
        workspace = self.workspace
        if not token:
            raise Refused("not_authed")
        if token not in (workspace.bot_token, workspace.app_token):
            raise Refused("invalid_auth")
        if (token == workspace.app_token) != (name == "apps.connections.open"):
            raise Refused("not_allowed_token_type")
        if scopes and not scopes & set(workspace.scopes):
            needed, provided = ",".join(sorted(scopes)), ",".join(workspace.scopes)
            raise Refused("missing_scope", needed=needed, provided=provided)


T = TypeVar("T")
LIST_MAX = 1000


def page_of(items: Sequence[T], arguments: Json, *, default: int, most: int) -> tuple[list[T], Json]:
    """One page of a list, and the response_metadata that leads to the next one."""
    limit = int(arguments.get("limit") or default)
    start = int(urlsafe_b64decode(str(arguments["cursor"])).removeprefix(b"at:")) if arguments.get("cursor") else 0
    if not 1 <= limit <= most:
        raise Refused("invalid_limit")
    end = start + limit
    cursor = urlsafe_b64encode(b"at:%d" % end).decode() if end < len(items) else ""
    return list(items[start:end]), {"next_cursor": cursor}


# who


def user_json(workspace: Workspace, user: WorkspaceUser) -> Json:
    """A user object; the address only if the app may see addresses."""
    profile: Json = {"real_name": user.real_name, "display_name": user.name, "team": workspace.team_id}
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
        "profile": profile,
        "is_bot": is_bot,
        "is_admin": user.is_admin,
        "is_restricted": user.is_restricted,
    }


@method("auth.test")
def auth_test(workspace: Workspace, arguments: Json) -> Json:
    return {
        "url": f"{workspace.url}/",
        "team": workspace.name,
        "user": workspace.users[BOT_USER_ID].name,
        "team_id": workspace.team_id,
        "user_id": BOT_USER_ID,
        "bot_id": BOT_ID,
        "is_enterprise_install": False,
    }


@method("apps.connections.open")
def connections_open(workspace: Workspace, arguments: Json) -> Json:
    return {"url": workspace.new_socket()}


@method("users.info", "users:read")
def users_info(workspace: Workspace, arguments: Json) -> Json:
    user = workspace.users.get(str(arguments.get("user")))
    if user is None:
        raise Refused("user_not_found")
    return {"user": user_json(workspace, user)}


@method("users.list", "users:read")
def users_list(workspace: Workspace, arguments: Json) -> Json:
    users = sorted(workspace.users.values(), key=lambda user: user.id)
    page, metadata = page_of(users, arguments, default=LIST_MAX, most=LIST_MAX)
    members = [user_json(workspace, user) for user in page]
    return {"members": members, "cache_ts": int(workspace.clock()), "response_metadata": metadata}


@method("usergroups.list", "usergroups:read")
def usergroups_list(workspace: Workspace, arguments: Json) -> Json:
    groups: list[Json] = []
    for group in workspace.usergroups:
        users = {"users": list(group.users)} if flag(arguments, "include_users") else {}
        groups.append({"id": group.id, "name": group.name or group.handle, "handle": group.handle, **users})
    return {"usergroups": groups}


def channel_for(workspace: Workspace, wanted: object) -> WorkspaceChannel:
    """The channel the bot may see under this id or name, or Slack's answer that there is none."""
    channel = workspace.channel(wanted) if isinstance(wanted, str) else None
    if channel is None or (channel.is_private and not channel.has(BOT_USER_ID)):
        raise Refused("channel_not_found")
    return channel


def writable(workspace: Workspace, wanted: object) -> WorkspaceChannel:
    """A channel the bot may post to; public ones need no membership with chat:write.public."""
    channel = channel_for(workspace, wanted)
    if channel.is_archived:
        raise Refused("is_archived")
    if not channel.has(BOT_USER_ID) and "chat:write.public" not in workspace.scopes:
        raise Refused("not_in_channel")
    return channel


def refuse_faults(faults: Sequence[block_kit.BlockFault]) -> None:
    """Answer as Slack does to blocks that break its rules: the first fault's code, all of them beside it."""
    if faults:
        said = [f"{fault.message} [json-pointer:{fault.pointer}]" for fault in faults]
        metadata = {"messages": [f"[ERROR] {line}" for line in said]}
        raise Refused(faults[0].code, errors=said, response_metadata=metadata)


def content_of(arguments: Json) -> tuple[str, list[Json]]:
    """The text and blocks of a message, once it is sure that Slack would take them."""
    if not arguments.get("text") and not arguments.get("blocks"):
        raise Refused("no_text")
    refuse_faults(block_kit.faults(arguments))
    return arguments["text"], arguments.get("blocks") or []


def thread_of(workspace: Workspace, channel: str, thread_ts: object) -> str | None:
    if not thread_ts:
        return None
    root = workspace.find(channel, str(thread_ts))
    if root is None:
        raise Refused("thread_not_found")
    if root.only_for:
        raise Refused("cannot_reply_to_message")
    return root.thread_ts or root.ts


def own_message(workspace: Workspace, channel: str, ts: object) -> StoredMessage:
    message = workspace.find(channel, str(ts))
    if message is None or message.only_for:
        raise Refused("message_not_found")
    if message.json["user"] != BOT_USER_ID:
        raise Refused("cant_update_message")
    return message


def plain(message: StoredMessage) -> Json:
    """A message as an answer holds it: what a reader gets, without the channel beside it."""
    return dict(message.json)


@method("chat.postMessage", "chat:write")
def post_message(workspace: Workspace, arguments: Json) -> Json:
    channel = writable(workspace, arguments.get("channel"))
    text, blocks = content_of(arguments)
    thread_ts = thread_of(workspace, channel.id, arguments.get("thread_ts"))
    message = workspace.post(
        channel.id,
        user=BOT_USER_ID,
        text=text,
        blocks=blocks,
        thread_ts=thread_ts,
        metadata=arguments.get("metadata"),
    )
    if channel.is_im:  # message.im tells the app of its own messages too; Bolt drops them
        workspace.notify({**plain(message), "channel": channel.id, "channel_type": "im", "event_ts": message.ts})
    return {"channel": channel.id, "ts": message.ts, "message": plain(message)}


@method("chat.postEphemeral", "chat:write")
def post_ephemeral(workspace: Workspace, arguments: Json) -> Json:
    channel = channel_for(workspace, arguments.get("channel"))
    if channel.is_archived:
        raise Refused("is_archived")
    user = workspace.users.get(str(arguments.get("user")))
    if user is None or not channel.has(user.id) or not channel.has(BOT_USER_ID):
        raise Refused("user_not_in_channel")
    text, blocks = content_of(arguments)
    message = workspace.post(
        channel.id,
        user=BOT_USER_ID,
        text=text,
        blocks=blocks,
        thread_ts=thread_of(workspace, channel.id, arguments.get("thread_ts")),
        only_for=user.id,
    )
    return {"message_ts": message.ts}


@method("chat.update", "chat:write")
def update(workspace: Workspace, arguments: Json) -> Json:
    channel = channel_for(workspace, arguments.get("channel"))
    message = own_message(workspace, channel.id, arguments.get("ts"))
    text, blocks = content_of(arguments)
    previous = plain(message)
    edited = {"user": BOT_USER_ID, "ts": workspace.next_ts()}
    workspace.change(message, text=text, blocks=blocks, edited=edited)
    if channel.is_im:
        event = {"type": "message", "subtype": "message_changed", "hidden": True, "channel": channel.id}
        event |= {"channel_type": "im", "ts": edited["ts"], "event_ts": edited["ts"]}
        workspace.notify({**event, "message": plain(message), "previous_message": previous})
    return {"channel": channel.id, "ts": message.ts, "text": message.json["text"], "message": plain(message)}


@method("assistant.threads.setStatus", "assistant:write", "chat:write")
def set_status(workspace: Workspace, arguments: Json) -> Json:
    channel = channel_for(workspace, arguments.get("channel_id"))
    root = workspace.find(channel.id, str(arguments.get("thread_ts")))
    if root is None:
        raise Refused("thread_not_found")
    workspace.set_status(channel.id, root.thread_ts or root.ts, str(arguments.get("status", "")))
    return {}


@method("agents.sessions.setStatus", "assistant:write", "chat:write")
def set_session_status(workspace: Workspace, arguments: Json) -> Json:
    words = {"processing": "is working on it…", "active": ""}
    return set_status(workspace, {**arguments, "status": words[arguments["status"]]})


@method("assistant.threads.setSuggestedPrompts", "assistant:write")
def set_suggested_prompts(workspace: Workspace, arguments: Json) -> Json:
    channel = channel_for(workspace, arguments.get("channel_id"))
    prompts = arguments.get("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MAX_SUGGESTED_PROMPTS:
        raise Refused("invalid_arguments")
    for prompt in prompts:
        if not isinstance(prompt, dict) or not all(isinstance(prompt.get(key), str) for key in ("title", "message")):
            raise Refused("invalid_arguments")
    workspace.prompts[channel.id] = {"title": arguments.get("title"), "prompts": prompts}
    workspace.tell(WorkspaceEvent("view"))
    return {}


HISTORY_MAX = 999  # conversations.history and .replies refuse more


def channel_json(channel: WorkspaceChannel) -> Json:
    """A conversation object, of a channel or of direct messages."""
    shared: Json = {"id": channel.id, "is_archived": channel.is_archived, "is_im": channel.is_im}
    if channel.is_im:
        return {**shared, "user": channel.user, "is_user_deleted": False, "is_org_shared": False}
    return {
        **shared,
        "name": channel.name,
        "is_channel": not channel.is_private,
        "is_private": channel.is_private,
        "is_mpim": False,
        "is_ext_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "is_member": channel.has(BOT_USER_ID),
    }


def members_of(workspace: Workspace, channel: WorkspaceChannel) -> list[str]:
    return sorted(user.id for user in workspace.users.values() if channel.has(user.id) and not user.deleted)


def kind_of(channel: WorkspaceChannel) -> str:
    return "im" if channel.is_im else "private_channel" if channel.is_private else "public_channel"


@method("conversations.list", "channels:read", "groups:read", "im:read")
def conversations_list(workspace: Workspace, arguments: Json) -> Json:
    types = {kind.strip() for kind in str(arguments.get("types") or "public_channel").split(",")}
    if not types <= {"public_channel", "private_channel", "mpim", "im"}:
        raise Refused("invalid_types")
    channels = [
        channel
        for channel in sorted(workspace.channels.values(), key=lambda channel: channel.id)
        if kind_of(channel) in types and (not channel.is_private or channel.has(BOT_USER_ID))
    ]
    page, metadata = page_of(channels, arguments, default=100, most=LIST_MAX)
    return {"channels": [channel_json(one) for one in page], "response_metadata": metadata}


@method("conversations.info", "channels:read", "groups:read", "im:read")
def conversations_info(workspace: Workspace, arguments: Json) -> Json:
    return {"channel": channel_json(by_id(workspace, arguments))}


@method("conversations.members", "channels:read", "groups:read", "im:read")
def conversations_members(workspace: Workspace, arguments: Json) -> Json:
    members = members_of(workspace, by_id(workspace, arguments))
    page, metadata = page_of(members, arguments, default=100, most=LIST_MAX)
    return {"members": page, "response_metadata": metadata}


@method("conversations.open", "im:write")
def conversations_open(workspace: Workspace, arguments: Json) -> Json:
    wanted = str(arguments.get("users") or "")
    user, channel = workspace.users.get(wanted), workspace.channel(wanted)
    if user is None or channel is None:  # nor are there group direct messages here
        raise Refused("user_not_found")
    if user.deleted:
        raise Refused("user_disabled")
    return {"channel": {"id": channel.id}}


def by_id(workspace: Workspace, arguments: Json) -> WorkspaceChannel:
    """The conversations methods take ids only, no names."""
    wanted = str(arguments.get("channel"))
    if wanted not in workspace.channels:
        raise Refused("channel_not_found")
    return channel_for(workspace, wanted)


# what was said


def readable(workspace: Workspace, arguments: Json) -> WorkspaceChannel:
    """A channel whose history the bot may read: with the scope for its kind, and it has to be a member,
    chat:write.public does not help."""
    channel = by_id(workspace, arguments)
    needed = "im:history" if channel.is_im else "groups:history" if channel.is_private else "channels:history"
    if needed not in workspace.scopes:
        raise Refused("missing_scope", needed=needed, provided=",".join(workspace.scopes))
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


def is_newer(message: StoredMessage, arguments: Json) -> bool:
    return moment(message.ts) > moment(arguments.get("oldest") or 0)


def history_page(messages: Sequence[StoredMessage], arguments: Json) -> Json:
    page, metadata = page_of(messages, arguments, default=100, most=HISTORY_MAX)
    more = bool(metadata["next_cursor"])
    answer: Json = {"messages": [as_history(message, arguments) for message in page], "has_more": more}
    return answer | ({"response_metadata": metadata} if more else {})


@method("conversations.history", "channels:history", "groups:history", "im:history")
def conversations_history(workspace: Workspace, arguments: Json) -> Json:
    stored = workspace.stored(readable(workspace, arguments).id)
    roots = [
        message
        for message in reversed(stored)
        if not message.only_for and not message.is_reply and is_newer(message, arguments)
    ]
    return {**history_page(roots, arguments), "pin_count": 0}


@method("conversations.replies", "channels:history", "groups:history", "im:history")
def conversations_replies(workspace: Workspace, arguments: Json) -> Json:
    channel = readable(workspace, arguments)
    start = workspace.find(channel.id, str(arguments.get("ts")))
    if start is None or start.only_for:
        raise Refused("thread_not_found")
    root_ts = start.thread_ts or start.ts
    thread = [
        message
        for message in workspace.stored(channel.id)
        if not message.only_for
        and root_ts in (message.ts, message.thread_ts)
        and (message.ts == root_ts or is_newer(message, arguments))
    ]
    return history_page(thread, arguments)


def checked(arguments: Json, kind: str) -> Json:
    view = arguments.get("view")
    if not isinstance(view, dict):
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] missing required field: view"]})
    refuse_faults(block_kit.view_faults(view))
    if view.get("type") != kind:
        raise Refused("invalid_arguments", response_metadata={"messages": [f"[ERROR] view is no {kind}"]})
    return view


def new_id() -> str:
    return f"V{secrets.token_hex(5).upper()}"


def stored(workspace: Workspace, view: Json, view_id: str) -> Json:
    """A view as Slack hands it back: with ids, and a hash of what it shows."""
    known = {"id": view_id, "team_id": workspace.team_id, "app_id": APP_ID, "bot_id": BOT_ID}
    shown = {**view, "blocks": with_block_ids(view["blocks"]), "state": {"values": {}}}
    digest = hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()[:8]
    said = {key: view.get(key) or "" for key in ("callback_id", "private_metadata")}
    return {**shown, **said, **known, "root_view_id": view_id, "hash": f"{workspace.next_ts()}.{digest}"}


def check_hash(arguments: Json, current: Json | None) -> None:
    """A caller who says which version it saw is refused if that is not the current one."""
    if arguments.get("hash") and (current is None or arguments["hash"] != current["hash"]):
        raise Refused("hash_conflict")


@method("views.publish")
def publish(workspace: Workspace, arguments: Json) -> Json:
    view = checked(arguments, "home")
    user = str(arguments.get("user_id"))
    if user not in workspace.users:
        raise Refused("user_not_found")
    current = workspace.home_views.get(user)
    check_hash(arguments, current)
    view_id = current["id"] if current else new_id()
    workspace.home_views[user] = stored(workspace, view, view_id)
    workspace.tell(WorkspaceEvent("view"))
    return {"view": workspace.home_views[user]}


@method("views.open")
def open_view(workspace: Workspace, arguments: Json) -> Json:
    view = checked(arguments, "modal")
    trigger = arguments.get("trigger_id")
    if trouble := workspace.use_trigger(trigger):
        raise Refused(trouble)
    shown = stored(workspace, view, new_id())
    workspace.modals.open(workspace.trigger_user(trigger), shown)
    workspace.tell(WorkspaceEvent("view"))
    return {"view": shown}


@method("views.push")
def push_view(workspace: Workspace, arguments: Json) -> Json:
    view, modals = checked(arguments, "modal"), workspace.modals
    trigger = arguments.get("trigger_id")
    user = workspace.trigger_user(trigger)
    if trouble := workspace.use_trigger(trigger):
        raise Refused(trouble)
    if not modals.of(user):
        raise Refused("not_found")
    if not modals.has_room(user):
        raise Refused("push_limit_reached")
    modals.push(user, stored(workspace, view, new_id()))
    workspace.tell(WorkspaceEvent("view"))
    return {"view": modals.top(user)}


@method("views.update")
def update_view(workspace: Workspace, arguments: Json) -> Json:
    modals = workspace.modals
    found = modals.find(arguments.get("view_id"))
    if found is None:
        raise Refused("not_found")
    user, current = found
    view = checked(arguments, "modal")
    check_hash(arguments, current)
    modals.replace(user, stored(workspace, view, current["id"]))
    workspace.tell(WorkspaceEvent("view"))
    shown = modals.find(current["id"])
    return {"view": shown[1] if shown else {}}


def respond(workspace: Workspace, user: str, submitted: Json, payload: Json | None) -> str:
    """Do what an app answered to the submission of a modal; what Slack shows the person instead where it cannot be
    done. What is no longer open is left alone."""
    modals, payload = workspace.modals, payload or {}
    action = payload.get("response_action")
    if not any(view["id"] == submitted["id"] for view in modals.of(user)):
        return ""
    if action == "errors":
        inputs = {block["block_id"] for block in submitted["blocks"] if block["type"] == "input"}
        errors = payload.get("errors") or {}
        if not errors or not set(errors) <= inputs:
            return "errors must be keyed by the block_id of an input"
        modals.errors[user] = dict(errors)
    elif action == "update":
        view = payload.get("view") or {}
        if faults := block_kit.view_faults(view):
            return f"{faults[0].pointer}: {faults[0].message}"
        modals.replace(user, stored(workspace, view, submitted["id"]))
    elif action is None:
        modals.close(user)
    else:
        return f"there is no response_action {action} here"
    workspace.tell(WorkspaceEvent("view"))
    return ""
