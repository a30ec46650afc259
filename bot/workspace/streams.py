"""Web API methods of an agent: messages that are written while they are read, and what is shown beside them."""

from __future__ import annotations

from typing import Any

from bot.slack import limits
from bot.workspace.api import Desk, Refused, method
from bot.workspace.chat import channel_for, check_blocks, own_message, plain, thread_of, writable
from bot.workspace.model import BOT_USER_ID, Json, StoredMessage

STREAMING = "streaming_state"  # of a message: in_progress while it can be appended to, then completed
TASK_STATES = ("pending", "in_progress", "complete", "error")


@method("chat.startStream", "chat:write")
def start_stream(desk: Desk, arguments: Json) -> Json:
    channel = writable(desk, arguments.get("channel"))
    thread_ts = thread_of(desk, channel.id, arguments.get("thread_ts"))
    if thread_ts is None:
        raise Refused("invalid_arguments")
    for name in ("recipient_team_id", "recipient_user_id"):
        if not channel.is_im and not arguments.get(name):
            raise Refused(f"missing_{name}")
    text, blocks = grown("", [], arguments)
    message = desk.workspace.post(
        channel.id, user=BOT_USER_ID, text=text, blocks=blocks, thread_ts=thread_ts, extra={STREAMING: "in_progress"}
    )
    if channel.is_im:
        desk.event({**plain(message), "channel": channel.id, "channel_type": "im", "event_ts": message.ts})
    return {"channel": channel.id, "ts": message.ts}


@method("chat.appendStream", "chat:write")
def append_stream(desk: Desk, arguments: Json) -> Json:
    message = streaming(desk, arguments)
    text, blocks = grown(message.json["text"], message.json.get("blocks") or [], arguments)
    desk.workspace.change(message, text=text, blocks=blocks)
    return {"channel": message.channel, "ts": message.ts}


@method("chat.stopStream", "chat:write")
def stop_stream(desk: Desk, arguments: Json) -> Json:
    """The blocks stand below what was streamed."""
    message = streaming(desk, arguments)
    text, blocks = grown(message.json["text"], message.json.get("blocks") or [], arguments)
    if last := arguments.get("blocks"):
        check_blocks(desk, {"text": text or "streamed", "blocks": last})
        blocks = [*blocks, *last]
    if arguments.get("metadata"):
        message.metadata = arguments["metadata"]
    desk.workspace.change(message, text=text, blocks=blocks, **{STREAMING: "completed"})
    return {"channel": message.channel, "ts": message.ts, "message": plain(message)}


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


def streaming(desk: Desk, arguments: Json) -> StoredMessage:
    channel = channel_for(desk, arguments.get("channel"))
    message = own_message(desk, channel.id, arguments.get("ts"), "message_not_owned_by_app")
    if message.json.get(STREAMING) != "in_progress":
        raise Refused("message_not_in_streaming_state")
    return message


def grown(text: str, blocks: list[Json], arguments: Json) -> tuple[str, list[Json]]:
    """A message's text and blocks with what a call adds. A task that is there already is updated, in its place."""
    chunks = arguments.get("chunks") or []
    if not isinstance(chunks, list):
        raise Refused("invalid_chunks")
    if said := arguments.get("markdown_text"):
        chunks = [{"type": "markdown_text", "text": said}, *chunks]
    blocks = list(blocks)
    for chunk in chunks:
        kind = chunk.get("type") if isinstance(chunk, dict) else None
        if kind == "markdown_text" and isinstance(chunk.get("text"), str):
            text += chunk["text"]
            if len(text) > limits.MAX_MARKDOWN:
                raise Refused("msg_too_long")
            blocks = [*(one for one in blocks if one["type"] != "markdown"), {"type": "markdown", "text": text}]
        elif kind == "task_update":
            blocks = with_task(blocks, chunk)
        elif kind == "blocks" and isinstance(chunk.get("blocks"), list):
            blocks += chunk["blocks"]
        elif kind != "plan_update":
            raise Refused("invalid_chunks")
    return text, blocks


def with_task(blocks: list[Json], chunk: Json) -> list[Json]:
    if not all(isinstance(chunk.get(name), str) for name in ("id", "title")) or chunk.get("status") not in TASK_STATES:
        raise Refused("invalid_chunks")
    card: dict[str, Any] = {"type": "task_card", "task_id": chunk["id"], **{k: chunk[k] for k in ("title", "status")}}
    for name in ("details", "output"):
        if said := chunk.get(name):
            leaf = {"type": "text", "text": said}
            card[name] = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [leaf]}]}
    known = [number for number, one in enumerate(blocks) if one.get("task_id") == chunk["id"]]
    return [*blocks[: known[0]], card, *blocks[known[0] + 1 :]] if known else [*blocks, card]
