"""Web API methods that write messages, and the assistant's status and prompts."""

from __future__ import annotations

from collections.abc import Sequence

from bot.slack.limits import MAX_SUGGESTED_PROMPTS
from bot.workspace import block_kit
from bot.workspace.api import Desk, Refused, flag, method
from bot.workspace.model import BOT_USER_ID, Json, StoredMessage, WorkspaceChannel, WorkspaceEvent


def channel_for(desk: Desk, wanted: object) -> WorkspaceChannel:
    """The channel the bot may see under this id or name, or Slack's answer that there is none."""
    channel = desk.workspace.channel(wanted) if isinstance(wanted, str) else None
    if channel is None or (channel.is_private and not channel.has(BOT_USER_ID)):
        raise Refused("channel_not_found")
    return channel


def writable(desk: Desk, wanted: object) -> WorkspaceChannel:
    """A channel the bot may post to; public ones need no membership with chat:write.public."""
    channel = channel_for(desk, wanted)
    if channel.is_archived:
        raise Refused("is_archived")
    if not channel.has(BOT_USER_ID) and "chat:write.public" not in desk.workspace.scopes:
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
    if markdown := arguments.get("markdown_text"):
        if arguments.get("text") or arguments.get("blocks"):
            raise Refused("markdown_text_conflict")
        if not isinstance(markdown, str) or len(markdown) > block_kit.MAX_MARKDOWN:
            raise Refused("msg_too_long")
        return markdown, [{"type": "markdown", "text": markdown}]
    if not arguments.get("text") and not arguments.get("blocks"):
        raise Refused("no_text")
    refuse_faults(block_kit.faults(arguments))
    return arguments["text"], arguments.get("blocks") or []


def thread_of(desk: Desk, channel: str, thread_ts: object) -> str | None:
    if not thread_ts:
        return None
    root = desk.workspace.find(channel, str(thread_ts))
    if root is None:
        raise Refused("thread_not_found")
    if root.only_for:
        raise Refused("cannot_reply_to_message")
    return root.thread_ts or root.ts


def own_message(desk: Desk, channel: str, ts: object, otherwise: str) -> StoredMessage:
    message = desk.workspace.find(channel, str(ts))
    if message is None or message.only_for:
        raise Refused("message_not_found")
    if message.json["user"] != BOT_USER_ID:
        raise Refused(otherwise)
    return message


def plain(message: StoredMessage) -> Json:
    """A message as an answer holds it: what a reader gets, without the channel beside it."""
    return dict(message.json)


@method("chat.postMessage", "chat:write")
def post_message(desk: Desk, arguments: Json) -> Json:
    channel = writable(desk, arguments.get("channel"))
    text, blocks = content_of(arguments)
    thread_ts = thread_of(desk, channel.id, arguments.get("thread_ts"))
    broadcast = {"subtype": "thread_broadcast"} if thread_ts and flag(arguments, "reply_broadcast") else {}
    message = desk.workspace.post(
        channel.id,
        user=BOT_USER_ID,
        text=text,
        blocks=blocks,
        thread_ts=thread_ts,
        metadata=arguments.get("metadata"),
        extra=broadcast,
    )
    if channel.is_im:  # message.im tells the app of its own messages too; Bolt drops them
        desk.event({**plain(message), "channel": channel.id, "channel_type": "im", "event_ts": message.ts})
    return {"channel": channel.id, "ts": message.ts, "message": plain(message)}


@method("chat.postEphemeral", "chat:write")
def post_ephemeral(desk: Desk, arguments: Json) -> Json:
    channel = channel_for(desk, arguments.get("channel"))
    if channel.is_archived:
        raise Refused("is_archived")
    user = desk.workspace.users.get(str(arguments.get("user")))
    if user is None or not channel.has(user.id) or not channel.has(BOT_USER_ID):
        raise Refused("user_not_in_channel")
    text, blocks = content_of(arguments)
    message = desk.workspace.post(
        channel.id,
        user=BOT_USER_ID,
        text=text,
        blocks=blocks,
        thread_ts=thread_of(desk, channel.id, arguments.get("thread_ts")),
        only_for=user.id,
    )
    return {"message_ts": message.ts}


@method("chat.update", "chat:write")
def update(desk: Desk, arguments: Json) -> Json:
    channel = channel_for(desk, arguments.get("channel"))
    message = own_message(desk, channel.id, arguments.get("ts"), "cant_update_message")
    text, blocks = content_of(arguments)
    previous = plain(message)
    if arguments.get("metadata"):  # left out, what is stored stays
        message.metadata = arguments["metadata"]
    edited = {"user": BOT_USER_ID, "ts": desk.workspace.next_ts()}
    desk.workspace.change(message, text=text, blocks=blocks, edited=edited)
    if channel.is_im:
        event = {"type": "message", "subtype": "message_changed", "hidden": True, "channel": channel.id}
        event |= {"channel_type": "im", "ts": edited["ts"], "event_ts": edited["ts"]}
        desk.event({**event, "message": plain(message), "previous_message": previous})
    return {"channel": channel.id, "ts": message.ts, "text": message.json["text"], "message": plain(message)}


@method("assistant.threads.setStatus", "assistant:write", "chat:write")
def set_status(desk: Desk, arguments: Json) -> Json:
    channel = channel_for(desk, arguments.get("channel_id"))
    root = desk.workspace.find(channel.id, str(arguments.get("thread_ts")))
    if root is None:
        raise Refused("thread_not_found")
    desk.workspace.set_status(channel.id, root.thread_ts or root.ts, str(arguments.get("status", "")))
    return {}


@method("agents.sessions.setStatus", "assistant:write", "chat:write")
def set_session_status(desk: Desk, arguments: Json) -> Json:
    channel = channel_for(desk, arguments.get("channel_id"))
    status = arguments.get("status")
    if status not in ("processing", "active"):
        raise Refused("invalid_arguments")
    root = desk.workspace.find(channel.id, str(arguments.get("thread_ts")))
    if root is None:
        raise Refused("thread_not_found")
    words = "is working on it…" if status == "processing" else ""
    desk.workspace.set_status(channel.id, root.thread_ts or root.ts, words)
    return {}


@method("assistant.threads.setSuggestedPrompts", "assistant:write")
def set_suggested_prompts(desk: Desk, arguments: Json) -> Json:
    channel = channel_for(desk, arguments.get("channel_id"))
    prompts = arguments.get("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MAX_SUGGESTED_PROMPTS:
        raise Refused("invalid_arguments")
    for prompt in prompts:
        if not isinstance(prompt, dict) or not all(isinstance(prompt.get(key), str) for key in ("title", "message")):
            raise Refused("invalid_arguments")
    desk.workspace.prompts[channel.id] = {"title": arguments.get("title"), "prompts": prompts}
    desk.workspace.tell(WorkspaceEvent("view"))
    return {}
